//! What one item of a rollout becomes: a message, reasoning, a call or its result.

use bygone_engine::Role;
use serde_json::{Map, Value};

use super::harness;
use crate::read::Part;
use crate::read::media::media_note;
use crate::read::near::missing;
use crate::read::stamp::kind_of;
use crate::read::turn_text::{Answer, TurnText};

/// Keys that items have, which are never a slip for another one.
const KNOWN: [&str; 16] = [
    "type",
    "role",
    "content",
    "id",
    "name",
    "arguments",
    "call_id",
    "output",
    "status",
    "action",
    "input",
    "summary",
    "encrypted_content",
    "timestamp",
    "phase",
    "namespace",
];

/// Items that hold nothing that was said or done.
const NOTHING: [&str; 5] =
    ["ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other"];

/// A turn.
pub(super) struct Said {
    /// Its voice.
    pub(super) role: Role,
    /// Its text, parts and problems.
    pub(super) rendering: TurnText,
    /// The directory a call works in, where it names one.
    pub(super) cwd: Option<String>,
}

impl Said {
    pub(super) fn by(role: Role, rendering: TurnText) -> Said {
        Said { role, rendering, cwd: None }
    }
}

/// Reads an item; `None` where it holds no turn.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn read(item: &Map<String, Value>, is_subagent: bool) -> Result<Option<Said>, String> {
    let kind = match item.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(other) => return Err(format!("the item's `type` is {}, not a string", kind_of(other))),
        // Some tools that write rollouts leave it out.
        None if item.contains_key("role") => "message",
        None => return Err(format!("the item has {}", missing(item, "type", &KNOWN))),
    };
    let mut into = TurnText::default();
    let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
    let said = match kind {
        "message" => return message(item, is_subagent).map(Some),
        "reasoning" => {
            reasoning(item, &mut into);
            Said::by(Role::Agent, into)
        }
        "function_call" | "custom_tool_call" => {
            let input = match item.get("arguments").or_else(|| item.get("input")) {
                Some(Value::String(input)) if kind == "function_call" => decoded(input),
                // What is no JSON by design, such as a patch.
                Some(Value::String(input)) => serde_json::json!({ "input": input }),
                input => input.cloned().unwrap_or(Value::Null),
            };
            if !matches!(input, Value::Object(_) | Value::Null) {
                let (name, kind) = (text("name"), kind_of(&input));
                into.notice(format!("the arguments of tool {name:?} are {kind}, not an object"));
            }
            call(item, text("name"), input, into)
        }
        "local_shell_call" => {
            let action = item.get("action").cloned().unwrap_or(Value::Null);
            call(item, "local_shell", action, into)
        }
        "function_call_output" | "custom_tool_call_output" => {
            result(item, &mut into);
            Said::by(Role::Tool, into)
        }
        _ if NOTHING.contains(&kind) => return Ok(None),
        _ if kind.ends_with("_call") => {
            let input = ["action", "arguments", "input"].into_iter().find_map(|key| item.get(key));
            call(item, kind.trim_end_matches("_call"), input.cloned().unwrap_or(Value::Null), into)
        }
        _ => {
            into.notice(format!("an item of unknown type {kind:?} is kept as JSON"));
            into.say(&Value::Object(item.clone()).to_string(), Part::Harness);
            Said::by(Role::System, into)
        }
    };
    Ok(Some(said))
}

fn message(item: &Map<String, Value>, is_subagent: bool) -> Result<Said, String> {
    let role = match item.get("role") {
        Some(Value::String(role)) => role.as_str(),
        Some(other) => return Err(format!("`role` is {}, not a string", kind_of(other))),
        None => return Err(format!("the message has {}", missing(item, "role", &KNOWN))),
    };
    let mut into = TurnText::default();
    if !matches!(role, "user" | "assistant" | "system" | "developer") {
        into.notice(format!("the role {role:?} is not known; nothing is read from its words"));
    }
    match item.get("content") {
        Some(Value::String(words)) => say(role, words, &mut into),
        Some(Value::Array(items)) => items.iter().for_each(|item| content(role, item, &mut into)),
        Some(other) => {
            into.notice(format!("`content` is {}, kept as JSON", kind_of(other)));
            into.say(&other.to_string(), Part::Harness);
        }
        None => into.notice(format!("the message has {}", missing(item, "content", &KNOWN))),
    }
    let role = match role {
        "assistant" => Role::Agent,
        "user" if !into.has(|part| matches!(part, Part::Speech(_))) => Role::System,
        "user" if is_subagent => Role::Agent,
        "user" => Role::User,
        _ => Role::System,
    };
    Ok(Said::by(role, into))
}

fn content(role: &str, item: &Value, into: &mut TurnText) {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match (text("type"), text("text").or(item.as_str())) {
        (Some("input_text" | "output_text" | "text") | None, Some(words)) => say(role, words, into),
        (Some("refusal"), _) if text("refusal").is_some() => {
            say(role, text("refusal").unwrap_or_default(), into);
        }
        (Some("input_image"), _) => {
            let note = media_note("image", text("image_url").unwrap_or_default());
            into.say(&note, Part::Harness);
        }
        (kind, _) => {
            let kind = kind.map_or_else(|| kind_of(item).to_owned(), |kind| format!("of type {kind:?}"));
            into.notice(format!("a content part that is {kind} is kept as JSON"));
            into.say(&item.to_string(), Part::Harness);
        }
    }
}

/// Appends the words of a role; a person's as [`user_words`] does.
fn say(role: &str, words: &str, into: &mut TurnText) {
    match role {
        "user" => user_words(words, into),
        "assistant" => into.say(words, Part::Speech),
        _ => into.say(words, Part::Harness),
    }
}

/// Appends what stands as the user's: the person's words, and the harness's in between.
pub(super) fn user_words(words: &str, into: &mut TurnText) {
    into.say_around(words, &harness::stretches(words));
}

fn reasoning(item: &Map<String, Value>, into: &mut TurnText) {
    let texts = |key: &str| {
        let items = item.get(key).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(|item| item.get("text")?.as_str()).map(str::to_owned).collect::<Vec<_>>()
    };
    let words = [texts("summary"), texts("content")].concat().join("\n");
    if words.is_empty() {
        into.think_encrypted();
    } else {
        into.think(&words);
    }
}

fn call(item: &Map<String, Value>, name: &str, input: Value, mut into: TurnText) -> Said {
    let text = |key: &str| item.get(key).and_then(Value::as_str).filter(|id| !id.is_empty());
    let id = text("call_id").or_else(|| text("id"));
    if id.is_none() {
        into.notice(format!("the call has {}", missing(item, "call_id", &KNOWN)));
    }
    let cwd = ["workdir", "working_directory"].into_iter().find_map(|key| input.get(key)?.as_str());
    let cwd = cwd.filter(|cwd| cwd.starts_with('/')).map(str::to_owned);
    into.call(id.unwrap_or_default(), name, input);
    Said { role: Role::Agent, rendering: into, cwd }
}

fn result(item: &Map<String, Value>, into: &mut TurnText) {
    let call = item.get("call_id").and_then(Value::as_str).unwrap_or_default();
    if call.is_empty() {
        into.notice(format!("the result has {}", missing(item, "call_id", &KNOWN)));
    }
    into.answer(answer(call, item.get("output").unwrap_or(&Value::Null)));
}

/// Reads what a tool answered: text, JSON in a text, a list of content parts, or an object with a flag.
pub(super) fn answer(call: &str, output: &Value) -> Answer {
    let mut answer = Answer { call: call.to_owned(), is_error: None, output: String::new(), details: None };
    match output {
        Value::Null => {}
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(object)) if is_envelope(&object) => open(&object, &mut answer),
            _ => answer.output.clone_from(text),
        },
        Value::Object(object) if is_envelope(object) => open(object, &mut answer),
        Value::Array(items) => answer.output = items.iter().map(output_of).collect::<Vec<_>>().join("\n"),
        other => answer.output = other.to_string(),
    }
    answer
}

/// Says whether an object is put around a result: what a shell printed with how it ended, or the contents of one with
/// a flag.
fn is_envelope(object: &Map<String, Value>) -> bool {
    let has = |key: &str| object.contains_key(key);
    has("output") && has("metadata")
        || has("content")
            && (has("success") || has("isError") || has("is_error") || object["content"].is_array())
}

fn open(object: &Map<String, Value>, answer: &mut Answer) {
    let inner = object.get("output").or_else(|| object.get("content")).unwrap_or(&Value::Null);
    answer.output = match inner {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(output_of).collect::<Vec<_>>().join("\n"),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let flag = |key: &str| object.get(key).and_then(Value::as_bool);
    let metadata = object.get("metadata");
    let exit = metadata.and_then(|metadata| metadata.get("exit_code")?.as_i64());
    answer.is_error = flag("isError")
        .or_else(|| flag("is_error"))
        .or_else(|| flag("success").map(|success| !success))
        .or_else(|| exit.map(|exit| exit != 0));
    answer.details = metadata.cloned();
}

fn output_of(item: &Value) -> String {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match (text("type"), item.as_str().or_else(|| text("text"))) {
        (_, Some(text)) => text.to_owned(),
        (Some("input_image"), _) => media_note("image", text("image_url").unwrap_or_default()),
        (Some("image"), _) => "[image]".to_owned(),
        _ => item.to_string(),
    }
}

/// Takes JSON out of the text it was put into; what is none stays text.
fn decoded(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(output: &Value, text: &str, is_error: Option<bool>, has_details: bool) {
        let read = answer("c", output);
        assert_eq!(
            (read.output.as_str(), read.is_error, read.details.is_some()),
            (text, is_error, has_details)
        );
    }

    #[test]
    fn results_are_taken_out_of_what_they_are_put_into() {
        check(&json!(r#"{"output":"a\n","metadata":{"exit_code":0}}"#), "a\n", Some(false), true);
        check(&json!(r#"{"output":"","metadata":{"exit_code":2}}"#), "", Some(true), true);
        check(&json!("Exit code: 1\nOutput:\nx"), "Exit code: 1\nOutput:\nx", None, false);
        check(&json!({"content": "no such tool", "success": false}), "no such tool", Some(true), false);
        check(
            &json!(r#"{"content":[{"type":"text","text":"ok"}],"isError":false}"#),
            "ok",
            Some(false),
            false,
        );
        check(
            &json!([{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "data:image/png;base64,xx"}]),
            "a\n[image image/png, 19 bytes]",
            None,
            false,
        );
        // What a program printed is its own, JSON or not.
        check(&json!(r#"{"version":1}"#), r#"{"version":1}"#, None, false);
        check(&json!("[1,2]"), "[1,2]", None, false);
        check(&Value::Null, "", None, false);
        check(&json!(7), "7", None, false);
    }
}
