//! Writing events into a set: which leaves become which rows.
//!
//! Invariant: leaves do not overlap, and each is keyed by its first item, so that the last leaf whose key is not after an
//! item's is the one that holds it, or would.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use super::{Entry, Event, Item, Items, Leaf, SetRecord, Status};
use crate::backend::{Pairs, Reader, Table, Write};
use crate::codec::{decode, encode};
use crate::error::StoreError;
use crate::key::{self, SpaceId};
use crate::origin::Origin;
use crate::time::Instant;

/// Items of a set that take a status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkChange {
    /// The set.
    pub set: String,
    /// The items.
    pub items: Items,
    /// How they stand from now on.
    pub status: Status,
    /// Why, where that was said.
    pub reason: Option<String>,
    /// Who says so.
    pub origin: Origin,
    /// When that was known, where it was said before and is told again; nothing where it is said in the commit.
    pub said_at: Option<Instant>,
}

/// Returns a set's record; nothing where nothing was ever written into it.
pub(crate) fn set(reader: &dyn Reader, space: SpaceId, name: &str) -> Result<Option<SetRecord>, StoreError> {
    let bytes = reader.read(Table::Work, &key::work_set(space, name))?;
    bytes.map(|bytes| decode("a work-set", &bytes)).transpose()
}

/// Reads a leaf, whose first item its key is to name.
pub(crate) fn leaf_from(row: &[u8], value: &[u8]) -> Result<Leaf, StoreError> {
    let leaf = Leaf::decode(value)?;
    match leaf.0.first() {
        Some(first) if row.get(key::WORK_PREFIX_BYTES..) == Some(first.item.key()) => Ok(leaf),
        _ => Err(StoreError::corrupt("a leaf of a work-set is not kept by its first item")),
    }
}

/// The leaves of a set.
#[derive(Clone, Copy)]
pub(crate) struct Leaves<'r> {
    reader: &'r dyn Reader,
    prefix: [u8; key::WORK_PREFIX_BYTES],
}

impl<'r> Leaves<'r> {
    pub(crate) fn new(reader: &'r dyn Reader, space: SpaceId, name: &str) -> Leaves<'r> {
        Leaves { reader, prefix: key::work_leaves(space, name) }
    }

    /// Returns the rows of the leaves, in the order of their items.
    pub(crate) fn rows(self) -> Pairs<'r> {
        self.reader.scan_prefix(Table::Work, &self.prefix)
    }

    /// Returns the key and the entries of the leaf that holds an item or would, and the key of the leaf after it.
    pub(crate) fn around(self, item: &Item) -> Result<Around, StoreError> {
        let (from, to) = (self.prefix.to_vec(), self.key(item));
        let found =
            self.reader.last(Table::Work, Bound::Included(&from), Bound::Included(&to))?.map(Ok).or_else(
                || {
                    // What comes before the first leaf goes into it.
                    self.rows().next()
                },
            );
        let Some((row, value)) = found.transpose()? else { return Ok(Around::default()) };
        let entries = leaf_from(&row, &value)?.0;
        let end = key::after_prefix(&from);
        let end = end.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let next = self.reader.scan(Table::Work, Bound::Excluded(&row), end).next().transpose()?;
        Ok(Around { row: Some(row.into_vec()), entries, next: next.map(|(row, _)| row.into_vec()) })
    }

    fn key(self, item: &Item) -> Vec<u8> {
        [&self.prefix, item.key()].concat()
    }

    /// Appends the writes that put leaves where a row was.
    fn replace(self, row: Option<Vec<u8>>, leaves: &[Leaf], writes: &mut Vec<Write>) {
        let put = |leaf: &Leaf| {
            let key = self.key(&leaf.0.first()?.item);
            Some(Write { table: Table::Work, key, value: Some(leaf.encode()) })
        };
        let new: Vec<Write> = leaves.iter().filter_map(put).collect();
        if let Some(row) = row
            && new.first().is_none_or(|first| first.key != row)
        {
            writes.push(Write { table: Table::Work, key: row, value: None });
        }
        writes.extend(new);
    }
}

/// The leaf that an item is in or would be in; none where there is no leaf.
#[derive(Default)]
pub(crate) struct Around {
    row: Option<Vec<u8>>,
    entries: Vec<Entry>,
    next: Option<Vec<u8>>,
}

impl Around {
    /// Takes the entries out.
    pub(crate) fn into_entries(self) -> Vec<Entry> {
        self.entries
    }

    /// Says whether an item that is not before the one asked about has its place here, too.
    pub(crate) fn holds(&self, item: &Item) -> bool {
        self.next.as_ref().is_none_or(|next| item.key() < &next[key::WORK_PREFIX_BYTES..])
    }
}

/// Returns the rows that a change makes of a set, in the commit of a number and a stamp.
pub(crate) fn rows(
    reader: &dyn Reader,
    space: SpaceId,
    (seq, known_at): (u64, Instant),
    change: &WorkChange,
) -> Result<Vec<Write>, StoreError> {
    let mut items = change.items.as_slice();
    let mut writes = Vec::new();
    if items.is_empty() {
        return Ok(writes);
    }
    let before = set(reader, space, &change.set)?;
    let mut record =
        before.clone().unwrap_or_else(|| SetRecord { name: change.set.clone(), origins: Vec::new() });
    let origin = record.place(&change.origin)?;
    if before.as_ref() != Some(&record) {
        let key = key::work_set(space, &change.set);
        writes.push(Write { table: Table::Work, key, value: Some(encode(&record)) });
    }
    let reason = change.reason.as_deref().map(Arc::from);
    let known_at = change.said_at.unwrap_or(known_at);
    let event = Event { known_at, seq, status: change.status, origin, reason };
    let leaves = Leaves::new(reader, space, &change.set);
    while let Some(first) = items.first() {
        let around = leaves.around(first)?;
        let n_here = items.partition_point(|item| around.holds(item));
        let (here, rest) = items.split_at(n_here.max(1));
        items = rest;
        let follows = around.entries.last().is_none_or(|last| last.item < *first);
        let entries = merged(around.entries, here, &event);
        leaves.replace(around.row, &Leaf::cut(entries, follows && around.next.is_none()), &mut writes);
    }
    Ok(writes)
}

/// Adds an event to items, which are in order.
fn merged(entries: Vec<Entry>, items: &[Item], event: &Event) -> Vec<Entry> {
    let mut merged = Vec::with_capacity(entries.len() + items.len());
    let new = |item: &Item| Entry { item: item.clone(), events: vec![event.clone()] };
    let mut items = items.iter().peekable();
    for mut entry in entries {
        while let Some(item) = items.next_if(|item| **item < entry.item) {
            merged.push(new(item));
        }
        if items.next_if(|item| **item == entry.item).is_some() {
            let at = entry.events.partition_point(|before| before < event);
            entry.events.insert(at, event.clone());
        }
        merged.push(entry);
    }
    merged.extend(items.map(new));
    merged
}

impl SetRecord {
    /// Returns the place of an origin, which is given one where it has none.
    fn place(&mut self, origin: &Origin) -> Result<u32, StoreError> {
        let known = self.origins.iter().position(|known| known.as_ref() == Some(origin));
        let place = known.unwrap_or(self.origins.len());
        if known.is_none() {
            self.origins.push(Some(origin.clone()));
        }
        u32::try_from(place).map_err(|_| StoreError::Storage("a work-set has too many origins".to_owned()))
    }
}

/// What an erasure takes out of the work-sets of a space.
#[derive(Default)]
pub(crate) struct Without {
    /// The rows that are left instead.
    pub(crate) writes: Vec<Write>,
    /// How many events go.
    pub(crate) n_events: u64,
    /// The texts that go with them: items that nobody else wrote, and reasons.
    pub(crate) texts: BTreeSet<String>,
}

/// Returns the rows that are left of the sets of a space without what some wrote into them.
pub(crate) fn rows_without(
    reader: &dyn Reader,
    space: SpaceId,
    is_gone: impl Fn(&Origin) -> bool,
) -> Result<Without, StoreError> {
    let mut without = Without::default();
    for pair in reader.scan_prefix(Table::Work, &key::work_sets(space)) {
        let (row, value) = pair?;
        let mut record: SetRecord = decode("a work-set", &value)?;
        let gone: Vec<bool> =
            record.origins.iter().map(|origin| origin.as_ref().is_some_and(&is_gone)).collect();
        if !gone.contains(&true) {
            continue;
        }
        let is_kept = |event: &Event| !gone.get(event.origin as usize).copied().unwrap_or(false);
        let leaves = Leaves::new(reader, space, &record.name);
        let mut is_empty = true;
        for pair in leaves.rows() {
            let (leaf_row, value) = pair?;
            let mut entries = leaf_from(&leaf_row, &value)?.0;
            if entries.iter().flat_map(|entry| &entry.events).all(is_kept) {
                is_empty = false;
                continue;
            }
            for entry in &mut entries {
                for event in entry.events.iter().filter(|event| !is_kept(event)) {
                    without.n_events += 1;
                    without.texts.extend(event.reason.as_deref().map(str::to_owned));
                }
                entry.events.retain(is_kept);
                if entry.events.is_empty() {
                    without.texts.insert(entry.item.text().into_owned());
                }
            }
            entries.retain(|entry| !entry.events.is_empty());
            is_empty &= entries.is_empty();
            leaves.replace(Some(leaf_row.into_vec()), &Leaf::cut(entries, false), &mut without.writes);
        }
        for (origin, _) in record.origins.iter_mut().zip(&gone).filter(|(_, is_gone)| **is_gone) {
            *origin = None;
        }
        if is_empty {
            without.texts.insert(record.name);
            without.writes.push(Write { table: Table::Work, key: row.into_vec(), value: None });
        } else {
            without.writes.push(Write {
                table: Table::Work,
                key: row.into_vec(),
                value: Some(encode(&record)),
            });
        }
    }
    Ok(without)
}

/// Returns the items that a row of the table has, one a line; nothing where it is no leaf.
pub(crate) fn texts_of(row: &[u8], value: &[u8]) -> Vec<u8> {
    let Ok(Leaf(entries)) = leaf_from(row, value) else { return Vec::new() };
    entries.iter().flat_map(|entry| [entry.item.text().as_bytes(), b"\n"].concat()).collect()
}
