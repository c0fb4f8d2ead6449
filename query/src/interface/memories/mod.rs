//! Memories of Mem0's interface: short texts of a user, an agent, an app or a run, with metadata.
//!
//! ```text
//! memory   its id ─▶ the text, whose it is, its metadata, when it was made, and the turn that says it
//! ```
//!
//! Every change and every deletion is a version, and all that reads can be asked as of a commit or a known instant. What makes
//! memories of messages, and what finds them, is decided above: here they are kept, filtered and changed.

mod change;
mod filter;
mod past;

use bygone_engine::document::{Collection, Document, DocumentId, Listing};
use bygone_engine::store::Snapshot;
use bygone_engine::time::{Instant, parse_moment};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::frame::{read, written};
use super::listing::documents;
use super::name::{document, part};
use super::{AsOf, InterfaceError};

pub use change::{Removed, Update, add, remove, update};
pub use filter::Filter;
pub use past::{EraseMemories, erase, history};

static MEMORIES: Collection = Collection::fixed("mem0/memories");

/// Whose a memory is: what Mem0 calls its entities.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Whose {
    /// The user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app_id: Option<String>,
    /// The run: a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
}

/// What is kept of a memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The text.
    pub text: String,
    /// Whose it is.
    #[serde(flatten)]
    pub whose: Whose,
    /// Who said it: `user` or `assistant`.
    pub role: String,
    /// What came with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// When it was made, in microseconds.
    pub created: i64,
    /// The day after which it is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_date: Option<String>,
    /// The id in its source of the turn that says it.
    pub turn: String,
    /// The session of that turn.
    pub session: String,
}

impl Kept {
    /// Says whether it ran out by an instant.
    fn is_over(&self, now: Instant) -> bool {
        let end = self.expiration_date.as_deref().and_then(|day| parse_moment(day).ok());
        end.is_some_and(|day| day.end() <= now)
    }
}

/// A memory as a view has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its id.
    pub id: String,
    /// What is kept of it.
    pub kept: Kept,
    /// The commit that changed it last.
    pub recorded: u64,
    /// When it changed last.
    pub updated: Instant,
}

impl Memory {
    fn of(document: &Document) -> Result<Memory, InterfaceError> {
        let kept: Kept = read("a memory", &document.content.bytes)?;
        let id = String::from_utf8_lossy(&document.name).into_owned();
        Ok(Memory { id, kept, recorded: document.seq, updated: document.at })
    }

    /// Returns when it was made.
    pub fn created(&self) -> Instant {
        Instant::from_micros(self.kept.created).unwrap_or(self.updated)
    }

    /// Returns the form of the interface.
    pub fn to_json(&self) -> Value {
        let Kept { text, whose, metadata, expiration_date, role, .. } = &self.kept;
        let Whose { user_id, agent_id, app_id, run_id } = whose;
        json!({
            "id": self.id, "memory": text, "user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id,
            "actor_id": role, "metadata": metadata, "categories": [], "expiration_date": expiration_date,
            "created_at": self.created().to_rfc3339(), "updated_at": self.updated.to_rfc3339(),
        })
    }
}

fn id(memory: &str) -> Result<DocumentId, InterfaceError> {
    document(&MEMORIES, part("the id of a memory", memory)?.as_bytes().to_vec())
}

fn bytes(kept: &Kept) -> Result<Vec<u8>, InterfaceError> {
    Ok(written(kept)?)
}

/// Which memories are asked for.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// What they have.
    pub filter: Filter,
    /// Whether those that ran out are among them.
    pub shows_expired: bool,
    /// As of when.
    pub as_of: AsOf,
}

/// Returns the memories that are asked for, those that were made last first, then by id.
///
/// # Errors
/// [`InterfaceError::Request`] where a time is none; [`InterfaceError::Store`].
pub fn list(snapshot: &Snapshot<'_>, now: Instant, asked: &Asked) -> Result<Vec<Memory>, InterfaceError> {
    let view = asked.as_of.view()?;
    let mut found = Vec::new();
    for document in documents(snapshot, &Listing::new(&MEMORIES, b""), &view)? {
        let memory = Memory::of(&document?)?;
        if asked.filter.has(&memory) && (asked.shows_expired || !memory.kept.is_over(now)) {
            found.push(memory);
        }
    }
    found.sort_by(|one, other| (other.created(), &one.id).cmp(&(one.created(), &other.id)));
    Ok(found)
}

/// Returns a memory.
///
/// # Errors
/// [`InterfaceError::Missing`] where there is none; [`InterfaceError::Request`] where a time is none.
pub fn get(snapshot: &Snapshot<'_>, memory: &str, as_of: &AsOf) -> Result<Memory, InterfaceError> {
    let found = snapshot.document_in(&id(memory)?, &as_of.view()?)?;
    found.as_ref().map_or_else(|| Err(missing(memory)), Memory::of)
}

fn missing(memory: &str) -> InterfaceError {
    InterfaceError::Missing(format!("there is no memory {memory:?}"))
}
