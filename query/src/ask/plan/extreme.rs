//! FIRST and LAST: of several things of a kind the earliest or the latest.
//!
//! Invariant: one is named only where none of the others may come before it, or after it; undated ones are told apart.

use bygone_engine::StoreError;
use bygone_ontology::Cardinality;

use super::super::find::Found;
use super::super::kind::Likeness;
use super::super::respond::{Response, Sight};
use super::super::wording::dates;
use super::Extremity;
use super::anchor::nothing;
use super::extent::Extent;
use super::list::placed;
use super::selection::{Part, Selection, extent_of, keyed, kind_of, unique, value_line, value_lines};
use super::window::{Inside, Relation, Window};

/// Answers which is the first or last one, or when it was.
pub(super) fn answer(
    sight: Sight<'_>,
    end: Extremity,
    of: &Selection,
    noun: Option<&str>,
    asks_time: bool,
    window: &Window,
) -> Result<Response, StoreError> {
    let (mut alike, mut unknown, mut undated) = (Vec::new(), Vec::new(), Vec::new());
    for found in unique(of.found.clone()) {
        let is_like = match noun {
            None => Likeness::Yes,
            Some(noun) => kind_of(sight, &found, noun)?,
        };
        let extent = extent_of(sight.seen, &found, of.part)?;
        let is_ahead =
            found.row.fact.validity.period().is_some_and(|period| period.start() > sight.request.now);
        let whole = extent_of(sight.seen, &found, Part::Whole)?;
        let is_outside = window.relation != Relation::Always && window.meets(whole.as_ref()) != Inside::Yes;
        if is_like == Likeness::No || is_ahead || is_outside {
            continue;
        }
        match (extent, is_like) {
            (None, _) => undated.push(found),
            (Some(extent), Likeness::Yes) => alike.push((found, extent)),
            (Some(extent), _) => unknown.push((found, extent)),
        }
    }
    let is_guess = alike.is_empty() && noun.is_some();
    if is_guess {
        alike.append(&mut unknown);
    }
    if alike.is_empty() {
        if undated.is_empty() {
            return Ok(nothing(format!("Not known: nothing is known of {:?} {}.", of.said, placed(window))));
        }
        let text = format!("Not known: {}.", value_lines(sight, &undated)?);
        return sight.respond(text, false, undated);
    }
    let best: Vec<&(Found, Extent)> =
        alike.iter().filter(|one| alike.iter().all(|other| !beats(sight, end, other, one))).collect();
    let mut values: Vec<String> = best.iter().map(|(found, _)| keyed(found)).collect();
    values.dedup();
    let chosen: Vec<Found> = best.iter().map(|(found, _)| found.clone()).collect();
    let word = if end == Extremity::First { "earlier" } else { "later" };
    if values.len() > 1 || asks_time && chosen.len() > 1 {
        let lines = value_lines(sight, &chosen)?;
        return sight.respond(
            format!("Not known: which came {word} cannot be told: {lines}."),
            false,
            chosen,
        );
    }
    let Some(first) = chosen.first().cloned() else { return Ok(nothing(of.missing())) };
    let line = value_line(sight, &first)?;
    let mut text = if asks_time {
        format!("{} ({}).", dates(sight.seen, &first.row)?, super::selection::deed(&first, false))
    } else {
        format!("{line}.")
    };
    if is_guess && let Some(noun) = noun {
        let more = format!(" (It is not recorded whether it is a {noun}.)");
        text.push_str(&more);
    }
    let rival = unknown.iter().filter(|other| best.iter().all(|one| !beats(sight, end, one, other)));
    let rivals: Vec<Found> = rival.map(|(found, _)| found.clone()).collect();
    if !rivals.is_empty()
        && let Some(noun) = noun
    {
        let lines = value_lines(sight, &rivals)?;
        let more = format!(" (Perhaps {word}, where it is a {noun}: {lines}.)");
        text.push_str(&more);
    }
    if !undated.is_empty() {
        let more = format!(" (Undated, perhaps {word}: {}.)", value_lines(sight, &undated)?);
        text.push_str(&more);
    }
    let rows = unique(chosen.into_iter().chain(window.inputs.clone()).collect());
    sight.respond(text, true, rows)
}

/// Says whether one is surely nearer to the end asked for than another.
fn beats(sight: Sight<'_>, end: Extremity, one: &(Found, Extent), other: &(Found, Extent)) -> bool {
    let (first, second) = if end == Extremity::First { (one, other) } else { (other, one) };
    let definition = sight.ontology.get_or_open(&first.0.row.group.predicate);
    let start = |found: &Found| found.row.fact.validity.period().map(bygone_engine::time::Period::start);
    if first.0.row.group == second.0.row.group && definition.cardinality == Cardinality::One {
        return start(&first.0) < start(&second.0);
    }
    first.1.start.hi < second.1.start.lo
}
