//! The part of the index that is in memory: what was recorded since the index on disk was last written.

use std::collections::HashMap;
use std::sync::Arc;

use super::catalog::Entry;
use super::disk::term_text;
use super::document::{Document, Kind};
use super::sight::Sight;
use super::source::{Extent, Postings, Source};
use crate::digest::Digest;
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::time::Instant;

/// A document without its words.
#[derive(Clone, Debug)]
struct Told {
    space: SpaceId,
    kind: Kind,
    entry: Entry,
}

/// Documents that the index on disk does not have yet, of every space and kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail {
    documents: Vec<Told>,
    lengths: Vec<u32>,
    /// By the word in the form that it has on disk.
    postings: HashMap<String, Postings>,
}

impl Tail {
    /// Returns how many documents there are.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Adds documents.
    pub(super) fn extend(&mut self, documents: Vec<Document>) {
        for document in documents {
            let entry = Entry::of(&document);
            let Document { space, kind, words, length, .. } = document;
            // The log is read again long before there are so many.
            let number = u32::try_from(self.documents.len()).unwrap_or(u32::MAX);
            for word in words {
                let postings = self.postings.entry(term_text(kind, space, &word)).or_default();
                match postings.counts.last_mut() {
                    Some(count) if postings.documents.last() == Some(&number) => *count += 1,
                    Some(_) | None => postings.extend(&[number], &[1]),
                }
            }
            self.documents.push(Told { space, kind, entry });
            self.lengths.push(length);
        }
    }

    /// Adds everything that it holds to a digest, as a segment does with the same documents.
    pub(super) fn add_to(&self, digest: &mut Digest) {
        for Told { space, kind, entry } in &self.documents {
            let all = term_text(*kind, *space, "");
            entry.add_to(digest, &all);
            Postings { documents: vec![0], counts: vec![1] }.add_to(digest, &all, |_| entry.id);
        }
        for (word, postings) in &self.postings {
            postings.add_to(digest, word, |document| self.documents[document as usize].entry.id);
        }
    }

    /// Returns what a search of one space and kind goes through.
    pub(super) fn seen(self: &Arc<Tail>, space: SpaceId, kind: Kind, sight: &Sight) -> SeenTail {
        let is_seen = |told: &Told| told.space == space && told.kind == kind && told.entry.is_seen(sight);
        let is_seen: Vec<bool> = self.documents.iter().map(is_seen).collect();
        let mut extent = Extent::default();
        for (_, length) in is_seen.iter().zip(&self.lengths).filter(|(is_seen, _)| **is_seen) {
            extent.n_documents += 1;
            extent.n_words += u64::from(*length);
        }
        SeenTail { tail: Arc::clone(self), space, kind, is_seen, extent }
    }
}

/// The tail as a view sees one space and kind.
pub(super) struct SeenTail {
    tail: Arc<Tail>,
    space: SpaceId,
    kind: Kind,
    is_seen: Vec<bool>,
    extent: Extent,
}

impl Source for SeenTail {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn postings(&self, word: &str) -> Result<Postings, StoreError> {
        let mut postings =
            self.tail.postings.get(&term_text(self.kind, self.space, word)).cloned().unwrap_or_default();
        postings.retain(|document| self.is_seen[document as usize]);
        Ok(postings)
    }

    fn entries(&self) -> Vec<(u32, Entry)> {
        let told = (0..).zip(&self.tail.documents).zip(&self.is_seen).filter(|(_, is_seen)| **is_seen);
        told.map(|((number, told), _)| (number, told.entry)).collect()
    }

    fn lengths(&self) -> &[u32] {
        &self.tail.lengths
    }

    fn known_at(&self, document: u32) -> Instant {
        self.tail.documents[document as usize].entry.known_at
    }

    fn id(&self, document: u32) -> [u8; 16] {
        self.tail.documents[document as usize].entry.id
    }
}
