//! What is kept beside the statements, told row by row so that another store can take it over.

use std::collections::BTreeSet;

use bygone_engine::checkpoint::ToldCheckpoint;
use bygone_engine::store::{Checkpoint, Snapshot};
use bygone_engine::wire::{checkpoint_to_json, document_to_json, state_to_json, work_to_json};
use serde_json::Value;

use super::StateError;

/// Hands on every row: work-sets by name and in known order, then checkpoints, each after the one that it goes on from, and
/// each state before the first checkpoint that has it, then documents by collection and name, version by version. The order says nothing of how or when they arrived.
///
/// # Errors
/// What `each` fails of; [`StateError::Store`] where the store cannot be read.
pub fn tell<E: From<StateError>>(
    snapshot: &Snapshot<'_>,
    mut each: impl FnMut(&Value) -> Result<(), E>,
) -> Result<(), E> {
    for set in snapshot.work_sets().map_err(StateError::from)? {
        for said in snapshot.work_said(&set).map_err(StateError::from)? {
            work_to_json(&said).iter().try_for_each(&mut each)?;
        }
    }
    let mut told = BTreeSet::new();
    for checkpoint in snapshot.checkpoints().map_err(StateError::from)? {
        if checkpoint.pruned.is_none() && told.insert(checkpoint.state) {
            let bytes = snapshot.restore(checkpoint.id).map_err(StateError::from)?.unwrap_or_default();
            state_to_json(checkpoint.state, &bytes).try_for_each(|row| each(&row))?;
        }
        each(&checkpoint_to_json(&as_told(checkpoint)))?;
    }
    for told in snapshot.told_documents() {
        document_to_json(&told.map_err(StateError::from)?).try_for_each(|row| each(&row))?;
    }
    Ok(())
}

fn as_told(checkpoint: Checkpoint) -> ToldCheckpoint {
    let Checkpoint { state, n_bytes, parent, label, reason, origin, statement, at, pruned, .. } = checkpoint;
    ToldCheckpoint { state, n_bytes, parent, label, reason, origin, statement, at, pruned }
}
