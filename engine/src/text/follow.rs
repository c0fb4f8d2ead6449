//! What the log says that the index has not heard yet, as documents.

use std::collections::{BTreeMap, BTreeSet};

use super::disk::Mark;
use super::document::{Document, of_statement, of_turn};
use super::words::{Analyzer, WordReader};
use crate::backend::{Reader, Table};
use crate::codec::decode;
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId};
use crate::key::{self, GroupId, SpaceId};
use crate::record::{Change, LogEntry, RecordedEpisode};
use crate::store::group;

/// Words after which a batch is long enough to be written by itself.
const BATCH_WORDS: usize = 1_000_000;

/// Says whether an index that stands at the mark, and in memory at `followed`, is one of this log and still to be used.
pub(super) fn stands(reader: &dyn Reader, mark: Mark, followed: u64) -> Result<bool, StoreError> {
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

/// The log from some commit on, as batches of documents, each with the mark it brings the index to.
pub(super) struct Log<'a> {
    reader: &'a dyn Reader,
    entries: Entries<'a>,
    words: WordReader,
}

impl<'a> Log<'a> {
    /// Starts after a commit, and makes words by an analyzer.
    pub(super) fn after(reader: &'a dyn Reader, seq: u64, analyzer: Analyzer) -> Log<'a> {
        Log { reader, entries: entries_after(reader, seq), words: analyzer.reader() }
    }

    /// Counts what was recorded after a commit, up to `most`.
    pub(super) fn n_recorded_after(reader: &dyn Reader, seq: u64, most: usize) -> Result<usize, StoreError> {
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

    fn batch(&mut self) -> Result<Option<(Vec<Document>, Mark)>, StoreError> {
        let mut batch = None;
        let mut documents = Vec::new();
        let mut n_words = 0;
        while n_words < BATCH_WORDS {
            let Some(next) = self.entries.next() else { break };
            let (seq, entry) = next?;
            let stamp = entry.at.micros();
            if let Change::Recorded { episodes, assertions, .. } = entry.change {
                let made = self.documents(entry.space, &episodes, &assertions)?;
                n_words += made.iter().map(|document| document.words.len()).sum::<usize>();
                documents.extend(made);
            }
            batch = Some(Mark { seq, stamp });
        }
        Ok(batch.map(|mark| (documents, mark)))
    }

    fn documents(
        &mut self,
        space: SpaceId,
        episodes: &[EpisodeId],
        assertions: &[AssertionId],
    ) -> Result<Vec<Document>, StoreError> {
        let mut documents = Vec::new();
        for &id in episodes {
            if let Some(bytes) = self.reader.read(Table::Episodes, &key::episode(space, id))? {
                let record: RecordedEpisode = decode("an episode", &bytes)?;
                documents.extend(of_turn(space, &record, &mut self.words));
            }
        }
        // Each group is read once, however many of its statements were recorded together.
        let mut groups: BTreeMap<GroupId, BTreeSet<AssertionId>> = BTreeMap::new();
        for &id in assertions {
            if let Some(row) = self.reader.read(Table::Assertions, &key::assertion(space, id))? {
                groups.entry(group::from_key(&row)?).or_default().insert(id);
            }
        }
        for (group, ids) in groups {
            let statements = group::load(self.reader, group)?;
            let new = statements.iter().filter(|recorded| ids.contains(&recorded.assertion.id));
            documents.extend(new.filter_map(|recorded| of_statement(space, recorded, &mut self.words)));
        }
        Ok(documents)
    }
}

impl Iterator for Log<'_> {
    type Item = Result<(Vec<Document>, Mark), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}
