//! Whether a statement is denied: by a later deny that covers the instant for its object.

use std::collections::BTreeMap;

use bygone_engine::time::Instant;

use super::group::{Deny, ObjectIdx, Rank};

/// The denials of a group, found by what they deny.
pub(super) struct Denials {
    of_whatever_holds: Vec<Deny>,
    of_object: BTreeMap<ObjectIdx, Vec<Deny>>,
}

impl Denials {
    pub(super) fn new(denies: &[Deny]) -> Denials {
        let mut denials = Denials { of_whatever_holds: Vec::new(), of_object: BTreeMap::new() };
        for deny in denies {
            match deny.object {
                None => denials.of_whatever_holds.push(*deny),
                Some(object) => denials.of_object.entry(object).or_default().push(*deny),
            }
        }
        denials
    }

    /// Returns every denial.
    pub(super) fn all(&self) -> impl Iterator<Item = &Deny> {
        self.of_whatever_holds.iter().chain(self.of_object.values().flatten())
    }

    /// Returns the denials of an object, those of whatever holds included.
    pub(super) fn concerning(&self, object: ObjectIdx) -> impl Iterator<Item = &Deny> {
        self.of_whatever_holds.iter().chain(self.of_object.get(&object).into_iter().flatten())
    }

    /// Says whether something said with `rank` about `object` is denied at `instant`.
    pub(super) fn deny(&self, rank: Rank, object: ObjectIdx, instant: Instant) -> bool {
        self.concerning(object).any(|deny| deny.rank > rank && deny.covers(instant))
    }

    /// Says whether later denies together cover all of `[from, to)` for the object.
    pub(super) fn deny_all_of(&self, rank: Rank, object: ObjectIdx, (from, to): (Instant, Instant)) -> bool {
        let mut at = from;
        while at < to {
            let later = self.concerning(object).filter(|deny| deny.rank > rank && deny.covers(at));
            match later.map(|deny| deny.end).max() {
                Some(end) => at = end,
                None => return false,
            }
        }
        true
    }

    /// Returns the last instant before `instant` at which it is not denied.
    pub(super) fn last_undenied_before(&self, rank: Rank, object: ObjectIdx, instant: Instant) -> Instant {
        let mut at = instant;
        loop {
            let before = at.previous();
            let later = self.concerning(object).filter(|deny| deny.rank > rank && deny.covers(before));
            match later.map(|deny| deny.start).min() {
                Some(start) if start < at => at = start,
                _ => return before,
            }
        }
    }
}
