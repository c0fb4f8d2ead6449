//! How far things have come: todos counted, registers, and where the next page of a list starts.
//!
//! Whatever else counts progress is one more kind here, with a line of its own.

use bygone_engine::EntityRef;
use bygone_engine::store::{Checkpoint, Seen};
use bygone_engine::time::Instant;
use bygone_engine::work::WorkCount;
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::todos::Counted;
use super::trail::supports;
use crate::state::artifact::{self, Artifact};
use crate::state::register::{self, registers};
use crate::state::{StateError, checkpoint, stands};

/// The predicate of where the next page of a list starts.
pub(super) const CURSOR: &str = "cursor";

/// How far something has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The todos of a session.
    Todos(Counted),
    /// A register.
    Register(register::Value),
    /// A list that a tool hands out page by page, of which there is more.
    Cursor(Cursor),
    /// A work-set, of which some is to be done or failed.
    Work {
        /// Its name.
        set: String,
        /// How its items stand.
        count: WorkCount,
    },
    /// A file that is being made.
    Artifact(Artifact),
    /// The agent's last checkpoint.
    Checkpoint(Checkpoint),
}

/// Where the next page of a list starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The tool and its input.
    pub list: String,
    /// Where the next page starts.
    pub next: String,
    /// When the last page was read.
    pub at: Instant,
    /// The turn that tells.
    pub evidence: Evidence,
}

impl Progress {
    pub(super) fn to_json(&self) -> Value {
        match self {
            Progress::Todos(counted) => counted.to_json(),
            Progress::Register(value) => json!({
                "kind": "register",
                "name": value.name,
                "value": value.value,
                "seq": value.seq,
                "at": value.at.to_rfc3339(),
                "until": value.until.map(Instant::to_rfc3339),
                "source_version": value.source_version,
                "by": value.by,
                "evidence": [format!("register:{}", value.name)],
            }),
            Progress::Work { set, count } => json!({
                "kind": "work",
                "set": set,
                "queued": count.queued,
                "done": count.done,
                "failed": count.failed,
                "evidence": [format!("workset:{set}")],
            }),
            Progress::Artifact(artifact) => json!({
                "kind": "artifact",
                "path": artifact.path,
                "hash": artifact.hash,
                "missing": artifact.missing,
                "at": artifact.at.to_rfc3339(),
                "by": artifact.by,
                "evidence": [format!("file:{}", artifact.path)],
            }),
            Progress::Checkpoint(checkpoint) => json!({
                "kind": "checkpoint",
                "checkpoint": checkpoint.id.to_string(),
                "bytes": checkpoint.n_bytes,
                "label": checkpoint.label,
                "at": checkpoint.at.to_rfc3339(),
                "evidence": [checkpoint.id.to_string()],
            }),
            Progress::Cursor(cursor) => json!({
                "kind": "cursor",
                "list": cursor.list,
                "next": cursor.next,
                "at": cursor.at.to_rfc3339(),
                "evidence": [cursor.evidence.to_json()],
            }),
        }
    }
}

/// Returns how far things have come by an instant: todos, then registers, those that the agent set first, then lists, work-sets,
/// files that are being made, and the agent's last checkpoint.
pub(super) fn progress(
    seen: &Seen<'_>,
    agent: &EntityRef,
    counts: Vec<Counted>,
    at: Instant,
) -> Result<Vec<Progress>, StateError> {
    let mut progress: Vec<Progress> = counts.into_iter().map(Progress::Todos).collect();
    let mut held = registers(seen, at)?;
    held.retain(|value| !value.has_expired);
    held.sort_by(|one, other| {
        let is_others = |value: &register::Value| value.by.as_deref() != Some(agent.name());
        (is_others(one), other.at, &one.name).cmp(&(is_others(other), one.at, &other.name))
    });
    progress.extend(held.into_iter().map(Progress::Register));
    progress.extend(cursors(seen, agent, at)?.into_iter().map(Progress::Cursor));
    for (set, count) in seen.work_counts(at)? {
        if count.queued + count.failed > 0 {
            progress.push(Progress::Work { set, count });
        }
    }
    let unfinished = artifact::list(seen, at)?.into_iter().filter(|artifact| !artifact.complete);
    progress.extend(unfinished.map(Progress::Artifact));
    let kept = checkpoint::last(seen, agent, at)?.filter(|checkpoint| checkpoint.pruned.is_none());
    progress.extend(kept.map(Progress::Checkpoint));
    Ok(progress)
}

/// Returns the lists of which there is more, the one read last first.
fn cursors(seen: &Seen<'_>, agent: &EntityRef, at: Instant) -> Result<Vec<Cursor>, StateError> {
    let mut cursors = Vec::new();
    for group in seen.groups_of(agent)? {
        if group.predicate != CURSOR {
            continue;
        }
        let Some(standing) = stands(seen, agent, CURSOR, &group.key, at)? else { continue };
        let value: Value = serde_json::from_str(&standing.text()).unwrap_or_default();
        let Some(next) = value.get("next").and_then(Value::as_str).filter(|_| !standing.has_ended) else {
            continue;
        };
        let said = supports(seen, [standing.statement])?.into_values().next();
        cursors.push(Cursor {
            list: group.key.clone(),
            next: next.to_owned(),
            at: standing.at,
            evidence: said.as_ref().map_or(Evidence::Statement(standing.statement), Evidence::of),
        });
    }
    cursors.sort_by(|one, other| (other.at, &one.list).cmp(&(one.at, &other.list)));
    Ok(cursors)
}
