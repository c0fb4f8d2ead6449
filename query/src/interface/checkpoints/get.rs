//! Reading one checkpoint with its values and what tasks wrote beside it.

use bygone_engine::View;
use bygone_engine::document::{Document, Listing};
use bygone_engine::store::Snapshot;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::frame::unframed;
use super::super::listing::documents;
use super::super::name::parted;
use super::super::{AsOf, InterfaceError, moment};
use super::{CHECKPOINTS, Head, Thread, Typed, WRITES, WriteHead};

/// Which checkpoint is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Get {
    /// The thread.
    pub thread_id: String,
    /// The namespace in it.
    #[serde(default)]
    pub checkpoint_ns: String,
    /// The checkpoint; the latest one where none is named.
    #[serde(default)]
    pub checkpoint_id: Option<String>,
    /// As of when.
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

/// A checkpoint with all that belongs to it.
#[derive(Debug, Serialize, Deserialize)]
pub struct CheckpointTuple {
    /// The thread.
    pub thread_id: String,
    /// The namespace in it.
    pub checkpoint_ns: String,
    /// The checkpoint.
    pub checkpoint_id: String,
    /// The checkpoint that it goes on from.
    pub parent_id: Option<String>,
    /// The checkpoint itself.
    pub checkpoint: Typed,
    /// What is told of it.
    pub metadata: Box<RawValue>,
    /// What its channels hold; those that are empty are left out.
    pub values: Vec<ChannelValue>,
    /// What tasks that started from it wrote, in the order in which a run applies it.
    pub writes: Vec<PendingWrite>,
}

/// What a channel holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelValue {
    /// The channel.
    pub channel: String,
    /// What it holds.
    pub value: Typed,
}

/// What a task wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingWrite {
    /// The task.
    pub task_id: String,
    /// The channel.
    pub channel: String,
    /// What was written.
    pub value: Typed,
}

/// Returns a checkpoint; nothing where there is none.
///
/// # Errors
/// [`InterfaceError::Request`] where a name or the time is none; [`InterfaceError::Store`].
pub fn get(snapshot: &Snapshot<'_>, request: &Get) -> Result<Option<CheckpointTuple>, InterfaceError> {
    let view = moment::view(request.as_of.as_ref())?;
    let thread = Thread::new(&request.thread_id, &request.checkpoint_ns)?;
    let found = found(snapshot, thread, request.checkpoint_id.as_deref(), &view)?;
    found.map(|found| tuple(snapshot, &found, &view)).transpose()
}

/// Returns the document of a checkpoint, or of the latest one where none is named.
pub(super) fn found(
    snapshot: &Snapshot<'_>,
    thread: Thread<'_>,
    id: Option<&str>,
    view: &View,
) -> Result<Option<Document>, InterfaceError> {
    if let Some(id) = id.filter(|id| !id.is_empty()) {
        return Ok(snapshot.document_in(&thread.checkpoint(id)?, view)?);
    }
    let start = thread.start();
    let listing = Listing::new(&CHECKPOINTS, &start).backwards();
    Ok(documents(snapshot, &listing, view)?.next().transpose()?)
}

/// Returns what the name of a checkpoint's document says.
pub(super) fn named(document: &Document) -> Result<(Thread<'_>, &str), InterfaceError> {
    let damaged = || bygone_engine::StoreError::Corrupt("a checkpoint of a thread has no name".to_owned());
    let [thread, namespace, id] = parted(&document.name).ok_or_else(damaged)?;
    Ok((Thread { thread, namespace }, id))
}

/// Returns a checkpoint with all that belongs to it.
pub(super) fn tuple(
    snapshot: &Snapshot<'_>,
    found: &Document,
    view: &View,
) -> Result<CheckpointTuple, InterfaceError> {
    let (thread, id) = named(found)?;
    let (head, bytes) = Head::read(&found.content.bytes)?;
    let mut values = Vec::new();
    for channel in head.versions.keys() {
        let Some(row) = head.channel(&thread, channel)? else { continue };
        if let Some(value) = snapshot.document_in(&row, view)? {
            let value = Typed::from_value(&value.content.bytes)?;
            values.push(ChannelValue { channel: channel.clone(), value });
        }
    }
    Ok(CheckpointTuple {
        thread_id: thread.thread.to_owned(),
        checkpoint_ns: thread.namespace.to_owned(),
        checkpoint_id: id.to_owned(),
        parent_id: head.parent,
        checkpoint: Typed::new(head.kind, bytes),
        metadata: head.metadata,
        values,
        writes: writes(snapshot, thread, id, view)?,
    })
}

/// Returns what tasks wrote beside a checkpoint, in the order in which a run applies it: by path, task and index.
pub(super) fn writes(
    snapshot: &Snapshot<'_>,
    thread: Thread<'_>,
    id: &str,
    view: &View,
) -> Result<Vec<PendingWrite>, InterfaceError> {
    let start = thread.writes(id);
    let mut found = Vec::new();
    for document in documents(snapshot, &Listing::new(&WRITES, &start), view)? {
        let document = document?;
        let Some([_, _, _, task, idx]) = parted(&document.name) else { continue };
        let (WriteHead { channel, kind, path }, bytes) =
            unframed("a write of a task", &document.content.bytes)?;
        let idx: i64 = idx.parse().unwrap_or(i64::MAX);
        let write = PendingWrite { task_id: task.to_owned(), channel, value: Typed::new(kind, bytes) };
        found.push(((path, task.to_owned(), idx), write));
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found.into_iter().map(|(_, write)| write).collect())
}
