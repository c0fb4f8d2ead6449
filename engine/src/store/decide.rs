//! Writing that depends on what is there: looked at, decided and recorded before anybody else writes.
//!
//! An operation may bear a key. What it came to is kept in the commit that did it, so that one that is sent again, because
//! nobody knows whether it was done, is not done again.

use std::sync::PoisonError;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::commit::Next;
use super::{Recording, Snapshot, Space};
use crate::backend::{Reader, Table, Write};
use crate::checkpoint::{self, CheckpointChange};
use crate::codec::{decode, encode};
use crate::document::{self, DocumentChange, Documents, ToldDocument};
use crate::error::StoreError;
use crate::id::hash_parts;
use crate::key::{self, SpaceId};
use crate::time::Instant;
use crate::work::{self, WorkChange};

/// How many commits back what an operation came to is kept (chosen, untested).
const KEPT_COMMITS: u64 = 100_000;

/// A write that can be told from every other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation<'a> {
    /// Who sends it again sends this again.
    pub key: &'a str,
    /// What is asked for. A key is for one request alone.
    pub request: &'a str,
}

/// The place in recorded time that a decision gets if it is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The sequence number.
    pub seq: u64,
    /// The stamp, later than every one before it, and not before now.
    pub at: Instant,
}

/// What was decided: what to record, and what to tell.
#[derive(Clone, Debug, Default)]
pub struct Decided<T> {
    recording: Recording,
    work: Option<WorkChange>,
    checkpoints: Option<CheckpointChange>,
    documents: Option<DocumentChange>,
    told: T,
}

impl<T> Decided<T> {
    /// Decides to record something.
    pub fn record(recording: Recording, told: T) -> Decided<T> {
        Decided { recording, work: None, checkpoints: None, documents: None, told }
    }

    /// Decides to leave everything as it is.
    pub fn nothing(told: T) -> Decided<T> {
        Decided::record(Recording::default(), told)
    }

    /// Returns what is to be recorded.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Says whether everything is left as it is.
    pub fn is_nothing(&self) -> bool {
        self.recording.is_empty()
            && self.work.is_none()
            && self.checkpoints.is_none()
            && self.documents.is_none()
    }

    /// Tells something else of the same decision.
    pub fn map<U>(self, tell: impl FnOnce(T) -> U) -> Decided<U> {
        let Decided { recording, work, checkpoints, documents, told } = self;
        Decided { recording, work, checkpoints, documents, told: tell(told) }
    }

    /// Changes a work-set, too, in the same commit: one at a time.
    #[must_use]
    pub fn with_work(self, change: WorkChange) -> Decided<T> {
        Decided { work: Some(change), ..self }
    }

    /// Changes the checkpoints, too, in the same commit: once.
    #[must_use]
    pub fn with_checkpoints(self, change: CheckpointChange) -> Decided<T> {
        Decided { checkpoints: Some(change), ..self }
    }

    /// Puts and removes documents, too, in the same commit: once.
    #[must_use]
    pub fn with_documents(self, documents: Documents) -> Decided<T> {
        let documents = (!documents.is_empty()).then_some(DocumentChange::Write(documents));
        Decided { documents, ..self }
    }

    /// Takes over versions of documents from another store, too, in the same commit: those of one document in order, and
    /// each known after the last that is there and before the commit.
    #[must_use]
    pub fn with_told_documents(self, told: Vec<ToldDocument>) -> Decided<T> {
        let documents = (!told.is_empty()).then_some(DocumentChange::TakeOver(told));
        Decided { documents, ..self }
    }
}

/// What an operation came to.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Outcome {
    /// The hash of what was asked for.
    request: [u8; 16],
    /// What was told, as JSON.
    told: String,
}

impl Space<'_> {
    /// Shows the space as it is, and records what is decided of it before anybody else writes. Returns what was told.
    ///
    /// `now` is the wall clock. Where `operation` was done before, what it came to is returned, and nothing is decided.
    ///
    /// # Errors
    /// What `decide` fails of, and nothing is recorded; [`StoreError::OtherRequest`] where the operation's key was used for
    /// something else; as [`Space::record`].
    pub fn decide<T: Serialize + DeserializeOwned, E: From<StoreError>>(
        &self,
        operation: Option<Operation<'_>>,
        now: Instant,
        decide: impl FnOnce(&Snapshot<'_>, Place) -> Result<Decided<T>, E>,
    ) -> Result<T, E> {
        self.store.interrupt.check()?;
        let _writing = self.store.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshot = self.snapshot();
        let reader = &*snapshot.reader;
        if let Some(operation) = operation
            && let Some(told) = done_before(reader, self.id, operation)?
        {
            return Ok(told);
        }
        let next = Next::after(reader, now)?;
        let place = Place { seq: next.counters.seq, at: next.counters.at };
        let Decided { recording, work, checkpoints, documents, told } = decide(&snapshot, place)?;
        let mut rows = Vec::new();
        if let Some(change) = work {
            rows.extend(work::rows(reader, self.id, (place.seq, place.at), &change)?);
        }
        if let Some(change) = checkpoints {
            rows.extend(checkpoint::rows(reader, self.id, (place.seq, place.at), &change)?);
        }
        if let Some(change) = documents {
            rows.extend(document::rows(reader, self.id, (place.seq, place.at), &change)?);
        }
        if let Some(operation) = operation
            && !(recording.is_empty() && rows.is_empty())
        {
            rows.extend(kept(reader, self.id, operation, place, &told)?);
        }
        self.commit(snapshot.into_reader(), &next, recording, rows)?;
        Ok(told)
    }
}

fn hash(operation: Operation<'_>) -> [u8; 16] {
    hash_parts("request", [operation.request.as_bytes()])
}

fn done_before<T: DeserializeOwned>(
    reader: &dyn Reader,
    space: SpaceId,
    operation: Operation<'_>,
) -> Result<Option<T>, StoreError> {
    let Some(bytes) = reader.read(Table::Operations, &key::operation(space, operation.key))? else {
        return Ok(None);
    };
    let outcome: Outcome = decode("what an operation came to", &bytes)?;
    if outcome.request != hash(operation) {
        return Err(StoreError::OtherRequest(operation.key.to_owned()));
    }
    let told = serde_json::from_str(&outcome.told);
    told.map(Some).map_err(|error| StoreError::corrupt(format!("what an operation came to is none: {error}")))
}

/// Returns the rows that remember an operation, and forget the one that was done long before.
fn kept<T: Serialize>(
    reader: &dyn Reader,
    space: SpaceId,
    operation: Operation<'_>,
    place: Place,
    told: &T,
) -> Result<Vec<Write>, StoreError> {
    let told = serde_json::to_string(told)
        .map_err(|error| StoreError::Storage(format!("what an operation came to is no JSON: {error}")))?;
    let row = key::operation(space, operation.key);
    let table = Table::Operations;
    let put = |key, value| Write { table, key, value: Some(value) };
    let mut rows = vec![
        put(row.clone(), encode(&Outcome { request: hash(operation), told })),
        put(key::operation_in(space, place.seq), row),
    ];
    let from = key::operation_in(space, 0);
    let to = key::operation_in(space, place.seq.saturating_sub(KEPT_COMMITS));
    let forgotten = reader.scan(table, std::ops::Bound::Included(&from), std::ops::Bound::Excluded(&to));
    // Two at a time: the table shrinks where it has grown too long, and a commit stays small.
    for pair in forgotten.take(2) {
        let (row, of) = pair?;
        rows.push(Write { table, key: row.into_vec(), value: None });
        rows.push(Write { table, key: of.into_vec(), value: None });
    }
    Ok(rows)
}
