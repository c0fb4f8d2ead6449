//! The rows of a group's history: chunks of statements, and zones that tell of them where there is more than one.
//!
//! Invariant: the chunks of a group hold its statements in the order of their places, and its zones are those of its chunks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::backend::{Batch, Reader, Table};
use crate::error::StoreError;
use crate::history::chunk::{self, CHUNK, Chunk};
use crate::history::zone::{self, ROW, Zone};
use crate::history::{Place, marks};
use crate::id::AssertionId;
use crate::key::{self, GroupId, HistoryRow, SpaceId};
use crate::record::Recorded;
use crate::time::Instant;

/// The last place of those with a start.
fn last_with(start: Option<Instant>) -> Place {
    Place { start, known_at: Instant::DISTANT_FUTURE, id: AssertionId([u8::MAX; 16]) }
}

/// Returns the group's statements in the order of known time, then id.
pub(crate) fn load(reader: &dyn Reader, group: GroupId) -> Result<Vec<Recorded>, StoreError> {
    let mut statements = Vec::new();
    for chunk in chunks(reader, group) {
        statements.extend(chunk?);
    }
    statements.sort_by_key(|recorded| (recorded.assertion.known_at, recorded.assertion.id));
    Ok(statements)
}

/// Returns the group's statements in the order of their places, as many at a time as lie together.
pub(super) fn chunks(
    reader: &dyn Reader,
    group: GroupId,
) -> impl Iterator<Item = Result<Vec<Recorded>, StoreError>> {
    let rows = reader.scan_prefix(Table::History, &key::history_prefix(group, HistoryRow::Chunk));
    rows.map(|pair| Chunk::read(&pair?.1)?.statements())
}

/// Returns every statement of a space, group by group, as many at a time as lie together, with their group.
pub(super) fn all_chunks(
    reader: &dyn Reader,
    space: SpaceId,
) -> impl Iterator<Item = Result<(GroupId, Vec<Recorded>), StoreError>> {
    let rows = reader.scan_prefix(Table::History, &key::space_prefix(space));
    rows.filter_map(|pair| {
        let (row, value) = match pair {
            Ok(pair) => pair,
            Err(error) => return Some(Err(error)),
        };
        match key::history_row(&row) {
            Some(HistoryRow::Zones) => None,
            Some(HistoryRow::Chunk) => Some(read_chunk(&row, &value)),
            None => Some(Err(StoreError::corrupt("a row of history has the wrong key"))),
        }
    })
}

fn read_chunk(row: &[u8], value: &[u8]) -> Result<(GroupId, Vec<Recorded>), StoreError> {
    let group = super::group::from_key(row)?;
    Ok((group, Chunk::read(value)?.statements()?))
}

/// Returns a statement by its id and the bytes that say where it is kept.
///
/// # Errors
/// [`StoreError::Corrupt`] where it is not kept there.
pub(crate) fn find(reader: &dyn Reader, place: &[u8], id: AssertionId) -> Result<Recorded, StoreError> {
    let (group, start) = place_from(place)?;
    let found = find_all(reader, group, BTreeSet::from([(start, id)]))?;
    found.into_iter().next().ok_or_else(|| not_kept(id))
}

/// Reads where a statement is kept.
pub(crate) fn place_from(bytes: &[u8]) -> Result<(GroupId, Option<Instant>), StoreError> {
    key::place_from(bytes).ok_or_else(|| StoreError::corrupt("the place of a statement has the wrong length"))
}

/// Returns statements of a space by id, in no order that means anything; nothing for those that are not there.
pub(crate) fn find_by_id(
    reader: &dyn Reader,
    space: SpaceId,
    ids: &[AssertionId],
) -> Result<Vec<Recorded>, StoreError> {
    let mut groups: BTreeMap<GroupId, BTreeSet<(Option<Instant>, AssertionId)>> = BTreeMap::new();
    for &id in ids {
        if let Some(place) = reader.read(Table::Assertions, &key::assertion(space, id))? {
            let (group, start) = place_from(&place)?;
            groups.entry(group).or_default().insert((start, id));
        }
    }
    let mut found = Vec::with_capacity(ids.len());
    for (group, wanted) in groups {
        found.extend(find_all(reader, group, wanted)?);
    }
    Ok(found)
}

/// Returns statements of a group by start and id, in no order that means anything. Of the history, only the chunks in which
/// they can stand are read.
///
/// # Errors
/// [`StoreError::Corrupt`] where one of them is not in the group.
fn find_all(
    reader: &dyn Reader,
    group: GroupId,
    mut wanted: BTreeSet<(Option<Instant>, AssertionId)>,
) -> Result<Vec<Recorded>, StoreError> {
    let mut found = Vec::with_capacity(wanted.len());
    let first = key::history_prefix(group, HistoryRow::Chunk);
    while let Some(&(start, id)) = wanted.last() {
        let last = key::history(group, HistoryRow::Chunk, last_with(start));
        // Those of one start may fill several chunks.
        for pair in reader.scan_back(Table::History, Bound::Included(&first), Bound::Included(&last)) {
            let (_, bytes) = pair?;
            let chunk = Chunk::read(&bytes)?;
            let mut texts = None;
            for at in 0..chunk.len() {
                let place = chunk.place(at)?;
                if wanted.remove(&(place.start, place.id)) {
                    let texts: &mut Vec<&str> = match &mut texts {
                        Some(texts) => texts,
                        none => none.insert(chunk.texts()?),
                    };
                    found.push(chunk.statement(at, texts)?);
                }
            }
            let is_sought = wanted.last().is_some_and(|(other, _)| *other == start);
            if !is_sought || chunk.place(0)?.start < start {
                break;
            }
        }
        if wanted.contains(&(start, id)) {
            return Err(not_kept(id));
        }
    }
    Ok(found)
}

fn not_kept(id: AssertionId) -> StoreError {
    StoreError::corrupt(format!("assertion {id} is not in its group's history"))
}

/// What the history of a group consists of.
pub(super) enum Rows {
    /// One chunk at most.
    Alone(Option<Box<[u8]>>),
    /// More of them: their zones, in order.
    Zoned(Vec<Zone>),
}

/// Returns what the history of a group consists of.
pub(super) fn rows(reader: &dyn Reader, group: GroupId) -> Result<Rows, StoreError> {
    let mut zones = Vec::new();
    for pair in reader.scan_prefix(Table::History, &group.to_key()) {
        let (row, value) = pair?;
        match key::history_row(&row) {
            Some(HistoryRow::Zones) => zones.extend(zone::decode(&value)?),
            Some(HistoryRow::Chunk) if zones.is_empty() => return Ok(Rows::Alone(Some(value))),
            _ => break,
        }
    }
    Ok(if zones.is_empty() { Rows::Alone(None) } else { Rows::Zoned(zones) })
}

/// Returns the bytes of the chunk of a zone.
pub(super) fn chunk_of(reader: &dyn Reader, group: GroupId, zone: &Zone) -> Result<Vec<u8>, StoreError> {
    let row = key::history(group, HistoryRow::Chunk, zone.first);
    let bytes = reader.read(Table::History, &row)?;
    bytes.ok_or_else(|| StoreError::corrupt("a zone of history has no chunk"))
}

/// Returns the group's statements that were known at one instant, by id. Of the history, only the chunks in which they can
/// stand are read.
pub(super) fn known_at(
    reader: &dyn Reader,
    group: GroupId,
    known_at: Instant,
) -> Result<Vec<Recorded>, StoreError> {
    let mut known = Vec::new();
    let mut take = |bytes: &[u8]| -> Result<(), StoreError> {
        let chunk = Chunk::read(bytes)?;
        let texts = chunk.texts()?;
        for at in (0..chunk.len()).filter(|at| chunk.known_at(*at) == known_at) {
            known.push(chunk.statement(at, &texts)?);
        }
        Ok(())
    };
    match rows(reader, group)? {
        Rows::Alone(chunk) => chunk.iter().try_for_each(|bytes| take(bytes))?,
        Rows::Zoned(zones) => {
            let can_hold = |zone: &&Zone| zone.known.0 <= known_at && known_at <= zone.known.1;
            for zone in zones.iter().filter(can_hold) {
                take(&chunk_of(reader, group, zone)?)?;
            }
        }
    }
    known.sort_by_key(|recorded| recorded.assertion.id);
    Ok(known)
}

/// What was kept of a group's statements.
pub(super) enum Kept {
    /// One chunk at most.
    InOne(Option<Box<[u8]>>),
    /// More of them.
    InMany,
}

/// Adds statements to a group's history, and says what was kept of it before. Only the chunks that they fall into are read and
/// written, and their zones.
pub(super) fn add(
    reader: &dyn Reader,
    batch: &mut Batch,
    group: GroupId,
    additions: &[Recorded],
) -> Result<Kept, StoreError> {
    let additions = in_order(additions);
    let first_row = reader.scan_prefix(Table::History, &group.to_key()).next().transpose()?;
    let is_chunk = first_row.as_ref().is_none_or(|(row, _)| key::history_row(row) == Some(HistoryRow::Chunk));
    if is_chunk {
        let gone = first_row.as_ref().map(|(row, value)| (row.to_vec(), &**value));
        let zones = put_chunks(batch, group, gone, &additions)?;
        if zones.len() > 1 {
            put_rows(batch, group, None, &zones, true);
        }
        return Ok(Kept::InOne(first_row.map(|(_, value)| value)));
    }
    let mut rest = &additions[..];
    while let Some(first) = rest.first() {
        let (row, zones) = row_for(reader, group, Place::of(first))?;
        let next = first_after(reader, group, &row)?;
        let (here, later) =
            rest.split_at(rest.partition_point(|r| next.is_none_or(|next| Place::of(r) < next)));
        add_to_row(reader, batch, group, (row, zones), here)?;
        rest = later;
    }
    Ok(Kept::InMany)
}

/// Writes the history of a group of which nothing is kept.
pub(super) fn put_first(batch: &mut Batch, group: GroupId, additions: &[Recorded]) -> Result<(), StoreError> {
    let zones = put_chunks(batch, group, None, &in_order(additions))?;
    if zones.len() > 1 {
        put_rows(batch, group, None, &zones, true);
    }
    Ok(())
}

fn in_order(additions: &[Recorded]) -> Vec<&Recorded> {
    let mut additions: Vec<&Recorded> = additions.iter().collect();
    additions.sort_by_key(|recorded| Place::of(recorded));
    additions
}

/// The key of a row, and its zones.
type ZoneRow = (Box<[u8]>, Vec<Zone>);

/// Returns the row of zones into which a place falls, of a group that has some.
fn row_for(reader: &dyn Reader, group: GroupId, place: Place) -> Result<ZoneRow, StoreError> {
    let prefix = key::history_prefix(group, HistoryRow::Zones);
    let to = key::history(group, HistoryRow::Zones, place);
    let row = match reader.last(Table::History, Bound::Included(&prefix), Bound::Included(&to))? {
        Some(row) => Some(row),
        None => reader.scan_prefix(Table::History, &prefix).next().transpose()?,
    };
    let (row, value) = row.ok_or_else(|| StoreError::corrupt("a row of history has the wrong key"))?;
    Ok((row, zone::decode(&value)?))
}

/// Returns the first place of the row of zones after one; `None` where it is the last.
fn first_after(reader: &dyn Reader, group: GroupId, row: &[u8]) -> Result<Option<Place>, StoreError> {
    let end = key::after_prefix(&key::history_prefix(group, HistoryRow::Zones));
    let end = end.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
    let next = reader.scan(Table::History, Bound::Excluded(row), end).next().transpose()?;
    let zones = next.map(|(_, value)| zone::decode(&value)).transpose()?;
    Ok(zones.and_then(|zones| zones.first().map(|zone| zone.first)))
}

fn add_to_row(
    reader: &dyn Reader,
    batch: &mut Batch,
    group: GroupId,
    (row, zones): ZoneRow,
    additions: &[&Recorded],
) -> Result<(), StoreError> {
    let mut changed = Vec::with_capacity(zones.len() + 1);
    let mut rest = additions;
    let is_after =
        additions.first().zip(zones.last()).is_some_and(|(one, last)| Place::of(one) >= last.first);
    for (at, zone) in zones.iter().enumerate() {
        let next = zones.get(at + 1).map(|zone| zone.first);
        let (here, later) =
            rest.split_at(rest.partition_point(|r| next.is_none_or(|next| Place::of(r) < next)));
        rest = later;
        if here.is_empty() {
            changed.push(zone.clone());
            continue;
        }
        let bytes = chunk_of(reader, group, zone)?;
        let gone = (key::history(group, HistoryRow::Chunk, zone.first), bytes.as_slice());
        changed.extend(put_chunks(batch, group, Some(gone), here)?);
    }
    put_rows(batch, group, Some(row.into_vec()), &changed, is_after);
    Ok(())
}

/// Writes a chunk with statements that are added, in order, or more chunks than one, and returns their zones. The row that it
/// stood in is given with its bytes.
fn put_chunks(
    batch: &mut Batch,
    group: GroupId,
    before: Option<(Vec<u8>, &[u8])>,
    additions: &[&Recorded],
) -> Result<Vec<Zone>, StoreError> {
    let (mut gone, chunk) = match before {
        Some((row, bytes)) => (Some(row), Some(Chunk::read(bytes)?)),
        None => (None, None),
    };
    let mut written = Vec::new();
    let together = chunk.as_ref().map(|chunk| chunk::with(chunk, additions)).transpose()?.flatten();
    if let Some(bytes) = together {
        written.push(bytes);
    } else {
        let mut statements = chunk.as_ref().map(Chunk::statements).transpose()?.unwrap_or_default();
        let last = statements.last().map(Place::of);
        let is_after = additions.first().is_none_or(|first| last < Some(Place::of(first)));
        statements.extend(additions.iter().map(|&recorded| recorded.clone()));
        statements.sort_by_key(Place::of);
        written.extend(pieces(&statements, CHUNK, is_after).map(|piece| chunk::encode(piece, &marks(piece))));
    }
    let mut zones = Vec::new();
    for bytes in written {
        let Some(zone) = Chunk::read(&bytes)?.zone()? else { continue };
        let row = key::history(group, HistoryRow::Chunk, zone.first);
        gone = gone.filter(|gone| *gone != row);
        batch.put(Table::History, row, bytes);
        zones.push(zone);
    }
    if let Some(gone) = gone {
        batch.remove(Table::History, gone);
    }
    Ok(zones)
}

/// Writes zones in rows instead of the row that is gone.
fn put_rows(batch: &mut Batch, group: GroupId, mut gone: Option<Vec<u8>>, zones: &[Zone], is_after: bool) {
    for piece in pieces(zones, ROW, is_after) {
        let row = key::history(group, HistoryRow::Zones, piece[0].first);
        gone = gone.filter(|gone| *gone != row);
        batch.put(Table::History, row, zone::encode(piece));
    }
    if let Some(gone) = gone {
        batch.remove(Table::History, gone);
    }
}

/// Cuts what is too much for one: what grows at its end is filled from the front, anything else is halved.
fn pieces<T>(whole: &[T], most: usize, grows_at_end: bool) -> impl Iterator<Item = &[T]> {
    let size = if grows_at_end { most } else { whole.len().div_ceil(whole.len().div_ceil(most).max(1)) };
    whole.chunks(size.max(1))
}

/// Makes a group's history consist of the statements given, writing only differences. They are brought into order.
pub(super) fn rewrite(
    reader: &dyn Reader,
    batch: &mut Batch,
    group: GroupId,
    statements: &mut [Recorded],
) -> Result<(), StoreError> {
    statements.sort_by_key(Place::of);
    let mut rows = BTreeMap::new();
    let mut zones = Vec::new();
    for piece in pieces(statements, CHUNK, true) {
        let bytes = chunk::encode(piece, &marks(piece));
        if let Some(zone) = Chunk::read(&bytes)?.zone()? {
            rows.insert(key::history(group, HistoryRow::Chunk, zone.first), bytes);
            zones.push(zone);
        }
    }
    if zones.len() > 1 {
        for piece in pieces(&zones, ROW, true) {
            rows.insert(key::history(group, HistoryRow::Zones, piece[0].first), zone::encode(piece));
        }
    }
    super::group::replace(reader, batch, Table::History, &group.to_key(), rows)
}

/// Compares the zones of a group with its chunks; returns what is wrong with them, in words.
pub(super) fn check(reader: &dyn Reader, group: GroupId) -> Result<Option<&'static str>, StoreError> {
    let mut zones = Vec::new();
    let mut last = None;
    for chunk in chunks(reader, group) {
        let chunk = chunk?;
        for place in chunk.iter().map(Place::of) {
            if last.is_some_and(|last| last >= place) {
                return Ok(Some("is out of order"));
            }
            last = Some(place);
        }
        if let Some(first) = chunk.first() {
            let known = chunk.iter().map(|recorded| recorded.assertion.known_at);
            zones.extend(Zone::of(Place::of(first), known, marks(&chunk).into_iter().flatten()));
        }
    }
    let told = match rows(reader, group)? {
        Rows::Alone(_) if zones.len() <= 1 => return Ok(None),
        Rows::Alone(_) => return Ok(Some("has chunks that no zone tells of")),
        Rows::Zoned(told) => told,
    };
    Ok((told != zones).then_some("is not as its zones tell"))
}
