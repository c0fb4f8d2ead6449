//! Settling a call: it succeeded, failed or was called off.

use bygone_engine::store::{Decided, Place, Snapshot};
use bygone_engine::{Object, View};
use serde::{Deserialize, Serialize};

use super::super::StateError;
use super::super::act::{Act, Actor};
use super::super::liveness::Heard;
use super::begin::owner;
use super::{CALL_STATE, Call, FAILED_WITH, Given, Owner, RESULTED_IN, State, call, entity};

/// What an attempt came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was done, and may have given something.
    Succeeded(Option<Given>),
    /// It was not done; with which error.
    Failed(String),
    /// It was called off before it was done.
    Cancelled,
}

impl Outcome {
    /// Returns the state that follows.
    pub const fn state(&self) -> State {
        match self {
            Outcome::Succeeded(_) => State::Succeeded,
            Outcome::Failed(_) => State::Failed,
            Outcome::Cancelled => State::Cancelled,
        }
    }
}

/// How a call was settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// The call as it stands now.
    pub call: Call,
    /// Whether it stood so before, and nothing is changed.
    pub was_settled: bool,
}

/// Decides on settling a call. The one who made the attempt may, and the same agent in a run that it does not name; a
/// person; and, where nobody knows the outcome, whoever found out. `heard` are the heartbeats that this process received
/// itself.
///
/// # Errors
/// [`StateError::Missing`] where it was not begun; [`StateError::Refused`] where it was settled otherwise, or somebody else
/// makes it.
pub fn settle(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    key: &str,
    outcome: &Outcome,
    heard: &Heard,
) -> Result<Decided<Settled>, StateError> {
    let entity = entity(key)?;
    let seen = snapshot.seen(&View::LATEST)?;
    let Some(before) = call(&seen, key, place.at, heard)? else {
        return Err(StateError::Missing(format!("the call {:?} was not begun", entity.name())));
    };
    let (result, error) = match outcome {
        Outcome::Succeeded(given) => (given.clone(), None),
        Outcome::Failed(error) => (None, Some(error.clone())),
        Outcome::Cancelled => (None, None),
    };
    let state = outcome.state();
    if !before.state.is_open() {
        if (before.state, &before.result, &before.error) == (state, &result, &error) {
            return Ok(Decided::nothing(Settled { call: before, was_settled: true }));
        }
        return Err(StateError::Refused(format!(
            "the call {:?} {} on {}: to try it again, begin it again",
            before.key,
            match before.state {
                State::Succeeded => "succeeded",
                State::Failed => "failed",
                State::Cancelled => "was cancelled",
                State::InFlight | State::OutcomeUnknown => "was begun",
            },
            before.at.to_rfc3339()
        )));
    }
    if !may_settle(&before, by)? {
        return Err(StateError::Refused(format!(
            "attempt {} of the call {:?} is made by {}, and {}",
            before.attempt, before.key, before.by, before.basis
        )));
    }
    let told = error.as_deref().map_or_else(String::new, |error| format!(": {error}"));
    let mut act = Act::new(by, place.at, format!("call {} {}{told}", state.name(), before.key));
    act.affirm(&entity, CALL_STATE, "", Object::Text(state.name().to_owned()));
    if let Some(given) = &result {
        act.affirm(&entity, RESULTED_IN, "", given.to_object());
    }
    if let Some(error) = &error {
        act.happen(&entity, FAILED_WITH, "", Object::Text(error.clone()));
    }
    let basis = format!("it was settled on {}", place.at.to_rfc3339());
    let (at, seq) = (place.at, place.seq);
    let call = Call { state, basis, at, seq, result, error, ..before };
    Ok(Decided::record(act.into_recording(), Settled { call, was_settled: false }))
}

fn may_settle(call: &Call, by: &Actor) -> Result<bool, StateError> {
    let (acting, maker) = (Owner::of(&owner(by)?), &call.by);
    let is_maker = match (&acting, maker) {
        (Owner::Run(one), Owner::Run(other)) => one == other,
        (Owner::Person(_), _) => true,
        _ => acting.agent().is_some() && acting.agent() == maker.agent(),
    };
    Ok(is_maker || call.state == State::OutcomeUnknown)
}
