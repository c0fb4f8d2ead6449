//! What subject and object have to do with each other: inverse and symmetric predicates, by pairs stated both ways.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::EntityRef;

use super::PredicateSuggestion;
use crate::ontology::{Ontology, VALUE_KINDS};

/// The pairs that must be stated the other way round, at least.
const ENOUGH_PAIRS: usize = 2;

/// Which predicates were affirmed of which subject and object.
#[derive(Default)]
pub(super) struct Pairs {
    of: BTreeMap<String, BTreeSet<(EntityRef, EntityRef)>>,
}

impl Pairs {
    pub(super) fn add(&mut self, predicate: &str, subject: &EntityRef, object: &EntityRef) {
        let pair = (subject.clone(), object.clone());
        match self.of.get_mut(predicate) {
            Some(pairs) => {
                pairs.insert(pair);
            }
            None => {
                self.of.insert(predicate.to_owned(), BTreeSet::from([pair]));
            }
        }
    }

    /// Returns how many pairs a predicate has.
    pub(super) fn n_of(&self, predicate: &str) -> usize {
        self.of.get(predicate).map_or(0, BTreeSet::len)
    }

    /// Returns the other predicates that have pairs, in order.
    pub(super) fn others(&self, predicate: &str) -> impl Iterator<Item = &str> {
        self.of.keys().map(String::as_str).filter(move |other| *other != predicate)
    }

    /// Returns how many pairs of the one the other has as well.
    pub(super) fn n_shared(&self, one: &str, other: &str) -> usize {
        self.count(one, other, Clone::clone)
    }

    /// Returns how many pairs of the one the other has the other way round.
    fn n_turned(&self, one: &str, other: &str) -> usize {
        self.count(one, other, |(subject, object)| (object.clone(), subject.clone()))
    }

    fn count(
        &self,
        one: &str,
        other: &str,
        as_other: impl Fn(&(EntityRef, EntityRef)) -> (EntityRef, EntityRef),
    ) -> usize {
        let (Some(one), Some(other)) = (self.of.get(one), self.of.get(other)) else {
            return 0;
        };
        one.iter().filter(|pair| other.contains(&as_other(pair))).count()
    }
}

/// Says whether so many are enough, and at least half of all.
pub(super) fn is_most(n: usize, of: usize) -> bool {
    n >= ENOUGH_PAIRS && n * 2 >= of
}

/// Adds inverses and symmetry to proposals, and makes their sides fit.
pub(super) fn propose_sides(suggestions: &mut [PredicateSuggestion], pairs: &Pairs, ontology: &Ontology) {
    for suggestion in &mut *suggestions {
        let id = suggestion.definition.id.clone();
        let (n, n_turned) = (pairs.n_of(&id), pairs.n_turned(&id, &id));
        if is_most(n_turned, n) && !takes_values(&suggestion.definition.range) {
            let definition = &mut suggestion.definition;
            definition.symmetric = true;
            definition.domain = united(&definition.domain, &definition.range);
            definition.range.clone_from(&definition.domain);
            suggestion.sides_because =
                Some(format!("symmetric: {n_turned} of {n} pairs are stated the other way round, too"));
            continue;
        }
        let declared = pairs.others(&id).filter(|other| ontology.definition(other).is_some());
        let found = declared
            .map(|other| (pairs.n_turned(&id, other), other))
            .filter(|(n_turned, _)| is_most(*n_turned, n))
            .max_by_key(|(n_turned, _)| *n_turned);
        if let Some((n_turned, other)) = found {
            suggestion.sides_because = Some(format!(
                "{other} says the same from the other side of {n_turned} of {n} pairs; it is declared, without this inverse"
            ));
        }
    }
    let ids: Vec<String> = suggestions.iter().map(|suggestion| suggestion.definition.id.clone()).collect();
    for (idx, one) in ids.iter().enumerate() {
        for (other_idx, other) in ids.iter().enumerate().skip(idx + 1) {
            let n_turned = pairs.n_turned(one, other);
            let is_pair = is_most(n_turned, pairs.n_of(one)) && is_most(n_turned, pairs.n_of(other));
            let (front, back) = suggestions.split_at_mut(other_idx);
            if is_pair {
                pair(&mut front[idx], &mut back[0], n_turned);
            }
        }
    }
}

/// Makes two proposals inverse to each other, unless one of them has another partner or they behave otherwise in time.
fn pair(one: &mut PredicateSuggestion, other: &mut PredicateSuggestion, n_turned: usize) {
    let is_free = |suggestion: &PredicateSuggestion| {
        suggestion.definition.inverse.is_none()
            && !suggestion.definition.symmetric
            && suggestion.obstacle.is_none()
    };
    if !is_free(one) || !is_free(other) || one.definition.kind != other.definition.kind {
        return;
    }
    let subjects = united(&one.definition.domain, &other.definition.range);
    let objects = united(&one.definition.range, &other.definition.domain);
    if takes_values(&objects) || takes_values(&subjects) {
        return;
    }
    one.definition.inverse = Some(other.definition.id.clone());
    other.definition.inverse = Some(one.definition.id.clone());
    (one.definition.domain, one.definition.range) = (subjects.clone(), objects.clone());
    (other.definition.domain, other.definition.range) = (objects, subjects);
    for this in [one, other] {
        let inverse = this.definition.inverse.clone().unwrap_or_default();
        this.sides_because = Some(format!("inverse of {inverse}: {n_turned} pairs are stated both ways"));
    }
}

/// Says whether a side takes values: none of them is a subject, so there is no other way round.
fn takes_values(names: &[String]) -> bool {
    names.iter().any(|name| VALUE_KINDS.contains(&name.as_str()))
}

fn united(one: &[String], other: &[String]) -> Vec<String> {
    let names: BTreeSet<&String> = one.iter().chain(other).collect();
    names.into_iter().cloned().collect()
}
