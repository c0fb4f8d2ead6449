//! How sessions of OpenAI's Codex are read: JSON Lines, in one of three grammars.
//!
//! ```text
//! rollout   {"timestamp": …, "type": "response_item", "payload": {"type": "message", "role": "user", …}}
//! older     {"id": …, "timestamp": …, "instructions": …}, and then the payloads alone: {"type": "message", …}
//! stream    {"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", …}}
//! ```
//!
//! Rollouts are what Codex keeps under `sessions/`, streams are what `codex exec --json` prints. The shapes follow the
//! protocol of its public source (`codex-rs/protocol`, `codex-rs/exec`) and public session files of 2025 and 2026.
//!
//! A rollout tells each message twice, as an item and as an event: the item is the turn. A compaction repeats the whole
//! history, which is passed over without being parsed; that it happened is a turn of the harness, with the summary.

mod file;
mod harness;
mod item;
mod stream;

use serde_json::{Map, Value};

use super::start::has_line;
use super::{Manner, Reader};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "codex",
    about: "OpenAI Codex sessions: rollouts, and the stream of codex exec --json",
    sniff,
    read: Manner::File(file::read),
};

/// The agent's name.
const AGENT: &str = "codex";
/// Kinds of lines that only rollouts have.
const ROLLOUT: [&str; 5] = ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
/// Kinds of items that only the Responses API has.
const ITEMS: [&str; 6] = [
    "reasoning",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "custom_tool_call",
    "custom_tool_call_output",
];

fn sniff(head: &[u8]) -> bool {
    has_line(head, is_ours)
}

/// Says whether the value is a record that only this format has.
fn is_ours(value: &Value) -> bool {
    let Value::Object(record) = value else {
        return false;
    };
    let has = |key: &str| record.contains_key(key);
    match record.get("type").and_then(Value::as_str) {
        Some(kind) if ROLLOUT.contains(&kind) => record.get("payload").is_some_and(Value::is_object),
        Some("thread.started") => has("thread_id"),
        Some("item.started" | "item.updated" | "item.completed") => has("item"),
        Some(kind) if ITEMS.contains(&kind) => has("call_id") || has("summary"),
        Some(_) => false,
        None => is_first_line(record),
    }
}

/// Says whether the record is the first line of an older rollout.
fn is_first_line(record: &Map<String, Value>) -> bool {
    let has = |key: &str| record.contains_key(key);
    has("id") && has("timestamp") && (has("instructions") || has("git"))
}
