//! How two values compare; `None` where there is no telling.

use std::cmp::Ordering;

use bygone_engine::time::{Bound, Moment, Period, Validity, parse_moment};

use super::allen::relates;
use crate::language::ast::Operator;
use crate::language::value::{Value, numbers};

/// Compares two values; `None` where there is no telling.
pub(super) fn compare(left: &Value, operator: Operator, right: &Value) -> Option<bool> {
    if matches!(left, Value::Null) || matches!(right, Value::Null) {
        return None;
    }
    match operator {
        Operator::Equal => equal(left, right),
        Operator::Unequal => equal(left, right).map(|equal| !equal),
        Operator::Less => ordering(left, right).map(Ordering::is_lt),
        Operator::AtMost => ordering(left, right).map(Ordering::is_le),
        Operator::Greater => ordering(left, right).map(Ordering::is_gt),
        Operator::AtLeast => ordering(left, right).map(Ordering::is_ge),
        Operator::In => within(left, right),
        Operator::StartsWith => texts(left, right, |text, part| text.starts_with(part)),
        Operator::EndsWith => texts(left, right, |text, part| text.ends_with(part)),
        Operator::Contains => match (left, right) {
            (Value::Text(_), Value::Text(_)) => texts(left, right, |text, part| text.contains(part)),
            (Value::List(_), value) => within(value, left),
            _ => relates(valid(left)?, operator, valid(right)?),
        },
        Operator::Before
        | Operator::After
        | Operator::Meets
        | Operator::MetBy
        | Operator::Overlaps
        | Operator::OverlappedBy
        | Operator::During
        | Operator::Starts
        | Operator::StartedBy
        | Operator::Finishes
        | Operator::FinishedBy
        | Operator::Equals
        | Operator::Within
        | Operator::Intersects => relates(valid(left)?, operator, valid(right)?),
    }
}

/// Says whether two values are equal; values of different kinds are not, but a text beside a time is one.
fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Time(_), Value::Text(_))
        | (Value::Text(_), Value::Time(_))
        | (Value::Number(..), Value::Number(..)) => ordering(left, right).map(Ordering::is_eq),
        (Value::Time(one), Value::Time(other)) => Some(one.at == other.at),
        (Value::Valid(_), _) | (_, Value::Valid(_)) => relates(valid(left)?, Operator::Equals, valid(right)?),
        (Value::Entity(entity), Value::Text(text)) | (Value::Text(text), Value::Entity(entity)) => {
            Some(entity.to_string() == *text)
        }
        _ => Some(left.order(right).is_eq()),
    }
}

/// Orders numbers, texts and times; `None` for others, and for numbers of different units. A text beside a time is one, and
/// whatever lies in its granule is equal to it.
fn ordering(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(one, unit), Value::Number(other, other_unit)) => {
            let is_same = unit.is_none() || other_unit.is_none() || unit == other_unit;
            is_same.then(|| numbers(*one, *other))
        }
        (Value::Time(time), Value::Text(text)) => granule(*time, text),
        (Value::Text(text), Value::Time(time)) => granule(*time, text).map(Ordering::reverse),
        (Value::Time(one), Value::Time(other)) => Some(one.at.cmp(&other.at)),
        (Value::Text(one), Value::Text(other)) => Some(one.cmp(other)),
        (Value::Bool(one), Value::Bool(other)) => Some(one.cmp(other)),
        _ => None,
    }
}

fn granule(time: Moment, text: &str) -> Option<Ordering> {
    let said = parse_moment(text).ok()?;
    Some(if time.at < said.at {
        Ordering::Less
    } else if time.at < said.end() {
        Ordering::Equal
    } else {
        Ordering::Greater
    })
}

fn within(value: &Value, list: &Value) -> Option<bool> {
    let Value::List(values) = list else { return None };
    let mut found = Some(false);
    for one in values {
        match compare(value, Operator::Equal, one) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => found = None,
        }
    }
    found
}

fn texts(left: &Value, right: &Value, holds: impl Fn(&str, &str) -> bool) -> Option<bool> {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => Some(holds(left, right)),
        _ => None,
    }
}

/// Reads a value as a time.
pub(super) fn moment(value: &Value) -> Option<Moment> {
    match value {
        Value::Time(moment) => Some(*moment),
        Value::Text(text) => parse_moment(text).ok(),
        _ => None,
    }
}

/// Reads a value as a stretch of time: a period, or the granule of a time.
pub(super) fn valid(value: &Value) -> Option<Validity> {
    match value {
        Value::Valid(validity) => Some(*validity),
        other => {
            let moment = moment(other)?;
            let end = Moment::new(moment.end(), moment.grain);
            Period::new(Bound::At(moment), Bound::At(end)).ok().map(Validity::Over)
        }
    }
}
