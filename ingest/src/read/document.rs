//! A JSON object of which only some members are wanted, in the bytes it stands in: so that its items keep their places,
//! and what is whole of an object that is cut off can be read.

use std::ops::Range;

use serde_json::{Map, Value};

use super::lines::text_of;
use super::scan::{items, members};
use super::stamp::{Stamp, kind_of, read_stamp};

/// How the reason opens where an object is cut off.
pub(super) const CUT_OFF: &str = "cut off";

/// An object and where its members stand.
pub(super) struct Document<'a> {
    bytes: &'a [u8],
    members: Vec<(String, Range<usize>)>,
}

impl<'a> Document<'a> {
    /// Finds the members of an object, as far as it goes; `None` where the bytes are no object.
    pub(super) fn of(bytes: &'a [u8]) -> Option<Document<'a>> {
        Some(Document { bytes, members: members(bytes)? })
    }

    /// Says whether it has the member.
    pub(super) fn has(&self, key: &str) -> bool {
        self.range(key).is_some()
    }

    /// Returns where a member stands; of several of one name the last, as JSON parsers do.
    pub(super) fn range(&self, key: &str) -> Option<Range<usize>> {
        self.members.iter().rfind(|(name, _)| name == key).map(|(_, range)| range.clone())
    }

    /// Returns the value of a member, if it can be read.
    pub(super) fn value(&self, key: &str) -> Option<Value> {
        parse(&self.bytes[self.range(key)?]).ok().filter(|value| !value.is_null())
    }

    /// Returns the text of the first of the members that is one and is not empty.
    pub(super) fn text(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| match self.value(key) {
            Some(Value::String(text)) if !text.trim().is_empty() => Some(text),
            _ => None,
        })
    }

    /// Returns a member that is an object.
    pub(super) fn object(&self, key: &str) -> Option<(Range<usize>, Document<'a>)> {
        let range = self.range(key)?;
        Some((range.clone(), Document::of(&self.bytes[range])?))
    }

    /// Returns where the items of a member that is a list stand, as far as it goes.
    pub(super) fn list(&self, key: &str) -> Option<Vec<Range<usize>>> {
        let range = self.range(key)?;
        let items = items(&self.bytes[range.clone()])?;
        Some(items.into_iter().map(|item| range.start + item.start..range.start + item.end).collect())
    }
}

/// Parses a piece; bytes that are no text are replaced, and NUL bytes left out, as everywhere.
pub(super) fn parse(bytes: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_str(&text_of(bytes).0)
}

/// Reads a piece that has to be an object.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    match parse(bytes) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(other) => Err(format!("{}, not an object", kind_of(&other))),
        Err(error) if error.is_eof() => Err(format!("{CUT_OFF}: {error}")),
        Err(error) => Err(format!("not JSON: {error}")),
    }
}

/// Returns the time under the first of the keys that stands there, or what is wrong with it.
pub(super) fn stamp(map: &Map<String, Value>, keys: &[&str]) -> Option<Result<Stamp, String>> {
    let (key, value) =
        keys.iter().find_map(|key| Some((key, map.get(*key).filter(|value| !value.is_null())?)))?;
    Some(read_stamp(value).map_err(|reason| format!("{key}: {reason}")))
}

/// Returns the text under the first of the keys that has one.
pub(super) fn text<'a>(map: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| map.get(*key)?.as_str().filter(|text| !text.trim().is_empty()))
}

/// Takes JSON out of the texts it was put into, at most twice.
pub(super) fn decoded(mut value: Value) -> Value {
    for _ in 0..2 {
        let inner = match &value {
            Value::String(text) => serde_json::from_str(text).ok(),
            _ => None,
        };
        match inner {
            Some(inner) => value = inner,
            None => break,
        }
    }
    value
}
