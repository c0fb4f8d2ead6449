//! What one message says: its voice, its text and the parts of that.

use std::ops::Range;

use bygone_engine::{EntityRef, Role};
use serde_json::{Map, Value};

use crate::read::Part;
use crate::read::document::decoded;
use crate::read::media::media_note;
use crate::read::near::{missing, near_miss};
use crate::read::speaker::named;
use crate::read::stamp::kind_of;
use crate::read::turn_text::{Answer, TurnText};

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
    pub(super) rendering: TurnText,
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
    let mut message =
        Message { role: Role::System, speaker: None, user: None, rendering: TurnText::default() };
    match role {
        "user" => {
            message.role = Role::User;
            message.speaker = named("person", name, PERSON, &mut message.rendering.problems);
            message.user = name.and(message.speaker.as_ref()).map(|speaker| speaker.name().to_owned());
            message.content(map, Part::Speech);
        }
        "assistant" => {
            message.role = Role::Agent;
            message.speaker = named("agent", name, AGENT, &mut message.rendering.problems);
            if let Some(reasoning) = map.get("reasoning_content").and_then(Value::as_str) {
                message.rendering.think(reasoning);
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
            message
                .rendering
                .notice(format!("the role {other:?} is not known; nothing is read from its words"));
            message.content(map, Part::Harness);
        }
    }
    Ok(message)
}

impl Message {
    fn content(&mut self, map: &Map<String, Value>, part: fn(Range<usize>) -> Part) {
        match map.get("content") {
            Some(Value::String(words)) => self.rendering.say(words, part),
            Some(Value::Array(items)) => items.iter().for_each(|item| self.item(item, part)),
            None | Some(Value::Null) => {
                if let Some(refusal) = map.get("refusal").and_then(Value::as_str) {
                    return self.rendering.say(refusal, part);
                }
                let says_else = ["tool_calls", "function_call", "audio"];
                let is_slip = near_miss(map, "content", &KNOWN).is_some();
                if is_slip || !says_else.iter().any(|key| map.get(*key).is_some_and(|value| !value.is_null()))
                {
                    self.rendering.notice(format!("the message has {}", missing(map, "content", &KNOWN)));
                }
            }
            Some(other) => {
                self.rendering.notice(format!("`content` is {}, kept as JSON", kind_of(other)));
                self.rendering.say(&other.to_string(), Part::Harness);
            }
        }
    }

    /// Reads one typed part of a content.
    fn item(&mut self, item: &Value, part: fn(Range<usize>) -> Part) {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        match (item, text("type")) {
            (Value::String(words), _) => self.rendering.say(words, part),
            (_, Some("text" | "input_text" | "output_text")) if text("text").is_some() => {
                self.rendering.say(text("text").unwrap_or_default(), part);
            }
            (_, Some("refusal")) if text("refusal").is_some() => {
                self.rendering.say(text("refusal").unwrap_or_default(), part);
            }
            (_, Some("image_url" | "input_image")) => {
                let image = item.get("image_url");
                let url = image.and_then(|image| image.as_str().or_else(|| image.get("url")?.as_str()));
                self.rendering.say(&media_note("image", url.unwrap_or_default()), Part::Harness);
            }
            (_, Some("input_audio" | "audio")) => self.rendering.say("[audio]", Part::Harness),
            (_, Some("file" | "input_file")) => {
                let name = item.get("file").and_then(|file| file.get("filename")?.as_str());
                let name = name.or_else(|| text("filename")).map(|name| format!(" {name}"));
                self.rendering.say(&format!("[file{}]", name.unwrap_or_default()), Part::Harness);
            }
            (other, kind) => {
                let kind = kind.map_or_else(|| kind_of(other).to_owned(), |kind| format!("of type {kind:?}"));
                self.rendering.notice(format!("a content part that is {kind} is kept as JSON"));
                self.rendering.say(&other.to_string(), Part::Harness);
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
                        self.rendering.notice("a tool call has no `id`");
                    }
                    let function = call.get("function").or_else(|| call.get("custom")).unwrap_or(call);
                    self.call(id, function);
                }
            }
            Some(other) => self.rendering.notice(format!("`tool_calls` is {}, not a list", kind_of(other))),
        }
        // The older form has one call and no id: the function's name stands for it.
        if let Some(function @ Value::Object(_)) = map.get("function_call") {
            let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
            self.call(name, function);
        }
    }

    fn call(&mut self, call: &str, function: &Value) {
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        let arguments = ["arguments", "input"].into_iter().find_map(|key| function.get(key));
        let input = decoded(arguments.cloned().unwrap_or(Value::Null));
        let kind = (!matches!(input, Value::Object(_) | Value::Null)).then(|| kind_of(&input));
        self.rendering.call(call, name, input);
        if let Some(kind) = kind {
            self.rendering.notice(format!("the arguments of tool {name:?} are {kind}, not an object"));
        }
    }

    fn result(&mut self, map: &Map<String, Value>, name: Option<&str>) {
        let call = map.get("tool_call_id").and_then(Value::as_str).or(name).unwrap_or_default().to_owned();
        if call.is_empty() {
            self.rendering.notice(format!("the result has {}", missing(map, "tool_call_id", &KNOWN)));
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
        self.rendering.answer(Answer { call, is_error: None, output, details: None });
    }
}
