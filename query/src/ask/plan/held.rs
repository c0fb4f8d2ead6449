//! EXISTS: whether something held in a window, always, still, no longer, or was ever told. Yes, no, or not known.

use bygone_engine::time::Instant;
use bygone_engine::{Polarity, StoreError, ValidTime};
use bygone_ontology::TemporalKind;

use super::super::find::{Found, endings};
use super::super::respond::{self, Response, Sight, day};
use super::super::wording::dates;
use super::Manner;
use super::anchor::nothing;
use super::calendar::birth;
use super::joined::within;
use super::list::placed;
use super::selection::{Part, Selection, extent_of, keyed, unique, value_line, value_lines};
use super::window::{Relation, Window};
use crate::facts::group_rows;
use crate::request::Request;
use crate::row::Row;
use crate::why::{Bearing, Evidence};

/// Answers whether what is selected holds, in the way asked.
pub(super) fn answer(
    sight: Sight<'_>,
    manner: Manner,
    of: &Selection,
    window: &Window,
) -> Result<Response, StoreError> {
    match manner {
        Manner::Within => in_window(sight, of, window),
        Manner::Always => always(sight, of, window),
        Manner::Still => still(sight, of),
        Manner::NoLonger => no_longer(sight, of),
        Manner::Told => told(sight, of),
    }
}

fn in_window(sight: Sight<'_>, of: &Selection, window: &Window) -> Result<Response, StoreError> {
    let (sure, perhaps) = within(sight, of, window, false)?;
    let inputs = |found: &[Found]| unique(found.iter().chain(&window.inputs).cloned().collect());
    if !sure.is_empty() {
        let text = format!("Yes: {}.{}", value_lines(sight, &sure)?, window.note(sight)?);
        return sight.respond(text, true, inputs(&sure));
    }
    if !perhaps.is_empty() {
        let text = format!(
            "Not known: whether it was so {} cannot be told: {}.",
            placed(window),
            value_lines(sight, &perhaps)?
        );
        return sight.respond(text, false, inputs(&perhaps));
    }
    if !of.patterns.is_empty() {
        for span in &window.spans {
            let Some(valid) = stretch(span.sure) else { continue };
            let request = Request { valid, ..sight.request.clone() };
            let mut response = respond::exists(Sight { request: &request, ..sight }, &of.patterns)?;
            if response.known {
                let inputs = sight.respond(String::new(), true, inputs(&[]))?;
                response.rows.extend(inputs.rows);
                response.add(inputs.evidence);
                return Ok(response);
            }
        }
    }
    let dated: Vec<Found> =
        of.found.iter().filter(|found| found.row.fact.validity.period().is_some()).cloned().collect();
    if dated.is_empty() {
        let text = format!("Not known: nothing is known of {:?} {}.", of.said, placed(window));
        return sight.respond(text, false, inputs(&[]));
    }
    let text = format!("No: not {}; what is known is {}.", placed(window), value_lines(sight, &dated)?);
    sight.respond(text, true, inputs(&dated))
}

fn stretch((first, last): (Instant, Instant)) -> Option<ValidTime> {
    use bygone_engine::time::{Bound, Moment, Period};
    let bound = |at: Instant| if at.is_ordinary() { Bound::At(Moment::instant(at)) } else { Bound::Open };
    if first == last {
        return Some(ValidTime::At(first));
    }
    Period::new(bound(first), bound(last.next())).ok().filter(|_| first < last).map(ValidTime::During)
}

/// Returns the other values that the groups of some facts have at any time.
fn others(sight: Sight<'_>, of: &[Found]) -> Result<Vec<Found>, StoreError> {
    let request = Request { valid: ValidTime::All, ..sight.request.clone() };
    let mut others: Vec<Found> = Vec::new();
    for found in of {
        let definition = sight.ontology.get_or_open(&found.row.group.predicate);
        if definition.cardinality != bygone_ontology::Cardinality::One {
            continue;
        }
        for row in group_rows(sight.seen, sight.ontology, &request, &found.row.group)? {
            let is_other = of.iter().all(|found| found.row.fact.object.key() != row.fact.object.key());
            if is_other && others.iter().all(|other| other.row.id != row.id) {
                let value = row.fact.object.clone();
                others.push(Found { row, value, kind: definition.kind });
            }
        }
    }
    Ok(others)
}

/// Returns the last statement of each group that denies a value at a time at which it was not so.
fn denials(sight: Sight<'_>, of: &[Found], window: &Window) -> Result<Vec<Evidence>, StoreError> {
    let mut denials: Vec<Evidence> = Vec::new();
    for found in of {
        let holds = |at: Instant| {
            of.iter().any(|found| found.row.fact.validity.period().is_some_and(|period| period.contains(at)))
        };
        for recorded in sight.seen.statements(&found.row.group)? {
            let assertion = &recorded.assertion;
            let is_meant =
                assertion.object.as_ref().is_none_or(|object| object.key() == found.row.fact.object.key());
            let Some(period) = assertion.validity.period() else { continue };
            let first = window.spans.first().map_or(period.start(), |span| span.sure.0.max(period.start()));
            let is_past = first <= sight.request.now && first < period.end();
            let is_denial = assertion.counts() && assertion.polarity == Polarity::Deny && is_meant;
            if is_denial && is_past && !holds(first) && first.is_ordinary() {
                let episode = sight.seen.snapshot().episode(assertion.source.episode)?;
                denials.push(Evidence { bearing: Bearing::Denies, recorded, episode });
            }
        }
    }
    Ok(denials)
}

fn always(sight: Sight<'_>, of: &Selection, window: &Window) -> Result<Response, StoreError> {
    if of.found.is_empty() {
        return Ok(nothing(of.missing()));
    }
    let now = sight.request.now;
    let line = value_lines(sight, &of.found)?;
    let rivals = Selection { found: others(sight, &of.found)?, part: Part::Whole, ..of.clone() };
    let (other, _) = within(sight, &rivals, window, false)?;
    let mut other: Vec<Found> = other;
    other.retain(|found| found.row.fact.validity.period().is_none_or(|period| period.start() <= now));
    if !other.is_empty() {
        let rows = unique(other.iter().chain(&of.found).cloned().collect());
        return sight.respond(format!("No: {}; {line}.", value_lines(sight, &other)?), true, rows);
    }
    let denied = denials(sight, &of.found, window)?;
    if let Some(last) = denied.last() {
        let said = day(last.recorded.assertion.known_at);
        let text = format!("No: said on {said} not to be so; {line}.");
        let mut response = sight.respond(text, true, of.found.clone())?;
        response.add(denied);
        return Ok(response);
    }
    let mut inputs = of.found.clone();
    let mut covered = false;
    for found in &of.found {
        let Some(extent) = extent_of(sight.seen, found, Part::Whole)? else { continue };
        let goes_on = |until: Instant| until.min(now) <= extent.end.lo;
        covered |= found.kind == TemporalKind::Rigid;
        covered |= window.spans.iter().all(|span| {
            let first = if window.relation == Relation::Always { Instant::DISTANT_PAST } else { span.may.0 };
            extent.start.hi <= first && goes_on(span.may.1)
        });
        if window.relation == Relation::Always
            && goes_on(now)
            && let Some((born, row)) = birth(sight, &found.row.group.subject)?
            && extent.start.hi <= born.hi
        {
            covered = true;
            inputs.push(row);
        }
    }
    if covered {
        return sight.respond(format!("Yes: {line}."), true, inputs);
    }
    let text = format!("Not known: {line}; nothing else is known, but not what was in the rest of the time.");
    sight.respond(text, false, of.found.clone())
}

fn holds_now(sight: Sight<'_>, found: &Found) -> bool {
    found.row.fact.validity.period().is_some_and(|period| period.contains(sight.request.now))
}

/// Returns the last fact that was over by now, and nothing of the kind holds now.
fn over<'f>(sight: Sight<'_>, found: &'f [Found]) -> Option<&'f Found> {
    let ended = found.iter().filter(|found| {
        found.row.fact.validity.period().is_some_and(|period| period.end() <= sight.request.now)
    });
    ended.max_by_key(|found| found.row.fact.validity.period().map(bygone_engine::time::Period::end))
}

fn still(sight: Sight<'_>, of: &Selection) -> Result<Response, StoreError> {
    let current: Vec<Found> = of.found.iter().filter(|found| holds_now(sight, found)).cloned().collect();
    if !current.is_empty() {
        return sight.respond(format!("Yes: {}.", value_lines(sight, &current)?), true, current);
    }
    match over(sight, &of.found) {
        Some(last) => ended(sight, "No", last),
        None if of.found.is_empty() => Ok(nothing(of.missing())),
        None => {
            let text = format!("Not known: {}.", value_lines(sight, &of.found)?);
            sight.respond(text, false, of.found.clone())
        }
    }
}

fn ended(sight: Sight<'_>, word: &str, last: &Found) -> Result<Response, StoreError> {
    let dates = dates(sight.seen, &last.row)?;
    let text = format!("{word}: {}, {dates} (ended).", keyed(last));
    let mut response = sight.respond(text, true, vec![last.clone()])?;
    let rows: Vec<Row> = response.rows.clone();
    response.add(endings(sight.seen, &rows)?);
    Ok(response)
}

fn no_longer(sight: Sight<'_>, of: &Selection) -> Result<Response, StoreError> {
    let current: Vec<Found> = of.found.iter().filter(|found| holds_now(sight, found)).cloned().collect();
    if !current.is_empty() {
        return sight.respond(
            format!("No, it is still so: {}.", value_lines(sight, &current)?),
            true,
            current,
        );
    }
    if let Some(last) = over(sight, &of.found) {
        return ended(sight, "Yes", last);
    }
    if !of.patterns.is_empty() {
        let request = Request { valid: ValidTime::At(sight.request.now), ..sight.request.clone() };
        let mut response = respond::exists(Sight { request: &request, ..sight }, &of.patterns)?;
        let is_denied = response.known && response.text.contains("not to be so");
        if is_denied {
            response.text = response.text.replacen("No", "Yes", 1);
            return Ok(response);
        }
        if !response.rows.is_empty() {
            let rest = response.text.trim_start_matches("No: ").trim_start_matches("Not known: ").to_owned();
            response.text = format!("Not known that it ever was so: {rest}");
            response.known = false;
            return Ok(response);
        }
    }
    if of.found.is_empty() {
        return Ok(nothing(of.missing()));
    }
    let text = format!("Not known: {}.", value_lines(sight, &of.found)?);
    sight.respond(text, false, of.found.clone())
}

fn told(sight: Sight<'_>, of: &Selection) -> Result<Response, StoreError> {
    if of.found.is_empty() {
        return Ok(nothing(of.missing()));
    }
    let current: Vec<Found> = of.found.iter().filter(|found| holds_now(sight, found)).cloned().collect();
    let told = if current.is_empty() { of.found.clone() } else { current };
    let mut lines = Vec::new();
    for found in &told {
        lines.push(format!(
            "{} (first said on {})",
            value_line(sight, found)?,
            day(found.row.fact.known_from)
        ));
    }
    sight.respond(format!("Yes: {}.", super::super::wording::join(&lines)), true, told)
}
