//! Whether what a fact was concluded from still holds.
//!
//! A premise is broken if that statement supports no fact at the valid time asked, or rests on a broken premise
//! itself. Something that happened stays a reason after it is over: a premise about an event is broken only when no
//! occurrence rests on it, and one without dates only when it is denied. A premise that denies is broken while what
//! it denies holds.

use std::collections::BTreeSet;

use bygone_engine::time::Validity;
use bygone_engine::{Assertion, AssertionId, Fact, Polarity, ValidTime};

use crate::definition::TemporalKind;

/// A premise as the view sees it.
pub struct Premise {
    /// The statement.
    pub assertion: Assertion,
    /// How its predicate behaves in time.
    pub kind: TemporalKind,
    /// The facts of its group in the view.
    pub facts: Vec<Fact>,
}

/// Returns the path from a fact to a broken premise, where every one of its supports rests on one: the support, then
/// the premises down to the broken one.
///
/// `look_up` returns the premise, or `None` where the view does not see it.
///
/// # Errors
/// Whatever `look_up` fails with.
pub fn broken_path<E>(
    fact: &Fact,
    asked: ValidTime,
    look_up: &mut dyn FnMut(AssertionId) -> Result<Option<Premise>, E>,
) -> Result<Option<Vec<AssertionId>>, E> {
    let mut first = None;
    for &support in &fact.support {
        let Some(premise) = look_up(support)? else {
            return Ok(None);
        };
        let mut visited = BTreeSet::from([support]);
        match rests_on_broken(&premise.assertion, asked, look_up, &mut visited)? {
            None => return Ok(None),
            Some(path) => {
                first.get_or_insert_with(|| [vec![support], path].concat());
            }
        }
    }
    Ok(first)
}

fn rests_on_broken<E>(
    assertion: &Assertion,
    asked: ValidTime,
    look_up: &mut dyn FnMut(AssertionId) -> Result<Option<Premise>, E>,
    visited: &mut BTreeSet<AssertionId>,
) -> Result<Option<Vec<AssertionId>>, E> {
    for &id in &assertion.derived_from {
        // A circle of conclusions breaks nothing by itself.
        if !visited.insert(id) {
            continue;
        }
        let premise = look_up(id)?;
        let Some(premise) = premise.filter(|premise| holds(premise, asked)) else {
            return Ok(Some(vec![id]));
        };
        if let Some(path) = rests_on_broken(&premise.assertion, asked, look_up, visited)? {
            return Ok(Some([vec![id], path].concat()));
        }
    }
    Ok(None)
}

fn holds(premise: &Premise, asked: ValidTime) -> bool {
    let Assertion { id, object, polarity, .. } = &premise.assertion;
    let asked_about = |fact: &Fact| {
        premise.kind == TemporalKind::Event
            || fact.validity == Validity::Undated
            || asked.selects(fact.validity)
    };
    match polarity {
        Polarity::Affirm => {
            premise.facts.iter().any(|fact| asked_about(fact) && fact.support.binary_search(id).is_ok())
        }
        // A denial supports no fact; it stands while what it denies does not hold.
        Polarity::Deny => !premise.facts.iter().any(|fact| {
            let denied = object.as_ref().is_none_or(|object| object.key() == fact.object.key());
            denied && asked.selects(fact.validity)
        }),
    }
}
