//! Writing assertions as JSON.

use serde_json::{Map, Value, json};

use super::object::object_to_json;
use super::time::{grain_key, valid_text};
use crate::assertion::Assertion;
use crate::time::{Bound, Granularity, Moment, Validity};

/// Writes the whole assertion, keys sorted; reading it back gives the same assertion with the same id.
pub fn assertion_to_json(assertion: &Assertion) -> Value {
    let mut value = content_json(assertion);
    let Value::Object(map) = &mut value else {
        return value;
    };
    map.insert("id".to_owned(), json!(assertion.id.to_string()));
    map.insert("extractor".to_owned(), json!(assertion.extractor));
    let source = &assertion.source;
    if source.session != source.document {
        map.insert("session".to_owned(), json!(source.session));
    }
    for (key, text) in [("agent", &source.agent), ("user", &source.user), ("zone", &source.zone)] {
        if let Some(text) = text {
            map.insert(key.to_owned(), json!(text));
        }
    }
    value
}

/// Writes what the statement says and where it stands: exactly what its id is the hash of.
pub(crate) fn content_json(assertion: &Assertion) -> Value {
    let mut map = Map::new();
    map.insert("subject".to_owned(), json!(assertion.subject.to_string()));
    map.insert("predicate".to_owned(), json!(assertion.predicate));
    map.insert("key".to_owned(), json!(assertion.key));
    if let Some(object) = &assertion.object {
        map.insert("object".to_owned(), object_to_json(object));
    }
    map.insert("polarity".to_owned(), json!(assertion.polarity));
    let (from, to) = match assertion.validity {
        Validity::Undated => (json!("unknown"), json!("unknown")),
        Validity::Over(period) => {
            (bound_json(&mut map, "from_grain", period.from()), bound_json(&mut map, "to_grain", period.to()))
        }
    };
    map.insert("from".to_owned(), from);
    map.insert("to".to_owned(), to);
    if let Some(sure_until) = assertion.sure_until {
        map.insert("sure_until".to_owned(), json!(valid_text(sure_until)));
        grain_key(&mut map, "sure_grain", sure_until);
    }
    map.insert("known_at".to_owned(), json!(assertion.known_at.to_rfc3339()));
    map.insert("authority".to_owned(), json!(assertion.authority));
    map.insert("modality".to_owned(), json!(assertion.modality));
    map.insert("confidence".to_owned(), json!(assertion.confidence));
    let source = &assertion.source;
    map.insert("source".to_owned(), json!(format!("{}#{}", source.document, source.position)));
    if let Some(span) = source.span {
        map.insert("span".to_owned(), json!([span.start, span.end]));
    }
    if let Some(asserter) = &source.asserter {
        map.insert("asserter".to_owned(), json!(asserter.to_string()));
    }
    let premises: Vec<String> = assertion.derived_from.iter().map(ToString::to_string).collect();
    map.insert("derived_from".to_owned(), json!(premises));
    Value::Object(map)
}

fn bound_json(map: &mut Map<String, Value>, grain: &str, bound: Bound) -> Value {
    match bound {
        Bound::Open => Value::Null,
        Bound::At(Moment { grain: Granularity::Unknown, .. }) => json!("unknown"),
        Bound::At(moment) => {
            grain_key(map, grain, moment);
            json!(valid_text(moment))
        }
    }
}
