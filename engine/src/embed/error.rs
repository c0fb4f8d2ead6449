//! Why no vector could be made, or nothing put in order.

use std::path::PathBuf;

/// Why an embedder or a reranker cannot do what it was asked. No message holds an API key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// A table of vectors is not what it must be.
    #[error("the embedding table cannot be used: {0}")]
    Table(String),
    /// A file is not what it must be.
    #[error("{path:?} cannot be used: {what}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A model from a file fails at a text.
    #[error("the model {model:?} fails: {what}")]
    Run {
        /// The model's name.
        model: String,
        /// What happened.
        what: String,
    },
    /// What a model is to be run or asked with makes no sense.
    #[error("the model is configured wrongly: {0}")]
    Configuration(String),
    /// A service could not be reached, was too slow, or hung up.
    #[error("{url} does not answer (attempts: {attempts}): {reason}")]
    Unreachable {
        /// What was asked.
        url: String,
        /// How often it was asked.
        attempts: u32,
        /// What happened at last.
        reason: String,
    },
    /// A service answered that it will not do it.
    #[error("{url} refuses with status {status} (attempts: {attempts}): {said}")]
    Refused {
        /// What was asked.
        url: String,
        /// The status of HTTP.
        status: u16,
        /// How often it was asked.
        attempts: u32,
        /// What the service said, shortened.
        said: String,
    },
    /// A service answered, and not what was asked for.
    #[error("{url} gives an answer that cannot be used: {what}")]
    Answer {
        /// What was asked.
        url: String,
        /// What is wrong with the answer.
        what: String,
    },
}
