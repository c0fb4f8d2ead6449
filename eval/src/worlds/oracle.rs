//! What is right: answers from what a world's statements amount to by the contract, instant by instant.
//!
//! It asks the naive model of [`crate::belief`], which shares no rule with the store, and has its own walk over premises,
//! its own first instant of belief and its own difference of two beliefs. It holds the statements as they were meant, and
//! never reads a transcript.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::{Instant, format_instant};
use bygone_engine::{Assertion, AssertionId, Basis, EntityRef, Object, Polarity, View};
use bygone_ontology::{Cardinality, Definition, TemporalKind};

use super::question::{Held, Standing};
use super::telling::Topic;
use super::world::{CONCLUDED, Stated};
use crate::belief::classes::SAME_AS;
use crate::belief::random::definition;
use crate::belief::{Recorded, Stretch, classes, holding_at, mapped, representative, segments, visible};

/// What is asked about: a subject as `type:Name`, a predicate and a key.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Whose.
    pub subject: &'a str,
    /// Which predicate.
    pub predicate: &'a str,
    /// Which of several parallel values; empty where there is one.
    pub key: &'a str,
}

/// The statements of a world, and what they amount to.
#[derive(Clone, Debug)]
pub struct Oracle {
    log: Vec<Recorded>,
}

impl Oracle {
    /// Takes statements to be all that was ever said.
    pub fn new(said: &[Stated]) -> Oracle {
        let recorded = |(seq, stated): (u64, &Stated)| Recorded {
            seq,
            at: stated.assertion.known_at,
            assertion: stated.assertion.clone(),
        };
        Oracle { log: (1..).zip(said).map(recorded).collect() }
    }

    /// Forgets a session, and what was concluded from what was said in it, on and on.
    pub fn erase(&mut self, session: &str) {
        let mut gone: BTreeSet<AssertionId> = BTreeSet::new();
        loop {
            let is_gone = |recorded: &Recorded| {
                recorded.assertion.source.session == session
                    || recorded.assertion.derived_from.iter().any(|premise| gone.contains(premise))
            };
            let (erased, left): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.log).into_iter().partition(is_gone);
            self.log = left;
            if erased.is_empty() {
                return;
            }
            gone.extend(erased.into_iter().map(|recorded| recorded.assertion.id));
        }
    }

    /// Returns the objects that hold at an instant, as known by another, by name in order.
    pub fn holds(&self, asked: Asked<'_>, valid: Instant, known: Instant) -> Vec<String> {
        let group = self.group(asked, known);
        let holding = holding_at(&meaning(asked.predicate), &group.iter().collect::<Vec<_>>(), valid);
        let names: BTreeSet<String> = holding.iter().map(|(object, _)| name(object)).collect();
        names.into_iter().collect()
    }

    /// Returns the periods of each object, as known by an instant, by start.
    pub fn held(&self, asked: Asked<'_>, known: Instant) -> Vec<(String, Instant, Instant)> {
        let group = self.group(asked, known);
        let mut held: BTreeMap<String, Vec<(Instant, Instant)>> = BTreeMap::new();
        let stretches: Vec<Stretch> = segments(&meaning(asked.predicate), &group.iter().collect::<Vec<_>>());
        for (object, from, to, basis) in stretches {
            debug_assert!(matches!(basis, Basis::Stated | Basis::Presumed));
            held.entry(name(&object)).or_default().push((from, to));
        }
        let mut periods: Vec<(String, Instant, Instant)> = Vec::new();
        for (object, stretches) in held {
            periods.extend(joined(stretches).into_iter().map(|(from, to)| (object.clone(), from, to)));
        }
        periods.sort_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)));
        periods
    }

    /// Returns the first known instant at which an object was believed at any time.
    pub fn learned(&self, asked: Asked<'_>, object: &str) -> Option<Instant> {
        let bears = |said: &Assertion| said.predicate == asked.predicate || said.predicate == SAME_AS;
        let said = self.log.iter().map(|recorded| &recorded.assertion).filter(|said| bears(said));
        let instants: BTreeSet<Instant> = said.map(|said| said.known_at).collect();
        instants.into_iter().find(|known| self.held(asked, *known).iter().any(|(held, _, _)| held == object))
    }

    /// Returns where objects came to hold and where they ceased to, from one known instant to another.
    pub fn difference(&self, asked: Asked<'_>, before: Instant, after: Instant) -> (Vec<Held>, Vec<Held>) {
        let (before, after) = (self.held(asked, before), self.held(asked, after));
        (without(&after, &before), without(&before, &after))
    }

    /// Says how a conclusion stands at an instant, as known by another.
    pub fn stands(&self, asked: Asked<'_>, valid: Instant, known: Instant) -> Standing {
        if self.holds(asked, valid, known).is_empty() {
            return Standing::None;
        }
        let group = self.group(asked, known);
        let is_firm = |made: &Assertion| made.derived_from.iter().all(|id| self.is_firm(*id, valid, known));
        if group.iter().filter(|made| made.polarity == Polarity::Affirm).any(is_firm) {
            Standing::Fresh
        } else {
            Standing::Stale
        }
    }

    /// Says whether a premise is known, what it says holds at the instant, and what it stands on does.
    fn is_firm(&self, premise: AssertionId, valid: Instant, known: Instant) -> bool {
        let mut reached = self.log.iter().filter(|recorded| recorded.assertion.known_at <= known);
        let Some(Recorded { assertion, .. }) = reached.find(|recorded| recorded.assertion.id == premise)
        else {
            return false;
        };
        let subject = assertion.subject.to_string();
        let asked = Asked { subject: &subject, predicate: &assertion.predicate, key: &assertion.key };
        let object = assertion.object.as_ref().map(name).unwrap_or_default();
        self.holds(asked, valid, known).contains(&object)
            && assertion.derived_from.iter().all(|id| self.is_firm(*id, valid, known))
    }

    /// Returns the statements of a group as known by an instant, entities replaced by what stands for them.
    fn group(&self, asked: Asked<'_>, known: Instant) -> Vec<Assertion> {
        let seen = visible(&self.log, &View::known_at(known));
        let classes = classes(&seen);
        let Ok(subject) = EntityRef::parse(asked.subject) else { return Vec::new() };
        let subject = representative(&classes, &subject);
        let said = seen.iter().filter(|said| said.predicate == asked.predicate && said.key == asked.key);
        said.map(|said| mapped(&classes, said)).filter(|said| said.subject == subject).collect()
    }
}

/// What a predicate of a world means.
fn meaning(predicate: &str) -> Definition {
    let is_project = predicate == Topic::Project.predicate();
    debug_assert!(predicate == CONCLUDED || Topic::ALL.iter().any(|topic| topic.predicate() == predicate));
    let cardinality = if is_project { Cardinality::Many } else { Cardinality::One };
    definition(predicate, TemporalKind::State, cardinality)
}

/// Returns what an object is called.
pub fn name(object: &Object) -> String {
    match object {
        Object::Entity(entity) => entity.name().to_owned(),
        Object::Text(text) => text.clone(),
        other => other.canonical(),
    }
}

/// Joins periods of one object that touch or overlap.
pub fn joined(mut periods: Vec<(Instant, Instant)>) -> Vec<(Instant, Instant)> {
    periods.sort_unstable();
    let mut joined: Vec<(Instant, Instant)> = Vec::new();
    for (from, to) in periods {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// Returns where objects hold by the first list and not by the second.
pub fn without(some: &[(String, Instant, Instant)], others: &[(String, Instant, Instant)]) -> Vec<Held> {
    let mut left: Vec<Held> = Vec::new();
    let objects: BTreeSet<&String> = some.iter().map(|(object, _, _)| object).collect();
    for object in objects {
        let of = |list: &[(String, Instant, Instant)]| {
            joined(list.iter().filter(|held| held.0 == *object).map(|held| (held.1, held.2)).collect())
        };
        let cut = of(others);
        for (mut from, to) in of(some) {
            for &(cut_from, cut_to) in &cut {
                if to <= cut_from || cut_to <= from {
                    continue;
                }
                if from < cut_from {
                    left.push(held(object, from, cut_from));
                }
                from = from.max(cut_to);
            }
            if from < to {
                left.push(held(object, from, to));
            }
        }
    }
    left.sort();
    left
}

/// Writes a period of an object.
fn held(object: &str, from: Instant, to: Instant) -> Held {
    let text = |instant: Instant| {
        let is_open = instant == Instant::DISTANT_PAST || instant == Instant::DISTANT_FUTURE;
        (!is_open).then(|| format_instant(instant))
    };
    Held(object.to_owned(), text(from), text(to))
}
