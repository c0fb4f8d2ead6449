//! Writing assertions as JSON.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::object::ObjectForm;
use super::shown::Shown;
use super::time::{grain_beside, valid_text};
use crate::assertion::{Assertion, Authority, Modality, Polarity};
use crate::entity::EntityRef;
use crate::id::AssertionId;
use crate::time::{Bound, Granularity, Moment, Validity};

/// What stands for a time that is not known.
const UNKNOWN: &str = "unknown";

/// Writes the whole assertion, keys sorted; reading it back gives the same assertion with the same id.
pub fn assertion_to_json(assertion: &Assertion) -> Value {
    let mut value = json!(Content::of(assertion));
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
///
/// Ids hang on every byte of it.
pub(crate) fn content_text(assertion: &Assertion) -> String {
    serde_json::to_string(&Content::of(assertion)).unwrap_or_default()
}

/// What a statement says and where it stands. The fields are in the order of their names.
#[derive(Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    asserter: Option<Shown<&'a EntityRef>>,
    authority: Authority,
    confidence: f64,
    #[serde(serialize_with = "all_shown")]
    derived_from: &'a [AssertionId],
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_grain: Option<&'static str>,
    key: &'a str,
    known_at: String,
    modality: Modality,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectForm<'a>>,
    polarity: Polarity,
    predicate: &'a str,
    source: Shown<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[u32; 2]>,
    subject: Shown<&'a EntityRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sure_grain: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sure_until: Option<String>,
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_grain: Option<&'static str>,
}

impl Content<'_> {
    fn of(assertion: &Assertion) -> Content<'_> {
        let source = &assertion.source;
        let (from, to) = match assertion.validity {
            Validity::Undated => (None, None),
            Validity::Over(period) => (Some(period.from()), Some(period.to())),
        };
        let sure = assertion.sure_until;
        Content {
            asserter: source.asserter.as_ref().map(Shown),
            authority: assertion.authority,
            confidence: assertion.confidence,
            derived_from: &assertion.derived_from,
            from: bound_text(from),
            from_grain: bound_grain(from),
            key: &assertion.key,
            known_at: assertion.known_at.to_rfc3339(),
            modality: assertion.modality,
            object: assertion.object.as_ref().map(ObjectForm),
            polarity: assertion.polarity,
            predicate: &assertion.predicate,
            source: Shown(Place { document: &source.document, position: source.position }),
            span: source.span.map(|span| [span.start, span.end]),
            subject: Shown(&assertion.subject),
            sure_grain: sure.and_then(grain_beside),
            sure_until: sure.map(valid_text),
            to: bound_text(to),
            to_grain: bound_grain(to),
        }
    }
}

/// Writes a bound: nothing where it is open. A statement without dates has none.
fn bound_text(bound: Option<Bound>) -> Option<String> {
    match bound {
        Some(Bound::Open) => None,
        None | Some(Bound::At(Moment { grain: Granularity::Unknown, .. })) => Some(UNKNOWN.to_owned()),
        Some(Bound::At(moment)) => Some(valid_text(moment)),
    }
}

fn bound_grain(bound: Option<Bound>) -> Option<&'static str> {
    let moment = bound?.moment()?;
    if moment.grain == Granularity::Unknown { None } else { grain_beside(moment) }
}

/// Where a statement stands, as it is written: the document, and the position after the last `#`.
struct Place<'a> {
    document: &'a str,
    position: u64,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.document, self.position)
    }
}

fn all_shown<S: Serializer>(ids: &&[AssertionId], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(ids.iter().map(Shown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Instant;
    use crate::wire::{Defaults, read_statement};

    fn read(line: &str) -> Assertion {
        let defaults = Defaults { now: Instant::FIRST, document: "log".to_owned(), position: 0 };
        read_statement(line, &defaults).expect(line).assertion
    }

    #[test]
    fn ids_are_what_they_always_were() {
        for (id, line) in [
            (
                "a:335ee42b5f8e2163e41064556d8065ba",
                r#"{"subject":"person:Anna Müller","predicate":"works_at","object":{"entity":"org:Ägir \"AS\""},"from":"2020-03","to":"2021-04-05T06:07:08.900Z","known_at":"2022-01-02T03:04:05.000060Z","asserter":"person:Ben","confidence":0.35,"source":"log#7","authority":"tool","span":[3,9]}"#,
            ),
            (
                "a:28b4f0b2f22ee5669224411b5a4dd66a",
                r#"{"subject":"thing:x","predicate":"measures","object":{"number":2.5,"unit":"km"},"from":"-0044-03-15","from_grain":"week","known_at":"2022-01-02T00:00:00Z","source":"log#8"}"#,
            ),
            (
                "a:bdf6aba6fd537edcc91b04ec7fab2713",
                r#"{"subject":"thing:x","predicate":"lasts","object":{"period":["2024-03",null]},"known_at":"2022-01-02T00:00:01Z","source":"a#b#9","modality":"reported"}"#,
            ),
            (
                "a:d28b104dd8e34879bae5aeac50d7dcd8",
                r#"{"subject":"thing:x","predicate":"notes","object":{"json":{"b":[1,null,{"z":1,"a":"\u0001\u2028"}],"a":1e300}},"known_at":"2022-01-02T00:00:02Z","source":"log#10"}"#,
            ),
        ] {
            assert_eq!(read(line).id.to_string(), id, "{line}");
        }
    }

    #[test]
    fn the_content_is_written_as_a_value_of_sorted_keys_would_be() {
        for line in [
            r#"{"subject":"a:b","predicate":"p","object":{"instant":"2024-04-01","grain":"quarter"},"from":"unknown","to":"unknown","known_at":"2024-01-01T00:00:00Z","source":"log#1"}"#,
            r#"{"subject":"a:b","predicate":"p","object":{"period":["2024-04-01","2025"],"from_grain":"week"},"from":"2020","to":"2030-01-01","to_grain":"decade","known_at":"2024-01-01T00:00:00Z","source":"log#1","asserter":"c:d","span":[1,2]}"#,
            r#"{"subject":"a:b","predicate":"p","object":{"number":7,"unit":"m"},"sure_until":"2024-04-01","sure_grain":"season","known_at":"2024-05-01T00:00:00Z","source":"log#1"}"#,
            r#"{"subject":"a:b","predicate":"p","polarity":"deny","known_at":"2024-05-01T00:00:00Z","source":"log#1","derived_from":["a:335ee42b5f8e2163e41064556d8065ba"]}"#,
        ] {
            let text = content_text(&read(line));
            let value: Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(value.to_string(), text);
        }
    }
}
