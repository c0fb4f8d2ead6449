//! What differs between two states of belief ([`known`]), or between the world at two instants ([`valid`]).
//!
//! **Two known instants, A and B.** The facts of the view that is known by A are compared with those of the view that
//! is known by B, group by group and instant by instant: what counts is which object holds when. More support, a later
//! confirmation, another basis or verdict, or a bound said at another granularity is no difference. Groups and objects
//! are compared by the names they have in their view. In a single-valued group the instants of all objects are compared
//! together, in any other those of each object by itself; that an undated fact is believed counts as one more instant.
//!
//! | change | when | what it takes back |
//! |---|---|---|
//! | `learned` | `fact` holds over instants that had nothing; where it held over others before, `was` is its former form | nothing |
//! | `changed` | `fact` holds at the asked valid instant instead of `was`, whose object still holds before it | `was`, over the period of `fact` |
//! | `corrected` | any other instants over which `fact` holds instead of `was` | `was`, over the period of `fact` |
//! | `corrected` | `was` no longer holds over some instants and nothing holds instead; `fact` is what is left of it (a row each), or null | the whole of `was` |
//! | `ended` | as before, but `was` was open, `fact` is its last part, and nothing holds right after it | `was`, from the end of `fact` on |
//! | `reopened` | `was` had an end with nothing after it, and goes on as the open `fact` | nothing |
//! | `merged`, `split` | entities came to be one, or two, and that alone makes the difference; also the fact of identity itself | `was`, over the period of `fact`; the whole of it where `fact` is null or about the same |
//!
//! Invariant: take back what the rows say, then let every `fact` hold over its period, and the facts known by A are
//! those known by B. An instant may be told twice only where a fact has more than one former value.
//!
//! **Two valid instants, A and B**, in one view: what holds at A is compared with what holds at B. `learned` means here
//! that it started; `reopened`, that it had held before A and holds again; `ended`, that it held at A and nothing does
//! at B, where `fact` is the fact itself, judged at B. What held only between the two is no difference.
//!
//! The cause of a difference of belief is the statement that completed it: of the statements that only the later view
//! sees, those known by some instant are needed for the difference to stand, and of those known at the last such
//! instant, the one that bears on it and comes last in precedence. For `merged` and `split` it is the decision of
//! identity. The cause of a difference between two valid instants is the statement that dates it.

mod cause;
mod known;
mod pieces;
mod valid;

use bygone_engine::AssertionId;
use serde_json::{Value, json};

use crate::row::Row;

pub use known::known;
pub use valid::valid;

/// What kind of difference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Something holds where nothing was known.
    Learned,
    /// Another object took over.
    Changed,
    /// What was believed is believed no more.
    Corrected,
    /// What was open has an end.
    Ended,
    /// What had an end is open.
    Reopened,
    /// Entities are one.
    Merged,
    /// Entities are not one.
    Split,
}

impl Change {
    /// Every kind, in the order in which they are shown.
    pub const ALL: [Change; 7] = [
        Change::Learned,
        Change::Changed,
        Change::Corrected,
        Change::Ended,
        Change::Reopened,
        Change::Merged,
        Change::Split,
    ];

    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Change::Learned => "learned",
            Change::Changed => "changed",
            Change::Corrected => "corrected",
            Change::Ended => "ended",
            Change::Reopened => "reopened",
            Change::Merged => "merged",
            Change::Split => "split",
        }
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Its kind.
    pub change: Change,
    /// What holds in the later state.
    pub fact: Option<Row>,
    /// What held in the earlier one.
    pub was: Option<Row>,
    /// The statement that made the difference.
    pub cause: AssertionId,
}

impl Difference {
    /// Returns the row it is about: what holds, or else what held.
    pub fn row(&self) -> &Row {
        let row = self.fact.as_ref().or(self.was.as_ref());
        row.expect("a difference has a fact that holds or one that held")
    }

    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!({
            "change": self.change.name(),
            "fact": self.fact.as_ref().map(Row::to_json),
            "was": self.was.as_ref().map(Row::to_json),
            "cause": self.cause.to_string(),
        })
    }
}

/// Sorts differences by subject, predicate, key, start and object, then by kind and by what held.
fn sort(differences: &mut [Difference]) {
    differences.sort_by_cached_key(|difference| {
        (difference.row().order(), difference.change, difference.was.as_ref().map(Row::order))
    });
}
