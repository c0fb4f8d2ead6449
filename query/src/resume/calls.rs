//! Calls that were begun and not settled: those that were recorded, and those of the transcript that have no result.
//!
//! Invariant: nothing is in flight but what is made by a run whose lease covers the instant.

use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::trail::Trail;
use crate::state::call::asked::{Asked, unanswered};
use crate::state::call::{Owner, Retry, State, entity, open_calls_of};
use crate::state::incarnation::last_epoch;
use crate::state::liveness::{Heard, Liveness};
use crate::state::roster::Member;
use crate::state::{Incarnation, StateError};

/// How many runs of an agent are looked at for calls, the last ones.
const MOST_RUNS: u64 = 32;

/// A call that was begun and not settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// Its key; nothing where it stands in a transcript alone.
    pub key: Option<String>,
    /// The tool.
    pub tool: String,
    /// What it was called with.
    pub input: Option<String>,
    /// Whether it is in flight, or its outcome is unknown.
    pub state: State,
    /// Why that is so, in words.
    pub basis: String,
    /// What becomes of it if it is made twice.
    pub retry: Retry,
    /// Who made it.
    pub by: String,
    /// When it was begun.
    pub at: Instant,
    /// What it rests on.
    pub evidence: Evidence,
}

impl OpenCall {
    /// Says whether it may be made again without looking: not while it is in flight.
    pub fn retry_is_safe(&self) -> bool {
        self.state == State::OutcomeUnknown && self.retry.is_safe()
    }

    /// Says what to do about it.
    pub const fn advice(&self) -> &'static str {
        match self.state {
            State::InFlight => "wait for it",
            State::OutcomeUnknown | State::Succeeded | State::Failed | State::Cancelled => {
                self.retry.advice()
            }
        }
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "key": self.key,
            "tool": self.tool,
            "input": self.input,
            "state": self.state.name(),
            "basis": self.basis,
            "retry": self.retry.name(),
            "retry_is_safe": self.retry_is_safe(),
            "advice": self.advice(),
            "by": self.by,
            "at": self.at.to_rfc3339(),
            "evidence": [self.evidence.to_json()],
        })
    }
}

/// Returns the open calls of an agent, those begun last first.
pub(super) fn calls(
    seen: &Seen<'_>,
    agent: &str,
    trail: &Trail,
    run: Option<&Member>,
    at: Instant,
    heard: &Heard,
) -> Result<Vec<OpenCall>, StateError> {
    let mut open = recorded(seen, agent, at, heard)?;
    open.extend(unanswered(&trail.end).into_iter().map(|asked| in_transcript(asked, agent, run)));
    open.sort_by(|one, other| {
        let key = |call: &OpenCall| (call.at, call.evidence.clone(), call.tool.clone());
        key(other).cmp(&key(one))
    });
    Ok(open)
}

/// Returns the recorded calls that the last runs of an agent made, or it itself without a run.
fn recorded(seen: &Seen<'_>, agent: &str, at: Instant, heard: &Heard) -> Result<Vec<OpenCall>, StateError> {
    let last = last_epoch(seen, agent, at)?;
    let mut owners = vec![crate::state::party(&format!("agent:{agent}"))?];
    for epoch in (last.saturating_sub(MOST_RUNS) + 1..=last).rev() {
        owners.push(Incarnation { agent: agent.to_owned(), epoch }.entity()?);
    }
    let mut open = Vec::new();
    for found in owners
        .iter()
        .map(|owner| open_calls_of(seen, owner, at, heard))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
    {
        // Without a lease nobody can tell whether somebody still makes it.
        let has_lease = matches!(found.by, Owner::Run(_));
        open.push(OpenCall {
            state: if has_lease { found.state } else { State::OutcomeUnknown },
            basis: found.basis,
            tool: found.tool,
            input: found.input,
            retry: found.retry,
            by: found.by.to_string(),
            at: found.started_at,
            evidence: Evidence::Entity(entity(&found.key)?.to_string()),
            key: Some(found.key),
        });
    }
    Ok(open)
}

fn in_transcript(asked: Asked, agent: &str, run: Option<&Member>) -> OpenCall {
    let alive =
        run.filter(|run| run.liveness == Liveness::Alive && run.since.is_some_and(|since| since <= asked.at));
    let (state, basis) = match alive.and_then(|run| Some((run.run()?, run))) {
        Some((name, run)) => {
            (State::InFlight, format!("{name} is alive: {}; the transcript has no result yet", run.basis))
        }
        None => (State::OutcomeUnknown, "the transcript has no result of it".to_owned()),
    };
    let retry = Retry::of_tool(&asked.tool);
    OpenCall {
        key: None,
        tool: asked.tool,
        input: (!asked.input.is_empty()).then_some(asked.input),
        state,
        basis,
        retry,
        by: agent.to_owned(),
        at: asked.at,
        evidence: Evidence::Turn { session: asked.session, position: asked.position },
    }
}
