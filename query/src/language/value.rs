//! What a query computes with: what variables are bound to, what properties say, and how all of it is compared, sorted and
//! handed out.

use std::cmp::Ordering;
use std::sync::Arc;

use bygone_engine::object::Number;
use bygone_engine::record::RecordedEpisode;
use bygone_engine::time::{Moment, Period, Validity, format_instant, format_moment};
use bygone_engine::wire::object_to_json;
use bygone_engine::{EntityRef, Object};
use serde_json::{Map, Value as Json, json};

use crate::row::{Row, bounds_json};
use crate::say::{fact_text, validity_text};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// None, or not known.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number, and its unit where it has one.
    Number(Number, Option<String>),
    /// A text.
    Text(String),
    /// A time, at its granularity.
    Time(Moment),
    /// When something holds.
    Valid(Validity),
    /// An entity, standing for its class.
    Entity(EntityRef),
    /// What a tool reported, as JSON.
    Json(String),
    /// A fact.
    Fact(Arc<Row>),
    /// Facts, each of which starts where the one before ends.
    Path(Arc<Path>),
    /// A turn.
    Turn(Arc<RecordedEpisode>),
    /// Several values.
    List(Vec<Value>),
}

/// A path of facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The facts, in the order in which they are followed.
    pub facts: Vec<Arc<Row>>,
    /// What stands at their ends: one node more than there are facts.
    pub nodes: Vec<Value>,
    /// When all of them hold.
    pub valid: Validity,
}

impl Value {
    /// Returns what an object is to a query.
    pub(super) fn of_object(object: &Object) -> Value {
        match object {
            Object::Entity(entity) => Value::Entity(entity.clone()),
            Object::Text(text) => Value::Text(text.clone()),
            Object::Number { value, unit } => Value::Number(*value, unit.clone()),
            Object::Bool(value) => Value::Bool(*value),
            Object::Instant(moment) => Value::Time(*moment),
            Object::Period(period) => Value::Valid(Validity::Over(*period)),
            Object::Json(text) => Value::Json(text.clone()),
        }
    }

    pub(super) fn whole(number: usize) -> Value {
        Value::Number(Number::Whole(i64::try_from(number).unwrap_or(i64::MAX)), None)
    }

    pub(super) fn text_or_null(text: Option<impl Into<String>>) -> Value {
        text.map_or(Value::Null, |text| Value::Text(text.into()))
    }

    /// Returns the entity.
    pub(super) fn entity(&self) -> Option<&EntityRef> {
        match self {
            Value::Entity(entity) => Some(entity),
            _ => None,
        }
    }

    /// Says what kind of value it is, as types of nodes call it; an entity's type.
    pub(super) fn type_name(&self) -> Option<&str> {
        match self {
            Value::Entity(entity) => Some(entity.kind()),
            Value::Text(_) => Some("text"),
            Value::Number(..) => Some("number"),
            Value::Bool(_) => Some("bool"),
            Value::Time(_) => Some("time"),
            Value::Valid(_) => Some("period"),
            Value::Json(_) => Some("json"),
            Value::Null | Value::Fact(_) | Value::Path(_) | Value::Turn(_) | Value::List(_) => None,
        }
    }

    /// The place of its kind in the order of kinds.
    const fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Number(..) => 1,
            Value::Text(_) => 2,
            Value::Time(_) => 3,
            Value::Valid(_) => 4,
            Value::Entity(_) => 5,
            Value::Json(_) => 6,
            Value::Fact(_) => 7,
            Value::Path(_) => 8,
            Value::Turn(_) => 9,
            Value::List(_) => 10,
            Value::Null => 11,
        }
    }

    /// Orders any two values: by kind first, and nothing comes last. Equal values are one in the order.
    pub(super) fn order(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
            (Value::Number(one, unit), Value::Number(other, other_unit)) => {
                unit.cmp(other_unit).then_with(|| numbers(*one, *other))
            }
            (Value::Text(one), Value::Text(other)) | (Value::Json(one), Value::Json(other)) => one.cmp(other),
            (Value::Time(one), Value::Time(other)) => one.cmp(other),
            (Value::Valid(one), Value::Valid(other)) => valid_order(*one).cmp(&valid_order(*other)),
            (Value::Entity(one), Value::Entity(other)) => one.cmp(other),
            (Value::Fact(one), Value::Fact(other)) => facts(one, other),
            (Value::Path(one), Value::Path(other)) => {
                let pairs = one.facts.iter().zip(&other.facts);
                let differing = pairs.map(|(one, other)| facts(one, other)).find(|order| order.is_ne());
                differing.unwrap_or_else(|| one.facts.len().cmp(&other.facts.len()))
            }
            (Value::Turn(one), Value::Turn(other)) => {
                let place = |turn: &RecordedEpisode| {
                    (turn.episode.time, turn.episode.session.clone(), turn.episode.position, turn.episode.id)
                };
                place(one).cmp(&place(other))
            }
            (Value::List(one), Value::List(other)) => {
                let differing =
                    one.iter().zip(other).map(|(one, other)| one.order(other)).find(|o| o.is_ne());
                differing.unwrap_or_else(|| one.len().cmp(&other.len()))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }

    /// Returns the JSON form, as the other commands write such values.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Null => Json::Null,
            Value::Bool(value) => json!(value),
            Value::Number(number, None) => number_json(*number),
            Value::Number(number, Some(unit)) => json!({ "number": number_json(*number), "unit": unit }),
            Value::Text(text) => json!(text),
            Value::Time(moment) => json!(format_instant(moment.at)),
            Value::Valid(validity) => valid_json(*validity),
            Value::Entity(entity) => json!(entity.to_string()),
            Value::Json(text) => object_to_json(&Object::Json(text.clone()))["json"].clone(),
            Value::Fact(row) => row.to_json(),
            Value::Path(path) => {
                let facts: Vec<Json> = path.facts.iter().map(|row| row.to_json()).collect();
                json!({ "facts": facts, "valid": valid_json(path.valid) })
            }
            Value::Turn(record) => turn_json(record),
            Value::List(values) => values.iter().map(Value::to_json).collect(),
        }
    }

    /// Returns what a person is shown.
    pub fn to_text(&self) -> String {
        match self {
            Value::Null => "-".to_owned(),
            Value::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
            Value::Number(number, unit) => {
                let number = number_json(*number);
                unit.as_ref().map_or_else(|| number.to_string(), |unit| format!("{number} {unit}"))
            }
            Value::Text(text) | Value::Json(text) => text.clone(),
            Value::Time(moment) => format_moment(*moment),
            Value::Valid(validity) => validity_text(*validity, None),
            Value::Entity(entity) => entity.to_string(),
            Value::Fact(row) => fact_text(row),
            Value::Path(path) => {
                let facts: Vec<String> = path.facts.iter().map(|row| fact_text(row)).collect();
                format!("{} ({})", facts.join("; "), validity_text(path.valid, None))
            }
            Value::Turn(record) => record.episode.text.clone(),
            Value::List(values) => values.iter().map(Value::to_text).collect::<Vec<_>>().join(", "),
        }
    }
}

/// Orders numbers as numbers, whole or not.
pub(super) fn numbers(one: Number, other: Number) -> Ordering {
    match (one, other) {
        (Number::Whole(one), Number::Whole(other)) => one.cmp(&other),
        (one, other) => float(one).total_cmp(&float(other)),
    }
}

/// Returns a number as a float; beyond 2^53 the nearest one.
#[expect(clippy::cast_precision_loss, reason = "whole numbers are compared with each other as they are")]
pub(super) fn float(number: Number) -> f64 {
    match number {
        Number::Whole(whole) => whole as f64,
        Number::Real(real) => real,
    }
}

fn number_json(number: Number) -> Json {
    match number {
        Number::Whole(whole) => json!(whole),
        Number::Real(real) => json!(real),
    }
}

fn valid_json(validity: Validity) -> Json {
    let (from, from_grain, to, to_grain) = bounds_json(validity);
    json!({ "from": from, "from_grain": from_grain, "to": to, "to_grain": to_grain })
}

fn turn_json(record: &RecordedEpisode) -> Json {
    let turn = &record.episode;
    let mut map = Map::new();
    let mut put = |key: &str, value: Json| map.insert(key.to_owned(), value);
    put("id", json!(turn.id.to_string()));
    put("session", json!(turn.session));
    put("turn", json!(turn.position));
    put("speaker", json!(turn.speaker.as_ref().map(ToString::to_string)));
    put("time", json!(format_instant(turn.time)));
    put("text", json!(turn.text));
    Json::Object(map)
}

fn valid_order(validity: Validity) -> impl Ord {
    let period = validity.period();
    (period.is_none(), period.map(Period::start), period.map(Period::end), validity)
}

fn facts(one: &Row, other: &Row) -> Ordering {
    (one.order(), one.verdict, one.known_to).cmp(&(other.order(), other.verdict, other.known_to))
}

/// A value that can be looked for among others.
#[derive(Clone, Debug)]
pub(super) struct Ordered(pub(super) Value);

impl PartialEq for Ordered {
    fn eq(&self, other: &Ordered) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Ordered) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> Ordering {
        self.0.order(&other.0)
    }
}
