//! Why what is on disk cannot be used: it is not what was written, or cannot be read or written at all.
//! Whichever it is, the index is thrown away and made again.

use crate::error::StoreError;

/// What is wrong, in words.
#[derive(Debug)]
pub(super) struct Damage(pub(super) String);

/// Makes damage of what is to be said about it.
pub(super) fn damaged(what: impl std::fmt::Display) -> Damage {
    Damage(what.to_string())
}

impl From<Damage> for StoreError {
    fn from(Damage(what): Damage) -> StoreError {
        StoreError::Storage(format!("the vector index failed: {what}"))
    }
}
