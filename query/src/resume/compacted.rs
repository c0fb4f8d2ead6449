//! What was compacted away: the turns of the last session before its last compaction. The store has them, the agent's context
//! does not.

use bygone_engine::object::Object;
use bygone_engine::record::RecordedEpisode;
use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::trail::Trail;
use crate::state::lease::{COMPACTION, SURVIVED};
use crate::state::{Incarnation, StateError};

/// Turns that are counted; more are only said to be more.
const MOST_COUNTED: usize = 10_000;
/// How the words open that a compaction leaves behind.
const OPENINGS: [&str; 2] =
    ["This session is being continued from a previous conversation", "Conversation compacted"];
/// What records of a compaction have.
const MARKS: [&str; 2] = ["\"isCompactSummary\":true", "\"subtype\":\"compact_boundary\""];

/// Turns that an agent has no longer in its context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// The session.
    pub session: String,
    /// When it was compacted last.
    pub at: Instant,
    /// How many turns of the agent came before.
    pub n_turns: usize,
    /// Whether there are more than were counted.
    pub is_at_least: bool,
    /// The first of those that were counted.
    pub from: Instant,
    /// The last one.
    pub to: Instant,
    /// What tells of the compaction.
    pub evidence: Evidence,
    /// Commands that bring the turns back.
    pub commands: Vec<String>,
}

impl Compacted {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "session": self.session,
            "at": self.at.to_rfc3339(),
            "turns": self.n_turns,
            "at_least": self.is_at_least,
            "from": self.from.to_rfc3339(),
            "to": self.to.to_rfc3339(),
            "evidence": [self.evidence.to_json()],
            "commands": self.commands,
        })
    }
}

/// Returns what was compacted away of the last session by an instant; nothing where it was never compacted, or nothing came
/// before.
pub(super) fn compacted(
    seen: &Seen<'_>,
    agent: &str,
    trail: &Trail,
    run: Option<&Incarnation>,
    at: Instant,
) -> Result<Option<Compacted>, StateError> {
    let Some(session) = trail.session_name() else { return Ok(None) };
    let told = last_told(&trail.of_harness);
    let told = told.map(|record| (record.episode.time, Evidence::turn(record)));
    let noted = run.map(|run| noted(seen, run, at)).transpose()?.flatten();
    let Some((compacted_at, evidence)) = told.into_iter().chain(noted).max_by_key(|(at, _)| *at) else {
        return Ok(None);
    };
    let mut span: Option<(Instant, Instant)> = None;
    let mut n_turns = 0;
    let mut is_at_least = false;
    for attendance in seen.turns_of(agent, compacted_at.previous()) {
        let attendance = attendance?;
        if n_turns == MOST_COUNTED {
            is_at_least = true;
            break;
        }
        if attendance.session != session {
            // Other sessions of the agent may have run beside it, but not for ever.
            if span.is_some_and(|(from, _)| from.micros() - attendance.at.micros() > BESIDE_MICROS) {
                break;
            }
            continue;
        }
        n_turns += 1;
        span = Some((attendance.at, span.map_or(attendance.at, |(_, to)| to)));
    }
    Ok(span.map(|(from, to)| Compacted {
        session: session.to_owned(),
        at: compacted_at,
        n_turns,
        is_at_least,
        from,
        to,
        evidence,
        commands: vec![
            format!("bygone search \"WORDS\" --in-session {session}"),
            format!("bygone show \"{session}#N\""),
        ],
    }))
}

/// Returns the first of the turns that the last compaction left behind: a boundary and a summary may stand beside each other.
fn last_told(of_harness: &[RecordedEpisode]) -> Option<&RecordedEpisode> {
    let mut first: Option<&RecordedEpisode> = None;
    for record in of_harness.iter().rev().filter(|record| is_compaction(record)) {
        let later = first.map(|first| first.episode.time.micros() - record.episode.time.micros());
        if later.is_some_and(|micros| micros > ASIDE_MICROS) {
            break;
        }
        first = Some(record);
    }
    first
}

/// How far apart turns are that one compaction leaves behind: a minute (chosen, untested).
const ASIDE_MICROS: i64 = 60 * 1_000_000;
/// How long a session may rest while the agent works in others: a month (chosen, untested).
const BESIDE_MICROS: i64 = 31 * 86_400 * 1_000_000;

/// Says whether a turn of the harness is what a compaction leaves behind.
fn is_compaction(record: &RecordedEpisode) -> bool {
    let text = record.episode.text.trim_start();
    if OPENINGS.iter().any(|opening| text.starts_with(opening)) {
        return true;
    }
    let raw = record.episode.raw.as_deref().and_then(|raw| std::str::from_utf8(raw).ok());
    raw.is_some_and(|raw| {
        let bare: String = raw.chars().filter(|c| !c.is_whitespace()).collect();
        MARKS.iter().any(|mark| bare.contains(mark))
    })
}

/// Returns the last compaction that a run noted by an instant.
fn noted(seen: &Seen<'_>, run: &Incarnation, at: Instant) -> Result<Option<(Instant, Evidence)>, StateError> {
    let Some(group) = seen.group(&run.entity()?, SURVIVED, "")? else { return Ok(None) };
    let facts = seen.last_facts_by(&group, at, MOST_NOTES)?;
    let last =
        facts.iter().rev().find(|fact| matches!(&fact.object, Object::Text(text) if text == COMPACTION));
    Ok(last.and_then(|fact| {
        Some((fact.validity.period()?.start(), Evidence::Statement(*fact.support.first()?)))
    }))
}

/// Notes of a run that are looked at.
const MOST_NOTES: usize = 20;
