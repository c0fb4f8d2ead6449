//! What a search goes through, on disk or in memory: which documents of one space and kind have a word, and how often.

use crate::error::StoreError;
use crate::time::Instant;

/// How often a document has a word. Documents are numbered within their source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) document: u32,
    pub(super) count: u32,
}

/// What decides whether a view sees a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) known_at: Instant,
    pub(super) seq: u64,
    pub(super) session: u64,
}

/// The documents of one space and kind in one place.
pub(super) trait Source {
    /// Returns the documents that have the word, in the order of their numbers.
    fn postings(&self, word: &str) -> Result<Vec<Tally>, StoreError>;

    /// Returns every document, in the order of their numbers.
    fn everything(&self) -> Result<Vec<u32>, StoreError>;

    /// Returns what decides whether a view sees the document.
    fn columns(&self, document: u32) -> Columns;

    /// Returns how many words the document has.
    fn length(&self, document: u32) -> usize;

    /// Returns the id of the turn or statement.
    fn id(&self, document: u32) -> [u8; 16];
}
