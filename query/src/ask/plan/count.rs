//! COUNT: how often something happened, and how many different things there are.
//!
//! What is only known to a granule that reaches beyond the window is counted apart: it may lie in it or not.

use bygone_engine::{Object, StoreError};
use bygone_ontology::TemporalKind;

use super::super::find::Found;
use super::super::kind::{Likeness, stem, words_of};
use super::super::respond::{Response, Sight};
use super::super::wording::{dates, join};
use super::anchor::nothing;
use super::list::placed;
use super::selection::{Part, Selection, extent_of, keyed, kind_of, unique, value_lines};
use super::window::{Inside, Relation, Window};

/// Answers how often something happened.
pub(super) fn times(sight: Sight<'_>, of: &Selection, window: &Window) -> Result<Response, StoreError> {
    let (sure, perhaps) = split(sight, &of.found, window, of.part, false)?;
    let rows = unique(sure.iter().chain(&perhaps).chain(&window.inputs).cloned().collect());
    let unsure = lines(sight, &perhaps)?;
    if sure.is_empty() {
        let text = if perhaps.is_empty() {
            format!("Not known: nothing is known of {:?} {}.", of.said, placed(window))
        } else {
            format!("Not known: at most {}; whether then cannot be told: {unsure}.", perhaps.len())
        };
        return sight.respond(text, false, rows);
    }
    let undated = sure.iter().any(|found| found.row.fact.validity.period().is_none());
    let least = if undated { "at least " } else { "" };
    let mut text = format!("{least}{}: {}.", how_often(sure.len()), lines(sight, &sure)?);
    if !perhaps.is_empty() {
        let more = format!(" Perhaps {} more, of which it cannot be told: {unsure}.", perhaps.len());
        text.push_str(&more);
    }
    sight.respond(text, true, rows)
}

fn how_often(n: usize) -> String {
    match n {
        1 => "once".to_owned(),
        2 => "twice (2 times)".to_owned(),
        n => format!("{n} times"),
    }
}

fn lines(sight: Sight<'_>, found: &[Found]) -> Result<String, StoreError> {
    let lines: Vec<String> = found
        .iter()
        .map(|found| Ok(format!("{}, {}", keyed(found), dates(sight.seen, &found.row)?)))
        .collect::<Result<_, StoreError>>()?;
    Ok(join(&lines))
}

/// Splits facts by whether they surely or perhaps count.
fn split(
    sight: Sight<'_>,
    found: &[Found],
    window: &Window,
    part: Part,
    by_overlap: bool,
) -> Result<(Vec<Found>, Vec<Found>), StoreError> {
    let (mut sure, mut perhaps) = (Vec::new(), Vec::new());
    for item in unique(found.to_vec()) {
        let extent = extent_of(sight.seen, &item, part)?;
        let inside = if window.relation == Relation::Always || item.kind == TemporalKind::Rigid {
            Inside::Yes
        } else if by_overlap && item.kind == TemporalKind::State {
            // What somebody says is so was so when they said it, whenever it began.
            match (window.valid, item.row.fact.validity.period()) {
                (Some(valid), Some(_)) if valid.selects(item.row.fact.validity) => Inside::Yes,
                _ => window.meets(extent.as_ref()),
            }
        } else {
            window.holds(extent.as_ref())
        };
        match inside {
            Inside::Yes => sure.push(item),
            Inside::Perhaps => perhaps.push(item),
            Inside::No => {}
        }
    }
    Ok((sure, perhaps))
}

/// Answers how many different values of a kind there are.
pub(super) fn distinct(
    sight: Sight<'_>,
    of: &Selection,
    noun: &str,
    window: &Window,
) -> Result<Response, StoreError> {
    let (mut alike, mut unknown) = (Vec::new(), Vec::new());
    for found in &of.found {
        match kind_of(sight, found, noun)? {
            Likeness::Yes => alike.push(found.clone()),
            // An occasion is what its words say: "dentist appointment".
            Likeness::Unknown if are_occasions(sight, std::slice::from_ref(found), noun)? => {
                alike.push(found.clone());
            }
            Likeness::Unknown => unknown.push(found.clone()),
            Likeness::No => {}
        }
    }
    let is_guess = alike.is_empty();
    if is_guess {
        alike.append(&mut unknown);
    }
    alike = without_containers(sight, alike, noun)?;
    let (sure, perhaps) = split(sight, &alike, window, Part::Whole, true)?;
    let (values, extra) = (names(&sure), names(&perhaps));
    let extra: Vec<String> = extra.into_iter().filter(|name| !values.contains(name)).collect();
    let unknown = names(&split(sight, &unknown, window, Part::Whole, true)?.0);
    if values.is_empty() {
        if extra.is_empty() {
            let text = format!("Not known: nothing is known of {:?} {}.", of.said, placed(window));
            return Ok(nothing(text));
        }
        let rows = unique(perhaps);
        let text = format!("Not known: at most {}: {}.", extra.len(), value_lines(sight, &rows)?);
        return sight.respond(text, false, rows);
    }
    let undecided: Vec<Found> = perhaps.into_iter().filter(|found| extra.contains(&keyed(found))).collect();
    // Who lived in something lived in a city or the like; what was had or attended may be anything.
    if is_guess && !sure.iter().all(|found| found.row.group.predicate == "lives_in") {
        let lines = value_lines(sight, &sure)?;
        let text = format!("Not known: of none it is recorded whether it is one of the {noun}: {lines}.");
        return sight.respond(text, false, unique(sure));
    }
    // Two appointments are two, and two visits to one country are one country.
    let n_different = if are_occasions(sight, &sure, noun)? { sure.len() } else { values.len() };
    let mut text = format!("{n_different}: {}.", value_lines(sight, &sure)?);
    if !extra.is_empty() {
        let more = format!(" Perhaps also: {}.", value_lines(sight, &undecided)?);
        text.push_str(&more);
    }
    if is_guess {
        let more = format!(" (Of none it is recorded whether it is one of the {noun}.)");
        text.push_str(&more);
    } else if !unknown.is_empty() {
        let more = format!(" (Of {} it is not recorded whether they are {noun}.)", unknown.join(" and "));
        text.push_str(&more);
    }
    let rows = unique(sure.into_iter().chain(undecided).chain(window.inputs.clone()).collect());
    sight.respond(text, true, rows)
}

/// Says whether each of some facts is itself an occasion of what is counted.
fn are_occasions(sight: Sight<'_>, found: &[Found], noun: &str) -> Result<bool, StoreError> {
    let counted = noun.split_whitespace().next_back().map(stem).unwrap_or_default();
    for item in found {
        if item.kind != TemporalKind::Event
            || !words_of(sight.seen, sight.ontology, &item.value)?.contains(&counted)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Leaves out what another of the values is known to lie in: who lived in Lisbon lived in Portugal.
fn without_containers(sight: Sight<'_>, found: Vec<Found>, noun: &str) -> Result<Vec<Found>, StoreError> {
    if ["countries", "country", "places", "place"].contains(&noun) {
        return Ok(found);
    }
    let mut containers: Vec<Object> = Vec::new();
    for item in &found {
        let Some(entity) = item.value.entity() else { continue };
        for group in sight.seen.groups_of(entity)? {
            if ["located_in", "part_of"].contains(&group.predicate.as_str()) {
                containers.extend(sight.seen.facts(&group)?.into_iter().map(|fact| fact.object));
            }
        }
    }
    Ok(found.into_iter().filter(|item| !containers.contains(&item.value)).collect())
}

fn names(found: &[Found]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for item in found {
        let name = keyed(item);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
