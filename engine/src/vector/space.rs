//! What a search goes through: the documents of one kind in one space, each at its position.

use roaring::RoaringBitmap;

use super::Allowed;
use super::code::{Query, dot, normalise};
use super::damage::damaged;
use super::nearest::{Best, Candidate, Near, Shortlist};
use super::run::Run;
use crate::error::StoreError;

/// The documents of a space and kind.
///
/// A document's position stays the same until documents are removed and the index is flushed.
pub(crate) struct SpaceVectors<'a> {
    dimension: usize,
    /// With the position of the first document of each, ascending.
    runs: Vec<(u32, &'a Run)>,
    n_positions: u32,
    dead: Option<&'a RoaringBitmap>,
}

impl<'a> SpaceVectors<'a> {
    /// Puts runs one after the other.
    pub(super) fn new(
        dimension: usize,
        runs: impl Iterator<Item = &'a Run>,
        dead: Option<&'a RoaringBitmap>,
    ) -> SpaceVectors<'a> {
        let mut n_positions = 0;
        let place = |run: &'a Run| {
            let start = n_positions;
            n_positions += u32::try_from(run.len()).expect("a space has fewer than 2^32 documents");
            (start, run)
        };
        let runs = runs.map(place).collect();
        SpaceVectors { dimension, runs, n_positions, dead }
    }

    /// Returns the ids by position, removed documents included.
    pub(crate) fn ids(&self) -> impl Iterator<Item = [u8; 16]> {
        self.runs.iter().flat_map(|(_, run)| run.ids.iter().copied())
    }

    /// Counts, for each of the word pieces, the allowed documents that have it.
    pub(crate) fn n_with_piece(&self, allowed: Allowed<'_>, pieces: &[u16]) -> Vec<u32> {
        // Documents are gone through once: each of their pieces is counted at the place of the piece, and all that were
        // not asked for at one place of their own.
        let mut places = vec![0_usize; usize::from(u16::MAX) + 1];
        let mut n_places = 1;
        for &piece in pieces {
            let place = &mut places[usize::from(piece)];
            if *place == 0 {
                *place = n_places;
                n_places += 1;
            }
        }
        let mut counts = vec![0; n_places];
        for (_, run, indexes) in self.allowed_in_runs(allowed) {
            for piece in indexes.flat_map(|index| run.pieces.of(index)) {
                counts[places[usize::from(*piece)]] += 1;
            }
        }
        pieces.iter().map(|&piece| counts[places[usize::from(piece)]]).collect()
    }

    /// Returns the allowed documents nearest to the query with their cosines, best first and by id among equals: `k` of
    /// them, or all where there are fewer.
    ///
    /// # Errors
    ///
    /// A query that is no vector of the index's model, or an index that has to be made again.
    pub(crate) fn nearest(
        &self,
        query: &[f32],
        allowed: Allowed<'_>,
        k: usize,
    ) -> Result<Vec<(u32, f32)>, StoreError> {
        let vector = self.direction(query)?;
        if k == 0 {
            return Ok(Vec::new());
        }
        let query = Query::new(&vector);
        let mut shortlist = Shortlist::new(k);
        for (start, run, indexes) in self.allowed_in_runs(allowed) {
            query.compare(&run.codes, indexes, |index, said| {
                shortlist.offer(start + position(index), said, query.margin(run.codes.slacks[index]));
            });
        }
        self.decide(&vector, &shortlist.into_candidates(), k)
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
        for (start, run, indexes) in self.allowed_in_runs(allowed) {
            query.compare(&run.codes, indexes, |index, said| scores.push((start + position(index), said)));
        }
        Ok(scores)
    }

    fn direction(&self, query: &[f32]) -> Result<Vec<f32>, StoreError> {
        super::check_vector(query, self.dimension)?;
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
            let (run, index) = self.at(candidate.position);
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

    fn at(&self, position: u32) -> (&'a Run, usize) {
        let after = self.runs.partition_point(|(start, _)| *start <= position);
        let (start, run) = self.runs[after - 1];
        (run, (position - start) as usize)
    }

    /// Returns each run with the position of its first document and the indexes of what is allowed in it.
    fn allowed_in_runs(&self, allowed: Allowed<'_>) -> impl Iterator<Item = (u32, &'a Run, Indexes)> {
        let living = self.living(allowed);
        self.runs.iter().map(move |&(start, run)| {
            let indexes = match &living {
                None => Indexes::All(0..run.len()),
                Some(living) => {
                    let positions = living.range(start..start + position(run.len()));
                    let indexes: Vec<usize> = positions.map(|position| (position - start) as usize).collect();
                    Indexes::Some(indexes.into_iter())
                }
            };
            (start, run, indexes)
        })
    }

    /// Returns the positions that are allowed and not dead; nothing for all.
    fn living(&self, allowed: Allowed<'_>) -> Option<RoaringBitmap> {
        match (allowed, self.dead) {
            (Allowed::All, None) => None,
            (Allowed::All, Some(dead)) => {
                let mut living = RoaringBitmap::new();
                living.insert_range(0..self.n_positions);
                Some(living - dead)
            }
            (Allowed::Only(allowed), None) => Some(allowed.clone()),
            (Allowed::Only(allowed), Some(dead)) => Some(allowed - dead),
        }
    }
}

/// Indexes into a run.
enum Indexes {
    All(std::ops::Range<usize>),
    Some(std::vec::IntoIter<usize>),
}

impl Iterator for Indexes {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Indexes::All(indexes) => indexes.next(),
            Indexes::Some(indexes) => indexes.next(),
        }
    }
}

fn position(index: usize) -> u32 {
    u32::try_from(index).expect("a space has fewer than 2^32 documents")
}
