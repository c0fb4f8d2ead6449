//! What is known of an entity that bears on who it may be: where it was first mentioned, what it cannot be at odds with,
//! and what was decided.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::identity::{ALIAS, MAYBE_SAME, NAME, SAME_AS};
use bygone_engine::time::{Instant, Moment};
use bygone_engine::{Assertion, EntityRef, EpisodeId, Object, Polarity};
use bygone_ontology::{Cardinality, Ontology, TemporalKind};

use super::rule::{self, Rule};

/// Stretches that are kept of one predicate and key; more make no clearer who somebody is.
const MOST_HELD: usize = 16;

/// What is known of an entity.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The turn that mentions it first, by when that was known.
    pub(super) first: Option<(Instant, EpisodeId)>,
    /// The values of what does not change and is one, such as the day of birth, by predicate.
    values: BTreeMap<String, Vec<Object>>,
    /// What it was vouched for to be or have over a time, of what is one at a time, by predicate and key.
    held: BTreeMap<(String, String), Vec<Held>>,
    /// The entities that statements say something of it and: nobody is their own sister.
    related: BTreeSet<EntityRef>,
    /// What was decided of it and others.
    pub(super) decisions: BTreeMap<EntityRef, Decision>,
    /// The other names it goes by.
    pub(super) aliases: BTreeSet<String>,
}

/// An object over a stretch of time that somebody vouches for.
#[derive(Clone, Debug, PartialEq)]
struct Held {
    object: Object,
    start: Instant,
    end: Instant,
}

/// What was decided of two entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) verdict: Verdict,
    /// Since when that is known.
    pub(super) known_at: Instant,
    /// Whether it was decided here: what others say is left alone.
    pub(super) is_own: bool,
}

/// Whether two entities are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Same,
    Maybe,
    Apart,
}

impl Known {
    /// Takes in a statement that mentions the entity.
    pub(super) fn hear(&mut self, entity: &EntityRef, assertion: &Assertion, ontology: &Ontology) {
        let mention = (assertion.known_at, assertion.source.episode);
        let object = assertion.object.as_ref().and_then(Object::entity);
        let other = if assertion.subject == *entity { object } else { Some(&assertion.subject) };
        let other = other.filter(|other| *other != entity);
        if matches!(assertion.predicate.as_str(), SAME_AS | MAYBE_SAME) {
            if let Some(other) = other {
                self.decide(other, decision(assertion));
            }
            if rule::is_one(&assertion.extractor) {
                // Only that somebody concluded something of it: no mention.
                return;
            }
        }
        self.first = Some(self.first.map_or(mention, |first| first.min(mention)));
        if assertion.polarity != Polarity::Affirm || !assertion.counts() {
            return;
        }
        if assertion.subject == *entity {
            self.hold(assertion, ontology);
        }
        match (other, &assertion.object) {
            (Some(other), _) if !matches!(assertion.predicate.as_str(), SAME_AS | MAYBE_SAME) => {
                self.related.insert(other.clone());
            }
            (None, Some(Object::Text(name))) if matches!(assertion.predicate.as_str(), ALIAS | NAME) => {
                self.aliases.insert(name.clone());
            }
            (None, Some(value)) if is_for_life(ontology, &assertion.predicate) => {
                let values = self.values.entry(assertion.predicate.clone()).or_default();
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
            _ => {}
        }
    }

    /// Takes in what it was told to be or have over more than the moment of telling.
    fn hold(&mut self, assertion: &Assertion, ontology: &Ontology) {
        let definition = ontology.get_or_open(&assertion.predicate);
        let is_one = definition.kind == TemporalKind::State && definition.cardinality == Cardinality::One;
        let (Some(object), Some(period)) = (&assertion.object, assertion.validity.period()) else {
            return;
        };
        let end = assertion.sure_until.map_or(period.end(), Moment::end);
        let held = Held { object: object.clone(), start: period.start(), end };
        let of_key = (assertion.predicate.clone(), assertion.key.clone());
        if is_one && held.start < end {
            let all = self.held.entry(of_key).or_default();
            if all.len() < MOST_HELD && !all.contains(&held) {
                all.push(held);
            }
        }
    }

    /// Takes in a decision; of two the later counts.
    pub(super) fn decide(&mut self, other: &EntityRef, decision: Decision) {
        let kept = self.decisions.entry(other.clone()).or_insert(decision);
        // What somebody else says weighs more, as a user's word does in precedence.
        let weighs = |decision: &Decision| (!decision.is_own, decision.known_at);
        if weighs(kept) <= weighs(&decision) {
            *kept = decision;
        }
    }

    /// Returns the rule that keeps it apart from another entity; `None` where nothing does.
    pub(super) fn at_odds(&self, other: &Known, other_entity: &EntityRef) -> Option<&'static Rule> {
        if self.related.contains(other_entity) {
            return Some(&rule::RELATED);
        }
        let conflicts = self.values.iter().any(|(predicate, values)| {
            let of_other = other.values.get(predicate);
            of_other
                .is_some_and(|others| !values.iter().any(|one| others.iter().any(|other| agree(one, other))))
        });
        let excludes = |one: &Held, other: &Held| {
            one.object != other.object && one.start < other.end && other.start < one.end
        };
        let at_once = self.held.iter().any(|(of_key, held)| {
            let of_other = other.held.get(of_key).into_iter().flatten();
            of_other.into_iter().any(|other| held.iter().any(|one| excludes(one, other)))
        });
        (conflicts || at_once).then_some(&rule::CONFLICT)
    }
}

fn decision(assertion: &Assertion) -> Decision {
    let verdict = match (assertion.predicate.as_str(), assertion.polarity) {
        (MAYBE_SAME, Polarity::Affirm) => Verdict::Maybe,
        (_, Polarity::Affirm) => Verdict::Same,
        (_, Polarity::Deny) => Verdict::Apart,
    };
    let is_own = rule::is_one(&assertion.extractor);
    Decision { verdict, known_at: assertion.known_at, is_own }
}

/// Says whether a predicate has one value that does not change.
fn is_for_life(ontology: &Ontology, predicate: &str) -> bool {
    let definition = ontology.get_or_open(predicate);
    definition.kind == TemporalKind::Rigid && definition.cardinality == Cardinality::One
}

/// Says whether two values can both be right: "in 1990" and "on 5 May 1990" can.
fn agree(one: &Object, other: &Object) -> bool {
    match (one, other) {
        (Object::Instant(one), Object::Instant(other)) => one.at < other.end() && other.at < one.end(),
        (one, other) => one == other,
    }
}
