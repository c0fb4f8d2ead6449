//! Why a question has no answer of its form.

use bygone_engine::StoreError;

/// Why a question could not be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A name that nothing in the space bears.
    #[error("nothing here is named {0:?}")]
    NoEntity(String),
    /// A name that several entities bear.
    #[error("{name:?} may be {}: say which", candidates.join(" or "))]
    Ambiguous {
        /// The name.
        name: String,
        /// The entities, as `type:Name`.
        candidates: Vec<String>,
    },
    /// A fact id that no view of this kind derives.
    #[error("there is no fact {0} in this view")]
    NoFact(String),
}
