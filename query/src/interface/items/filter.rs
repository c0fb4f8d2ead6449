//! What items are asked for by their values: fields that are equal, or compare in some way.

use serde_json::{Map, Value};

use super::super::InterfaceError;

/// Says whether a value has what a filter asks for.
///
/// # Errors
/// [`InterfaceError::Request`] for an operator that there is none of.
pub(super) fn has(value: &Value, filter: &Map<String, Value>) -> Result<bool, InterfaceError> {
    for (key, asked) in filter {
        if !compares(value.get(key).unwrap_or(&Value::Null), asked)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn compares(value: &Value, asked: &Value) -> Result<bool, InterfaceError> {
    match asked {
        Value::Object(asked) if asked.keys().any(|key| key.starts_with('$')) => {
            for (operator, operand) in asked {
                if !applies(value, operator, operand)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Value::Object(asked) => {
            let Value::Object(_) = value else { return Ok(false) };
            has(value, asked)
        }
        Value::Array(asked) => {
            let Value::Array(values) = value else { return Ok(false) };
            if values.len() != asked.len() {
                return Ok(false);
            }
            for (value, asked) in values.iter().zip(asked) {
                if !compares(value, asked)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        asked => Ok(equals(value, asked)),
    }
}

fn applies(value: &Value, operator: &str, operand: &Value) -> Result<bool, InterfaceError> {
    let order = order(value, operand);
    Ok(match operator {
        "$eq" => equals(value, operand),
        "$ne" => !equals(value, operand),
        "$gt" => order.is_some_and(std::cmp::Ordering::is_gt),
        "$gte" => order.is_some_and(std::cmp::Ordering::is_ge),
        "$lt" => order.is_some_and(std::cmp::Ordering::is_lt),
        "$lte" => order.is_some_and(std::cmp::Ordering::is_le),
        _ => {
            return Err(InterfaceError::Request(format!(
                "operator {operator:?} is none: expected $eq, $ne, $gt, $gte, $lt or $lte"
            )));
        }
    })
}

fn equals(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (one, other) => one == other,
    }
}

/// Puts two values in order: numbers, and texts that are some, by what they amount to; other texts by their letters. Others
/// have no order.
fn order(one: &Value, other: &Value) -> Option<std::cmp::Ordering> {
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse::<f64>().ok(),
        _ => None,
    };
    match (number(one), number(other), one, other) {
        (Some(one), Some(other), _, _) => one.partial_cmp(&other),
        (_, _, Value::String(one), Value::String(other)) => Some(one.cmp(other)),
        (_, _, _, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_compared_as_they_are_asked_for() {
        let value = json!({"a": 3, "b": "red", "c": {"d": [1, 2.0], "e": null}, "n": "12"});
        for (filter, expected) in [
            (json!({}), true),
            (json!({"a": 3.0, "b": "red"}), true),
            (json!({"a": 3, "b": "blue"}), false),
            (json!({"a": {"$gt": 2, "$lte": 3}}), true),
            (json!({"a": {"$gt": 3}}), false),
            (json!({"a": {"$lt": "4"}}), true),
            (json!({"n": {"$gte": 12}}), true),
            (json!({"b": {"$ne": "blue"}}), true),
            (json!({"b": {"$gt": "blue"}}), true),
            (json!({"b": {"$gt": 1}}), false),
            (json!({"missing": {"$gt": 1}}), false),
            (json!({"missing": null}), true),
            (json!({"c": {"d": [1, 2]}}), true),
            (json!({"c": {"d": [1]}}), false),
            (json!({"c": {"d": [{"$gt": 0}, 2]}}), true),
            (json!({"a": {"d": 1}}), false),
        ] {
            let Value::Object(asked) = &filter else { panic!("a filter") };
            assert_eq!(has(&value, asked).expect("a filter"), expected, "{filter}");
        }
        let Value::Object(asked) = json!({"a": {"$in": [1]}}) else { panic!("a filter") };
        assert!(has(&value, &asked).is_err());
    }
}
