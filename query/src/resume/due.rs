//! Tasks that are due: those of the agent's lists, and those that are assigned to it.

use std::collections::BTreeMap;

use bygone_engine::store::Seen;
use bygone_engine::time::{Instant, Moment};
use bygone_engine::wire::valid_text;
use bygone_engine::{EntityRef, Object};
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::todos::{HAS_STATUS, Todo};
use super::trail::supports;
use crate::state::{StateError, stands};

/// The predicate of when a task is to be done.
const DUE: &str = "due";
/// The predicate of whose task it is.
const ASSIGNED_TO: &str = "assigned_to";
/// How long before its time a task is told of: a week (chosen, untested).
const AHEAD_MICROS: i64 = 7 * 86_400 * 1_000_000;
/// How a task stands that is not due, whatever its time.
const OVER: [&str; 9] =
    ["completed", "done", "closed", "merged", "shipped", "removed", "deleted", "cancelled", "canceled"];

/// A task that is due, or will be soon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The task, as `type:Name`.
    pub task: String,
    /// Its words.
    pub text: String,
    /// When it is to be done.
    pub due: Moment,
    /// Whether that is over.
    pub is_overdue: bool,
    /// What says so.
    pub evidence: Evidence,
}

impl Due {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "task": self.task,
            "text": self.text,
            "due": valid_text(self.due),
            "overdue": self.is_overdue,
            "evidence": [self.evidence.to_json()],
        })
    }
}

/// Returns the open tasks of an agent that are due within a week of an instant, or were: what is due first comes first.
pub(super) fn due(
    seen: &Seen<'_>,
    agent: &EntityRef,
    todos: &[Todo],
    at: Instant,
) -> Result<Vec<Due>, StateError> {
    let mut tasks: BTreeMap<EntityRef, Option<String>> = BTreeMap::new();
    for todo in todos {
        if let Ok(task) = EntityRef::parse(&todo.task) {
            tasks.insert(task, Some(todo.text.clone()));
        }
    }
    for task in seen.subjects_with(ASSIGNED_TO, agent)? {
        let standing = stands(seen, &task, ASSIGNED_TO, "", at)?.filter(|standing| !standing.has_ended);
        let own = seen.identity().representative(agent);
        if standing.is_some_and(|standing| standing.object.entity() == Some(own)) {
            tasks.entry(task).or_insert(None);
        }
    }
    let mut found = Vec::new();
    for (task, words) in tasks {
        let Some(standing) = stands(seen, &task, DUE, "", at)?.filter(|standing| !standing.has_ended) else {
            continue;
        };
        let Object::Instant(due) = standing.object else { continue };
        let status = stands(seen, &task, HAS_STATUS, "", at)?.map(|status| status.text().to_lowercase());
        let is_over = status.is_some_and(|status| OVER.contains(&status.as_str()));
        if is_over || due.at > at.plus_micros(AHEAD_MICROS) {
            continue;
        }
        let said = supports(seen, [standing.statement])?.into_values().next();
        found.push(Due {
            text: words.unwrap_or_else(|| task.name().to_owned()),
            task: task.to_string(),
            due,
            is_overdue: due.end() <= at,
            evidence: said.as_ref().map_or(Evidence::Statement(standing.statement), Evidence::of),
        });
    }
    found.sort_by(|one, other| (one.due.end(), &one.task).cmp(&(other.due.end(), &other.task)));
    Ok(found)
}
