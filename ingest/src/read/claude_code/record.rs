//! What one record becomes: which voice it has, what it says, and what it is skipped for.

use bygone_engine::{EntityRef, Role};
use serde_json::{Map, Value};

use super::text::{Rendering, Voice};
use super::{AGENT, blocks};
use crate::read::Part;
use crate::read::near::{missing, near_miss};
use crate::read::stamp::kind_of;

/// Keys that records have, which are never a slip for another one.
const KNOWN: [&str; 24] = [
    "type",
    "subtype",
    "message",
    "messageId",
    "timestamp",
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "sessionId",
    "isSidechain",
    "agentId",
    "userType",
    "cwd",
    "version",
    "gitBranch",
    "requestId",
    "toolUseResult",
    "isMeta",
    "isCompactSummary",
    "content",
    "summary",
    "leafUuid",
    "level",
    "slug",
];
/// Keys that messages have.
const KNOWN_IN_MESSAGE: [&str; 9] =
    ["id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage", "container"];

/// The turn a record holds.
pub(super) struct Said {
    /// Its voice.
    pub(super) role: Role,
    /// Who speaks.
    pub(super) speaker: Option<EntityRef>,
    /// Its text, parts and problems.
    pub(super) rendering: Rendering,
}

/// What a record holds.
pub(super) enum Held {
    /// A turn.
    Said(Said),
    /// No turn; a problem where that was not expected.
    Nothing(Option<String>),
}

/// The record's fields that matter beside its message.
pub(super) struct Frame<'a> {
    /// The agent whose record it is.
    pub(super) agent: &'a str,
    /// Whether a subagent is at work in it, so that what stands as the user's comes from the agent above it.
    pub(super) is_sidechain: bool,
}

/// Reads a record.
///
/// # Errors
/// Why it is none, in words.
pub(super) fn read(record: &Map<String, Value>, frame: &Frame<'_>) -> Result<Held, String> {
    let kind = match record.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(other) => return Err(format!("no type: `type` is {}, not a string", kind_of(other))),
        None => {
            return Err(match near_miss(record, "type", &KNOWN) {
                Some(key) => format!("no type; is `{key}` meant for it?"),
                None => "no type".to_owned(),
            });
        }
    };
    let is_flagged = |key: &str| record.get(key).and_then(Value::as_bool) == Some(true);
    Ok(match kind {
        "user" => {
            let is_harness = is_flagged("isMeta") || is_flagged("isCompactSummary");
            Held::Said(user(record, frame, if is_harness { Voice::Harness } else { Voice::Person }))
        }
        "assistant" => {
            // Messages the harness makes up in the assistant's name, such as API errors.
            let model = record.get("message").and_then(|message| message.get("model"));
            let is_harness =
                is_flagged("isApiErrorMessage") || model.and_then(Value::as_str) == Some("<synthetic>");
            Held::Said(agent(record, frame, if is_harness { Voice::Harness } else { Voice::Agent }))
        }
        "summary" | "file-history-snapshot" => Held::Nothing(None),
        "system" => content_of_harness(record),
        "queue-operation" => match record.get("content").and_then(Value::as_str) {
            // Queued words come again as the person's record; how a task ended stands nowhere else.
            Some(content) if content.contains("<task-notification>") => content_of_harness(record),
            _ => Held::Nothing(None),
        },
        unknown => with_unknown_type(record, frame, unknown),
    })
}

fn with_unknown_type(record: &Map<String, Value>, frame: &Frame<'_>, kind: &str) -> Held {
    let Some(message) = record.get("message") else {
        return Held::Nothing(Some(format!("unknown type {kind:?} without a message is skipped")));
    };
    let mut said = match message.get("role").and_then(Value::as_str) {
        Some("user") => user(record, frame, Voice::Person),
        Some("assistant") => agent(record, frame, Voice::Agent),
        _ => user(record, frame, Voice::Harness),
    };
    said.rendering.turn.problems.insert(0, format!("unknown type {kind:?}, read by its message"));
    Held::Said(said)
}

fn content_of_harness(record: &Map<String, Value>) -> Held {
    match record.get("content") {
        None | Some(Value::Null) => Held::Nothing(None),
        Some(content) => {
            let mut rendering = Rendering::default();
            blocks::render(content, Voice::Harness, &mut rendering);
            Held::Said(Said { role: Role::System, speaker: None, rendering })
        }
    }
}

fn user(record: &Map<String, Value>, frame: &Frame<'_>, voice: Voice) -> Said {
    let mut rendering = message(record, voice);
    attach_details(record, &mut rendering);
    let has = |is: fn(&Part) -> bool| rendering.turn.parts.iter().any(is);
    let has_speech = has(|part| matches!(part, Part::Speech(_)));
    let has_result = has(|part| matches!(part, Part::ToolResult { .. }));
    let has_harness = has(|part| matches!(part, Part::Harness(_)));
    let role = match (has_speech, has_result, has_harness) {
        (false, true, _) => Role::Tool,
        (false, false, true) => Role::System,
        _ if frame.is_sidechain => Role::Agent,
        _ => Role::User,
    };
    let speaker = match role {
        Role::User => Some(entity("person", "user")),
        Role::Agent => Some(entity("agent", AGENT)),
        Role::Tool | Role::System | Role::Statement => None,
    };
    Said { role, speaker, rendering }
}

fn agent(record: &Map<String, Value>, frame: &Frame<'_>, voice: Voice) -> Said {
    let mut rendering = message(record, voice);
    attach_details(record, &mut rendering);
    if voice == Voice::Harness {
        return Said { role: Role::System, speaker: None, rendering };
    }
    let speaker = EntityRef::new("agent", frame.agent).unwrap_or_else(|_| entity("agent", AGENT));
    Said { role: Role::Agent, speaker: Some(speaker), rendering }
}

/// Renders the record's message. What has no content under its right name is kept as JSON, as nobody's words.
fn message(record: &Map<String, Value>, voice: Voice) -> Rendering {
    let mut rendering = Rendering::default();
    match record.get("message") {
        Some(Value::Object(message)) => {
            if let Some(content) = message.get("content") {
                blocks::render(content, voice, &mut rendering);
            } else {
                rendering
                    .notice(format!("the message has {}", missing(message, "content", &KNOWN_IN_MESSAGE)));
                rendering.say(&Value::Object(message.clone()).to_string(), Voice::Harness);
            }
        }
        Some(content @ (Value::String(_) | Value::Array(_))) => {
            rendering.notice(format!("the message is {}, not an object", kind_of(content)));
            blocks::render(content, voice, &mut rendering);
        }
        Some(other) => rendering.notice(format!("the message is {}, not an object", kind_of(other))),
        None => {
            rendering.notice(missing(record, "message", &KNOWN));
            match record.get("content") {
                Some(content) => blocks::render(content, voice, &mut rendering),
                None => rendering.say(&Value::Object(record.clone()).to_string(), Voice::Harness),
            }
        }
    }
    rendering
}

/// Gives the harness's record of a result to the result; where a record holds several, nobody can tell whose it is.
/// An error recorded so counts where the result has no flag of its own.
fn attach_details(record: &Map<String, Value>, rendering: &mut Rendering) {
    let Some(recorded) = record.get("toolUseResult").filter(|value| !value.is_null()) else {
        return;
    };
    let unflagged = &rendering.unflagged;
    let mut results = rendering.turn.parts.iter_mut().enumerate().filter_map(|(at, part)| match part {
        Part::ToolResult { details, is_error, .. } => Some((at, details, is_error)),
        _ => None,
    });
    if let (Some((at, details, is_error)), None) = (results.next(), results.next()) {
        if unflagged.contains(&at) && recorded.as_str().is_some_and(|text| text.starts_with("Error:")) {
            *is_error = Some(true);
        }
        *details = Some(recorded.clone());
    }
}

/// Finds expected keys that are missing but have a near miss. A missing `timestamp` or `message` is reported with
/// what is done about it; the others may be missing by design.
pub(super) fn slips(record: &Map<String, Value>) -> Vec<String> {
    ["uuid", "sessionId", "parentUuid", "toolUseResult"]
        .into_iter()
        .filter(|key| !record.contains_key(*key) && near_miss(record, key, &KNOWN).is_some())
        .map(|key| missing(record, key, &KNOWN))
        .collect()
}

/// Says that the record has no time, and which key may have been meant for it.
pub(super) fn without_time(record: &Map<String, Value>) -> String {
    missing(record, "timestamp", &KNOWN)
}

fn entity(kind: &str, name: &str) -> EntityRef {
    EntityRef::new(kind, name).expect("the name is a literal")
}
