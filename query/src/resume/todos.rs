//! The todos of an agent's last sessions: which are open, which was begun last, how many are done.
//!
//! That a list says "in progress" proves nothing once nobody is at work: only where a lease covers the instant is a todo in
//! progress, and otherwise it was begun.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bygone_engine::record::Recorded;
use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_engine::{AssertionId, EntityRef, EpisodeId};
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::trail::{Trail, supports};
use crate::state::{Standing, StateError, stands};

/// The predicate of how a task stands.
pub(super) const HAS_STATUS: &str = "has_status";
/// Entities below the name of a session that are looked at.
const MOST_TASKS: usize = 500;

/// How an open todo stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Somebody whose lease covers the instant is at it.
    InProgress,
    /// It was begun, and nobody is known to be at it.
    Begun,
    /// It was not begun.
    Pending,
}

impl Stage {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::InProgress => "in_progress",
            Stage::Begun => "begun",
            Stage::Pending => "pending",
        }
    }
}

/// A todo that is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo {
    /// The task, as `type:Name`.
    pub task: String,
    /// Its words.
    pub text: String,
    /// How it stands.
    pub stage: Stage,
    /// Since when.
    pub since: Instant,
    /// The session whose list it is on.
    pub session: String,
    /// Where that was said last.
    pub evidence: Evidence,
}

impl Todo {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "task": self.task,
            "text": self.text,
            "state": self.stage.name(),
            "since": self.since.to_rfc3339(),
            "session": self.session,
            "evidence": [self.evidence.to_json()],
        })
    }
}

/// The list of a session, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The session.
    pub session: String,
    /// How many todos are done.
    pub n_done: usize,
    /// How many there are, those aside that were taken off.
    pub n_all: usize,
    /// When the list was changed last.
    pub at: Instant,
}

impl Counted {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "kind": "todos",
            "session": self.session,
            "done": self.n_done,
            "all": self.n_all,
            "at": self.at.to_rfc3339(),
        })
    }
}

/// What a status amounts to.
enum Status {
    Done,
    TakenOff,
    Open(Stage),
}

fn status(word: &str, is_at_work: bool) -> Status {
    match word.to_lowercase().as_str() {
        "completed" | "done" | "closed" | "merged" | "shipped" => Status::Done,
        "removed" | "deleted" | "cancelled" | "canceled" => Status::TakenOff,
        "in_progress" | "in progress" | "started" | "doing" | "active" if is_at_work => {
            Status::Open(Stage::InProgress)
        }
        "in_progress" | "in progress" | "started" | "doing" | "active" => Status::Open(Stage::Begun),
        _ => Status::Open(Stage::Pending),
    }
}

/// Returns the open todos, those that were begun first, and how many are done on each list; `is_at_work` says whether the
/// agent has a lease that covers the instant.
pub(super) fn todos(
    seen: &Seen<'_>,
    trail: &Trail,
    at: Instant,
    is_at_work: bool,
) -> Result<(Vec<Todo>, Vec<Counted>), StateError> {
    let mut counts = Vec::new();
    let mut found: Vec<(usize, EntityRef, Standing, Stage)> = Vec::new();
    for (nth, session) in trail.sessions.iter().enumerate() {
        // Whoever works has the list of the last session before them.
        let is_at_work = is_at_work && nth == 0;
        let mut counted =
            Counted { session: session.clone(), n_done: 0, n_all: 0, at: Instant::DISTANT_PAST };
        for (task, standing) in tasks(seen, session, at)? {
            let stage = match status(&standing.text(), is_at_work) {
                Status::TakenOff => continue,
                Status::Done => None,
                Status::Open(stage) => Some(stage),
            };
            counted.n_all += 1;
            counted.n_done += usize::from(stage.is_none());
            counted.at = counted.at.max(standing.at);
            found.extend(stage.map(|stage| (nth, task, standing, stage)));
        }
        if counted.n_all > 0 {
            counts.push(counted);
        }
    }
    let mut lists = Lists::of(seen, &found)?;
    let mut todos = Vec::new();
    for (nth, task, standing, stage) in found {
        let id = task.name().rsplit_once('/').map_or(task.name(), |(_, id)| id).to_owned();
        let own = task.name().strip_prefix(&format!("{}/", trail.sessions[nth])).unwrap_or(&id).to_owned();
        let text = stands(seen, &task, "name", "", at)?.map_or_else(|| own.clone(), |name| name.text());
        let place = lists.place(seen, standing.statement, &text, &own)?;
        let evidence = lists.evidence(standing.statement);
        let todo = Todo {
            task: task.to_string(),
            text,
            stage,
            since: standing.since,
            session: trail.sessions[nth].clone(),
            evidence,
        };
        todos.push(((nth, stage, place, own), todo));
    }
    todos.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok((todos.into_iter().map(|(_, todo)| todo).collect(), counts))
}

/// Returns the tasks of a session, and how each stands.
fn tasks(seen: &Seen<'_>, session: &str, at: Instant) -> Result<Vec<(EntityRef, Standing)>, StateError> {
    let below = format!("{session}/");
    let mut tasks = Vec::new();
    for entity in seen.snapshot().walk_entities(&below).take(MOST_TASKS) {
        let entity = entity?;
        if entity.kind() == "task"
            && entity.name().starts_with(&below)
            && let Some(standing) = stands(seen, &entity, HAS_STATUS, "", at)?
        {
            tasks.push((entity, standing));
        }
    }
    tasks.dedup_by(|one, other| one.0 == other.0);
    Ok(tasks)
}

/// The lists that todos stand on, as the calls wrote them: a list's order is that of its words.
struct Lists {
    said: BTreeMap<AssertionId, Recorded>,
    texts: BTreeMap<EpisodeId, String>,
}

impl Lists {
    fn of(seen: &Seen<'_>, found: &[(usize, EntityRef, Standing, Stage)]) -> Result<Lists, StateError> {
        let said = supports(seen, found.iter().map(|(_, _, standing, _)| standing.statement))?;
        Ok(Lists { said, texts: BTreeMap::new() })
    }

    fn evidence(&self, statement: AssertionId) -> Evidence {
        self.said.get(&statement).map_or(Evidence::Statement(statement), Evidence::of)
    }

    /// Returns where a todo stands on its list: by its number where it has one, else by its words in the call.
    fn place(
        &mut self,
        seen: &Seen<'_>,
        statement: AssertionId,
        words: &str,
        own: &str,
    ) -> Result<usize, StateError> {
        if let Some(number) = own.strip_prefix('#').and_then(|number| number.parse().ok()) {
            return Ok(number);
        }
        let call = self.said.get(&statement).and_then(|said| said.assertion.source.context.first().copied());
        let Some(call) = call else { return Ok(usize::MAX) };
        let text = match self.texts.entry(call) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let turn = seen.snapshot().episode(call)?;
                entry.insert(turn.map_or_else(String::new, |turn| turn.episode.text))
            }
        };
        // As JSON has them, without the quotation marks around.
        let written = json!(words).to_string();
        let written = written.trim_matches('"');
        Ok(text.find(written).unwrap_or(usize::MAX))
    }
}
