//! Which commands ran, with which exit status, and what else their output proves.

use std::sync::LazyLock;

use bygone_engine::Object;
use regex::Regex;
use serde_json::Value;

use super::call::{Answer, Call, Calls};
use super::exit;
use super::file::absolute;
use super::outcome::Outcome;
use super::propose::{event, json};
use super::script::Open;
use super::table::{self, Proof};
use super::{aci, background, patch, script, tests_run};
use crate::candidate::Candidate;

const RULE: &str = "tool.bash/1";
const GIT_RULE: &str = "tool.git/1";

/// The one whose harness flags every exit status but 0 as an error, unless it says how it read the status.
const FLAGS_FAILURE: &str = "Bash";

/// Groups: branch, commit, message.
static COMMIT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\[(\S+|detached HEAD)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.*?)\r?$")
        .expect("the pattern is valid")
});

/// What stands between the parts of a command.
pub(super) static SEPARATOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"&&|\|\||[;\n|]").expect("the pattern is valid"));

/// Says whether the call runs a command.
pub(super) fn is_shell(call: &Call) -> bool {
    table::proof(call) == Some(Proof::Runs) && command(call).is_some()
}

/// Says whether the flag of the result tells how the command went. Elsewhere the flag tells at most how the call went,
/// and a command that fails is a result like any other.
pub(super) fn is_flagged(answer: &Answer<'_>) -> bool {
    answer.is_error.is_some() && answer.call.name == FLAGS_FAILURE
}

/// Returns the command of a call: a string, or the list of words some harnesses give.
pub(super) fn command(call: &Call) -> Option<String> {
    match call.input.get("command").or_else(|| call.input.get("cmd"))? {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [] => None,
                ["bash" | "sh" | "zsh", "-c" | "-lc", script] => Some((*script).to_owned()),
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// Returns the words of a command that no shell reads.
pub(super) fn words(call: &Call) -> Option<Vec<String>> {
    let words = call.input.get("command").or_else(|| call.input.get("cmd"))?.as_array()?;
    let words: Vec<String> =
        words.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    let is_shell = matches!(words.first()?.as_str(), "bash" | "sh" | "zsh");
    (!is_shell).then_some(words)
}

/// Returns the directory that parts of a command lead to by their `cd`s.
pub(super) fn directory_after<'a>(parts: impl Iterator<Item = &'a str>, cwd: Option<&str>) -> Option<String> {
    let start = cwd.map(|cwd| absolute(cwd, None));
    parts.filter_map(|part| part.trim().strip_prefix("cd ")).fold(start, |directory, target| {
        Some(absolute(target.trim().trim_matches(['"', '\'']), directory.as_deref()))
    })
}

/// Reads the result of a shell.
pub(super) fn read(
    answer: &Answer<'_>,
    outcome: Outcome,
    calls: &mut Calls,
    candidates: &mut Vec<Candidate>,
) {
    let Some(command) = command(answer.call) else {
        return;
    };
    let tests = if outcome == Outcome::Started { None } else { tests_run::read(answer, &command) };
    let how = match outcome {
        Outcome::Interrupted => "interrupted",
        Outcome::Started | Outcome::Unknown => "unknown",
        Outcome::Failed => "failed",
        Outcome::Succeeded => success(answer.call, &command, tests.as_ref()),
        Outcome::Refused => return,
    };
    let exit = exit_status(answer, outcome);
    candidates.push(event(answer.turn, answer.span, RULE, "ran", run(&command, exit, how)));
    if outcome == Outcome::Started {
        let task = answer.detail("backgroundTaskId").and_then(Value::as_str);
        calls.send_to_background(answer, task.or_else(|| background::session(answer.output)));
        return;
    }
    candidates.extend(tests);
    if command.contains("git") {
        candidates.extend(commits(answer));
    }
    if command.contains("apply_patch") {
        patch::read_command(answer, &command, candidates);
    }
    aci::read(answer, &command, candidates);
    if exit == Some(0) {
        script::read(answer, calls.files(&answer.turn.episode.session), candidates);
    }
}

/// Returns what a status of 0 says of a command: that it went well, unless it leaves open how a part of it went. How tests
/// went is then said by what they printed.
fn success(call: &Call, command: &str, tests: Option<&Candidate>) -> &'static str {
    match (left_open(call, command), tests) {
        (Open::Nothing, _) => "succeeded",
        (Open::Commands(open), Some(tests)) if open.iter().all(|part| tests_run::is_test_run(part)) => {
            if tests_run::says_passed(tests) {
                "succeeded"
            } else {
                "failed"
            }
        }
        (Open::Commands(_) | Open::Something, _) => "unknown",
    }
}

/// Returns what a status of 0 leaves open of a call's command.
pub(super) fn left_open(call: &Call, command: &str) -> Open {
    if words(call).is_some() { Open::Nothing } else { script::open(command) }
}

/// Writes a run as the object of `ran` and `finished`.
pub(super) fn run(command: &str, exit: Option<i64>, outcome: &str) -> Object {
    json([("command", command.into()), ("exit", exit.into()), ("outcome", outcome.into())])
}

/// Returns the exit status, where the result says it or the harness's contract implies it.
fn exit_status(answer: &Answer<'_>, outcome: Outcome) -> Option<i64> {
    let is_zero_implied =
        is_flagged(answer) && answer.detail("returnCodeInterpretation").is_none_or(Value::is_null);
    match outcome {
        Outcome::Succeeded if is_flagged(answer) => exit::recorded(answer).or(is_zero_implied.then_some(0)),
        Outcome::Failed | Outcome::Succeeded => exit::status(answer),
        Outcome::Interrupted | Outcome::Refused | Outcome::Started | Outcome::Unknown => {
            exit::recorded(answer)
        }
    }
}

/// Reads the result of a tool that commits: it prints what git prints, or its call has what was committed.
pub(super) fn read_commit(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    if outcome != Outcome::Succeeded {
        return;
    }
    let printed = commits(answer);
    if printed.is_empty()
        && let Some(commit) = answer.input("commit")
    {
        let message = answer.input("message").unwrap_or_default();
        let object = json([("branch", Value::Null), ("commit", commit.into()), ("message", message.into())]);
        candidates.push(event(answer.turn, answer.span, GIT_RULE, "committed", object));
    }
    candidates.extend(printed);
}

/// Reads what git prints when it has committed.
fn commits(answer: &Answer<'_>) -> Vec<Candidate> {
    let commit = |parts: regex::Captures<'_>| {
        json([("branch", parts[1].into()), ("commit", parts[2].into()), ("message", parts[3].into())])
    };
    COMMIT
        .captures_iter(&answer.printed())
        .map(|parts| event(answer.turn, answer.span, GIT_RULE, "committed", commit(parts)))
        .collect()
}
