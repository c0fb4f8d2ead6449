//! Which questions a world is asked: about instants at which answers change, and the ones right before them.
//!
//! Instants are chosen by what the oracle holds, so that every boundary of belief may be asked about. Of conclusions as
//! many are asked that stand as fall, as far as both can be had: after what they stand on changed, and after something
//! beside it did.

use std::collections::BTreeMap;

use bygone_engine::time::Instant;

use super::oracle::{Asked, Oracle};
use super::question::{Answer, Ask, Kind, Question, Standing};
use super::telling::{Form, Telling, Topic};
use super::world::{CONCLUDED, CONCLUDER, Conclusion, Event, Stated, World};
use crate::belief::splitmix::Random;

/// A second, in microseconds: how long before a boundary is asked.
const SECOND: i64 = 1_000_000;

/// A question with its right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posed {
    /// The question.
    pub question: Question,
    /// What is right.
    pub expected: Answer,
}

/// The questions of a world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// Those asked once all was told.
    pub told: Vec<Posed>,
    /// Of each turn, what was so at its time as known before it, and as known by it.
    pub closings: Vec<[Posed; 2]>,
    /// Those asked once a session was erased.
    pub erased: Vec<Posed>,
}

/// Returns the questions of a world, and what is right.
pub fn questions(world: &World, said: &[Stated]) -> Questions {
    let told = Oracle::new(said);
    let mut erased = told.clone();
    erased.erase(&world.erased);
    let groups = groups(world, &told);
    let mut asking = Asking {
        world,
        oracle: &told,
        random: Random::new(world.seed ^ 0xa5_4ed0),
        next_id: 1,
        posed: Vec::new(),
    };
    for group in &groups {
        asking.about(group, &groups);
    }
    for conclusion in conclusions(world) {
        asking.about_standing(conclusion, &groups);
    }
    asking.about_names(&groups);
    let told = std::mem::take(&mut asking.posed);
    let closings = groups.iter().flat_map(|group| asking.closings(group)).collect();
    asking.oracle = &erased;
    asking.about_erased(&groups);
    Questions { told, closings, erased: asking.posed }
}

/// A subject with what is told of it under one topic.
struct Group<'a> {
    subject: String,
    topic: Topic,
    tellings: Vec<&'a Telling>,
    /// The instants at which what holds changes in some view, each behind the second before it, and the end.
    valid: Vec<Instant>,
}

impl Group<'_> {
    fn asked(&self) -> Asked<'_> {
        Asked { subject: &self.subject, predicate: self.topic.predicate(), key: "" }
    }

    fn objects(&self) -> Vec<&str> {
        let mut objects: Vec<&str> =
            self.tellings.iter().flat_map(|telling| telling.form.objects()).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// The instants at which something was told, each behind the second before it.
    fn known_instants(&self) -> Vec<Instant> {
        let told = self.tellings.iter().map(|telling| telling.time.instant());
        told.flat_map(|instant| [instant.plus_micros(-SECOND), instant]).collect()
    }
}

fn groups<'a>(world: &'a World, oracle: &Oracle) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(String, Topic), Vec<&Telling>> = BTreeMap::new();
    for event in &world.events {
        let Event::Session(session) = event else { continue };
        for telling in &session.tellings {
            if !matches!(telling.form, Form::Alias(_)) {
                let group = (format!("person:{}", telling.speaker), telling.topic);
                groups.entry(group).or_default().push(telling);
            }
        }
    }
    let whole = |((subject, topic), tellings)| {
        let mut group = Group { subject, topic, tellings, valid: Vec::new() };
        group.valid = valid_instants(world, oracle, &group);
        group
    };
    groups.into_iter().map(whole).collect()
}

fn valid_instants(world: &World, oracle: &Oracle, group: &Group<'_>) -> Vec<Instant> {
    let mut instants = vec![world.end.instant()];
    let views = group.tellings.iter().map(|telling| telling.time.instant());
    for known in views.chain([Instant::DISTANT_FUTURE]) {
        for (_, from, to) in oracle.held(group.asked(), known) {
            let bounds = [from, to].into_iter().filter(|bound| bound.is_ordinary());
            instants.extend(bounds.flat_map(|bound| [bound.plus_micros(-SECOND), bound]));
        }
    }
    instants.sort_unstable();
    instants.dedup();
    instants
}

fn conclusions(world: &World) -> impl Iterator<Item = &Conclusion> {
    world.events.iter().filter_map(|event| match event {
        Event::Conclusion(conclusion) => Some(conclusion),
        Event::Session(_) => None,
    })
}

struct Asking<'a> {
    world: &'a World,
    oracle: &'a Oracle,
    random: Random,
    next_id: u64,
    posed: Vec<Posed>,
}

impl Asking<'_> {
    /// Asks what is so, what was taken to be so, when that was learned, and what changed.
    fn about(&mut self, group: &Group<'_>, groups: &[Group<'_>]) {
        let (asked, valid, known) = (group.asked(), &group.valid, group.known_instants());
        for _ in 0..3 {
            let at = *self.random.one_of(valid);
            self.holds(Kind::ValidTime, asked, at, None);
            let at = *self.random.one_of(&known);
            self.holds(Kind::KnownTime, asked, at, Some(at));
        }
        for _ in 0..4 {
            let (valid, known) = (*self.random.one_of(valid), *self.random.one_of(&known));
            self.holds(Kind::BothClocks, asked, valid, Some(known));
        }
        let objects = group.objects();
        for _ in 0..2 {
            let object = *self.random.one_of(&objects);
            self.learned(Kind::Learned, asked, object);
        }
        // What somebody else said of themselves.
        if self.random.chance(25) {
            let others: Vec<&str> = groups
                .iter()
                .filter(|other| other.topic == group.topic && other.subject != group.subject)
                .flat_map(Group::objects)
                .collect();
            let object = *self.random.one_of(&others);
            self.learned(Kind::Learned, asked, object);
        }
        for _ in 0..2 {
            let (one, other) = (*self.random.one_of(&known), *self.random.one_of(&known));
            self.difference(asked, one.min(other), one.max(other));
        }
    }

    /// Asks whether a conclusion stands, where it does and where it does not.
    fn about_standing(&mut self, conclusion: &Conclusion, groups: &[Group<'_>]) {
        let made = conclusion.time.instant();
        let asked = Asked { subject: CONCLUDER, predicate: CONCLUDED, key: &conclusion.key };
        let mut valid = vec![made, self.world.end.instant()];
        // What it stands on, and what is told of the same person or under the same topic beside it.
        for group in groups {
            let is_near = conclusion.key.contains(group.subject.trim_start_matches("person:"));
            if is_near || self.random.chance(25) {
                valid.extend(group.valid.iter().copied().filter(|at| *at > made));
            }
        }
        let later = groups.iter().flat_map(Group::known_instants).filter(|known| *known > made);
        let known: Vec<Option<Instant>> = [None, Some(made)].into_iter().chain(later.map(Some)).collect();
        let mut by_standing: BTreeMap<Standing, Vec<(Instant, Option<Instant>)>> = BTreeMap::new();
        for at in valid {
            for known in [None, *self.random.one_of(&known)] {
                let standing = self.oracle.stands(asked, at, known.unwrap_or(Instant::DISTANT_FUTURE));
                by_standing.entry(standing).or_default().push((at, known));
            }
        }
        let either = [Standing::Fresh, Standing::Stale];
        let n_each = if either.iter().all(|standing| by_standing.contains_key(standing)) { 3 } else { 1 };
        for places in either.iter().filter_map(|standing| by_standing.get(standing)) {
            for _ in 0..n_each {
                let (at, known) = *self.random.one_of(places);
                self.stands(Kind::Staleness, asked, at, known);
            }
        }
        if self.random.chance(20) {
            self.stands(Kind::Staleness, asked, self.world.end.instant(), Some(made.plus_micros(-SECOND)));
        }
    }

    /// Asks about somebody who changed their name, by both names, before and after it was told, and about the one who has
    /// the former family name.
    fn about_names(&mut self, groups: &[Group<'_>]) {
        let Some(person) = self.world.people.iter().find(|person| person.former.is_some()) else { return };
        let names = [&person.name, person.former.as_ref().unwrap_or(&person.name)];
        let subjects = names.map(|name| format!("person:{name}"));
        let namesake = format!("person:{}", self.world.people[1].name);
        let told = self.world.events.iter().find_map(|event| match event {
            Event::Session(session) => {
                let told = |telling: &&Telling| matches!(telling.form, Form::Alias(_));
                session.tellings.iter().find(told).map(|telling| telling.time.instant())
            }
            Event::Conclusion(_) => None,
        });
        let Some(told) = told else { return };
        for group in groups.iter().filter(|group| subjects.contains(&group.subject)) {
            let valid = &group.valid;
            for subject in &subjects {
                let asked = Asked { subject, ..group.asked() };
                for known in [Some(told.plus_micros(-SECOND)), Some(told), None] {
                    let at = *self.random.one_of(valid);
                    self.holds(Kind::Identity, asked, at, known);
                }
                let objects = group.objects();
                let object = *self.random.one_of(&objects);
                self.learned(Kind::Identity, asked, object);
            }
            if let Some(other) =
                groups.iter().find(|other| other.subject == namesake && other.topic == group.topic)
            {
                let at = *self.random.one_of(&other.valid);
                self.holds(Kind::Identity, other.asked(), at, None);
            }
        }
    }

    /// Asks, of each turn, what it closed.
    fn closings(&mut self, group: &Group<'_>) -> Vec<[Posed; 2]> {
        let mut closings = Vec::new();
        for telling in &group.tellings {
            let at = telling.time.instant();
            closings.push([at.plus_micros(-SECOND), at].map(|known| {
                self.holds(Kind::Closing, group.asked(), at, Some(known));
                self.posed.pop().expect("no two turns of a group are at one time")
            }));
        }
        closings
    }

    /// Asks about what the erased session told of, and a little about everything else.
    fn about_erased(&mut self, groups: &[Group<'_>]) {
        for group in groups {
            let is_touched = group.tellings.iter().any(|telling| telling.session == self.world.erased);
            let (valid, known) = (&group.valid, group.known_instants());
            for _ in 0..if is_touched { 4 } else { 1 } {
                let at = *self.random.one_of(valid);
                self.holds(Kind::Erasure, group.asked(), at, None);
            }
            if is_touched {
                for _ in 0..3 {
                    let (valid, known) = (*self.random.one_of(valid), *self.random.one_of(&known));
                    self.holds(Kind::Erasure, group.asked(), valid, Some(known));
                }
                for object in group.objects() {
                    self.learned(Kind::Erasure, group.asked(), object);
                }
            }
        }
        for conclusion in conclusions(self.world) {
            let asked = Asked { subject: CONCLUDER, predicate: CONCLUDED, key: &conclusion.key };
            if self.random.chance(50) {
                self.stands(Kind::Erasure, asked, conclusion.time.instant(), None);
            }
        }
    }

    fn holds(&mut self, kind: Kind, asked: Asked<'_>, valid: Instant, known: Option<Instant>) {
        let objects = self.oracle.holds(asked, valid, known.unwrap_or(Instant::DISTANT_FUTURE));
        let ask = Ask::Holds { valid: valid.to_rfc3339(), known: known.map(Instant::to_rfc3339) };
        self.pose(kind, asked, ask, Answer::Objects { objects });
    }

    fn learned(&mut self, kind: Kind, asked: Asked<'_>, object: &str) {
        let at = self.oracle.learned(asked, object).map(Instant::to_rfc3339);
        self.pose(kind, asked, Ask::Learned { object: object.to_owned() }, Answer::At { at });
    }

    fn difference(&mut self, asked: Asked<'_>, before: Instant, after: Instant) {
        let (gained, lost) = self.oracle.difference(asked, before, after);
        let ask = Ask::Difference { before: before.to_rfc3339(), after: after.to_rfc3339() };
        self.pose(Kind::Difference, asked, ask, Answer::Difference { gained, lost });
    }

    fn stands(&mut self, kind: Kind, asked: Asked<'_>, valid: Instant, known: Option<Instant>) {
        let stands = self.oracle.stands(asked, valid, known.unwrap_or(Instant::DISTANT_FUTURE));
        let ask = Ask::Stands { valid: valid.to_rfc3339(), known: known.map(Instant::to_rfc3339) };
        self.pose(kind, asked, ask, Answer::Standing { stands });
    }

    /// Poses a question unless the same was posed before.
    fn pose(&mut self, kind: Kind, asked: Asked<'_>, ask: Ask, expected: Answer) {
        let question = Question {
            id: self.next_id,
            kind,
            subject: asked.subject.to_owned(),
            predicate: asked.predicate.to_owned(),
            key: asked.key.to_owned(),
            ask,
        };
        let is_posed = |posed: &Posed| Question { id: question.id, ..posed.question.clone() } == question;
        if !self.posed.iter().any(is_posed) {
            self.next_id += 1;
            self.posed.push(Posed { question, expected });
        }
    }
}
