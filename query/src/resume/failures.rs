//! What failed and was not repaired by a later success: tests, commands, and calls.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::record::Recorded;
use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_engine::{AssertionId, EntityRef, EpisodeId, Fact, Object};
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::trail::{Trail, supports};
use crate::state::{StateError, stands};

/// The predicate of how tests stand.
pub(super) const TEST_STATUS: &str = "test_status";
/// The predicate of commands.
const RAN: &str = "ran";
/// The predicate of commands that went on in the background, and ended.
const FINISHED: &str = "finished";
/// The predicate of calls that failed.
const FAILED_CALL: &str = "failed_call";
/// The predicates of what repairs a failed call: the file or the page was got at in the end.
const REACHED: [&str; 3] = ["wrote", "read_file", "fetched"];

/// Events of a kind that are looked at, the last ones.
const MOST_EVENTS: usize = 100;

/// What failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Tests.
    Tests,
    /// A command.
    Command,
    /// Another call.
    Call,
}

impl What {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            What::Tests => "tests",
            What::Command => "command",
            What::Call => "call",
        }
    }
}

/// Something that failed and was not repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What failed.
    pub what: What,
    /// The command; of another call, its tool and what tells it from others.
    pub text: String,
    /// Where, of tests: the folder.
    pub place: Option<String>,
    /// The exit status, where it is known.
    pub exit: Option<i64>,
    /// What it failed of, in its first words.
    pub error: Option<String>,
    /// When last.
    pub at: Instant,
    /// The turn that tells.
    pub evidence: Evidence,
}

impl Failure {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "what": self.what.name(),
            "text": self.text,
            "place": self.place,
            "exit": self.exit,
            "error": self.error,
            "at": self.at.to_rfc3339(),
            "evidence": [self.evidence.to_json()],
        })
    }
}

/// Returns what failed last and was not repaired by an instant: tests first, then commands, then calls of the last session;
/// the last one of each first.
pub(super) fn failures(
    seen: &Seen<'_>,
    agent: &EntityRef,
    trail: &Trail,
    at: Instant,
) -> Result<Vec<Failure>, StateError> {
    let (tests, of_tests) = tests(seen, trail, at)?;
    let calls = events(seen, agent, FAILED_CALL, at)?;
    let mut runs = events(seen, agent, RAN, at)?;
    runs.extend(events(seen, agent, FINISHED, at)?);
    runs.sort_by_key(|event| (event.at, event.said.assertion.id));

    let mut failures = tests;
    let mut told: BTreeSet<String> = BTreeSet::new();
    for event in runs.iter().rev() {
        let Some(command) = text(&event.content, "command") else { continue };
        // The last time that it ran decides.
        let is_of_late = trail.sessions.contains(&event.said.assertion.source.session);
        if !is_of_late || !told.insert(command.clone()) || of_tests.contains(&event.turn()) {
            continue;
        }
        let outcome = text(&event.content, "outcome").unwrap_or_default();
        if outcome == "failed" || outcome == "interrupted" {
            let interrupted = (outcome == "interrupted").then_some(outcome);
            let error = interrupted.or_else(|| error_of(&calls, event, &command));
            failures.push(Failure {
                what: What::Command,
                text: command,
                place: None,
                exit: event.content.get("exit").and_then(Value::as_i64),
                error,
                at: event.at,
                evidence: Evidence::of(&event.said),
            });
        }
    }
    let of_runs: BTreeSet<EpisodeId> = runs.iter().map(Event::turn).collect();
    let mut reached = BTreeMap::new();
    for predicate in REACHED {
        for (object, at) in last_reached(seen, agent, predicate, at)? {
            let last: &mut Instant = reached.entry(object).or_insert(at);
            *last = at.max(*last);
        }
    }
    let mut told: BTreeSet<(String, String)> = BTreeSet::new();
    for event in calls.iter().rev() {
        let (tool, input) = (text(&event.content, "tool"), text(&event.content, "input"));
        let (Some(tool), input) = (tool, input.unwrap_or_default()) else { continue };
        let is_of_last_session = trail.session_name() == Some(&event.said.assertion.source.session);
        let is_repaired = reached.iter().any(|(object, at)| {
            *at > event.at && (*object == input || object.ends_with(&format!("/{input}")))
        });
        if !is_of_last_session
            || is_repaired
            || of_runs.contains(&event.turn())
            || !told.insert((tool.clone(), input.clone()))
        {
            continue;
        }
        failures.push(Failure {
            what: What::Call,
            text: if input.is_empty() { tool } else { format!("{tool} {input}") },
            place: None,
            exit: None,
            error: text(&event.content, "error"),
            at: event.at,
            evidence: Evidence::of(&event.said),
        });
    }
    failures.sort_by(|one, other| (one.what, other.at, &one.text).cmp(&(other.what, one.at, &other.text)));
    Ok(failures)
}

/// Returns what a command failed of, where the same turn tells.
fn error_of(calls: &[Event], run: &Event, command: &str) -> Option<String> {
    let of_turn = calls.iter().filter(|call| call.turn() == run.turn());
    let is_its_input = |call: &&Event| {
        // Of a long input only the start is kept.
        text(&call.content, "input").is_some_and(|input| command.starts_with(input.trim_end_matches('…')))
    };
    of_turn.filter(is_its_input).find_map(|call| text(&call.content, "error"))
}

/// Returns the tests that fail, of those that ran last, and the turns that tell of tests at all.
fn tests(
    seen: &Seen<'_>,
    trail: &Trail,
    at: Instant,
) -> Result<(Vec<Failure>, BTreeSet<EpisodeId>), StateError> {
    let ran = trail.results.iter().map(|recorded| &recorded.assertion);
    let ran: Vec<_> = ran.filter(|said| said.predicate == TEST_STATUS && said.known_at <= at).collect();
    let turns = ran.iter().map(|said| said.source.episode).collect();
    let groups: BTreeSet<(&EntityRef, &str)> =
        ran.iter().map(|said| (&said.subject, said.key.as_str())).collect();
    let mut failures = Vec::new();
    for (suite, command) in groups {
        let standing = stands(seen, suite, TEST_STATUS, command, at)?;
        let Some(standing) = standing.filter(|standing| standing.text() == "failed") else { continue };
        let said = supports(seen, [standing.statement])?.into_values().next();
        failures.push(Failure {
            what: What::Tests,
            text: command.to_owned(),
            place: Some(suite.name().to_owned()),
            exit: None,
            error: None,
            at: standing.at,
            evidence: said.as_ref().map_or(Evidence::Statement(standing.statement), Evidence::of),
        });
    }
    Ok((failures, turns))
}

/// An event that a tool reported.
struct Event {
    content: Value,
    at: Instant,
    said: Recorded,
}

impl Event {
    fn turn(&self) -> EpisodeId {
        self.said.assertion.source.episode
    }
}

/// Returns the last events of a kind by an instant, in order.
fn events(
    seen: &Seen<'_>,
    agent: &EntityRef,
    predicate: &str,
    at: Instant,
) -> Result<Vec<Event>, StateError> {
    let facts = match seen.group(agent, predicate, "")? {
        Some(group) => seen.last_facts_by(&group, at, MOST_EVENTS)?,
        None => Vec::new(),
    };
    let said = supports(seen, facts.iter().filter_map(support))?;
    let event = |fact: &Fact| {
        let said = said.get(&support(fact)?)?.clone();
        let Object::Json(content) = &fact.object else { return None };
        let content = serde_json::from_str(content).ok()?;
        Some(Event { content, at: fact.validity.period()?.start(), said })
    };
    Ok(facts.iter().filter_map(event).collect())
}

fn support(fact: &Fact) -> Option<AssertionId> {
    fact.support.first().copied()
}

/// Returns the files or pages that were got at last, by name, and when.
fn last_reached(
    seen: &Seen<'_>,
    agent: &EntityRef,
    predicate: &str,
    at: Instant,
) -> Result<Vec<(String, Instant)>, StateError> {
    let Some(group) = seen.group(agent, predicate, "")? else { return Ok(Vec::new()) };
    let facts = seen.last_facts_by(&group, at, MOST_EVENTS)?;
    let reached =
        |fact: &Fact| Some((fact.object.entity()?.name().to_owned(), fact.validity.period()?.start()));
    Ok(facts.iter().filter_map(reached).collect())
}

fn text(content: &Value, key: &str) -> Option<String> {
    content.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}
