//! Why no vector could be made.

/// Why an embedder cannot do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// A table of vectors is not what it must be.
    #[error("the embedding table cannot be used: {0}")]
    Table(String),
}
