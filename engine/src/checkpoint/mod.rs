//! Checkpoints: states of any bytes, kept whole as of each time they were saved, at the price of what changed.
//!
//! ```text
//! checkpoint ─▶ manifest: the pieces of its state, whole or by those of another checkpoint
//!                  └─▶ piece, piece …     by their hashes; many states share one
//! ```
//!
//! A state is cut where its content says so ([`cut`]), so that states that have much in common have most pieces in common.
//! What no checkpoint reaches goes in the commit that let go of the last one that did.
//!
//! Invariant: every piece that is kept is one of a checkpoint that is not pruned.
//! Does not know whose state is what, nor when one is to be saved; that is decided above.

pub(crate) mod blob;
mod change;
mod check;
mod cut;
mod manifest;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use change::CheckpointChange;
pub(crate) use change::{Without, record, restore, rows, rows_without};
pub(crate) use check::check;
use manifest::Manifest;

use crate::id::{AssertionId, CheckpointId, StateId, hash_parts};
use crate::origin::Origin;
use crate::time::Instant;

/// The longest state, in bytes.
pub const MAX_STATE_BYTES: usize = 1 << 30;

/// Names a piece by its bytes.
pub(crate) type Hash = [u8; 16];

/// A state that is to be saved, cut in pieces.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    bytes: Vec<u8>,
    id: StateId,
    pieces: Vec<(Hash, Range<usize>)>,
}

impl State {
    /// Cuts bytes in pieces; `None` where they are more than a state may have.
    pub fn new(bytes: Vec<u8>) -> Option<State> {
        if bytes.len() > MAX_STATE_BYTES {
            return None;
        }
        let pieces = cut::cut(&bytes).into_iter().map(|piece| (blob::hash(&bytes[piece.clone()]), piece));
        Some(State { id: state_id(&bytes), pieces: pieces.collect(), bytes })
    }

    /// Returns the name of the state.
    pub fn id(&self) -> StateId {
        self.id
    }

    /// Returns its length in bytes.
    pub fn n_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.id)
    }
}

fn state_id(bytes: &[u8]) -> StateId {
    StateId(hash_parts("state", [bytes]))
}

/// A checkpoint that is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCheckpoint {
    /// The state.
    pub state: State,
    /// The checkpoint that it goes on from.
    pub parent: Option<CheckpointId>,
    /// A name that somebody gave it.
    pub label: Option<String>,
    /// Why it is made.
    pub reason: Option<String>,
    /// Who makes it.
    pub origin: Origin,
}

impl NewCheckpoint {
    /// Returns the id of the checkpoint if it is made at an instant: the hash of all that is told of it.
    pub fn id(&self, at: Instant) -> CheckpointId {
        let NewCheckpoint { state, parent, label, reason, origin } = self;
        Told { state: state.id, parent: *parent, label, reason, origin, at }.id()
    }
}

/// A checkpoint that was made elsewhere, as it is told there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldCheckpoint {
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
    /// When it was made.
    pub at: Instant,
    /// When its state was let go; nothing where it is kept.
    pub pruned: Option<Instant>,
}

impl ToldCheckpoint {
    /// Returns its id: the hash of all that is told of it but the statement and what became of it.
    pub fn id(&self) -> CheckpointId {
        let ToldCheckpoint { state, parent, label, reason, origin, at, .. } = self;
        Told { state: *state, parent: *parent, label, reason, origin, at: *at }.id()
    }
}

/// What the id of a checkpoint is the hash of.
struct Told<'a> {
    state: StateId,
    parent: Option<CheckpointId>,
    label: &'a Option<String>,
    reason: &'a Option<String>,
    origin: &'a Origin,
    at: Instant,
}

impl Told<'_> {
    fn id(&self) -> CheckpointId {
        let Told { state, parent, label, reason, origin, at } = self;
        let texts = [label, reason, &origin.agent, &origin.user].map(|text| {
            // An absent text is another one than an empty one.
            text.as_ref().map_or_else(Vec::new, |text| [b"=", text.as_bytes()].concat())
        });
        let parent = parent.map_or_else(Vec::new, |parent| parent.0.to_vec());
        let at = at.micros().to_be_bytes();
        let fixed: [&[u8]; 4] = [&state.0, &parent, origin.session.as_bytes(), &at];
        CheckpointId(hash_parts("checkpoint", fixed.into_iter().chain(texts.iter().map(Vec::as_slice))))
    }
}

/// A checkpoint as it is kept. One that was pruned has no manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CheckpointRecord {
    pub(crate) state: StateId,
    pub(crate) n_bytes: u64,
    pub(crate) parent: Option<CheckpointId>,
    pub(crate) label: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) origin: Origin,
    /// The statement that says that it was made.
    pub(crate) statement: AssertionId,
    pub(crate) seq: u64,
    pub(crate) at: Instant,
    pub(crate) pruned: Option<Instant>,
    pub(crate) manifest: Option<Manifest>,
}
