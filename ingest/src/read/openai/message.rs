//! What one message says: its voice, its text and the parts of that.

use std::ops::Range;

use bygone_engine::{EntityRef, Role};
use serde_json::{Map, Value};

use crate::read::Part;
use crate::read::near::{missing, near_miss};
use crate::read::stamp::kind_of;

/// The agent's name where a message names none.
pub(super) const AGENT: &str = "assistant";
/// The person's name where a message names none.
const PERSON: &str = "user";

/// Keys that messages have, which are never a slip for another one.
pub(super) const KNOWN: [&str; 14] = [
    "role",
    "content",
    "name",
    "tool_calls",
    "tool_call_id",
    "function_call",
    "refusal",
    "audio",
    "weight",
    "id",
    "timestamp",
    "created_at",
    "created",
    "reasoning_content",
];

/// A message, read.
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) speaker: Option<EntityRef>,
    /// The person who speaks, where the message names them.
    pub(super) user: Option<String>,
    pub(super) text: String,
    pub(super) parts: Vec<Part>,
    /// What was noticed.
    pub(super) problems: Vec<String>,
}

/// Reads a message.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn read_message(map: &Map<String, Value>) -> Result<Message, String> {
    let role = match map.get("role") {
        Some(Value::String(role)) => role.as_str(),
        Some(other) => return Err(format!("`role` is {}, not a string", kind_of(other))),
        None => return Err(format!("the message has {}", missing(map, "role", &KNOWN))),
    };
    let name = map.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    let mut message = Message {
        role: Role::System,
        speaker: None,
        user: None,
        text: String::new(),
        parts: Vec::new(),
        problems: Vec::new(),
    };
    match role {
        "user" => {
            message.role = Role::User;
            message.speaker = message.entity("person", name, PERSON);
            message.user = name.and(message.speaker.as_ref()).map(|speaker| speaker.name().to_owned());
            message.content(map, Part::Speech);
        }
        "assistant" => {
            message.role = Role::Agent;
            message.speaker = message.entity("agent", name, AGENT);
            if let Some(reasoning) = map.get("reasoning_content").and_then(Value::as_str) {
                message.say(&format!("[thinking] {reasoning}"), Part::Thinking);
            }
            message.content(map, Part::Speech);
            message.calls(map);
        }
        "tool" | "function" => {
            message.role = Role::Tool;
            message.result(map, name);
        }
        "system" | "developer" => message.content(map, Part::Harness),
        other => {
            message.problems.push(format!("the role {other:?} is not known; nothing is read from its words"));
            message.content(map, Part::Harness);
        }
    }
    Ok(message)
}

impl Message {
    fn entity(&mut self, kind: &str, name: Option<&str>, usual: &str) -> Option<EntityRef> {
        let named = EntityRef::new(kind, name.unwrap_or(usual));
        match named {
            Ok(entity) => Some(entity),
            Err(error) => {
                self.problems.push(format!("the speaker's name is none: {error}"));
                EntityRef::new(kind, usual).ok()
            }
        }
    }

    /// Appends a piece on a line of its own and returns where it stands.
    fn push(&mut self, piece: &str) -> Range<usize> {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(piece);
        start..self.text.len()
    }

    /// Appends words as a part, without the white space around them.
    fn say(&mut self, words: &str, part: fn(Range<usize>) -> Part) {
        let span = self.push(words);
        let start = span.start + (words.len() - words.trim_start().len());
        let end = start + words.trim().len();
        if start < end {
            self.parts.push(part(start..end));
        }
    }

    fn content(&mut self, map: &Map<String, Value>, part: fn(Range<usize>) -> Part) {
        match map.get("content") {
            Some(Value::String(words)) => self.say(words, part),
            Some(Value::Array(items)) => items.iter().for_each(|item| self.item(item, part)),
            None | Some(Value::Null) => {
                if let Some(refusal) = map.get("refusal").and_then(Value::as_str) {
                    return self.say(refusal, part);
                }
                let says_else = ["tool_calls", "function_call", "audio"];
                let is_slip = near_miss(map, "content", &KNOWN).is_some();
                if is_slip || !says_else.iter().any(|key| map.get(*key).is_some_and(|value| !value.is_null()))
                {
                    self.problems.push(format!("the message has {}", missing(map, "content", &KNOWN)));
                }
            }
            Some(other) => {
                self.problems.push(format!("`content` is {}, kept as JSON", kind_of(other)));
                self.say(&other.to_string(), Part::Harness);
            }
        }
    }

    /// Reads one typed part of a content.
    fn item(&mut self, item: &Value, part: fn(Range<usize>) -> Part) {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        match (item, text("type")) {
            (Value::String(words), _) => self.say(words, part),
            (_, Some("text" | "input_text" | "output_text")) if text("text").is_some() => {
                self.say(text("text").unwrap_or_default(), part);
            }
            (_, Some("refusal")) if text("refusal").is_some() => {
                self.say(text("refusal").unwrap_or_default(), part);
            }
            (_, Some("image_url" | "input_image")) => {
                let image = item.get("image_url");
                let url = image.and_then(|image| image.as_str().or_else(|| image.get("url")?.as_str()));
                self.say(&format!("[image{}]", address(url.unwrap_or_default())), Part::Harness);
            }
            (_, Some("input_audio" | "audio")) => self.say("[audio]", Part::Harness),
            (_, Some("file" | "input_file")) => {
                let name = item.get("file").and_then(|file| file.get("filename")?.as_str());
                let name = name.or_else(|| text("filename")).map(|name| format!(" {name}"));
                self.say(&format!("[file{}]", name.unwrap_or_default()), Part::Harness);
            }
            (other, kind) => {
                let kind = kind.map_or_else(|| kind_of(other).to_owned(), |kind| format!("of type {kind:?}"));
                self.problems.push(format!("a content part that is {kind} is kept as JSON"));
                self.say(&other.to_string(), Part::Harness);
            }
        }
    }

    fn calls(&mut self, map: &Map<String, Value>) {
        match map.get("tool_calls") {
            None | Some(Value::Null) => {}
            Some(Value::Array(calls)) => {
                for call in calls {
                    let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
                    if id.is_empty() {
                        self.problems.push("a tool call has no `id`".to_owned());
                    }
                    let function = call.get("function").or_else(|| call.get("custom")).unwrap_or(call);
                    self.call(id.to_owned(), function);
                }
            }
            Some(other) => self.problems.push(format!("`tool_calls` is {}, not a list", kind_of(other))),
        }
        // The older form has one call and no id: the function's name stands for it.
        if let Some(function @ Value::Object(_)) = map.get("function_call") {
            let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
            self.call(name.to_owned(), function);
        }
    }

    fn call(&mut self, call: String, function: &Value) {
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        if name.is_empty() {
            self.problems.push("a tool call names no tool".to_owned());
        }
        let arguments = ["arguments", "input"].into_iter().find_map(|key| function.get(key));
        let input = decoded(arguments.cloned().unwrap_or(Value::Null));
        if !matches!(input, Value::Object(_) | Value::Null) {
            self.problems
                .push(format!("the arguments of tool {name:?} are {}, not an object", kind_of(&input)));
        }
        let span = self.push(&format!("[tool {name}] {input}"));
        // Without an id nobody can tell which result is whose.
        self.parts.push(if call.is_empty() {
            Part::Harness(span)
        } else {
            Part::ToolCall { call, name, input, span }
        });
    }

    fn result(&mut self, map: &Map<String, Value>, name: Option<&str>) {
        let call = map.get("tool_call_id").and_then(Value::as_str).or(name).unwrap_or_default().to_owned();
        if call.is_empty() {
            self.problems.push(format!("the result has {}", missing(map, "tool_call_id", &KNOWN)));
        }
        let output = match map.get("content") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(output)) => output.clone(),
            Some(Value::Array(items)) => {
                let text = |item: &Value| {
                    item.as_str()
                        .or_else(|| item.get("text")?.as_str())
                        .map_or(item.to_string(), str::to_owned)
                };
                items.iter().map(text).collect::<Vec<_>>().join("\n")
            }
            Some(other) => other.to_string(),
        };
        let span = self.push(&format!("[tool result] {output}"));
        self.parts.push(if call.is_empty() {
            Part::Harness(span)
        } else {
            Part::ToolResult { call, is_error: None, output, details: None, span }
        });
    }
}

/// Takes JSON out of the texts it was put into, at most twice.
fn decoded(mut value: Value) -> Value {
    for _ in 0..2 {
        match &value {
            Value::String(text) => match serde_json::from_str(text) {
                Ok(inner) => value = inner,
                Err(_) => break,
            },
            _ => break,
        }
    }
    value
}

/// Shows where an image is; of one that stands in its own address only how long that is.
fn address(url: &str) -> String {
    match url.strip_prefix("data:") {
        _ if url.is_empty() => String::new(),
        Some(data) => {
            let kind = data.split([';', ',']).next().unwrap_or_default();
            format!(" {kind}, {} bytes", data.len())
        }
        None => format!(" {url}"),
    }
}
