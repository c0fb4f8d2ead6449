//! Putting what was found in a better order: a model reads question and text together, which is slower and finer than
//! comparing vectors.

use super::EmbedError;

/// One of the documents, by how well it answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its position among the documents that were handed in.
    pub position: usize,
    /// The model's score; higher is better, and scores of two questions do not compare.
    pub score: f32,
}

/// What puts documents in the order in which they answer a question.
pub trait Reranker: Send + Sync {
    /// Returns the best documents, best first, as many as are wanted or there are; of equal ones the earlier first.
    ///
    /// # Errors
    /// Where the model cannot be asked, or gives no order of these documents.
    fn rerank(&self, query: &str, documents: &[&str], top: usize) -> Result<Vec<Ranked>, EmbedError>;
}
