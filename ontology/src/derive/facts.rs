//! From what holds instant by instant to facts: maximal periods of one object, with the granularity of their bounds.

use std::collections::BTreeMap;

use bygone_engine::time::{Bound, Instant, Moment, Period, Validity};
use bygone_engine::{Basis, EndedBy, Fact, Segment};

use super::denial::Denials;
use super::group::{Group, ObjectIdx, Rank, bounds_of};

/// From before all time until after it.
pub(super) const ALL_TIME: (Instant, Instant) = (Instant::DISTANT_PAST, Instant::DISTANT_FUTURE);

/// A stretch of time in which one object holds on one basis.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) object: ObjectIdx,
    pub(super) from: Instant,
    pub(super) to: Instant,
    pub(super) basis: Basis,
    pub(super) support: Vec<Rank>,
}

/// Joins neighbouring stretches of one object into facts. The stretches are in order and do not overlap.
pub(super) fn assemble(group: &Group<'_>, denies: &Denials, stretches: &[Stretch]) -> Vec<Fact> {
    let runs = stretches.chunk_by(|one, next| one.object == next.object && one.to == next.from);
    let mut facts: Vec<Fact> = Vec::new();
    let mut runs = runs.peekable();
    while let Some(run) = runs.next() {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        let follows = runs.peek().and_then(|next| next.first()).is_some_and(|next| next.from == last.to);
        facts.push(fact(group, denies, run, (first.from, last.to), follows));
    }
    facts
}

fn fact(
    group: &Group<'_>,
    denies: &Denials,
    run: &[Stretch],
    (from, to): (Instant, Instant),
    another_follows: bool,
) -> Fact {
    let support = ranks(run);
    let bounds = (bound(group, &support, from), bound(group, &support, to));
    let period = Period::new(bounds.0, bounds.1).expect("stretches are not empty");
    told(group, denies, run, &support, Validity::Over(period), another_follows)
}

/// Makes a fact of the stretches of a run, over a period whose bounds are those of the run.
pub(super) fn of_run(
    group: &Group<'_>,
    denies: &Denials,
    run: &[Stretch],
    validity: Validity,
    another_follows: bool,
) -> Fact {
    told(group, denies, run, &ranks(run), validity, another_follows)
}

fn told(
    group: &Group<'_>,
    denies: &Denials,
    run: &[Stretch],
    support: &[Rank],
    validity: Validity,
    another_follows: bool,
) -> Fact {
    let (object, to) = (run[0].object, run[run.len() - 1].to);
    let ended_by = (to != Instant::DISTANT_FUTURE).then(|| {
        let own_bound = support.iter().any(|&rank| own_end(group, rank) == Some(to));
        let is_over = || denies.cover(object, to);
        if own_bound {
            EndedBy::Bound
        } else if another_follows {
            EndedBy::Change
        } else if is_over() {
            EndedBy::Deny
        } else {
            EndedBy::Bound
        }
    });
    supported(group, object, validity, support, segments(run), ended_by)
}

/// Makes a fact from the statements that support it.
pub(super) fn supported(
    group: &Group<'_>,
    object: ObjectIdx,
    validity: Validity,
    support: &[Rank],
    segments: Vec<Segment>,
    ended_by: Option<EndedBy>,
) -> Fact {
    let statements = || support.iter().map(|&rank| group.statements[rank]);
    let first = group.statements[support[0]];
    let mut ids: Vec<_> = statements().map(|statement| statement.id).collect();
    ids.sort_unstable();
    Fact {
        object: group.objects[object].clone(),
        validity,
        segments,
        ended_by,
        known_from: statements().map(|s| s.known_at).min().unwrap_or(first.known_at),
        last_confirmed: statements().map(|s| s.known_at).max().unwrap_or(first.known_at),
        authority: statements().map(|s| s.authority).max_by_key(|a| a.rank()).unwrap_or(first.authority),
        confidence: statements().map(|s| s.confidence).fold(0.0, f64::max),
        support: ids,
        rivals: Vec::new(),
    }
}

fn ranks(run: &[Stretch]) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = run.iter().flat_map(|stretch| stretch.support.iter().copied()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

fn segments(run: &[Stretch]) -> Vec<Segment> {
    run.chunk_by(|one, next| one.basis == next.basis)
        .map(|same| Segment { from: same[0].from, to: same[same.len() - 1].to, basis: same[0].basis })
        .collect()
}

fn own_end(group: &Group<'_>, rank: Rank) -> Option<Instant> {
    let Validity::Over(period) = group.statements[rank].validity else {
        return None;
    };
    period.to().moment().map(|moment| moment.at)
}

/// Returns a bound with the granularity it was said with: by the latest support that has a bound there, else by the
/// latest statement of the group that has.
fn bound(group: &Group<'_>, support: &[Rank], at: Instant) -> Bound {
    if !at.is_ordinary() && (at == Instant::DISTANT_PAST || at == Instant::DISTANT_FUTURE) {
        return Bound::Open;
    }
    let own = support.iter().rev().find_map(|&rank| bounds_of(group.statements[rank]).find(|m| m.at == at));
    Bound::At(own.or_else(|| group.said.of_instant(at)).unwrap_or(Moment::instant(at)))
}

/// Returns the facts without dates: one per object, unless it is denied for all time.
pub(super) fn undated(group: &Group<'_>) -> Vec<Fact> {
    if group.undated.is_empty() {
        return Vec::new();
    }
    let denials = Denials::new(&group.denies);
    let mut supports: BTreeMap<ObjectIdx, Vec<Rank>> = BTreeMap::new();
    for undated in &group.undated {
        if !denials.deny_all_of(undated.rank, undated.object, ALL_TIME) {
            supports.entry(undated.object).or_default().push(undated.rank);
        }
    }
    supports.iter().map(|(&object, support)| undated_of(group, object, support)).collect()
}

/// Returns the fact without dates that rests on undated affirms of an object.
pub(super) fn undated_of(group: &Group<'_>, object: ObjectIdx, support: &[Rank]) -> Fact {
    supported(group, object, Validity::Undated, support, Vec::new(), Some(EndedBy::Bound))
}

/// Sorts facts by start (undated first), then object.
pub(super) fn sort(mut facts: Vec<Fact>) -> Vec<Fact> {
    let start = |fact: &Fact| fact.validity.period().map(Period::start);
    facts.sort_by(|one, other| {
        start(one)
            .cmp(&start(other))
            .then_with(|| one.object.canonical().cmp(&other.object.canonical()))
            .then_with(|| one.validity.cmp(&other.validity))
    });
    facts
}
