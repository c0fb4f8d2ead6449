//! PREV and NEXT: the value that held right before or after another one, by Allen's meets and before.

use bygone_engine::StoreError;
use bygone_engine::time::Period;

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::Side;
use super::anchor::nothing;
use super::selection::{Selection, keyed, unique, value_line};

/// Answers which value stands beside those given; beside what holds now where none is given.
pub(super) fn answer(
    sight: Sight<'_>,
    side: Side,
    of: &Selection,
    than: &[Found],
    than_said: &str,
) -> Result<Response, StoreError> {
    let now = sight.request.now;
    let dated = |found: &&Found| found.row.fact.validity.period().is_some();
    let holds_now =
        |found: &&Found| found.row.fact.validity.period().is_some_and(|period| period.contains(now));
    // Where nothing holds now, what held last came before.
    let is_over = than.is_empty() && !of.found.iter().any(|found| holds_now(&found));
    if is_over
        && side == Side::Previous
        && let Some(last) = of.found.iter().rfind(dated)
    {
        return sight.respond(format!("{}.", value_line(sight, last)?), true, vec![last.clone()]);
    }
    let references: Vec<&Found> = if than.is_empty() {
        let current: Vec<&Found> = of.found.iter().filter(holds_now).collect();
        if current.is_empty() { of.found.iter().rfind(dated).into_iter().collect() } else { current }
    } else {
        than.iter().filter(dated).collect()
    };
    if references.is_empty() {
        let undated: Vec<Found> = than.to_vec();
        if undated.is_empty() {
            return Ok(nothing(of.missing()));
        }
        return sight.respond(format!("Not known: nobody said when {than_said:?} was."), false, undated);
    }
    let mut nearest: Vec<Found> = Vec::new();
    let mut used: Vec<Found> = Vec::new();
    for reference in references {
        used.push(reference.clone());
        let Some(period) = reference.row.fact.validity.period() else { continue };
        let beside = of.found.iter().filter(|found| {
            let is_group = found.row.group == reference.row.group
                || found.row.group.predicate != reference.row.group.predicate;
            let is_other = found.row.fact.object.key() != reference.row.fact.object.key();
            is_group
                && is_other
                && found.row.fact.validity.period().is_some_and(|other| lies(side, other, period))
        });
        let place = |found: &Found| {
            found.row.fact.validity.period().map(|period| match side {
                Side::Previous => period.end().micros().saturating_neg(),
                Side::Next => period.start().micros(),
            })
        };
        let beside: Vec<&Found> = beside.collect();
        let best = beside.iter().map(|found| place(found)).min();
        nearest.extend(beside.into_iter().filter(|found| Some(place(found)) == best).cloned());
    }
    let nearest = unique(nearest);
    let values = |found: &[Found]| found.iter().map(keyed).collect::<Vec<_>>().join(" and ");
    if nearest.is_empty() {
        let word = if side == Side::Previous { "before" } else { "after" };
        let text = format!("Not known: nothing is known {word} {}.", values(&used));
        return sight.respond(text, false, unique(used));
    }
    let mut lines = Vec::new();
    for found in &nearest {
        lines.push(value_line(sight, found)?);
    }
    let rows = unique(nearest.into_iter().chain(used).collect());
    sight.respond(format!("{}.", lines.join("; ")), true, rows)
}

/// Says whether a period lies on the side of another.
fn lies(side: Side, one: Period, other: Period) -> bool {
    match side {
        Side::Previous => one.end() <= other.start(),
        Side::Next => one.start() >= other.end(),
    }
}
