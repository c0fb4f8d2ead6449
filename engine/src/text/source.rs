//! What a search goes through, on disk or in memory: what a view sees there of one space and kind, word by word.

use super::catalog::Entry;
use crate::digest::Digest;
use crate::error::StoreError;
use crate::time::Instant;

/// How much a view sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// How many documents.
    pub(super) n_documents: u64,
    /// How many words they have together.
    pub(super) n_words: u64,
}

/// Which documents have a word, by their numbers within the source, in order, and how often each has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Postings {
    pub(super) documents: Vec<u32>,
    /// As many as there are documents.
    pub(super) counts: Vec<u32>,
}

impl Postings {
    /// Adds documents that come after those there are.
    pub(super) fn extend(&mut self, documents: &[u32], counts: &[u32]) {
        debug_assert_eq!(documents.len(), counts.len(), "a document without a count");
        self.documents.extend_from_slice(documents);
        self.counts.extend_from_slice(counts);
    }

    /// Adds a word with its documents to what an index holds.
    pub(super) fn add_to(&self, digest: &mut Digest, word: &str, id: impl Fn(u32) -> [u8; 16]) {
        for (document, count) in self.documents.iter().zip(&self.counts) {
            let parts: [&[u8]; 3] = [word.as_bytes(), &id(*document), &count.to_le_bytes()];
            digest.add("posting", parts);
        }
    }

    /// Leaves the documents out that are not wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(u32) -> bool) {
        let mut n_kept = 0;
        for idx in 0..self.documents.len() {
            // What is overwritten was looked at before.
            let (document, count) = (self.documents[idx], self.counts[idx]);
            self.documents[n_kept] = document;
            self.counts[n_kept] = count;
            n_kept += usize::from(is_wanted(document));
        }
        self.documents.truncate(n_kept);
        self.counts.truncate(n_kept);
    }
}

/// The documents of one space and kind in one place, as far as a view sees them.
pub(super) trait Source: Send + Sync {
    /// Returns how much there is.
    fn extent(&self) -> Extent;

    /// Returns which documents have a word.
    fn postings(&self, word: &str) -> Result<Postings, StoreError>;

    /// Returns every document that is seen, by its number.
    fn entries(&self) -> Vec<(u32, Entry)>;

    /// Returns how many words each document has, by its number; documents of other spaces and kinds stand between.
    fn lengths(&self) -> &[u32];

    /// Returns when a document became known.
    fn known_at(&self, document: u32) -> Instant;

    /// Returns the id of the turn or statement.
    fn id(&self, document: u32) -> [u8; 16];
}
