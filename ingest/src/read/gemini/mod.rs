//! How sessions of the Gemini CLI are read: one JSON document a session, or, newer, JSON Lines.
//!
//! ```text
//! {"sessionId": …, "projectHash": …, "messages": [{"id": …, "timestamp": …, "type": "user", "content": …}, …]}
//!
//! {"sessionId": …, "projectHash": …, "startTime": …}                       the session
//! {"id": …, "timestamp": …, "type": "gemini", "content": …, "toolCalls": […]}   a message, whole each time it grows
//! {"$set": {"lastUpdated": …}}                                              a change of the session's own fields
//! {"$rewindTo": "<id>"}                                                     this message and all after it are taken back
//! ```
//!
//! The shapes follow the public source (`packages/core/src/services/chatRecordingTypes.ts`) and session files of 2025 and
//! 2026. A message is a record, and so are each of its tool calls and their results, which a message gains while it
//! grows: what is new in a message that comes again is read, and the rest is passed over.

mod file;
mod message;

use serde_json::Value;

use super::scan::{items, members};
use super::start::{has_line, unmarked};
use super::{Manner, Reader};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "gemini",
    about: "Gemini CLI sessions: JSON documents, or JSON Lines",
    sniff,
    read: Manner::File(file::read),
};

/// The agent's name.
const AGENT: &str = "gemini";
/// Types a message may have.
const TYPES: [&str; 5] = ["user", "gemini", "info", "error", "warning"];

fn sniff(head: &[u8]) -> bool {
    is_session(unmarked(head)) || has_line(head, is_frame)
}

/// Says whether a document, of which only the start may be there, is a session.
fn is_session(document: &[u8]) -> bool {
    let members = members(document).unwrap_or_default();
    let has = |key: &str| members.iter().any(|(name, _)| name == key);
    let messages =
        members.iter().find(|(key, _)| key == "messages").map(|(_, range)| &document[range.clone()]);
    let first = messages.and_then(|messages| Some(&messages[items(messages)?.into_iter().next()?]));
    let is_framed = ["sessionId", "projectHash", "startTime", "lastUpdated"].into_iter().any(has);
    has("sessionId") && has("projectHash") || is_framed && first.is_some_and(is_message)
}

/// Says whether the start of an object is that of a message.
fn is_message(bytes: &[u8]) -> bool {
    let members = members(bytes).unwrap_or_default();
    let has = |key: &str| members.iter().any(|(name, _)| name == key);
    let kind = members.iter().find(|(key, _)| key == "type").map(|(_, range)| &bytes[range.clone()]);
    let kind = kind.and_then(|kind| serde_json::from_slice::<String>(kind).ok());
    kind.is_some_and(|kind| TYPES.contains(&kind.as_str())) && has("id") && has("timestamp") && has("content")
}

/// Says whether the value is a record that only this format has.
fn is_frame(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    match value.get("type").and_then(Value::as_str) {
        Some(kind) => kind == "gemini" && has("id") && has("timestamp"),
        None => has("sessionId") && has("projectHash") || has("$rewindTo") || has("$set"),
    }
}

/// Says whether the value is a record as this format has them.
fn is_ours(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    let kind = value.get("type").and_then(Value::as_str);
    is_frame(value)
        || kind.is_some_and(|kind| TYPES.contains(&kind)) && has("id") && has("timestamp") && has("content")
}
