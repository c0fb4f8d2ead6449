//! Events: each affirm that is not wholly denied is an occurrence; overlapping ones of one object are one.

use bygone_engine::time::{Bound, Instant, Moment, Period, Validity};
use bygone_engine::{Basis, EndedBy, Fact, Segment};

use super::denial::is_wholly_denied;
use super::facts::supported;
use super::group::{Affirm, Group, Rank};

/// Returns the occurrences. Nothing is presumed of an event: one without an end happened within its first granule.
pub(super) fn facts(group: &Group<'_>) -> Vec<Fact> {
    let mut occurrences: Vec<Affirm> = group
        .affirms
        .iter()
        .filter(|affirm| {
            let period = (affirm.from, affirm.stated_to);
            !is_wholly_denied(&group.denies, affirm.rank, affirm.object, period)
        })
        .copied()
        .collect();
    occurrences.sort_by_key(|affirm| (affirm.object, affirm.from, affirm.rank));
    let mut facts = Vec::new();
    let mut at = 0;
    while let Some(first) = occurrences.get(at) {
        let mut reach = first.stated_to;
        let together = occurrences[at..]
            .iter()
            .take_while(|next| {
                let overlaps = next.object == first.object && next.from < reach;
                reach = reach.max(if overlaps { next.stated_to } else { reach });
                overlaps
            })
            .count();
        facts.push(occurrence(group, &occurrences[at..at + together]));
        at += together;
    }
    facts
}

/// One occurrence: the finest period told of it, supported by everyone who told of it.
fn occurrence(group: &Group<'_>, told: &[Affirm]) -> Fact {
    let width = |affirm: &Affirm| match (affirm.from, affirm.stated_to) {
        (Instant::DISTANT_PAST, _) | (_, Instant::DISTANT_FUTURE) => i64::MAX,
        (from, to) => to.micros() - from.micros(),
    };
    let finest = told
        .iter()
        .min_by_key(|affirm| (width(affirm), std::cmp::Reverse(affirm.rank)))
        .expect("an occurrence was told of at least once");
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
