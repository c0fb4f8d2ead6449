//! How the statements of a group lie together: in the order of valid time, in chunks, and in zones that tell what is in a chunk
//! without reading it.
//!
//! Pure: bytes and statements. Where the rows are kept is known in `store/history.rs`.

pub(crate) mod chunk;
mod column;
pub(crate) mod zone;

use crate::id::AssertionId;
use crate::mark::Mark;
use crate::record::Recorded;
use crate::time::{Instant, Period};

/// Where a statement stands in its group: undated ones first, then by the start of what they speak of; then by when they came to
/// be known, and by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) start: Option<Instant>,
    pub(crate) known_at: Instant,
    pub(crate) id: AssertionId,
}

impl Place {
    pub(crate) fn of(recorded: &Recorded) -> Place {
        let assertion = &recorded.assertion;
        let start = assertion.validity.period().map(Period::start);
        Place { start, known_at: assertion.known_at, id: assertion.id }
    }
}

/// Returns the mark of each statement; `None` for those that take no part in derivation, or have no dates.
pub(crate) fn marks(statements: &[Recorded]) -> Vec<Option<Mark>> {
    statements.iter().map(|recorded| Mark::of(&recorded.assertion)).collect()
}
