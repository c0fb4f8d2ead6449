//! The roster: who runs or ran, and whether they live, as a view has it at an instant.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_engine::{Episode, Role};
use serde_json::{Value, json};

use super::StateError;
use super::incarnation::{INSTANCE_OF, Incarnation, LAST_WORDS, PROGRESS, ROLE, last_epoch, signs, type_of};
use super::liveness::{Heard, Judged, Lifetime, Liveness, Signs, judge};
use super::stands::stands;

/// Which of them are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The last run of each agent that ever had a lease.
    Leased,
    /// Those, and the agents that only spoke.
    Last,
    /// Every run, and the agents that only spoke.
    All,
}

/// An agent, or one run of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The agent, by name.
    pub agent: String,
    /// Which of its runs; nothing where it only spoke.
    pub epoch: Option<u64>,
    /// What it runs for.
    pub role: Option<String>,
    /// Whether it lives.
    pub liveness: Liveness,
    /// Why that is so, in words.
    pub basis: String,
    /// Its last heartbeat, or the last turn it took part in where it never gave one.
    pub last_seen: Option<Instant>,
    /// How long ago that was.
    pub age_micros: Option<i64>,
    /// When it started.
    pub since: Option<Instant>,
    /// When its lease runs out, or ran out.
    pub until: Option<Instant>,
    /// How far it has come.
    pub progress: Option<String>,
    /// What it said last.
    pub last_words: Option<String>,
    /// Who started it.
    pub parent: Option<Incarnation>,
    /// Whether it ends with its parent; nothing where it has none.
    pub lifetime: Option<Lifetime>,
}

impl Member {
    /// Returns the run; nothing where the agent only spoke.
    pub fn run(&self) -> Option<Incarnation> {
        Some(Incarnation { agent: self.agent.clone(), epoch: self.epoch? })
    }

    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let time = |instant: Option<Instant>| instant.map(Instant::to_rfc3339);
        json!({
            "agent": self.agent,
            "epoch": self.epoch,
            "incarnation": self.run().map(|run| run.to_string()),
            "role": self.role,
            "liveness": self.liveness.name(),
            "basis": self.basis,
            "last_seen": time(self.last_seen),
            "age_seconds": self.age_micros.map(|micros| micros / 1_000_000),
            "since": time(self.since),
            "until": time(self.until),
            "progress": self.progress,
            "last_words": self.last_words,
            "parent": self.parent.as_ref().map(Incarnation::to_string),
            "lifetime": self.lifetime.map(Lifetime::name),
        })
    }
}

/// Returns the roster at an instant, by agent and epoch. `heard` are the heartbeats that this process received itself, where
/// the present is asked about.
///
/// # Errors
/// [`StateError::Store`] where the store cannot be read.
pub fn roster(seen: &Seen<'_>, at: Instant, heard: &Heard, which: Which) -> Result<Vec<Member>, StateError> {
    let mut known = Known { seen, at, signs: BTreeMap::new() };
    let mut members = Vec::new();
    let mut agents = BTreeSet::new();
    let mut last: Option<(String, u64)> = None;
    for run in runs(seen)? {
        if last.as_ref().is_none_or(|(agent, _)| *agent != run.agent) {
            last = Some((run.agent.clone(), last_epoch(seen, &run.agent, at)?));
        }
        let is_last = last.as_ref().is_some_and(|(_, epoch)| *epoch <= run.epoch);
        if which != Which::All && !is_last {
            continue;
        }
        let Some(signs) = known.signs(&run)? else { continue };
        agents.insert(run.agent.clone());
        let judged = judge(&run, at, heard, |run| known.signs(run))?;
        members.extend(judged.map(|judged| member(seen, at, &run, signs, judged)).transpose()?);
    }
    if which != Which::Leased {
        for (agent, turn) in seen.last_turns(at)? {
            if !agents.contains(&agent) {
                let Episode { time, text, role, .. } = turn.episode;
                // A statement that came as data is nothing that anybody said.
                let is_data = role == Role::Statement && text.starts_with('{');
                let words = if is_data { String::new() } else { text };
                members.push(speaker(agent, time, words, at));
            }
        }
    }
    members.sort_by(|one, other| (&one.agent, one.epoch).cmp(&(&other.agent, other.epoch)));
    Ok(members)
}

/// Judges whether a run lives at an instant, as a view has it; nothing where it had not started by then.
///
/// # Errors
/// [`StateError`] where the name is none, or the store cannot be read.
pub fn liveness(
    seen: &Seen<'_>,
    run: &Incarnation,
    at: Instant,
    heard: &Heard,
) -> Result<Option<Judged>, StateError> {
    judge(run, at, heard, |run| signs(seen, run, at))
}

/// Returns every run that was ever said to be one, by agent and epoch.
fn runs(seen: &Seen<'_>) -> Result<BTreeSet<Incarnation>, StateError> {
    let subjects = seen.subjects_with(INSTANCE_OF, &type_of("incarnation"))?;
    Ok(subjects.iter().filter_map(|entity| Incarnation::parse(entity.name())).collect())
}

/// Signs of runs, each read once.
struct Known<'s> {
    seen: &'s Seen<'s>,
    at: Instant,
    signs: BTreeMap<Incarnation, Option<Signs>>,
}

impl Known<'_> {
    fn signs(&mut self, run: &Incarnation) -> Result<Option<Signs>, StateError> {
        if let Some(signs) = self.signs.get(run) {
            return Ok(signs.clone());
        }
        let read = signs(self.seen, run, self.at)?;
        self.signs.insert(run.clone(), read.clone());
        Ok(read)
    }
}

fn member(
    seen: &Seen<'_>,
    at: Instant,
    run: &Incarnation,
    signs: Signs,
    judged: Judged,
) -> Result<Member, StateError> {
    let entity = run.entity()?;
    let said = |predicate| stands(seen, &entity, predicate, "", at);
    let role = said(ROLE)?.and_then(|role| Some(role.object.entity()?.name().to_owned()));
    let lifetime = signs.parent.is_some().then_some(signs.lifetime);
    Ok(Member {
        agent: run.agent.clone(),
        epoch: Some(run.epoch),
        role,
        liveness: judged.liveness,
        basis: judged.basis,
        last_seen: signs.lease.map(|lease| lease.beat_at),
        age_micros: judged.age_micros,
        since: Some(signs.started_at),
        until: signs.lease.map(|lease| lease.until),
        progress: said(PROGRESS)?.map(|said| said.text()),
        last_words: said(LAST_WORDS)?.map(|said| said.text()),
        parent: signs.parent,
        lifetime,
    })
}

/// Returns an agent that is known from turns alone.
fn speaker(agent: String, last_seen: Instant, last_words: String, at: Instant) -> Member {
    Member {
        agent,
        epoch: None,
        role: None,
        liveness: Liveness::Unknown,
        basis: "no heartbeat was ever received; it took part in turns".to_owned(),
        last_seen: Some(last_seen),
        age_micros: Some(at.micros().saturating_sub(last_seen.micros())),
        since: None,
        until: None,
        progress: None,
        last_words: (!last_words.is_empty()).then_some(last_words),
        parent: None,
        lifetime: None,
    }
}
