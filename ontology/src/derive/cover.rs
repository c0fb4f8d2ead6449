//! Who covers an instant, of many whose stretches of time start and end at instants that are known beforehand.
//!
//! A segment tree (de Berg, Cheong, van Kreveld and Overmars, *Computational Geometry*, section 10.3), walked from its leaves:
//! a stretch stands in logarithmically many nodes, and those that cover an instant stand in the nodes above one leaf.

use std::collections::BTreeSet;
use std::rc::Rc;

use bygone_engine::time::Instant;

use super::group::Rank;

/// Stretches of time, each by the rank of its statement.
pub(super) struct Cover {
    /// Sorted, without repetitions; each starts a leaf.
    instants: Rc<[Instant]>,
    /// The node above `n` is `n / 2`; leaves are the second half.
    nodes: Vec<BTreeSet<Rank>>,
}

impl Cover {
    /// Makes a cover of nothing, for stretches that start and end at the instants given.
    pub(super) fn between(instants: impl IntoIterator<Item = Instant>) -> Cover {
        let mut instants: Vec<Instant> = instants.into_iter().collect();
        instants.sort_unstable();
        instants.dedup();
        Cover { nodes: vec![BTreeSet::new(); 2 * instants.len()], instants: instants.into() }
    }

    /// Returns a cover of nothing for the same instants.
    pub(super) fn like(&self) -> Cover {
        Cover { nodes: vec![BTreeSet::new(); self.nodes.len()], instants: Rc::clone(&self.instants) }
    }

    /// Adds `[from, to)`; where that is empty, nothing.
    pub(super) fn add(&mut self, (from, to): (Instant, Instant), rank: Rank) {
        self.each_node((from, to), |node| {
            node.insert(rank);
        });
    }

    /// Takes out what was added.
    pub(super) fn remove(&mut self, (from, to): (Instant, Instant), rank: Rank) {
        self.each_node((from, to), |node| {
            node.remove(&rank);
        });
    }

    fn each_node(&mut self, (from, to): (Instant, Instant), mut with: impl FnMut(&mut BTreeSet<Rank>)) {
        let leaf = |instant: Instant| {
            debug_assert!(self.instants.binary_search(&instant).is_ok(), "the instants are known beforehand");
            self.instants.partition_point(|other| *other < instant) + self.instants.len()
        };
        let (mut first, mut last) = (leaf(from), leaf(to));
        while first < last {
            if first % 2 == 1 {
                with(&mut self.nodes[first]);
                first += 1;
            }
            if last % 2 == 1 {
                last -= 1;
                with(&mut self.nodes[last]);
            }
            first /= 2;
            last /= 2;
        }
    }

    fn nodes_over(&self, instant: Instant) -> impl Iterator<Item = &BTreeSet<Rank>> {
        let leaf = self.instants.partition_point(|other| *other <= instant).checked_sub(1);
        let leaf = leaf.map_or(0, |leaf| leaf + self.instants.len());
        std::iter::successors(Some(leaf), |node| Some(node / 2))
            .take_while(|node| *node > 0)
            .map(|n| &self.nodes[n])
    }

    /// Returns the greatest rank of those that cover an instant.
    pub(super) fn latest(&self, instant: Instant) -> Option<Rank> {
        self.nodes_over(instant).filter_map(|node| node.last()).max().copied()
    }

    /// Returns the ranks of those that cover an instant, in no order that means anything.
    pub(super) fn over(&self, instant: Instant) -> impl Iterator<Item = Rank> {
        self.nodes_over(instant).flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn who_covers_an_instant_is_found(
            stretches in proptest::collection::vec((-9_i64..10, -9_i64..10, any::<bool>()), 0..20),
        ) {
            let at = |micros| Instant::from_micros(micros).expect("ordinary");
            let mut cover = Cover::between(stretches.iter().flat_map(|s| [at(s.0), at(s.1)]));
            for (rank, &(from, to, _)) in stretches.iter().enumerate() {
                cover.add((at(from), at(to)), rank);
            }
            for (rank, &(from, to, goes)) in stretches.iter().enumerate() {
                if goes {
                    cover.remove((at(from), at(to)), rank);
                }
            }
            for instant in -11..12 {
                let covers = |&(_, &(from, to, goes)): &(Rank, &(i64, i64, bool))| {
                    !goes && from <= instant && instant < to
                };
                let expected: BTreeSet<Rank> = stretches.iter().enumerate().filter(covers).map(|s| s.0).collect();
                prop_assert_eq!(cover.latest(at(instant)), expected.last().copied());
                prop_assert_eq!(cover.over(at(instant)).collect::<BTreeSet<_>>(), expected);
            }
        }
    }
}
