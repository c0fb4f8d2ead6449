//! Calls that transcripts tell of, in the form of those that were begun here.
//!
//! They are read from the records of turns each time they are asked for, and nothing of them is kept. How one went is what its
//! result says: what was read from it as a statement comes first, then the flag of its format. A call without a result is
//! of unknown outcome, unless the run of its agent that was alive then still is.

use std::collections::BTreeMap;

use bygone_engine::record::{Recorded, RecordedEpisode};
use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_engine::{EpisodeId, Object, Role};
use serde_json::{Value, json};

use super::asked::{Answer, Asked, answer, asked};
use super::{Call, Owner, Retry, State, value};
use crate::state::incarnation::last_epoch;
use crate::state::liveness::{Heard, Liveness};
use crate::state::roster::liveness;
use crate::state::{Incarnation, StateError};
use crate::turns::turns;

/// How many turns of each agent are read where nothing else is asked for, the last ones.
pub const TURNS_READ: usize = 2_000;
/// How many bytes an input may have to stand in a list.
const MOST_LISTED: usize = 2_000;
/// The predicate of commands.
const RAN: &str = "ran";
/// The predicate of calls that failed.
const FAILED_CALL: &str = "failed_call";

/// A call of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The call, as one that was begun here stands; its key is `SESSION#N:ID`.
    pub call: Call,
    /// The turn that made it, as `SESSION#N`.
    pub turn: String,
    /// The turn that has its result.
    pub result_turn: Option<String>,
    /// The position of the turn that made it.
    position: u64,
}

impl Told {
    /// Returns the JSON form, keys sorted. A list leaves out long inputs, of which the digest remains.
    pub fn to_json(&self, is_listed: bool) -> Value {
        let mut row = self.call.to_json();
        if is_listed && self.call.input.as_ref().is_some_and(|input| input.len() > MOST_LISTED) {
            row["input"] = Value::Null;
        }
        row["from"] = json!("transcript");
        row["turn"] = json!(self.turn);
        row["result_turn"] = json!(self.result_turn);
        row
    }
}

/// What was found in transcripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The calls, in the order in which they came to stand as they do.
    pub calls: Vec<Told>,
    /// Whether there were more turns than were to be read.
    pub has_more: bool,
}

/// Returns the calls in the last turns of each agent that were made by an instant, those that stand in one state where that
/// is given. `heard` are the heartbeats that this process received itself, where the present is asked about.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn told(
    seen: &Seen<'_>,
    at: Instant,
    heard: &Heard,
    state: Option<State>,
    n_turns: usize,
) -> Result<Found, StateError> {
    let mut found = Found::default();
    if n_turns == 0 {
        return Ok(found);
    }
    for agent in seen.last_turns(at)?.into_keys() {
        let mut rows = Vec::new();
        for attendance in seen.turns_of(&agent, at) {
            let attendance = attendance?;
            if attendance.role == Role::Statement {
                continue;
            }
            if rows.len() == n_turns {
                found.has_more = true;
                break;
            }
            rows.push(attendance.turn);
        }
        let calls = paired(read(seen, &rows)?);
        found.calls.extend(judged(seen, &agent, calls, at, heard)?);
    }
    found.calls.retain(|told| state.is_none_or(|state| state == told.call.state));
    found.calls.sort_by(|one, other| {
        (one.call.at, &one.turn, one.position, &one.call.key).cmp(&(
            other.call.at,
            &other.turn,
            other.position,
            &other.call.key,
        ))
    });
    Ok(found)
}

/// Returns the call of a transcript that a key means, `SESSION#N:ID`; nothing where the key is none, or the view sees no such
/// call.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn told_call(seen: &Seen<'_>, key: &str, at: Instant, heard: &Heard) -> Result<Option<Told>, StateError> {
    // Ids may have colons, and so may sessions; positions have none.
    let Some((place, id)) = key.rsplit_once('#').and_then(|(session, rest)| {
        let (position, id) = rest.split_once(':')?;
        Some((format!("{session}#{position}"), id))
    }) else {
        return Ok(None);
    };
    for record in turns(seen, &place)? {
        let episode = &record.episode;
        let (Some(agent), true) = (&episode.agent, episode.time <= at) else { continue };
        if !asked(&record).iter().any(|asked| asked.id == id) {
            continue;
        }
        let mut rows = Vec::new();
        for attendance in seen.turns_of(agent, at) {
            let attendance = attendance?;
            if attendance.at < episode.time {
                break;
            }
            if attendance.session == episode.session && attendance.role != Role::Statement {
                rows.push(attendance.turn);
            }
        }
        // The result stands near the call.
        let near = rows.len().saturating_sub(TURNS_READ);
        let mut calls = paired(read(seen, &rows[near..])?);
        calls.retain(|(asked, _)| asked.turn == episode.id && asked.id == id);
        return Ok(judged(seen, agent, calls, at, heard)?.pop());
    }
    Ok(None)
}

fn read(seen: &Seen<'_>, rows: &[EpisodeId]) -> Result<Vec<RecordedEpisode>, StateError> {
    let mut records = Vec::with_capacity(rows.len());
    for turn in rows {
        records.extend(seen.snapshot().episode(*turn)?);
    }
    records.sort_by(|one, other| {
        let key =
            |record: &RecordedEpisode| (record.episode.time, record.episode.position, record.episode.id);
        key(one).cmp(&key(other))
    });
    Ok(records)
}

/// What answered a call.
struct Answered {
    turn: EpisodeId,
    place: String,
    at: Instant,
    seq: u64,
    answer: Answer,
}

/// Puts calls and their results together, in the order of the calls.
fn paired(records: Vec<RecordedEpisode>) -> Vec<(Asked, Option<Answered>)> {
    let mut calls: Vec<(Asked, Option<Answered>)> = Vec::new();
    let mut open: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for record in records {
        let episode = &record.episode;
        let answered = |answer: Answer| Answered {
            turn: episode.id,
            place: format!("{}#{}", episode.session, episode.position),
            at: episode.time,
            seq: record.seq,
            answer,
        };
        let waiting = open.entry(episode.session.clone()).or_default();
        if episode.role == Role::Agent {
            for mut asked in asked(&record) {
                let beside = asked.answer.take().map(answered);
                if beside.is_none() {
                    waiting.push(calls.len());
                }
                calls.push((asked, beside));
            }
        } else {
            waiting.retain(|at| {
                let (asked, result) = &mut calls[*at];
                *result = answer(&record, &asked.id).map(answered);
                result.is_none()
            });
        }
    }
    calls
}

/// Makes calls of an agent of what its transcript has.
fn judged(
    seen: &Seen<'_>,
    agent: &str,
    calls: Vec<(Asked, Option<Answered>)>,
    at: Instant,
    heard: &Heard,
) -> Result<Vec<Told>, StateError> {
    let results = calls.iter().filter_map(|(_, answered)| Some(answered.as_ref()?.turn));
    let mut said: BTreeMap<EpisodeId, Vec<Recorded>> = BTreeMap::new();
    for recorded in seen.statements_made_in(results)? {
        if [RAN, FAILED_CALL].contains(&recorded.assertion.predicate.as_str()) {
            said.entry(recorded.assertion.source.episode).or_default().push(recorded);
        }
    }
    let mut n_answers: BTreeMap<EpisodeId, usize> = BTreeMap::new();
    for (_, answered) in &calls {
        if let Some(answered) = answered {
            *n_answers.entry(answered.turn).or_default() += 1;
        }
    }
    let alive = alive(seen, agent, at, heard)?;
    let made = calls.into_iter().map(|(asked, answered)| {
        let (state, basis, error) = match &answered {
            Some(answered) => {
                let is_alone = n_answers.get(&answered.turn) == Some(&1);
                let said = said.get(&answered.turn).map_or(&[][..], Vec::as_slice);
                how(&asked, &answered.answer, said, is_alone)
            }
            None => match &alive {
                Some((run, since, basis)) if *since <= asked.at => (
                    State::InFlight,
                    format!("{run} is alive: {basis}; the transcript has no result yet"),
                    None,
                ),
                _ => (State::OutcomeUnknown, "the transcript has no result of it".to_owned(), None),
            },
        };
        let turn = format!("{}#{}", asked.session, asked.position);
        let settled = answered.as_ref().map(|answered| (answered.at, answered.seq));
        let (settled_at, seq) = settled.unwrap_or((asked.at, asked.seq));
        Told {
            call: Call {
                key: format!("{turn}:{}", asked.id),
                retry: Retry::of_tool(&asked.tool),
                tool: asked.tool,
                input: input(&asked.input),
                state,
                basis,
                attempt: 1,
                by: Owner::Agent(agent.to_owned()),
                started_at: asked.at,
                at: settled_at,
                seq,
                result: None,
                error,
            },
            turn,
            result_turn: answered.map(|answered| answered.place),
            position: asked.position,
        }
    });
    Ok(made.collect())
}

/// Returns the input in canonical form: many formats keep it as a text that is JSON.
fn input(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    Some(super::input::canonical(text).unwrap_or_else(|_| Value::from(text).to_string()))
}

/// Returns the last run of an agent where it lives, since when, and why that is so.
fn alive(
    seen: &Seen<'_>,
    agent: &str,
    at: Instant,
    heard: &Heard,
) -> Result<Option<(Incarnation, Instant, String)>, StateError> {
    let epoch = last_epoch(seen, agent, at)?;
    if epoch == 0 {
        return Ok(None);
    }
    let run = Incarnation { agent: agent.to_owned(), epoch };
    let Some(signs) = crate::state::incarnation::signs(seen, &run, at)? else { return Ok(None) };
    let judged = liveness(seen, &run, at, heard)?;
    Ok(judged
        .filter(|judged| judged.liveness == Liveness::Alive)
        .map(|judged| (run, signs.started_at, judged.basis)))
}

/// Says how a call went that has a result, why, and what it failed of.
fn how(asked: &Asked, answer: &Answer, said: &[Recorded], is_alone: bool) -> (State, String, Option<String>) {
    let content = |predicate: &str, key: &str| {
        said.iter().filter(|recorded| recorded.assertion.predicate == predicate).find_map(|recorded| {
            let Some(Object::Json(content)) = &recorded.assertion.object else { return None };
            let content: Value = serde_json::from_str(content).ok()?;
            (is_alone || is_of(asked, content.get(key)?.as_str()?)).then_some(content)
        })
    };
    let text = |content: &Value, key: &str| content.get(key).and_then(Value::as_str).map(str::to_owned);
    let failed = content(FAILED_CALL, "input");
    let ran = content(RAN, "command").and_then(|run| text(&run, "outcome"));
    let error = || {
        let told = failed.as_ref().and_then(|failed| text(failed, "error"));
        told.or_else(|| Some(answer.line.clone())).filter(|line| !line.is_empty())
    };
    if answer.is_cancelled || ran.as_deref() == Some("interrupted") {
        return (State::Cancelled, "its result says that it was called off".to_owned(), error());
    }
    let said_failed = failed.is_some() || ran.as_deref() == Some("failed");
    if said_failed || answer.has_failed == Some(true) {
        return (State::Failed, "its result says that it failed".to_owned(), error());
    }
    match ran.as_deref() {
        Some("unknown") => {
            (State::OutcomeUnknown, "its result does not say how the command went".to_owned(), None)
        }
        _ if answer.has_failed == Some(false) || ran.is_some() => {
            (State::Succeeded, "its result says that it went well".to_owned(), None)
        }
        _ => (State::Succeeded, "it has a result, which does not say that it failed".to_owned(), None),
    }
}

/// Says whether what tells a call from others is what this one was called with. Of long texts only the start is kept.
fn is_of(asked: &Asked, input: &str) -> bool {
    let start = input.strip_suffix('…');
    let is_it = |text: &str| text == input || start.is_some_and(|start| text.starts_with(start));
    match value(&asked.input) {
        Value::Object(map) => {
            map.values().filter_map(Value::as_str).any(is_it) || is_it(&Value::Object(map).to_string())
        }
        Value::String(text) => is_it(&text),
        other => is_it(&other.to_string()),
    }
}
