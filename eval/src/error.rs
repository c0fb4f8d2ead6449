//! Why an evaluation cannot be made.

use std::path::PathBuf;

use bygone_engine::StoreError;
use bygone_engine::embed::EmbedError;

/// Why an evaluation cannot be made. What a data set leaves out of its own accord is no error: see
/// [`crate::dataset::Ledger`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file cannot be read.
    #[error("{0}")]
    Unreadable(#[source] std::io::Error),
    /// There is no place for indexes.
    #[error("failed to make a folder for indexes: {0}")]
    Folder(#[source] std::io::Error),
    /// A file has not the shape of its data set.
    #[error("{}: {reason}", .path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
    /// A run file is none, or not the one that is asked for.
    #[error("{} {reason}", .path.display())]
    Run {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
    /// Two runs have not been asked the same.
    #[error("the runs cannot be compared: {0}")]
    Incomparable(String),
    /// A run cannot be written on.
    #[error("the run cannot be written: {0}")]
    Unwritten(#[source] std::io::Error),
    /// A system hands out what it was not given to rank.
    #[error("{system} ranks what it may not, when asked {question:?}: {reason}")]
    Ranking {
        /// The system.
        system: &'static str,
        /// What it was asked.
        question: String,
        /// What is wrong.
        reason: String,
    },
    /// A conversation cannot be recorded as it stands.
    #[error("{name}: {reason}")]
    Unrecorded {
        /// Whose conversation.
        name: String,
        /// What became of it.
        reason: String,
    },
    /// A system that is compared does not speak the protocol, or is gone.
    #[error("the system that is compared {0}")]
    Outside(String),
    /// A model does not do what it is asked for.
    #[error("the {role} {model:?}: {what}")]
    Model {
        /// Reader or judge.
        role: &'static str,
        /// The model.
        model: String,
        /// What is wrong.
        what: String,
    },
    /// What may be spent is spent.
    #[error("the budget does not do: {0}")]
    Budget(String),
    /// No vector could be made, or a service does not answer.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
