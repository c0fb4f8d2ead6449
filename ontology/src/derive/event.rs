//! Events: each affirm that is not wholly denied is an occurrence; one that overlaps a finer one only supports it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bygone_engine::time::{Bound, Instant, Moment, Period, Validity};
use bygone_engine::{Basis, EndedBy, Fact, Segment};

use super::denial::Denials;
use super::facts::supported;
use super::group::{Affirm, Group, Rank};

/// Returns the occurrences. Nothing is presumed of an event: one without an end happened within its first granule.
///
/// From the finest told to the coarsest: what overlaps no finer one is an occurrence of its own, what overlaps some
/// supports them. So "in 2024" supports two days told of in 2024 and does not make them one.
pub(super) fn facts(group: &Group<'_>) -> Vec<Fact> {
    of_affirms(group, group.affirms.iter().collect(), &Denials::new(&group.denies))
}

/// Returns the occurrences that some affirms of a group tell of.
pub(super) fn of_affirms(group: &Group<'_>, mut told: Vec<&Affirm>, denials: &Denials) -> Vec<Fact> {
    told.retain(|affirm| {
        let period = (affirm.from, affirm.stated_to);
        !denials.deny_all_of(affirm.rank, affirm.object, period)
    });
    told.sort_by_key(|affirm| (affirm.object, width(affirm), Reverse(affirm.rank)));
    told.chunk_by(|one, next| one.object == next.object)
        .flat_map(occurrences)
        .map(|told| occurrence(group, &told))
        .collect()
}

/// Returns who told of each occurrence of one object, the finest first.
fn occurrences<'a>(finest_first: &[&'a Affirm]) -> Vec<Vec<&'a Affirm>> {
    // Occurrences do not overlap, so those that a period overlaps are neighbours.
    let mut by_start: BTreeMap<Instant, Vec<&Affirm>> = BTreeMap::new();
    for &affirm in finest_first {
        let before = by_start.range(..affirm.from).next_back().map(|(start, _)| *start);
        let first = before.filter(|start| by_start[start][0].stated_to > affirm.from);
        let from = first.unwrap_or(affirm.from);
        let mut overlapped = by_start.range_mut(from..affirm.stated_to).peekable();
        if overlapped.peek().is_none() {
            by_start.insert(affirm.from, vec![affirm]);
        } else {
            overlapped.for_each(|(_, told)| told.push(affirm));
        }
    }
    by_start.into_values().collect()
}

fn width(affirm: &Affirm) -> i64 {
    match (affirm.from, affirm.stated_to) {
        (Instant::DISTANT_PAST, _) | (_, Instant::DISTANT_FUTURE) => i64::MAX,
        (from, to) => to.micros() - from.micros(),
    }
}

/// One occurrence: the finest period told of it, supported by everyone who told of it.
fn occurrence(group: &Group<'_>, told: &[&Affirm]) -> Fact {
    let finest = told[0];
    let mut support: Vec<Rank> = told.iter().map(|affirm| affirm.rank).collect();
    support.sort_unstable();
    let validity = group.statements[finest.rank].validity;
    let period = validity.period().expect("only dated affirms are occurrences");
    let to = match finest.sure_until {
        Some(sure) => Bound::At(Moment::new(sure.end(), sure.grain)),
        None => period.to(),
    };
    let period = Period::new(period.from(), to).expect("a stated region is not empty");
    let segment = Segment { from: period.start(), to: period.end(), basis: Basis::Stated };
    supported(group, finest.object, Validity::Over(period), &support, vec![segment], Some(EndedBy::Bound))
}
