//! How Claude Code sessions are read: JSON Lines, one record a line, in `<session>.jsonl` and `subagents/agent-*.jsonl`.
//!
//! The format is not specified; what is written here follows public session files of 2025 and 2026. The tree that
//! `parentUuid` spells is not followed, since parents are often missing: order is the order of the file.
//!
//! ```text
//! line ── json ──> object ── record ──> turn        user, assistant, system with content, task notifications
//!           │         └───────────────> skipped     summaries, snapshots, other types without a message
//!           └─────────────────────────> quarantined not JSON, not an object, no type
//! ```

mod blocks;
mod file;
mod harness;
mod record;
mod text;

use serde_json::Value;

use super::start::has_line;
use super::{Manner, Reader};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "claude-code",
    about: "Claude Code session JSONL, subagents' files included",
    sniff,
    read: Manner::File(file::read),
};

/// The agent's name where a record names none.
const AGENT: &str = "claude";

fn sniff(head: &[u8]) -> bool {
    has_line(head, is_ours)
}

/// Says whether the value is a record that only this format has.
fn is_ours(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    match value.get("type").and_then(Value::as_str) {
        Some("user" | "assistant") => {
            has("message") && ["sessionId", "uuid", "parentUuid", "isSidechain"].into_iter().any(has)
        }
        Some("summary") => has("leafUuid"),
        Some("file-history-snapshot") => has("snapshot"),
        Some("queue-operation") => has("sessionId"),
        Some("system") => has("sessionId") && has("uuid"),
        _ => false,
    }
}
