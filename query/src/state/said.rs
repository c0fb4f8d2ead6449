//! What people and agents hand in as text, checked and brought into the form in which statements keep it.

use bygone_engine::wire::object_from_json;
use bygone_engine::{EntityRef, Object};
use serde_json::{Value, json};

use super::StateError;

/// The most that a key may hold, as for statements that are read.
const MAX_KEY_BYTES: usize = 4096;

/// Returns a text without white space around it.
///
/// # Errors
/// [`StateError::Name`] where nothing is left of it; `what` says what it was to be.
pub(super) fn required<'t>(what: &str, text: &'t str) -> Result<&'t str, StateError> {
    let text = text.trim();
    if text.is_empty() { Err(StateError::Name(format!("{what} is empty"))) } else { Ok(text) }
}

/// Returns a text as an object.
pub(super) fn text(text: &str) -> Object {
    object(&json!({ "text": text }))
}

/// Returns a JSON value as an object.
pub(super) fn json_object(value: &Value) -> Object {
    object(&json!({ "json": value }))
}

fn object(value: &Value) -> Object {
    object_from_json(value).expect("texts and JSON values are objects, whatever they hold")
}

/// Returns the JSON value that an object holds; null where it is none.
pub(super) fn json_of(object: &Object) -> Value {
    match object {
        Object::Json(text) => serde_json::from_str(text).unwrap_or_default(),
        _ => Value::Null,
    }
}

/// Returns the field of a JSON value that is a text; an empty one where there is none.
pub(super) fn field(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Returns a topic as the key of a group.
///
/// # Errors
/// [`StateError::Name`] where it is empty, too long, or holds control characters.
pub(super) fn topic(text: &str) -> Result<String, StateError> {
    let topic = required("the topic", text)?;
    if topic.len() > MAX_KEY_BYTES || topic.chars().any(char::is_control) {
        return Err(StateError::Name(format!(
            "the topic is no name: expected at most {MAX_KEY_BYTES} bytes without control characters"
        )));
    }
    Ok(match self::text(topic) {
        Object::Text(topic) => topic,
        other => other.canonical(),
    })
}

/// Returns the entity that those who work in a space decide and try as: what one of them says there the others can take
/// back.
pub(super) fn everybody() -> EntityRef {
    EntityRef::new("team", "space").expect("a constant name")
}
