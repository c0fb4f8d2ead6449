//! The log as an index follows it: what was recorded after some commit, in batches that each end with a commit.
//!
//! Does not know what an index makes of it. Invariant: what was erased since is not handed out, and an index that stands
//! before an erasure has to be made anew: [`stands`] says so.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::{Reader, Table};
use crate::codec::decode;
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId};
use crate::key::{self, GroupId, SpaceId};
use crate::record::{Change, LogEntry, Recorded, RecordedEpisode};
use crate::store::group;
use crate::time::Instant;

/// Bytes of text after which a batch is long enough, where nothing else is said.
const BATCH_BYTES: usize = 4 << 20;

/// How far a log was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The last commit that was followed; 0 for none.
    pub(crate) seq: u64,
    /// The stamp of that commit: a log that has another one there is another store's.
    pub(crate) stamp: i64,
}

impl Mark {
    /// Where what follows nothing stands.
    pub(crate) const START: Mark = Mark { seq: 0, stamp: 0 };
}

/// Something that was recorded.
pub(crate) enum Heard {
    /// A turn.
    Turn(Box<RecordedEpisode>),
    /// A statement.
    Statement(Box<Recorded>),
}

/// What a batch holds: things recorded in a space, in the order of the log.
pub(crate) type Batch = Vec<(SpaceId, Heard)>;

/// Says whether the log has a commit after the one given.
pub(crate) fn goes_on(reader: &dyn Reader, seq: u64) -> Result<bool, StoreError> {
    Ok(reader.read(Table::Log, &key::log(seq + 1))?.is_some())
}

/// Says whether an index that stands at the mark, and in memory at `followed`, is one of this log and still to be used.
pub(crate) fn stands(reader: &dyn Reader, mark: Mark, followed: u64) -> Result<bool, StoreError> {
    if followed == 0 {
        return Ok(true);
    }
    if mark.seq > 0 && entry(reader, mark.seq)?.is_none_or(|entry| entry.at.micros() != mark.stamp) {
        return Ok(false);
    }
    if entry(reader, followed)?.is_none() {
        return Ok(false);
    }
    for next in entries_after(reader, followed) {
        if let Change::Erased { .. } = next?.1.change {
            return Ok(false);
        }
    }
    Ok(true)
}

fn entry(reader: &dyn Reader, seq: u64) -> Result<Option<LogEntry>, StoreError> {
    reader.read(Table::Log, &key::log(seq))?.map(|bytes| decode("a log entry", &bytes)).transpose()
}

type Entries<'a> = Box<dyn Iterator<Item = Result<(u64, LogEntry), StoreError>> + 'a>;

fn entries_after(reader: &dyn Reader, seq: u64) -> Entries<'_> {
    let from = key::log(seq + 1);
    let rows = reader.scan(Table::Log, std::ops::Bound::Included(&from), std::ops::Bound::Unbounded);
    Box::new(rows.map(|pair| {
        let (row, value) = pair?;
        let row: Result<[u8; 8], _> = (*row).try_into();
        let seq = row.map_err(|_| StoreError::corrupt("a log entry's key is not eight bytes"))?;
        Ok((u64::from_be_bytes(seq), decode("a log entry", &value)?))
    }))
}

/// The log from some commit on, as batches, each with the mark it brings an index to.
pub(crate) struct Log<'a> {
    reader: &'a dyn Reader,
    entries: Entries<'a>,
    batch_bytes: usize,
}

impl<'a> Log<'a> {
    /// Starts after a commit.
    pub(crate) fn after(reader: &'a dyn Reader, seq: u64) -> Log<'a> {
        Log { reader, entries: entries_after(reader, seq), batch_bytes: BATCH_BYTES }
    }

    /// Ends a batch with the commit that brings it to so many bytes of text.
    pub(crate) fn in_batches_of(self, bytes: usize) -> Log<'a> {
        Log { batch_bytes: bytes, ..self }
    }

    /// Counts what was recorded after a commit, up to `most`.
    pub(crate) fn n_recorded_after(reader: &dyn Reader, seq: u64, most: usize) -> Result<usize, StoreError> {
        let mut n_recorded = 0;
        for next in entries_after(reader, seq) {
            if let Change::Recorded { episodes, assertions, .. } = next?.1.change {
                n_recorded += episodes.len() + assertions.len();
            }
            if n_recorded >= most {
                return Ok(most);
            }
        }
        Ok(n_recorded)
    }

    fn batch(&mut self) -> Result<Option<(Batch, Mark)>, StoreError> {
        let mut mark = None;
        let mut batch = Batch::new();
        let mut n_bytes = 0;
        while n_bytes < self.batch_bytes {
            let Some(next) = self.entries.next() else { break };
            let (seq, entry) = next?;
            let stamp = entry.at.micros();
            if let Change::Recorded { episodes, assertions, .. } = entry.change {
                n_bytes += self.turns(entry.space, &episodes, &mut batch)?;
                self.statements(entry.space, &assertions, &mut batch)?;
            }
            mark = Some(Mark { seq, stamp });
        }
        Ok(mark.map(|mark| (batch, mark)))
    }

    fn turns(&self, space: SpaceId, ids: &[EpisodeId], batch: &mut Batch) -> Result<usize, StoreError> {
        let mut n_bytes = 0;
        for &id in ids {
            if let Some(bytes) = self.reader.read(Table::Episodes, &key::episode(space, id))? {
                n_bytes += bytes.len();
                batch.push((space, Heard::Turn(Box::new(decode("an episode", &bytes)?))));
            }
        }
        Ok(n_bytes)
    }

    /// Each chunk of history is read once, however many of its statements were recorded together.
    fn statements(&self, space: SpaceId, ids: &[AssertionId], batch: &mut Batch) -> Result<(), StoreError> {
        let mut groups: BTreeMap<GroupId, BTreeSet<(Instant, AssertionId)>> = BTreeMap::new();
        for &id in ids {
            if let Some(place) = self.reader.read(Table::Assertions, &key::assertion(space, id))? {
                let (group, known_at) = group::place_from(&place)?;
                groups.entry(group).or_default().insert((known_at, id));
            }
        }
        for (group, wanted) in groups {
            let statements = group::find_all(self.reader, group, wanted)?.into_iter();
            batch.extend(statements.map(|recorded| (space, Heard::Statement(Box::new(recorded)))));
        }
        Ok(())
    }
}

impl Iterator for Log<'_> {
    type Item = Result<(Batch, Mark), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}
