//! The nearest documents, found by codes and decided by vectors.
//!
//! What codes say of a cosine may be off by a margin. A document whose cosine can be no better than what `k` others have
//! at the least is none of the nearest; the rest are read in the order of what they can have at the best, until that is
//! less than what the best `k` have. So the result is exact, and few vectors are read.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::code::Said;

/// A document that may be among the nearest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) position: u32,
    /// The greatest cosine it can have.
    pub(super) most: f32,
}

/// Documents of which the `k` nearest are among.
pub(super) struct Shortlist {
    k: usize,
    /// The `k` greatest of what cosines are at the least.
    least: BinaryHeap<Reverse<Total>>,
    candidates: Vec<Candidate>,
}

impl Shortlist {
    pub(super) fn new(k: usize) -> Shortlist {
        Shortlist { k, least: BinaryHeap::new(), candidates: Vec::new() }
    }

    /// Takes a document in, unless it is none of the nearest.
    pub(super) fn offer(&mut self, position: u32, Said { cosine, margin }: Said) {
        let most = cosine + margin;
        if most < self.floor() {
            return;
        }
        self.candidates.push(Candidate { position, most });
        self.least.push(Reverse(Total(cosine - margin)));
        if self.least.len() > self.k {
            self.least.pop();
        }
    }

    /// Returns the documents, those first that can be the nearest.
    pub(super) fn into_candidates(mut self) -> Vec<Candidate> {
        let floor = self.floor();
        self.candidates.retain(|candidate| candidate.most >= floor);
        self.candidates.sort_by(|a, b| b.most.total_cmp(&a.most));
        self.candidates
    }

    /// Returns what a cosine is to reach.
    fn floor(&self) -> f32 {
        match self.least.peek() {
            Some(Reverse(Total(least))) if self.least.len() >= self.k => *least,
            Some(_) | None => f32::NEG_INFINITY,
        }
    }
}

/// A document with its cosine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) position: u32,
    pub(super) cosine: f32,
    pub(super) id: [u8; 16],
}

/// The nearest documents so far, best first, and by id among equals.
pub(super) struct Best {
    k: usize,
    near: Vec<Near>,
}

impl Best {
    pub(super) fn new(k: usize) -> Best {
        Best { k, near: Vec::new() }
    }

    /// Says whether a document with no greater cosine than this can still be one of them.
    pub(super) fn admits(&self, most: f32) -> bool {
        self.near.len() < self.k || self.near.last().is_some_and(|last| most >= last.cosine)
    }

    pub(super) fn offer(&mut self, near: Near) {
        let at = self.near.partition_point(|other| order(other, &near) == Ordering::Less);
        self.near.insert(at, near);
        self.near.truncate(self.k);
    }

    /// Returns positions with their cosines.
    pub(super) fn into_found(self) -> Vec<(u32, f32)> {
        self.near.into_iter().map(|near| (near.position, near.cosine)).collect()
    }
}

fn order(a: &Near, b: &Near) -> Ordering {
    b.cosine.total_cmp(&a.cosine).then_with(|| a.id.cmp(&b.id))
}

/// A number in the total order of IEEE 754.
#[derive(Clone, Copy, Debug)]
pub(super) struct Total(pub(super) f32);

impl Ord for Total {
    fn cmp(&self, other: &Total) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Total) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Total {
    fn eq(&self, other: &Total) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Total {}
