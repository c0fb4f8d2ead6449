//! How an expression is written as one JSON object.

use bygone_engine::time::Instant;
use serde_json::{Map, Value, json};

use super::{Kind, TimeExpression};

/// Returns the expression found in `text` as a JSON object.
///
/// `text`, `start`, `end`, `kind` and `grain` are always there, times in RFC 3339 with `Z`, `null` where open or not
/// grounded; `approx`, `best`, `alt`, `duration` and `rrule` only where they apply. A range that is not one of `text`
/// gives an empty `text`.
pub fn to_json(text: &str, expression: &TimeExpression) -> Value {
    let time = |at: Option<Instant>| at.map(Instant::to_rfc3339);
    let mut object = Map::new();
    let said = text.get(expression.span.clone()).unwrap_or_default();
    object.insert("text".to_owned(), json!(said));
    object.insert("start".to_owned(), json!(time(expression.start)));
    object.insert("end".to_owned(), json!(time(expression.end)));
    object.insert("kind".to_owned(), json!(kind_name(expression.kind)));
    object.insert("grain".to_owned(), json!(expression.grain.name()));
    if expression.approx {
        object.insert("approx".to_owned(), json!(true));
    }
    if let Some(best) = expression.best {
        object.insert("best".to_owned(), json!(best.to_rfc3339()));
    }
    if !expression.alternatives.is_empty() {
        let others: Vec<[String; 2]> = expression
            .alternatives
            .iter()
            .map(|(start, end)| [start.to_rfc3339(), end.to_rfc3339()])
            .collect();
        object.insert("alt".to_owned(), json!(others));
    }
    if let Some(duration) = &expression.duration {
        object.insert("duration".to_owned(), json!(duration));
    }
    if let Some(rrule) = &expression.rrule {
        object.insert("rrule".to_owned(), json!(rrule));
    }
    Value::Object(object)
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Point => "point",
        Kind::Span => "span",
        Kind::Since => "since",
        Kind::Until => "until",
        Kind::Duration => "duration",
        Kind::Recurrence => "recurrence",
        Kind::Event => "event",
    }
}
