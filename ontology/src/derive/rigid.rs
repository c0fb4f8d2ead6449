//! What does not change: the latest undenied affirm wins for all time.

use std::collections::BTreeMap;

use bygone_engine::time::{Instant, Period, Validity};
use bygone_engine::{Basis, Fact, Segment};

use super::denial::Denials;
use super::facts::{ALL_TIME, supported};
use super::group::{Group, ObjectIdx, Rank};
use crate::definition::Cardinality;

/// Returns the facts of a predicate that does not change: one object, or every object that stands.
///
/// A value is denied by a later deny that covers the start it was said with.
pub(super) fn facts(group: &Group<'_>, cardinality: Cardinality) -> Vec<Fact> {
    let denials = Denials::new(&group.denies);
    let dated = group.affirms.iter().filter(|a| !denials.deny(a.rank, a.object, a.from));
    let undated = group.undated.iter().filter(|u| !denials.deny_all_of(u.rank, u.object, ALL_TIME));
    let mut standing: Vec<(Rank, ObjectIdx)> =
        dated.map(|a| (a.rank, a.object)).chain(undated.map(|u| (u.rank, u.object))).collect();
    standing.sort_unstable();
    let latest = standing.last().map(|(_, object)| *object);
    let mut supports: BTreeMap<ObjectIdx, Vec<Rank>> = BTreeMap::new();
    for (rank, object) in standing {
        if cardinality == Cardinality::Many || Some(object) == latest {
            supports.entry(object).or_default().push(rank);
        }
    }
    let segment = Segment { from: Instant::DISTANT_PAST, to: Instant::DISTANT_FUTURE, basis: Basis::Stated };
    let fact = |(object, support): (ObjectIdx, Vec<Rank>)| {
        supported(group, object, Validity::Over(Period::ALWAYS), &support, vec![segment], None)
    };
    supports.into_iter().map(fact).collect()
}
