//! What a memory was, and erasing memories.

use bygone_engine::document::{DocumentSet, Listing, Version};
use bygone_engine::store::{Certificate, Snapshot, Space, Target};
use bygone_engine::time::Instant;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::InterfaceError;
use super::super::frame::read;
use super::super::name::document;
use super::{Kept, MEMORIES, Whose, id, missing};

/// Returns what became of a memory, in order: each time it was added, changed or deleted.
///
/// # Errors
/// [`InterfaceError::Missing`] where there never was one.
pub fn history(snapshot: &Snapshot<'_>, memory: &str) -> Result<Vec<Value>, InterfaceError> {
    let mut events = Vec::new();
    let mut before: Option<Kept> = None;
    let mut made = None;
    for Version { seq, at, content } in snapshot.document_versions(&id(memory)?)? {
        let after: Option<Kept> = content.map(|content| read("a memory", &content.bytes)).transpose()?;
        let event = match (&before, &after) {
            (None, _) => "ADD",
            (Some(_), Some(_)) => "UPDATE",
            (Some(_), None) => "DELETE",
        };
        let text = |kept: &Option<Kept>| kept.as_ref().map(|kept| kept.text.clone());
        let of = after.as_ref().or(before.as_ref());
        let whose = of.map_or_else(Whose::default, |kept| kept.whose.clone());
        let made_at = *made.get_or_insert_with(|| {
            let created = of.and_then(|kept| Instant::from_micros(kept.created));
            created.unwrap_or(at)
        });
        events.push(json!({
            "id": format!("{memory}#{seq}"), "memory_id": memory, "event": event,
            "old_memory": text(&before), "new_memory": text(&after),
            "user_id": whose.user_id, "agent_id": whose.agent_id, "app_id": whose.app_id, "run_id": whose.run_id,
            "metadata": of.and_then(|kept| kept.metadata.clone()),
            "created_at": made_at.to_rfc3339(), "updated_at": at.to_rfc3339(),
            "recorded": seq, "known": at.to_rfc3339(),
        }));
        before = after;
    }
    if events.is_empty() { Err(missing(memory)) } else { Ok(events) }
}

/// Which memories are erased: those of ids, or those that are or were somebody's.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EraseMemories {
    /// Their ids.
    #[serde(default)]
    pub memory_ids: Vec<String>,
    /// The user whose they are.
    #[serde(default)]
    pub user_id: Option<String>,
    /// The agent.
    #[serde(default)]
    pub agent_id: Option<String>,
    /// The app.
    #[serde(default)]
    pub app_id: Option<String>,
    /// The run.
    #[serde(default)]
    pub run_id: Option<String>,
}

/// Erases memories in all their versions. What was said, from which they were made, is erased by `erase`.
///
/// # Errors
/// [`InterfaceError::Request`] where nobody is named; [`InterfaceError::Store`].
pub fn erase(
    space: &Space<'_>,
    now: Instant,
    request: &EraseMemories,
) -> Result<Certificate, InterfaceError> {
    let EraseMemories { memory_ids, user_id, agent_id, app_id, run_id } = request;
    let named = [user_id, agent_id, app_id, run_id];
    if memory_ids.is_empty() && named.iter().all(|name| name.is_none()) {
        return Err(InterfaceError::Request(
            "nothing is named: expected memory_ids, user_id, agent_id, app_id or run_id".to_owned(),
        ));
    }
    let mut sets: Vec<DocumentSet> =
        memory_ids.iter().map(|memory| id(memory).map(DocumentSet::One)).collect::<Result<_, _>>()?;
    if named.iter().any(|name| name.is_some()) {
        let snapshot = space.snapshot();
        for name in snapshot.document_names(&Listing::new(&MEMORIES, b"")) {
            let memory = document(&MEMORIES, name?)?;
            let mut is_theirs = false;
            for version in snapshot.document_versions(&memory)? {
                let Some(content) = version.content else { continue };
                let Whose { user_id, agent_id, app_id, run_id } =
                    read::<Kept>("a memory", &content.bytes)?.whose;
                let has = [user_id, agent_id, app_id, run_id];
                is_theirs |= named.iter().zip(&has).all(|(name, has)| name.is_none() || *name == has);
            }
            if is_theirs {
                sets.push(DocumentSet::One(memory));
            }
        }
    }
    Ok(space.erase(&Target::Documents(sets), now)?)
}
