//! How well documents fit the words looked for: BM25 over what the view sees and nothing else.
//!
//! How rare a word is, and how long documents are, is counted among the documents that the view sees. So a search as of
//! a known time ranks as a store would that had never heard anything later, and no space leaks into another's order.
//!
//! The sum is divided by the most that any document could have.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};

use super::bm25::{MOST, TURN_LENGTH, float, rarity, worth};
use super::sight::Sight;
use super::source::{Source, Tally};
use super::words::Analyzer;
use crate::error::StoreError;
use crate::time::Instant;

/// A document and how well it fits. The greater one fits better; ties go to what was known earlier, then by id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub(super) id: [u8; 16],
    pub(super) known_at: Instant,
    pub(super) score: f64,
}

impl Scored {
    fn place(&self) -> (f64, Reverse<(Instant, [u8; 16])>) {
        (self.score, Reverse((self.known_at, self.id)))
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Scored) -> Ordering {
        let ((one, one_place), (another, another_place)) = (self.place(), other.place());
        one.total_cmp(&another).then_with(|| one_place.cmp(&another_place))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Scored) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Scored) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scored {}

/// The documents of one source that the view sees, by number, and what they have scored so far.
struct Field<'a> {
    source: &'a dyn Source,
    documents: Vec<u32>,
    lengths: Vec<f64>,
    scores: Vec<f64>,
}

/// Returns the words that a text asks for, each with its weight: how often it was said, and how much it is of what was.
pub(super) fn asked(analyzer: Analyzer, text: &str) -> BTreeMap<String, f64> {
    let mut asked = BTreeMap::new();
    for (word, weight) in analyzer.asked(text) {
        *asked.entry(word).or_default() += weight;
    }
    asked
}

/// Returns the documents that have at least one of the words and are seen; the heap gives the best first.
pub(super) fn rank(
    sources: &[&dyn Source],
    asked: &BTreeMap<String, f64>,
    sight: &Sight,
) -> Result<BinaryHeap<Scored>, StoreError> {
    if asked.is_empty() {
        return Ok(BinaryHeap::new());
    }
    let mut fields = sources.iter().map(|source| field(*source, sight)).collect::<Result<Vec<_>, _>>()?;
    let n_documents: usize = fields.iter().map(|field| field.documents.len()).sum();
    let n_words: f64 = fields.iter().flat_map(|field| &field.lengths).sum();
    let mean_length = n_words / float(n_documents.max(1));
    let mut most = 0.0;
    for (word, weight) in asked {
        let found = fields.iter().map(|field| seen_tallies(field, word)).collect::<Result<Vec<_>, _>>()?;
        let n_with_word: usize = found.iter().map(Vec::len).sum();
        let rarity = rarity(n_documents, n_with_word) * weight;
        most += rarity * MOST;
        for (field, tallies) in fields.iter_mut().zip(found) {
            for (idx, count) in tallies {
                field.scores[idx] += rarity * worth(count, field.lengths[idx] / mean_length, TURN_LENGTH);
            }
        }
    }
    let scored = |Field { source, documents, scores, .. }: Field<'_>| {
        let scored = documents.into_iter().zip(scores).filter(|(_, score)| *score > 0.0);
        let scored = scored.map(|(document, score)| Scored {
            id: source.id(document),
            known_at: source.known_at(document),
            score: score / most,
        });
        scored.collect::<Vec<_>>()
    };
    Ok(fields.into_iter().flat_map(scored).collect())
}

fn field<'a>(source: &'a dyn Source, sight: &Sight) -> Result<Field<'a>, StoreError> {
    let documents = source.seen(sight)?;
    let lengths = source.lengths(&documents);
    let scores = vec![0.0; documents.len()];
    Ok(Field { source, documents, lengths, scores })
}

/// Returns which of a field's documents have the word, and how often. Both lists are in the order of numbers.
fn seen_tallies(field: &Field<'_>, word: &str) -> Result<Vec<(usize, f64)>, StoreError> {
    let mut found = Vec::new();
    let mut idx = 0;
    for Tally { document, count } in field.source.postings(word)? {
        idx += field.documents[idx..].partition_point(|&seen| seen < document);
        if field.documents.get(idx) == Some(&document) {
            found.push((idx, f64::from(count)));
        }
    }
    Ok(found)
}
