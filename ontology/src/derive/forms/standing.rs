//! Which denials stand as more and more is said: rule 1, one run of ENDs at a time.
//!
//! Invariant: those that stand are those that [`ends::standing`] returns of everything said so far.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Included};

use bygone_engine::time::Instant;

use super::super::denial::Denials;
use super::super::ends::{is_end, voids};
use super::super::group::{Affirm, Deny, ObjectIdx, Rank};

/// A denial that came to stand, or no longer does.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) deny: Deny,
    pub(super) stands: bool,
}

/// The denials of a group.
pub(super) struct Standing {
    pub(super) denials: Denials,
    stands: BTreeSet<Rank>,
    of_object: BTreeMap<ObjectIdx, Told>,
    /// What changed since that was last asked, with whether it stood before.
    changed: BTreeMap<Rank, (Deny, bool)>,
}

/// What was said of one object.
#[derive(Default)]
struct Told {
    /// Where affirms start.
    starts: BTreeSet<(Instant, Rank)>,
    /// Its ENDs.
    ends: BTreeMap<(Instant, Rank), Deny>,
}

impl Standing {
    /// Returns no denials, with room for those given.
    pub(super) fn none_of(denies: &[Deny]) -> Standing {
        Standing {
            denials: Denials::none_of(denies),
            stands: BTreeSet::new(),
            of_object: BTreeMap::new(),
            changed: BTreeMap::new(),
        }
    }

    /// Takes an affirm in, which can part ENDs that saw each other.
    pub(super) fn affirm(&mut self, affirm: &Affirm) {
        let told = self.of_object.entry(affirm.object).or_default();
        let before = told.ends.range(..(affirm.from, 0)).next_back().map(|(at, _)| *at);
        let after = told.ends.range((affirm.from, 0)..).next().map(|(at, _)| *at);
        let parts = before.zip(after).filter(|&(before, after)| told.sees(before, after));
        told.starts.insert((affirm.from, affirm.rank));
        if let Some((before, after)) = parts {
            for run in [told.run(before), told.run(after)] {
                for end in &run {
                    self.set(end, !run.iter().any(|by| voids(by, end)));
                }
            }
        }
    }

    /// Takes a denial in, which can void ENDs of its object or be void itself.
    pub(super) fn deny(&mut self, deny: &Deny) {
        let Some(object) = deny.object.filter(|_| is_end(deny)) else {
            self.set(deny, true);
            return;
        };
        let told = self.of_object.entry(object).or_default();
        let at = (deny.start, deny.rank);
        told.ends.insert(at, *deny);
        let run = told.run(at);
        for end in run.iter().filter(|end| voids(deny, end)) {
            self.set(end, false);
        }
        self.set(deny, !run.iter().any(|by| voids(by, deny)));
    }

    fn set(&mut self, deny: &Deny, stands: bool) {
        let stood = self.stands.contains(&deny.rank);
        if stood == stands {
            return;
        }
        if stands {
            self.stands.insert(deny.rank);
        } else {
            self.stands.remove(&deny.rank);
        }
        self.denials.set(deny, stands);
        self.changed.entry(deny.rank).or_insert((*deny, stood));
    }

    /// Returns what changed since that was last asked.
    pub(super) fn turns(&mut self) -> Vec<Turn> {
        let changed = std::mem::take(&mut self.changed).into_values();
        let turns =
            changed.map(|(deny, stood)| (Turn { deny, stands: self.stands.contains(&deny.rank) }, stood));
        turns.filter(|(turn, stood)| turn.stands != *stood).map(|(turn, _)| turn).collect()
    }

    /// Returns the ranks of the affirms of an object that start in `[from, to)`.
    pub(super) fn starting(
        &self,
        object: ObjectIdx,
        (from, to): (Instant, Instant),
    ) -> impl Iterator<Item = Rank> {
        let told = self.of_object.get(&object);
        told.into_iter().flat_map(move |told| told.starts.range((from, 0)..(to, 0)).map(|(_, rank)| *rank))
    }
}

impl Told {
    /// Says whether no affirm starts between two neighbouring ENDs.
    fn sees(&self, one: (Instant, Rank), next: (Instant, Rank)) -> bool {
        let between = (Excluded((one.0, Rank::MAX)), Included((next.0, Rank::MAX)));
        one.0 == next.0 || self.starts.range(between).next().is_none()
    }

    /// Returns the ENDs that see each other around one of them.
    fn run(&self, at: (Instant, Rank)) -> Vec<Deny> {
        let mut last = at;
        let before = self.ends.range(..at).rev().take_while(|(end, _)| {
            let sees = self.sees(**end, last);
            last = **end;
            sees
        });
        let mut run: Vec<Deny> = before.map(|(_, deny)| *deny).collect();
        run.reverse();
        let mut last = at;
        let from_here = self.ends.range(at..).take_while(|(end, _)| {
            let sees = self.sees(last, **end);
            last = **end;
            sees
        });
        run.extend(from_here.map(|(_, deny)| *deny));
        run
    }
}
