//! What is kept beside the statements, taken over from another store as it was told there: with the times at which it was known,
//! and recorded now. What is there already stays as it is.

use bygone_engine::checkpoint::{CheckpointChange, MAX_STATE_BYTES, State, ToldCheckpoint};
use bygone_engine::store::{Decided, Recording, Snapshot};
use bygone_engine::wire::StatePart;
use bygone_engine::work::WorkChange;
use bygone_engine::{CheckpointId, StateId, StoreError};

use super::StateError;
use super::work::{MAX_REASON_BYTES, work_set};

/// Decides on taking over what was said of items; tells of how many it was not known.
///
/// # Errors
/// [`StateError::Name`] where the set has a name that none can have, or the reason is too long; [`StateError::Store`].
pub fn take_over_work(snapshot: &Snapshot<'_>, said: &WorkChange) -> Result<Decided<u64>, StateError> {
    work_set(&said.set)?;
    if let Some(reason) = said.reason.as_ref().filter(|reason| reason.len() > MAX_REASON_BYTES) {
        let n_bytes = reason.len();
        return Err(StateError::Name(format!(
            "a reason of {n_bytes} bytes is longer than {MAX_REASON_BYTES}"
        )));
    }
    let news = snapshot.work_news(said)?;
    if news.is_empty() {
        return Ok(Decided::nothing(0));
    }
    let n_news = news.len() as u64;
    let change = WorkChange { items: news, ..said.clone() };
    Ok(Decided::record(Recording::default(), n_news).with_work(change))
}

/// Decides on taking over a checkpoint, with its state unless that was let go; tells whether it was not known.
///
/// # Errors
/// [`StateError::Missing`] where the statement is not there that says it was made, or the state is not the one;
/// [`StateError::Store`].
pub fn take_over_checkpoint(
    snapshot: &Snapshot<'_>,
    told: &ToldCheckpoint,
    state: Option<State>,
) -> Result<Decided<bool>, StateError> {
    let id: CheckpointId = told.id();
    if snapshot.checkpoint(id)?.is_some() {
        return Ok(Decided::nothing(false));
    }
    if snapshot.assertion(told.statement)?.is_none() {
        return Err(StateError::Missing(format!(
            "checkpoint {id} was made by statement {}, which is not there: expected it first, as in an export",
            told.statement
        )));
    }
    // Its state may have come with another checkpoint.
    let state = match (told.pruned, state) {
        (Some(_), _) => None,
        (None, Some(state)) => Some(state),
        (None, None) => state_of(snapshot, told)?,
    };
    let is_whole = state
        .as_ref()
        .map_or(told.pruned.is_some(), |state| state.id() == told.state && state.n_bytes() == told.n_bytes);
    if !is_whole {
        return Err(StateError::Missing(format!(
            "checkpoint {id} is of state {}, which is not there: expected it first, as in an export",
            told.state
        )));
    }
    let change = CheckpointChange::TakeOver(Box::new(told.clone()), state.map(Box::new));
    Ok(Decided::record(Recording::default(), true).with_checkpoints(change))
}

/// The state that came last, piece by piece.
#[derive(Debug, Default)]
pub struct Arriving {
    state: Option<StateId>,
    n_parts: u64,
    bytes: Vec<u8>,
    is_whole: bool,
}

impl Arriving {
    /// Takes a piece.
    ///
    /// # Errors
    /// [`StateError::Missing`] where the one before it did not come; [`StateError::Name`] where the state is too long.
    pub fn take(&mut self, part: StatePart) -> Result<(), StateError> {
        let StatePart { state, part, of, bytes } = part;
        if part == 1 {
            *self = Arriving { state: Some(state), ..Arriving::default() };
        }
        if self.state != Some(state) || self.n_parts + 1 != part {
            *self = Arriving::default();
            return Err(StateError::Missing(format!(
                "piece {part} of state {state} came without the one before it"
            )));
        }
        if self.bytes.len() + bytes.len() > MAX_STATE_BYTES {
            *self = Arriving::default();
            return Err(StateError::Name(format!("state {state} has more than {MAX_STATE_BYTES} bytes")));
        }
        self.n_parts = part;
        self.is_whole = part == of;
        self.bytes.extend(bytes);
        Ok(())
    }

    /// Returns a state, where it is the one that came last and all of it came.
    pub fn state(&self, wanted: StateId) -> Option<State> {
        let is_it = self.is_whole && self.state == Some(wanted);
        is_it.then(|| State::new(self.bytes.clone())).flatten()
    }
}

/// Returns the state of a checkpoint from another one that has the same.
fn state_of(snapshot: &Snapshot<'_>, told: &ToldCheckpoint) -> Result<Option<State>, StoreError> {
    let same =
        snapshot.checkpoints()?.into_iter().find(|other| other.state == told.state && other.pruned.is_none());
    let bytes = same.map(|other| snapshot.restore(other.id)).transpose()?.flatten();
    Ok(bytes.and_then(State::new))
}
