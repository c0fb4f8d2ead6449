//! The names of a group, and the current facts that its history amounts to.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::append::Reach;
use super::history;
use crate::assertion::Assertion;
use crate::backend::{Batch, Pairs, Reader, Table};
use crate::codec::{decode, encode};
use crate::error::StoreError;
use crate::fact::{Fact, row};
use crate::id::FactId;
use crate::key::{self, GroupId};
use crate::object::ObjectKey;
use crate::record::{GroupNames, GroupRecord, Recorded};
use crate::semantics::{Added, Semantics};
use crate::time::{Instant, Period};

pub(crate) fn from_key(bytes: &[u8]) -> Result<GroupId, StoreError> {
    GroupId::from_key(bytes).ok_or_else(|| StoreError::corrupt("a group's key is too short"))
}

/// Returns what is kept of a group beside its statements and facts; `None` where nothing was said of it.
pub(super) fn record(reader: &dyn Reader, group: GroupId) -> Result<Option<GroupRecord>, StoreError> {
    let bytes = reader.read(Table::Groups, &group.to_key())?;
    bytes.map(|bytes| decode("a group's names", &bytes)).transpose()
}

/// Returns the names of a group.
pub(super) fn names(reader: &dyn Reader, group: GroupId) -> Result<GroupNames, StoreError> {
    let record = record(reader, group)?;
    record.map(|record| record.names).ok_or_else(|| StoreError::corrupt("a group has no names"))
}

/// Writes the names of a group, and how far its statements reach; nothing is left of a group without statements.
pub(super) fn put_record(batch: &mut Batch, group: GroupId, statements: &[Recorded]) {
    match statements.first() {
        None => batch.remove(Table::Groups, group.to_key()),
        Some(first) => {
            let names = GroupNames::of(&first.assertion);
            let reach = Reach::of(statements.iter().map(|recorded| &recorded.assertion));
            batch.put(Table::Groups, group.to_key(), encode(&GroupRecord { names, reach }));
        }
    }
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
    let (names, facts) = match statements.first() {
        Some(first) => {
            let names = GroupNames::of(&first.assertion);
            let facts = derive(semantics, &names, statements);
            (names, facts)
        }
        // The names of a group that lost its last statement are still in the image.
        None => match record(reader, group)? {
            Some(record) => (record.names, Vec::new()),
            None => return Ok(()),
        },
    };
    let before = reader.scan_prefix(Table::Current, &group.to_key());
    put_facts(before, batch, space, group, &names, &facts)
}

/// Writes a group of which nothing is kept: its names, its history, its facts in the latest view.
pub(super) fn put_first(
    batch: &mut Batch,
    semantics: &dyn Semantics,
    space: &str,
    group: GroupId,
    additions: &[Recorded],
) -> Result<(), StoreError> {
    history::put_first(batch, group, additions)?;
    put_record(batch, group, additions);
    let Some(first) = additions.first() else { return Ok(()) };
    let names = GroupNames::of(&first.assertion);
    let facts = derive(semantics, &names, additions);
    put_facts(Box::new(std::iter::empty()), batch, space, group, &names, &facts)
}

fn derive(semantics: &dyn Semantics, names: &GroupNames, statements: &[Recorded]) -> Vec<Fact> {
    let mut counted: Vec<&Assertion> =
        statements.iter().map(|r| &r.assertion).filter(|a| a.counts()).collect();
    counted.sort_by_key(|assertion| (assertion.known_at, assertion.id));
    semantics.derive(&names.predicate, &counted)
}

pub(super) fn start(fact: &Fact) -> Option<Instant> {
    fact.validity.period().map(Period::start)
}

pub(super) fn fact_id(
    space: &str,
    group: GroupId,
    names: &GroupNames,
    object: ObjectKey,
    start: Option<Instant>,
) -> FactId {
    FactId::new(space, (group.subject, &names.predicate, &names.key), object, start)
}

/// Returns the group's facts in the latest view, by start.
pub(super) fn current(reader: &dyn Reader, group: GroupId) -> Result<Vec<Fact>, StoreError> {
    reader.scan_prefix(Table::Current, &group.to_key()).map(|pair| row::decode(&pair?.1)).collect()
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
            facts.push(row::decode(&value)?);
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
    let facts = back.take(n_wanted).map(|pair| row::decode(&pair?.1));
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
    last.map(|(_, value)| row::decode(&value)).transpose()
}

/// Returns the group's facts in the latest view that overlap a period, by start; undated ones aside. Where no two facts overlap
/// it is one seek for each.
pub(super) fn current_over(
    reader: &dyn Reader,
    group: GroupId,
    asked: Period,
    are_apart: bool,
) -> Result<Vec<Fact>, StoreError> {
    let from = key::current(group, Some(Instant::DISTANT_PAST), ObjectKey([0; 16]));
    let to = key::current(group, Some(asked.end()), ObjectKey([0; 16]));
    let mut facts = Vec::new();
    for pair in reader.scan_back(Table::Current, Bound::Included(&from), Bound::Excluded(&to)) {
        let fact: Fact = row::decode(&pair?.1)?;
        let Some(period) = fact.validity.period() else { continue };
        let is_last = are_apart && period.start() <= asked.start();
        if period.overlaps(asked) {
            facts.push(fact);
        }
        if is_last {
            break;
        }
    }
    facts.reverse();
    Ok(facts)
}

/// Writes what added statements change in the group's facts in the latest view.
pub(super) fn put_added(
    reader: &dyn Reader,
    batch: &mut Batch,
    space: &str,
    group: GroupId,
    names: &GroupNames,
    added: &Added,
) -> Result<(), StoreError> {
    let at = |instant: Instant| key::current(group, Some(instant), ObjectKey([0; 16]));
    let from = at(added.from.unwrap_or(Instant::DISTANT_PAST));
    let end = match added.to {
        Some(to) => Some(at(to)),
        None => key::after_prefix(&group.to_key()),
    };
    let end = end.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
    let before = reader.scan(Table::Current, Bound::Included(&from), end);
    put_facts(before, batch, space, group, names, &added.facts)
}

/// Makes facts of a group in the latest view those given, writing only differences to the rows before.
fn put_facts(
    before: Pairs<'_>,
    batch: &mut Batch,
    space: &str,
    group: GroupId,
    names: &GroupNames,
    facts: &[Fact],
) -> Result<(), StoreError> {
    let id = |object, start| fact_id(space, group, names, object, start);
    let mut rows: BTreeMap<Vec<u8>, (ObjectKey, &Fact)> = BTreeMap::new();
    for fact in facts {
        let object = fact.object.key();
        rows.insert(key::current(group, start(fact), object), (object, fact));
    }
    for pair in before {
        let (row, value) = pair?;
        if let Some((_, fact)) = rows.remove(&*row) {
            // A fact's id is that of its row.
            let new = row::encode(fact);
            if *new != *value {
                batch.put(Table::Current, row.into_vec(), new);
            }
        } else {
            let gone: Fact = row::decode(&value)?;
            let id = id(gone.object.key(), start(&gone));
            batch.remove(Table::Facts, key::fact(group.space, id));
            batch.remove(Table::Current, row.into_vec());
        }
    }
    for (row, (object, fact)) in rows {
        batch.put(Table::Facts, key::fact(group.space, id(object, start(fact))), group.to_key());
        batch.put(Table::Current, row, row::encode(fact));
    }
    Ok(())
}

/// Makes the rows below a prefix equal to those given, writing only differences.
pub(super) fn replace(
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
