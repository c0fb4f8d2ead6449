//! What a query looks at while it runs: facts, entities and turns of one view, each read once, and counted.
//!
//! Invariant: nothing is handed out that the view does not see, and no more than [`MOST_LOOKED_AT`] things are.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bygone_engine::record::RecordedEpisode;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::text::{Kind as Document, Row as TurnRow};
use bygone_engine::{AssertionId, EntityRef, EpisodeId, FactId, StoreError};
use bygone_ontology::Ontology;

use crate::facts::group_rows;
use crate::language::failed::Failed;
use crate::language::groups::Groups;
use crate::language::limits::{MOST_FOUND, MOST_LOOKED_AT};
use crate::language::plan::term::How;
use crate::language::value::Value;
use crate::request::Request;
use crate::retrieve::{Item, Kind, Sought, search};
use crate::row::Row;

/// What a search finds, with how well it fits.
#[derive(Default)]
pub(super) struct Found {
    turns: BTreeMap<EpisodeId, f64>,
    facts: BTreeMap<FactId, f64>,
    /// Where words are looked for: the statements that have them, of which facts are made.
    statements: BTreeMap<AssertionId, f64>,
    /// The turns themselves, in the order of time.
    pub(super) records: Vec<Arc<RecordedEpisode>>,
    /// The groups of the facts.
    groups: BTreeSet<GroupView>,
}

/// Entities, each with how well it fits.
pub(super) type Entities = BTreeMap<EntityRef, f64>;

/// Groups by an entity, and whether it is their subject.
type GroupsOf = BTreeMap<(EntityRef, bool), Arc<[GroupView]>>;

/// Facts that were read.
pub(super) type Rows = Arc<[Arc<Row>]>;

/// The view that a query is asked of.
pub(super) struct World<'a, 's> {
    pub(super) seen: &'a Seen<'s>,
    pub(super) ontology: &'a Ontology,
    pub(super) request: &'a Request,
    n_looked_at: Cell<u64>,
    of_group: RefCell<BTreeMap<GroupView, Rows>>,
    groups_of: RefCell<GroupsOf>,
    all: &'a Groups<'a, 's>,
    found: RefCell<BTreeMap<(bool, How, String), Arc<Found>>>,
    entities: RefCell<BTreeMap<(How, String), Arc<Entities>>>,
}

impl<'a, 's> World<'a, 's> {
    pub(super) fn new(
        groups: &'a Groups<'a, 's>,
        ontology: &'a Ontology,
        request: &'a Request,
    ) -> World<'a, 's> {
        World {
            seen: groups.seen,
            ontology,
            request,
            n_looked_at: Cell::new(0),
            of_group: RefCell::default(),
            groups_of: RefCell::default(),
            all: groups,
            found: RefCell::default(),
            entities: RefCell::default(),
        }
    }

    /// Returns how many entities, facts and turns were looked at.
    pub(super) fn n_looked_at(&self) -> u64 {
        self.n_looked_at.get()
    }

    /// Counts one thing that is looked at.
    pub(super) fn look(&self) -> Result<(), Failed> {
        let n_looked_at = self.n_looked_at.get() + 1;
        self.n_looked_at.set(n_looked_at);
        if n_looked_at > MOST_LOOKED_AT { Err(Failed::TooMuch { most: MOST_LOOKED_AT }) } else { Ok(()) }
    }

    /// Returns the facts of a group at the valid time asked about, and counts them.
    pub(super) fn facts(&self, group: &GroupView) -> Result<Rows, Failed> {
        let rows = self.rows(group)?;
        rows.iter().try_for_each(|_| self.look())?;
        Ok(rows)
    }

    /// Returns the facts of a group at the valid time asked about.
    fn rows(&self, group: &GroupView) -> Result<Rows, StoreError> {
        if let Some(rows) = self.of_group.borrow().get(group) {
            return Ok(rows.clone());
        }
        let mut rows = group_rows(self.seen, self.ontology, self.request, group)?;
        rows.retain(|row| self.request.valid.selects(row.fact.validity));
        rows.sort_by_cached_key(Row::order);
        let rows: Rows = rows.into_iter().map(Arc::new).collect();
        self.of_group.borrow_mut().insert(group.clone(), rows.clone());
        Ok(rows)
    }

    /// Returns the groups that have a value as their subject.
    pub(super) fn groups_of(&self, subject: &Value) -> Result<Arc<[GroupView]>, StoreError> {
        subject.entity().map_or_else(|| Ok(Arc::default()), |entity| self.groups(entity, true))
    }

    /// Returns the groups that may have a value as the object of a fact.
    pub(super) fn groups_about(&self, object: &Value) -> Result<Arc<[GroupView]>, StoreError> {
        object.entity().map_or_else(|| self.all_groups(), |entity| self.groups(entity, false))
    }

    fn groups(&self, entity: &EntityRef, is_subject: bool) -> Result<Arc<[GroupView]>, StoreError> {
        let key = (entity.clone(), is_subject);
        if let Some(groups) = self.groups_of.borrow().get(&key) {
            return Ok(groups.clone());
        }
        let groups =
            if is_subject { self.seen.groups_of(entity)? } else { self.seen.groups_about(entity)? };
        let groups: Arc<[GroupView]> = groups.into();
        self.groups_of.borrow_mut().insert(key, groups.clone());
        Ok(groups)
    }

    /// Returns all groups.
    pub(super) fn all_groups(&self) -> Result<Arc<[GroupView]>, StoreError> {
        self.all.all()
    }

    /// Hands on the entities that a statement of the view mentions, each standing for its class and once, in the order of
    /// names, until `take` wants no more.
    pub(super) fn each_entity(
        &self,
        mut take: impl FnMut(EntityRef) -> Result<bool, Failed>,
    ) -> Result<bool, Failed> {
        let (mut walked, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for entity in self.seen.snapshot().walk_entities("") {
            let entity = entity?;
            if !walked.insert(entity.clone()) {
                continue;
            }
            self.look()?;
            let class = self.seen.identity().representative(&entity).clone();
            if self.seen.mentions(&entity)? && taken.insert(class.clone()) && !take(class)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Hands on the turns that the view sees, in the order in which they were said, until `take` wants no more.
    pub(super) fn each_turn(
        &self,
        mut take: impl FnMut(RecordedEpisode) -> Result<bool, Failed>,
    ) -> Result<bool, Failed> {
        let corpus = self.seen.corpus(Document::Turn)?;
        let mut rows: Vec<&TurnRow> = corpus.rows().iter().collect();
        rows.sort_by_key(|row| (row.known_at, row.id));
        for row in rows {
            self.look()?;
            if let Some(turn) = self.seen.turn(row)?
                && !take(turn)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns what a search finds. By words: turns that have one, or statements that do; else the best of what
    /// `bygone search` finds.
    pub(super) fn found(&self, is_turn: bool, how: How, text: &str) -> Result<Arc<Found>, Failed> {
        let how = if how == How::Score { How::Best } else { how };
        let key = (is_turn, how, text.to_owned());
        if let Some(found) = self.found.borrow().get(&key) {
            return Ok(found.clone());
        }
        let mut found = match (how, is_turn) {
            (How::Words, true) => self.turns_with(text)?,
            (How::Words, false) => self.statements_with(text)?,
            (How::Best | How::Score, _) => self.best(is_turn, text)?,
        };
        found.records.sort_by_cached_key(|turn| place(turn));
        let found = Arc::new(found);
        self.found.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    fn turns_with(&self, text: &str) -> Result<Found, Failed> {
        let mut found = Found::default();
        for hit in self.seen.search_turns(text)? {
            let hit = hit?;
            self.look()?;
            found.turns.insert(hit.found.episode.id, hit.score);
            found.records.push(Arc::new(hit.found));
        }
        Ok(found)
    }

    fn statements_with(&self, text: &str) -> Result<Found, Failed> {
        let mut found = Found::default();
        for plans in [false, true] {
            for hit in self.seen.search_statements(text, plans)? {
                let hit = hit?;
                self.look()?;
                let assertion = hit.found.assertion;
                found.statements.insert(assertion.id, hit.score);
                let subject = self.seen.identity().representative(&assertion.subject);
                let groups = self.groups(subject, true)?;
                let is_its =
                    |group: &&GroupView| group.predicate == assertion.predicate && group.key == assertion.key;
                found.groups.extend(groups.iter().find(is_its).cloned());
            }
        }
        Ok(found)
    }

    fn best(&self, is_turn: bool, text: &str) -> Result<Found, Failed> {
        let World { seen, ontology, request, .. } = *self;
        let kinds: &[Kind] = if is_turn { &[Kind::Turn] } else { &[Kind::Fact] };
        let mut best = Found::default();
        for found in search(&Sought { seen, ontology, request, text, kinds, n_wanted: MOST_FOUND })?.found {
            self.look()?;
            match found.item {
                Item::Turn(record) => {
                    best.turns.insert(record.episode.id, found.score);
                    best.records.push(Arc::new(*record));
                }
                Item::Fact(row, _) => {
                    best.facts.insert(row.id, found.score);
                    best.groups.insert(row.group);
                }
            }
        }
        Ok(best)
    }

    /// Returns how well a turn fits what a search found.
    pub(super) fn turn_fit(&self, turn: EpisodeId, how: How, text: &str) -> Result<Option<f64>, Failed> {
        Ok(self.found(true, how, text)?.turns.get(&turn).copied())
    }

    /// Returns how well a fact fits what a search found: by words through what it rests on, else itself.
    pub(super) fn fit(&self, row: &Row, how: How, text: &str) -> Result<Option<f64>, Failed> {
        let found = self.found(false, how, text)?;
        let by_words = row.fact.support.iter().filter_map(|id| found.statements.get(id));
        Ok(by_words.chain(found.facts.get(&row.id)).copied().max_by(f64::total_cmp))
    }

    /// Returns the entities in facts that a search finds, each with how well the best of these fits.
    pub(super) fn entities_found(&self, how: How, text: &str) -> Result<Arc<Entities>, Failed> {
        let how = if how == How::Score { How::Best } else { how };
        let key = (how, text.to_owned());
        if let Some(entities) = self.entities.borrow().get(&key) {
            return Ok(entities.clone());
        }
        let mut entities = Entities::new();
        for group in self.groups_found(how, text)?.iter() {
            for row in self.facts(group)?.iter() {
                let Some(fit) = self.fit(row, how, text)? else { continue };
                for entity in std::iter::once(&row.group.subject).chain(row.fact.object.entity()) {
                    let best = entities.entry(entity.clone()).or_insert(fit);
                    *best = best.max(fit);
                }
            }
        }
        let entities = Arc::new(entities);
        self.entities.borrow_mut().insert(key, entities.clone());
        Ok(entities)
    }

    /// Returns the groups of the facts that a search finds.
    pub(super) fn groups_found(&self, how: How, text: &str) -> Result<Arc<[GroupView]>, Failed> {
        Ok(self.found(false, how, text)?.groups.iter().cloned().collect())
    }
}

/// The order in which turns were said.
fn place(turn: &RecordedEpisode) -> impl Ord + use<> {
    (turn.episode.time, turn.episode.id)
}
