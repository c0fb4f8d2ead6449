//! What the blocks of a message's content become.

use serde_json::{Map, Value};

use super::text::{Rendering, Voice};
use crate::read::Part;
use crate::read::near::missing;
use crate::read::stamp::kind_of;

/// Lists in a tool's input whose items are objects: (tool, key).
const LISTS_OF_OBJECTS: [(&str, &str); 2] = [("TodoWrite", "todos"), ("MultiEdit", "edits")];

/// Keys that blocks have, which are never a slip for another one.
const KNOWN: [&str; 12] = [
    "type",
    "text",
    "thinking",
    "signature",
    "id",
    "name",
    "input",
    "tool_use_id",
    "content",
    "is_error",
    "source",
    "cache_control",
];

/// Renders a message's content: a string, or a list of blocks and strings.
pub(super) fn render(content: &Value, voice: Voice, into: &mut Rendering) {
    match content {
        Value::String(words) => into.say(words, voice),
        Value::Array(blocks) => blocks.iter().for_each(|block| render_block(block, voice, into)),
        Value::Object(_) => {
            into.notice("content is an object, not a list of blocks");
            render_block(content, voice, into);
        }
        other => {
            into.notice(format!("content is {}, not text or a list of blocks", kind_of(other)));
            if !other.is_null() {
                into.say(&other.to_string(), Voice::Harness);
            }
        }
    }
}

fn render_block(block: &Value, voice: Voice, into: &mut Rendering) {
    let map = match block {
        Value::String(words) => return into.say(words, voice),
        Value::Object(map) => map,
        other => {
            into.notice(format!("a content block is {}, not an object", kind_of(other)));
            return into.say(&other.to_string(), Voice::Harness);
        }
    };
    match map.get("type").and_then(Value::as_str) {
        Some("text") => match text_of(map, "text", into) {
            Some(words) => into.say(words, voice),
            None => into.say(&block.to_string(), Voice::Harness),
        },
        Some("thinking") => {
            let words = text_of(map, "thinking", into).unwrap_or_default();
            into.turn.think(words);
        }
        Some("redacted_thinking") => into.turn.think_encrypted(),
        Some("tool_use" | "server_tool_use") => render_call(map, into),
        Some("tool_result") => render_result(map, into),
        Some("image" | "document") => into.say(&media_note(map), Voice::Harness),
        kind => {
            into.notice(match kind {
                Some(kind) => format!("content block of unknown type {kind:?} is kept as JSON"),
                None => format!("a content block has {}; it is kept as JSON", missing(map, "type", &KNOWN)),
            });
            into.say(&block.to_string(), Voice::Harness);
        }
    }
}

fn render_call(block: &Map<String, Value>, into: &mut Rendering) {
    let call = text_of(block, "id", into).unwrap_or_default().to_owned();
    let name = text_of(block, "name", into).unwrap_or_default().to_owned();
    let input = block.get("input").cloned().unwrap_or(Value::Null);
    if !input.is_object() {
        into.notice(format!("the input of tool {name:?} is {}, not an object", kind_of(&input)));
    }
    for (_, key) in LISTS_OF_OBJECTS.into_iter().filter(|(tool, _)| *tool == name) {
        check_items(&name, key, &input, into);
    }
    let span = into.turn.push(&format!("[tool {name}] {input}"));
    into.turn.parts.push(Part::ToolCall { call, name, input, span });
}

fn check_items(name: &str, key: &str, input: &Value, into: &mut Rendering) {
    match input.get(key) {
        Some(Value::Array(items)) => {
            for (item, number) in items.iter().zip(1..).filter(|(item, _)| !item.is_object()) {
                into.notice(format!("item {number} of {name}'s `{key}` is {}, not an object", kind_of(item)));
            }
        }
        Some(other) => into.notice(format!("{name}'s `{key}` is {}, not a list", kind_of(other))),
        None => into.notice(format!("{name} has no `{key}`")),
    }
}

fn render_result(block: &Map<String, Value>, into: &mut Rendering) {
    let call = text_of(block, "tool_use_id", into).unwrap_or_default().to_owned();
    // The harness leaves the flag out where the tool did what was asked.
    let is_flagged = !block.get("is_error").is_none_or(Value::is_null);
    let is_error = match block.get("is_error") {
        None | Some(Value::Null) => Some(false),
        Some(Value::Bool(is_error)) => Some(*is_error),
        Some(other) => {
            into.notice(format!("is_error is {}, not a boolean", kind_of(other)));
            None
        }
    };
    let output = match block.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(output)) => output.clone(),
        Some(Value::Array(items)) => {
            items.iter().map(|item| output_of(item, into)).collect::<Vec<_>>().join("\n")
        }
        Some(other) => output_of(other, into),
    };
    let mark = if is_error == Some(true) { "tool error" } else { "tool result" };
    let span = into.turn.push(&format!("[{mark}] {output}"));
    if !is_flagged {
        into.unflagged.push(into.turn.parts.len());
    }
    into.turn.parts.push(Part::ToolResult { call, is_error, output, details: None, span });
}

/// Renders one item of a result's content.
fn output_of(item: &Value, into: &mut Rendering) -> String {
    match (item.get("type").and_then(Value::as_str), item) {
        (_, Value::String(output)) => output.clone(),
        (Some("text"), Value::Object(map)) => text_of(map, "text", into).unwrap_or_default().to_owned(),
        (Some("image" | "document"), Value::Object(map)) => media_note(map),
        (Some("tool_reference"), Value::Object(map)) => {
            format!("[tool {}]", map.get("tool_name").and_then(Value::as_str).unwrap_or_default())
        }
        (kind, other) => {
            into.notice(format!(
                "a tool result holds {}, kept as JSON",
                kind.map_or_else(
                    || kind_of(other).to_owned(),
                    |kind| format!("an item of unknown type {kind:?}")
                )
            ));
            other.to_string()
        }
    }
}

/// Returns a block's text under a key; notes where it has none.
fn text_of<'a>(block: &'a Map<String, Value>, key: &str, into: &mut Rendering) -> Option<&'a str> {
    match block.get(key) {
        Some(Value::String(text)) => return Some(text),
        Some(other) => into.notice(format!("a block's `{key}` is {}, not a string", kind_of(other))),
        None => into.notice(format!("a block has {}", missing(block, key, &KNOWN))),
    }
    None
}

/// Stands for an image or document in the text: `[image/png, 12345 bytes]`; the bytes stay in the raw record.
fn media_note(block: &Map<String, Value>) -> String {
    let kind = block.get("type").and_then(Value::as_str).unwrap_or("image");
    let source = block.get("source");
    let field = |key: &str| source.and_then(|source| source.get(key)).and_then(Value::as_str);
    let media = field("media_type").unwrap_or(kind);
    match (field("data"), field("url")) {
        (Some(data), _) if field("type") == Some("text") => format!("[{media}, {} bytes]", data.len()),
        (Some(data), _) => {
            let n_digits = data.bytes().filter(|b| *b != b'=' && !b.is_ascii_whitespace()).count();
            format!("[{media}, {} bytes]", n_digits / 4 * 3 + (n_digits % 4).saturating_sub(1))
        }
        (None, Some(url)) => format!("[{media}, {url}]"),
        (None, None) => format!("[{media}]"),
    }
}
