//! The history of one group, in chunks, and the current facts it amounts to.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::append::Reach;
use crate::assertion::Assertion;
use crate::backend::{Batch, Pairs, Reader, Table};
use crate::codec::{decode, encode};
use crate::error::StoreError;
use crate::fact::Fact;
use crate::id::{AssertionId, FactId};
use crate::key::{self, GroupId, SpaceId};
use crate::object::ObjectKey;
use crate::record::{Chunk, GroupNames, GroupRecord, Recorded};
use crate::semantics::Semantics;
use crate::time::{Instant, Period};

/// Statements a chunk holds at most (64 measured best of the layouts tried, see the storage decision record).
pub(super) const CHUNK: usize = 64;

pub(crate) fn from_key(bytes: &[u8]) -> Result<GroupId, StoreError> {
    GroupId::from_key(bytes).ok_or_else(|| StoreError::corrupt("a group's key is too short"))
}

/// Returns the group's statements in the order of known time, then id.
pub(crate) fn load(reader: &dyn Reader, group: GroupId) -> Result<Vec<Recorded>, StoreError> {
    let mut statements = Vec::new();
    for chunk in chunks(reader, group) {
        statements.extend(chunk?);
    }
    Ok(statements)
}

/// Returns the group's statements as [`load`] does, as many at a time as lie together.
pub(super) fn chunks(
    reader: &dyn Reader,
    group: GroupId,
) -> impl Iterator<Item = Result<Vec<Recorded>, StoreError>> {
    reader.scan_prefix(Table::History, &group.to_key()).map(|pair| {
        let Chunk(chunk) = decode("a chunk of history", &pair?.1)?;
        Ok(chunk)
    })
}

/// Returns a statement by its id and the bytes that say where it is kept.
///
/// # Errors
/// [`StoreError::Corrupt`] where it is not kept there.
pub(crate) fn find(reader: &dyn Reader, place: &[u8], id: AssertionId) -> Result<Recorded, StoreError> {
    let (group, known_at) = place_from(place)?;
    let found = find_all(reader, group, BTreeSet::from([(known_at, id)]))?;
    found.into_iter().next().ok_or_else(|| not_kept(id))
}

/// Reads where a statement is kept.
pub(crate) fn place_from(bytes: &[u8]) -> Result<(GroupId, Instant), StoreError> {
    key::place_from(bytes).ok_or_else(|| StoreError::corrupt("the place of a statement has the wrong length"))
}

/// Returns statements of a space by id, in no order that means anything; nothing for those that are not there.
pub(crate) fn find_by_id(
    reader: &dyn Reader,
    space: SpaceId,
    ids: &[AssertionId],
) -> Result<Vec<Recorded>, StoreError> {
    let mut groups: BTreeMap<GroupId, BTreeSet<(Instant, AssertionId)>> = BTreeMap::new();
    for &id in ids {
        if let Some(place) = reader.read(Table::Assertions, &key::assertion(space, id))? {
            let (group, known_at) = place_from(&place)?;
            groups.entry(group).or_default().insert((known_at, id));
        }
    }
    let mut found = Vec::with_capacity(ids.len());
    for (group, wanted) in groups {
        found.extend(find_all(reader, group, wanted)?);
    }
    Ok(found)
}

/// Returns statements of a group by known time and id, in that order. Of the history, only the chunks that hold them are
/// read.
///
/// # Errors
/// [`StoreError::Corrupt`] where one of them is not in the group.
fn find_all(
    reader: &dyn Reader,
    group: GroupId,
    mut wanted: BTreeSet<(Instant, AssertionId)>,
) -> Result<Vec<Recorded>, StoreError> {
    let mut found = Vec::with_capacity(wanted.len());
    while let Some(&(known_at, id)) = wanted.first() {
        let (from, to) = (group.to_key(), key::chunk(group, known_at, id));
        let last = reader.last(Table::History, Bound::Included(&from), Bound::Included(&to))?;
        let (_, value) = last.ok_or_else(|| not_kept(id))?;
        let Chunk(chunk) = decode("a chunk of history", &value)?;
        let n_wanted = wanted.len();
        let is_wanted =
            |recorded: &Recorded| wanted.remove(&(recorded.assertion.known_at, recorded.assertion.id));
        found.extend(chunk.into_iter().filter(is_wanted));
        if wanted.len() == n_wanted {
            return Err(not_kept(id));
        }
    }
    Ok(found)
}

fn not_kept(id: AssertionId) -> StoreError {
    StoreError::corrupt(format!("assertion {id} is not in its group's history"))
}

/// Returns the names of a group.
pub(super) fn names(reader: &dyn Reader, group: GroupId) -> Result<GroupNames, StoreError> {
    match reader.read(Table::Groups, &group.to_key())? {
        Some(bytes) => Ok(decode::<GroupRecord>("a group's names", &bytes)?.names),
        None => Err(StoreError::corrupt("a group has no names")),
    }
}

/// Writes the group's history, touching only chunks that change. The statements are brought into order.
pub(super) fn put_history(
    reader: &dyn Reader,
    batch: &mut Batch,
    group: GroupId,
    statements: &mut [Recorded],
) -> Result<(), StoreError> {
    statements.sort_by_key(|recorded| (recorded.assertion.known_at, recorded.assertion.id));
    let chunks = statements.chunks(CHUNK).map(|chunk| {
        let first = &chunk[0].assertion;
        (key::chunk(group, first.known_at, first.id), encode(&Chunk(chunk.to_vec())))
    });
    replace(reader, batch, Table::History, &group.to_key(), chunks.collect())?;
    let record = statements.first().map(|first| GroupRecord {
        names: GroupNames::of(&first.assertion),
        reach: Reach::of(statements.iter().map(|recorded| &recorded.assertion)),
    });
    let row = record.map(|record| (group.to_key(), encode(&record)));
    replace(reader, batch, Table::Groups, &group.to_key(), row.into_iter().collect())
}

/// Derives the group's facts in the latest view and writes those that change.
pub(super) fn put_current(
    reader: &dyn Reader,
    batch: &mut Batch,
    semantics: &dyn Semantics,
    space: &str,
    group: GroupId,
    statements: &[Recorded],
) -> Result<(), StoreError> {
    let prefix = group.to_key();
    let before = current(reader, group)?;
    let mut gone: BTreeSet<FactId> = BTreeSet::new();
    if !before.is_empty() {
        // The names of a group that lost its last statement are still in the image.
        let names = names(reader, group)?;
        gone.extend(before.iter().map(|fact| fact_id(space, &names, fact)));
    }
    let mut rows = BTreeMap::new();
    if let Some(first) = statements.first() {
        let names = GroupNames::of(&first.assertion);
        let counted: Vec<&Assertion> =
            statements.iter().map(|r| &r.assertion).filter(|a| a.counts()).collect();
        for fact in semantics.derive(&names.predicate, &counted) {
            let id = fact_id(space, &names, &fact);
            if !gone.remove(&id) {
                batch.put(Table::Facts, key::fact(group.space, id), prefix.clone());
            }
            rows.insert(key::current(group, start(&fact), fact.object.key()), encode(&fact));
        }
    }
    for id in gone {
        batch.remove(Table::Facts, key::fact(group.space, id));
    }
    replace(reader, batch, Table::Current, &prefix, rows)
}

pub(super) fn start(fact: &Fact) -> Option<Instant> {
    fact.validity.period().map(Period::start)
}

pub(super) fn fact_id(space: &str, names: &GroupNames, fact: &Fact) -> FactId {
    FactId::new(space, (&names.subject, &names.predicate, &names.key), &fact.object, start(fact))
}

/// Returns the group's facts in the latest view, by start.
pub(super) fn current(reader: &dyn Reader, group: GroupId) -> Result<Vec<Fact>, StoreError> {
    reader
        .scan_prefix(Table::Current, &group.to_key())
        .map(|pair| decode("a current fact", &pair?.1))
        .collect()
}

/// Returns those of the group's facts in the latest view that have an object, by start. The others are not decoded.
pub(super) fn current_of(
    reader: &dyn Reader,
    group: GroupId,
    object: ObjectKey,
) -> Result<Vec<Fact>, StoreError> {
    let mut facts = Vec::new();
    for pair in reader.scan_prefix(Table::Current, &group.to_key()) {
        let (row, value) = pair?;
        if row.ends_with(&object.0) {
            facts.push(decode("a current fact", &value)?);
        }
    }
    Ok(facts)
}

/// Returns the group's facts in the latest view that start last, as many as are wanted at most, by start.
pub(super) fn current_last(
    reader: &dyn Reader,
    group: GroupId,
    n_wanted: usize,
) -> Result<Vec<Fact>, StoreError> {
    let first = group.to_key();
    let end = key::after_prefix(&first);
    let end = end.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
    last_of(reader.scan_back(Table::Current, Bound::Included(&first), end), n_wanted)
}

/// Returns the group's facts in the latest view that start last, but not after an instant, as [`current_last`] does; undated
/// ones aside.
pub(super) fn current_last_by(
    reader: &dyn Reader,
    group: GroupId,
    instant: Instant,
    n_wanted: usize,
) -> Result<Vec<Fact>, StoreError> {
    let from = key::current(group, Some(Instant::DISTANT_PAST), ObjectKey([0; 16]));
    let to = key::current(group, Some(instant), ObjectKey([u8::MAX; 16]));
    last_of(reader.scan_back(Table::Current, Bound::Included(&from), Bound::Included(&to)), n_wanted)
}

/// Returns the first of some facts that are read backwards, in their order.
fn last_of(back: Pairs<'_>, n_wanted: usize) -> Result<Vec<Fact>, StoreError> {
    let facts = back.take(n_wanted).map(|pair| decode("a current fact", &pair?.1));
    let mut facts: Vec<Fact> = facts.collect::<Result<_, _>>()?;
    facts.reverse();
    Ok(facts)
}

/// Returns the group's fact in the latest view that starts last, but not after an instant.
pub(super) fn current_by(
    reader: &dyn Reader,
    group: GroupId,
    instant: Instant,
) -> Result<Option<Fact>, StoreError> {
    let from = key::current(group, Some(Instant::DISTANT_PAST), ObjectKey([0; 16]));
    let to = key::current(group, Some(instant), ObjectKey([u8::MAX; 16]));
    let last = reader.last(Table::Current, Bound::Included(&from), Bound::Included(&to))?;
    last.map(|(_, value)| decode("a current fact", &value)).transpose()
}

/// Returns the group's statements that were known at one instant, by id. Of the history, only the chunks in which they can
/// stand are read.
pub(super) fn known_at(
    reader: &dyn Reader,
    group: GroupId,
    known_at: Instant,
) -> Result<Vec<Recorded>, StoreError> {
    let last = key::chunk(group, known_at, AssertionId([u8::MAX; 16]));
    let before = key::chunk(group, known_at, AssertionId([0; 16]));
    // The chunk before the first one that starts at that instant may reach into it.
    let from = reader.last(Table::History, Bound::Included(&group.to_key()), Bound::Excluded(&before))?;
    let from = from.map_or(before, |(row, _)| row.into_vec());
    let mut known = Vec::new();
    for pair in reader.scan(Table::History, Bound::Included(&from), Bound::Included(&last)) {
        let Chunk(chunk) = decode("a chunk of history", &pair?.1)?;
        known.extend(chunk.into_iter().filter(|recorded| recorded.assertion.known_at == known_at));
    }
    Ok(known)
}

/// Makes the rows below a prefix equal to those given, writing only differences.
fn replace(
    reader: &dyn Reader,
    batch: &mut Batch,
    table: Table,
    prefix: &[u8],
    mut rows: BTreeMap<Vec<u8>, Vec<u8>>,
) -> Result<(), StoreError> {
    for pair in reader.scan_prefix(table, prefix) {
        let (key, value) = pair?;
        match rows.remove(&*key) {
            Some(new) if *new == *value => {}
            Some(new) => batch.put(table, key.into_vec(), new),
            None => batch.remove(table, key.into_vec()),
        }
    }
    for (key, value) in rows {
        batch.put(table, key, value);
    }
    Ok(())
}
