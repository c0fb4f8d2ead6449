//! The facts that a plan asks for, from its predicate and from the inverse, and the statements they rest on.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::entity::fold_name;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::{Bound, Period};
use bygone_engine::{AssertionId, EntityRef, Object, Polarity, StoreError};
use bygone_ontology::{Ontology, TemporalKind};

use super::entity::is_value;
use super::forms::Ask;
use super::kind;
use super::reading::{Plan, Wanted};
use crate::facts::{Filter, facts};
use crate::request::Request;
use crate::row::Row;
use crate::say::object_text;
use crate::why::{Bearing, Evidence};

/// A fact that answers, and the part of it that is the answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// The fact.
    pub(super) row: Row,
    /// What it answers: its object, or its subject where that is asked for or the fact is of the inverse.
    pub(super) value: Object,
    /// The temporal kind of its predicate.
    pub(super) kind: TemporalKind,
}

impl Found {
    /// Says the value, with the key that tells it from parallel ones.
    pub(super) fn value_text(&self, plan: &Plan) -> String {
        let value = object_text(&self.value);
        match self.row.group.key.as_str() {
            key if key.is_empty() || plan.key.is_some() => value,
            key => format!("{value} ({key})"),
        }
    }
}

/// Returns the facts the plan asks for at the request's valid time, those of the predicate first.
pub(super) fn find(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    plan: &Plan,
) -> Result<Vec<Found>, StoreError> {
    let definition = ontology.get_or_open(plan.predicate);
    let kind = definition.kind;
    let object = match &plan.object {
        Some(Wanted::Entity(entity)) => Some(entity.clone()),
        Some(Wanted::Value(_) | Wanted::Described(_)) | None => None,
    };
    let filter = Filter {
        subject: plan.subject.clone(),
        predicate: Some(plan.predicate.to_owned()),
        object: object.clone().map(Object::Entity),
    };
    let mut rows = facts(seen, ontology, request, &filter)?;
    if let Some(wanted @ (Wanted::Value(_) | Wanted::Described(_))) = &plan.object {
        let mut wanted_rows = Vec::new();
        for row in rows {
            if is_wanted(seen, ontology, &row.fact.object, wanted)? {
                wanted_rows.push(row);
            }
        }
        rows = wanted_rows;
    }
    let mut found: Vec<Found> = Vec::new();
    found.extend(rows.into_iter().map(|row| {
        let value = answer(plan.ask, &row, false);
        Found { row, value, kind }
    }));
    let inverse = if definition.symmetric { Some(plan.predicate) } else { definition.inverse.as_deref() };
    if let Some(inverse) = inverse
        && !matches!(plan.object, Some(Wanted::Value(_) | Wanted::Described(_)))
    {
        let filter = Filter {
            subject: object,
            predicate: Some(inverse.to_owned()),
            object: plan.subject.clone().map(Object::Entity),
        };
        let rows = facts(seen, ontology, request, &filter)?;
        for row in rows.into_iter().filter(|row| matches!(row.fact.object, Object::Entity(_))) {
            // Of a symmetric predicate, a row may be found from both ends.
            if found.iter().all(|other| other.row.id != row.id) {
                found.push(Found { value: answer(plan.ask, &row, true), row, kind });
            }
        }
    }
    if let Some(key) = &plan.key {
        found.retain(|found| fold_name(&found.row.group.key) == *key);
    }
    Ok(found)
}

fn answer(ask: Ask, row: &Row, is_inverse: bool) -> Object {
    if (ask == Ask::Subject) == is_inverse {
        row.fact.object.clone()
    } else {
        Object::Entity(row.group.subject.clone())
    }
}

/// Returns the groups in which the plan's subject could be said to have its object, or the reverse by the inverse, with
/// the object as it would stand there.
pub(super) fn groups(
    seen: &Seen<'_>,
    ontology: &Ontology,
    plan: &Plan,
) -> Result<Vec<(GroupView, Wanted)>, StoreError> {
    let definition = ontology.get_or_open(plan.predicate);
    let inverse = if definition.symmetric { Some(plan.predicate) } else { definition.inverse.as_deref() };
    let mut found = Vec::new();
    let mut add = |subject: &EntityRef, predicate: &str, object: Wanted| -> Result<(), StoreError> {
        let of_subject = seen.groups_of(subject)?.into_iter().filter(|group| group.predicate == predicate);
        let of_key =
            of_subject.filter(|group| plan.key.as_ref().is_none_or(|key| fold_name(&group.key) == *key));
        found.extend(of_key.map(|group| (group, object.clone())));
        Ok(())
    };
    if let (Some(subject), Some(object)) = (&plan.subject, &plan.object) {
        add(subject, plan.predicate, object.clone())?;
        if let (Wanted::Entity(object), Some(inverse)) = (object, inverse) {
            add(object, inverse, Wanted::Entity(subject.clone()))?;
        }
    }
    Ok(found)
}

/// Says whether an object is the one wanted.
pub(super) fn is_wanted(
    seen: &Seen<'_>,
    ontology: &Ontology,
    object: &Object,
    wanted: &Wanted,
) -> Result<bool, StoreError> {
    Ok(match wanted {
        Wanted::Entity(entity) => object.entity() == Some(seen.identity().representative(entity)),
        Wanted::Value(text) => is_value(object, text),
        Wanted::Described(words) => kind::is_described(seen, ontology, object, words)?,
    })
}

/// Returns the statements that the rows rest on, with their turns, in known order. A group is read once, however many of
/// its facts are among the rows.
pub(super) fn evidence(seen: &Seen<'_>, rows: &[Row]) -> Result<Vec<Evidence>, StoreError> {
    let mut groups: BTreeMap<&GroupView, BTreeSet<AssertionId>> = BTreeMap::new();
    for row in rows {
        groups.entry(&row.group).or_default().extend(&row.fact.support);
    }
    let mut evidence = Vec::new();
    for (group, support) in groups {
        for recorded in seen.statements(group)? {
            if support.contains(&recorded.assertion.id) {
                let episode = seen.snapshot().episode(recorded.assertion.source.episode)?;
                evidence.push(Evidence { bearing: Bearing::Supports, recorded, episode });
            }
        }
    }
    evidence.sort_by_key(|item| (item.recorded.assertion.known_at, item.recorded.assertion.id));
    Ok(evidence)
}

/// Returns the statements that ended the rows: the denials and the new values that start where they end.
pub(super) fn endings(seen: &Seen<'_>, rows: &[Row]) -> Result<Vec<Evidence>, StoreError> {
    let mut evidence = Vec::new();
    for row in rows {
        let Some(Bound::At(end)) = row.fact.validity.period().map(Period::to) else {
            continue;
        };
        for recorded in seen.statements(&row.group)? {
            let assertion = &recorded.assertion;
            let starts_there = assertion.validity.period().is_some_and(|period| period.start() == end.at);
            if assertion.counts() && starts_there {
                let is_denial = assertion.polarity == Polarity::Deny;
                let bearing = if is_denial { Bearing::Denies } else { Bearing::OtherValue };
                let episode = seen.snapshot().episode(assertion.source.episode)?;
                evidence.push(Evidence { bearing, recorded, episode });
            }
        }
    }
    Ok(evidence)
}
