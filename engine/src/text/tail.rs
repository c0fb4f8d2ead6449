//! The part of the index that is in memory: what was recorded since the index on disk was last written.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalog::Entry;
use super::document::{Document, Kind};
use super::sight::Sight;
use super::source::{Source, Tally};
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::time::Instant;

/// Documents that the index on disk does not have yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail {
    documents: Vec<Arc<Document>>,
}

impl Tail {
    /// Returns how many documents there are, in every space.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Adds documents.
    pub(super) fn extend(&mut self, documents: impl Iterator<Item = Document>) {
        self.documents.extend(documents.map(Arc::new));
    }

    /// Returns what a search goes through.
    pub(super) fn of(&self, space: SpaceId, kind: Kind) -> TailSource {
        let ours = self.documents.iter().filter(|document| document.space == space && document.kind == kind);
        let documents: Vec<Arc<Document>> = ours.cloned().collect();
        let mut postings: BTreeMap<String, Vec<Tally>> = BTreeMap::new();
        for (number, document) in (0..).zip(&documents) {
            for word in &document.words {
                let tallies = postings.entry(word.clone()).or_default();
                match tallies.last_mut() {
                    Some(last) if last.document == number => last.count += 1,
                    Some(_) | None => tallies.push(Tally { document: number, count: 1 }),
                }
            }
        }
        TailSource { documents, postings }
    }
}

/// The tail as one space and kind sees it.
pub(super) struct TailSource {
    documents: Vec<Arc<Document>>,
    postings: BTreeMap<String, Vec<Tally>>,
}

impl Source for TailSource {
    fn seen(&self, sight: &Sight) -> Result<Vec<u32>, StoreError> {
        let is_seen = |document: &Document| {
            document.known_at <= sight.known
                && document.seq <= sight.last_seq
                && sight.hears(document.session)
        };
        let numbered = (0..).zip(&self.documents);
        Ok(numbered.filter(|(_, document)| is_seen(document)).map(|(number, _)| number).collect())
    }

    fn postings(&self, word: &str) -> Result<Vec<Tally>, StoreError> {
        Ok(self.postings.get(word).cloned().unwrap_or_default())
    }

    fn entries(&self) -> Result<Vec<(u32, Entry)>, StoreError> {
        Ok((0..).zip(&self.documents).map(|(number, document)| (number, Entry::of(document))).collect())
    }

    fn lengths(&self, documents: &[u32]) -> Vec<f64> {
        documents.iter().map(|document| f64::from(self.documents[*document as usize].length)).collect()
    }

    fn known_at(&self, document: u32) -> Instant {
        self.documents[document as usize].known_at
    }

    fn id(&self, document: u32) -> [u8; 16] {
        self.documents[document as usize].id
    }
}
