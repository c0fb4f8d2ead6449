//! The JSON form of an object: one key that says its kind.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use super::shown::Shown;
use super::time::{grain_beside, valid_text};
use crate::entity::{EntityError, EntityRef};
use crate::excerpt::excerpt;
use crate::object::{Number, Object};
use crate::time::{Bound, Granularity, Moment, Period, PeriodError, TimeError, parse_moment};

/// Why a JSON value is no object of a statement.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObjectError {
    /// The value has not the form of an object.
    #[error(
        "object {0} is not understood: expected one of {{\"entity\"}}, {{\"text\"}}, {{\"number\",\"unit\"}}, {{\"bool\"}}, {{\"instant\"}}, {{\"period\"}}, {{\"json\"}}"
    )]
    Form(String),
    /// A key that objects of this kind do not have.
    #[error("object has an unknown key {0:?}")]
    UnknownKey(String),
    /// A whole number that cannot be kept exactly.
    #[error("whole number {0} is beyond 9223372036854775807: send it as a text")]
    TooLarge(String),
    /// The entity is malformed.
    #[error(transparent)]
    Entity(#[from] EntityError),
    /// The time is malformed.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// The period is empty.
    #[error(transparent)]
    Period(#[from] PeriodError),
}

/// Reads the wire form of an object.
///
/// # Errors
/// [`ObjectError`] by what is wrong.
pub fn object_from_json(value: &Value) -> Result<Object, ObjectError> {
    let form = || ObjectError::Form(excerpt(&value.to_string()));
    let map = value.as_object().ok_or_else(form)?;
    let kinds = ["entity", "text", "number", "bool", "instant", "period", "json"];
    let mut named = kinds.into_iter().filter(|kind| map.contains_key(*kind));
    let kind = named.next().ok_or_else(form)?;
    if named.next().is_some() {
        return Err(form());
    }
    let extra: &[&str] = match kind {
        "number" => &["unit"],
        "instant" => &["grain"],
        "period" => &["from_grain", "to_grain"],
        _ => &[],
    };
    if let Some(unknown) = map.keys().find(|key| *key != kind && !extra.contains(&key.as_str())) {
        return Err(ObjectError::UnknownKey(excerpt(unknown)));
    }
    let inner = &map[kind];
    match kind {
        "entity" => Ok(Object::Entity(EntityRef::parse(inner.as_str().ok_or_else(form)?)?)),
        "text" => Ok(Object::Text(inner.as_str().ok_or_else(form)?.nfc().collect())),
        "number" => {
            let value = match inner.as_i64() {
                Some(whole) => Number::Whole(whole),
                None if inner.is_u64() => return Err(ObjectError::TooLarge(inner.to_string())),
                None => inner.as_f64().and_then(Number::from_f64).ok_or_else(form)?,
            };
            let unit = match map.get("unit") {
                None | Some(Value::Null) => None,
                Some(unit) => Some(unit.as_str().ok_or_else(form)?.to_owned()),
            };
            Ok(Object::Number { value, unit })
        }
        "bool" => Ok(Object::Bool(inner.as_bool().ok_or_else(form)?)),
        "instant" => {
            let text = inner.as_str().ok_or_else(form)?;
            Ok(Object::Instant(regrain(parse_moment(text)?, map.get("grain")).ok_or_else(form)?))
        }
        "period" => {
            let [from, to] = inner.as_array().map(Vec::as_slice).ok_or_else(form)? else {
                return Err(form());
            };
            let bound = |value: &Value, grain: &str| match value {
                Value::Null => Ok(Bound::Open),
                Value::String(text) => {
                    regrain(parse_moment(text)?, map.get(grain)).map(Bound::At).ok_or_else(form)
                }
                _ => Err(form()),
            };
            Ok(Object::Period(Period::new(bound(from, "from_grain")?, bound(to, "to_grain")?)?))
        }
        _ => Ok(Object::Json(inner.to_string())),
    }
}

fn regrain(moment: Moment, grain: Option<&Value>) -> Option<Moment> {
    match grain {
        None | Some(Value::Null) => Some(moment),
        Some(name) => Some(Moment::new(moment.at, Granularity::from_name(name.as_str()?)?)),
    }
}

/// Writes the wire form of an object.
pub fn object_to_json(object: &Object) -> Value {
    json!(ObjectForm(object))
}

/// The wire form of an object, its keys in order.
pub(crate) struct ObjectForm<'a>(pub(crate) &'a Object);

impl Serialize for ObjectForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            Object::Entity(entity) => map.serialize_entry("entity", &Shown(entity))?,
            Object::Text(text) => map.serialize_entry("text", text)?,
            Object::Number { value, unit } => {
                match value {
                    Number::Whole(whole) => map.serialize_entry("number", whole)?,
                    Number::Real(real) => map.serialize_entry("number", real)?,
                }
                if let Some(unit) = unit {
                    map.serialize_entry("unit", unit)?;
                }
            }
            Object::Bool(value) => map.serialize_entry("bool", value)?,
            Object::Instant(moment) => {
                if let Some(grain) = grain_beside(*moment) {
                    map.serialize_entry("grain", grain)?;
                }
                map.serialize_entry("instant", &valid_text(*moment))?;
            }
            Object::Period(period) => {
                let bounds = [period.from(), period.to()].map(Bound::moment);
                let [from_grain, to_grain] = bounds.map(|bound| bound.and_then(grain_beside));
                if let Some(grain) = from_grain {
                    map.serialize_entry("from_grain", grain)?;
                }
                map.serialize_entry("period", &bounds.map(|bound| bound.map(valid_text)))?;
                if let Some(grain) = to_grain {
                    map.serialize_entry("to_grain", grain)?;
                }
            }
            Object::Json(text) => {
                map.serialize_entry("json", &serde_json::from_str::<Value>(text).unwrap_or(Value::Null))?;
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_round_trips() {
        for text in [
            r#"{"entity":"person:Alice"}"#,
            r#"{"text":"hello"}"#,
            r#"{"number":42}"#,
            r#"{"number":2.5,"unit":"km"}"#,
            r#"{"bool":true}"#,
            r#"{"instant":"2024-03"}"#,
            r#"{"grain":"quarter","instant":"2024-04-01"}"#,
            r#"{"instant":"2024-03-01T00:00:00Z"}"#,
            r#"{"period":["2024-03-01",null]}"#,
            r#"{"json":{"a":[1,null]}}"#,
        ] {
            let value: Value = serde_json::from_str(text).expect(text);
            let object = object_from_json(&value).expect(text);
            assert_eq!(object_to_json(&object).to_string(), text);
        }
    }

    #[test]
    fn whole_floats_and_whole_numbers_are_one() {
        let read = |text: &str| object_from_json(&serde_json::from_str(text).expect(text)).expect(text);
        assert_eq!(read(r#"{"number":2.0}"#), read(r#"{"number":2}"#));
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in [
            "null",
            "3",
            "{}",
            r#"{"entity":"Alice"}"#,
            r#"{"text":1}"#,
            r#"{"text":"a","bool":true}"#,
            r#"{"text":"a","colour":"red"}"#,
            r#"{"period":["2024","2023"]}"#,
            r#"{"period":["2024"]}"#,
            r#"{"instant":"soon"}"#,
        ] {
            assert!(object_from_json(&serde_json::from_str(text).expect(text)).is_err(), "{text}");
        }
    }
}
