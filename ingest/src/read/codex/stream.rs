//! What one event of `codex exec --json` becomes: what the agent says, and calls with their results.

use bygone_engine::Role;
use serde_json::{Map, Value, json};

use super::item::{Said, answer};
use crate::read::Part;
use crate::read::near::missing;
use crate::read::stamp::kind_of;
use crate::read::turn_text::{Answer, TurnText};

/// Keys that items have, which are never a slip for another one.
const KNOWN: [&str; 12] = [
    "id",
    "type",
    "text",
    "command",
    "aggregated_output",
    "exit_code",
    "status",
    "changes",
    "server",
    "tool",
    "message",
    "items",
];

/// What an item is: whether a call of it was handed on already decides what is new in it.
pub(super) struct Item<'a> {
    /// Its fields.
    pub(super) map: &'a Map<String, Value>,
    /// Whether the item has come to its end.
    pub(super) is_completed: bool,
    /// Whether its call stands above.
    pub(super) is_called: bool,
}

/// Returns an item's id, by which its result finds its call.
pub(super) fn id(item: &Map<String, Value>) -> &str {
    item.get("id").and_then(Value::as_str).unwrap_or_default()
}

/// Reads an item; `None` where it says nothing new.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn read(item: &Item<'_>) -> Result<Option<Said>, String> {
    let map = item.map;
    let kind = match map.get("type").or_else(|| map.get("item_type")) {
        Some(Value::String(kind)) => kind.as_str(),
        Some(other) => return Err(format!("the item's `type` is {}, not a string", kind_of(other))),
        None => return Err(format!("the item has {}", missing(map, "type", &KNOWN))),
    };
    let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
    let field = |key: &str| map.get(key).cloned().unwrap_or(Value::Null);
    let mut into = TurnText::default();
    let (name, input) = match kind {
        _ if !item.is_completed && !matches!(kind, "command_execution" | "mcp_tool_call") => {
            return Ok(None);
        }
        "agent_message" | "assistant_message" => {
            into.say(text("text"), Part::Speech);
            return Ok(Some(Said::by(Role::Agent, into)));
        }
        "reasoning" => {
            into.think(text("text"));
            return Ok(Some(Said::by(Role::Agent, into)));
        }
        "error" => {
            into.say(&format!("[error] {}", text("message")), Part::Harness);
            return Ok(Some(Said::by(Role::System, into)));
        }
        "todo_list" => {
            into.say(&format!("[todo list] {}", field("items")), Part::Harness);
            return Ok(Some(Said::by(Role::Agent, into)));
        }
        "command_execution" => ("shell".to_owned(), json!({ "command": text("command") })),
        "file_change" => ("apply_patch".to_owned(), json!({ "changes": field("changes") })),
        "mcp_tool_call" => (format!("mcp__{}__{}", text("server"), text("tool")), field("arguments")),
        "web_search" => ("web_search".to_owned(), json!({ "query": text("query") })),
        other => {
            into.notice(format!("an item of unknown type {other:?} is kept as JSON"));
            into.say(&Value::Object(map.clone()).to_string(), Part::Harness);
            return Ok(Some(Said::by(Role::System, into)));
        }
    };
    // A search tells nothing of what it found.
    let is_answered = item.is_completed && kind != "web_search";
    if item.is_called && !is_answered {
        return Ok(None);
    }
    if !item.is_called {
        into.call(id(map), &name, input);
    }
    if is_answered {
        into.answer(result(kind, map));
    }
    let role = if item.is_called { Role::Tool } else { Role::Agent };
    Ok(Some(Said::by(role, into)))
}

fn result(kind: &str, map: &Map<String, Value>) -> Answer {
    let status = map.get("status").and_then(Value::as_str);
    let is_failed = status.map(|status| matches!(status, "failed" | "declined"));
    let output = match kind {
        "command_execution" => map.get("aggregated_output").unwrap_or(&Value::Null),
        "mcp_tool_call" => {
            let error = map.get("error").filter(|error| !error.is_null());
            let error = error.map(|error| error.get("message").unwrap_or(error));
            error.or_else(|| map.get("result")).unwrap_or(&Value::Null)
        }
        _ => &Value::Null,
    };
    if kind == "command_execution" {
        let exit = map.get("exit_code").and_then(Value::as_i64);
        return Answer {
            call: id(map).to_owned(),
            is_error: exit.map(|exit| exit != 0).or(is_failed),
            output: output.as_str().unwrap_or_default().to_owned(),
            details: exit.map(|exit| json!({ "exit_code": exit })),
        };
    }
    let mut answer = answer(id(map), output);
    answer.is_error = is_failed.or(answer.is_error);
    answer
}
