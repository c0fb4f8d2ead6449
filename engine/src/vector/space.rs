//! What a search goes through: the documents of one kind in one space, each at its position.

use roaring::RoaringBitmap;

use super::code::{Query, Said, dot, normalise};
use super::damage::damaged;
use super::graph::Graph;
use super::nearest::{Best, Candidate, Near, Shortlist};
use super::places::Places;
use super::run::Run;
use super::{Allowed, Mode};
use crate::error::StoreError;

/// Allowed documents from which on the graph is asked in [`Mode::Auto`]: for fewer, comparing every code takes about as long
/// and is exact (`docs/adr/0011-vectors-beside-the-log.md`).
pub(super) const MANY: u64 = 50_000;

impl Mode {
    /// Says whether the nearest of so many are looked for through a graph, where there is one: how much of what is said of
    /// the others comes out does not depend on what was flushed.
    pub(crate) fn asks_graph(self, n_living: u64) -> bool {
        match self {
            Mode::Exact => false,
            Mode::Auto => n_living > MANY,
            Mode::Graph => true,
        }
    }
}

/// Nodes that the graph is asked for, at the least; and for each document looked for. With 64 it found .977 of the ten
/// nearest where no more than ten were near (10,000 documents of `benches/examples/vectors.rs`, 2026-11-30).
const LEAST_BREADTH: usize = 128;
const BREADTH_EACH: usize = 4;

/// Where one document in so many is allowed, or more, all codes are compared: going on in a row is faster than to skip (6.7 ms
/// for 200,000 in a row against 11.9 for every other one of them; two busy cores, 2026-11-30).
const DENSE_ONE_IN: u64 = 4;

/// The documents of a space and kind.
///
/// A document's position stays the same until documents are removed and the index is flushed.
pub(crate) struct SpaceVectors<'a> {
    pub(super) places: Places<'a>,
    pub(super) dead: Option<&'a RoaringBitmap>,
    pub(super) graph: Option<&'a Graph>,
}

impl<'a> SpaceVectors<'a> {
    /// Returns the ids by position, removed documents included.
    pub(crate) fn ids(&self) -> impl Iterator<Item = [u8; 16]> {
        self.places.runs().flat_map(|(_, run)| run.ids.iter().copied())
    }

    /// Counts, for each word piece by its number, the allowed documents that have it.
    pub(crate) fn n_with_pieces(&self, allowed: Allowed<'_>) -> Vec<u32> {
        let mut counts = vec![0_u32; usize::from(u16::MAX) + 1];
        let living = self.living(allowed);
        for (run, index) in self.places_of(living.as_ref()) {
            for &piece in run.pieces.of(index) {
                let count = &mut counts[usize::from(piece)];
                *count = count.wrapping_add(1);
            }
        }
        counts
    }

    /// Returns the allowed documents nearest to the query with their cosines, best first and by id among equals: `k` of
    /// them, or all where there are fewer. The result is exact unless the graph was asked.
    ///
    /// # Errors
    ///
    /// A query that is no vector of the index's model, or an index that has to be made again.
    pub(crate) fn nearest(
        &self,
        query: &[f32],
        allowed: Allowed<'_>,
        k: usize,
        mode: Mode,
    ) -> Result<Vec<(u32, f32)>, StoreError> {
        let vector = self.direction(query)?;
        if k == 0 {
            return Ok(Vec::new());
        }
        let query = Query::new(&vector);
        let living = self.living(allowed);
        let n_living = living.as_ref().map_or(u64::from(self.places.len()), RoaringBitmap::len);
        if let Some(graph) = self.graph.filter(|_| mode.asks_graph(n_living))
            && let Some(candidates) = self.through_graph(graph, &query, living.as_ref(), k)
        {
            let found = self.decide(&vector, &candidates, k)?;
            if found.len() == k || found.len() as u64 == n_living {
                return Ok(found);
            }
        }
        let mut shortlist = Shortlist::new(k);
        self.compare(&query, living.as_ref(), 0, |position, said| shortlist.offer(position, said));
        self.decide(&vector, &shortlist.into_candidates(), k)
    }

    /// Returns what the graph finds, and what is nearest among the documents that it does not have yet; nothing where that
    /// takes longer than to go through all.
    fn through_graph(
        &self,
        graph: &Graph,
        query: &Query,
        living: Option<&RoaringBitmap>,
        k: usize,
    ) -> Option<Vec<Candidate>> {
        let n_living = living.map_or(u64::from(self.places.len()), RoaringBitmap::len);
        // A comparison on the way costs about as much as three in a row.
        let most_compared = usize::try_from(n_living / 3).ok()?.max(LEAST_BREADTH);
        let breadth = LEAST_BREADTH.max(k.saturating_mul(BREADTH_EACH));
        let counts = |node| living.is_none_or(|living| living.contains(node));
        let found = graph.search(&self.places, query, breadth, most_compared, counts)?;
        let mut shortlist = Shortlist::new(k);
        let documents = found.into_iter().map(|node| (node, self.places.code(node)));
        query.compare(documents, |position, said| shortlist.offer(position, said));
        self.compare(query, living, graph.len(), |position, said| shortlist.offer(position, said));
        Some(shortlist.into_candidates())
    }

    /// Returns what the codes say of the cosine of every allowed document, by position; it is off by less than a
    /// hundredth, as a rule by less than a thousandth.
    ///
    /// # Errors
    ///
    /// A query that is no vector of the index's model.
    pub(crate) fn scores(&self, query: &[f32], allowed: Allowed<'_>) -> Result<Vec<(u32, f32)>, StoreError> {
        let query = Query::new(&self.direction(query)?);
        let mut scores = Vec::new();
        let living = self.living(allowed);
        self.compare(&query, living.as_ref(), 0, |position, said| {
            scores.push((position, said.cosine));
        });
        Ok(scores)
    }

    fn direction(&self, query: &[f32]) -> Result<Vec<f32>, StoreError> {
        super::check_vector(query, self.places.dimension())?;
        let mut vector = query.to_vec();
        normalise(&mut vector);
        Ok(vector)
    }

    /// Reads the vectors of candidates, those first that can be the nearest, and returns the `k` nearest.
    fn decide(
        &self,
        query: &[f32],
        candidates: &[Candidate],
        k: usize,
    ) -> Result<Vec<(u32, f32)>, StoreError> {
        let mut best = Best::new(k);
        let mut vector = Vec::new();
        for candidate in candidates {
            if !best.admits(candidate.most) {
                break;
            }
            let (run, index) = self.places.at(candidate.position);
            run.read(index, &mut vector)?;
            let cosine = dot(query, &vector);
            if !cosine.is_finite() {
                let what = format!("the vector at position {} is none", candidate.position);
                return Err(damaged(what).into());
            }
            best.offer(Near { position: candidate.position, cosine, id: run.ids[index] });
        }
        Ok(best.into_found())
    }

    /// Compares the living documents from a position on.
    fn compare(
        &self,
        query: &Query,
        living: Option<&RoaringBitmap>,
        from: u32,
        mut take: impl FnMut(u32, Said),
    ) {
        let dimension = self.places.dimension();
        for (start, run) in self.places.runs() {
            let positions = from.max(start)..from.max(start + length(run));
            let coded = |position: u32| (position, run.codes.of((position - start) as usize, dimension));
            match living {
                None => query.compare(positions.map(coded), &mut take),
                Some(living) => {
                    let n_living = living.range_cardinality(positions.clone());
                    if n_living * DENSE_ONE_IN < positions.len() as u64 {
                        query.compare(living.range(positions).map(coded), &mut take);
                    } else {
                        let mut members = living.range(positions.clone());
                        let mut next = members.next();
                        query.compare(positions.map(coded), |position, said| {
                            if next == Some(position) {
                                next = members.next();
                                take(position, said);
                            }
                        });
                    }
                }
            }
        }
    }

    /// Returns the living documents as runs and indexes there.
    fn places_of(&self, living: Option<&RoaringBitmap>) -> impl Iterator<Item = (&'a Run, usize)> {
        self.places.runs().flat_map(move |(start, run)| {
            let positions = start..start + length(run);
            let positions = match living {
                None => Positions::All(positions),
                Some(living) => Positions::Some(living.range(positions).collect::<Vec<u32>>().into_iter()),
            };
            positions.map(move |position| (run, (position - start) as usize))
        })
    }

    /// Returns the positions that are allowed and not dead; nothing for all.
    fn living(&self, allowed: Allowed<'_>) -> Option<RoaringBitmap> {
        let within = |allowed: &RoaringBitmap| {
            let mut within = allowed.clone();
            within.remove_range(self.places.len()..);
            within
        };
        match (allowed, self.dead) {
            (Allowed::All, None) => None,
            (Allowed::All, Some(dead)) => {
                let mut living = RoaringBitmap::new();
                living.insert_range(0..self.places.len());
                Some(living - dead)
            }
            (Allowed::Only(allowed), None) => Some(within(allowed)),
            (Allowed::Only(allowed), Some(dead)) => Some(within(allowed) - dead),
        }
    }
}

fn length(run: &Run) -> u32 {
    u32::try_from(run.len()).expect("a space has fewer than 2^32 documents")
}

/// Positions in a run.
enum Positions {
    All(std::ops::Range<u32>),
    Some(std::vec::IntoIter<u32>),
}

impl Iterator for Positions {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Positions::All(positions) => positions.next(),
            Positions::Some(positions) => positions.next(),
        }
    }
}
