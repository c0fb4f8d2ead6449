//! DURATION and DIFF: how long something held, how long ago it was, how long one thing is from another.

use bygone_engine::StoreError;
use bygone_engine::time::Instant;
use bygone_ontology::TemporalKind;

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::super::wording::join;
use super::Until;
use super::anchor::{Anchor, Order, nothing, order};
use super::extent::Edge;
use super::length::{Unit, length, value};
use super::selection::{Part, Selection, extent_of, unique, value_line};

/// Answers how long a state held, each of its spells; one that goes on is counted up to now.
pub(super) fn held(
    sight: Sight<'_>,
    of: &Selection,
    unit: Option<Unit>,
    is_open: bool,
) -> Result<Response, StoreError> {
    let now = Edge::at(sight.request.now);
    let mut spells = of.found.clone();
    let goes_on = |found: &Found| {
        let period = found.row.fact.validity.period();
        period.is_some_and(|period| period.contains(sight.request.now))
    };
    if is_open && spells.iter().any(goes_on) {
        spells.retain(goes_on);
    }
    let is_over = is_open && !spells.iter().any(goes_on);
    let (mut known, mut vague, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    for found in &spells {
        let line = value_line(sight, found)?;
        let Some(extent) = extent_of(sight.seen, found, Part::Whole)? else {
            vague.push(line);
            continue;
        };
        let (end, so_far) = if goes_on(found) { (now, ", so far") } else { (extent.end, "") };
        let from = if found.kind == TemporalKind::Event && extent.start == extent.end {
            None
        } else {
            Some(extent.start)
        };
        match from.and_then(|from| length(from, end, unit)) {
            Some(length) => {
                known.push(format!("{length}{so_far} ({line})"));
                lengths.extend(from.and_then(|from| value(from, end, unit)));
            }
            None => vague.push(line),
        }
    }
    if spells.is_empty() {
        return Ok(nothing(of.missing()));
    }
    let all = unique(spells);
    if known.is_empty() {
        return sight.respond(format!("Not known how long: {}.", join(&vague)), false, all);
    }
    known.extend(vague);
    let over = if is_over { "It is over: " } else { "" };
    // Of several spells none is the answer by itself.
    let length = lengths.pop().filter(|_| lengths.is_empty());
    Ok(sight.respond(format!("{over}{}.", join(&known)), true, all)?.coming_to(length))
}

/// Answers how long it is from one thing to another, or to now.
pub(super) fn difference(
    sight: Sight<'_>,
    from: &Anchor,
    to: &Until,
    unit: Option<Unit>,
) -> Result<Response, StoreError> {
    let (from_found, from_extent) = match latest(sight, from, to) {
        Ok(occasion) => occasion,
        Err(why) => return from.refuse(sight, &why),
    };
    let (other, to) = match to {
        Until::Now => (None, None),
        Until::Another(to) => match to.only() {
            Ok(occasion) => (Some(occasion.0.clone()), Some(occasion.1)),
            Err(why) => return to.refuse(sight, &why),
        },
    };
    let (from_edge, to_edge, is_ago) = match to {
        None => (from_extent.start, Edge::at(sight.request.now), true),
        Some(to) => match order(&from_extent, &to) {
            Order::After => (to.end, from_extent.start, false),
            Order::Before | Order::Overlapping | Order::Untold => (from_extent.start, to.start, false),
        },
    };
    let mut said = Vec::new();
    for found in std::iter::once(&from_found).chain(&other) {
        said.push(super::selection::dated_deed(sight, found, true)?);
    }
    let inputs = unique(std::iter::once(from_found).chain(other).collect());
    let is_ahead = is_ago && from_edge.lo > sight.request.now;
    let (first, last) = if is_ahead { (to_edge, from_edge) } else { (from_edge, to_edge) };
    let Some(length) = length(first, last, unit) else {
        return sight.respond(format!("Not known how long: {}.", said.join("; ")), false, inputs);
    };
    let ago = match (is_ago, is_ahead) {
        (true, true) => " from now",
        (true, false) => " ago",
        (false, _) => "",
    };
    let value = value(first, last, unit);
    Ok(sight.respond(format!("{length}{ago} ({}).", said.join("; ")), true, inputs)?.coming_to(value))
}

/// "How long ago" is asked of the last time; between two things each has to be one.
fn latest(
    sight: Sight<'_>,
    from: &Anchor,
    to: &Until,
) -> Result<(Found, super::extent::Extent), super::anchor::Timeless> {
    match (from.only(), to) {
        (Ok(occasion), _) => Ok(occasion.clone()),
        (Err(super::anchor::Timeless::Several), Until::Now) => {
            let past = from
                .occasions
                .iter()
                .filter(|(_, extent)| extent.start.hi <= sight.request.now && extent.start.is_dated());
            past.max_by_key(|(_, extent)| extent.start.hi).cloned().ok_or(super::anchor::Timeless::Several)
        }
        (Err(why), _) => Err(why),
    }
}

/// Answers how long it took from the start of something to its end.
pub(super) fn taken(
    sight: Sight<'_>,
    started: &Selection,
    finished: &Selection,
    unit: Option<Unit>,
) -> Result<Response, StoreError> {
    if finished.found.is_empty() {
        let mut response = nothing(finished.missing());
        if !started.found.is_empty() {
            response = sight.respond(response.text, false, started.found.clone())?;
        }
        return Ok(response);
    }
    let end = Anchor::new(sight, finished.clone())?;
    let (end_found, end_extent) = match end.only() {
        Ok(occasion) => occasion.clone(),
        Err(why) => return end.refuse(sight, &why),
    };
    let is_long = end_extent.start != end_extent.end && end_extent.start.is_dated();
    if started.found.is_empty() && is_long {
        let line = value_line(sight, &end_found)?;
        return match length(end_extent.start, end_extent.end, unit) {
            Some(length) => sight.respond(format!("{length} ({line})."), true, vec![end_found]),
            None => sight.respond(format!("Not known how long: {line}."), false, vec![end_found]),
        };
    }
    let start = Anchor::new(sight, started.clone())?;
    let before: Vec<&(Found, super::extent::Extent)> = start
        .occasions
        .iter()
        .filter(|(_, extent)| {
            extent.start.lo <= end_extent.end.hi && extent.start.hi < Instant::DISTANT_FUTURE
        })
        .collect();
    let line = value_line(sight, &end_found)?;
    let Some((start_found, start_extent)) = before.last().map(|occasion| (*occasion).clone()) else {
        let text = format!("Not known: nobody said when it was started ({line}).");
        return sight.respond(text, false, vec![end_found]);
    };
    let inputs = unique(vec![start_found.clone(), end_found]);
    let from = value_line(sight, &start_found)?;
    match length(start_extent.start, end_extent.end, unit) {
        Some(length) => {
            let value = value(start_extent.start, end_extent.end, unit);
            let text = format!("{length} (started: {from}; finished: {line}).");
            Ok(sight.respond(text, true, inputs)?.coming_to(value))
        }
        None => {
            sight.respond(format!("Not known how long (started: {from}; finished: {line})."), false, inputs)
        }
    }
}
