//! A fact as it is handed out: with its names, its verdict and the periods of belief.

use bygone_engine::store::GroupView;
use bygone_engine::time::{Bound, Instant, Validity, format_instant};
use bygone_engine::wire::object_to_json;
use bygone_engine::{AssertionId, Basis, EndedBy, Fact, FactId, Segment};
use bygone_ontology::Verdict;
use serde_json::{Map, Value, json};

/// A fact as it is handed out.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its id.
    pub id: FactId,
    /// Its subject, predicate and key.
    pub group: GroupView,
    /// What holds, and when.
    pub fact: Fact,
    /// How it stands.
    pub verdict: Verdict,
    /// The first known instant at which it is believed no more; `None` while it is.
    pub known_to: Option<Instant>,
    /// For a stale fact, the statements from it down to the premise that broke.
    pub broken_path: Vec<AssertionId>,
}

impl Row {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let fact = &self.fact;
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
        put("id", json!(self.id.to_string()));
        put("subject", json!(self.group.subject.to_string()));
        put("predicate", json!(self.group.predicate));
        put("key", json!(self.group.key));
        put("object", object_to_json(&fact.object));
        let (from, from_grain, to, to_grain) = bounds_json(fact.validity);
        put("from", from);
        put("from_grain", from_grain);
        put("to", to);
        put("to_grain", to_grain);
        put("ended_by", fact.ended_by.map_or(Value::Null, |by| json!(ended_by_name(by))));
        put("segments", segments_json(&fact.segments));
        put("known_from", json!(fact.known_from.to_rfc3339()));
        put("known_to", self.known_to.map_or(Value::Null, |at| json!(at.to_rfc3339())));
        put("last_confirmed", json!(fact.last_confirmed.to_rfc3339()));
        put("verdict", json!(self.verdict.name()));
        put("authority", json!(fact.authority));
        put("support", fact.support.iter().map(|id| json!(id.to_string())).collect());
        put("confidence", json!(fact.confidence));
        if !fact.rivals.is_empty() {
            let rivals = fact.rivals.iter().map(|rival| {
                json!({ "object": object_to_json(&rival.object), "assertion": rival.assertion.to_string() })
            });
            put("contested_by", rivals.collect());
        }
        if !self.broken_path.is_empty() {
            put("broken_path", self.broken_path.iter().map(|id| json!(id.to_string())).collect());
        }
        Value::Object(map)
    }

    /// Returns what rows are sorted by: subject, predicate, key, start, object.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        (
            self.group.clone(),
            self.fact.validity.period().map(bygone_engine::time::Period::start),
            self.fact.object.canonical(),
        )
    }
}

pub(crate) fn bounds_json(validity: Validity) -> (Value, Value, Value, Value) {
    match validity {
        Validity::Undated => (json!("unknown"), json!("unknown"), json!("unknown"), json!("unknown")),
        Validity::Over(period) => {
            let at =
                |bound: Bound| bound.moment().map_or(Value::Null, |moment| json!(format_instant(moment.at)));
            let grain =
                |bound: Bound| bound.moment().map_or(Value::Null, |moment| json!(moment.grain.name()));
            (at(period.from()), grain(period.from()), at(period.to()), grain(period.to()))
        }
    }
}

pub(crate) fn instant_json(instant: Instant) -> Value {
    if instant == Instant::DISTANT_PAST || instant == Instant::DISTANT_FUTURE {
        Value::Null
    } else {
        json!(format_instant(instant))
    }
}

pub(crate) fn segments_json(segments: &[Segment]) -> Value {
    let segment = |segment: &Segment| {
        json!({
            "from": instant_json(segment.from),
            "to": instant_json(segment.to),
            "basis": basis_name(segment.basis),
        })
    };
    segments.iter().map(segment).collect()
}

/// Returns the wire name of a basis.
pub const fn basis_name(basis: Basis) -> &'static str {
    match basis {
        Basis::Stated => "stated",
        Basis::Presumed => "presumed",
    }
}

/// Returns the wire name of why a fact ended.
pub const fn ended_by_name(ended_by: EndedBy) -> &'static str {
    match ended_by {
        EndedBy::Bound => "bound",
        EndedBy::Change => "change",
        EndedBy::Deny => "deny",
    }
}
