//! The history of one group, in chunks, and the current facts it amounts to.

use std::collections::BTreeMap;

use crate::assertion::Assertion;
use crate::backend::{Batch, Reader, Table};
use crate::codec::{decode, encode};
use crate::error::StoreError;
use crate::fact::Fact;
use crate::id::FactId;
use crate::key::{self, GroupId};
use crate::record::{Chunk, GroupNames, Recorded};
use crate::semantics::Semantics;
use crate::time::Period;

/// Statements a chunk holds at most (64 measured best of the layouts tried, see the storage decision record).
const CHUNK: usize = 64;

pub(super) fn from_key(bytes: &[u8]) -> Result<GroupId, StoreError> {
    GroupId::from_key(bytes).ok_or_else(|| StoreError::corrupt("a group's key is too short"))
}

/// Returns the group's statements in the order of known time, then id.
pub(super) fn load(reader: &dyn Reader, group: GroupId) -> Result<Vec<Recorded>, StoreError> {
    let mut statements = Vec::new();
    for pair in reader.scan_prefix(Table::History, &group.to_key()) {
        let (_, value) = pair?;
        let Chunk(chunk) = decode("a chunk of history", &value)?;
        statements.extend(chunk);
    }
    Ok(statements)
}

/// Returns the names of a group.
pub(super) fn names(reader: &dyn Reader, group: GroupId) -> Result<GroupNames, StoreError> {
    match reader.read(Table::Groups, &group.to_key())? {
        Some(bytes) => decode("a group's names", &bytes),
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
        (
            key::chunk(group, first.known_at, first.id),
            encode(&Chunk(chunk.to_vec())),
        )
    });
    replace(reader, batch, Table::History, &group.to_key(), chunks.collect())?;
    let names = statements.first().map(|recorded| {
        let Assertion {
            subject,
            predicate,
            key,
            ..
        } = recorded.assertion.clone();
        (
            group.to_key(),
            encode(&GroupNames {
                subject,
                predicate,
                key,
            }),
        )
    });
    replace(
        reader,
        batch,
        Table::Groups,
        &group.to_key(),
        names.into_iter().collect(),
    )
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
    let before: Vec<Fact> = current(reader, group)?;
    let mut rows = BTreeMap::new();
    let mut ids = Vec::new();
    if let Some(first) = statements.first() {
        let Assertion {
            subject,
            predicate,
            key,
            ..
        } = &first.assertion;
        let counted: Vec<&Assertion> = statements
            .iter()
            .map(|recorded| &recorded.assertion)
            .filter(|a| a.counts())
            .collect();
        for fact in semantics.derive(predicate, &counted) {
            let start = fact.validity.period().map(Period::start);
            ids.push(FactId::new(space, (subject, predicate, key), &fact.object, start));
            rows.insert(key::current(group, start, fact.object.key()), encode(&fact));
        }
    }
    // The names of a group that lost its last statement are still in the image.
    if !before.is_empty() {
        let GroupNames {
            subject,
            predicate,
            key,
        } = names(reader, group)?;
        for fact in &before {
            let start = fact.validity.period().map(Period::start);
            let id = FactId::new(space, (&subject, &predicate, &key), &fact.object, start);
            if !ids.contains(&id) {
                batch.remove(Table::Facts, key::fact(group.space, id));
            }
        }
    }
    for id in ids {
        let row = key::fact(group.space, id);
        if reader.read(Table::Facts, &row)?.is_none() {
            batch.put(Table::Facts, row, prefix.clone());
        }
    }
    replace(reader, batch, Table::Current, &prefix, rows)
}

/// Returns the group's facts in the latest view, by start.
pub(super) fn current(reader: &dyn Reader, group: GroupId) -> Result<Vec<Fact>, StoreError> {
    reader
        .scan_prefix(Table::Current, &group.to_key())
        .map(|pair| decode("a current fact", &pair?.1))
        .collect()
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
