//! LangGraph's checkpoints: what a thread's channels held step by step, and what tasks wrote in between.
//!
//! ```text
//! checkpoint   thread, namespace, id                  ─▶ parent, metadata, versions of channels │ the rest, in bytes
//! value        thread, namespace, channel, version    ─▶ type │ bytes                        once for each version
//! write        thread, namespace, id, task, index     ─▶ channel, type, path │ bytes
//! run          run, thread, namespace, id             ─▶ nothing                             which checkpoints are of a run
//! ```
//!
//! A checkpoint names its values by the versions of its channels, so one costs what changed since the one before. Values are
//! bytes with the name of what wrote them: nothing here looks into them. Metadata is JSON, by which lists are filtered.
//!
//! Deleting, pruning and writing over are versions like all else; [`erase`] alone lets go of bytes.
//!
//! Ids of checkpoints sort as they were made; the latest one of a thread is the greatest.

mod copy;
mod delta;
mod erase;
mod get;
mod list;
mod put;
mod remove;

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bygone_engine::document::{Collection, DocumentId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::InterfaceError;
use super::frame::{framed, unframed};
use super::name::{document, joined, part, part_or_none, start};

pub use copy::{Copied, CopyThread, copy_thread};
pub use delta::{ChannelHistory, DeltaHistory, Deltas, delta_history};
pub use erase::{EraseThread, erase};
pub use get::{ChannelValue, CheckpointTuple, Get, PendingWrite, get};
pub use list::{Cursor, List, Listed, list};
pub use put::{NewValue, NewWrite, Put, PutWrites, PutWritten, Written, put, put_writes};
pub use remove::{
    DeleteForRuns, DeleteThread, Prune, Removed, Strategy, delete_for_runs, delete_thread, prune,
};

static CHECKPOINTS: Collection = Collection::fixed("langgraph/checkpoints");
static VALUES: Collection = Collection::fixed("langgraph/values");
static WRITES: Collection = Collection::fixed("langgraph/writes");
static RUNS: Collection = Collection::fixed("langgraph/runs");

/// Bytes, and the name of what wrote them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// What wrote them, such as `msgpack`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The bytes.
    pub base64: String,
}

impl Typed {
    fn new(kind: String, bytes: &[u8]) -> Typed {
        Typed { kind, base64: BASE64_STANDARD.encode(bytes) }
    }

    fn bytes(&self) -> Result<Vec<u8>, InterfaceError> {
        BASE64_STANDARD.decode(&self.base64).map_err(|_| {
            InterfaceError::Request("base64 is something else: expected bytes in base64".to_owned())
        })
    }

    fn to_value(&self) -> Result<Vec<u8>, InterfaceError> {
        Ok(framed(&self.kind, &self.bytes()?)?)
    }

    fn from_value(value: &[u8]) -> Result<Typed, InterfaceError> {
        let (kind, bytes) = unframed("the value of a channel", value)?;
        Ok(Typed::new(kind, bytes))
    }
}

/// What is told of a checkpoint beside its bytes, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    metadata: Box<RawValue>,
    versions: Versions,
}

impl Head {
    fn read(value: &[u8]) -> Result<(Head, &[u8]), InterfaceError> {
        Ok(unframed("a checkpoint of a thread", value)?)
    }

    fn metadata(&self) -> Result<serde_json::Map<String, Value>, InterfaceError> {
        Ok(super::frame::read("the metadata of a checkpoint", self.metadata.get().as_bytes())?)
    }

    /// Returns the run that made the checkpoint, where that is told.
    fn run(&self) -> Result<Option<String>, InterfaceError> {
        let run = self.metadata()?.remove("run_id");
        // One that no name can have is of no run that could be asked for.
        Ok(run.as_ref().and_then(Value::as_str).filter(|run| part("run_id", run).is_ok()).map(str::to_owned))
    }

    fn channel(&self, thread: &Thread<'_>, channel: &str) -> Result<Option<DocumentId>, InterfaceError> {
        self.versions.get(channel).map(|version| thread.value(channel, version)).transpose()
    }
}

/// The versions of channels: texts or numbers.
type Versions = BTreeMap<String, Value>;

/// What a write is beside its bytes, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct WriteHead {
    channel: String,
    #[serde(rename = "type")]
    kind: String,
    path: String,
}

/// A thread and a namespace in it: what names of documents start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Thread<'a> {
    thread: &'a str,
    namespace: &'a str,
}

impl<'a> Thread<'a> {
    fn new(thread: &'a str, namespace: &'a str) -> Result<Thread<'a>, InterfaceError> {
        Ok(Thread {
            thread: part("thread_id", thread)?,
            namespace: part_or_none("checkpoint_ns", namespace)?,
        })
    }

    /// What the names of all that is of the namespace start with.
    fn start(self) -> Vec<u8> {
        start([self.thread, self.namespace])
    }

    fn checkpoint(self, id: &str) -> Result<DocumentId, InterfaceError> {
        document(&CHECKPOINTS, joined([self.thread, self.namespace, part("checkpoint_id", id)?]))
    }

    fn value(self, channel: &str, version: &Value) -> Result<DocumentId, InterfaceError> {
        let version = match version {
            Value::String(_) | Value::Number(_) => version.to_string(),
            _ => {
                return Err(InterfaceError::Request(format!(
                    "the version of channel {channel:?} is {version}: expected a text or a number"
                )));
            }
        };
        document(&VALUES, joined([self.thread, self.namespace, part_or_none("channel", channel)?, &version]))
    }

    /// What the names of a checkpoint's writes start with.
    fn writes(self, id: &str) -> Vec<u8> {
        start([self.thread, self.namespace, id])
    }

    fn write(self, id: &str, task: &str, idx: i64) -> Result<DocumentId, InterfaceError> {
        let (id, task) = (part("checkpoint_id", id)?, part_or_none("task_id", task)?);
        document(&WRITES, joined([self.thread, self.namespace, id, task, &idx.to_string()]))
    }

    fn run(self, run: &str, id: &str) -> Result<DocumentId, InterfaceError> {
        document(&RUNS, joined([run, self.thread, self.namespace, id]))
    }
}
