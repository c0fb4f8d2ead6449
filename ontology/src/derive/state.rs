//! Rules 3 to 5: what is stated, presumed or unknown at each instant, swept once from past to future, over all time or a window
//! of it.
//!
//! Between two neighbouring boundaries (where a region, a denial or a vouched-for granule starts or ends) nothing
//! changes, so the rules are applied once at each boundary.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use bygone_engine::time::Instant;
use bygone_engine::{Basis, Fact};

use super::denial::Denials;
use super::ends;
use super::facts::{ALL_TIME, Stretch, assemble};
use super::group::{Affirm, Group, ObjectIdx, Rank};
use super::regions::{Region, cut};

/// Returns the facts of a state of which one object holds at a time.
pub(super) fn facts(group: &Group<'_>) -> Vec<Fact> {
    let denies = Denials::new(&ends::standing(&group.affirms, &group.denies));
    let regions = cut(&group.affirms, &denies);
    assemble(group, &denies, &stretches(&regions, &denies))
}

/// Returns what holds, in order; instants at which nothing is known are left out.
fn stretches(regions: &[Region], denies: &Denials) -> Vec<Stretch> {
    let edges = denies.all().flat_map(|deny| [deny.start, deny.end]);
    sweep(ALL_TIME, &mut regions.iter().collect::<Vec<_>>(), [], edges, denies)
}

/// Returns what holds at the instants of `[from, to)`, in order.
///
/// The regions are those that have an instant of it or start in it; the change points, with the instant each is vouched for
/// last, those that started before and can count in it. `edges` has at least the instants of it at which a denial of the
/// regions' and change points' objects starts or ends.
pub(super) fn sweep(
    (from, to): (Instant, Instant),
    regions: &mut [&Region],
    change_points: impl IntoIterator<Item = (Instant, Affirm)>,
    edges: impl Iterator<Item = Instant>,
    denies: &Denials,
) -> Vec<Stretch> {
    let boundaries = boundaries((from, to), regions, edges);
    let mut sweep = Sweep::default();
    for (sure, affirm) in change_points {
        sweep.note(sure, affirm, from);
    }
    regions.sort_by_key(|region| region.affirm.from);
    let (entered, starting) = regions.split_at(regions.partition_point(|region| region.affirm.from < from));
    for &region in entered {
        sweep.enter(region, from);
    }
    let mut starts = starting.iter().copied().peekable();
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
        let to = boundaries.get(idx + 1).copied().unwrap_or(to);
        stretches.push(Stretch { object, from: at, to, basis, support });
    }
    stretches
}

fn boundaries(
    (from, to): (Instant, Instant),
    regions: &[&Region],
    edges: impl Iterator<Item = Instant>,
) -> Vec<Instant> {
    let mut boundaries = vec![from];
    for region in regions {
        boundaries.extend([region.affirm.from, region.to]);
        boundaries.extend(region.sure.into_iter().flat_map(|sure| [sure, sure.next()]));
    }
    boundaries.extend(edges);
    boundaries.retain(|boundary| from <= *boundary && *boundary < to);
    boundaries.sort_unstable();
    boundaries.dedup();
    boundaries
}

/// What is going on at the boundary the sweep has reached.
#[derive(Default)]
struct Sweep<'a> {
    /// The regions that contain the instant, by rank, each with its object.
    active: Vec<(Rank, ObjectIdx, &'a Region)>,
    /// When each active region ends, the first one first.
    ends: BinaryHeap<Reverse<(Instant, Rank)>>,
    /// The change points so far that are vouched for up to an instant not beyond this one.
    settled: BTreeMap<(Instant, Rank), Affirm>,
    /// The change points so far that are vouched for beyond this instant.
    beyond: BTreeMap<(Instant, Rank), Affirm>,
}

impl<'a> Sweep<'a> {
    fn leave(&mut self, at: Instant) {
        while let Some(&Reverse((end, rank))) = self.ends.peek()
            && end <= at
        {
            self.ends.pop();
            if let Ok(place) = self.place(rank) {
                self.active.remove(place);
            }
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
            let Affirm { rank, object, .. } = region.affirm;
            let place = self.place(rank).unwrap_or_else(|place| place);
            self.active.insert(place, (rank, object, region));
            self.ends.push(Reverse((region.to, rank)));
        }
    }

    fn place(&self, rank: Rank) -> Result<usize, usize> {
        self.active.binary_search_by_key(&rank, |(rank, ..)| *rank)
    }

    /// Notes which of the open affirms that start here are change points: not denied here, and of the object that is
    /// stated here when bounded affirms are left aside.
    fn note_change_points(&mut self, arrived: &[&Region], denies: &Denials, at: Instant) {
        let stated = self.stated(denies, at, true).map(|region| region.affirm.object);
        for region in arrived {
            let affirm = region.affirm;
            let Some(sure) = region.sure else { continue };
            if stated == Some(affirm.object) && !denies.deny(affirm.rank, affirm.object, at) {
                self.note(sure, affirm, at);
            }
        }
    }

    fn note(&mut self, sure: Instant, affirm: Affirm, at: Instant) {
        let change_points = if sure > at { &mut self.beyond } else { &mut self.settled };
        change_points.insert((sure, affirm.rank), affirm);
    }

    /// The latest affirm whose region contains the instant and that is not denied there.
    fn stated(&self, denies: &Denials, at: Instant, open_only: bool) -> Option<&'a Region> {
        let mut latest_first = self.active.iter().rev();
        let stated = latest_first.find(|(rank, object, region)| {
            (!open_only || region.affirm.is_open()) && !denies.deny(*rank, *object, at)
        });
        stated.map(|(.., region)| *region)
    }

    /// Returns what holds at the instant, on which basis, and the statements it rests on.
    fn holding(&self, denies: &Denials, at: Instant) -> Option<(ObjectIdx, Basis, Vec<Rank>)> {
        if let Some(stated) = self.stated(denies, at, false) {
            let object = stated.affirm.object;
            let support =
                self.active.iter().filter(|(rank, of, _)| *of == object && !denies.deny(*rank, object, at));
            return Some((object, Basis::Stated, support.map(|(rank, ..)| *rank).collect()));
        }
        let change_point = self.last_vouched_for(denies, at)?;
        let is_over = denies.end(&change_point, at);
        (!is_over).then(|| (change_point.object, Basis::Presumed, vec![change_point.rank]))
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
