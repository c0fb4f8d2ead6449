//! Whether a statement is denied: by a later deny that covers the instant for its object.

use std::collections::BTreeMap;

use bygone_engine::time::Instant;

use super::cover::Cover;
use super::group::{Affirm, Deny, ObjectIdx, Rank};

/// Up to so many denials of one object are looked through one by one. Chosen, untested.
const FEW: usize = 32;

/// The denials of a group, found by what they deny.
#[derive(Default)]
pub(super) struct Denials {
    of_whatever_holds: OfOne,
    of_object: BTreeMap<ObjectIdx, OfOne>,
}

/// The denials of one object, or of whatever holds.
#[derive(Default)]
struct OfOne {
    /// By start, then rank.
    denies: Vec<Deny>,
    /// Where there can be many.
    found: Option<Found>,
}

/// How those among many are found that matter at an instant.
struct Found {
    cover: Cover,
    /// When they end, in order; of several that end at once each counts.
    ends: Vec<Instant>,
}

impl OfOne {
    fn ends_within(&self, (from, to): (Instant, Instant), within: &mut Vec<Instant>) {
        if let Some(Found { ends, .. }) = &self.found {
            let later = &ends[ends.partition_point(|end| *end < from)..];
            within.extend(later.iter().take_while(|end| **end < to));
        } else {
            let ends = self.denies.iter().map(|deny| deny.end);
            within.extend(ends.filter(|end| from <= *end && *end < to));
        }
    }
}

impl Denials {
    /// Returns denials that all stand.
    pub(super) fn new(denies: &[Deny]) -> Denials {
        let mut denials = Denials::default();
        for deny in denies {
            denials.of_mut(deny.object).denies.push(*deny);
        }
        for of in denials.every_mut() {
            of.denies.sort_by_key(order);
            if of.denies.len() > FEW {
                let bounds = of.denies.iter().flat_map(|deny| [deny.start, deny.end]);
                let mut cover = Cover::between(bounds);
                for deny in &of.denies {
                    cover.add((deny.start, deny.end), deny.rank);
                }
                let mut ends: Vec<Instant> = of.denies.iter().map(|deny| deny.end).collect();
                ends.sort_unstable();
                of.found = Some(Found { cover, ends });
            }
        }
        denials
    }

    /// Returns no denials, with room for those given.
    pub(super) fn none_of(denies: &[Deny]) -> Denials {
        let mut denials = Denials::new(denies);
        for of in denials.every_mut() {
            of.denies.clear();
            of.found = of.found.take().map(|found| Found { cover: found.cover.like(), ends: Vec::new() });
        }
        denials
    }

    /// Lets one of the denials that there is room for stand, or not.
    pub(super) fn set(&mut self, deny: &Deny, stands: bool) {
        let of = self.of_mut(deny.object);
        match (of.denies.binary_search_by_key(&order(deny), order), stands) {
            (Err(place), true) => {
                of.denies.insert(place, *deny);
                if let Some(Found { cover, ends }) = &mut of.found {
                    cover.add((deny.start, deny.end), deny.rank);
                    ends.insert(ends.partition_point(|end| *end < deny.end), deny.end);
                }
            }
            (Ok(place), false) => {
                of.denies.remove(place);
                if let Some(Found { cover, ends }) = &mut of.found {
                    cover.remove((deny.start, deny.end), deny.rank);
                    ends.remove(ends.partition_point(|end| *end < deny.end));
                }
            }
            (Ok(_), true) | (Err(_), false) => {}
        }
    }

    fn of_mut(&mut self, object: Option<ObjectIdx>) -> &mut OfOne {
        match object {
            None => &mut self.of_whatever_holds,
            Some(object) => self.of_object.entry(object).or_default(),
        }
    }

    fn every_mut(&mut self) -> impl Iterator<Item = &mut OfOne> {
        std::iter::once(&mut self.of_whatever_holds).chain(self.of_object.values_mut())
    }

    /// Returns the instants of `[from, to)` at which a denial of the object ends, those of whatever holds included.
    pub(super) fn ends_within(&self, object: ObjectIdx, (from, to): (Instant, Instant)) -> Vec<Instant> {
        let mut within = Vec::new();
        for of in self.parts(object) {
            of.ends_within((from, to), &mut within);
        }
        within
    }

    /// Returns the instants after `from` and before `to` at which a denial of whatever holds or of one of the objects starts or
    /// ends.
    pub(super) fn bounds_within(
        &self,
        objects: impl IntoIterator<Item = ObjectIdx>,
        (from, to): (Instant, Instant),
    ) -> Vec<Instant> {
        let of_objects = objects.into_iter().filter_map(|object| self.of_object.get(&object));
        let mut within = Vec::new();
        for of in std::iter::once(&self.of_whatever_holds).chain(of_objects) {
            let later = &of.denies[of.denies.partition_point(|deny| deny.start <= from)..];
            within.extend(later.iter().map(|deny| deny.start).take_while(|start| *start < to));
            of.ends_within((from.next(), to), &mut within);
        }
        within
    }

    /// Returns every denial.
    pub(super) fn all(&self) -> impl Iterator<Item = &Deny> {
        self.of_whatever_holds.denies.iter().chain(self.of_object.values().flat_map(|of| &of.denies))
    }

    fn parts(&self, object: ObjectIdx) -> impl Iterator<Item = &OfOne> {
        std::iter::once(&self.of_whatever_holds).chain(self.of_object.get(&object))
    }

    /// Returns the denials of an object, those of whatever holds included.
    pub(super) fn concerning(&self, object: ObjectIdx) -> impl Iterator<Item = &Deny> {
        self.parts(object).flat_map(|of| &of.denies)
    }

    /// Says whether something said with `rank` about `object` is denied at `instant`.
    pub(super) fn deny(&self, rank: Rank, object: ObjectIdx, instant: Instant) -> bool {
        self.parts(object).any(|of| match &of.found {
            Some(Found { cover, .. }) => cover.latest(instant).is_some_and(|latest| latest > rank),
            None => of.denies.iter().any(|deny| deny.rank > rank && deny.covers(instant)),
        })
    }

    /// Says whether any denial covers an instant for the object.
    pub(super) fn cover(&self, object: ObjectIdx, instant: Instant) -> bool {
        self.parts(object).any(|of| match &of.found {
            Some(Found { cover, .. }) => cover.latest(instant).is_some(),
            None => of.denies.iter().any(|deny| deny.covers(instant)),
        })
    }

    /// Says whether what is presumed from a change point on is denied at an instant: by a later denial, or by one that starts
    /// when nobody vouches for it any more.
    pub(super) fn end(&self, change_point: &Affirm, instant: Instant) -> bool {
        let starts_after_vouching = |of: &OfOne| {
            let started = &of.denies[..of.denies.partition_point(|deny| deny.start <= instant)];
            let mut latest_first =
                started.iter().rev().take_while(|deny| deny.start >= change_point.stated_to);
            latest_first.any(|deny| !deny.from.is_open() && deny.covers(instant))
        };
        self.deny(change_point.rank, change_point.object, instant)
            || self.parts(change_point.object).any(starts_after_vouching)
    }

    /// Says whether later denies together cover all of `[from, to)` for the object.
    pub(super) fn deny_all_of(&self, rank: Rank, object: ObjectIdx, (from, to): (Instant, Instant)) -> bool {
        let mut at = from;
        while at < to {
            if !self.deny(rank, object, at) {
                return false;
            }
            let later = self.concerning(object).filter(|deny| deny.rank > rank && deny.covers(at));
            at = later.map(|deny| deny.end).max().unwrap_or(to);
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

fn order(deny: &Deny) -> (Instant, Rank) {
    (deny.start, deny.rank)
}
