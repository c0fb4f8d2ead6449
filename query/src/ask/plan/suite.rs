//! Whether tests passed at the time of something: the state of each suite that held then.

use bygone_engine::time::Instant;
use bygone_engine::{Object, StoreError, ValidTime};

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::super::wording::{dates, join};
use super::anchor::nothing;
use super::list::placed;
use super::selection::unique;
use super::window::Window;
use crate::facts::{Filter, facts};
use crate::request::Request;

const PREDICATE: &str = "test_status";

/// Answers whether every suite had the wanted state throughout the time asked about.
pub(super) fn answer(sight: Sight<'_>, wanted: &str, window: &Window) -> Result<Response, StoreError> {
    let request = Request { valid: ValidTime::All, ..sight.request.clone() };
    let filter = Filter { predicate: Some(PREDICATE.to_owned()), ..Filter::default() };
    let kind = sight.ontology.get_or_open(PREDICATE).kind;
    let rows = facts(sight.seen, sight.ontology, &request, &filter)?;
    let may: Vec<(Instant, Instant)> = window.spans.iter().map(|span| span.may).collect();
    let mut then: Vec<Found> = Vec::new();
    for row in rows {
        let period = row.fact.validity.period();
        if may.iter().any(|(first, last)| period.is_some_and(|p| p.start() <= *last && *first < p.end())) {
            then.push(Found { value: row.fact.object.clone(), row, kind });
        }
    }
    let mut lines = Vec::new();
    for found in &then {
        let key = &found.row.group.key;
        let command = if key.is_empty() { String::new() } else { format!("`{key}` in ") };
        let value = crate::say::object_text(&found.value);
        let name = found.row.group.subject.name();
        lines.push(format!("{command}{name} {value}, {}", dates(sight.seen, &found.row)?));
    }
    let inputs = unique(then.iter().chain(&window.inputs).cloned().collect());
    let lines = join(&lines);
    if then.is_empty() {
        let text = format!("Not known: no state of tests is known {}.", placed(window));
        return if inputs.is_empty() { Ok(nothing(text)) } else { sight.respond(text, false, inputs) };
    }
    let is_wanted = |found: &Found| matches!(&found.value, Object::Text(text) if text == wanted);
    let covers = |found: &Found| {
        let period = found.row.fact.validity.period();
        may.iter().all(|(first, last)| period.is_some_and(|p| p.start() <= *first && *last < p.end()))
    };
    let all = then.iter().filter(|found| is_wanted(found)).count();
    if all == then.len() && then.iter().all(covers) {
        sight.respond(format!("Yes: {lines}."), true, inputs)
    } else if all == 0 && then.iter().any(covers) {
        sight.respond(format!("No: {lines}."), true, inputs)
    } else if then.iter().any(|found| !is_wanted(found) && covers(found)) {
        sight.respond(format!("No, not all: {lines}."), true, inputs)
    } else {
        sight.respond(
            format!("Not known: it changed about then, or is not dated so finely: {lines}."),
            false,
            inputs,
        )
    }
}
