//! The log as an index follows it: what was recorded after some commit, in batches that each end with a commit.
//!
//! Does not know what an index makes of it. Invariant: what was erased since is not handed out, and an index that stands
//! before an erasure has to be made anew: [`leads_to`] and [`is_erased_after`] say so.

use crate::backend::{Reader, Table};
use crate::codec::decode;
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId, hash_parts};
use crate::key::{self, SpaceId};
use crate::record::{Change, LogEntry, Recorded, RecordedEpisode};
use crate::store::{history, turn};

/// Bytes of text after which a batch is long enough, where nothing else is said.
const BATCH_BYTES: usize = 4 << 20;

/// How far a log was followed, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The last commit that was followed; 0 for none.
    pub(crate) seq: u64,
    /// Of the entries up to that commit, each in its place: a log that has another one there is another store's, or was
    /// taken back to an earlier state and told something else since.
    pub(crate) digest: u128,
}

impl Mark {
    /// Where what follows nothing stands.
    pub(crate) const START: Mark = Mark { seq: 0, digest: 0 };

    /// Returns the mark after the next entry, given as its bytes.
    fn after(self, entry: &[u8]) -> Mark {
        let digest = hash_parts("log", [self.digest.to_le_bytes().as_slice(), entry]);
        Mark { seq: self.seq + 1, digest: u128::from_le_bytes(digest) }
    }
}

/// Something that was recorded.
pub(crate) enum Heard {
    /// A turn, unless it is nothing but a statement.
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

/// Says whether an index that was opened at a mark is one of this log, and may be followed from there: nothing of what is
/// in it was erased. Reads the whole log, whose entries are small.
pub(crate) fn leads_to(reader: &dyn Reader, mark: Mark) -> Result<bool, StoreError> {
    if mark == Mark::START {
        return Ok(true);
    }
    let mut reached = Mark::START;
    for next in entries_after(reader, 0) {
        if reached.seq == mark.seq {
            break;
        }
        let (seq, bytes) = next?;
        reached = reached.after(&bytes);
        if seq != reached.seq {
            return Ok(false);
        }
    }
    Ok(reached == mark && !is_erased_after(reader, mark.seq)?)
}

/// Says whether something was erased after a commit.
pub(crate) fn is_erased_after(reader: &dyn Reader, seq: u64) -> Result<bool, StoreError> {
    for next in entries_after(reader, seq) {
        if let Change::Erased { .. } = decoded(&next?.1)?.change {
            return Ok(true);
        }
    }
    Ok(false)
}

fn decoded(bytes: &[u8]) -> Result<LogEntry, StoreError> {
    decode("a log entry", bytes)
}

type Entries<'a> = Box<dyn Iterator<Item = Result<(u64, Box<[u8]>), StoreError>> + 'a>;

fn entries_after(reader: &dyn Reader, seq: u64) -> Entries<'_> {
    let from = key::log(seq + 1);
    let rows = reader.scan(Table::Log, std::ops::Bound::Included(&from), std::ops::Bound::Unbounded);
    Box::new(rows.map(|pair| {
        let (row, value) = pair?;
        let row: Result<[u8; 8], _> = (*row).try_into();
        let seq = row.map_err(|_| StoreError::corrupt("a log entry's key is not eight bytes"))?;
        Ok((u64::from_be_bytes(seq), value))
    }))
}

/// The log from some commit on, as batches, each with the mark it brings an index to.
pub(crate) struct Log<'a> {
    reader: &'a dyn Reader,
    entries: Entries<'a>,
    batch_bytes: usize,
    mark: Mark,
}

impl<'a> Log<'a> {
    /// Starts after a mark of this log.
    pub(crate) fn after(reader: &'a dyn Reader, mark: Mark) -> Log<'a> {
        Log { reader, entries: entries_after(reader, mark.seq), batch_bytes: BATCH_BYTES, mark }
    }

    /// Ends a batch with the commit that brings it to so many bytes of text.
    pub(crate) fn in_batches_of(self, bytes: usize) -> Log<'a> {
        Log { batch_bytes: bytes, ..self }
    }

    /// Counts what was recorded after a commit, up to `most`.
    pub(crate) fn n_recorded_after(reader: &dyn Reader, seq: u64, most: usize) -> Result<usize, StoreError> {
        let mut n_recorded = 0;
        for next in entries_after(reader, seq) {
            if let Change::Recorded { episodes, assertions, .. } = decoded(&next?.1)?.change {
                n_recorded += episodes.len() + assertions.len();
            }
            if n_recorded >= most {
                return Ok(most);
            }
        }
        Ok(n_recorded)
    }

    fn batch(&mut self) -> Result<Option<(Batch, Mark)>, StoreError> {
        let before = self.mark;
        let mut batch = Batch::new();
        let mut n_bytes = 0;
        while n_bytes < self.batch_bytes {
            let Some(next) = self.entries.next() else { break };
            let (_, bytes) = next?;
            let entry = decoded(&bytes)?;
            if let Change::Recorded { episodes, mut assertions, .. } = entry.change {
                n_bytes += self.turns(entry.space, &episodes, &mut assertions, &mut batch)?;
                self.statements(entry.space, &assertions, &mut batch)?;
            }
            self.mark = self.mark.after(&bytes);
        }
        Ok((self.mark != before).then_some((batch, self.mark)))
    }

    /// Reads turns, and lists the statements that are the whole of theirs instead.
    fn turns(
        &self,
        space: SpaceId,
        ids: &[EpisodeId],
        assertions: &mut Vec<AssertionId>,
        batch: &mut Batch,
    ) -> Result<usize, StoreError> {
        let mut n_bytes = 0;
        for &id in ids {
            if let Some(bytes) = self.reader.read(Table::Episodes, &key::episode(space, id))? {
                n_bytes += bytes.len();
                let turn: RecordedEpisode = decode("an episode", &bytes)?;
                batch.push((space, Heard::Turn(Box::new(turn))));
            } else if turn::is_statement(self.reader, space, id)? {
                assertions.push(AssertionId(id.0));
            }
        }
        Ok(n_bytes)
    }

    /// Each chunk of history is read once, however many of its statements were recorded together.
    fn statements(&self, space: SpaceId, ids: &[AssertionId], batch: &mut Batch) -> Result<(), StoreError> {
        let found = history::find_by_id(self.reader, space, ids)?.into_iter();
        batch.extend(found.map(|recorded| (space, Heard::Statement(Box::new(recorded)))));
        Ok(())
    }
}

impl Iterator for Log<'_> {
    type Item = Result<(Batch, Mark), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Backend, Batch, Memory};
    use crate::codec::encode;
    use crate::time::Instant;

    /// Storage whose log has an entry for each of some stamps, and the mark of its end.
    fn log(stamps: &[i64]) -> (Memory, Mark) {
        let (memory, mut mark, mut batch) = (Memory::new(), Mark::START, Batch::default());
        for stamp in stamps {
            let at = Instant::from_micros(*stamp).unwrap();
            let entry = encode(&LogEntry { space: SpaceId::NONE, at, change: Change::Declared });
            mark = mark.after(&entry);
            batch.put(Table::Log, key::log(mark.seq), entry);
        }
        memory.commit(&batch).unwrap();
        (memory, mark)
    }

    #[test]
    fn only_a_mark_of_this_log_leads_on() {
        let (memory, end) = log(&[1, 2, 3]);
        let leads = |mark| leads_to(&*memory.snapshot(), mark).unwrap();
        assert!(leads(Mark::START) && leads(end) && leads(log(&[1, 2]).1));
        // Ahead of it, of another one, and of one that was taken back and told something else since.
        for other in [&[1, 2, 3, 4][..], &[4, 5, 6], &[1, 2, 4], &[2]] {
            assert!(!leads(log(other).1), "{other:?}");
        }
    }
}
