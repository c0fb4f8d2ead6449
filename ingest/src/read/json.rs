//! What JSON a line holds: one value, or the pieces of a line that several writes ran together on.

use std::ops::Range;

use serde_json::{Map, Value};

use super::lines::{Line, text_of};
use super::stamp::kind_of;
use super::{INCOMPLETE, Place};

/// How many places a broken piece is searched for the start of the next record.
const MOST_RESTARTS: usize = 16;
/// By how many bytes of its start a record is looked for again: enough to tell it from the blocks inside it, else
/// what little of it was written.
const START_BYTES: [usize; 2] = [16, 4];

/// A piece of a line: the bytes of its raw form, and its value or why it has none.
pub(super) struct LineValue {
    /// Its bytes in the line.
    pub(super) range: Range<usize>,
    /// Its value, or the reason.
    pub(super) value: Result<Value, String>,
}

/// Reads a line: one piece as a rule; several only where a half-written record and its repeat, or two records, stand
/// on one line. `is_ours` tells the format's records from what else is JSON.
pub(super) fn values(line: &Line<'_>, is_ours: fn(&Value) -> bool) -> Vec<LineValue> {
    let whole = 0..line.raw.len();
    if line.text.trim().is_empty() {
        return vec![LineValue { range: whole, value: Err("nothing but NUL bytes".to_owned()) }];
    }
    match serde_json::from_str(&line.text) {
        Ok(value) => vec![LineValue { range: whole, value: Ok(value) }],
        Err(error) => {
            let unchanged = line.text.len() == line.raw.len() && line.repairs.is_empty();
            let glued = if unchanged { unglue(&line.text, is_ours) } else { None };
            glued.unwrap_or_else(|| {
                vec![LineValue { range: whole, value: Err(reason(&error, &line.text, line.is_terminated)) }]
            })
        }
    }
}

/// A record of a line.
pub(super) struct Found<'a> {
    pub(super) place: Place,
    /// Its bytes.
    pub(super) raw: &'a [u8],
    /// The object it is, with what was noticed, or why it is none.
    pub(super) object: Result<(Map<String, Value>, Vec<String>), String>,
}

/// Reads a line as records, each with its place.
pub(super) fn records<'a>(line: &'a Line<'_>, is_ours: fn(&Value) -> bool) -> Vec<Found<'a>> {
    let values = values(line, is_ours);
    let mut problems = line.repairs.clone();
    if values.len() > 1 {
        problems.push("several records stand on one line".to_owned());
    }
    let found = |piece: LineValue| Found {
        place: Place { offset: line.place.offset + piece.range.start as u64, line: line.place.line },
        raw: &line.raw[piece.range],
        object: piece.value.and_then(|value| match value {
            Value::Object(object) => Ok((object, problems.clone())),
            other => Err(format!("{}, not an object", kind_of(&other))),
        }),
    };
    values.into_iter().map(found).collect()
}

/// Reads the members of an object but one, whose items are records of their own; those that are damaged are left out.
pub(super) fn members_but(
    name: &str,
    bytes: &[u8],
    members: &[(String, Range<usize>)],
) -> Map<String, Value> {
    let others = members.iter().filter(|(key, _)| key != name);
    let read = |(key, range): &(String, Range<usize>)| {
        let (value, _) = parse(&bytes[range.clone()]).ok()?;
        Some((key.clone(), value))
    };
    others.filter_map(read).collect()
}

/// Parses a piece of a file that is no line of its own; returns its value, and what had to be changed to make the bytes
/// text.
///
/// # Errors
/// Why it is no JSON, in words.
pub(super) fn parse(bytes: &[u8]) -> Result<(Value, Vec<String>), String> {
    let (text, repairs) = text_of(bytes);
    match serde_json::from_str(&text) {
        Ok(value) => Ok((value, repairs)),
        Err(error) => Err(reason(&error, &text, true)),
    }
}

/// Takes a line apart into records, with at most one broken piece in front of whole ones; `None` where that fails.
fn unglue(text: &str, is_ours: fn(&Value) -> bool) -> Option<Vec<LineValue>> {
    if let Some(pieces) = whole_records(text, 0, is_ours) {
        return Some(pieces);
    }
    let error = serde_json::from_str::<Value>(text).err()?;
    for n_bytes in START_BYTES {
        let start = text.get(..n_bytes)?;
        for (at, _) in text.match_indices(start).skip(1).take(MOST_RESTARTS) {
            if let Some(whole) = whole_records(text, at, is_ours) {
                let broken = LineValue { range: 0..at, value: Err(reason(&error, &text[..at], true)) };
                return Some(std::iter::once(broken).chain(whole).collect());
            }
        }
    }
    None
}

/// Reads everything from `from` on as records of this format; `None` where anything else stands there.
fn whole_records(text: &str, from: usize, is_ours: fn(&Value) -> bool) -> Option<Vec<LineValue>> {
    let mut pieces = Vec::new();
    let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<Value>();
    let mut start = from;
    while let Some(value) = values.next() {
        let value = value.ok().filter(&is_ours)?;
        let end = from + values.byte_offset();
        pieces.push(LineValue { range: start..end, value: Ok(value) });
        start = end;
    }
    Some(pieces)
}

/// Says why a text is no JSON, in words that tell the usual damages apart.
fn reason(error: &serde_json::Error, text: &str, is_terminated: bool) -> String {
    let message = error.to_string();
    if !is_terminated {
        format!("{INCOMPLETE}: {message}")
    } else if error.is_eof() {
        format!("half-written line: {message}")
    } else if message.contains("surrogate") || (message.contains("hex escape") && text.contains("\\u")) {
        format!("lone surrogate in an escape: {message}")
    } else if message.contains("recursion limit") {
        format!("nested too deeply: {message}")
    } else {
        format!("not JSON: {message}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::lines::lines;

    #[track_caller]
    fn check(bytes: &str, expected: &[&str]) {
        let line = lines(bytes.as_bytes()).next().expect("a line");
        let read: Vec<String> = values(&line, |value| value.get("type").is_some())
            .into_iter()
            .map(|piece| match piece.value {
                Ok(value) => value.to_string(),
                Err(reason) => reason.split(':').next().unwrap_or_default().to_owned(),
            })
            .collect();
        assert_eq!(read, expected, "{bytes}");
    }

    #[test]
    fn damage_is_named_and_what_is_whole_is_saved() {
        check("{\"type\":\"a\"}\n", &["{\"type\":\"a\"}"]);
        check("{\"type\":\"a\"", &["incomplete last line"]);
        check("{\"type\":\"a\"\n", &["half-written line"]);
        let record = |uuid: &str| {
            format!(
                "{{\"message\":{{\"content\":[{{\"type\":\"text\"}}]}},\"type\":\"user\",\"uuid\":\"{uuid}\"}}"
            )
        };
        let (one, two) = (record("one"), record("two"));
        check(&format!("{one}{two}\n"), &[&one, &two]);
        for n_bytes in [5, 20, 40, one.len() - 1] {
            check(&format!("{}{one}\n", &one[..n_bytes]), &["not JSON", &one]);
        }
        check(&format!("{}\n", &one[..40]), &["half-written line"]);
        check(&format!("{one}x\n"), &["not JSON"]);
        check("42 43\n", &["not JSON"]);
        check("{\"type\":\"\\ud83d\"}\n", &["lone surrogate in an escape"]);
        check("{\"type\":\"\\udc00\"}\n", &["lone surrogate in an escape"]);
        check("\0\0\n", &["nothing but NUL bytes"]);
        check(&format!("{}\n", "[".repeat(1000)), &["nested too deeply"]);
    }
}
