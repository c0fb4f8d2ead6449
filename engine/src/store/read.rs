//! Looking things up in an unchanging image of one space.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::declared::Meanings;
use super::meta::Counters;
use super::seen::Seen;
use super::{Store, group, history, meta, turn};
use crate::backend::{Reader, Table};
use crate::codec::decode;
use crate::embed::Reranker;
use crate::entity::{EntityRef, fold_name};
use crate::error::StoreError;
use crate::id::{AssertionId, EntityId, EpisodeId, FactId};
use crate::key::{self, GroupId, SpaceId};
use crate::object::Object;
use crate::record::{EntityRecord, GroupRecord, LogEntry, Quarantined, Recorded, RecordedEpisode};
use crate::text::Analyzer;
use crate::time::Instant;
use crate::view::{RecordedAt, View};

/// An unchanging image of one space.
pub struct Snapshot<'a> {
    pub(super) store: &'a Store,
    pub(super) reader: Box<dyn Reader + 'a>,
    pub(super) meanings: Arc<Meanings>,
    pub(super) space: SpaceId,
    pub(super) name: &'a str,
    /// Whether any statement was concluded from another, once that was looked up.
    has_premises: OnceLock<bool>,
    /// The last values given out, once they were looked up.
    counters: OnceLock<Counters>,
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(store: &'a Store, space: SpaceId, name: &'a str) -> Snapshot<'a> {
        let (reader, meanings) = (store.image(), store.meanings());
        Snapshot {
            store,
            reader,
            meanings,
            space,
            name,
            has_premises: OnceLock::new(),
            counters: OnceLock::new(),
        }
    }

    /// Returns the image of the storage alone.
    pub(super) fn into_reader(self) -> Box<dyn Reader + 'a> {
        self.reader
    }

    /// Returns the present by this image: `now`, or the stamp of the last commit where the clock stands before it.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn present(&self, now: Instant) -> Result<Instant, StoreError> {
        let counters = self.counters()?;
        Ok(if counters.seq == 0 { now } else { now.max(counters.at) })
    }

    fn counters(&self) -> Result<&Counters, StoreError> {
        if let Some(counters) = self.counters.get() {
            return Ok(counters);
        }
        let counters = meta::counters(&*self.reader)?;
        Ok(self.counters.get_or_init(|| counters))
    }

    /// Returns the space as a view sees it.
    pub fn seen(&self, view: &View) -> Result<Seen<'_>, StoreError> {
        Seen::new(self, view)
    }

    /// Returns the name of the space.
    pub fn space_name(&self) -> &str {
        self.name
    }

    /// Returns the rules by which the store's texts become words.
    pub fn analyzer(&self) -> Analyzer {
        self.store.analyzer()
    }

    /// Returns what puts the best of what searches find in order, where there is something.
    pub fn reranker(&self) -> Option<&dyn Reranker> {
        self.store.reranker()
    }

    /// Returns the last sequence number given out in the store.
    pub fn last_seq(&self) -> Result<u64, StoreError> {
        Ok(self.counters()?.seq)
    }

    /// Returns the stamp of a commit; nothing where it was not made.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn stamp(&self, seq: u64) -> Result<Option<Instant>, StoreError> {
        let entry = self.reader.read(Table::Log, &key::log(seq))?;
        Ok(entry.map(|entry| decode::<LogEntry>("a log entry", &entry)).transpose()?.map(|entry| entry.at))
    }

    /// Returns a turn.
    pub fn episode(&self, id: EpisodeId) -> Result<Option<RecordedEpisode>, StoreError> {
        turn::read(&*self.reader, self.space, id)
    }

    /// Says whether a turn is recorded.
    pub fn has_episode(&self, id: EpisodeId) -> Result<bool, StoreError> {
        turn::exists(&*self.reader, self.space, id)
    }

    /// Returns a statement, whether or not a view sees it.
    pub fn assertion(&self, id: AssertionId) -> Result<Option<Recorded>, StoreError> {
        let place = self.reader.read(Table::Assertions, &key::assertion(self.space, id))?;
        place.map(|place| history::find(&*self.reader, &place, id)).transpose()
    }

    /// Returns every statement, group by group, each in the order of valid time.
    pub fn assertions(&self) -> impl Iterator<Item = Result<Recorded, StoreError>> + '_ {
        history::all_chunks(&*self.reader, self.space).flat_map(|chunk| match chunk {
            Ok((_, chunk)) => chunk.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    }

    /// Returns the turns that stand at a position of a session.
    pub fn episodes_at(&self, session: &str, position: u64) -> Result<Vec<EpisodeId>, StoreError> {
        let prefix = [key::session_prefix(self.space, session), position.to_be_bytes().to_vec()].concat();
        self.reader
            .scan_prefix(Table::Sessions, &prefix)
            .map(|pair| {
                let id = pair?.0[prefix.len()..].try_into();
                id.map(EpisodeId).map_err(|_| StoreError::corrupt("a session's key is too short"))
            })
            .collect()
    }

    /// Returns every name by which statements mention an entity, folded, with the entity: its own, and aliases whether or
    /// not a view knows them. In the order of the names. Holds all of them.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn names(&self) -> Result<Vec<(String, EntityRef)>, StoreError> {
        let prefix = key::space_prefix(self.space);
        let mut entities = BTreeMap::new();
        for pair in self.reader.scan_prefix(Table::Entities, &prefix) {
            let entity = decode::<EntityRecord>("an entity", &pair?.1)?.entity;
            entities.insert(entity.id(), entity);
        }
        let rows = self.reader.scan_prefix(Table::Names, &prefix);
        rows.map(|pair| {
            let (row, _) = pair?;
            let named = key::name_from_key(&row).and_then(|(folded, id)| {
                Some((String::from_utf8(folded.to_vec()).ok()?, entities.get(&id)?.clone()))
            });
            named.ok_or_else(|| StoreError::corrupt("a name belongs to an entity that is not kept"))
        })
        .collect()
    }

    /// Returns the statements that have the entity itself as subject or object, whether or not a view sees them.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn statements_mentioning(&self, entity: &EntityRef) -> Result<Vec<Recorded>, StoreError> {
        let mut groups = BTreeSet::new();
        let as_subject = key::subject_prefix(self.space, entity.id());
        for pair in self.reader.scan_prefix(Table::Groups, &as_subject) {
            groups.insert(group::from_key(&pair?.0)?);
        }
        let as_object = key::object_prefix(self.space, entity.id());
        for pair in self.reader.scan_prefix(Table::Objects, &as_object) {
            groups.insert(group::from_key(&pair?.0[as_object.len()..])?);
        }
        let mut statements = Vec::new();
        for id in groups {
            statements.extend(history::load(&*self.reader, id)?);
        }
        statements.retain(|Recorded { assertion, .. }| {
            let object = assertion.object.as_ref().and_then(Object::entity);
            assertion.subject == *entity || object == Some(entity)
        });
        Ok(statements)
    }

    /// Returns every statement of identity, whether or not a view sees it.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn identity_statements(&self) -> Result<Arc<Vec<Recorded>>, StoreError> {
        let read = || {
            let rows = self.reader.scan_prefix(Table::Identity, &key::space_prefix(self.space));
            rows.map(|pair| decode("a statement of identity", &pair?.1)).collect()
        };
        self.store.identities.at(self.space, self.counters()?.seq, read)
    }

    /// Says whether any statement of the space was concluded from another.
    pub fn has_premises(&self) -> Result<bool, StoreError> {
        if let Some(has_premises) = self.has_premises.get() {
            return Ok(*has_premises);
        }
        let first = self.reader.scan_prefix(Table::Premises, &key::space_prefix(self.space)).next();
        let has_premises = first.transpose()?.is_some();
        Ok(*self.has_premises.get_or_init(|| has_premises))
    }

    /// Returns statements that were concluded from others, so many at most, whether or not a view sees them; by id.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn conclusions(&self, most: usize) -> Result<Vec<AssertionId>, StoreError> {
        let mut conclusions = BTreeSet::new();
        for pair in self.reader.scan_prefix(Table::Premises, &key::space_prefix(self.space)) {
            let (row, _) = pair?;
            let id = row.split_last_chunk().map(|(_, id)| AssertionId(*id));
            conclusions.insert(id.ok_or_else(|| StoreError::corrupt("a premise's key is too short"))?);
            if conclusions.len() == most {
                break;
            }
        }
        Ok(conclusions.into_iter().collect())
    }

    /// Returns the ids of statements that start with the digits of an id as it is printed, two at most: enough to tell
    /// whether it is one. Nothing where the text is no start of an id.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn assertions_starting(&self, text: &str) -> Result<Vec<AssertionId>, StoreError> {
        let ids = self.ids_starting(Table::Assertions, text, "a:")?;
        Ok(ids.into_iter().map(AssertionId).collect())
    }

    /// Returns the ids of facts of the latest view as [`Snapshot::assertions_starting`] does those of statements.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn facts_starting(&self, text: &str) -> Result<Vec<FactId>, StoreError> {
        let ids = self.ids_starting(Table::Facts, text, "f:")?;
        Ok(ids.into_iter().map(FactId).collect())
    }

    fn ids_starting(&self, table: Table, text: &str, kind: &str) -> Result<Vec<[u8; 16]>, StoreError> {
        let digits = text.strip_prefix(kind).unwrap_or_default();
        let is_start = (1..=32).contains(&digits.len()) && digits.bytes().all(|c| c.is_ascii_hexdigit());
        if !is_start {
            return Ok(Vec::new());
        }
        let digits = digits.to_ascii_lowercase();
        let bytes = |digits: &str| -> Option<Vec<u8>> {
            (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok()).collect()
        };
        // An odd last digit is half a byte: the rows of its other half are passed over.
        let whole = bytes(&digits[..digits.len() / 2 * 2]).unwrap_or_default();
        let prefix = [key::space_prefix(self.space), whole].concat();
        let mut ids = Vec::new();
        for pair in self.reader.scan_prefix(table, &prefix) {
            let (row, _) = pair?;
            let id = row.split_last_chunk().map(|(_, id)| *id);
            let id = id.ok_or_else(|| StoreError::corrupt("the key of an id is too short"))?;
            let printed = AssertionId(id).to_string();
            if printed["a:".len()..].starts_with(&digits) {
                ids.push(id);
            }
            if ids.len() == 2 {
                break;
            }
        }
        Ok(ids)
    }

    /// Returns the group of a fact of the latest view.
    pub(super) fn group_of_fact(&self, id: FactId) -> Result<Option<GroupId>, StoreError> {
        let bytes = self.reader.read(Table::Facts, &key::fact(self.space, id))?;
        bytes.map(|bytes| group::from_key(&bytes)).transpose()
    }

    /// Returns the entities with this very name or alias, letter case and spacing aside, in order. An alias counts
    /// whether or not a view knows it.
    pub fn entities_named(&self, name: &str) -> Result<Vec<EntityRef>, StoreError> {
        let mut folded = fold_name(name).into_bytes();
        folded.push(0);
        self.entities_below(&folded)
    }

    /// Returns the entities one of whose names starts with the text, in order.
    pub fn entities_starting(&self, start: &str) -> Result<Vec<EntityRef>, StoreError> {
        self.entities_below(fold_name(start).as_bytes())
    }

    fn entities_below(&self, folded: &[u8]) -> Result<Vec<EntityRef>, StoreError> {
        let ids = self.ids_below(folded).collect::<Result<BTreeSet<_>, _>>()?;
        let mut entities = ids.into_iter().map(|id| self.entity(id)).collect::<Result<Vec<_>, _>>()?;
        entities.sort();
        Ok(entities)
    }

    /// Walks the entities one of whose names starts with the text, in the order of that name: one that has several such
    /// names comes up for each. Each step reads one entity, so that a few may be looked at among many.
    pub fn walk_entities<'s>(
        &'s self,
        start: &str,
    ) -> impl Iterator<Item = Result<EntityRef, StoreError>> + use<'s, 'a> {
        self.ids_below(fold_name(start).as_bytes()).map(|id| self.entity(id?))
    }

    /// Walks the groups of the space, in no order that means anything, and returns their predicates.
    pub fn walk_predicates(&self) -> impl Iterator<Item = Result<String, StoreError>> + '_ {
        let groups = self.reader.scan_prefix(Table::Groups, &key::space_prefix(self.space));
        groups.map(|pair| Ok(decode::<GroupRecord>("a group's names", &pair?.1)?.names.predicate))
    }

    fn ids_below<'s>(
        &'s self,
        folded: &[u8],
    ) -> impl Iterator<Item = Result<EntityId, StoreError>> + use<'s, 'a> {
        let prefix = [&key::space_prefix(self.space), folded].concat();
        self.reader.scan_prefix(Table::Names, &prefix).map(|pair| {
            let (row, _) = pair?;
            let (_, id) =
                key::name_from_key(&row).ok_or_else(|| StoreError::corrupt("a name's key is too short"))?;
            Ok(id)
        })
    }

    fn entity(&self, id: EntityId) -> Result<EntityRef, StoreError> {
        match self.reader.read(Table::Entities, &key::entity(self.space, id))? {
            Some(bytes) => Ok(decode::<EntityRecord>("an entity", &bytes)?.entity),
            None => Err(StoreError::corrupt(format!("entity {id} has a name but no record"))),
        }
    }

    /// Says whether any statement mentions the entity.
    pub fn has_entity(&self, entity: &EntityRef) -> Result<bool, StoreError> {
        Ok(self.reader.read(Table::Entities, &key::entity(self.space, entity.id()))?.is_some())
    }

    /// Returns the records of sources that could not be read.
    pub fn quarantined(&self) -> Result<Vec<Quarantined>, StoreError> {
        self.reader
            .scan_prefix(Table::Quarantine, &key::space_prefix(self.space))
            .map(|pair| decode("a quarantined record", &pair?.1))
            .collect()
    }

    /// Returns the last sequence number that a recorded position sees.
    pub(super) fn last_seen(&self, recorded: RecordedAt) -> Result<u64, StoreError> {
        last_seen(&*self.reader, self.counters()?.seq, recorded)
    }
}

/// Returns the last sequence number that a recorded position sees, of so many that were given out.
pub(super) fn last_seen(reader: &dyn Reader, last: u64, recorded: RecordedAt) -> Result<u64, StoreError> {
    match recorded {
        RecordedAt::Latest => Ok(last),
        RecordedAt::Seq(seq) => Ok(seq.min(last)),
        RecordedAt::Instant(instant) => last_at(reader, instant, last),
    }
}

/// Stamps grow with sequence numbers, so the last commit not after an instant is found by halving.
fn last_at(reader: &dyn Reader, instant: Instant, last: u64) -> Result<u64, StoreError> {
    let (mut seen, mut unseen) = (0, last + 1);
    while unseen - seen > 1 {
        let middle = seen + (unseen - seen) / 2;
        let Some(bytes) = reader.read(Table::Log, &key::log(middle))? else {
            return Err(StoreError::corrupt(format!("log entry {middle} is missing")));
        };
        if decode::<LogEntry>("a log entry", &bytes)?.at <= instant {
            seen = middle;
        } else {
            unseen = middle;
        }
    }
    Ok(seen)
}
