//! Reading checkpoints: which a view sees, and the state of each.

use super::{Seen, Snapshot};
use crate::backend::Table;
use crate::checkpoint::{CheckpointRecord, record, restore};
use crate::codec::decode;
use crate::error::StoreError;
use crate::id::{AssertionId, CheckpointId, StateId};
use crate::key;
use crate::origin::Origin;
use crate::time::Instant;

/// A checkpoint, without its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Its id.
    pub id: CheckpointId,
    /// The state's name.
    pub state: StateId,
    /// The state's length in bytes.
    pub n_bytes: u64,
    /// The checkpoint that it goes on from.
    pub parent: Option<CheckpointId>,
    /// A name that somebody gave it.
    pub label: Option<String>,
    /// Why it was made.
    pub reason: Option<String>,
    /// Who made it.
    pub origin: Origin,
    /// The statement that says that it was made.
    pub statement: AssertionId,
    /// The commit that made it.
    pub seq: u64,
    /// When that was.
    pub at: Instant,
    /// When its state was let go; nothing where it is kept.
    pub pruned: Option<Instant>,
}

impl Checkpoint {
    fn new(id: CheckpointId, record: CheckpointRecord) -> Checkpoint {
        let CheckpointRecord {
            state,
            n_bytes,
            parent,
            label,
            reason,
            origin,
            statement,
            seq,
            at,
            pruned,
            ..
        } = record;
        Checkpoint { id, state, n_bytes, parent, label, reason, origin, statement, seq, at, pruned }
    }
}

impl Snapshot<'_> {
    /// Returns a checkpoint, whether or not a view sees it.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn checkpoint(&self, id: CheckpointId) -> Result<Option<Checkpoint>, StoreError> {
        Ok(record(&*self.reader, self.space, id)?.map(|record| Checkpoint::new(id, record)))
    }

    /// Returns every checkpoint of the space, those after the ones that they go on from.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn checkpoints(&self) -> Result<Vec<Checkpoint>, StoreError> {
        let mut checkpoints = Vec::new();
        for pair in self.reader.scan_prefix(Table::Checkpoints, &key::space_prefix(self.space)) {
            let (row, value) = pair?;
            let id = row.get(4..).and_then(|id| id.try_into().ok()).map(CheckpointId);
            let id = id.ok_or_else(|| StoreError::corrupt("a checkpoint's key has the wrong length"))?;
            checkpoints.push(Checkpoint::new(id, decode("a checkpoint", &value)?));
        }
        checkpoints.sort_by_key(|checkpoint| (checkpoint.at, checkpoint.id));
        Ok(checkpoints)
    }

    /// Returns the state of a checkpoint; nothing where there is none, or it was pruned.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it is not what was saved.
    pub fn restore(&self, id: CheckpointId) -> Result<Option<Vec<u8>>, StoreError> {
        match record(&*self.reader, self.space, id)? {
            Some(record) => restore(&*self.reader, self.space, &record),
            None => Ok(None),
        }
    }
}

impl Seen<'_> {
    /// Returns the checkpoints that the view sees, in the order in which they were made.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn checkpoints(&self) -> Result<Vec<Checkpoint>, StoreError> {
        let mut checkpoints = self.snapshot().checkpoints()?;
        checkpoints.retain(|checkpoint| self.sees_checkpoint(checkpoint));
        checkpoints.sort_by_key(|checkpoint| (checkpoint.seq, checkpoint.id));
        Ok(checkpoints)
    }

    /// Says whether the view sees a checkpoint: made and recorded by then, in a session listened to.
    pub fn sees_checkpoint(&self, checkpoint: &Checkpoint) -> bool {
        let Checkpoint { at, seq, origin, .. } = checkpoint;
        self.hiding_of(*at, *seq, &origin.session).is_none()
    }
}
