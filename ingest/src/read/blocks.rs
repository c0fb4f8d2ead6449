//! What the content of a message becomes: a text, or a list of typed blocks, as the interfaces of models write them.

use std::ops::Range;

use serde_json::Value;

use super::Part;
use super::document::decoded;
use super::stamp::kind_of;
use super::turn_text::{Answer, TurnText};

/// Whether the calls among the blocks are read, or stand in a list of their own beside the content as well.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    Here,
    Beside,
}

/// Renders a content whose words are a part of this kind.
pub(super) fn render(content: &Value, part: fn(Range<usize>) -> Part, calls: Calls, into: &mut TurnText) {
    match content {
        Value::Null => {}
        Value::String(words) => into.say(words, part),
        Value::Array(items) => items.iter().for_each(|item| block(item, part, calls, into)),
        Value::Object(_) => block(content, part, calls, into),
        other => {
            into.notice(format!("the content is {}, kept as JSON", kind_of(other)));
            into.say(&other.to_string(), Part::Harness);
        }
    }
}

/// Returns a content as one text, for the output of tools.
pub(super) fn plain(content: &Value) -> String {
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
        Value::Object(map) => match (map.get("text"), medium(content)) {
            (Some(Value::String(text)), _) => text.clone(),
            (_, Some(note)) => note,
            _ => content.to_string(),
        },
        other => other.to_string(),
    }
}

/// Appends reasoning, if there is any.
pub(super) fn think(words: &str, into: &mut TurnText) {
    if !words.trim().is_empty() {
        into.think(words);
    }
}

/// Appends a call; notes where it has no id.
pub(super) fn call(call: &str, name: &str, input: Value, into: &mut TurnText) {
    if call.is_empty() {
        into.notice("a tool call has no id");
    }
    into.call(call, name, input);
}

/// Appends a result; notes where it names no call.
pub(super) fn answer(answer: Answer, into: &mut TurnText) {
    if answer.call.is_empty() {
        into.notice("a result names no call");
    }
    into.answer(answer);
}

fn block(item: &Value, part: fn(Range<usize>) -> Part, calls: Calls, into: &mut TurnText) {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match (item, text("type")) {
        (Value::String(words), _) => into.say(words, part),
        (_, None | Some("text" | "input_text" | "output_text")) if text("text").is_some() => {
            into.say(text("text").unwrap_or_default(), part);
        }
        (
            _,
            Some("thinking" | "reasoning" | "redacted_reasoning" | "omitted_reasoning" | "redacted_thinking"),
        ) => {
            think(["thinking", "reasoning", "text"].into_iter().find_map(text).unwrap_or_default(), into);
        }
        (_, Some("tool_use" | "tool_call" | "server_tool_use")) => {
            if calls == Calls::Here {
                let input = ["input", "args", "arguments"].into_iter().find_map(|key| item.get(key));
                let input = decoded(input.cloned().unwrap_or(Value::Null));
                call(text("id").unwrap_or_default(), text("name").unwrap_or_default(), input, into);
            }
        }
        _ => {
            if let Some(note) = medium(item) {
                into.say(&note, Part::Harness);
            } else {
                let kind =
                    text("type").map_or_else(|| kind_of(item).to_owned(), |kind| format!("of type {kind:?}"));
                into.notice(format!("a block of the content that is {kind} is kept as JSON"));
                into.say(&item.to_string(), Part::Harness);
            }
        }
    }
}

/// Stands for an image, a sound or a file in the text; its bytes stay in the kept record.
fn medium(item: &Value) -> Option<String> {
    let kind = item.get("type").and_then(Value::as_str)?;
    let name = match kind {
        "image" | "image_url" | "input_image" => "image",
        "audio" | "input_audio" => "audio",
        "document" | "file" | "input_file" => "file",
        _ => return None,
    };
    let source = item.get("image_url").or_else(|| item.get("source")).unwrap_or(item);
    let field = |key: &str| source.get(key).and_then(Value::as_str);
    let address = source.as_str().or_else(|| field("url")).or_else(|| field("path"));
    Some(match (address, field("data").or_else(|| field("base64"))) {
        (Some(address), _) if !address.starts_with("data:") => format!("[{name} {address}]"),
        (Some(data), _) | (None, Some(data)) => format!("[{name}, {} bytes]", data.len()),
        (None, None) => format!("[{name}]"),
    })
}
