//! What differs in the world between two instants, in one view.

use bygone_engine::object::ObjectKey;
use bygone_engine::record::Recorded;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::Instant;
use bygone_engine::{AssertionId, EntityRef, Fact, StoreError, ValidTime};
use bygone_ontology::{Cardinality, Ontology, TemporalKind};

use super::{Change, Difference, cause, sort};
use crate::facts::judge;
use crate::request::Request;

/// Returns what differs between what holds at one instant and what holds at a later one, sorted by subject, predicate,
/// key, start and object. With an entity, only what it is the subject or an object of.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn valid(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    (from, to): (Instant, Instant),
    about: Option<&EntityRef>,
) -> Result<Vec<Difference>, StoreError> {
    let groups = match about {
        None => seen.groups()?,
        Some(entity) => {
            let mut groups = seen.groups_of(entity)?;
            groups.extend(seen.groups_about(entity)?);
            groups.sort();
            groups.dedup();
            groups
        }
    };
    let at = |instant| Request { valid: ValidTime::At(instant), ..request.clone() };
    let requests = (at(from), at(to));
    let mut differences = Vec::new();
    for group in &groups {
        for told in compare(seen, ontology, group, (from, to))? {
            let judged = |request, fact: Option<Fact>| {
                fact.map(|fact| judge(seen, ontology, request, group, fact)).transpose()
            };
            let (was, fact) = (judged(&requests.0, told.was)?, judged(&requests.1, told.fact)?);
            differences.push(Difference { change: told.change, fact, was, cause: told.cause });
        }
    }
    if let Some(entity) = about {
        let entity = seen.identity().representative(entity);
        let is_about = |object: &EntityRef| seen.identity().representative(object) == entity;
        differences.retain(|difference| {
            [&difference.fact, &difference.was]
                .into_iter()
                .flatten()
                .any(|row| is_about(&row.group.subject) || row.fact.object.entity().is_some_and(is_about))
        });
    }
    sort(&mut differences);
    Ok(differences)
}

struct Told {
    change: Change,
    was: Option<Fact>,
    fact: Option<Fact>,
    cause: AssertionId,
}

fn compare(
    seen: &Seen<'_>,
    ontology: &Ontology,
    group: &GroupView,
    (from, to): (Instant, Instant),
) -> Result<Vec<Told>, StoreError> {
    let facts = seen.facts(group)?;
    let at = |instant: Instant| facts.iter().filter(move |fact| holds(fact, instant));
    let key = |fact: &&Fact| fact.object.key();
    let (were, are): (Vec<ObjectKey>, Vec<ObjectKey>) =
        (at(from).map(|f| key(&f)).collect(), at(to).map(|f| key(&f)).collect());
    let gone: Vec<&Fact> = at(from).filter(|fact| !are.contains(&fact.object.key())).collect();
    let come: Vec<&Fact> = at(to).filter(|fact| !were.contains(&fact.object.key())).collect();
    if gone.is_empty() && come.is_empty() {
        return Ok(Vec::new());
    }
    let statements = seen.statements(group)?;
    let definition = ontology.get_or_open(&group.predicate);
    let single = definition.cardinality == Cardinality::One && definition.kind != TemporalKind::Event;
    if let ([was], [fact], true) = (gone.as_slice(), come.as_slice(), single) {
        let cause = cause::start(&statements, fact);
        let (was, fact) = (Some((*was).clone()), Some((*fact).clone()));
        return Ok(vec![Told { change: Change::Changed, was, fact, cause }]);
    }
    let mut told: Vec<Told> = gone.into_iter().map(|fact| ended(&statements, fact)).collect();
    told.extend(come.into_iter().map(|fact| started(&statements, &facts, fact, from)));
    Ok(told)
}

fn ended(statements: &[Recorded], fact: &Fact) -> Told {
    let cause = cause::end(statements, fact);
    Told { change: Change::Ended, was: Some(fact.clone()), fact: Some(fact.clone()), cause }
}

fn started(statements: &[Recorded], facts: &[Fact], fact: &Fact, from: Instant) -> Told {
    let held = |other: &&Fact| {
        let ended = other.validity.period().is_some_and(|period| period.end() <= from);
        ended && other.object.key() == fact.object.key()
    };
    let was = facts.iter().rfind(held).cloned();
    let change = if was.is_some() { Change::Reopened } else { Change::Learned };
    Told { change, was, fact: Some(fact.clone()), cause: cause::start(statements, fact) }
}

fn holds(fact: &Fact, instant: Instant) -> bool {
    fact.validity.period().is_some_and(|period| period.contains(instant))
}
