//! What can go wrong with a change of state, by who can act on it.

use bygone_engine::StoreError;

/// Why a change of state cannot be decided, or a state cannot be told.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A name that nothing can have.
    #[error("{0}")]
    Name(String),
    /// What is asked for cannot be done as things stand: who asks has to change something first.
    #[error("{0}")]
    Refused(String),
    /// There is nothing of that name.
    #[error("{0}")]
    Missing(String),
}
