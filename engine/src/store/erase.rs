//! Erasing a source: every trace of it and of what was concluded from it, in all views, physically.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use serde::Serialize;

use super::commit::alias;
use super::{Space, group, history, meta, turn};
use crate::backend::{Batch, Reader, Table, Write};
use crate::codec::{decode, encode};
use crate::document::DocumentSet;
use crate::entity::{EntityRef, fold_name};
use crate::episode::Role;
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId};
use crate::identity::SAME_AS;
use crate::key::{self, GroupId, Part};
use crate::object::Object;
use crate::origin::Origin;
use crate::record::{Change, LogEntry, Quarantined, Recorded, RecordedEpisode};
use crate::time::Instant;
use crate::{checkpoint, document, work};

/// The shortest text that is searched for after an erasure: shorter ones stand by chance in other records.
const NEEDLE_BYTES: usize = 12;
/// The most texts of work-sets, pieces of checkpoints, and versions of documents, that are searched for: of more, some.
const MOST_BESIDE: usize = 10_000;
/// The longest piece of a text that is searched for.
const WINDOW_BYTES: usize = 64;

/// What is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One turn.
    Episode(EpisodeId),
    /// Every turn of a session.
    Session(String),
    /// Every turn of a user.
    User(String),
    /// Documents, with all their versions.
    Documents(Vec<DocumentSet>),
}

/// What an erasure did, and the proof that it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certificate {
    /// The commit that erased it; `None` where there was nothing to erase.
    pub seq: Option<u64>,
    /// When that was.
    pub at: Option<String>,
    /// Turns removed.
    pub episodes: u64,
    /// Statements removed, conclusions from them included.
    pub assertions: u64,
    /// Entities removed because nothing else mentions them.
    pub entities: u64,
    /// Unreadable records removed that may have been part of it.
    pub quarantined: u64,
    /// What was said of items of work-sets, removed.
    pub work_events: u64,
    /// Checkpoints removed, with what they alone reached.
    pub checkpoints: u64,
    /// Documents removed, with all their versions.
    pub documents: u64,
    /// Pieces of the erased text that were searched for afterwards.
    pub needles: u64,
    /// Files of the store read from end to end in that search.
    pub files_searched: u64,
    /// Bytes read in them.
    pub bytes_searched: u64,
    /// Records read, decompressed, in that search.
    pub records_searched: u64,
    /// Records of other sources that hold one of the pieces too: the same words, said elsewhere.
    pub said_elsewhere: u64,
    /// Files that still hold one of the pieces without a live record that does; empty when the bytes are gone.
    pub found: Vec<String>,
}

/// What goes.
#[derive(Default)]
struct Erasure {
    episodes: BTreeMap<EpisodeId, RecordedEpisode>,
    assertions: BTreeMap<AssertionId, (GroupId, Recorded)>,
    quarantined: Vec<(Vec<u8>, Quarantined)>,
    work: work::Without,
    checkpoints: checkpoint::Without,
    documents: document::Without,
}

impl Erasure {
    fn is_empty(&self) -> bool {
        let Erasure { episodes, assertions, quarantined, work, checkpoints, documents } = self;
        episodes.is_empty()
            && assertions.is_empty()
            && quarantined.is_empty()
            && work.writes.is_empty()
            && checkpoints.writes.is_empty()
            && documents.writes.is_empty()
    }
}

impl Space<'_> {
    /// Erases a source and everything concluded from it, then searches the store for the erased bytes.
    ///
    /// What the source had closed reopens: the store is as if it had never been read, save for a tombstone in the log
    /// that says how much went. Compacts the whole store, which takes time proportional to its size.
    pub fn erase(&self, target: &Target, now: Instant) -> Result<Certificate, StoreError> {
        let writing = self.store.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let image = self.store.backend.snapshot();
        let mut erasure = self.collect(&*image, target)?;
        let mut certificate = Certificate {
            seq: None,
            at: None,
            episodes: erasure.episodes.len() as u64,
            assertions: erasure.assertions.len() as u64,
            entities: 0,
            quarantined: erasure.quarantined.len() as u64,
            work_events: erasure.work.n_events,
            checkpoints: erasure.checkpoints.n_checkpoints,
            documents: erasure.documents.n_documents,
            needles: 0,
            files_searched: 0,
            bytes_searched: 0,
            records_searched: 0,
            said_elsewhere: 0,
            found: Vec::new(),
        };
        if erasure.is_empty() {
            return Ok(certificate);
        }
        let mut counters = meta::counters(&*image)?;
        let expected =
            Write { table: Table::Meta, key: b"counters".to_vec(), value: Some(encode(&counters)) };
        counters.advance(now)?;
        let mut batch = Batch::default();
        batch.expected.push(expected);
        self.remove_statements(&*image, &mut batch, &erasure)?;
        self.remove_episodes(&*image, &mut batch, &erasure)?;
        for (row, _) in &erasure.quarantined {
            batch.remove(Table::Quarantine, row.clone());
        }
        // What operations came to may repeat what they wrote, whoever sent them.
        for pair in image.scan_prefix(Table::Operations, &key::space_prefix(self.id)) {
            batch.remove(Table::Operations, pair?.0.into_vec());
        }
        batch.writes.append(&mut erasure.work.writes);
        batch.writes.append(&mut erasure.checkpoints.writes);
        batch.writes.append(&mut erasure.documents.writes);
        let orphans = self.remove_orphans(&*image, &mut batch, &erasure)?;
        strip_log(&*image, &mut batch, &erasure)?;
        let change = Change::Erased { episodes: certificate.episodes, assertions: certificate.assertions };
        let entry = LogEntry { space: self.id, at: counters.at, change };
        batch.put(Table::Log, key::log(counters.seq), encode(&entry));
        meta::put_counters(&mut batch, &counters);
        meta::put_purge(&mut batch, true);
        drop(image);
        self.store.backend.commit(&batch)?;
        self.store.purge()?;
        drop(writing);
        certificate.seq = Some(counters.seq);
        certificate.at = Some(counters.at.to_rfc3339());
        certificate.entities = orphans.len() as u64;
        self.search(&needles(&erasure, &orphans), &mut certificate)?;
        Ok(certificate)
    }

    /// Collects the turns of the target, what they say, and what was concluded from that.
    fn collect(&self, image: &dyn Reader, target: &Target) -> Result<Erasure, StoreError> {
        let mut erasure = Erasure::default();
        let mut pending: Vec<EpisodeId> = match target {
            Target::Episode(id) => vec![*id],
            Target::Session(session) => {
                let prefix = key::session_prefix(self.id, session);
                image
                    .scan_prefix(Table::Sessions, &prefix)
                    .map(|pair| episode_at_end(&pair?.0))
                    .collect::<Result<_, _>>()?
            }
            Target::User(user) => {
                let prefix = key::participant_prefix(self.id, Part::User, user);
                image
                    .scan_prefix(Table::Participants, &prefix)
                    .map(|pair| episode_at_end(&pair?.0))
                    .collect::<Result<_, _>>()?
            }
            Target::Documents(sets) => {
                erasure.documents = document::rows_without(image, self.id, sets)?;
                return Ok(erasure);
            }
        };
        while let Some(id) = pending.pop() {
            if erasure.episodes.contains_key(&id) {
                continue;
            }
            let Some(turn) = turn::read(image, self.id, id)? else { continue };
            erasure.episodes.insert(id, turn);
            if turn::is_statement(image, self.id, id)? {
                self.collect_assertion(image, &mut erasure, &mut pending, &id.0)?;
            }
            let row = key::episode(self.id, id);
            for pair in image.scan_prefix(Table::Statements, &row) {
                let (statement, _) = pair?;
                self.collect_assertion(image, &mut erasure, &mut pending, &statement[row.len()..])?;
            }
        }
        let is_targets = |origin: &Origin| match target {
            Target::Session(session) => origin.session == *session,
            Target::User(user) => origin.user.as_ref() == Some(user),
            Target::Episode(_) | Target::Documents(_) => false,
        };
        erasure.work = work::rows_without(image, self.id, is_targets)?;
        let assertions = &erasure.assertions;
        erasure.checkpoints = checkpoint::rows_without(image, self.id, None, |_, record| {
            is_targets(&record.origin) || assertions.contains_key(&record.statement)
        })?;
        // A session may have nothing but what could not be read.
        let named = match target {
            Target::Session(session) => Some(session),
            Target::Episode(_) | Target::User(_) | Target::Documents(_) => None,
        };
        let sessions: BTreeSet<&String> =
            erasure.episodes.values().map(|record| &record.episode.session).chain(named).collect();
        for pair in image.scan_prefix(Table::Quarantine, &key::space_prefix(self.id)) {
            let (row, value) = pair?;
            let record: Quarantined = decode("a quarantined record", &value)?;
            if record.sessions.iter().any(|session| sessions.contains(session)) {
                erasure.quarantined.push((row.into_vec(), record));
            }
        }
        Ok(erasure)
    }

    fn collect_assertion(
        &self,
        image: &dyn Reader,
        erasure: &mut Erasure,
        episodes: &mut Vec<EpisodeId>,
        id: &[u8],
    ) -> Result<(), StoreError> {
        let corrupt = || StoreError::corrupt("a statement's key is too short");
        let mut pending = vec![AssertionId(id.try_into().map_err(|_| corrupt())?)];
        while let Some(id) = pending.pop() {
            if erasure.assertions.contains_key(&id) {
                continue;
            }
            let Some(place) = image.read(Table::Assertions, &key::assertion(self.id, id))? else { continue };
            let (group, _) = history::place_from(&place)?;
            let recorded = history::find(image, &place, id)?;
            // A statement that came as data is the whole of its episode.
            let episode = recorded.assertion.source.episode;
            if turn::read(image, self.id, episode)?.is_some_and(|turn| turn.episode.role == Role::Statement) {
                episodes.push(episode);
            }
            erasure.assertions.insert(id, (group, recorded));
            for pair in image.scan_prefix(Table::Premises, &key::premise_prefix(self.id, id)) {
                let (row, _) = pair?;
                let conclusion = row.get(20..).and_then(|id| id.try_into().ok()).map(AssertionId);
                let conclusion = conclusion.ok_or_else(corrupt)?;
                pending.push(conclusion);
            }
        }
        Ok(())
    }

    fn remove_statements(
        &self,
        image: &dyn Reader,
        batch: &mut Batch,
        erasure: &Erasure,
    ) -> Result<(), StoreError> {
        let mut groups: BTreeSet<GroupId> = BTreeSet::new();
        for (&id, (group, Recorded { assertion, .. })) in &erasure.assertions {
            groups.insert(*group);
            batch.remove(Table::Assertions, key::assertion(self.id, id));
            let source = &assertion.source;
            for episode in std::iter::once(&source.episode).chain(&source.context) {
                batch.remove(Table::Statements, key::episode_assertion(self.id, *episode, id));
            }
            for premise in &assertion.derived_from {
                batch.remove(Table::Premises, key::premise(self.id, *premise, id));
            }
            if assertion.predicate == SAME_AS {
                batch.remove(Table::Identity, key::assertion(self.id, id));
            }
        }
        let meanings = self.store.meanings();
        for group in groups {
            let mut statements = history::load(image, group)?;
            statements.retain(|recorded| !erasure.assertions.contains_key(&recorded.assertion.id));
            group::put_record(batch, group, &statements);
            history::rewrite(image, batch, group, &mut statements)?;
            let semantics = &**meanings.latest();
            group::put_current(image, batch, semantics, &self.name, group, &statements)?;
        }
        Ok(())
    }

    fn remove_episodes(
        &self,
        image: &dyn Reader,
        batch: &mut Batch,
        erasure: &Erasure,
    ) -> Result<(), StoreError> {
        for (&id, RecordedEpisode { episode, .. }) in &erasure.episodes {
            batch.remove(Table::Episodes, key::episode(self.id, id));
            batch.remove(
                Table::Sessions,
                key::session_episode(self.id, &episode.session, episode.position, id),
            );
            for (part, name) in [(Part::Agent, &episode.agent), (Part::User, &episode.user)] {
                if let Some(name) = name {
                    let row = key::participant(self.id, part, name, episode.time, id);
                    batch.remove(Table::Participants, row);
                }
            }
            if let Some(native_id) = &episode.native_id {
                // The first bearer of an id holds it; a later one that was kept beside it does not take it along.
                let native = key::native(self.id, native_id);
                if image.read(Table::Natives, &native)? == Some(encode(&id)) {
                    batch.remove(Table::Natives, native);
                }
            }
        }
        Ok(())
    }

    /// Removes what only the erased statements mentioned: objects of groups, aliases, entities. Returns the entities.
    fn remove_orphans(
        &self,
        image: &dyn Reader,
        batch: &mut Batch,
        erasure: &Erasure,
    ) -> Result<Vec<EntityRef>, StoreError> {
        let gone = |id: &AssertionId| erasure.assertions.contains_key(id);
        let mut mentioned: BTreeSet<&EntityRef> = BTreeSet::new();
        for (group, Recorded { assertion, .. }) in erasure.assertions.values() {
            mentioned.insert(&assertion.subject);
            let object = assertion.object.as_ref().and_then(Object::entity);
            mentioned.extend(object);
            if object.is_none() && alias(assertion).is_none() {
                continue;
            }
            let rest = history::load(image, *group)?;
            let mut rest = rest.iter().map(|r| &r.assertion).filter(|a| !gone(&a.id));
            if let Some(object) = object
                && !rest.clone().any(|a| a.object.as_ref().and_then(Object::entity) == Some(object))
            {
                batch.remove(Table::Objects, key::object_group(*group, object.id()));
            }
            if let Some(name) = alias(assertion)
                && !rest.any(|a| alias(a) == Some(name))
                && fold_name(name) != fold_name(assertion.subject.name())
            {
                let row = key::name(self.id, &fold_name(name), assertion.subject.id());
                batch.remove(Table::Names, row);
            }
        }
        let removed = |table: Table, row: &[u8]| {
            batch.writes.iter().any(|w| w.table == table && w.key == row && w.value.is_none())
        };
        let mut orphans = Vec::new();
        for entity in mentioned {
            let subject_rows = key::subject_prefix(self.id, entity.id());
            let object_rows = key::object_prefix(self.id, entity.id());
            let mut kept = false;
            for (table, prefix) in [(Table::Groups, subject_rows), (Table::Objects, object_rows)] {
                for pair in image.scan_prefix(table, &prefix) {
                    kept |= !removed(table, &pair?.0);
                }
            }
            if !kept {
                orphans.push(entity.clone());
            }
        }
        for entity in &orphans {
            batch.remove(Table::Entities, key::entity(self.id, entity.id()));
            batch.remove(Table::Names, key::name(self.id, &fold_name(entity.name()), entity.id()));
        }
        Ok(orphans)
    }

    /// Searches every live record, decompressed, and every file of the storage as it stands.
    fn search(&self, needles: &[Vec<u8>], certificate: &mut Certificate) -> Result<(), StoreError> {
        certificate.needles = needles.len() as u64;
        let finder = aho_corasick::AhoCorasick::new(needles)
            .map_err(|error| StoreError::Storage(format!("the search for erased bytes failed: {error}")))?;
        let image = self.store.backend.snapshot();
        let ours = key::space_prefix(self.id);
        let mut said_elsewhere: BTreeSet<usize> = BTreeSet::new();
        for &table in Table::ALL {
            let unbounded = std::ops::Bound::Unbounded;
            for pair in image.scan(table, unbounded, unbounded) {
                let (row, value) = pair?;
                certificate.records_searched += 1;
                // Items of work-sets stand in leaves without what they share with the one before.
                let items = if table == Table::Work { work::texts_of(&row, &value) } else { Vec::new() };
                let hits: Vec<usize> = finder
                    .find_overlapping_iter(&*row)
                    .chain(finder.find_overlapping_iter(&*value))
                    .chain(finder.find_overlapping_iter(&items))
                    .map(|hit| hit.pattern().as_usize())
                    .collect();
                // What other spaces hold is nobody's business here.
                let is_ours = !matches!(table, Table::Meta | Table::Log) && row.starts_with(&ours);
                certificate.said_elsewhere += u64::from(is_ours && !hits.is_empty());
                said_elsewhere.extend(hits);
            }
        }
        let unsaid: Vec<Vec<u8>> = needles
            .iter()
            .enumerate()
            .filter(|(idx, _)| !said_elsewhere.contains(idx))
            .map(|(_, needle)| needle.clone())
            .collect();
        let searched = self.store.backend.search(&unsaid)?;
        certificate.files_searched = searched.files;
        certificate.bytes_searched = searched.file_bytes;
        certificate.found = searched.found;
        Ok(())
    }
}

/// Takes the erased ids out of the log entries that recorded them; the entries stay, so that the log has no gap.
fn strip_log(image: &dyn Reader, batch: &mut Batch, erasure: &Erasure) -> Result<(), StoreError> {
    let by_episode = erasure.episodes.values().map(|record| record.seq);
    let by_assertion = erasure.assertions.values().map(|(_, recorded)| recorded.seq);
    let seqs: BTreeSet<u64> = by_episode.chain(by_assertion).collect();
    for seq in seqs {
        let Some(bytes) = image.read(Table::Log, &key::log(seq))? else {
            return Err(StoreError::corrupt(format!("log entry {seq} is missing")));
        };
        let mut entry: LogEntry = decode("a log entry", &bytes)?;
        if let Change::Recorded { episodes, assertions, .. } = &mut entry.change {
            episodes.retain(|id| !erasure.episodes.contains_key(id));
            assertions.retain(|id| !erasure.assertions.contains_key(id));
        }
        batch.put(Table::Log, key::log(seq), encode(&entry));
    }
    Ok(())
}

fn episode_at_end(row: &[u8]) -> Result<EpisodeId, StoreError> {
    let id = row.len().checked_sub(16).and_then(|at| row[at..].try_into().ok()).map(EpisodeId);
    id.ok_or_else(|| StoreError::corrupt("an episode's key is too short"))
}

/// Returns pieces of what was erased that are long enough not to stand elsewhere by chance.
fn needles(erasure: &Erasure, orphans: &[EntityRef]) -> Vec<Vec<u8>> {
    let mut needles = BTreeSet::new();
    let mut add = |bytes: &[u8]| {
        if bytes.len() <= WINDOW_BYTES {
            needles.insert(bytes.to_vec());
        } else {
            let last = bytes.len() - WINDOW_BYTES;
            for at in [0, last / 2, last] {
                needles.insert(bytes[at..at + WINDOW_BYTES].to_vec());
            }
        }
    };
    let mut whole = Vec::new();
    for RecordedEpisode { episode, .. } in erasure.episodes.values() {
        if episode.role == Role::Statement {
            // Pieces of a statement's JSON stand in others by its form alone.
            whole.push(episode.text.as_bytes().to_vec());
        } else {
            add(episode.text.as_bytes());
        }
        if let Some(raw) = &episode.raw {
            add(raw);
        }
    }
    for (_, record) in &erasure.quarantined {
        add(&record.raw);
    }
    let texts = &erasure.work.texts;
    for text in texts.iter().step_by(texts.len().div_ceil(MOST_BESIDE).max(1)) {
        add(text.as_bytes());
    }
    let pieces = &erasure.checkpoints.pieces;
    for piece in pieces.iter().step_by(pieces.len().div_ceil(MOST_BESIDE).max(1)) {
        add(piece);
    }
    let versions = &erasure.documents.bytes;
    for bytes in versions.iter().step_by(versions.len().div_ceil(MOST_BESIDE).max(1)) {
        add(bytes);
    }
    for entity in orphans {
        add(entity.name().as_bytes());
    }
    needles.extend(whole);
    needles.retain(|needle| needle.len() >= NEEDLE_BYTES);
    needles.into_iter().collect()
}
