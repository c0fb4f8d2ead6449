//! The documents of one space and kind at their positions: the runs of all segments and of the tail, one after the other.

use super::code::Code;
use super::run::Run;

/// Documents by position.
pub(super) struct Places<'a> {
    dimension: usize,
    /// With the position of the first document of each, ascending.
    runs: Vec<(u32, &'a Run)>,
    n_positions: u32,
}

impl<'a> Places<'a> {
    /// Puts runs one after the other.
    pub(super) fn new(dimension: usize, runs: impl Iterator<Item = &'a Run>) -> Places<'a> {
        let mut n_positions = 0;
        let place = |run: &'a Run| {
            let start = n_positions;
            n_positions += position(run.len());
            (start, run)
        };
        let runs = runs.map(place).collect();
        Places { dimension, runs, n_positions }
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> u32 {
        self.n_positions
    }

    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the runs, each with the position of its first document.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u32, &'a Run)> {
        self.runs.iter().copied()
    }

    /// Returns the run that has a position, and its index there.
    pub(super) fn at(&self, position: u32) -> (&'a Run, usize) {
        let after = self.runs.partition_point(|(start, _)| *start <= position);
        let (start, run) = self.runs[after - 1];
        (run, (position - start) as usize)
    }

    /// Returns the code at a position.
    pub(super) fn code(&self, position: u32) -> Code<'a> {
        let (run, index) = self.at(position);
        run.codes.of(index, self.dimension)
    }
}

fn position(index: usize) -> u32 {
    u32::try_from(index).expect("a space has fewer than 2^32 documents")
}
