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

use super::lines::lines;
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

/// How many lines are looked at to tell the format.
const SNIFFED_LINES: usize = 64;

fn sniff(head: &[u8]) -> bool {
    lines(head)
        .filter(|line| !line.is_blank())
        .take(SNIFFED_LINES)
        .any(|line| serde_json::from_str(&line.text).is_ok_and(|value| is_ours(&value)))
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
