//! Listing memories, getting one, and searching them: by the search over turns, each memory as the turn that says it.

use std::collections::{BTreeMap, BTreeSet};

use bygone_query::interface::InterfaceError;
use bygone_query::interface::memories::{self, Asked, Memory};
use serde_json::{Map, Value, json};

use super::Place;
use super::address::{KINDS, Version};
use super::given::Given;
use crate::clock::Clock;
use crate::serve::reply::Problem;
use crate::verb::{Ask, Outlet, run, verb};

/// How many memories a page has where nobody says it, as there.
const PAGE: u64 = 100;
/// How many memories are found where nobody says it.
const WANTED: u64 = 10;
/// The most memories that are found.
const MOST_WANTED: u64 = 1_000;
/// How many turns are looked through for memories, at first and then (chosen, untested).
const TURNS: [u64; 2] = [200, 5_000];
/// How many bytes of turns are read.
const MOST_READ: usize = 64 << 20;
/// How many texts are compared by meaning alone at most.
const MOST_COMPARED: usize = 20_000;
/// What a memory scores at most that the search does not find: what likeness of meaning counts there.
const BY_MEANING: f64 = 0.25;

fn asked(given: &Given) -> Result<Asked, Problem> {
    Ok(Asked {
        filter: given.filter()?,
        shows_expired: given.flag("show_expired")?.unwrap_or(false),
        as_of: given.as_of()?,
    })
}

fn listed(place: &Place<'_>, asked: &Asked) -> Result<Vec<Memory>, Problem> {
    let now = Clock::System.now();
    let found = place.reading(|space| memories::list(&space.snapshot(), now, asked))?;
    Ok(found.unwrap_or_default())
}

/// Says whether rows are returned in an object: what the first version does only where it is asked to.
fn is_wrapped(given: &Given, version: Version) -> Result<bool, Problem> {
    Ok(version != Version::First || given.text("output_format")?.as_deref() == Some("v1.1"))
}

pub(super) fn list(place: &Place<'_>, given: &Given, version: Version) -> Result<Value, Problem> {
    let found = listed(place, &asked(given)?)?;
    let (page, size) = (given.number("page")?, given.number("page_size")?);
    let is_paged = page.is_some() || size.is_some();
    if !is_paged && !is_wrapped(given, version)? {
        return Ok(found.iter().map(Memory::to_json).collect());
    }
    let (page, size) = (page.unwrap_or(1).max(1), size.unwrap_or(PAGE).clamp(1, MOST_WANTED));
    let from = usize::try_from((page - 1).saturating_mul(size)).unwrap_or(usize::MAX).min(found.len());
    let to = from.saturating_add(usize::try_from(size).unwrap_or(usize::MAX)).min(found.len());
    let at = |page: u64| format!("?page={page}&page_size={size}");
    let results: Vec<Value> = found[from..to].iter().map(Memory::to_json).collect();
    Ok(json!({
        "count": found.len(), "results": results,
        "next": (to < found.len()).then(|| at(page + 1)), "previous": (page > 1).then(|| at(page - 1)),
    }))
}

pub(super) fn get(place: &Place<'_>, given: &Given, id: &str) -> Result<Value, Problem> {
    let as_of = given.as_of()?;
    let found = place.reading(|space| memories::get(&space.snapshot(), id, &as_of))?;
    found.map_or_else(|| Err(nothing()), |memory| Ok(memory.to_json()))
}

pub(super) fn history(place: &Place<'_>, id: &str) -> Result<Value, Problem> {
    let found = place.reading(|space| memories::history(&space.snapshot(), id))?;
    found.map_or_else(|| Err(nothing()), |events| Ok(events.into()))
}

fn nothing() -> Problem {
    Problem::not_found("there is no such memory")
}

/// Returns whose memories there are.
pub(super) fn entities(place: &Place<'_>) -> Result<Value, Problem> {
    let mut entities: BTreeMap<(&str, String), (usize, String, String)> = BTreeMap::new();
    for memory in listed(place, &Asked { shows_expired: true, ..Asked::default() })? {
        let told = memory.to_json();
        let time = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        for (kind, field) in KINDS {
            let Some(name) = told[field].as_str() else { continue };
            let entity = entities.entry((kind, name.to_owned())).or_default();
            entity.0 += 1;
            // What was made first comes last.
            entity.1 = time("created_at");
            entity.2 = time("updated_at").max(std::mem::take(&mut entity.2));
        }
    }
    let told = |((kind, name), (n_memories, created, updated)): ((&str, String), (usize, String, String))| {
        json!({
            "id": name, "name": name, "type": kind, "total_memories": n_memories, "metadata": null,
            "created_at": created, "updated_at": updated,
        })
    };
    let results: Vec<Value> = entities.into_iter().map(told).collect();
    Ok(json!({ "count": results.len(), "next": null, "previous": null, "results": results }))
}

pub(super) fn search(place: &Place<'_>, given: &Given, version: Version) -> Result<Value, Problem> {
    let query = given.text("query")?.filter(|query| !query.trim().is_empty());
    let query = query.ok_or_else(|| Problem::bad_request("query: expected a text"))?;
    let n_wanted = given.number("top_k")?.or(given.number("limit")?).unwrap_or(WANTED).clamp(1, MOST_WANTED);
    let n_wanted = usize::try_from(n_wanted).unwrap_or(usize::MAX);
    let threshold = given.decimal("threshold")?.unwrap_or(0.0);
    let asked = asked(given)?;
    let memories = listed(place, &asked)?;
    let mut found = if memories.is_empty() {
        Vec::new()
    } else {
        let mut found = by_turns(place, given, &query, &memories, n_wanted)?;
        if found.len() < n_wanted {
            by_meaning(place, &query, &memories, n_wanted, &mut found)?;
        }
        found
    };
    found.retain(|(_, score)| *score >= threshold);
    found.truncate(n_wanted);
    let fields = match given.value("fields") {
        Some(Value::Array(_)) => Some(given.list("fields")?),
        _ => None,
    };
    let results: Vec<Value> = found
        .into_iter()
        .map(|(at, score)| {
            let mut row = memories[at].to_json();
            row["score"] = json!((score * 1e6).round() / 1e6);
            only(row, fields.as_deref())
        })
        .collect();
    if is_wrapped(given, version)? { Ok(json!({ "results": results })) } else { Ok(results.into()) }
}

/// Leaves what is wanted of a row; its id, its text and its score always.
fn only(row: Value, fields: Option<&[Value]>) -> Value {
    let (Some(fields), Value::Object(row)) = (fields.filter(|fields| !fields.is_empty()), &row) else {
        return row;
    };
    let is_wanted = |name: &String| {
        ["id", "memory", "score"].contains(&name.as_str())
            || fields.iter().any(|field| field.as_str() == Some(name))
    };
    let wanted = row.iter().filter(|(name, _)| is_wanted(name));
    Value::Object(wanted.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Finds memories as the turns that say them, best first: by their places in the list, with their scores.
fn by_turns(
    place: &Place<'_>,
    given: &Given,
    query: &str,
    memories: &[Memory],
    n_wanted: usize,
) -> Result<Vec<(usize, f64)>, Problem> {
    let mut of_turn: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, memory) in memories.iter().enumerate() {
        of_turn.entry(&memory.kept.turn).or_default().push(at);
    }
    let mut found = Vec::new();
    for n_turns in TURNS {
        let rows = turns(place, given, query, n_turns)?;
        let has_more = rows.len() as u64 == n_turns;
        found.clear();
        for row in rows {
            let (Some(turn), Some(score)) = (row["native_id"].as_str(), row["score"].as_f64()) else {
                continue;
            };
            found.extend(of_turn.get(turn).into_iter().flatten().map(|at| (*at, score)));
        }
        if found.len() >= n_wanted || !has_more {
            break;
        }
    }
    // Several may be of one turn, whose score is that of all its sentences.
    let likeness = likeness(place, query, found.iter().map(|(at, _)| memories[*at].kept.text.as_str()))?;
    let mut ranked: Vec<((usize, f64), f64)> = found.into_iter().zip(likeness).collect();
    ranked.sort_by(|((_, one), one_alike), ((_, other), other_alike)| {
        other.total_cmp(one).then(other_alike.total_cmp(one_alike))
    });
    Ok(ranked.into_iter().map(|(found, _)| found).collect())
}

/// Adds what the search did not find, the most alike in meaning first.
fn by_meaning(
    place: &Place<'_>,
    query: &str,
    memories: &[Memory],
    n_wanted: usize,
    found: &mut Vec<(usize, f64)>,
) -> Result<(), Problem> {
    let known: BTreeSet<usize> = found.iter().map(|(at, _)| *at).collect();
    let rest: Vec<usize> = (0..memories.len()).filter(|at| !known.contains(at)).take(MOST_COMPARED).collect();
    let likeness = likeness(place, query, rest.iter().map(|at| memories[*at].kept.text.as_str()))?;
    let least = found.last().map_or(1.0, |(_, score)| *score);
    let mut added: Vec<(usize, f64)> = rest
        .into_iter()
        .zip(likeness)
        .map(|(at, likeness)| (at, (BY_MEANING * likeness.clamp(0.0, 1.0)).min(least)))
        .collect();
    added.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    added.truncate(n_wanted - found.len());
    found.append(&mut added);
    Ok(())
}

fn likeness<'a>(
    place: &Place<'_>,
    query: &str,
    texts: impl Iterator<Item = &'a str>,
) -> Result<Vec<f64>, Problem> {
    let texts: Vec<&str> = texts.collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let cosines = place
        .reading(|space| space.snapshot().cosines(query, &texts).map_err(InterfaceError::from))?
        .unwrap_or_default();
    Ok(cosines.into_iter().map(f64::from).collect())
}

/// Searches the turns of the space.
fn turns(place: &Place<'_>, given: &Given, query: &str, n_turns: u64) -> Result<Vec<Value>, Problem> {
    let mut arguments = Map::new();
    arguments.insert("text".to_owned(), query.into());
    arguments.insert("k".to_owned(), n_turns.into());
    arguments.insert("kind".to_owned(), "turn".into());
    for name in ["known", "recorded"] {
        if let Some(text) = given.text(name)? {
            arguments.insert(name.to_owned(), text.into());
        }
    }
    let ask = Ask {
        verb: verb("search").expect("there is the verb"),
        place: place.server.place(place.space.to_owned()),
        arguments,
        input: None,
    };
    let mut outlet = Outlet::of(MOST_READ);
    let outcome = run(&mut place.server.session(place.granted), ask, &mut outlet)?;
    if outlet.is_full() {
        return Err(Problem::bad_request("the turns that fit are too long: ask for fewer memories"));
    }
    if let Some(problem) = Problem::of_exit(outcome.exit, false, &outcome.remarks) {
        return Err(problem);
    }
    let text = String::from_utf8_lossy(&outlet.bytes);
    Ok(text.lines().map_while(|line| serde_json::from_str(line).ok()).collect())
}
