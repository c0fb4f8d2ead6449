//! A fact as it is handed out: with its names, its verdict and the periods of belief.

use bygone_engine::store::GroupView;
use bygone_engine::time::{Bound, Granularity, Instant, Validity, format_instant};
use bygone_engine::wire::object_to_json;
use bygone_engine::{AssertionId, Basis, EndedBy, Fact, FactId, Object, Segment};
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
        (self.group.clone(), self.fact.validity.period().map(|period| period.start()), self.fact.object.canonical())
    }
}

pub(crate) fn bounds_json(validity: Validity) -> (Value, Value, Value, Value) {
    match validity {
        Validity::Undated => (json!("unknown"), json!("unknown"), json!("unknown"), json!("unknown")),
        Validity::Over(period) => {
            let at = |bound: Bound| bound.moment().map_or(Value::Null, |moment| json!(format_instant(moment.at)));
            let grain = |bound: Bound| bound.moment().map_or(Value::Null, |moment| json!(moment.grain.name()));
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

/// Says an object for a person: a name, a value, or JSON.
pub fn object_text(object: &Object) -> String {
    use bygone_engine::object::Number;
    use bygone_engine::time::format_moment;
    match object {
        Object::Entity(entity) => entity.name().to_owned(),
        Object::Text(text) | Object::Json(text) => text.clone(),
        Object::Number { value, unit } => {
            let number = match value {
                Number::Whole(whole) => whole.to_string(),
                Number::Real(real) => real.to_string(),
            };
            unit.as_ref().map_or_else(|| number.clone(), |unit| format!("{number} {unit}"))
        }
        Object::Bool(true) => "yes".to_owned(),
        Object::Bool(false) => "no".to_owned(),
        Object::Instant(moment) => format_moment(*moment),
        Object::Period(period) => validity_text(Validity::Over(*period)),
    }
}

/// Says a validity for a person, each bound at its granularity: `since March 2022`, `2010 to 2012`, `undated`.
pub fn validity_text(validity: Validity) -> String {
    use bygone_engine::time::{Moment, format_moment};
    let Validity::Over(period) = validity else { return "at some time".to_owned() };
    // The exclusive end of a coarse period is told by its last granule: [2010, 2013) is "2010 to 2012".
    let last = |to: Moment| Moment::new(to.grain.before(to.at), to.grain);
    match (period.from(), period.to()) {
        (Bound::Open, Bound::Open) => "always".to_owned(),
        (Bound::At(from), Bound::Open) => format!("since {}", format_moment(from)),
        (Bound::Open, Bound::At(to)) => format!("until {}", format_moment(to)),
        (Bound::At(from), Bound::At(to)) if from.grain == Granularity::Unknown => {
            format!("until {}", format_moment(last(to)))
        }
        (Bound::At(from), Bound::At(to)) if to.grain == Granularity::Unknown => {
            format!("from {} until some time", format_moment(from))
        }
        (Bound::At(from), Bound::At(to)) => {
            let coarse = to.grain >= Granularity::Day && from.grain == to.grain;
            if coarse && last(to).at == from.at {
                format_moment(from)
            } else if from.grain == Granularity::Instant && from.end() == to.at {
                format!("at {}", format_moment(from))
            } else if coarse && to.grain > Granularity::Day {
                format!("{} to {}", format_moment(from), format_moment(last(to)))
            } else {
                format!("{} until {}", format_moment(from), format_moment(to))
            }
        }
    }
}
