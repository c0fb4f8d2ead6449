//! Calls of tools: one request, by its key, however often it is tried.
//!
//! A call is an entity, `call:KEY`. What it was begun with, who made the last attempt and how that stands are statements;
//! that an outcome is unknown is none, and follows at reading from who made the attempt and whether they live.
//!
//! ```text
//!          begin              succeed
//!   none ────────▶ started ─────────────▶ succeeded   begun again: the result
//!                  ▲     │ fail, cancel
//!            begin │     ▼
//!                  failed, cancelled
//!
//!   started, whose run is not alive: the outcome is unknown, until somebody settles it or takes it over
//! ```
//!
//! Transcripts tell of calls, too (`told.rs`); those are read from their turns and not kept.
//!
//! Invariants:
//! - A key is for one tool and one input.
//! - A call is in flight only while the lease of the run that made the attempt covers the instant, or where it was made
//!   without a lease, which is said.

pub(crate) mod asked;
mod begin;
mod input;
mod retry;
mod settle;
mod told;

pub use begin::{Begin, Begun, begin};
pub use retry::Retry;
pub use settle::{Outcome, Settled, settle};
pub use told::{Found, TURNS_READ, Told, told, told_call};

use std::fmt;

use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Object, content_digits};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::incarnation::{INSTANCE_OF, Incarnation, named, type_of, whole};
use super::liveness::{Heard, Liveness};
use super::roster::liveness;
use super::stands::{Standing, stands};

/// The predicate of a call's tool, input and retry class.
const CALLED_WITH: &str = "called_with";
/// The key of an input, as text, that has numbers which a JSON value would round.
const EXACT_INPUT: &str = "input_text";
/// The predicate of how a call stands.
const CALL_STATE: &str = "call_state";
/// The predicate of who made the last attempt.
const RUN_BY: &str = "run_by";
/// The predicate of how many attempts were made.
const ATTEMPT: &str = "attempt";
/// The predicate of what a call gave.
const RESULTED_IN: &str = "resulted_in";
/// The predicate of what an attempt failed of.
const FAILED_WITH: &str = "failed_with";

/// How a call stands at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum State {
    /// An attempt is being made.
    InFlight,
    /// An attempt was begun by a run that is not alive.
    OutcomeUnknown,
    /// It gave a result.
    Succeeded,
    /// The last attempt failed.
    Failed,
    /// The last attempt was called off.
    Cancelled,
}

impl State {
    /// Every state.
    pub const ALL: [State; 5] =
        [State::InFlight, State::OutcomeUnknown, State::Succeeded, State::Failed, State::Cancelled];

    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            State::InFlight => "in_flight",
            State::OutcomeUnknown => "outcome_unknown",
            State::Succeeded => "succeeded",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
        }
    }

    /// Reads the word for it.
    pub fn from_name(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Says whether an attempt was begun and not settled.
    pub const fn is_open(self) -> bool {
        match self {
            State::InFlight | State::OutcomeUnknown => true,
            State::Succeeded | State::Failed | State::Cancelled => false,
        }
    }
}

/// Who made an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Owner {
    /// A run of an agent.
    Run(Incarnation),
    /// An agent that did not say which of its runs it was.
    Agent(String),
    /// A person.
    Person(String),
}

impl Owner {
    fn of(entity: &EntityRef) -> Owner {
        match (entity.kind(), Incarnation::parse(entity.name())) {
            ("incarnation", Some(run)) => Owner::Run(run),
            ("agent", _) => Owner::Agent(entity.name().to_owned()),
            _ => Owner::Person(entity.name().to_owned()),
        }
    }

    /// Returns the agent; nothing where a person made it.
    pub fn agent(&self) -> Option<&str> {
        match self {
            Owner::Run(run) => Some(&run.agent),
            Owner::Agent(agent) => Some(agent),
            Owner::Person(_) => None,
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Run(run) => run.fmt(f),
            Owner::Agent(name) | Owner::Person(name) => f.write_str(name),
        }
    }
}

/// A call as a view has it at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Its key.
    pub key: String,
    /// The tool.
    pub tool: String,
    /// What the tool was called with, as canonical JSON.
    pub input: Option<String>,
    /// What becomes of it if it is made twice.
    pub retry: Retry,
    /// How it stands.
    pub state: State,
    /// Why that is so, in words.
    pub basis: String,
    /// Which attempt is the last one, from 1.
    pub attempt: u64,
    /// Who made it.
    pub by: Owner,
    /// When it was begun.
    pub started_at: Instant,
    /// When it came to stand so; of one that was begun and not settled, when it was begun.
    pub at: Instant,
    /// The commit of that.
    pub seq: u64,
    /// What it gave, as a text or as canonical JSON.
    pub result: Option<Given>,
    /// What the last attempt failed of.
    pub error: Option<String>,
}

/// What a call gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// A text.
    Text(String),
    /// A JSON value, in canonical form.
    Json(String),
}

impl Given {
    /// Takes a text for JSON where it is an object, an array, or null, and for itself otherwise.
    pub fn read(text: &str) -> Given {
        match serde_json::from_str::<Value>(text) {
            Ok(value @ (Value::Object(_) | Value::Array(_) | Value::Null)) => Given::Json(value.to_string()),
            _ => Given::Text(text.to_owned()),
        }
    }

    /// Returns it as text.
    pub fn text(&self) -> &str {
        match self {
            Given::Text(text) | Given::Json(text) => text,
        }
    }

    fn to_object(&self) -> Object {
        match self {
            Given::Text(text) => Object::Text(text.clone()),
            Given::Json(text) => Object::Json(text.clone()),
        }
    }

    fn of(object: &Object) -> Given {
        match object {
            Object::Text(text) => Given::Text(text.clone()),
            Object::Json(text) => Given::Json(text.clone()),
            other => Given::Json(other.canonical()),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Given::Text(text) => json!(text),
            Given::Json(text) => value(text),
        }
    }
}

impl Call {
    /// Says whether it may be made again without looking, where its outcome is unknown; nothing where it is not.
    pub fn retry_is_safe(&self) -> Option<bool> {
        (self.state == State::OutcomeUnknown).then(|| self.retry.is_safe())
    }

    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let advice = (self.state == State::OutcomeUnknown).then(|| self.retry.advice());
        json!({
            "key": self.key,
            "tool": self.tool,
            "input": self.input.as_deref().map(value),
            "input_digest": self.input.as_deref().map(|input| content_digits("call input", [input])),
            "retry": self.retry.name(),
            "state": self.state.name(),
            "basis": self.basis,
            "attempt": self.attempt,
            "by": self.by.to_string(),
            "started_at": self.started_at.to_rfc3339(),
            "at": self.at.to_rfc3339(),
            "seq": self.seq,
            "result": self.result.as_ref().map(Given::to_json),
            "error": self.error,
            "retry_is_safe": self.retry_is_safe(),
            "advice": advice,
            "from": "recorded",
            "turn": null,
            "result_turn": null,
        })
    }
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

/// Returns the call that a key means, as an entity.
///
/// # Errors
/// [`StateError::Name`].
pub fn entity(key: &str) -> Result<EntityRef, StateError> {
    named("call", key)
}

/// Returns a call as a view has it at an instant; nothing where it was not begun by then. `heard` are the heartbeats that
/// this process received itself, where the present is asked about.
///
/// # Errors
/// [`StateError`] where the key is none, or the store cannot be read.
pub fn call(seen: &Seen<'_>, key: &str, at: Instant, heard: &Heard) -> Result<Option<Call>, StateError> {
    read(seen, &entity(key)?, at, heard)
}

/// Returns the calls that were begun by an instant, those that stand in one state where that is given, in the order in
/// which they came to stand so. Every call of the space is looked at.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn calls(
    seen: &Seen<'_>,
    at: Instant,
    heard: &Heard,
    state: Option<State>,
) -> Result<Vec<Call>, StateError> {
    let mut calls = Vec::new();
    for entity in seen.subjects_with(INSTANCE_OF, &type_of("call"))? {
        // Most calls are settled, and one look tells.
        if let Some(state) = state
            && is_open(seen, &entity, at)? != state.is_open()
        {
            continue;
        }
        let call = read(seen, &entity, at, heard)?;
        calls.extend(call.filter(|call| state.is_none_or(|state| state == call.state)));
    }
    calls.sort_by(|one, other| (one.seq, &one.key).cmp(&(other.seq, &other.key)));
    Ok(calls)
}

/// Returns the calls that were begun by an instant and of which somebody made the last attempt, by key: a run, or an agent or a
/// person without one.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn calls_of(
    seen: &Seen<'_>,
    maker: &EntityRef,
    at: Instant,
    heard: &Heard,
) -> Result<Vec<Call>, StateError> {
    made_by(seen, maker, at, heard, |_| Ok(true))
}

/// Returns those of the calls of somebody, as [`calls_of`] does, that are not settled. Every call is looked at that they ever
/// made an attempt of, the settled ones at one place.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn open_calls_of(
    seen: &Seen<'_>,
    maker: &EntityRef,
    at: Instant,
    heard: &Heard,
) -> Result<Vec<Call>, StateError> {
    let mut calls = made_by(seen, maker, at, heard, |entity| is_open(seen, entity, at))?;
    calls.retain(|call| call.state.is_open());
    Ok(calls)
}

fn made_by(
    seen: &Seen<'_>,
    maker: &EntityRef,
    at: Instant,
    heard: &Heard,
    is_wanted: impl Fn(&EntityRef) -> Result<bool, StateError>,
) -> Result<Vec<Call>, StateError> {
    let by = Owner::of(maker);
    let mut calls = Vec::new();
    for entity in seen.subjects_with(RUN_BY, maker)? {
        if is_wanted(&entity)? {
            let call = read(seen, &entity, at, heard)?;
            calls.extend(call.filter(|call| call.by == by));
        }
    }
    Ok(calls)
}

/// Says whether a call was begun and not settled.
fn is_open(seen: &Seen<'_>, entity: &EntityRef, at: Instant) -> Result<bool, StateError> {
    let held = stands(seen, entity, CALL_STATE, "", at)?;
    Ok(held.is_some_and(|held| settled(&held.text()).is_none()))
}

fn read(seen: &Seen<'_>, entity: &EntityRef, at: Instant, heard: &Heard) -> Result<Option<Call>, StateError> {
    let said = |predicate| stands(seen, entity, predicate, "", at);
    let (Some(state), Some(with), Some(by)) = (said(CALL_STATE)?, said(CALLED_WITH)?, said(RUN_BY)?) else {
        return Ok(None);
    };
    let with = value(Given::of(&with.object).text());
    let Some(by) = by.object.entity().map(Owner::of) else { return Ok(None) };
    let Some(attempt) = said(ATTEMPT)? else { return Ok(None) };
    let (stands_so, basis, last) = if let Some(settled) = settled(&state.text()) {
        (settled, format!("it was settled on {}", state.since.to_rfc3339()), &state)
    } else {
        let (open, basis) = in_flight(seen, &by, at, heard)?;
        (open, basis, &attempt)
    };
    // What an earlier attempt failed of says nothing of this one.
    let now = |said: Option<Standing>| said.filter(|said| said.since == last.since);
    let (result, error) = (now(said(RESULTED_IN)?), now(said(FAILED_WITH)?));
    let exact = with.get(EXACT_INPUT).and_then(Value::as_str).map(str::to_owned);
    let input = exact.or_else(|| with.get("input").filter(|input| !input.is_null()).map(Value::to_string));
    Ok(Some(Call {
        key: entity.name().to_owned(),
        tool: with["tool"].as_str().unwrap_or_default().to_owned(),
        input,
        // Who does not know what a second time does takes no chances.
        retry: with["retry"].as_str().and_then(Retry::from_name).unwrap_or(Retry::AtMostOnce),
        state: stands_so,
        basis,
        attempt: whole(&attempt.object).unwrap_or(1),
        by,
        started_at: attempt.since,
        at: last.since,
        seq: last.seq,
        result: result.map(|result| Given::of(&result.object)),
        error: error.map(|error| error.text()),
    }))
}

/// Returns the state that a kept word means, where an attempt is settled.
fn settled(word: &str) -> Option<State> {
    State::from_name(word).filter(|state| !state.is_open())
}

/// Says how an attempt stands that was begun and not settled.
fn in_flight(seen: &Seen<'_>, by: &Owner, at: Instant, heard: &Heard) -> Result<(State, String), StateError> {
    let run = match by {
        Owner::Run(run) => run,
        Owner::Agent(_) | Owner::Person(_) => {
            return Ok((State::InFlight, format!("no lease: {by} did not say in which run it was begun")));
        }
    };
    Ok(match liveness(seen, run, at, heard)? {
        Some(judged) if judged.liveness == Liveness::Alive => {
            (State::InFlight, format!("{run} is alive: {}", judged.basis))
        }
        Some(judged) => {
            (State::OutcomeUnknown, format!("{run} is {}: {}", judged.liveness.name(), judged.basis))
        }
        None => (State::OutcomeUnknown, format!("{run} never started")),
    })
}
