//! Why a query has no answer.

use bygone_engine::StoreError;

use super::error::LanguageError;
use crate::QueryError;

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failed {
    /// It is not a query, or its parts do not fit together.
    #[error("query is not understood: {0}")]
    Language(#[from] LanguageError),
    /// The store failed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// It looks at too much.
    #[error(
        "query looks at more than {most} entities, facts and turns: name an entity or a predicate, or ask of a shorter time"
    )]
    TooMuch {
        /// The most that is looked at.
        most: u64,
    },
    /// It returns too much.
    #[error("query returns more than {most} rows: say LIMIT")]
    TooManyRows {
        /// The most that is returned.
        most: usize,
    },
}

impl Failed {
    /// Shows the place in the text of the query, where there is one.
    #[must_use]
    pub fn within(self, text: &str) -> Failed {
        match self {
            Failed::Language(error) => Failed::Language(error.within(text)),
            other => other,
        }
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Failed {
        Failed::Query(error.into())
    }
}
