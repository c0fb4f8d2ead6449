//! Incarnations: the runs of an agent, and what a view has of one at an instant.
//!
//! An incarnation is an entity, `incarnation:NAME#EPOCH`. Epochs count from 1 and are fencing tokens: once a later one was
//! given out, the earlier ones are over, whether or not they know. What a run is, by whom it was started and how far it has
//! come are statements about it; whether it lives is none ([`judge`](super::liveness::judge)).

use std::fmt;

use bygone_engine::object::Number;
use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Object, Polarity, StoreError};
use serde::{Deserialize, Serialize};

use super::StateError;
use super::act::Actor;
use super::liveness::{Ending, Lease, Lifetime, Signs};
use super::stands::stands;

/// The predicate of leases.
pub(super) const ALIVE: &str = "alive";
/// The predicate, of an agent, of the last epoch given out.
pub(super) const EPOCH: &str = "epoch";
/// The predicate of what something is.
pub(super) const INSTANCE_OF: &str = "instance_of";
/// The predicate of the agent that runs.
pub(super) const RUN_OF: &str = "run_of";
/// The predicate of what the run is for.
pub(super) const ROLE: &str = "role";
/// The predicate of a run's parent.
pub(super) const SPAWNED_BY: &str = "spawned_by";
/// The predicate of whether a run ends with its parent.
pub(super) const LIFETIME: &str = "lifetime";
/// The predicate of how far a run has come.
pub(super) const PROGRESS: &str = "progress";
/// The predicate of what a run said last.
pub(super) const LAST_WORDS: &str = "last_words";
/// The predicate of a run's end.
pub(super) const ENDED: &str = "ended";

/// One run of an agent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Incarnation {
    /// The agent, by name.
    pub agent: String,
    /// Which of its runs, from 1.
    pub epoch: u64,
}

impl Incarnation {
    /// Reads `NAME#EPOCH`, with or without `incarnation:` in front; nothing where the text names no epoch.
    pub fn parse(text: &str) -> Option<Incarnation> {
        let name = text.strip_prefix("incarnation:").unwrap_or(text);
        let (agent, epoch) = name.rsplit_once('#')?;
        let epoch = epoch.parse().ok().filter(|epoch| *epoch > 0)?;
        (!agent.is_empty()).then(|| Incarnation { agent: agent.to_owned(), epoch })
    }

    /// Returns the run as an entity.
    ///
    /// # Errors
    /// [`StateError::Name`] where the agent has a name that no entity can have.
    pub fn entity(&self) -> Result<EntityRef, StateError> {
        named("incarnation", &self.to_string())
    }
}

impl fmt::Display for Incarnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.agent, self.epoch)
    }
}

impl Actor {
    /// Returns the run that acts; nothing where no agent does, or it does not say which of its runs it is.
    pub fn incarnation(&self) -> Option<Incarnation> {
        Some(Incarnation { agent: self.agent.clone()?, epoch: self.epoch? })
    }
}

/// Returns the entity of a type and a name.
pub(super) fn named(kind: &str, name: &str) -> Result<EntityRef, StateError> {
    EntityRef::new(kind, name).map_err(|error| StateError::Name(error.to_string()))
}

/// Returns the entity that stands for a type: what all of that type are instances of.
pub(super) fn type_of(kind: &str) -> EntityRef {
    EntityRef::new("type", kind).expect("types have names")
}

/// Returns the last epoch that was given out to an agent by an instant; 0 where none was.
///
/// # Errors
/// [`StateError`] where the name is none, or the store cannot be read.
pub fn last_epoch(seen: &Seen<'_>, agent: &str, at: Instant) -> Result<u64, StateError> {
    let held = stands(seen, &named("agent", agent)?, EPOCH, "", at)?;
    Ok(held.and_then(|held| whole(&held.object)).unwrap_or(0))
}

/// Returns a number that counts something.
pub(super) fn whole(object: &Object) -> Option<u64> {
    match object {
        Object::Number { value: Number::Whole(value), .. } => u64::try_from(*value).ok(),
        _ => None,
    }
}

/// Returns a count as the object of a statement.
pub(super) fn number(count: u64) -> Object {
    Object::Number { value: Number::Whole(i64::try_from(count).unwrap_or(i64::MAX)), unit: None }
}

/// Returns what a view has of a run that says whether it lives, by an instant; nothing where it had not started by then.
///
/// # Errors
/// [`StateError`] where the name is none, or the store cannot be read.
pub fn signs(seen: &Seen<'_>, run: &Incarnation, at: Instant) -> Result<Option<Signs>, StateError> {
    let entity = run.entity()?;
    let Some(started) = stands(seen, &entity, INSTANCE_OF, "", at)? else { return Ok(None) };
    let last_epoch = last_epoch(seen, &run.agent, at)?;
    let ended = stands(seen, &entity, ENDED, "", at)?;
    let parent = stands(seen, &entity, SPAWNED_BY, "", at)?;
    let lifetime = stands(seen, &entity, LIFETIME, "", at)?;
    Ok(Some(Signs {
        started_at: started.since,
        lease: lease(seen, &entity, at)?,
        ended: ended.map(|ended| Ending { reason: ended.text(), at: ended.since }),
        fenced_by: (last_epoch > run.epoch).then_some(last_epoch),
        parent: parent.and_then(|parent| Incarnation::parse(parent.object.entity()?.name())),
        lifetime: lifetime.and_then(|said| Lifetime::from_name(&said.text())).unwrap_or_default(),
    }))
}

/// Returns the lease of the last heartbeat by an instant.
fn lease(seen: &Seen<'_>, run: &EntityRef, at: Instant) -> Result<Option<Lease>, StoreError> {
    let Some(standing) = stands(seen, run, ALIVE, "", at)? else { return Ok(None) };
    if let (true, Some(until)) = (standing.at <= at, standing.said_until) {
        return Ok(Some(Lease { beat_at: standing.at, until }));
    }
    // Heartbeats after the instant have prolonged it: the last one before counts.
    let Some(group) = seen.group(run, ALIVE, "")? else { return Ok(None) };
    let beats = seen.statements(&group)?;
    let mut beats = beats.iter().map(|recorded| &recorded.assertion);
    let last = beats.rfind(|beat| beat.polarity == Polarity::Affirm && beat.known_at <= at);
    Ok(last.and_then(|beat| Some(Lease { beat_at: beat.known_at, until: beat.validity.period()?.end() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_reads_back_as_written() {
        let run = Incarnation { agent: "builder".to_owned(), epoch: 3 };
        assert_eq!(run.to_string(), "builder#3");
        assert_eq!(Incarnation::parse("builder#3").as_ref(), Some(&run));
        assert_eq!(Incarnation::parse("incarnation:builder#3"), Some(run));
    }

    #[test]
    fn what_names_no_run_is_none() {
        for text in ["builder", "builder#", "builder#0", "builder#-1", "builder#x", "#1", ""] {
            assert_eq!(Incarnation::parse(text), None, "{text:?}");
        }
    }
}
