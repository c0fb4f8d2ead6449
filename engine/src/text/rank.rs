//! How well documents fit the words looked for: BM25 over what the view sees and nothing else.
//!
//! How rare a word is, and how long documents are, is counted among the documents that the view sees. So a search as of
//! a known time ranks as a store would that had never heard anything later, and no space leaks into another's order.
//!
//! The sum is divided by the most that any document could have. The formula is told in `bm25.rs`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::bm25::{SATURATION, TURN_LENGTH, float, rarity};
use super::source::{Extent, Postings, Source};
use super::words::Analyzer;
use crate::error::StoreError;
use crate::time::Instant;

/// How many documents are scored together: their scores fit the processor's nearest memory.
const WINDOW: usize = 2048;
/// How many candidates are put into order at first; each time more are wanted, it is four times as many. Most searches
/// want ten, and are told of more because a view narrows what they take.
const FIRST_BATCH: usize = 32;

/// Returns the words that a text asks for, each with its weight: how often it was said, and how much it is of what was.
pub(super) fn asked(analyzer: Analyzer, text: &str) -> BTreeMap<String, f64> {
    let mut asked = BTreeMap::new();
    analyzer.reader().each_word(text, |word| {
        if word.weight > 0.0 {
            *asked.entry(word.text.to_owned()).or_default() += word.weight;
        }
    });
    asked
}

/// Documents that have at least one of the words and are seen, best first: each with its id and with how much of what
/// was asked for it has, from 0 to 1. Ties go to what was known earlier, then by id.
pub(crate) struct Candidates {
    sources: Vec<Box<dyn Source>>,
    /// The score that no document can pass.
    most: f64,
    /// What was not put into order yet, each with less than what was.
    rest: Vec<Scored>,
    /// What was, the best last.
    ready: Vec<Placed>,
    n_next: usize,
}

#[derive(Clone, Copy)]
struct Scored {
    score: f64,
    source: u32,
    document: u32,
}

struct Placed {
    score: f64,
    known_at: Instant,
    id: [u8; 16],
}

impl Iterator for Candidates {
    type Item = ([u8; 16], f64);

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            self.make_ready();
        }
        self.ready.pop().map(|placed| (placed.id, placed.score / self.most))
    }
}

impl Candidates {
    /// Puts the best of the rest into order, those with the same score as the last of them included.
    fn make_ready(&mut self) {
        let least = nth_best(&self.rest, self.n_next);
        self.n_next *= 4;
        let sources = &self.sources;
        let place = |scored: &Scored| {
            let source = &sources[scored.source as usize];
            let (known_at, id) = (source.known_at(scored.document), source.id(scored.document));
            Placed { score: scored.score, known_at, id }
        };
        let ready = &mut self.ready;
        self.rest.retain(|scored| {
            let is_ready = scored.score >= least;
            if is_ready {
                ready.push(place(scored));
            }
            !is_ready
        });
        ready.sort_unstable_by(|one, other| {
            let by_score = one.score.total_cmp(&other.score);
            by_score.then_with(|| (other.known_at, other.id).cmp(&(one.known_at, one.id)))
        });
    }
}

/// Returns the score that `n` have or pass; 0 where there are no more.
fn nth_best(scored: &[Scored], n: usize) -> f64 {
    if scored.len() <= n {
        return 0.0;
    }
    // The bits of numbers that are not negative are in the order of the numbers.
    let mut best: BinaryHeap<Reverse<u64>> =
        scored[..n].iter().map(|one| Reverse(one.score.to_bits())).collect();
    let mut least = best.peek().map_or(0, |least| least.0);
    for one in &scored[n..] {
        let bits = one.score.to_bits();
        if bits > least {
            best.pop();
            best.push(Reverse(bits));
            least = best.peek().map_or(0, |least| least.0);
        }
    }
    f64::from_bits(least)
}

/// Scores what the sources have of the words asked for, each with its weight.
pub(super) fn rank(
    sources: Vec<Box<dyn Source>>,
    asked: &BTreeMap<String, f64>,
) -> Result<Candidates, StoreError> {
    let mut extent = Extent::default();
    for source in &sources {
        let Extent { n_documents, n_words } = source.extent();
        extent.n_documents += n_documents;
        extent.n_words += n_words;
    }
    let mut most = 0.0;
    let mut fields: Vec<Vec<AskedWord>> = sources.iter().map(|_| Vec::new()).collect();
    for (word, weight) in asked {
        let found = sources.iter().map(|source| source.postings(word)).collect::<Result<Vec<_>, _>>()?;
        let n_with_word: usize = found.iter().map(|postings| postings.documents.len()).sum();
        let rarity = rarity(extent.n_documents, n_with_word as u64);
        let gain = rarity * weight * (SATURATION + 1.0);
        most += gain;
        for (field, postings) in fields.iter_mut().zip(found) {
            field.push(AskedWord { gain, postings, n_scored: 0 });
        }
    }
    let curve = Curve::new(float(extent.n_words.max(1)) / float(extent.n_documents.max(1)));
    let mut rest = Vec::new();
    for ((idx, source), field) in (0..).zip(&sources).zip(&mut fields) {
        score(field, source.lengths(), &curve, |document, score| {
            rest.push(Scored { score, source: idx, document });
        });
    }
    Ok(Candidates { sources, most, rest, ready: Vec::new(), n_next: FIRST_BATCH })
}

/// What a word adds to the documents of one source that have it.
struct AskedWord {
    /// What it adds where it stands over and over.
    gain: f64,
    postings: Postings,
    /// How many of the postings are scored.
    n_scored: usize,
}

/// How counts become scores in documents of some length.
struct Curve {
    /// What holds back a document without words, and each word that it has.
    by_itself: f64,
    by_word: f64,
}

impl Curve {
    fn new(mean_length: f64) -> Curve {
        let by_itself = SATURATION * (1.0 - TURN_LENGTH);
        Curve { by_itself, by_word: SATURATION * TURN_LENGTH / mean_length }
    }

    /// Returns which part of its gain a word adds, from 0 to 1.
    #[inline]
    fn part(&self, count: u32, length: u32) -> f64 {
        let count = f64::from(count);
        count / (count + self.by_itself + self.by_word * f64::from(length))
    }
}

/// Hands on the documents that have one of the words, in the order of their numbers, each with its score.
fn score(words: &mut [AskedWord], lengths: &[u32], curve: &Curve, mut take: impl FnMut(u32, f64)) {
    let mut scores = [0.0; WINDOW];
    let mut is_scored = [0_u64; WINDOW / 64];
    let next_of = |word: &AskedWord| word.postings.documents.get(word.n_scored).copied();
    while let Some(next) = words.iter().filter_map(next_of).min() {
        let start = next as usize / WINDOW * WINDOW;
        for AskedWord { gain, postings, n_scored } in &mut *words {
            let Postings { documents, counts } = postings;
            let (documents, counts) = (&documents[*n_scored..], &counts[*n_scored..]);
            let n_here = documents.partition_point(|&document| (document as usize) < start + WINDOW);
            for (&document, &count) in documents[..n_here].iter().zip(&counts[..n_here]) {
                let document = document as usize;
                let place = document % WINDOW;
                scores[place] += *gain * curve.part(count, lengths[document]);
                is_scored[place / 64] |= 1 << (place % 64);
            }
            *n_scored += n_here;
        }
        for (idx, places) in is_scored.iter_mut().enumerate() {
            while *places != 0 {
                let place = idx * 64 + places.trailing_zeros() as usize;
                // Documents are numbered with 32 bits.
                let document = u32::try_from(start + place).unwrap_or(u32::MAX);
                take(document, std::mem::take(&mut scores[place]));
                *places &= *places - 1;
            }
        }
    }
}
