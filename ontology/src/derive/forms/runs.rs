//! What holds when, as more and more is said: stretches, and the runs of them that are facts.

use std::collections::BTreeMap;

use bygone_engine::time::{Instant, Validity};

use super::super::facts::Stretch;
use super::super::group::ObjectIdx;

/// Stretches by their start; they do not overlap.
#[derive(Default)]
pub(super) struct Stretches(BTreeMap<Instant, Stretch>);

impl Stretches {
    /// Puts stretches in the place of those of `[from, to)`, and returns these.
    pub(super) fn replace(&mut self, (from, to): (Instant, Instant), by: Vec<Stretch>) -> Vec<Stretch> {
        self.part_at(from);
        self.part_at(to);
        let starts: Vec<Instant> = self.0.range(from..to).map(|(start, _)| *start).collect();
        let replaced = starts.iter().filter_map(|start| self.0.remove(start)).collect();
        self.0.extend(by.into_iter().map(|stretch| (stretch.from, stretch)));
        replaced
    }

    fn part_at(&mut self, instant: Instant) {
        let Some((_, before)) = self.0.range_mut(..instant).next_back() else { return };
        if before.to > instant {
            let after = Stretch { from: instant, ..before.clone() };
            before.to = instant;
            self.0.insert(instant, after);
        }
    }

    /// Returns the stretches that have an instant of `[from, to)`, in order.
    pub(super) fn over(&self, (from, to): (Instant, Instant)) -> impl DoubleEndedIterator<Item = &Stretch> {
        let before = self.0.range(..from).next_back().map(|(_, stretch)| stretch);
        let reaching = before.filter(move |stretch| stretch.to > from);
        reaching.into_iter().chain(self.0.range(from..to).map(|(_, stretch)| stretch))
    }
}

/// A run of stretches of one object that follow each other, from when to when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) from: Instant,
    pub(super) to: Instant,
    pub(super) object: ObjectIdx,
}

/// Runs by their start, each with the period that its fact has, bounds and their granularity included, and the batch with
/// which it came to have it.
#[derive(Default)]
pub(super) struct Runs(BTreeMap<Instant, (Run, Validity, usize)>);

impl Runs {
    /// Returns the runs that have an instant of a span, or start or end at one of its ends. The spans are in order and apart.
    pub(super) fn touched(&self, spans: &[(Instant, Instant)]) -> Vec<(Run, Validity, usize)> {
        let mut touched: Vec<(Run, Validity, usize)> = Vec::new();
        for &(from, to) in spans {
            let before = self.0.range(..from).next_back().map(|(_, run)| run);
            let reaching = before.filter(|(run, ..)| run.to >= from);
            for run in reaching.into_iter().chain(self.0.range(from..=to).map(|(_, run)| run)) {
                if touched.last().is_none_or(|(last, ..)| last.from < run.0.from) {
                    touched.push(*run);
                }
            }
        }
        touched
    }

    /// Says whether one of them starts at an instant.
    pub(super) fn starts_at(&self, instant: Instant) -> bool {
        self.0.contains_key(&instant)
    }

    pub(super) fn remove(&mut self, run: &Run) {
        self.0.remove(&run.from);
    }

    pub(super) fn add(&mut self, run: Run, validity: Validity, since: usize) {
        self.0.insert(run.from, (run, validity, since));
    }

    /// Returns all of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &(Run, Validity, usize)> {
        self.0.values()
    }
}

/// Returns the runs that there are once other stretches stand in some spans than when the runs were what is given. All are in
/// order, and the spans are apart; the runs are those that the spans touch.
pub(super) fn over_again(
    touched: &[Run],
    spans: &[(Instant, Instant)],
    stretches: &[&[Stretch]],
) -> Vec<Run> {
    let mut pieces: Vec<Run> = Vec::new();
    for run in touched {
        let mut from = run.from;
        let first = spans.partition_point(|(_, to)| *to <= run.from);
        for &(start, end) in spans[first..].iter().take_while(|(start, _)| *start < run.to) {
            if from < start {
                pieces.push(Run { from, to: start, ..*run });
            }
            from = from.max(end);
        }
        if from < run.to {
            pieces.push(Run { from, ..*run });
        }
    }
    let told = stretches.iter().copied().flatten();
    pieces.extend(told.map(|stretch| Run { from: stretch.from, to: stretch.to, object: stretch.object }));
    pieces.sort_by_key(|piece| piece.from);
    let mut runs: Vec<Run> = Vec::new();
    for piece in pieces {
        match runs.last_mut() {
            Some(last) if last.to == piece.from && last.object == piece.object => last.to = piece.to,
            _ => runs.push(piece),
        }
    }
    runs
}
