//! Work-sets: which of very many things are to be done, were done, or failed, and when that came to be known.
//!
//! What is said of an item is an **event**: a status, its place on the known and the recorded clock, and by whom. Nothing is
//! replaced; how an item stands in a view is what the last event that the view sees says. Events are no statements: a
//! million of them cost megabytes.
//!
//! ```text
//! set ─▶ its name, and who wrote into it
//!  └─▶ leaf, leaf, leaf …     items in order; a row each, keyed by its first item
//!        └─▶ item ─▶ event, event …     in known order
//! ```
//!
//! A point write makes one leaf anew, and what is written in order fills leaves one after another.
//! Does not know what is asked of a set, nor by which rules an event is added; that is decided above.

mod change;
mod check;
mod item;
mod leaf;

use serde::{Deserialize, Serialize};

use crate::origin::Origin;

pub use change::WorkChange;
pub(crate) use change::{Leaves, Without, leaf_from, rows, rows_without, set, texts_of};
pub(crate) use check::check;
pub use item::{Item, ItemError, Items, MAX_ITEM_BYTES};
pub(crate) use leaf::{Entry, Event, Leaf, Summary};

/// How an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It is to be done.
    Queued,
    /// It was done.
    Done,
    /// It was tried last in vain.
    Failed,
}

impl Status {
    /// Every status.
    pub const ALL: [Status; 3] = [Status::Queued, Status::Done, Status::Failed];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Queued => "queued",
            Status::Done => "done",
            Status::Failed => "failed",
        }
    }
}

/// A set's name, and who wrote into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SetRecord {
    pub(crate) name: String,
    /// Events name who said them by the place here; one whose words were erased leaves an empty place.
    pub(crate) origins: Vec<Option<Origin>>,
}

/// How many items stand how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkCount {
    /// To be done.
    pub queued: u64,
    /// Done.
    pub done: u64,
    /// Tried last in vain.
    pub failed: u64,
}

impl WorkCount {
    /// Counts an item.
    pub fn add(&mut self, status: Status) {
        match status {
            Status::Queued => self.queued += 1,
            Status::Done => self.done += 1,
            Status::Failed => self.failed += 1,
        }
    }

    /// Returns how many items there are.
    pub fn items(self) -> u64 {
        self.queued + self.done + self.failed
    }
}

impl std::ops::AddAssign for WorkCount {
    fn add_assign(&mut self, other: WorkCount) {
        self.queued += other.queued;
        self.done += other.done;
        self.failed += other.failed;
    }
}
