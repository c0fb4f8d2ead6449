//! What holds at one instant, read rule by rule from the contract, and the segments that follow from asking at every
//! instant at which the answer can change.
//!
//! Deliberately unclever: every rule is a function that looks at all statements of the group again, and nothing is
//! kept between two instants. Cubic in the statements of a group, for each instant asked.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::{Bound, Instant, Moment, Period, Validity};
use bygone_engine::{Assertion, Basis, Object, Polarity};
use bygone_ontology::{Cardinality, Definition, TemporalKind};

use super::order::{is_later, latest, weight};

/// What holds over a stretch of instants: the object, the first instant, the instant after the last, the basis.
/// The distant instants stand for open ends.
pub type Stretch = (Object, Instant, Instant, Basis);

/// Returns what holds at an instant, sorted by the objects' canonical text.
///
/// The statements are those of one group that are visible in one view, without repetitions of an id, and with objects
/// that are one entity in that view already made equal. Undated statements hold at no instant of a state or event.
pub fn holding_at(definition: &Definition, statements: &[&Assertion], t: Instant) -> Vec<(Object, Basis)> {
    let mut holding = Vec::new();
    for part in independent_parts(definition, statements) {
        holding.extend(match definition.kind {
            TemporalKind::State => state_at(&part, t),
            TemporalKind::Event => event_at(&part, t),
            TemporalKind::Rigid => rigid_at(&part),
        });
    }
    holding.sort_by_key(|(object, _)| object.canonical());
    holding
}

/// Returns the stretches over which one object holds on one basis, sorted by start, then object.
///
/// Stretches are maximal: two occurrences of an event that touch read as one stretch.
pub fn segments(definition: &Definition, statements: &[&Assertion]) -> Vec<Stretch> {
    let instants: Vec<Instant> = candidate_instants(statements).into_iter().collect();
    let mut open: BTreeMap<String, Stretch> = BTreeMap::new();
    let mut done = Vec::new();
    for (place, &from) in instants.iter().enumerate() {
        let to = instants.get(place + 1).copied().unwrap_or(Instant::DISTANT_FUTURE);
        let mut now = BTreeMap::new();
        for (object, basis) in holding_at(definition, statements, from) {
            let name = object.canonical();
            let start = match open.remove(&name) {
                Some((_, start, _, before)) if before == basis => start,
                Some(ended) => {
                    done.push(ended);
                    from
                }
                None => from,
            };
            now.insert(name, (object, start, to, basis));
        }
        done.extend(open.into_values());
        open = now;
    }
    done.extend(open.into_values());
    done.sort_by_key(|(object, from, _, _)| (*from, object.canonical()));
    done
}

/// The instants at which the answer can change: every bound and granule end, with the instants beside it.
fn candidate_instants(statements: &[&Assertion]) -> BTreeSet<Instant> {
    let mut edges = BTreeSet::new();
    for statement in statements {
        let bounds = match statement.validity {
            Validity::Undated => [None, None],
            Validity::Over(period) => [period.from().moment(), period.to().moment()],
        };
        let moments = bounds.into_iter().chain([statement.sure_until]).flatten();
        for moment in moments {
            edges.extend([moment.at, moment.end(), moment.grain.before(moment.at)]);
        }
    }
    let mut instants = BTreeSet::from([Instant::DISTANT_PAST]);
    for edge in edges {
        instants.extend([edge.previous(), edge, edge.next()]);
    }
    instants
}

/// *State, many*: the statements of each object apart, each with the denies that name no object.
/// *State, one*: all statements together.
fn independent_parts<'a>(definition: &Definition, statements: &[&'a Assertion]) -> Vec<Vec<&'a Assertion>> {
    match definition.cardinality {
        Cardinality::One => vec![statements.to_vec()],
        Cardinality::Many => {
            let names: BTreeSet<String> = statements.iter().filter_map(|s| object_name(s)).collect();
            let part = |name: String| {
                let belongs = |s: &&&Assertion| object_name(s).is_none_or(|other| other == name);
                statements.iter().filter(belongs).copied().collect()
            };
            names.into_iter().map(part).collect()
        }
    }
}

fn state_at(statements: &[&Assertion], t: Instant) -> Vec<(Object, Basis)> {
    let statements = &without_void_ends(statements);
    let stated = stated(statements, &affirms(statements), t);
    let presumed = || presumed(statements, t).map(|affirm| (affirm, Basis::Presumed));
    stated
        .map(|affirm| (affirm, Basis::Stated))
        .or_else(presumed)
        .and_then(|(affirm, basis)| Some((affirm.object.clone()?, basis)))
        .into_iter()
        .collect()
}

// 1. Ends.

/// *Ends*: a deny with an open end and a known start.
fn is_end(statement: &Assertion) -> bool {
    statement.polarity == Polarity::Deny
        && period(statement).is_some_and(|period| period.to().is_open() && !period.from().is_open())
}

/// *Ends*: what is left when the void ones are struck out, each judged with all the others, void or not.
fn without_void_ends<'a>(statements: &[&'a Assertion]) -> Vec<&'a Assertion> {
    let mut left = statements.to_vec();
    left.retain(|statement| !is_void_end(statements, statement));
    left
}

/// *Ends*: whether another END of the same object replaces this one.
fn is_void_end(statements: &[&Assertion], end: &Assertion) -> bool {
    is_end(end)
        && statements.iter().any(|other| {
            is_end(other)
                && is_later(other, end)
                && end.object.is_some()
                && same_object(other, end)
                && !begins_again_between(statements, end, other)
                && !is_repetition_of(other, end)
        })
}

/// *Ends*: whether the object is affirmed from after the smaller of two ENDs and not after the greater.
fn begins_again_between(statements: &[&Assertion], one: &Assertion, other: &Assertion) -> bool {
    let smaller = start(one).min(start(other));
    let greater = start(one).max(start(other));
    affirms(statements)
        .into_iter()
        .any(|affirm| same_object(affirm, one) && smaller < start(affirm) && start(affirm) <= greater)
}

/// *Ends*: whether an END merely repeats one that starts before it.
fn is_repetition_of(end: &Assertion, earlier_start: &Assertion) -> bool {
    start(earlier_start) < start(end) && (is_dated_by_being_said(end) || is_coarser(end, earlier_start))
}

/// *Ends*: an END whose start is its own known time.
fn is_dated_by_being_said(end: &Assertion) -> bool {
    start(end) == end.known_at
}

/// *Ends*: the granule that ends at the one's start contains the other's start after its own start.
fn is_coarser(end: &Assertion, other: &Assertion) -> bool {
    from(end).is_some_and(|from| {
        let granule_start = from.grain.before(from.at);
        granule_start < start(other) && start(other) < from.at
    })
}

// "Denied at t".

/// *Denied at t*: by a deny that is later than the affirm and covers t for its object.
fn is_denied_at(statements: &[&Assertion], affirm: &Assertion, t: Instant) -> bool {
    denies_covering(statements, affirm, t).into_iter().any(|deny| is_later(deny, affirm))
}

/// The denies that cover an instant for the object of an affirm.
fn denies_covering<'a>(statements: &[&'a Assertion], affirm: &Assertion, t: Instant) -> Vec<&'a Assertion> {
    let covers = |deny: &&Assertion| {
        deny.polarity == Polarity::Deny
            && period(deny).is_some_and(|period| period.contains(t))
            && (deny.object.is_none() || same_object(deny, affirm))
    };
    statements.iter().copied().filter(covers).collect()
}

fn is_denied_at_its_own_start(statements: &[&Assertion], affirm: &Assertion) -> bool {
    is_denied_at(statements, affirm, start(affirm))
}

// 2. Stated regions.

/// *Stated regions*: where the region of an affirm ends before anything cuts it short.
fn uncut_end(affirm: &Assertion) -> Instant {
    match affirm.sure_until {
        Some(sure_until) => sure_until.end(),
        None => period(affirm).map_or(Instant::DISTANT_PAST, Period::end),
    }
}

/// *Stated regions*: the first instant at which another affirm cuts the region short.
fn cut(statements: &[&Assertion], affirm: &Assertion) -> Option<Instant> {
    affirms(statements)
        .into_iter()
        .filter(|other| {
            is_open(other)
                && !same_object(other, affirm)
                && !is_denied_at_its_own_start(statements, other)
                && (cuts_as_later(other, affirm) || cuts_a_bare_granule(other, affirm))
        })
        .map(start)
        .min()
}

/// *Stated regions*: a later affirm starts inside the region or at its start.
fn cuts_as_later(other: &Assertion, affirm: &Assertion) -> bool {
    is_later(other, affirm) && start(affirm) <= start(other) && start(other) < uncut_end(affirm)
}

/// *Stated regions*: an earlier affirm of no lower authority starts in a bare granule after its start.
fn cuts_a_bare_granule(other: &Assertion, affirm: &Assertion) -> bool {
    is_bare_granule(affirm)
        && is_later(affirm, other)
        && weight(other.authority) >= weight(affirm.authority)
        && start(affirm) < start(other)
        && start(other) < uncut_end(affirm)
}

/// *Stated regions*: an open affirm that vouches for no more than its start.
fn is_bare_granule(affirm: &Assertion) -> bool {
    is_open(affirm) && affirm.sure_until == from(affirm)
}

/// *Stated regions*: whether the region, as cut short, contains an instant.
fn region_contains(statements: &[&Assertion], affirm: &Assertion, t: Instant) -> bool {
    let before_cut = cut(statements, affirm).is_none_or(|cut| t < cut);
    start(affirm) <= t && t < uncut_end(affirm) && before_cut
}

// 3. Stated at t.

/// *Stated at t*: the latest of some affirms whose region contains t and that is not denied there.
fn stated<'a>(statements: &[&Assertion], among: &[&'a Assertion], t: Instant) -> Option<&'a Assertion> {
    let holds =
        |affirm: &&Assertion| region_contains(statements, affirm, t) && !is_denied_at(statements, affirm, t);
    latest(among.iter().copied().filter(holds))
}

// 4. Presumed at t.

/// *Presumed at t*: the change points.
fn change_points<'a>(statements: &[&'a Assertion]) -> Vec<&'a Assertion> {
    let mut open = affirms(statements);
    open.retain(|affirm| is_open(affirm));
    let is_change = |affirm: &&Assertion| {
        !is_denied_at_its_own_start(statements, affirm)
            && stated(statements, &open, start(affirm)).is_some_and(|there| same_object(there, affirm))
    };
    open.iter().copied().filter(is_change).collect()
}

/// *Presumed at t*: the last moment vouched for, as it counts at t.
fn vouched_until(statements: &[&Assertion], affirm: &Assertion, t: Instant) -> Instant {
    let said = affirm.sure_until.map_or(start(affirm), |sure_until| sure_until.at);
    let kept = match cut(statements, affirm) {
        Some(cut) => said.min(cut.previous()),
        None => said,
    };
    if kept > t { last_undenied_before(statements, affirm, t) } else { kept }
}

/// *Presumed at t*: the last instant before t at which the affirm is not denied. Between two edges nothing changes, so
/// that only the instants just before an edge need a look.
fn last_undenied_before(statements: &[&Assertion], affirm: &Assertion, t: Instant) -> Instant {
    let mut instants = candidate_instants(statements);
    instants.insert(t.previous());
    instants
        .into_iter()
        .rev()
        .find(|instant| *instant < t && !is_denied_at(statements, affirm, *instant))
        .unwrap_or(Instant::DISTANT_PAST)
}

/// *Presumed at t*: the change point vouched for last, unless a deny ends it.
fn presumed<'a>(statements: &[&'a Assertion], t: Instant) -> Option<&'a Assertion> {
    let mut points = change_points(statements);
    points.retain(|affirm| start(affirm) <= t);
    let last = points.iter().map(|affirm| vouched_until(statements, affirm, t)).max()?;
    points.retain(|affirm| vouched_until(statements, affirm, t) == last);
    latest(points).filter(|affirm| !is_presumption_denied_at(statements, affirm, t))
}

/// *Presumed at t*: whether a deny at t is later than the affirm or starts after all it vouches for.
fn is_presumption_denied_at(statements: &[&Assertion], affirm: &Assertion, t: Instant) -> bool {
    denies_covering(statements, affirm, t)
        .into_iter()
        .any(|deny| is_later(deny, affirm) || start(deny) >= uncut_end(affirm))
}

// Events.

/// *Event*: the occurrences at t, of each object at most one.
fn event_at(statements: &[&Assertion], t: Instant) -> Vec<(Object, Basis)> {
    let mut holding = BTreeMap::new();
    for occurrence in occurrences(statements) {
        if let (Some(object), true) = (&occurrence.object, happens_at(occurrence, t)) {
            holding.insert(object.canonical(), (object.clone(), Basis::Stated));
        }
    }
    holding.into_values().collect()
}

/// *Event*: the affirms whose period stands for an occurrence: from the finest on, each that overlaps none kept before.
fn occurrences<'a>(statements: &[&'a Assertion]) -> Vec<&'a Assertion> {
    let mut rest = affirms(statements);
    rest.retain(|affirm| !is_wholly_denied(statements, affirm));
    let mut kept: Vec<&Assertion> = Vec::new();
    while let Some(finest) = rest.iter().copied().map(width).min() {
        let next = latest(rest.iter().copied().filter(|affirm| width(affirm) == finest));
        let Some(next) = next else { break };
        rest.retain(|affirm| affirm.id != next.id);
        if !kept.iter().any(|other| is_one_occurrence(other, next)) {
            kept.push(next);
        }
    }
    kept
}

/// *Event*: the same object over periods that overlap.
fn is_one_occurrence(one: &Assertion, other: &Assertion) -> bool {
    same_object(one, other) && start(one) < uncut_end(other) && start(other) < uncut_end(one)
}

/// *Event*: denied at every instant of its period.
fn is_wholly_denied(statements: &[&Assertion], affirm: &Assertion) -> bool {
    candidate_instants(statements)
        .into_iter()
        .filter(|t| happens_at(affirm, *t))
        .all(|t| is_event_denied_at(statements, affirm, t))
}

/// *Event*: denied at t, where the rule of ENDs has no part.
fn is_event_denied_at(statements: &[&Assertion], affirm: &Assertion, t: Instant) -> bool {
    statements.iter().any(|deny| {
        deny.polarity == Polarity::Deny
            && is_later(deny, affirm)
            && (deny.object.is_none() || same_object(deny, affirm))
            && period(deny).is_some_and(|period| period.contains(t))
    })
}

fn happens_at(affirm: &Assertion, t: Instant) -> bool {
    start(affirm) <= t && t < uncut_end(affirm)
}

/// How wide the period of an affirm is, in microseconds.
fn width(affirm: &Assertion) -> i128 {
    i128::from(uncut_end(affirm).micros()) - i128::from(start(affirm).micros())
}

// Rigid.

/// *Rigid*: the latest undenied affirm, for all time.
fn rigid_at(statements: &[&Assertion]) -> Vec<(Object, Basis)> {
    let mut undenied: Vec<&Assertion> = statements.to_vec();
    undenied.retain(|s| s.polarity == Polarity::Affirm && !is_rigid_denied(statements, s));
    latest(undenied).and_then(|affirm| Some((affirm.object.clone()?, Basis::Stated))).into_iter().collect()
}

/// *Rigid*: denied at its own start; one without dates by a deny of all time.
fn is_rigid_denied(statements: &[&Assertion], affirm: &Assertion) -> bool {
    match affirm.validity {
        Validity::Over(_) => is_event_denied_at(statements, affirm, start(affirm)),
        Validity::Undated => {
            candidate_instants(statements).into_iter().all(|t| is_event_denied_at(statements, affirm, t))
        }
    }
}

// Reading statements.

/// The affirms that have dates.
fn affirms<'a>(statements: &[&'a Assertion]) -> Vec<&'a Assertion> {
    let dated = |s: &&Assertion| s.polarity == Polarity::Affirm && period(s).is_some();
    statements.iter().copied().filter(dated).collect()
}

fn period(statement: &Assertion) -> Option<Period> {
    statement.validity.period()
}

fn from(statement: &Assertion) -> Option<Moment> {
    period(statement).map(Period::from).and_then(Bound::moment)
}

fn start(statement: &Assertion) -> Instant {
    period(statement).map_or(Instant::DISTANT_PAST, Period::start)
}

fn is_open(affirm: &Assertion) -> bool {
    period(affirm).is_some_and(|period| period.to().is_open())
}

fn object_name(statement: &Assertion) -> Option<String> {
    statement.object.as_ref().map(Object::canonical)
}

fn same_object(one: &Assertion, other: &Assertion) -> bool {
    one.object == other.object
}
