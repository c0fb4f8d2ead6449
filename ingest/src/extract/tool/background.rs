//! How commands in the background ended: by the harness's notification, or when their output was asked for.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::call::{Answer, Background, Calls};
use super::exit;
use super::outcome::Outcome;
use super::propose::event;
use super::script::Open;
use super::shell::{command, left_open, run};
use crate::candidate::Candidate;
use crate::read::Turn;

const RULE: &str = "tool.background/1";

static EXIT_CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"exit code:? (-?\d{1,9})").expect("the pattern is valid"));

/// How Codex says that a command goes on, and under which number.
static RUNNING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^Process running with session ID (\S+?)\r?$").expect("the pattern is valid")
});

/// Returns the number under which a command goes on, where the head of its result says that it does.
pub(super) fn session(output: &str) -> Option<&str> {
    let (head, _) = output.split_once("\nOutput:")?;
    Some(RUNNING.captures(head)?.get(1)?.as_str())
}

/// Reads `<task-notification>` elements: a task's id, the call that started it, its status, and in the summary the
/// exit code.
pub(super) fn read_notification(
    turn: &Turn,
    span: &Range<usize>,
    calls: &mut Calls,
    candidates: &mut Vec<Candidate>,
) {
    let Some(text) = turn.episode.text.get(span.clone()) else {
        return;
    };
    for notification in text.split("<task-notification>").skip(1) {
        let Some(status) = element(notification, "status") else {
            continue;
        };
        let (call, task) = (element(notification, "tool-use-id"), element(notification, "task-id"));
        if let Some(ended) = end(turn, status, call, task, calls) {
            let exit = EXIT_CODE.captures(element(notification, "summary").unwrap_or_default());
            let exit = exit.and_then(|code| code[1].parse().ok());
            candidates.extend(from_call(finish(turn, span, &ended, status, exit), &ended));
        }
    }
}

/// Reads the result of asking for a background command's output.
pub(super) fn read_poll(
    answer: &Answer<'_>,
    outcome: Outcome,
    calls: &mut Calls,
    candidates: &mut Vec<Candidate>,
) {
    let number = answer.call.input.get("session_id");
    if let Some(number) = number.and_then(|number| {
        number.as_str().map_or_else(|| Some(number.as_u64()?.to_string()), |text| Some(text.to_owned()))
    }) {
        if let Some(exit) = exit::status(answer)
            && let Some(ended) = end(answer.turn, "completed", None, Some(&number), calls)
        {
            candidates
                .extend(from_call(finish(answer.turn, answer.span, &ended, "completed", Some(exit)), &ended));
        }
        return;
    }
    if outcome != Outcome::Succeeded {
        return;
    }
    let text = |key: &str| answer.detail(key).and_then(Value::as_str);
    let asked = ["bash_id", "task_id", "shell_id"].into_iter().find_map(|key| answer.input(key));
    let Some(status) = text("status").or_else(|| element(answer.output, "status")) else {
        return;
    };
    if let Some(ended) = end(answer.turn, status, None, asked, calls) {
        let recorded = answer.detail("exitCode").and_then(Value::as_i64);
        let exit = recorded.or_else(|| element(answer.output, "exit_code")?.parse().ok());
        candidates.extend(from_call(finish(answer.turn, answer.span, &ended, status, exit), &ended));
    }
}

/// Takes the command out of the background, if the status says that it ended.
fn end(
    turn: &Turn,
    status: &str,
    call: Option<&str>,
    task: Option<&str>,
    calls: &mut Calls,
) -> Option<Background> {
    let is_over = matches!(status, "completed" | "failed" | "killed");
    is_over.then(|| calls.end_background(&turn.episode.session, call, task)).flatten()
}

/// The end of a command repeats the call that started it.
fn from_call(candidate: Option<Candidate>, ended: &Background) -> Option<Candidate> {
    candidate.map(|candidate| Candidate { context: vec![ended.call.episode], ..candidate })
}

fn finish(
    turn: &Turn,
    span: &Range<usize>,
    ended: &Background,
    status: &str,
    exit: Option<i64>,
) -> Option<Candidate> {
    let command = command(&ended.call)?;
    let outcome = match (status, exit) {
        ("killed", _) => "interrupted",
        (_, Some(0)) | ("completed", None) if left_open(&ended.call, &command) != Open::Nothing => "unknown",
        (_, Some(0)) | ("completed", None) => "succeeded",
        ("failed", _) | (_, Some(_)) => "failed",
        _ => "unknown",
    };
    Some(event(turn, span, RULE, "finished", run(&command, exit, outcome)))
}

/// Returns what stands in the first element of that name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(&format!("<{name}>"))?;
    let (inside, _) = after.split_once(&format!("</{name}>"))?;
    Some(inside.trim())
}
