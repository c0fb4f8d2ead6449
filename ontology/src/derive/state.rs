//! Rules 3 to 5: what is stated, presumed or unknown at each instant, swept once from past to future.
//!
//! Between two neighbouring boundaries (where a region, a denial or a vouched-for granule starts or ends) nothing
//! changes, so the rules are applied once at each boundary.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::Instant;
use bygone_engine::{Basis, Fact};

use super::denial::Denials;
use super::ends;
use super::facts::{Stretch, assemble};
use super::group::{Affirm, Deny, Group, ObjectIdx, Rank};
use super::regions::{Region, cut};

/// Returns the facts of a state of which one object holds at a time.
pub(super) fn facts(group: &Group<'_>) -> Vec<Fact> {
    let denies = Denials::new(&ends::standing(&group.affirms, &group.denies));
    let regions = cut(&group.affirms, &denies);
    assemble(group, &denies, &stretches(&regions, &denies))
}

/// Returns what holds, in order; instants at which nothing is known are left out.
fn stretches(regions: &[Region], denies: &Denials) -> Vec<Stretch> {
    let boundaries = boundaries(regions, denies);
    let mut sweep = Sweep::default();
    let mut by_start: Vec<&Region> = regions.iter().collect();
    by_start.sort_by_key(|region| region.affirm.from);
    let mut starts = by_start.into_iter().peekable();
    let mut stretches: Vec<Stretch> = Vec::new();
    for (idx, &at) in boundaries.iter().enumerate() {
        sweep.leave(at);
        let mut arrived = Vec::new();
        while let Some(region) = starts.next_if(|region| region.affirm.from <= at) {
            sweep.enter(region, at);
            arrived.push(region);
        }
        sweep.note_change_points(&arrived, denies, at);
        let Some((object, basis, support)) = sweep.holding(denies, at) else {
            continue;
        };
        let to = boundaries.get(idx + 1).copied().unwrap_or(Instant::DISTANT_FUTURE);
        stretches.push(Stretch { object, from: at, to, basis, support });
    }
    stretches
}

fn boundaries(regions: &[Region], denies: &Denials) -> Vec<Instant> {
    let mut boundaries = vec![Instant::DISTANT_PAST];
    for region in regions {
        boundaries.extend([region.affirm.from, region.to, region.affirm.stated_to]);
        boundaries.extend(region.sure.into_iter().flat_map(|sure| [sure, sure.next()]));
    }
    for deny in denies.all() {
        boundaries.extend([deny.start, deny.end]);
    }
    boundaries.retain(|boundary| *boundary != Instant::DISTANT_FUTURE);
    boundaries.sort_unstable();
    boundaries.dedup();
    boundaries
}

/// What is going on at the boundary the sweep has reached.
#[derive(Default)]
struct Sweep<'a> {
    /// The regions that contain the instant, by rank.
    active: BTreeMap<Rank, &'a Region>,
    /// When each active region ends.
    ends: BTreeSet<(Instant, Rank)>,
    /// The change points so far that are vouched for up to an instant not beyond this one.
    settled: BTreeMap<(Instant, Rank), Affirm>,
    /// The change points so far that are vouched for beyond this instant.
    beyond: BTreeMap<(Instant, Rank), Affirm>,
}

impl<'a> Sweep<'a> {
    fn leave(&mut self, at: Instant) {
        while let Some(&(end, rank)) = self.ends.first()
            && end <= at
        {
            self.ends.pop_first();
            self.active.remove(&rank);
        }
        while let Some(first) = self.beyond.first_entry()
            && first.key().0 <= at
        {
            let (key, affirm) = first.remove_entry();
            self.settled.insert(key, affirm);
        }
    }

    fn enter(&mut self, region: &'a Region, at: Instant) {
        if region.contains(at) {
            self.active.insert(region.affirm.rank, region);
            self.ends.insert((region.to, region.affirm.rank));
        }
    }

    /// Notes which of the open affirms that start here are change points: not denied here, and of the object that is
    /// stated here when bounded affirms are left aside.
    fn note_change_points(&mut self, arrived: &[&Region], denies: &Denials, at: Instant) {
        let stated = self.stated(denies, at, true).map(|region| region.affirm.object);
        for region in arrived {
            let affirm = region.affirm;
            let Some(sure) = region.sure else { continue };
            if stated == Some(affirm.object) && !denies.deny(affirm.rank, affirm.object, at) {
                let change_points = if sure > at { &mut self.beyond } else { &mut self.settled };
                change_points.insert((sure, affirm.rank), affirm);
            }
        }
    }

    /// The latest affirm whose region contains the instant and that is not denied there.
    fn stated(&self, denies: &Denials, at: Instant, open_only: bool) -> Option<&'a Region> {
        self.active
            .values()
            .rev()
            .find(|region| {
                let affirm = &region.affirm;
                (!open_only || affirm.is_open()) && !denies.deny(affirm.rank, affirm.object, at)
            })
            .copied()
    }

    /// Returns what holds at the instant, on which basis, and the statements it rests on.
    fn holding(&self, denies: &Denials, at: Instant) -> Option<(ObjectIdx, Basis, Vec<Rank>)> {
        if let Some(stated) = self.stated(denies, at, false) {
            let object = stated.affirm.object;
            let support = self
                .active
                .values()
                .map(|region| &region.affirm)
                .filter(|affirm| affirm.object == object && !denies.deny(affirm.rank, affirm.object, at));
            return Some((object, Basis::Stated, support.map(|affirm| affirm.rank).collect()));
        }
        let change_point = self.last_vouched_for(denies, at)?;
        let ended = denies.concerning(change_point.object).any(|deny| {
            deny.covers(at) && (deny.rank > change_point.rank || starts_after_vouching(deny, &change_point))
        });
        (!ended).then(|| (change_point.object, Basis::Presumed, vec![change_point.rank]))
    }

    /// The change point vouched for last. One vouched for beyond the instant, which must be denied here, counts as
    /// vouched for up to the last instant before at which it is not denied.
    fn last_vouched_for(&self, denies: &Denials, at: Instant) -> Option<Affirm> {
        let settled = self.settled.last_key_value().map(|(key, affirm)| (*key, *affirm));
        let beyond = self.beyond.values().map(|affirm| {
            ((denies.last_undenied_before(affirm.rank, affirm.object, at), affirm.rank), *affirm)
        });
        settled.into_iter().chain(beyond).max_by_key(|(key, _)| *key).map(|(_, affirm)| affirm)
    }
}

fn starts_after_vouching(deny: &Deny, change_point: &Affirm) -> bool {
    !deny.from.is_open() && deny.start >= change_point.stated_to
}
