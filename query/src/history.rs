//! The history of belief about an entity, on both axes: what held when, and from when to when it was believed.

use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::Instant;
use bygone_engine::wire::object_to_json;
use bygone_engine::{EntityRef, StoreError};
use bygone_ontology::{Ontology, Verdict};
use serde_json::{Value, json};

use crate::facts::{Belief, beliefs, judge};
use crate::request::Request;
use crate::row::{bounds_json, segments_json};

/// A form that a fact took, with the group it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// Its subject, predicate and key.
    pub group: GroupView,
    /// The fact as it was believed, and when.
    pub belief: Belief,
    /// How it stands in the view that asks; superseded where it is believed no more.
    pub verdict: Verdict,
}

/// Returns the history of belief about an entity, by predicate and key, then in the order in which it came to be known.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn history(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    entity: &EntityRef,
    predicate: Option<&str>,
) -> Result<Vec<Chapter>, StoreError> {
    let mut chapters = Vec::new();
    for group in seen.groups_of(entity)? {
        if predicate.is_some_and(|predicate| predicate != group.predicate) {
            continue;
        }
        for belief in beliefs(seen, ontology, &group)? {
            let verdict = match belief.known_to {
                Some(_) => Verdict::Superseded,
                None => judge(seen, ontology, request, &group, belief.fact.clone())?.verdict,
            };
            chapters.push(Chapter { group: group.clone(), belief, verdict });
        }
    }
    Ok(chapters)
}

impl Chapter {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self, seen: &Seen<'_>) -> Value {
        let Belief { fact, known_from, known_to } = &self.belief;
        let start = fact.validity.period().map(bygone_engine::time::Period::start);
        let (from, from_grain, to, to_grain) = bounds_json(fact.validity);
        json!({
            "id": seen.fact_id(&self.group, &fact.object, start).to_string(),
            "subject": self.group.subject.to_string(),
            "predicate": self.group.predicate,
            "key": self.group.key,
            "object": object_to_json(&fact.object),
            "from": from,
            "from_grain": from_grain,
            "to": to,
            "to_grain": to_grain,
            "segments": segments_json(&fact.segments),
            "known_from": known_from.to_rfc3339(),
            "known_to": known_to.map(Instant::to_rfc3339),
            "verdict": self.verdict.name(),
            "support": fact.support.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }
}
