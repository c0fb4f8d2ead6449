//! How what a result shows becomes a candidate: dated by the result, vouched for by the tool.

use std::ops::Range;

use bygone_engine::time::{Bound, Instant, Moment, Period, Validity};
use bygone_engine::{Authority, EntityRef, Modality, Object, Polarity};
use serde_json::Value;

use crate::candidate::{Candidate, When};
use crate::read::Turn;

/// A subject, predicate, key and object.
pub(super) struct Triple {
    /// What it is about.
    pub(super) subject: EntityRef,
    /// The predicate.
    pub(super) predicate: &'static str,
    /// Which of several parallel values.
    pub(super) key: String,
    /// What is said of it.
    pub(super) object: Object,
}

/// The agent whose tools a turn shows; `agent:unknown` where the turn names none.
pub(super) fn agent(turn: &Turn) -> EntityRef {
    let named = turn.episode.agent.as_deref().and_then(|name| EntityRef::new("agent", name).ok());
    named.unwrap_or_else(|| EntityRef::new("agent", "unknown").expect("the name is a literal"))
}

/// Writes a JSON object with its keys in order.
pub(super) fn json<const N: usize>(mut fields: [(&str, Value); N]) -> Object {
    fields.sort_by_key(|(key, _)| *key);
    let fields: serde_json::Map<String, Value> =
        fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Object::Json(Value::Object(fields).to_string())
}

/// Proposes an event of the turn's agent.
pub(super) fn event(
    turn: &Turn,
    span: &Range<usize>,
    rule: &'static str,
    predicate: &'static str,
    object: Object,
) -> Candidate {
    let at = turn.episode.time;
    let triple = Triple { subject: agent(turn), predicate, key: String::new(), object };
    candidate(triple, over(at, Bound::At(Moment::instant(at.next()))), None, span, rule)
}

/// Proposes a state that the turn shows: it holds from then on, vouched for then.
pub(super) fn state(turn: &Turn, span: &Range<usize>, rule: &'static str, triple: Triple) -> Candidate {
    let at = turn.episode.time;
    candidate(triple, over(at, Bound::Open), Some(Moment::instant(at)), span, rule)
}

fn over(from: Instant, to: Bound) -> Validity {
    // Only at the very end of time is there no next microsecond.
    Period::new(Bound::At(Moment::instant(from)), to).map_or(Validity::Undated, Validity::Over)
}

fn candidate(
    triple: Triple,
    validity: Validity,
    sure_until: Option<Moment>,
    span: &Range<usize>,
    rule: &'static str,
) -> Candidate {
    Candidate {
        subject: triple.subject,
        predicate: triple.predicate,
        key: triple.key,
        object: Some(triple.object),
        polarity: Polarity::Affirm,
        when: When::Exactly { validity, sure_until },
        modality: Modality::Actual,
        authority: Authority::Tool,
        confidence: 1.0,
        span: span.clone(),
        context: Vec::new(),
        rule,
    }
}
