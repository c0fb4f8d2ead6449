//! What an agent works towards and does next: as it noted, or else as the transcript has it, which is said.

use bygone_engine::EntityRef;
use bygone_engine::Role;
use bygone_engine::record::RecordedEpisode;
use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::quote::{intention, speech};
use super::todos::{Stage, Todo};
use super::trail::Trail;
use crate::state::task::{DOING, NEXT, OBJECTIVE};
use crate::state::{StateError, stands};

/// What is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What the agent works towards.
    Objective,
    /// What the user asked for last.
    LastRequest,
    /// What the agent is doing.
    Task,
    /// The exact next step.
    NextStep,
    /// What the agent said last, where nothing tells of a next step.
    LastWords,
}

impl Kind {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Objective => "objective",
            Kind::LastRequest => "last_request",
            Kind::Task => "task",
            Kind::NextStep => "next_step",
            Kind::LastWords => "last_words",
        }
    }
}

/// Where it is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The agent noted it.
    Recorded,
    /// The last words of the user in a transcript.
    Request,
    /// A todo that was begun.
    BegunTodo,
    /// The first todo that was not begun.
    PendingTodo,
    /// What the agent said last, that it would do something.
    LastSaid,
    /// What the agent said last.
    LastWords,
}

impl Origin {
    /// Says where it is from; nothing is presented as noted that was not.
    pub const fn words(self) -> &'static str {
        match self {
            Origin::Recorded => "recorded",
            Origin::Request => "from the transcript: last request",
            Origin::BegunTodo => "from the transcript: the todo that was begun",
            Origin::PendingTodo => "from the transcript: the first pending todo",
            Origin::LastSaid => "from the transcript: what it said last that it would do",
            Origin::LastWords => "from the transcript: what it said last",
        }
    }
}

/// What an agent works towards, does, or will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// What is told.
    pub kind: Kind,
    /// Its words.
    pub text: String,
    /// Where it is from.
    pub origin: Origin,
    /// Since when.
    pub at: Instant,
    /// What it rests on.
    pub evidence: Evidence,
}

impl Aim {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "kind": self.kind.name(),
            "text": self.text,
            "source": self.origin.words(),
            "at": self.at.to_rfc3339(),
            "evidence": [self.evidence.to_json()],
        })
    }
}

/// Returns the objective, where one was noted, and what the user asked for last.
pub(super) fn objective(
    seen: &Seen<'_>,
    agent: &EntityRef,
    trail: &Trail,
    at: Instant,
) -> Result<Vec<Aim>, StateError> {
    let noted = noted(seen, agent, Kind::Objective, OBJECTIVE, at)?;
    let said = trail.request.as_ref().map(|record| (record, speech(&record.episode.text)));
    let typed = trail.of_harness.iter().filter_map(|record| Some((record, command(&record.episode.text)?)));
    let last = said.into_iter().chain(typed).max_by_key(|(record, _)| place(record));
    let request = last.map(|(record, text)| Aim {
        kind: Kind::LastRequest,
        text,
        origin: Origin::Request,
        at: record.episode.time,
        evidence: Evidence::turn(record),
    });
    Ok(noted.into_iter().chain(request.filter(|request| !request.text.is_empty())).collect())
}

/// Where a turn stands: by its time, and in its session.
fn place(record: &RecordedEpisode) -> (Instant, u64) {
    (record.episode.time, record.episode.position)
}

/// What the harness does by itself where it is typed, and what asks nothing of an agent.
const OF_THE_HARNESS: [&str; 22] = [
    "/add-dir",
    "/agents",
    "/bug",
    "/clear",
    "/compact",
    "/config",
    "/context",
    "/cost",
    "/doctor",
    "/exit",
    "/export",
    "/help",
    "/hooks",
    "/login",
    "/logout",
    "/mcp",
    "/memory",
    "/model",
    "/permissions",
    "/resume",
    "/status",
    "/usage",
];

/// Returns the command that a person typed, with what stood behind it, as Claude Code records it: in elements
/// `command-name` and `command-args`.
fn command(text: &str) -> Option<String> {
    let inner = |element: &str| {
        let (_, rest) = text.split_once(&format!("<{element}>"))?;
        rest.split_once(&format!("</{element}>")).map(|(inner, _)| inner.trim())
    };
    let name = inner("command-name").filter(|name| !name.is_empty() && !OF_THE_HARNESS.contains(name))?;
    let behind = inner("command-args").unwrap_or_default();
    Some(format!("{name} {behind}").trim().to_owned())
}

/// Returns the task and the next step: those that were noted; else a todo; else what the agent said last, which is a next step
/// only where it said that it would do something.
pub(super) fn next(
    seen: &Seen<'_>,
    agent: &EntityRef,
    trail: &Trail,
    todos: &[Todo],
    at: Instant,
) -> Result<Vec<Aim>, StateError> {
    let task = noted(seen, agent, Kind::Task, DOING, at)?;
    let next = noted(seen, agent, Kind::NextStep, NEXT, at)?;
    let next = next.or_else(|| from_todos(todos, trail)).or_else(|| from_words(trail));
    Ok(task.into_iter().chain(next).collect())
}

fn noted(
    seen: &Seen<'_>,
    agent: &EntityRef,
    kind: Kind,
    predicate: &str,
    at: Instant,
) -> Result<Option<Aim>, StateError> {
    let standing = stands(seen, agent, predicate, "", at)?.filter(|standing| !standing.has_ended);
    Ok(standing.map(|standing| Aim {
        kind,
        text: standing.text(),
        origin: Origin::Recorded,
        at: standing.since,
        evidence: Evidence::Statement(standing.statement),
    }))
}

/// Those of the last session stand first, and the ones that were begun before the others.
fn from_todos(todos: &[Todo], trail: &Trail) -> Option<Aim> {
    let todo = todos.first().filter(|todo| trail.session_name() == Some(&todo.session))?;
    let origin = match todo.stage {
        Stage::InProgress | Stage::Begun => Origin::BegunTodo,
        Stage::Pending => Origin::PendingTodo,
    };
    let (text, evidence) = (todo.text.clone(), todo.evidence.clone());
    Some(Aim { kind: Kind::NextStep, text, origin, at: todo.since, evidence })
}

fn from_words(trail: &Trail) -> Option<Aim> {
    // What it meant to do before the user asked for something else is no next step.
    let asked_at = trail.request.as_ref().map(|record| record.episode.time);
    let is_later = |at: Instant| asked_at.is_none_or(|asked_at| at >= asked_at);
    let said = trail.end.iter().rev();
    let said = said.filter(|record| record.episode.role == Role::Agent && is_later(record.episode.time));
    let mut said = said.map(|record| (record, speech(&record.episode.text)));
    let (record, said) = said.find(|(_, said)| !said.is_empty())?;
    // What it said before that it would do may be done.
    let (kind, text, origin) = match intention(&said) {
        Some(intention) => (Kind::NextStep, intention.to_owned(), Origin::LastSaid),
        None => (Kind::LastWords, said, Origin::LastWords),
    };
    Some(Aim { kind, text, origin, at: record.episode.time, evidence: Evidence::turn(record) })
}
