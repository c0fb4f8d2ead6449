//! What one message says, and what its tool calls did.

use std::ops::Range;

use bygone_engine::Role;
use serde_json::{Map, Value};

use super::TYPES;
use crate::read::Part;
use crate::read::harness::elements;
use crate::read::media::media_note;
use crate::read::near::missing;
use crate::read::stamp::kind_of;
use crate::read::turn_text::{Answer, TurnText};

/// Keys that messages have, which are never a slip for another one.
const KNOWN: [&str; 10] = [
    "id",
    "timestamp",
    "type",
    "content",
    "displayContent",
    "toolCalls",
    "thoughts",
    "tokens",
    "model",
    "sessionId",
];
/// Elements the harness writes into a person's message.
const ELEMENTS: [&str; 3] = ["session_context", "hook_context", "system-reminder"];
/// What stands around the contents of files that a person refers to.
const FILES: (&str, &str) = ("--- Content from referenced files ---", "--- End of content ---");

/// A message, read.
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) rendering: TurnText,
}

/// A tool call of a message, read: the call, and its result where it has come to its end.
pub(super) struct Done {
    pub(super) call: TurnText,
    pub(super) result: Option<TurnText>,
}

/// Reads a message, without its tool calls.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn read(map: &Map<String, Value>, is_subagent: bool) -> Result<Message, String> {
    let kind = match map.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(other) => return Err(format!("no type: `type` is {}, not a string", kind_of(other))),
        None => return Err(format!("no type: the message has {}", missing(map, "type", &KNOWN))),
    };
    let mut into = TurnText::default();
    if !TYPES.contains(&kind) {
        into.notice(format!("the type {kind:?} is not known; nothing is read from its words"));
    }
    if kind == "gemini" {
        for thought in map.get("thoughts").and_then(Value::as_array).into_iter().flatten() {
            think(thought, &mut into);
        }
    }
    if let Some(content) = map.get("content") {
        parts(kind, content, &mut into);
    } else {
        into.notice(format!("the message has {}", missing(map, "content", &KNOWN)));
        into.say(&Value::Object(map.clone()).to_string(), Part::Harness);
    }
    let role = match kind {
        "gemini" => Role::Agent,
        "user" if !into.has(|part| matches!(part, Part::Speech(_))) => Role::System,
        "user" if is_subagent => Role::Agent,
        "user" => Role::User,
        _ => Role::System,
    };
    Ok(Message { role, rendering: into })
}

fn think(thought: &Value, into: &mut TurnText) {
    let text = |key: &str| thought.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let words: Vec<&str> =
        [text("subject"), text("description"), thought.as_str()].into_iter().flatten().collect();
    into.think(&words.join(": "));
}

/// Appends a content: a string, a part, or a list of either.
fn parts(kind: &str, content: &Value, into: &mut TurnText) {
    let Value::Array(items) = content else {
        return part(kind, content, into);
    };
    // The contents of files stand in parts of their own, between two that say so.
    let mut is_file = false;
    for item in items {
        let text = item.as_str().or_else(|| item.get("text")?.as_str()).unwrap_or_default().trim();
        if kind == "user" && text == FILES.0 {
            is_file = true;
        }
        part(if is_file { "file" } else { kind }, item, into);
        if text == FILES.1 {
            is_file = false;
        }
    }
}

fn part(kind: &str, item: &Value, into: &mut TurnText) {
    let media = |key: &str, field: &str| item.get(key)?.get(field)?.as_str();
    if let Some(words) = item.as_str().or_else(|| item.get("text")?.as_str()) {
        match kind {
            _ if item.get("thought").and_then(Value::as_bool) == Some(true) => into.think(words),
            "user" => into.say_around(words, &stretches(words)),
            "gemini" => into.say(words, Part::Speech),
            _ => into.say(words, Part::Harness),
        }
    } else if let Some(data) = media("inlineData", "data") {
        let kind = media("inlineData", "mimeType").unwrap_or("file");
        into.say(&format!("[{kind}, {} bytes]", data.len() / 4 * 3), Part::Harness);
    } else if let Some(address) = media("fileData", "fileUri") {
        into.say(&media_note("file", address), Part::Harness);
    } else if !item.is_null() {
        into.notice(format!("a content part that is {} is kept as JSON", kind_of(item)));
        into.say(&item.to_string(), Part::Harness);
    }
}

/// Finds what the harness wrote into a person's words.
fn stretches(text: &str) -> Vec<Range<usize>> {
    let files = text.find(FILES.0).map(|start| {
        let end = text[start..].find(FILES.1).map_or(text.len(), |end| start + end + FILES.1.len());
        start..end
    });
    let files = files.unwrap_or(text.len()..text.len());
    let mut stretches: Vec<_> = elements(&text[..files.start], 0, &ELEMENTS);
    let end = files.end;
    stretches.push(files);
    stretches.extend(elements(text, end, &ELEMENTS));
    stretches
}

/// Reads a tool call; `id` is the name by which its result finds it.
pub(super) fn read_call(map: &Map<String, Value>, id: &str) -> Done {
    let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut call = TurnText::default();
    call.call(id, text("name"), map.get("args").cloned().unwrap_or(Value::Null));
    let is_error = match text("status") {
        "success" => Some(false),
        "error" | "cancelled" => Some(true),
        // Validated, scheduled, waiting for approval, or running.
        "" if map.contains_key("result") => None,
        _ => return Done { call, result: None },
    };
    let display = map.get("resultDisplay").filter(|display| !display.is_null());
    let mut output: Vec<String> = Vec::new();
    match map.get("result") {
        None | Some(Value::Null) => {}
        Some(Value::Array(items)) => output.extend(items.iter().map(output_of)),
        Some(item) => output.push(output_of(item)),
    }
    if output.is_empty() {
        output.extend(display.and_then(Value::as_str).map(str::to_owned));
    }
    let mut result = TurnText::default();
    result.answer(Answer {
        call: id.to_owned(),
        is_error,
        output: output.join("\n"),
        details: display.filter(|display| display.is_object()).cloned(),
    });
    Done { call, result: Some(result) }
}

/// Renders one part of a result.
fn output_of(item: &Value) -> String {
    if let Some(text) = item.as_str().or_else(|| item.get("text")?.as_str()) {
        return text.to_owned();
    }
    if let Some(kind) = item.get("inlineData").and_then(|data| data.get("mimeType")?.as_str()) {
        return format!("[{kind}]");
    }
    let response = item.get("functionResponse").and_then(|response| response.get("response"));
    let told = response.and_then(|response| {
        ["output", "error", "result"].into_iter().find_map(|key| response.get(key)?.as_str())
    });
    told.map_or_else(|| response.unwrap_or(item).to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_harness_adds_is_told_from_the_person() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> = stretches(text)
                .into_iter()
                .map(|range| &text[range])
                .filter(|text| !text.is_empty())
                .collect();
            assert_eq!(found, expected);
        };
        check("I moved to Lisbon.", &[]);
        let files = "--- Content from referenced files ---\nI live in Oslo.\n--- End of content ---";
        check(&format!("Look at @a.txt\n{files}\nDone?"), &[files]);
        check("See <hook_context>x</hook_context> this", &["<hook_context>x</hook_context>"]);
        check("--- Content from referenced files ---\ncut", &["--- Content from referenced files ---\ncut"]);
    }
}
