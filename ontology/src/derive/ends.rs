//! Rule 1: which ENDs stand. Who corrects an end date replaces it; a mere repetition does not.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::{Instant, Moment};

use super::group::{Affirm, Deny, ObjectIdx, Rank};

/// Returns the denies without the void ENDs.
///
/// An END is a deny with an open end and a known start. Of two ENDs of one object, with no affirm of it that starts
/// after the smaller and not after the greater, the one earlier in precedence is void, even if the other is void
/// itself. A mere repetition voids none that starts before it, and an END without an object voids none.
pub(super) fn standing(affirms: &[Affirm], denies: &[Deny]) -> Vec<Deny> {
    let mut starts: BTreeMap<ObjectIdx, Vec<Instant>> = BTreeMap::new();
    for affirm in affirms {
        starts.entry(affirm.object).or_default().push(affirm.from);
    }
    for starts in starts.values_mut() {
        starts.sort_unstable();
    }
    let mut ends: BTreeMap<ObjectIdx, Vec<&Deny>> = BTreeMap::new();
    for end in denies.iter().filter(|deny| is_end(deny)) {
        if let Some(object) = end.object {
            ends.entry(object).or_default().push(end);
        }
    }
    let mut void: BTreeSet<Rank> = BTreeSet::new();
    for (object, ends) in &mut ends {
        let starts = starts.get(object).map_or(&[][..], Vec::as_slice);
        ends.sort_by_key(|end| end.start);
        // Between two ENDs that see each other no affirm starts, so they fall into runs.
        let runs = ends.chunk_by(|one, next| !starts_within(starts, one.start, next.start));
        for run in runs {
            void.extend(run.iter().filter(|end| run.iter().any(|by| voids(by, end))).map(|end| end.rank));
        }
    }
    denies.iter().filter(|deny| !void.contains(&deny.rank)).copied().collect()
}

/// Says whether the END `by` voids `end`, where no affirm starts between them.
pub(super) fn voids(by: &Deny, end: &Deny) -> bool {
    by.rank > end.rank && !(end.start < by.start && merely_repeats(by, end))
}

/// Says whether a denial is an END.
pub(super) fn is_end(deny: &Deny) -> bool {
    !deny.from.is_open() && deny.end == Instant::DISTANT_FUTURE
}

/// Says whether one of the sorted instants lies after the smaller and not after the greater.
fn starts_within(starts: &[Instant], smaller: Instant, greater: Instant) -> bool {
    starts.partition_point(|start| *start <= smaller) < starts.partition_point(|start| *start <= greater)
}

/// An END dated only by being said, or a coarser one, repeats the other rather than correcting it.
fn merely_repeats(by: &Deny, end: &Deny) -> bool {
    let only_said = by.start == by.known_at;
    let coarser = by.from.moment().is_some_and(|Moment { at, grain }| {
        let start = grain.before(at);
        start < end.start && end.start < at
    });
    only_said || coarser
}
