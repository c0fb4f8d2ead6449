//! Beginning a call: whether to make it, and what is known of it where not.

use bygone_engine::store::{Decided, Place, Snapshot};
use bygone_engine::{EntityRef, Object, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::StateError;
use super::super::act::{Act, Actor};
use super::super::incarnation::{INSTANCE_OF, named, number, type_of};
use super::super::liveness::Heard;
use super::{
    ATTEMPT, CALL_STATE, CALLED_WITH, Call, EXACT_INPUT, Owner, RUN_BY, Retry, State, call, entity, input,
};

/// A call to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begin<'a> {
    /// The tool.
    pub tool: &'a str,
    /// The key that tells this request from every other one.
    pub key: &'a str,
    /// What the tool is called with, as JSON.
    pub input: Option<&'a str>,
    /// What becomes of it if it is made twice.
    pub retry: Retry,
    /// Whether to make it again although the outcome of the last attempt is not known.
    pub takes_over: bool,
}

/// What beginning a call came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Begun {
    /// It is to be made now, and is recorded as begun.
    Run(Call),
    /// It was made, and gave a result.
    Replay(Call),
    /// Somebody is making it.
    InFlight(Call),
    /// It was begun, and whether it was done is not known.
    Unknown(Call),
}

impl Begun {
    /// Returns the word for it.
    pub const fn name(&self) -> &'static str {
        match self {
            Begun::Run(_) => "run",
            Begun::Replay(_) => "replay",
            Begun::InFlight(_) => "in_flight",
            Begun::Unknown(_) => "unknown",
        }
    }

    /// Returns the call as it stands now.
    pub const fn call(&self) -> &Call {
        match self {
            Begun::Run(call) | Begun::Replay(call) | Begun::InFlight(call) | Begun::Unknown(call) => call,
        }
    }

    /// Returns the JSON form, keys sorted: that of the call, with the `answer`.
    pub fn to_json(&self) -> Value {
        let mut row = self.call().to_json();
        row["answer"] = json!(self.name());
        row
    }
}

/// Decides on beginning a call. `heard` are the heartbeats that this process received itself.
///
/// # Errors
/// [`StateError::Name`] where the key is none, or the input is no JSON; [`StateError::Refused`] where the key was used for
/// another tool or another input.
pub fn begin(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    asked: &Begin<'_>,
    heard: &Heard,
) -> Result<Decided<Begun>, StateError> {
    let entity = entity(asked.key)?;
    let tool = named("tool", asked.tool)?.name().to_owned();
    let input = asked.input.map(canonical).transpose()?.flatten();
    let seen = snapshot.seen(&View::LATEST)?;
    let before = call(&seen, asked.key, place.at, heard)?;
    if let Some(before) = &before {
        if before.tool != tool || before.input != input {
            return Err(StateError::Refused(format!(
                "the key {:?} is that of a call of {} with {}: expected another key for another call",
                before.key,
                before.tool,
                before.input.as_deref().unwrap_or("no input"),
            )));
        }
        match before.state {
            State::Succeeded => return Ok(Decided::nothing(Begun::Replay(before.clone()))),
            State::InFlight if !(asked.takes_over && is_without_lease(&before.by)) => {
                return Ok(Decided::nothing(Begun::InFlight(before.clone())));
            }
            State::OutcomeUnknown if !asked.takes_over => {
                return Ok(Decided::nothing(Begun::Unknown(before.clone())));
            }
            State::InFlight | State::OutcomeUnknown | State::Failed | State::Cancelled => {}
        }
    }
    let owner = owner(by)?;
    let attempt = before.as_ref().map_or(1, |before| before.attempt + 1);
    let mut act = Act::new(by, place.at, format!("call begin {tool} {} attempt {attempt}", entity.name()));
    if before.is_none() {
        act.affirm(&entity, INSTANCE_OF, "", Object::Entity(type_of("call")));
    }
    if before.as_ref().is_none_or(|before| before.retry != asked.retry) {
        let mut with =
            json!({ "tool": tool, "input": input.as_deref().map(super::value), "retry": asked.retry.name() });
        // A JSON value would not keep such a number.
        if let Some(exact) = input.as_deref().filter(|input| input::has_large_number(input)) {
            with[EXACT_INPUT] = json!(exact);
        }
        act.affirm(&entity, CALLED_WITH, "", Object::Json(with.to_string()));
    }
    act.affirm(&entity, RUN_BY, "", Object::Entity(owner.clone()));
    act.affirm(&entity, ATTEMPT, "", number(attempt));
    act.affirm(&entity, CALL_STATE, "", Object::Text("started".to_owned()));
    let begun = Call {
        key: entity.name().to_owned(),
        tool,
        input,
        retry: asked.retry,
        state: State::InFlight,
        basis: "it is begun now".to_owned(),
        attempt,
        by: Owner::of(&owner),
        started_at: place.at,
        at: place.at,
        seq: place.seq,
        result: None,
        error: None,
    };
    Ok(Decided::record(act.into_recording(), Begun::Run(begun)))
}

/// Nobody can tell whether somebody without a lease still makes it: who takes it over has to know.
fn is_without_lease(owner: &Owner) -> bool {
    match owner {
        Owner::Run(_) => false,
        Owner::Agent(_) | Owner::Person(_) => true,
    }
}

/// Returns who acts, as the one who makes an attempt: the run where there is one, else the agent or the person.
pub(super) fn owner(by: &Actor) -> Result<EntityRef, StateError> {
    match by.incarnation() {
        Some(run) => run.entity(),
        None => {
            by.entity().ok_or_else(|| StateError::Name("nobody acts: expected an agent or a user".to_owned()))
        }
    }
}

/// Returns the input in canonical form; nothing where it is null, which is none.
fn canonical(input: &str) -> Result<Option<String>, StateError> {
    let canonical = input::canonical(input)
        .map_err(|error| StateError::Name(format!("the input is no JSON: {error}")))?;
    Ok((canonical != "null").then_some(canonical))
}
