//! What does not change: the latest undenied affirm wins for all time.

use bygone_engine::time::{Instant, Period, Validity};
use bygone_engine::{Basis, Fact, Segment};

use super::denial::Denials;
use super::facts::supported;
use super::group::{Group, ObjectIdx, Rank};
use crate::definition::Cardinality;

/// Returns the facts of a predicate that does not change: one object, or every object that stands.
///
/// A value is denied by a later deny that covers the start it was said with.
pub(super) fn facts(group: &Group<'_>, cardinality: Cardinality) -> Vec<Fact> {
    let denials = Denials::new(&group.denies);
    let all_time = (Instant::DISTANT_PAST, Instant::DISTANT_FUTURE);
    let dated = group.affirms.iter().filter(|a| !denials.deny(a.rank, a.object, a.from));
    let undated = group.undated.iter().filter(|u| !denials.deny_all_of(u.rank, u.object, all_time));
    let mut standing: Vec<(Rank, ObjectIdx)> =
        dated.map(|a| (a.rank, a.object)).chain(undated.map(|u| (u.rank, u.object))).collect();
    standing.sort_unstable();
    let winners: Vec<ObjectIdx> = match cardinality {
        Cardinality::One => standing.last().map(|(_, object)| *object).into_iter().collect(),
        Cardinality::Many => (0..group.objects.len()).collect(),
    };
    winners
        .into_iter()
        .filter_map(|object| {
            let support: Vec<Rank> =
                standing.iter().filter(|(_, of)| *of == object).map(|(rank, _)| *rank).collect();
            let segment =
                Segment { from: Instant::DISTANT_PAST, to: Instant::DISTANT_FUTURE, basis: Basis::Stated };
            (!support.is_empty()).then(|| {
                supported(group, object, Validity::Over(Period::ALWAYS), &support, vec![segment], None)
            })
        })
        .collect()
}
