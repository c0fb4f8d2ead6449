//! Putting checkpoints, and what tasks write beside them.

use bygone_engine::document::Documents;
use bygone_engine::store::{Decided, Snapshot};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::InterfaceError;
use super::super::frame::framed;
use super::super::name::part_or_none;
use super::{Head, Thread, Typed, Versions, WriteHead};

/// A checkpoint to put.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Put {
    /// The thread.
    pub thread_id: String,
    /// The namespace in it.
    #[serde(default)]
    pub checkpoint_ns: String,
    /// The checkpoint.
    pub checkpoint_id: String,
    /// The checkpoint that it goes on from.
    #[serde(default)]
    pub parent_id: Option<String>,
    /// The checkpoint itself, without the values of its channels.
    pub checkpoint: Typed,
    /// What is told of it: an object.
    pub metadata: Box<RawValue>,
    /// The version of each of its channels.
    #[serde(default)]
    pub channel_versions: Versions,
    /// The values that are new: of the others, there are some for their versions.
    #[serde(default)]
    pub values: Vec<NewValue>,
}

/// What a channel holds in a version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewValue {
    /// The channel.
    pub channel: String,
    /// The version: a text or a number.
    pub version: serde_json::Value,
    /// What it holds; nothing where it is empty.
    #[serde(default)]
    pub value: Option<Typed>,
}

/// What putting came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutWritten {
    /// The checkpoint.
    pub checkpoint_id: String,
}

/// What tasks wrote.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PutWrites {
    /// The thread.
    pub thread_id: String,
    /// The namespace in it.
    #[serde(default)]
    pub checkpoint_ns: String,
    /// The checkpoint that the task started from.
    pub checkpoint_id: String,
    /// The task.
    pub task_id: String,
    /// Where the task stands.
    #[serde(default)]
    pub task_path: String,
    /// The writes.
    pub writes: Vec<NewWrite>,
}

/// One write.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewWrite {
    /// Which of the task's: one from 0 on that is there stays as it is, others are written over.
    pub idx: i64,
    /// The channel.
    pub channel: String,
    /// What was written.
    pub value: Typed,
}

/// What putting writes came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// How many were put.
    pub written: u64,
}

/// Decides on putting a checkpoint. The same again changes nothing.
///
/// # Errors
/// [`InterfaceError::Request`] where a name, the metadata or bytes are none; [`InterfaceError::Store`].
pub fn put(snapshot: &Snapshot<'_>, request: &Put) -> Result<Decided<PutWritten>, InterfaceError> {
    let thread = Thread::new(&request.thread_id, &request.checkpoint_ns)?;
    let id = &request.checkpoint_id;
    for (channel, version) in &request.channel_versions {
        thread.value(channel, version)?;
    }
    let head = Head {
        parent: request.parent_id.clone(),
        kind: request.checkpoint.kind.clone(),
        metadata: request.metadata.clone(),
        versions: request.channel_versions.clone(),
    };
    let is_object = request.metadata.get().starts_with('{');
    let run = head.run().ok().filter(|_| is_object).ok_or_else(|| {
        InterfaceError::Request("metadata is something else: expected an object".to_owned())
    })?;
    let mut documents = Documents::default();
    let row = thread.checkpoint(id)?;
    // A checkpoint that is written over may have been of another run.
    if let Some(before) = snapshot.document(&row)?
        && let Some(run) = Head::read(&before.content.bytes)?.0.run()?
    {
        documents.remove(thread.run(&run, id)?);
    }
    documents.put(row, framed(&head, &request.checkpoint.bytes()?)?);
    if let Some(run) = run {
        documents.put(thread.run(&run, id)?, Vec::new());
    }
    for NewValue { channel, version, value } in &request.values {
        let row = thread.value(channel, version)?;
        match value {
            Some(value) => documents.put(row, value.to_value()?),
            None => documents.remove(row),
        }
    }
    Ok(Decided::nothing(PutWritten { checkpoint_id: id.clone() }).with_documents(documents))
}

/// Decides on putting what a task wrote.
///
/// # Errors
/// As [`put`].
pub fn put_writes(snapshot: &Snapshot<'_>, request: &PutWrites) -> Result<Decided<Written>, InterfaceError> {
    let thread = Thread::new(&request.thread_id, &request.checkpoint_ns)?;
    let mut documents = Documents::default();
    let mut n_written = 0;
    for NewWrite { idx, channel, value } in &request.writes {
        let row = thread.write(&request.checkpoint_id, &request.task_id, *idx)?;
        if *idx >= 0 && snapshot.document(&row)?.is_some() {
            continue;
        }
        let head = WriteHead {
            channel: part_or_none("channel", channel)?.to_owned(),
            kind: value.kind.clone(),
            path: request.task_path.clone(),
        };
        documents.put(row, framed(&head, &value.bytes()?)?);
        n_written += 1;
    }
    Ok(Decided::nothing(Written { written: n_written }).with_documents(documents))
}
