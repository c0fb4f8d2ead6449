//! What can go wrong with an operation, by who can act on it.

use bygone_engine::StoreError;
use bygone_engine::document::DocumentError;

/// Why an operation was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterfaceError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The request is none of the operation.
    #[error("{0}")]
    Request(String),
    /// There is no operation of that name, or nothing of the name that was asked for.
    #[error("{0}")]
    Missing(String),
    /// What is there is not what the request went by: who asks has to look again.
    #[error("{0}")]
    Conflict(String),
    /// The request, or what it asks for, is more than is done at once.
    #[error("{0}")]
    TooLarge(String),
}

impl From<DocumentError> for InterfaceError {
    fn from(error: DocumentError) -> InterfaceError {
        InterfaceError::Request(error.to_string())
    }
}

impl InterfaceError {
    /// Returns the name of what went wrong, as it stands in answers.
    pub fn code(&self) -> &'static str {
        match self {
            InterfaceError::Request(_) => "invalid_request",
            InterfaceError::Missing(_) => "not_found",
            InterfaceError::Conflict(_) => "conflict",
            InterfaceError::TooLarge(_) => "too_large",
            InterfaceError::Store(error) => match error {
                StoreError::NoSpace(_) => "no_space",
                StoreError::SpaceName(_) => "invalid_request",
                StoreError::OtherRequest(_) | StoreError::Conflict => "conflict",
                StoreError::Busy { .. } | StoreError::Interrupted | StoreError::Embed(_) => "unavailable",
                _ => "internal",
            },
        }
    }

    /// Returns the status by which HTTP tells it.
    pub fn status(&self) -> u16 {
        match self.code() {
            "invalid_request" => 400,
            "not_found" | "no_space" => 404,
            "conflict" => 409,
            "too_large" => 413,
            "unavailable" => 503,
            _ => 500,
        }
    }
}
