//! Checking a space against the store's invariants.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Space, Store, group, history, meta, turn};
use crate::assertion::Assertion;
use crate::backend::{Reader, Table};
use crate::checkpoint;
use crate::codec::decode;
use crate::document;
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId};
use crate::key::{self, GroupId};
use crate::record::{LogEntry, Recorded, RecordedEpisode};
use crate::time::Period;
use crate::work;

/// What helps where an index is not as it must be.
const MADE_ANEW: &str = "`bygone reindex` makes it anew";

/// What a check of a space found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// The version of the stored format.
    pub format: u32,
    /// Commits in the log.
    pub commits: u64,
    /// Turns read.
    pub episodes: u64,
    /// Statements read.
    pub assertions: u64,
    /// Groups derived again and compared.
    pub groups: u64,
    /// Items of work-sets read.
    pub work_items: u64,
    /// Checkpoints whose pieces were read.
    pub checkpoints: u64,
    /// Versions of documents read.
    pub document_versions: u64,
    /// The indexes of which files were there that could not be used, so that they were made anew first.
    pub made_anew: Vec<String>,
    /// The indexes that could not be checked.
    pub unchecked: Vec<String>,
    /// What is not as it must be; empty for a sound space.
    pub faults: Vec<String>,
}

impl Store {
    /// Proves that the indexes hold what the log makes, word by word and vector by vector, and nothing else; they catch up
    /// with it first, and one whose files are not what was written is made anew. What came of it is added to what was
    /// found.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read; [`StoreError::Embed`], [`StoreError::OtherModel`] and
    /// [`StoreError::OtherDimension`] where the model cannot be asked or is another one, and what was found says what is
    /// unchecked. An index that cannot be read is a fault.
    pub fn verify_indexes(&self, found: &mut Verification) -> Result<(), StoreError> {
        let mut checked = Ok(());
        // What was made anew before is no news of this check.
        self.text().take_made_anew();
        self.meaning().take_made_anew();
        let text = self.ask_text(|text, reader| text.equals_log(reader));
        let vectors = self.ask_meaning(|meaning, reader| meaning.equals_log(reader));
        let (text_anew, vectors_anew) = (self.text().take_made_anew(), self.meaning().take_made_anew());
        for (name, equal, was_made_anew) in
            [("full-text index", text, text_anew), ("vectors", vectors, vectors_anew)]
        {
            match equal {
                Ok(is_equal) => {
                    if was_made_anew {
                        found.made_anew.push(name.to_owned());
                    }
                    if !is_equal {
                        found.faults.push(format!("{name}: not what the store makes; {MADE_ANEW}"));
                    }
                }
                Err(error @ StoreError::Storage(_)) => {
                    found.faults.push(format!("{name}: {error}; {MADE_ANEW}"));
                }
                Err(error) => {
                    found.unchecked.push(name.to_owned());
                    checked = Err(error);
                }
            }
        }
        checked
    }
}

impl Space<'_> {
    /// Checks the tables: each record decodes, the log has no gaps, statements, turns and the rows that point at them
    /// agree, and the current facts equal the derivation of the statements.
    pub fn verify(&self) -> Result<Verification, StoreError> {
        let snapshot = self.snapshot();
        let reader = &*snapshot.reader;
        let mut found = Verification { format: meta::FORMAT_VERSION, ..Verification::default() };
        // Damage in any table is met by reading it, whatever the tables say of each other.
        for &table in Table::ALL {
            let unbounded = std::ops::Bound::Unbounded;
            for pair in reader.scan(table, unbounded, unbounded) {
                pair?;
            }
        }
        check_log(reader, &mut found)?;
        let episodes = self.check_episodes(reader, &mut found)?;
        let statements = self.check_history(reader, &mut found, &episodes)?;
        self.check_pointers(reader, &mut found, &statements)?;
        found.work_items = work::check(reader, self.id, meta::counters(reader)?.seq, &mut found.faults)?;
        found.checkpoints = checkpoint::check(reader, self.id, &mut found.faults)?;
        found.document_versions = document::check(reader, self.id, &mut found.faults)?;
        Ok(found)
    }

    fn check_episodes(
        &self,
        reader: &dyn Reader,
        found: &mut Verification,
    ) -> Result<BTreeSet<Vec<u8>>, StoreError> {
        let mut ids = BTreeSet::new();
        for pair in reader.scan_prefix(Table::Episodes, &key::space_prefix(self.id)) {
            let (row, value) = pair?;
            match decode::<RecordedEpisode>("an episode", &value) {
                Ok(record) if row.ends_with(&record.episode.id.0) => {}
                Ok(record) => {
                    found.faults.push(format!("episode {} is kept under another id", record.episode.id));
                }
                Err(error) => found.faults.push(error.to_string()),
            }
            found.episodes += 1;
            ids.insert(row[4..].to_vec());
        }
        for pair in reader.scan_prefix(Table::Assertions, &key::space_prefix(self.id)) {
            let (row, value) = pair?;
            if let Some(words) = key::words_from(&value) {
                if std::str::from_utf8(words).is_err() {
                    found.faults.push("the words of a statement are no text".to_owned());
                }
                found.episodes += 1;
                if !ids.insert(row[4..].to_vec()) {
                    found.faults.push("a turn is kept twice".to_owned());
                }
            }
        }
        Ok(ids)
    }

    fn check_history(
        &self,
        reader: &dyn Reader,
        found: &mut Verification,
        episodes: &BTreeSet<Vec<u8>>,
    ) -> Result<BTreeMap<AssertionId, Vec<u8>>, StoreError> {
        let mut groups: BTreeMap<GroupId, Vec<Recorded>> = BTreeMap::new();
        for chunk in history::all_chunks(reader, self.id) {
            match chunk {
                Ok((id, chunk)) => groups.entry(id).or_default().extend(chunk),
                Err(error) => found.faults.push(error.to_string()),
            }
        }
        let mut statements = BTreeMap::new();
        for (&id, recorded) in &groups {
            found.groups += 1;
            found.assertions += recorded.len() as u64;
            match history::check(reader, id) {
                Ok(None) => {}
                Ok(Some(fault)) => found.faults.push(format!("history of {} {fault}", describe(recorded))),
                Err(error) => found.faults.push(error.to_string()),
            }
            for Recorded { assertion, .. } in recorded {
                if statements
                    .insert(assertion.id, key::place(id, assertion.validity.period().map(Period::start)))
                    .is_some()
                {
                    found.faults.push(format!("assertion {} is kept twice", assertion.id));
                }
                if !episodes.contains(assertion.source.episode.0.as_slice()) {
                    found.faults.push(format!("assertion {} has no episode", assertion.id));
                }
            }
            let first = &recorded[0].assertion;
            let counted: Vec<&Assertion> =
                recorded.iter().map(|r| &r.assertion).filter(|a| a.counts()).collect();
            let derived = self.store.meanings().latest().derive(&first.predicate, &counted);
            let mut current = group::current(reader, id)?;
            let mut expected = derived;
            for facts in [&mut current, &mut expected] {
                facts.sort_by_cached_key(|fact| (fact.validity, fact.object.key()));
            }
            if current != expected {
                found
                    .faults
                    .push(format!("current facts of {} differ from their derivation", describe(recorded)));
            }
        }
        for pair in reader.scan_prefix(Table::Current, &key::space_prefix(self.id)) {
            let id = group::from_key(&pair?.0)?;
            if !groups.contains_key(&id) {
                found.faults.push("current facts are kept of a group without statements".to_owned());
            }
        }
        Ok(statements)
    }

    fn check_pointers(
        &self,
        reader: &dyn Reader,
        found: &mut Verification,
        statements: &BTreeMap<AssertionId, Vec<u8>>,
    ) -> Result<(), StoreError> {
        let mut pointed = 0;
        for pair in reader.scan_prefix(Table::Assertions, &key::space_prefix(self.id)) {
            let (row, value) = pair?;
            let id = row[4..].try_into().map(AssertionId);
            let id = id.map_err(|_| StoreError::corrupt("an assertion's key has the wrong length"))?;
            pointed += 1;
            let is_there = statements.get(&id).is_some_and(|place| value.starts_with(place));
            if !is_there || key::place_from(&value).is_none() {
                found.faults.push(format!("assertion {id} is not where it is listed"));
            }
        }
        if pointed != statements.len() {
            found.faults.push(format!("{} assertions are listed, {} are kept", pointed, statements.len()));
        }
        let prefix = key::space_prefix(self.id);
        for pair in reader.scan_prefix(Table::Statements, &prefix) {
            let (row, _) = pair?;
            let id = row.get(20..).and_then(|id| id.try_into().ok()).map(AssertionId);
            if id.is_none_or(|id| !statements.contains_key(&id)) {
                found.faults.push("an episode lists an assertion that is not kept".to_owned());
            }
        }
        for pair in reader.scan_prefix(Table::Objects, &prefix) {
            let (row, _) = pair?;
            if reader.read(Table::Groups, &row[20..])?.is_none() {
                found.faults.push("an entity is listed in a group that is not kept".to_owned());
            }
        }
        for pair in reader.scan_prefix(Table::Participants, &prefix) {
            let (row, _) = pair?;
            let kept = match row.split_last_chunk() {
                Some((_, id)) => turn::exists(reader, self.id, EpisodeId(*id))?,
                None => false,
            };
            if !kept {
                found.faults.push("somebody is listed in an episode that is not kept".to_owned());
            }
        }
        for pair in reader.scan_prefix(Table::Entities, &prefix) {
            let (row, _) = pair?;
            let mut mentions =
                reader.scan_prefix(Table::Groups, &row).chain(reader.scan_prefix(Table::Objects, &row));
            if mentions.next().transpose()?.is_none() {
                found.faults.push("an entity is kept that nothing mentions".to_owned());
            }
        }
        for pair in reader.scan_prefix(Table::Names, &prefix) {
            let (row, _) = pair?;
            let entity = key::name_from_key(&row).map(|(_, id)| key::entity(self.id, id));
            let known = match entity {
                Some(entity) => reader.read(Table::Entities, &entity)?.is_some(),
                None => false,
            };
            if !known {
                found.faults.push("a name belongs to an entity that is not kept".to_owned());
            }
        }
        Ok(())
    }
}

/// The log belongs to the whole store; every space's check includes it.
fn check_log(reader: &dyn Reader, found: &mut Verification) -> Result<(), StoreError> {
    let counters = meta::counters(reader)?;
    let mut before = None;
    let unbounded = std::ops::Bound::Unbounded;
    for pair in reader.scan(Table::Log, unbounded, unbounded) {
        let (row, value) = pair?;
        found.commits += 1;
        if *row != *key::log(found.commits) {
            found.faults.push(format!("log has a gap before entry {}", found.commits));
            return Ok(());
        }
        let entry: LogEntry = decode("a log entry", &value)?;
        if before.is_some_and(|before| entry.at <= before) {
            found.faults.push(format!("log entry {} is not stamped after the one before", found.commits));
        }
        before = Some(entry.at);
    }
    if found.commits != counters.seq {
        found.faults.push(format!("log has {} entries, {} were counted", found.commits, counters.seq));
    }
    Ok(())
}

fn describe(group: &[Recorded]) -> String {
    let Assertion { subject, predicate, key, .. } = &group[0].assertion;
    format!("{subject} {predicate} {key:?}")
}
