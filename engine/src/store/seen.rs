//! A space as a view sees it: which statements are visible, which entities are one, what it amounts to.
//!
//! Facts come from the current table where the view is the latest one and identity does not touch the group; every
//! other view derives the group again from the statements it sees.

use std::collections::{BTreeMap, BTreeSet};

use super::read::Snapshot;
use super::stretch::{self, Visible};
use super::{attended, group, history, meta};
use crate::assertion::Assertion;
use crate::backend::Table;
use crate::entity::EntityRef;
use crate::error::StoreError;
use crate::fact::Fact;
use crate::id::{AssertionId, FactId};
use crate::identity::{Identity, SAME_AS};
use crate::key::{self, GroupId, Part};
use crate::object::{Object, ObjectKey};
use crate::record::{GroupNames, Participation, Recorded, RecordedEpisode};
use crate::semantics::{Form, Told};
use crate::time::{Instant, Period};
use crate::view::{Hiding, RecordedAt, View};

/// A space as one view sees it.
pub struct Seen<'s> {
    snapshot: &'s Snapshot<'s>,
    view: View,
    last_seq: u64,
    sessions: Option<BTreeSet<String>>,
    identity: Identity,
    touched: BTreeSet<GroupId>,
    /// Whether the current table holds the view's facts, of groups that identity does not touch.
    is_current: bool,
}

/// A group as a view sees it: the groups of every entity that is the subject there, taken together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupView {
    /// The subject, standing for its class.
    pub subject: EntityRef,
    /// The predicate's id.
    pub predicate: String,
    /// Which of several parallel values.
    pub key: String,
    members: Vec<GroupId>,
}

impl<'s> Seen<'s> {
    pub(super) fn new(snapshot: &'s Snapshot<'s>, view: &View) -> Result<Seen<'s>, StoreError> {
        let mut seen = Seen {
            snapshot,
            view: view.clone(),
            last_seq: snapshot.last_seen(view.recorded)?,
            sessions: None,
            identity: Identity::default(),
            touched: BTreeSet::new(),
            is_current: false,
        };
        // While the facts are derived again under other definitions, the table holds some of both.
        let kept_under = meta::fingerprint(&*snapshot.reader)?;
        let asked_under = snapshot.meanings.in_commit(seen.last_seq).fingerprint();
        seen.is_current = seen.is_latest() && kept_under == Some(asked_under);
        seen.sessions = seen.narrowed_sessions()?;
        let identity = snapshot.identity_statements()?;
        let visible: Vec<&Assertion> =
            identity.iter().filter(|recorded| seen.sees(recorded)).map(|r| &r.assertion).collect();
        seen.identity = Identity::new(&visible);
        let merged: Vec<EntityRef> = seen.identity.merged().cloned().collect();
        for entity in merged {
            seen.touched.extend(seen.groups_with_subject(&entity)?);
            seen.touched.extend(seen.groups_with_object(&entity)?);
        }
        Ok(seen)
    }

    /// Returns the image behind the view.
    pub fn snapshot(&self) -> &'s Snapshot<'s> {
        self.snapshot
    }

    /// Returns the view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Returns which entities are one in the view.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Says whether the view sees the statement: known and recorded by then, and from a source listened to. Whether it
    /// counts (planned and hypothetical ones do not) is another question.
    pub fn sees(&self, recorded: &Recorded) -> bool {
        self.hiding(recorded).is_none()
    }

    /// Says what hides a statement from the view, if anything does.
    pub fn hiding(&self, recorded: &Recorded) -> Option<Hiding> {
        let Recorded { assertion, seq, .. } = recorded;
        self.hiding_of(assertion.known_at, *seq, &assertion.source.session)
    }

    /// Says whether the view sees the turn: said and recorded by then, and in a session listened to.
    pub fn sees_turn(&self, recorded: &RecordedEpisode) -> bool {
        self.hiding_of_turn(recorded).is_none()
    }

    /// Says what hides a turn from the view, if anything does.
    pub fn hiding_of_turn(&self, recorded: &RecordedEpisode) -> Option<Hiding> {
        let RecordedEpisode { episode, seq, .. } = recorded;
        self.hiding_of(episode.time, *seq, &episode.session)
    }

    pub(super) fn hiding_of(&self, known_at: Instant, seq: u64, session: &str) -> Option<Hiding> {
        let is_heard = self.sessions.as_ref().is_none_or(|sessions| sessions.contains(session));
        Hiding::of(known_at <= self.view.known, seq <= self.last_seq, is_heard)
    }

    /// Says whether the view sees that somebody took part in a turn.
    pub(super) fn sees_participation(&self, known_at: Instant, of: &Participation) -> bool {
        self.hiding_of(known_at, of.seq, &of.session).is_none()
    }

    /// Returns the last commit that the view sees.
    pub(super) fn last_seq(&self) -> u64 {
        self.last_seq
    }

    /// Returns the sessions that the view listens to; `None` for all.
    pub(super) fn sessions(&self) -> Option<&BTreeSet<String>> {
        self.sessions.as_ref()
    }

    /// Returns the sessions listened to; `None` for all.
    fn narrowed_sessions(&self) -> Result<Option<BTreeSet<String>>, StoreError> {
        let narrowing = &self.view.narrowing;
        let mut sessions: Option<BTreeSet<String>> =
            narrowing.session.clone().map(|one| BTreeSet::from([one]));
        for (part, name) in [(Part::Agent, &narrowing.agent), (Part::User, &narrowing.user)] {
            let Some(name) = name else { continue };
            let attended: BTreeSet<String> = self.attended(part, name)?.into_keys().collect();
            sessions = Some(match sessions {
                Some(sessions) => &sessions & &attended,
                None => attended,
            });
        }
        Ok(sessions)
    }

    /// Returns the sessions that somebody took part in, as far as the view knows, each with when that came to be known.
    fn attended(&self, part: Part, name: &str) -> Result<BTreeMap<String, Instant>, StoreError> {
        let snapshot = self.snapshot;
        let prefix = key::participant_prefix(snapshot.space, part, name);
        let mut sessions: BTreeMap<String, Instant> = BTreeMap::new();
        for pair in snapshot.reader.scan_prefix(Table::Participants, &prefix) {
            let (known_at, _, participation) = attended::row(&pair?)?;
            // In the order of time: what comes later than the view looks is followed by nothing that it sees.
            if known_at > self.view.known {
                break;
            }
            if participation.seq <= self.last_seq {
                sessions.entry(participation.session).or_insert(known_at);
            }
        }
        Ok(sessions)
    }

    /// Returns the known instants, in order, at which the view comes to see more than the statements made then: those
    /// of the statements of identity, and, where the view is narrowed to an agent or a user, those at which they are
    /// first known to take part in a session.
    ///
    /// From one of them until before the next, which entities are one stays the same in the views of what was known by
    /// each instant between, and every statement is seen from when it is known.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn turning_points(&self) -> Result<BTreeSet<Instant>, StoreError> {
        let mut instants = BTreeSet::new();
        for recorded in &*self.snapshot.identity_statements()? {
            if self.sees(recorded) {
                instants.insert(recorded.assertion.known_at);
            }
        }
        let narrowing = &self.view.narrowing;
        for (part, name) in [(Part::Agent, &narrowing.agent), (Part::User, &narrowing.user)] {
            let Some(name) = name else { continue };
            instants.extend(self.attended(part, name)?.into_values());
        }
        Ok(instants)
    }

    /// Says whether a statement that the view sees mentions the entity, as its subject or as its object.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn mentions(&self, entity: &EntityRef) -> Result<bool, StoreError> {
        for group in self.groups_with_subject(entity)? {
            if self.sees_any(group, |_| true)? {
                return Ok(true);
            }
        }
        let is_object = |assertion: &Assertion| {
            assertion.object.as_ref().is_some_and(|object| object.entity() == Some(entity))
        };
        for group in self.groups_with_object(entity)? {
            if self.sees_any(group, is_object)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Says whether the view sees one of the statements of a group that are meant. Reads no further than the first.
    fn sees_any(&self, group: GroupId, is_meant: impl Fn(&Assertion) -> bool) -> Result<bool, StoreError> {
        for chunk in history::chunks(&*self.snapshot.reader, group) {
            if chunk?.iter().any(|recorded| is_meant(&recorded.assertion) && self.sees(recorded)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn groups_with_subject(&self, subject: &EntityRef) -> Result<Vec<GroupId>, StoreError> {
        let prefix = key::subject_prefix(self.snapshot.space, subject.id());
        let rows = self.snapshot.reader.scan_prefix(Table::Groups, &prefix);
        rows.map(|pair| group::from_key(&pair?.0)).collect()
    }

    fn groups_with_object(&self, object: &EntityRef) -> Result<Vec<GroupId>, StoreError> {
        let prefix = key::object_prefix(self.snapshot.space, object.id());
        let rows = self.snapshot.reader.scan_prefix(Table::Objects, &prefix);
        rows.map(|pair| group::from_key(&pair?.0[prefix.len()..])).collect()
    }

    /// Returns the groups whose subject is the entity or one that is the same, by predicate and key.
    pub fn groups_of(&self, subject: &EntityRef) -> Result<Vec<GroupView>, StoreError> {
        let mut groups = Vec::new();
        for member in self.identity.members(subject) {
            groups.extend(self.groups_with_subject(&member)?);
        }
        let mut views = self.gather(groups)?;
        // Statements of identity stay with the entity that makes them.
        views.retain(|view| view.predicate != SAME_AS || view.subject == *subject);
        Ok(views)
    }

    /// Returns the groups that mention the entity, or one that is the same, as an object.
    pub fn groups_about(&self, object: &EntityRef) -> Result<Vec<GroupView>, StoreError> {
        let mut groups = Vec::new();
        for member in self.identity.members(object) {
            groups.extend(self.groups_with_object(&member)?);
        }
        // Statements about one object of a class are only part of a merged subject's group.
        let mut whole = Vec::new();
        for view in self.gather(groups)? {
            let of_subject = self.groups_of(&view.subject)?;
            whole.extend(
                of_subject.into_iter().filter(|g| g.predicate == view.predicate && g.key == view.key),
            );
        }
        whole.sort();
        whole.dedup();
        Ok(whole)
    }

    /// Returns the subjects of which a predicate was ever said with an entity, or one that is the same, as its object, in
    /// order. Whether the view believes it is another question.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn subjects_with(&self, predicate: &str, object: &EntityRef) -> Result<Vec<EntityRef>, StoreError> {
        let mut subjects = BTreeSet::new();
        for member in self.identity.members(object) {
            for group in self.groups_with_object(&member)? {
                let names = group::names(&*self.snapshot.reader, group)?;
                if names.predicate == predicate {
                    subjects.insert(self.identity.representative(&names.subject).clone());
                }
            }
        }
        Ok(subjects.into_iter().collect())
    }

    /// Returns every group of the space, by subject, predicate and key.
    pub fn groups(&self) -> Result<Vec<GroupView>, StoreError> {
        let rows = self.snapshot.reader.scan_prefix(Table::Groups, &key::space_prefix(self.snapshot.space));
        let groups = rows.map(|pair| group::from_key(&pair?.0)).collect::<Result<_, _>>()?;
        self.gather(groups)
    }

    /// Returns the group of a fact of the latest view.
    pub fn group_of_fact(&self, id: FactId) -> Result<Option<GroupView>, StoreError> {
        let Some(group) = self.snapshot.group_of_fact(id)? else {
            return Ok(None);
        };
        let GroupNames { subject, predicate, key } = group::names(&*self.snapshot.reader, group)?;
        let groups = self.groups_of(&subject)?;
        Ok(groups.into_iter().find(|view| view.predicate == predicate && view.key == key))
    }

    /// Brings groups whose subjects are one together.
    fn gather(&self, groups: Vec<GroupId>) -> Result<Vec<GroupView>, StoreError> {
        let mut gathered: BTreeMap<(EntityRef, String, String), BTreeSet<GroupId>> = BTreeMap::new();
        for group in groups {
            let GroupNames { subject, predicate, key } = group::names(&*self.snapshot.reader, group)?;
            let subject =
                if predicate == SAME_AS { subject } else { self.identity.representative(&subject).clone() };
            gathered.entry((subject, predicate, key)).or_default().insert(group);
        }
        Ok(gathered
            .into_iter()
            .map(|((subject, predicate, key), members)| GroupView {
                subject,
                predicate,
                key,
                members: members.into_iter().collect(),
            })
            .collect())
    }

    /// Returns the statements of a group that the view sees, in known order, with subjects and objects standing for
    /// their classes.
    pub fn statements(&self, group: &GroupView) -> Result<Vec<Recorded>, StoreError> {
        let mut statements = Vec::new();
        for &member in &group.members {
            statements.extend(history::load(&*self.snapshot.reader, member)?);
        }
        statements.retain(|recorded| self.sees(recorded));
        if group.members.len() > 1 {
            statements.sort_by_key(|recorded| (recorded.assertion.known_at, recorded.assertion.id));
        }
        self.stand_for_classes(group, &mut statements);
        Ok(statements)
    }

    /// Returns those statements of a group that have one of the ids, as [`Seen::statements`] returns them.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn statements_of(&self, group: &GroupView, ids: &[AssertionId]) -> Result<Vec<Recorded>, StoreError> {
        let mut statements = self.statements_by_id(ids)?;
        self.stand_for_classes(group, &mut statements);
        Ok(statements)
    }

    /// Lets what stands for their classes take the place of the subjects and objects of a group's statements.
    fn stand_for_classes(&self, group: &GroupView, statements: &mut [Recorded]) {
        if self.identity.is_trivial() || group.predicate == SAME_AS {
            return;
        }
        for Recorded { assertion, .. } in statements {
            assertion.subject = self.identity.representative(&assertion.subject).clone();
            if let Some(Object::Entity(object)) = &mut assertion.object {
                *object = self.identity.representative(object).clone();
            }
        }
    }

    /// Returns the facts of a group in the view, by start and then object.
    pub fn facts(&self, group: &GroupView) -> Result<Vec<Fact>, StoreError> {
        if let Some(member) = self.kept(group) {
            return group::current(&*self.snapshot.reader, member);
        }
        self.derived(group)
    }

    /// Returns the facts of a group in the view that overlap a period, by start and then object; undated ones aside. They cost
    /// the same however much was said before and after, as far as the rules of the predicate allow it.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn facts_over(&self, group: &GroupView, asked: Period) -> Result<Vec<Fact>, StoreError> {
        let reader = &*self.snapshot.reader;
        let meanings = self.snapshot.meanings.in_commit(self.last_seq);
        if let Some(member) = self.kept(group) {
            return group::current_over(reader, member, asked, meanings.holds_one(&group.predicate));
        }
        if let [member] = *group.members
            && self.sessions.is_none()
            && !self.touched.contains(&member)
        {
            let visible = Visible { known: self.view.known, last_seq: self.last_seq };
            let named = (member, group.predicate.as_str());
            if let Some(facts) = stretch::facts_over(reader, &**meanings, named, visible, asked)? {
                return Ok(facts);
            }
        }
        let mut facts = self.derived(group)?;
        facts.retain(|fact| fact.validity.period().is_some_and(|period| period.overlaps(asked)));
        Ok(facts)
    }

    /// Returns the facts of a group in the view that have an object, by start.
    pub fn facts_of(&self, group: &GroupView, object: ObjectKey) -> Result<Vec<Fact>, StoreError> {
        if let Some(member) = self.kept(group) {
            return group::current_of(&*self.snapshot.reader, member, object);
        }
        let mut facts = self.derived(group)?;
        facts.retain(|fact| fact.object.key() == object);
        Ok(facts)
    }

    /// Returns the facts of a group in the view that start last, as many as are wanted at most, by start and then object.
    pub fn last_facts(&self, group: &GroupView, n_wanted: usize) -> Result<Vec<Fact>, StoreError> {
        if let Some(member) = self.kept(group) {
            return group::current_last(&*self.snapshot.reader, member, n_wanted);
        }
        let mut facts = self.derived(group)?;
        Ok(facts.split_off(facts.len().saturating_sub(n_wanted)))
    }

    /// Returns the facts of a group in the view that start last, but not after an instant, as many as are wanted at most, by
    /// start and then object; undated ones aside.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn last_facts_by(
        &self,
        group: &GroupView,
        instant: Instant,
        n_wanted: usize,
    ) -> Result<Vec<Fact>, StoreError> {
        if let Some(member) = self.kept(group) {
            return group::current_last_by(&*self.snapshot.reader, member, instant, n_wanted);
        }
        let started = |fact: &Fact| fact.validity.period().is_some_and(|period| period.start() <= instant);
        let mut facts = self.derived(group)?;
        facts.retain(started);
        Ok(facts.split_off(facts.len().saturating_sub(n_wanted)))
    }

    /// Returns the group of a subject, or of what is the same, that has a predicate and a key; nothing where nothing was ever
    /// said of that.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn group(
        &self,
        subject: &EntityRef,
        predicate: &str,
        key: &str,
    ) -> Result<Option<GroupView>, StoreError> {
        let mut members = Vec::new();
        for member in self.identity.members(subject) {
            let group = GroupId::new(self.snapshot.space, member.id(), predicate, key);
            if self.snapshot.reader.read(Table::Groups, &group.to_key())?.is_some() {
                members.push(group);
            }
        }
        if members.is_empty() {
            return Ok(None);
        }
        let subject = match predicate {
            // Statements of identity stay with the entity that makes them.
            SAME_AS => subject,
            _ => self.identity.representative(subject),
        };
        let (subject, predicate, key) = (subject.clone(), predicate.to_owned(), key.to_owned());
        members.sort_unstable();
        Ok(Some(GroupView { subject, predicate, key, members }))
    }

    /// Returns the fact of a group that starts last, but not after an instant, whether or not it has ended by then; undated
    /// ones aside. Where the view's facts are kept it is one seek.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn last_fact_by(&self, group: &GroupView, instant: Instant) -> Result<Option<Fact>, StoreError> {
        if let Some(member) = self.kept(group) {
            return group::current_by(&*self.snapshot.reader, member, instant);
        }
        let started = |fact: &Fact| fact.validity.period().is_some_and(|period| period.start() <= instant);
        Ok(self.derived(group)?.into_iter().rfind(started))
    }

    /// Returns the statements of a group that the view sees and that were known at one instant, by id, as they were said.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn said_at(&self, group: &GroupView, known_at: Instant) -> Result<Vec<Recorded>, StoreError> {
        let mut said = Vec::new();
        for &member in &group.members {
            said.extend(history::known_at(&*self.snapshot.reader, member, known_at)?);
        }
        said.retain(|recorded| self.sees(recorded));
        Ok(said)
    }

    /// Says whether the facts of a group are kept as the view sees them, so that some of them cost less than all.
    pub fn keeps(&self, group: &GroupView) -> bool {
        self.kept(group).is_some()
    }

    /// Returns the group whose facts the current table holds, where those are the view's.
    fn kept(&self, group: &GroupView) -> Option<GroupId> {
        match *group.members {
            [member] if self.is_current && !self.touched.contains(&member) => Some(member),
            _ => None,
        }
    }

    fn derived(&self, group: &GroupView) -> Result<Vec<Fact>, StoreError> {
        let statements = self.statements(group)?;
        self.derive(group, &statements)
    }

    /// Derives what the given statements of a group amount to.
    ///
    /// # Errors
    /// [`StoreError::Interrupted`].
    pub fn derive(&self, group: &GroupView, statements: &[Recorded]) -> Result<Vec<Fact>, StoreError> {
        self.snapshot.store.interrupt.check()?;
        let counted: Vec<&Assertion> =
            statements.iter().map(|recorded| &recorded.assertion).filter(|a| a.counts()).collect();
        if counted.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.snapshot.meanings.in_commit(self.last_seq).derive(&group.predicate, &counted))
    }

    /// Returns every form that the facts of a group took while statements were added, batch after batch, in no order that
    /// means anything.
    ///
    /// # Errors
    /// [`StoreError::Interrupted`].
    pub fn forms(
        &self,
        group: &GroupView,
        batches: &[Vec<&Assertion>],
        told: Told,
    ) -> Result<Vec<Form>, StoreError> {
        let meanings = self.snapshot.meanings.in_commit(self.last_seq);
        meanings.forms(&group.predicate, batches, told, &mut || self.snapshot.store.interrupt.check())
    }

    /// Returns the id of a fact of a group.
    pub fn fact_id(&self, group: &GroupView, object: &Object, start: Option<Instant>) -> FactId {
        let names = (group.subject.id(), group.predicate.as_str(), group.key.as_str());
        FactId::new(self.snapshot.name, names, object.key(), start)
    }

    fn is_latest(&self) -> bool {
        self.view.known == Instant::DISTANT_FUTURE
            && self.view.recorded == RecordedAt::Latest
            && self.view.narrowing.is_none()
    }
}
