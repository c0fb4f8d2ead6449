//! What a search goes through, on disk or in memory: which documents of one space and kind have a word, and how often.

use super::catalog::Entry;
use super::sight::Sight;
use crate::error::StoreError;
use crate::time::Instant;

/// How often a document has a word. Documents are numbered within their source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) document: u32,
    pub(super) count: u32,
}

/// The documents of one space and kind in one place.
pub(super) trait Source: Send + Sync {
    /// Returns the documents that are seen, in the order of their numbers.
    fn seen(&self, sight: &Sight) -> Result<Vec<u32>, StoreError>;

    /// Returns the documents that have the word, seen or not, in the order of their numbers.
    fn postings(&self, word: &str) -> Result<Vec<Tally>, StoreError>;

    /// Returns every document, seen or not, by its number.
    fn entries(&self) -> Result<Vec<(u32, Entry)>, StoreError>;

    /// Returns how many words each of the documents has.
    fn lengths(&self, documents: &[u32]) -> Vec<f64>;

    /// Returns when the document became known.
    fn known_at(&self, document: u32) -> Instant;

    /// Returns the id of the turn or statement.
    fn id(&self, document: u32) -> [u8; 16];
}
