//! How the tasks on an agent's list stand, where the result confirms the list.
//!
//! A task is `task:<session>/<its text>`, since the same words on two lists are two tasks; `name` says the words alone.
//! One that is on the list no longer and was not done is `removed`.

use std::collections::BTreeMap;

use bygone_engine::{EntityRef, Object};
use serde_json::Value;

use super::call::{Answer, Calls};
use super::outcome::Outcome;
use super::propose::{Triple, state};
use crate::candidate::Candidate;

const RULE: &str = "tool.task/1";

/// Where lists stand in what tools are given or report, and what the items call their words.
const LISTS: [&str; 5] = ["todos", "plan", "task_list", "items", "newTodos"];
const WORDS: [&str; 5] = ["content", "step", "description", "title", "text"];
/// What a task is that needs nothing more.
const OVER: [&str; 3] = ["completed", "done", "cancelled"];

/// Reads the result of a tool that writes the list anew.
pub(super) fn read_list(
    answer: &Answer<'_>,
    outcome: Outcome,
    calls: &mut Calls,
    candidates: &mut Vec<Candidate>,
) {
    if outcome != Outcome::Succeeded {
        return;
    }
    // What the harness recorded comes before what was asked for.
    let list = answer.detail("newTodos").or_else(|| LISTS.iter().find_map(|key| answer.call.input.get(key)));
    let Some(tasks) = list.and_then(Value::as_array).map(|items| tasks(items)) else {
        return;
    };
    let is_merged = answer.call.input.get("merge").and_then(Value::as_bool) == Some(true);
    let recorded = answer.detail("oldTodos").and_then(Value::as_array).map(|items| tasks_by_words(items));
    let session = &answer.turn.episode.session;
    let before = calls.replace_tasks(session, tasks.iter().cloned().collect(), is_merged);
    // Some versions record an empty list as the one before, whatever it was.
    let before = if before.is_empty() { recorded.unwrap_or_default() } else { before };
    for (words, status) in &tasks {
        if !before.contains_key(words) {
            candidates.extend(named(answer, words, words));
        }
        candidates.extend(stands(answer, words, status));
    }
    let is_gone = |words: &String| !is_merged && tasks.iter().all(|(other, _)| other != words);
    for (words, _) in before.iter().filter(|(words, status)| is_gone(words) && !is_over(status)) {
        candidates.extend(stands(answer, words, "removed"));
    }
}

/// Reads the result of a tool that makes or changes one task, which has a number.
pub(super) fn read_one(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    if outcome != Outcome::Succeeded || answer.detail("success").and_then(Value::as_bool) == Some(false) {
        return;
    }
    let made = answer.detail("task");
    let number = made.and_then(|task| task.get("id")).or_else(|| answer.detail("taskId"));
    let number = number.and_then(Value::as_str).or_else(|| answer.input("taskId"));
    let Some(id) = number.map(|number| format!("#{number}")) else {
        return;
    };
    let subject = made.and_then(|task| task.get("subject")?.as_str()).or_else(|| answer.input("subject"));
    if let Some(words) = subject {
        candidates.extend(named(answer, &id, words));
    }
    let changed = answer.detail("statusChange").and_then(|change| change.get("to")?.as_str());
    let status = changed.or_else(|| answer.input("status"));
    if let Some(status) = status.or_else(|| made.map(|_| "pending")) {
        candidates.extend(stands(answer, &id, if status == "deleted" { "removed" } else { status }));
    }
}

fn is_over(status: &str) -> bool {
    OVER.contains(&status)
}

fn tasks_by_words(items: &[Value]) -> BTreeMap<String, String> {
    tasks(items).into_iter().collect()
}

/// Reads the tasks of a list: their words, and how they stand.
fn tasks(items: &[Value]) -> Vec<(String, String)> {
    let task = |item: &Value| {
        let text = |key: &str| item.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let words = WORDS.into_iter().find_map(text)?;
        let is_completed = item.get("completed").and_then(Value::as_bool);
        let flag = is_completed.map(|is_completed| if is_completed { "completed" } else { "pending" });
        Some((words.trim().to_owned(), text("status").or(flag)?.to_owned()))
    };
    items.iter().filter_map(task).collect()
}

fn named(answer: &Answer<'_>, id: &str, words: &str) -> Option<Candidate> {
    said(answer, id, "name", words)
}

fn stands(answer: &Answer<'_>, id: &str, status: &str) -> Option<Candidate> {
    said(answer, id, "has_status", status)
}

fn said(answer: &Answer<'_>, id: &str, predicate: &'static str, text: &str) -> Option<Candidate> {
    let subject = EntityRef::new("task", &format!("{}/{id}", answer.turn.episode.session)).ok()?;
    let triple = Triple { subject, predicate, key: String::new(), object: Object::Text(text.to_owned()) };
    Some(state(answer.turn, answer.span, RULE, triple))
}
