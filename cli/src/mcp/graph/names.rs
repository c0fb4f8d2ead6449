//! Names and texts that a client sends, in the form in which they are kept: what is written alike is one.

use std::collections::BTreeSet;

use bygone_engine::wire::object_from_json;
use bygone_engine::{EntityRef, Object};
use serde_json::{Value, json};

use crate::mcp::arguments::{text_of, texts};

/// Returns a name of an object of a list, in the form in which names are kept: what is written alike is one.
pub(super) fn name_of(item: &Value, key: &str) -> Result<String, String> {
    text_of(item, key).map(|name| kept_name(&name))
}

/// Returns the names of a list, as [`name_of`] does.
pub(super) fn names_of(items: &[Value], key: &str) -> Result<BTreeSet<String>, String> {
    Ok(texts(items, key)?.iter().map(|name| kept_name(name)).collect())
}

pub(super) fn kept_name(name: &str) -> String {
    // What is no name names nothing that is there.
    EntityRef::new("thing", name).map_or_else(|_| name.to_owned(), |entity| entity.name().to_owned())
}

/// Returns the texts of a list, in the form in which they are kept.
pub(super) fn kept_texts(items: &[Value], key: &str) -> Result<Vec<String>, String> {
    let kept = |text: String| match object_from_json(&json!({ "text": text })) {
        Ok(Object::Text(kept)) => kept,
        _ => text,
    };
    Ok(texts(items, key)?.into_iter().map(kept).collect())
}
