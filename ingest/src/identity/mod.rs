//! Who is meant: whether a name that is new in a space is another one of somebody known there, told turn by turn in the
//! order in which they are recorded.
//!
//! ```text
//! a turn's statements ──▶ names new in the space ──▶ candidates ([index]: spelling, alias, short form, beginning)
//!                     └─▶ what is [known] of each       │ without those at odds: another birthday, related, both speak
//!                                                       ▼
//!                             one left: `same_as`    several: `maybe_same`, and what was one before is denied
//! ```
//!
//! Nothing is rewritten: each decision is a statement of its own, inferred, with the rule as its extractor, recorded with
//! the turn that led to it. What anybody else says of two entities is left alone, and so are the names in statements that
//! come as data: who writes those says whom they mean.
//!
//! Invariant: what is decided depends on what the space knows and on the turn, so that an ingest that was cut off comes
//! to the same when it is run again. A name that becomes ambiguous is taken back, so that the order of the files does
//! not decide whose it is.

mod index;
mod known;
mod name;
mod nickname;
mod rule;

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::assertion::{Source, Span};
use bygone_engine::entity::fold_name;
use bygone_engine::identity::{MAYBE_SAME, SAME_AS};
use bygone_engine::record::Recorded;
use bygone_engine::time::{Bound, Instant, Moment, Period, Validity};
use bygone_engine::{
    Assertion, AssertionId, Authority, EntityRef, Episode, EpisodeId, Modality, Object, Polarity, Role,
    StoreError,
};
use bygone_ontology::Ontology;

use index::{Candidates, Index};
use known::{Decision, Known, Verdict};
use name::Name;
use rule::Rule;

/// Ambiguous names are told to be perhaps those of so many; of more, nothing is told.
const MOST_MAYBE: usize = 4;

/// What the space holds already.
pub(crate) trait Recall {
    /// Returns every name by which statements mention an entity, folded, its own and others.
    fn names(&self) -> Result<Vec<(String, EntityRef)>, StoreError>;
    /// Returns the statements that mention an entity.
    fn statements_mentioning(&self, entity: &EntityRef) -> Result<Vec<Recorded>, StoreError>;
    /// Says whether a turn is recorded.
    fn is_recorded(&self, episode: EpisodeId) -> Result<bool, StoreError>;
}

/// Decides who is meant in one space.
pub(crate) struct Resolver<'o> {
    ontology: &'o Ontology,
    index: Index,
    names: BTreeMap<EntityRef, Name>,
    /// Those of the names that the space held from the start.
    recalled: BTreeSet<EntityRef>,
    /// What is known of those that mattered so far.
    known: BTreeMap<EntityRef, Known>,
    /// Who goes by which other name.
    aliases: BTreeMap<String, BTreeSet<EntityRef>>,
    /// The document that is read, and in which sessions of it who speaks.
    document: usize,
    speakers: BTreeMap<EntityRef, BTreeSet<String>>,
}

/// The words that a decision rests on.
#[derive(Clone, Copy)]
struct Words<'t> {
    turn: &'t Episode,
    span: Option<Span>,
}

impl<'o> Resolver<'o> {
    /// Learns the names of the space.
    pub(crate) fn new(ontology: &'o Ontology, recall: &dyn Recall) -> Result<Resolver<'o>, StoreError> {
        let mut resolver = Resolver {
            ontology,
            index: Index::default(),
            names: BTreeMap::new(),
            recalled: BTreeSet::new(),
            known: BTreeMap::new(),
            aliases: BTreeMap::new(),
            document: 0,
            speakers: BTreeMap::new(),
        };
        for (folded, entity) in recall.names()? {
            let Some(name) = Name::of(&entity) else { continue };
            if folded != fold_name(entity.name()) {
                resolver.aliases.entry(folded).or_default().insert(entity.clone());
            }
            if resolver.recalled.insert(entity.clone()) {
                resolver.index.add(&entity, &name);
                resolver.names.insert(entity, name);
            }
        }
        Ok(resolver)
    }

    /// Takes in a turn and what it states; returns what is now decided of who is who.
    pub(crate) fn hear(
        &mut self,
        document: usize,
        turn: &Episode,
        assertions: &[Assertion],
        recall: &dyn Recall,
    ) -> Result<Vec<Assertion>, StoreError> {
        let mut decided = Vec::new();
        if let Some(speaker) = &turn.speaker {
            self.speaks(document, turn, speaker, recall, &mut decided)?;
        }
        let mut new: Vec<(EntityRef, Option<Span>)> = Vec::new();
        let mut told: Vec<(EntityRef, Option<Span>)> = Vec::new();
        let mut is_checked = false;
        for assertion in assertions {
            let object = assertion.object.as_ref().and_then(Object::entity);
            for entity in std::iter::once(&assertion.subject).chain(object) {
                if !self.names.contains_key(entity) {
                    let Some(name) = Name::of(entity) else { continue };
                    // A turn that is recorded is passed over with all it says, and so are its names.
                    if !is_checked && recall.is_recorded(turn.id)? {
                        return Ok(decided);
                    }
                    is_checked = true;
                    self.names.insert(entity.clone(), name);
                    new.push((entity.clone(), assertion.source.span));
                }
                self.load(entity, recall)?;
                let known = self.known.entry(entity.clone()).or_default();
                known.hear(entity, assertion, self.ontology);
                for alias in &known.aliases {
                    self.aliases.entry(fold_name(alias)).or_default().insert(entity.clone());
                }
                told.push((entity.clone(), assertion.source.span));
            }
        }
        if turn.role == Role::Statement {
            for (entity, _) in &new {
                self.index.add(entity, &self.names[entity]);
            }
            return Ok(Vec::new());
        }
        for (entity, span) in &told {
            self.part(entity, Words { turn, span: *span }, recall, &mut decided)?;
        }
        for (entity, span) in &new {
            let name = self.names[entity].clone();
            self.index.add(entity, &name);
            let words = Words { turn, span: *span };
            self.settle(entity, words, recall, &mut decided)?;
            for other in self.index.affected(&name) {
                if other != *entity {
                    self.settle(&other, words, recall, &mut decided)?;
                }
            }
        }
        for (entity, span) in &told {
            self.called(entity, Words { turn, span: *span }, recall, &mut decided)?;
        }
        Ok(decided)
    }

    /// Makes sure that what the space holds of an entity is known.
    fn load(&mut self, entity: &EntityRef, recall: &dyn Recall) -> Result<(), StoreError> {
        if !self.known.contains_key(entity) {
            let mut known = Known::default();
            if self.recalled.contains(entity) {
                for recorded in recall.statements_mentioning(entity)? {
                    known.hear(entity, &recorded.assertion, self.ontology);
                }
            }
            self.known.insert(entity.clone(), known);
        }
        Ok(())
    }

    /// Notes who speaks in a session: two speakers are two people.
    fn speaks(
        &mut self,
        document: usize,
        turn: &Episode,
        speaker: &EntityRef,
        recall: &dyn Recall,
        decided: &mut Vec<Assertion>,
    ) -> Result<(), StoreError> {
        if document != self.document {
            self.document = document;
            self.speakers.clear();
        }
        if self.speakers.get(speaker).is_some_and(|sessions| sessions.contains(&turn.session)) {
            return Ok(());
        }
        self.speakers.entry(speaker.clone()).or_default().insert(turn.session.clone());
        // What was decided of two stands with both: only of this one can anything have changed.
        self.part(speaker, Words { turn, span: None }, recall, decided)
    }

    /// Takes back that an entity is the same as others with which it turned out to be at odds.
    fn part(
        &mut self,
        entity: &EntityRef,
        words: Words<'_>,
        recall: &dyn Recall,
        decided: &mut Vec<Assertion>,
    ) -> Result<(), StoreError> {
        let Some(known) = self.known.get(entity) else { return Ok(()) };
        let joined = known
            .decisions
            .iter()
            .filter(|(_, decision)| decision.is_own && decision.verdict == Verdict::Same);
        let joined: Vec<EntityRef> = joined.map(|(other, _)| other.clone()).collect();
        for other in joined {
            if let Some(rule) = self.at_odds(entity, &other, recall)? {
                self.decide(entity, &other, Verdict::Apart, rule, words, decided);
            }
        }
        Ok(())
    }

    /// Returns the rule that keeps two entities apart.
    fn at_odds(
        &mut self,
        one: &EntityRef,
        other: &EntityRef,
        recall: &dyn Recall,
    ) -> Result<Option<&'static Rule>, StoreError> {
        self.load(one, recall)?;
        self.load(other, recall)?;
        let (known, of_other) = (&self.known[one], &self.known[other]);
        let sessions = |speaker: &EntityRef| self.speakers.get(speaker);
        let both_speak = sessions(one).zip(sessions(other)).is_some_and(|(one, other)| {
            let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
            fewer.iter().any(|session| more.contains(session))
        });
        let gender = |entity: &EntityRef| self.names.get(entity).and_then(|name| name.gender);
        let honorifics_differ =
            matches!((gender(one), gender(other)), (Some(one), Some(other)) if one != other);
        Ok(known
            .at_odds(of_other, other)
            .or_else(|| of_other.at_odds(known, one))
            .or_else(|| honorifics_differ.then_some(&rule::HONORIFIC))
            .or_else(|| both_speak.then_some(&rule::SPEAKERS)))
    }

    /// Decides who a name is another one of, by what the space knows now.
    fn settle(
        &mut self,
        entity: &EntityRef,
        words: Words<'_>,
        recall: &dyn Recall,
        decided: &mut Vec<Assertion>,
    ) -> Result<(), StoreError> {
        let Some(name) = self.names.get(entity).cloned() else { return Ok(()) };
        let spelt_alike = self.index.spelt_alike(entity, &name);
        let joined = self.fitting(entity, spelt_alike, recall)?;
        if let Some((first, rule)) = joined.first_key_value() {
            self.decide(entity, first, Verdict::Same, rule, words, decided);
        }
        let mut bearers = self.bearers(entity);
        if bearers.is_empty() {
            bearers = self.index.in_full(&name);
        }
        bearers.remove(entity);
        bearers.retain(|other, _| !joined.contains_key(other));
        let candidates = self.fitting(entity, bearers, recall)?;
        self.choose(entity, &candidates, words, recall, decided)?;
        if joined.is_empty() && candidates.is_empty() {
            let misspelt = self.index.misspelt_things(entity, &name);
            for (other, rule) in self.fitting(entity, misspelt, recall)?.iter().take(MOST_MAYBE) {
                self.decide(entity, other, Verdict::Maybe, rule, words, decided);
            }
        }
        Ok(())
    }

    /// Decides whose other name it is that somebody goes by, where that is somebody's name by itself.
    fn called(
        &mut self,
        entity: &EntityRef,
        words: Words<'_>,
        recall: &dyn Recall,
        decided: &mut Vec<Assertion>,
    ) -> Result<(), StoreError> {
        let aliases: Vec<String> =
            self.known.get(entity).into_iter().flat_map(|known| known.aliases.clone()).collect();
        for alias in aliases {
            let Ok(other) = EntityRef::new(entity.kind(), &alias) else { continue };
            if other != *entity && self.names.contains_key(&other) {
                self.settle(&other, words, recall, decided)?;
            }
        }
        Ok(())
    }

    /// Returns those who go by the name of an entity, as was told.
    fn bearers(&self, entity: &EntityRef) -> Candidates {
        let folded = fold_name(entity.name());
        let told = self.aliases.get(&folded).into_iter().flatten();
        let is_bearer = |other: &&EntityRef| {
            *other != entity && other.kind() == entity.kind() && fold_name(other.name()) != folded
        };
        told.filter(is_bearer).map(|other| (other.clone(), &rule::ALIAS)).collect()
    }

    /// Leaves out of candidates those that an entity is at odds with, or of whom others said that they are not it.
    fn fitting(
        &mut self,
        entity: &EntityRef,
        candidates: Candidates,
        recall: &dyn Recall,
    ) -> Result<Candidates, StoreError> {
        let mut fitting = Candidates::new();
        for (other, rule) in candidates {
            if self.at_odds(entity, &other, recall)?.is_some() {
                continue;
            }
            let decision = self.known[entity].decisions.get(&other);
            if !decision.is_some_and(|decision| !decision.is_own && decision.verdict == Verdict::Apart) {
                fitting.insert(other, rule);
            }
        }
        Ok(fitting)
    }

    /// Joins an entity with the one candidate there is; of several, says that it may be each.
    fn choose(
        &mut self,
        entity: &EntityRef,
        candidates: &Candidates,
        words: Words<'_>,
        recall: &dyn Recall,
        decided: &mut Vec<Assertion>,
    ) -> Result<(), StoreError> {
        let Some((first, rule)) = candidates.first_key_value() else {
            return Ok(());
        };
        let class = self.class(first, recall)?;
        if candidates.keys().all(|other| class.contains(other)) {
            if !class.contains(entity) {
                self.decide(entity, first, Verdict::Same, rule, words, decided);
            }
            return Ok(());
        }
        // Whom it was taken for before may be one of several now.
        let before = &self.known[entity].decisions;
        let taken: Vec<EntityRef> = before
            .iter()
            .filter(|(_, decision)| decision.is_own && decision.verdict == Verdict::Same)
            .map(|(other, _)| other.clone())
            .collect();
        for other in taken {
            let is_spelling =
                self.names.get(&other).map(|name| &name.key) == self.names.get(entity).map(|name| &name.key);
            if !is_spelling {
                self.decide(entity, &other, Verdict::Apart, &rule::AMBIGUOUS, words, decided);
            }
        }
        if candidates.len() <= MOST_MAYBE {
            for other in candidates.keys() {
                self.decide(entity, other, Verdict::Maybe, &rule::AMBIGUOUS, words, decided);
            }
        }
        Ok(())
    }

    /// Returns the entities that are decided to be one with this one, itself included.
    fn class(&mut self, entity: &EntityRef, recall: &dyn Recall) -> Result<BTreeSet<EntityRef>, StoreError> {
        let mut class = BTreeSet::new();
        let mut next = vec![entity.clone()];
        while let Some(member) = next.pop() {
            self.load(&member, recall)?;
            let same = self.known[&member]
                .decisions
                .iter()
                .filter(|(_, decision)| decision.verdict == Verdict::Same);
            next.extend(same.map(|(other, _)| other.clone()).filter(|other| !class.contains(other)));
            class.insert(member);
        }
        Ok(class)
    }

    /// Records a decision, unless it is decided already, or others decided it.
    fn decide(
        &mut self,
        one: &EntityRef,
        other: &EntityRef,
        verdict: Verdict,
        rule: &'static Rule,
        words: Words<'_>,
        decided: &mut Vec<Assertion>,
    ) {
        let before = self.known.get(one).and_then(|known| known.decisions.get(other)).copied();
        if before.is_some_and(|before| before.verdict == verdict || !before.is_own) {
            return;
        }
        // That two are not one is only worth saying where it was said that they are.
        let was_same = before.is_some_and(|before| before.verdict == Verdict::Same);
        if verdict == Verdict::Apart && !was_same {
            return;
        }
        let first = |entity: &EntityRef| self.known.get(entity).and_then(|known| known.first);
        let (of_one, of_other) = (first(one), first(other));
        let mentions = of_one.into_iter().chain(of_other);
        let mut known_at = mentions.clone().map(|(at, _)| at).fold(words.turn.time, Instant::max);
        if let Some(before) = before {
            known_at = known_at.max(before.known_at.next());
        }
        let mut context: Vec<EpisodeId> =
            mentions.map(|(_, id)| id).filter(|id| *id != words.turn.id).collect();
        context.sort_unstable();
        context.dedup();
        let (subject, object) = if one <= other { (one, other) } else { (other, one) };
        let mut say = |predicate: &str, polarity: Polarity, rule: &Rule, known_at: Instant| {
            let statement =
                Statement { subject, object, predicate, polarity, rule, known_at, context: context.clone() };
            decided.push(statement.into_assertion(words));
        };
        match verdict {
            Verdict::Same => say(SAME_AS, Polarity::Affirm, rule, known_at),
            Verdict::Apart => say(SAME_AS, Polarity::Deny, rule, known_at),
            Verdict::Maybe => {
                if was_same {
                    say(SAME_AS, Polarity::Deny, rule, known_at);
                    known_at = known_at.next();
                }
                say(MAYBE_SAME, Polarity::Affirm, rule, known_at);
            }
        }
        let decision = Decision { verdict, known_at, is_own: true };
        for (entity, about) in [(one, other), (other, one)] {
            self.known.entry(entity.clone()).or_default().decide(about, decision);
        }
    }
}

/// A decision that becomes a statement.
struct Statement<'a> {
    subject: &'a EntityRef,
    object: &'a EntityRef,
    predicate: &'a str,
    polarity: Polarity,
    rule: &'a Rule,
    known_at: Instant,
    context: Vec<EpisodeId>,
}

impl Statement<'_> {
    fn into_assertion(self, Words { turn, span }: Words<'_>) -> Assertion {
        let from = Moment::instant(self.known_at);
        let open = Period::new(Bound::At(from), Bound::Open).expect("an instant comes before an open end");
        Assertion {
            id: AssertionId::UNHASHED,
            subject: self.subject.clone(),
            predicate: self.predicate.to_owned(),
            key: String::new(),
            object: Some(Object::Entity(self.object.clone())),
            polarity: self.polarity,
            validity: Validity::Over(open),
            sure_until: (self.polarity == Polarity::Affirm).then_some(from),
            modality: Modality::Actual,
            authority: Authority::Inferred,
            confidence: self.rule.confidence,
            known_at: self.known_at,
            source: Source {
                document: turn.session.clone(),
                position: turn.position,
                span,
                episode: turn.id,
                context: self.context,
                asserter: None,
                session: turn.session.clone(),
                agent: turn.agent.clone(),
                user: turn.user.clone(),
                zone: turn.zone.clone(),
            },
            extractor: self.rule.name.to_owned(),
            derived_from: Vec::new(),
        }
        .with_content_id()
    }
}
