//! What one message says: words, what the product put beside them, a call of a tool, or what a tool answered.

use std::ops::Range;

use bygone_engine::Role;
use serde_json::{Map, Value, json};

use crate::read::Part;
use crate::read::near::missing;
use crate::read::stamp::kind_of;
use crate::read::turn_text::{Answer, TurnText};

/// Keys that messages have, which are never a slip for another one.
const KNOWN: [&str; 12] = [
    "id",
    "author",
    "create_time",
    "update_time",
    "content",
    "status",
    "end_turn",
    "weight",
    "metadata",
    "recipient",
    "channel",
    "role",
];
/// Kinds of content that hold what the product was told about the person, and shows to nobody.
const HIDDEN: [&str; 2] = ["user_editable_context", "model_editable_context"];

/// A message, read.
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) rendering: TurnText,
    /// Whom it is for: the tool that is called, where it calls one.
    pub(super) calls: Option<String>,
}

/// Where a message stands.
pub(super) struct Context<'a> {
    /// The name by which the results of a call find it.
    pub(super) id: &'a str,
    /// The call that is waiting above, and the tool it calls.
    pub(super) call: Option<&'a (String, String)>,
    /// Whether it is part of the conversation, and not beside it.
    pub(super) is_current: bool,
}

/// Reads a message.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn read(map: &Map<String, Value>, above: &Context<'_>) -> Result<Message, String> {
    let author = map.get("author").and_then(Value::as_object);
    let role = match author.and_then(|author| author.get("role")) {
        Some(Value::String(role)) => role.as_str(),
        Some(other) => return Err(format!("the author's `role` is {}, not a string", kind_of(other))),
        None if author.is_some() => return Err("the author has no `role`".to_owned()),
        None => return Err(format!("the message has {}", missing(map, "author", &KNOWN))),
    };
    let content = match map.get("content") {
        Some(Value::Object(content)) => content,
        Some(other) => return Err(format!("`content` is {}, not an object", kind_of(other))),
        None => return Err(format!("the message has {}", missing(map, "content", &KNOWN))),
    };
    let kind = content.get("content_type").and_then(Value::as_str).unwrap_or("text");
    let metadata = map.get("metadata").and_then(Value::as_object);
    let is_flagged = |key: &str| metadata.and_then(|metadata| metadata.get(key)?.as_bool()) == Some(true);
    let is_hidden = HIDDEN.contains(&kind)
        || is_flagged("is_visually_hidden_from_conversation")
        || is_flagged("is_user_system_message");
    let recipient = map.get("recipient").and_then(Value::as_str).filter(|recipient| *recipient != "all");
    let mut into = TurnText::default();
    match role {
        "tool" => {
            let name = author.and_then(|author| author.get("name")?.as_str()).unwrap_or_default();
            into.answer(answer(kind, content, metadata, name, above));
            return Ok(Message { role: Role::Tool, rendering: into, calls: None });
        }
        "assistant" if recipient.is_some() && !matches!(kind, "thoughts" | "reasoning_recap") => {
            let tool = recipient.unwrap_or_default();
            into.call(above.id, tool, input(&words(kind, content)));
            return Ok(Message { role: Role::Agent, rendering: into, calls: Some(tool.to_owned()) });
        }
        "user" | "assistant" | "system" => {}
        other => into.notice(format!("the role {other:?} is not known; nothing is read from its words")),
    }
    let speaks = matches!(role, "user" | "assistant") && !is_hidden && above.is_current;
    let part: fn(Range<usize>) -> Part = if speaks { Part::Speech } else { Part::Harness };
    say(kind, content, part, &mut into);
    if let Some(Value::Array(files)) = metadata.and_then(|metadata| metadata.get("attachments")) {
        for name in files.iter().filter_map(|file| file.get("name")?.as_str()) {
            into.say(&format!("[file {name}]"), Part::Harness);
        }
    }
    let role = match role {
        _ if is_hidden => Role::System,
        "user" => Role::User,
        "assistant" => Role::Agent,
        _ => Role::System,
    };
    Ok(Message { role, rendering: into, calls: None })
}

/// Appends a content, piece by piece.
fn say(kind: &str, content: &Map<String, Value>, part: fn(Range<usize>) -> Part, into: &mut TurnText) {
    let text = |key: &str| content.get(key).and_then(Value::as_str);
    match kind {
        "text" | "multimodal_text" => match content.get("parts") {
            Some(Value::Array(pieces)) => pieces.iter().for_each(|piece| say_piece(piece, part, into)),
            Some(other) => into.notice(format!("`parts` is {}, not a list", kind_of(other))),
            None => match text("text") {
                Some(words) => into.say(words, part),
                None => into.notice("the content has no `parts`"),
            },
        },
        "thoughts" if content.contains_key("thoughts") => {
            for thought in content.get("thoughts").and_then(Value::as_array).into_iter().flatten() {
                let piece =
                    |key: &str| thought.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
                let words: Vec<&str> = [piece("summary"), piece("content")].into_iter().flatten().collect();
                into.think(&words.join(": "));
            }
        }
        "thoughts" | "reasoning_recap" => into.think(&words(kind, content)),
        // Neither code nor what was quoted, shown or told about the person is anybody's statement.
        _ => match words(kind, content) {
            words if words.is_empty() => {
                into.notice(format!("content of type {kind:?} is kept as JSON"));
                into.say(&Value::Object(content.clone()).to_string(), Part::Harness);
            }
            words => into.say(&words, Part::Harness),
        },
    }
}

/// Appends one part of a content: a text, what was heard, or a picture.
fn say_piece(piece: &Value, part: fn(Range<usize>) -> Part, into: &mut TurnText) {
    let text = |key: &str| piece.get(key).and_then(Value::as_str);
    let address = |kind: &str| format!("[{kind} {}]", text("asset_pointer").unwrap_or_default());
    match (piece, text("content_type")) {
        (Value::String(words), _) => into.say(words, part),
        (Value::Null, _) => {}
        (_, Some("audio_transcription")) => into.say(text("text").unwrap_or_default(), part),
        (_, Some("image_asset_pointer")) => into.say(&address("image"), Part::Harness),
        (_, Some("audio_asset_pointer")) => into.say(&address("audio"), Part::Harness),
        (_, Some("real_time_user_audio_video_asset_pointer")) => into.say("[audio]", Part::Harness),
        (_, kind) => {
            let kind = kind.map_or_else(|| kind_of(piece).to_owned(), |kind| format!("of type {kind:?}"));
            into.notice(format!("a content part that is {kind} is kept as JSON"));
            into.say(&piece.to_string(), Part::Harness);
        }
    }
}

/// Returns what a content that is not speech says, by the keys its kind has.
fn words(kind: &str, content: &Map<String, Value>) -> String {
    let keys: &[&str] = match kind {
        "user_editable_context" => &["user_profile", "user_instructions"],
        "model_editable_context" => {
            &["model_set_context", "repository", "repo_summary", "structured_context"]
        }
        "tether_browsing_display" => &["summary", "result"],
        "tether_quote" | "sonic_webpage" => &["title", "url", "text", "snippet"],
        "system_error" => &["name", "text"],
        _ => &["text", "result", "output_str", "content"],
    };
    let parts = content.get("parts").and_then(Value::as_array).into_iter().flatten();
    let text = |part: &Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(str::to_owned);
    let pieces = keys.iter().filter_map(|key| content.get(*key)?.as_str().map(str::to_owned));
    let pieces: Vec<String> =
        pieces.chain(parts.filter_map(text)).filter(|piece| !piece.is_empty()).collect();
    pieces.join("\n")
}

/// Reads the input of a call: JSON in a text, or what it says, such as a script.
fn input(words: &str) -> Value {
    match serde_json::from_str(words) {
        Ok(input @ Value::Object(_)) => input,
        _ if words.is_empty() => Value::Null,
        _ => json!({ "input": words }),
    }
}

/// Reads what a tool answered. It answers the call above it that is for it; a tool may answer under a longer name than
/// the one it is called by.
fn answer(
    kind: &str,
    content: &Map<String, Value>,
    metadata: Option<&Map<String, Value>>,
    name: &str,
    above: &Context<'_>,
) -> Answer {
    let is_for = |tool: &str| {
        let first = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        tool == name || first(tool) == first(name)
    };
    let call = above.call.filter(|(_, tool)| name.is_empty() || is_for(tool));
    let run = metadata.and_then(|metadata| metadata.get("aggregate_result"));
    let is_error = match (kind, run.and_then(|run| run.get("status")?.as_str())) {
        ("system_error", _) => Some(true),
        (_, Some("success")) => Some(false),
        (_, Some(status)) if status.starts_with("failed") => Some(true),
        _ => None,
    };
    let mut output = words(kind, content);
    if kind == "multimodal_text" {
        let pieces = content.get("parts").and_then(Value::as_array).into_iter().flatten();
        let n_pictures = pieces.filter(|piece| piece.get("asset_pointer").is_some()).count();
        if n_pictures > 0 {
            let pictures = vec!["[image]"; n_pictures].join(" ");
            output = format!("{}\n{pictures}", output.trim_end()).trim_start().into();
        }
    }
    Answer { call: call.map(|(id, _)| id.clone()).unwrap_or_default(), is_error, output, details: None }
}
