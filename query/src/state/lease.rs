//! Leases: a run starts, gives heartbeats and ends.
//!
//! A heartbeat is the statement that a run is alive from now until its lease runs out. The last heartbeat decides: one with
//! a shorter lease than what is left of the one before takes the rest back.

use bygone_engine::store::{Decided, Place, Seen, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Object, View};
use serde::{Deserialize, Serialize};

use super::StateError;
use super::act::{Act, Actor};
use super::incarnation::{
    ALIVE, ENDED, EPOCH, INSTANCE_OF, Incarnation, LAST_WORDS, LIFETIME, PROGRESS, ROLE, RUN_OF, SPAWNED_BY,
    last_epoch, named, number, signs, type_of,
};
use super::liveness::{Heard, Lease, Lifetime, judge};
use super::stands::stands;

/// How long a lease is that nobody gave a length (chosen, untested).
pub const DEFAULT_TTL_MICROS: i64 = 5 * 60 * 1_000_000;
/// What a run goes through without ending, though whoever reports it may take it for an end.
pub const COMPACTION: &str = "compaction";

/// The predicate of what a run goes through without ending.
pub(crate) const SURVIVED: &str = "survived";

/// A run to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start<'a> {
    /// The agent, by name.
    pub agent: &'a str,
    /// What it runs for.
    pub role: Option<&'a str>,
    /// Who starts it: `NAME#EPOCH`, or the name of an agent, whose last run it is then.
    pub parent: Option<&'a str>,
    /// Whether it ends with its parent.
    pub lifetime: Lifetime,
    /// How long its first lease is.
    pub ttl_micros: Option<i64>,
}

/// A heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beat<'a> {
    /// How long the lease is from now on; as before where nothing is said.
    pub ttl_micros: Option<i64>,
    /// How far the run has come.
    pub progress: Option<&'a str>,
    /// What it has to say.
    pub words: Option<&'a str>,
}

/// A run that has a lease.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leased {
    /// The run.
    pub run: Incarnation,
    /// When the heartbeat was received.
    pub at: Instant,
    /// When the lease runs out.
    pub until: Instant,
    /// The run that it took the place of, where that had not ended.
    pub fences: Option<Incarnation>,
}

/// How the end of a run was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// It ended now.
    Now {
        /// When.
        at: Instant,
        /// Why.
        reason: String,
    },
    /// It had ended before, and nothing is changed.
    Before {
        /// When.
        at: Instant,
        /// Why.
        reason: String,
    },
    /// It goes on: what was reported ends nobody.
    GoesOn {
        /// When it was reported.
        at: Instant,
        /// What it went through.
        through: String,
    },
}

/// Decides on starting a run of an agent: it gets the next epoch, and fences the run before.
///
/// # Errors
/// [`StateError::Name`] where a name is none; [`StateError::Missing`] where the parent never started;
/// [`StateError::Refused`] where it would die at once, with its parent.
pub fn start(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    asked: &Start<'_>,
) -> Result<Decided<Leased>, StateError> {
    let agent = named("agent", asked.agent)?;
    if Incarnation::parse(agent.name()).is_some() {
        return Err(StateError::Name(format!("{:?} names a run: expected the agent alone", agent.name())));
    }
    let seen = snapshot.seen(&View::LATEST)?;
    let last = last_epoch(&seen, agent.name(), place.at)?;
    let run = Incarnation { agent: agent.name().to_owned(), epoch: last + 1 };
    let parent = asked.parent.map(|parent| parent_of(&seen, parent, asked.lifetime, place.at)).transpose()?;
    let entity = run.entity()?;
    let until = place.at.plus_micros(asked.ttl_micros.unwrap_or(DEFAULT_TTL_MICROS));

    let mut act = Act::new(by, place.at, format!("lease start {run}"));
    act.affirm(&agent, EPOCH, "", number(run.epoch));
    act.affirm(&entity, INSTANCE_OF, "", Object::Entity(type_of("incarnation")));
    act.affirm(&entity, RUN_OF, "", Object::Entity(agent.clone()));
    if let Some(role) = asked.role {
        act.affirm(&entity, ROLE, "", Object::Entity(named("role", role)?));
    }
    if let Some(parent) = &parent {
        act.affirm(&entity, SPAWNED_BY, "", Object::Entity(parent.entity()?));
        act.affirm(&entity, LIFETIME, "", Object::Text(asked.lifetime.name().to_owned()));
    }
    act.affirm_until(&entity, ALIVE, "", Object::Bool(true), Some(until));
    let fences = fence(&seen, &mut act, &run, place.at)?;
    Ok(Decided::record(act.into_recording(), Leased { run, at: place.at, until, fences }))
}

fn parent_of(
    seen: &Seen<'_>,
    name: &str,
    lifetime: Lifetime,
    at: Instant,
) -> Result<Incarnation, StateError> {
    let parent = match Incarnation::parse(name) {
        Some(parent) => parent,
        None => Incarnation { agent: name.to_owned(), epoch: last_epoch(seen, name, at)? },
    };
    let Some(judged) = judge(&parent, at, &Heard::new(), |run| signs(seen, run, at))? else {
        return Err(StateError::Missing(format!("the parent {name} never started")));
    };
    if judged.is_final && lifetime == Lifetime::DiesWith {
        return Err(StateError::Refused(format!("{parent} is dead already: {}", judged.basis)));
    }
    Ok(parent)
}

/// Takes back what is left of the lease of the run before, and returns that run where it had not ended.
fn fence(
    seen: &Seen<'_>,
    act: &mut Act<'_>,
    by: &Incarnation,
    at: Instant,
) -> Result<Option<Incarnation>, StateError> {
    let before = Incarnation { agent: by.agent.clone(), epoch: by.epoch - 1 };
    let Some(signs) = signs(seen, &before, at)? else { return Ok(None) };
    if signs.lease.is_some_and(|lease| lease.until > at) {
        act.deny(&before.entity()?, ALIVE, "", None);
    }
    Ok(signs.ended.is_none().then_some(before))
}

/// Decides on a heartbeat of the run that acts. That it may still give one is the [fence](super::fence)'s business.
///
/// # Errors
/// [`StateError::Name`] where no run acts; [`StateError::Missing`] where it never started.
pub fn beat(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    asked: &Beat<'_>,
) -> Result<Decided<Leased>, StateError> {
    let run = acting(by)?;
    let entity = run.entity()?;
    let seen = snapshot.seen(&View::LATEST)?;
    let lease = started(&seen, &run, place.at)?;
    let ttl = asked.ttl_micros.or(lease.map(Lease::ttl_micros)).unwrap_or(DEFAULT_TTL_MICROS);
    let until = place.at.plus_micros(ttl);
    let mut words = format!("lease beat {run}");
    for said in [asked.progress, asked.words].into_iter().flatten() {
        words.push_str(": ");
        words.push_str(said);
    }
    let mut act = Act::new(by, place.at, words);
    if lease.is_some_and(|lease| lease.until > until) {
        act.deny(&entity, ALIVE, "", None);
    }
    act.affirm_until(&entity, ALIVE, "", Object::Bool(true), Some(until));
    for (predicate, said) in [(PROGRESS, asked.progress), (LAST_WORDS, asked.words)] {
        if let Some(said) = said
            && !says(&seen, &entity, predicate, said, place.at)?
        {
            act.affirm(&entity, predicate, "", Object::Text(said.to_owned()));
        }
    }
    Ok(Decided::record(act.into_recording(), Leased { run, at: place.at, until, fences: None }))
}

/// Decides on a run's end, told by itself or by another.
///
/// # Errors
/// [`StateError::Missing`] where it never started.
pub fn end(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    run: &Incarnation,
    reason: &str,
) -> Result<Decided<End>, StateError> {
    if reason == COMPACTION {
        return note(snapshot, place, by, run, reason);
    }
    let entity = run.entity()?;
    let seen = snapshot.seen(&View::LATEST)?;
    let Some(signs) = signs(&seen, run, place.at)? else { return Err(never_started(run)) };
    if let Some(ended) = signs.ended {
        return Ok(Decided::nothing(End::Before { at: ended.at, reason: ended.reason }));
    }
    let mut act = Act::new(by, place.at, format!("lease end {run}: {reason}"));
    act.happen(&entity, ENDED, "", Object::Text(reason.to_owned()));
    if signs.lease.is_some_and(|lease| lease.until > place.at) {
        act.deny(&entity, ALIVE, "", None);
    }
    Ok(Decided::record(act.into_recording(), End::Now { at: place.at, reason: reason.to_owned() }))
}

/// Decides on recording what a run went through without ending.
///
/// # Errors
/// [`StateError::Missing`] where it never started.
pub fn note(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    run: &Incarnation,
    through: &str,
) -> Result<Decided<End>, StateError> {
    started(&snapshot.seen(&View::LATEST)?, run, place.at)?;
    let mut act = Act::new(by, place.at, format!("lease note {run}: {through}"));
    act.happen(&run.entity()?, SURVIVED, "", Object::Text(through.to_owned()));
    Ok(Decided::record(act.into_recording(), End::GoesOn { at: place.at, through: through.to_owned() }))
}

fn acting(by: &Actor) -> Result<Incarnation, StateError> {
    let expected = "a heartbeat is given by a run: expected an agent and its epoch";
    by.incarnation().ok_or_else(|| StateError::Name(expected.to_owned()))
}

/// Returns the last lease of a run that started.
fn started(seen: &Seen<'_>, run: &Incarnation, at: Instant) -> Result<Option<Lease>, StateError> {
    signs(seen, run, at)?.map(|signs| signs.lease).ok_or_else(|| never_started(run))
}

fn never_started(run: &Incarnation) -> StateError {
    StateError::Missing(format!("{run} never started"))
}

fn says(
    seen: &Seen<'_>,
    entity: &EntityRef,
    predicate: &str,
    said: &str,
    at: Instant,
) -> Result<bool, StateError> {
    Ok(stands(seen, entity, predicate, "", at)?.is_some_and(|standing| standing.text() == said))
}
