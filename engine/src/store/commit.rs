//! Recording: one atomic commit of episodes, statements, the facts they change, and the log entry.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::PoisonError;

use super::append::append;
use super::history::Kept;
use super::meta::Counters;
use super::{Space, group, history, meta, stretch, turn};
use crate::assertion::Assertion;
use crate::backend::{Batch, Reader, Table, Write};
use crate::codec::{decode, encode};
use crate::entity::{EntityRef, fold_name};
use crate::episode::{Episode, Role};
use crate::error::StoreError;
use crate::history::chunk::Chunk;
use crate::id::{AssertionId, EntityId, EpisodeId};
use crate::identity::{ALIAS, NAME, SAME_AS};
use crate::key::{self, GroupId, Part, SpaceId};
use crate::object::Object;
use crate::record::{Change, EntityRecord, LogEntry, Participation, Quarantined, Recorded, RecordedEpisode};
use crate::semantics::Semantics;
use crate::time::{Instant, Period};

/// What is to be recorded together.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Turns; those already recorded are passed over together with the statements they make.
    pub episodes: Vec<Episode>,
    /// Statements made in those turns, or in turns recorded before.
    pub assertions: Vec<Assertion>,
    /// Records that could not be read.
    pub quarantined: Vec<Quarantined>,
    /// Where, by document and byte, records were read: what was set aside there as incomplete is so no more.
    pub settled: Vec<(String, u64)>,
}

impl Recording {
    /// Says whether there is nothing to record.
    pub fn is_empty(&self) -> bool {
        let Recording { episodes, assertions, quarantined, settled } = self;
        episodes.is_empty() && assertions.is_empty() && quarantined.is_empty() && settled.is_empty()
    }
}

/// What a recording came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The sequence number of the commit; `None` where there was nothing new.
    pub seq: Option<u64>,
    /// Episodes that were new.
    pub episodes: u64,
    /// Episodes that were there already.
    pub duplicates: u64,
    /// Assertions that were new.
    pub assertions: u64,
    /// Statements that were sent with the id of another one and are not recorded, by the hash of their content. Their
    /// episodes bear the id, too, and count as duplicates.
    pub conflicts: Vec<AssertionId>,
    /// Episodes recorded under an id that their source had given to another one, with that id.
    pub native_conflicts: Vec<(EpisodeId, String)>,
}

impl Space<'_> {
    /// Records turns and what they say. Everything becomes durable together, or nothing does.
    ///
    /// Recording the same again changes nothing. `now` is the wall clock; the stamp given is later than every earlier
    /// one even if the clock is not.
    ///
    /// # Errors
    /// [`StoreError::NoEpisode`] where a statement names a turn that is neither here nor recorded;
    /// [`StoreError::Interrupted`]; storage errors.
    pub fn record(&self, recording: Recording, now: Instant) -> Result<Receipt, StoreError> {
        self.store.interrupt.check()?;
        let _writing = self.store.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let image = self.store.backend.snapshot();
        let next = Next::after(&*image, now)?;
        self.commit(image, &next, recording, Vec::new())
    }

    /// Commits a recording as the next one, with rows of tables that no statement stands in. The caller holds the writing
    /// lock, and `next` follows the image.
    pub(super) fn commit(
        &self,
        image: Box<dyn Reader + '_>,
        next: &Next,
        recording: Recording,
        rows: Vec<Write>,
    ) -> Result<Receipt, StoreError> {
        let meanings = self.store.meanings();
        let mut commit = Commit {
            image: &*image,
            space: self.id,
            seq: next.counters.seq,
            at: next.counters.at,
            batch: Batch::default(),
            receipt: Receipt::default(),
            entities: HashSet::new(),
            objects: HashSet::new(),
        };
        let New { turns, data } = commit.episodes(recording.episodes, &recording.assertions)?;
        let (groups, assertions) = commit.assertions(recording.assertions, &turns, data)?;
        for (group, additions) in groups {
            let semantics = &**meanings.latest();
            let told = (&*image, &mut commit.batch, semantics, &*self.name);
            add(told, group, &additions)?;
        }
        commit.settle(&recording.settled)?;
        let quarantined = commit.quarantine(recording.quarantined)?;
        commit.batch.writes.extend(rows);
        if commit.batch.writes.is_empty() {
            return Ok(commit.receipt);
        }
        let episodes = turns.into_iter().collect();
        let change = Change::Recorded { episodes, assertions, quarantined };
        let Commit { mut batch, mut receipt, seq, at, .. } = commit;
        batch.put(Table::Log, key::log(seq), encode(&LogEntry { space: self.id, at, change }));
        meta::put_counters(&mut batch, &next.counters);
        batch.expected.push(next.unchanged());
        drop(image);
        self.store.backend.commit(&batch)?;
        receipt.seq = Some(seq);
        Ok(receipt)
    }
}

/// Adds statements to a group: as its first, at its end, among few of its own, or with the whole of it derived again.
fn add(
    (image, batch, semantics, space): (&dyn Reader, &mut Batch, &dyn Semantics, &str),
    group: GroupId,
    additions: &[Recorded],
) -> Result<(), StoreError> {
    let Some(mut record) = group::record(image, group)? else {
        return group::put_first(batch, semantics, space, group, additions);
    };
    if append(image, batch, semantics, space, (group, &record), additions)? {
        return Ok(());
    }
    let kept = history::add(image, batch, group, additions)?;
    for Recorded { assertion, .. } in additions {
        record.reach = record.reach.with(assertion);
    }
    batch.put(Table::Groups, group.to_key(), encode(&record));
    let of = (group, record.names.predicate.as_str());
    let mut statements = match kept {
        Kept::InOne(None) => Vec::new(),
        Kept::InOne(Some(chunk)) => Chunk::read(&chunk)?.statements()?,
        Kept::InMany => {
            if let Some(added) = stretch::added(image, semantics, of, additions)? {
                return group::put_added(image, batch, space, group, &record.names, &added);
            }
            history::load(image, group)?
        }
    };
    statements.extend_from_slice(additions);
    group::put_current(image, batch, semantics, space, group, &statements)
}

/// The place in recorded time that the next commit takes.
pub(super) struct Next {
    before: Vec<u8>,
    pub(super) counters: Counters,
}

impl Next {
    pub(super) fn after(image: &dyn Reader, now: Instant) -> Result<Next, StoreError> {
        let mut counters = meta::counters(image)?;
        let before = encode(&counters);
        counters.advance(now)?;
        Ok(Next { before, counters })
    }

    /// What has to hold for the commit to be the next one.
    fn unchanged(&self) -> Write {
        Write { table: Table::Meta, key: b"counters".to_vec(), value: Some(self.before.clone()) }
    }
}

/// New statements by group.
type Additions = BTreeMap<GroupId, Vec<Recorded>>;

/// What turns are new.
struct New {
    turns: BTreeSet<EpisodeId>,
    /// Those of them that are nothing but a statement that came with them.
    data: BTreeMap<AssertionId, RecordedEpisode>,
}

struct Commit<'a> {
    image: &'a dyn Reader,
    space: SpaceId,
    seq: u64,
    at: Instant,
    batch: Batch,
    receipt: Receipt,
    /// The entities that are written.
    entities: HashSet<EntityId>,
    /// The objects of groups that are written.
    objects: HashSet<(GroupId, EntityId)>,
}

impl Commit<'_> {
    /// Writes the turns that are new and returns them; known ones are counted. Those that are nothing but one of the
    /// statements are not written yet.
    fn episodes(&mut self, episodes: Vec<Episode>, assertions: &[Assertion]) -> Result<New, StoreError> {
        let with_them: HashMap<AssertionId, &Assertion> =
            assertions.iter().map(|assertion| (assertion.id, assertion)).collect();
        let mut new = New { turns: BTreeSet::new(), data: BTreeMap::new() };
        let mut natives: BTreeSet<Vec<u8>> = BTreeSet::new();
        let mut stated: BTreeSet<AssertionId> = BTreeSet::new();
        for episode in episodes {
            let id = episode.id;
            let is_statement = episode.role == Role::Statement;
            let statement =
                episode.native_id.as_deref().filter(|_| is_statement).and_then(AssertionId::parse);
            let is_known = match statement {
                // Nobody says the same twice, in whatever turn it was said first.
                Some(statement) => !stated.insert(statement) || self.has_assertion(statement)?,
                None => false,
            };
            let row = key::episode(self.space, id);
            if is_known || new.turns.contains(&id) || self.image.read(Table::Episodes, &row)?.is_some() {
                self.receipt.duplicates += 1;
                continue;
            }
            new.turns.insert(id);
            self.receipt.episodes += 1;
            let native_id = episode.native_id.clone().filter(|_| !is_statement);
            if let Some(native_id) = native_id {
                let native = key::native(self.space, &native_id);
                if natives.contains(&native) || self.image.read(Table::Natives, &native)?.is_some() {
                    self.receipt.native_conflicts.push((id, native_id));
                } else {
                    self.batch.put(Table::Natives, native.clone(), encode(&id));
                    natives.insert(native);
                }
            }
            let by_session = key::session_episode(self.space, &episode.session, episode.position, id);
            self.batch.put(Table::Sessions, by_session, encode(&episode.session));
            let participation =
                Participation { session: episode.session.clone(), seq: self.seq, role: episode.role };
            for (part, name) in [(Part::Agent, &episode.agent), (Part::User, &episode.user)] {
                if let Some(name) = name {
                    let row = key::participant(self.space, part, name, episode.time, id);
                    self.batch.put(Table::Participants, row, encode(&participation));
                }
            }
            let follows = statement.filter(|statement| {
                with_them.get(statement).is_some_and(|assertion| turn::follows(&episode, assertion))
            });
            let record = RecordedEpisode { episode, seq: self.seq, at: self.at };
            match follows {
                Some(statement) => drop(new.data.insert(statement, record)),
                None => self.batch.put(Table::Episodes, row, encode(&record)),
            }
        }
        Ok(new)
    }

    fn has_assertion(&self, id: AssertionId) -> Result<bool, StoreError> {
        Ok(self.image.read(Table::Assertions, &key::assertion(self.space, id))?.is_some())
    }

    /// Returns the statements that are new, by group, and the ids of those that are not the whole of a turn; writes the rows
    /// that point at them.
    fn assertions(
        &mut self,
        assertions: Vec<Assertion>,
        new_turns: &BTreeSet<EpisodeId>,
        mut data: BTreeMap<AssertionId, RecordedEpisode>,
    ) -> Result<(Additions, Vec<AssertionId>), StoreError> {
        let mut groups = Additions::new();
        let mut ids = BTreeSet::new();
        let mut new: HashMap<AssertionId, GroupId> = HashMap::with_capacity(assertions.len());
        for assertion in assertions {
            let row = key::assertion(self.space, assertion.id);
            // Nothing but what bears the same id can be another statement under it.
            let bearer = match new.get(&assertion.id).and_then(|group| groups.get(group)) {
                Some(added) => added
                    .iter()
                    .map(|r| &r.assertion)
                    .find(|a| a.id == assertion.id)
                    .map(Assertion::content_id),
                None => self.content_of(&row, assertion.id)?,
            };
            if let Some(content) = bearer {
                if content != assertion.content_id() {
                    self.receipt.conflicts.push(assertion.content_id());
                }
                continue;
            }
            let episode = assertion.source.episode;
            if !new_turns.contains(&episode) {
                if !turn::exists(self.image, self.space, episode)? {
                    return Err(StoreError::NoEpisode {
                        assertion: assertion.id.to_string(),
                        episode: episode.to_string(),
                    });
                }
                continue;
            }
            self.receipt.assertions += 1;
            let group =
                GroupId::new(self.space, assertion.subject.id(), &assertion.predicate, &assertion.key);
            let start = assertion.validity.period().map(Period::start);
            if let Some(turn) = data.remove(&assertion.id) {
                let place = key::place_with_words(group, start, &turn.episode.text);
                self.batch.put(Table::Assertions, row, place);
            } else {
                ids.insert(assertion.id);
                self.batch.put(Table::Assertions, row, key::place(group, start));
                let statement = key::episode_assertion(self.space, episode, assertion.id);
                self.batch.put(Table::Statements, statement, Vec::new());
            }
            new.insert(assertion.id, group);
            self.point_at(group, &assertion);
            groups.entry(group).or_default().push(Recorded { assertion, seq: self.seq, at: self.at });
        }
        // Turns whose statement was refused are as they came.
        for record in data.into_values() {
            self.batch.put(Table::Episodes, key::episode(self.space, record.episode.id), encode(&record));
        }
        Ok((groups, ids.into_iter().collect()))
    }

    /// Returns the hash of the content that is recorded under an id; `None` where nothing is.
    fn content_of(&self, row: &[u8], id: AssertionId) -> Result<Option<AssertionId>, StoreError> {
        let Some(place) = self.image.read(Table::Assertions, row)? else { return Ok(None) };
        if key::words_from(&place).is_some() {
            // Where it is the whole of a turn, its id is the hash of its content.
            return Ok(Some(id));
        }
        Ok(Some(history::find(self.image, &place, id)?.assertion.content_id()))
    }

    fn point_at(&mut self, group: GroupId, assertion: &Assertion) {
        let (space, id) = (self.space, assertion.id);
        let source = &assertion.source;
        for episode in &source.context {
            let statement = key::episode_assertion(space, *episode, id);
            self.batch.put(Table::Statements, statement, Vec::new());
        }
        for premise in &assertion.derived_from {
            self.batch.put(Table::Premises, key::premise(space, *premise, id), Vec::new());
        }
        self.entity(&assertion.subject);
        if let Some(object) = assertion.object.as_ref().and_then(Object::entity) {
            if self.objects.insert((group, object.id())) {
                self.batch.put(Table::Objects, key::object_group(group, object.id()), Vec::new());
            }
            self.entity(object);
        }
        if let Some(alias) = alias(assertion) {
            self.batch.put(
                Table::Names,
                key::name(space, &fold_name(alias), assertion.subject.id()),
                Vec::new(),
            );
        }
        if assertion.predicate == SAME_AS {
            let recorded = Recorded { assertion: assertion.clone(), seq: self.seq, at: self.at };
            self.batch.put(Table::Identity, key::assertion(space, id), encode(&recorded));
        }
    }

    fn entity(&mut self, entity: &EntityRef) {
        let id = entity.id();
        if !self.entities.insert(id) {
            return;
        }
        let record = encode(&EntityRecord { entity: entity.clone() });
        self.batch.put(Table::Entities, key::entity(self.space, id), record);
        let name = key::name(self.space, &fold_name(entity.name()), id);
        self.batch.put(Table::Names, name, Vec::new());
    }

    /// Lets go of records that were set aside as incomplete where one was read whole since.
    fn settle(&mut self, settled: &[(String, u64)]) -> Result<(), StoreError> {
        for (document, offset) in settled {
            let prefix = key::quarantine_prefix(self.space, document, *offset);
            for pair in self.image.scan_prefix(Table::Quarantine, &prefix) {
                let (row, bytes) = pair?;
                if decode::<Quarantined>("a quarantined record", &bytes)?.incomplete {
                    self.batch.remove(Table::Quarantine, row.into_vec());
                }
            }
        }
        Ok(())
    }

    /// Keeps records that could not be read; returns how many were not kept before.
    fn quarantine(&mut self, quarantined: Vec<Quarantined>) -> Result<u64, StoreError> {
        let mut new = 0;
        for record in quarantined {
            let row = key::quarantine(self.space, &record.document, record.offset, &record.raw);
            let kept = self.image.read(Table::Quarantine, &row)?;
            let kept = kept.map(|bytes| decode::<Quarantined>("a quarantined record", &bytes)).transpose()?;
            if kept.as_ref() != Some(&record) {
                new += 1;
                self.batch.put(Table::Quarantine, row, encode(&record));
            }
        }
        Ok(new)
    }
}

/// Returns the name that a statement gives its subject beside the one it is referred to by.
pub(super) fn alias(assertion: &Assertion) -> Option<&str> {
    match (&assertion.object, assertion.predicate.as_str()) {
        (Some(Object::Text(text)), ALIAS | NAME) if !text.contains('\0') => Some(text),
        _ => None,
    }
}
