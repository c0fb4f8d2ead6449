//! What a command that failed says, and with which code it ends.

use bygone_engine::StoreError;
use bygone_query::QueryError;
use bygone_query::language::Failed;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// It did what it was asked.
    Done,
    /// The answer is "no", or a check failed.
    No,
    /// It was called wrongly.
    Usage,
    /// What it was given cannot be read.
    BadInput,
    /// The store is damaged.
    Corrupt,
    /// Somebody else holds the store.
    Busy,
    /// Somebody stopped it.
    Interrupted,
}

impl Exit {
    /// Returns the process's exit code.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::No => 1,
            Exit::Usage => 2,
            Exit::BadInput => 3,
            Exit::Corrupt => 4,
            Exit::Busy => 5,
            // As a shell reports a command that SIGINT ended.
            Exit::Interrupted => 130,
        }
    }

    /// Returns the end that has a code.
    pub(crate) fn of_code(code: u8) -> Option<Exit> {
        const ALL: [Exit; 7] =
            [Exit::Done, Exit::No, Exit::Usage, Exit::BadInput, Exit::Corrupt, Exit::Busy, Exit::Interrupted];
        ALL.into_iter().find(|exit| exit.code() == code)
    }
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The question has no answer of its form.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The question has no form that is understood.
    #[error("{0}")]
    NotUnderstood(String),
    /// The answer is that it is not known.
    #[error("{0}")]
    NotKnown(String),
    /// An argument has no meaning.
    #[error("{0}")]
    Usage(String),
    /// What was given cannot be read.
    #[error("{0}")]
    Input(String),
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(#[from] std::io::Error),
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Failure {
        match failed {
            Failed::Query(error) => error.into(),
            other => Failure::Usage(other.to_string()),
        }
    }
}

impl Failure {
    /// Returns how the command ends.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Store(error) | Failure::Query(QueryError::Store(error)) => match error {
                StoreError::Busy { .. } => Exit::Busy,
                StoreError::Corrupt(_) => Exit::Corrupt,
                StoreError::SpaceName(_) => Exit::Usage,
                StoreError::Interrupted => Exit::Interrupted,
                _ => Exit::BadInput,
            },
            Failure::Usage(_) | Failure::Query(QueryError::Ambiguous { .. }) => Exit::Usage,
            Failure::Query(_) | Failure::NotUnderstood(_) | Failure::NotKnown(_) => Exit::No,
            Failure::Input(_) | Failure::Output(_) => Exit::BadInput,
        }
    }
}
