//! What one message says: its blocks, or its text where it has none, and the files beside it.

use std::ops::Range;

use bygone_engine::Role;
use serde_json::{Map, Value};

use crate::read::Part;
use crate::read::near::missing;
use crate::read::stamp::kind_of;
use crate::read::turn_text::{Answer, TurnText};

/// Keys that messages have, which are never a slip for another one.
const KNOWN: [&str; 13] = [
    "uuid",
    "text",
    "content",
    "sender",
    "index",
    "created_at",
    "updated_at",
    "truncated",
    "attachments",
    "files",
    "files_v2",
    "sync_sources",
    "parent_message_uuid",
];
/// Blocks that hold nothing that was said or done.
const NOTHING: [&str; 2] = ["token_budget", "flag"];

/// A message, read.
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) rendering: TurnText,
}

/// Reads a message; `id` is what calls without an id are named by, and `is_current` says whether it is part of the
/// conversation, and not beside it.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn read(map: &Map<String, Value>, id: &str, is_current: bool) -> Result<Message, String> {
    let sender = match map.get("sender") {
        Some(Value::String(sender)) => sender.as_str(),
        Some(other) => return Err(format!("`sender` is {}, not a string", kind_of(other))),
        None => return Err(format!("the message has {}", missing(map, "sender", &KNOWN))),
    };
    let role = match sender {
        "human" | "user" => Role::User,
        "assistant" => Role::Agent,
        _ => Role::System,
    };
    let part: fn(Range<usize>) -> Part =
        if is_current && role != Role::System { Part::Speech } else { Part::Harness };
    let mut blocks =
        Blocks { into: TurnText::default(), part, id, calls: Vec::new(), n_calls: 0, is_known: false };
    if role == Role::System {
        blocks.into.notice(format!("the sender {sender:?} is not known; nothing is read from its words"));
    }
    match map.get("content") {
        Some(Value::Array(list)) => list.iter().for_each(|block| blocks.block(block)),
        None | Some(Value::Null) => {}
        Some(other) => blocks.into.notice(format!("`content` is {}, not a list", kind_of(other))),
    }
    // The text is what the blocks say once more, as far as it can be shown.
    match map.get("text") {
        Some(Value::String(text)) if !blocks.is_known => blocks.into.say(text, part),
        None if map.get("content").is_none() => {
            blocks.into.notice(format!("the message has {}", missing(map, "text", &KNOWN)));
            blocks.into.say(&Value::Object(map.clone()).to_string(), Part::Harness);
        }
        _ => {}
    }
    let mut into = blocks.into;
    let files = |key: &str| map.get(key).and_then(Value::as_array).into_iter().flatten();
    for file in files("attachments") {
        let text = |key: &str| file.get(key).and_then(Value::as_str).unwrap_or_default();
        into.say(&format!("[file {}]\n{}", text("file_name"), text("extracted_content")), Part::Harness);
    }
    for name in files("files").filter_map(|file| file.get("file_name")?.as_str()) {
        into.say(&format!("[file {name}]"), Part::Harness);
    }
    Ok(Message { role, rendering: into })
}

/// The blocks of a message so far.
struct Blocks<'a> {
    into: TurnText,
    part: fn(Range<usize>) -> Part,
    id: &'a str,
    /// The calls that were not answered, and their tools: exports may leave their ids out.
    calls: Vec<(String, String)>,
    n_calls: usize,
    /// Whether one of the blocks says or does something.
    is_known: bool,
}

impl Blocks<'_> {
    fn block(&mut self, block: &Value) {
        let text = |key: &str| block.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let kind = block.get("type").and_then(Value::as_str);
        match kind {
            Some("text" | "voice_note") => self.into.say(text("text").unwrap_or_default(), self.part),
            Some("thinking") => self.into.think(text("thinking").unwrap_or_default()),
            Some("redacted_thinking") => self.into.think_encrypted(),
            Some("tool_use") => {
                self.n_calls += 1;
                let name = text("name").unwrap_or_default();
                let call = text("id").map_or_else(|| format!("{}.{}", self.id, self.n_calls), str::to_owned);
                self.into.call(&call, name, block.get("input").cloned().unwrap_or(Value::Null));
                self.calls.push((call, name.to_owned()));
            }
            Some("tool_result") => {
                let call = text("tool_use_id").map_or_else(|| self.waiting(text("name")), str::to_owned);
                self.calls.retain(|(waiting, _)| *waiting != call);
                self.into.answer(Answer {
                    call,
                    is_error: block.get("is_error").and_then(Value::as_bool),
                    output: output_of(block.get("content").unwrap_or(&Value::Null)),
                    details: None,
                });
            }
            Some(kind) if NOTHING.contains(&kind) => return,
            _ => {
                let kind = kind.map_or_else(|| kind_of(block).to_owned(), |kind| format!("of type {kind:?}"));
                self.into.notice(format!("a content block that is {kind} is kept as JSON"));
                return self.into.say(&block.to_string(), Part::Harness);
            }
        }
        self.is_known = true;
    }

    /// Returns the call that a result without an id answers: the first that waits, of its tool where it names one.
    fn waiting(&self, tool: Option<&str>) -> String {
        let call = self.calls.iter().find(|(_, name)| tool.is_none_or(|tool| tool == name));
        call.map(|(call, _)| call.clone()).unwrap_or_default()
    }
}

/// Renders what a tool answered.
fn output_of(content: &Value) -> String {
    let field = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(output_of).collect::<Vec<_>>().join("\n"),
        item => match item.get("type").and_then(Value::as_str) {
            Some("image") => "[image]".to_owned(),
            // A page that was found: what it is, and what it says.
            _ => match field(item, "text") {
                Some(text) => {
                    let head = [field(item, "title"), field(item, "url")].into_iter().flatten();
                    head.chain([text]).collect::<Vec<_>>().join("\n")
                }
                None => item.to_string(),
            },
        },
    }
}
