//! Which commands ran, with which exit status, and what else their output proves.

use std::sync::LazyLock;

use bygone_engine::Object;
use regex::Regex;
use serde_json::Value;

use super::call::{Answer, Call, Calls};
use super::outcome::Outcome;
use super::propose::{event, json};
use super::tests_run;
use crate::candidate::Candidate;

const RULE: &str = "tool.bash/1";
const GIT_RULE: &str = "tool.git/1";

/// Tools that run a command, in any harness known here.
const SHELLS: [&str; 8] = [
    "Bash",
    "bash",
    "shell",
    "local_shell",
    "container.exec",
    "exec_command",
    "shell_command",
    "run_shell_command",
];

/// The one whose harness reports every exit status but 0 as an error, unless it says how it read the status.
const REPORTS_FAILURE: &str = "Bash";

static EXIT_CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:Error: )?Exit code (-?\d{1,9})\b").expect("the pattern is valid"));

/// Groups: branch, commit, message.
static COMMIT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\[(\S+|detached HEAD)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.*?)\r?$")
        .expect("the pattern is valid")
});

/// Says whether the tool runs a command.
pub(super) fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

/// Returns the command of a call: a string, or the list of words some harnesses give.
pub(super) fn command(call: &Call) -> Option<String> {
    match call.input.get("command").or_else(|| call.input.get("cmd"))? {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                ["bash" | "sh" | "zsh", "-c" | "-lc", script] => Some((*script).to_owned()),
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
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
    if outcome == Outcome::Refused {
        return;
    }
    let exit = exit_status(answer, outcome);
    let how = match outcome {
        Outcome::Interrupted => "interrupted",
        Outcome::Started => "unknown",
        Outcome::Failed => "failed",
        // Another harness may report a failing command as a result like any other.
        Outcome::Succeeded | Outcome::Refused => match exit {
            Some(0) => "succeeded",
            Some(_) => "failed",
            None if answer.call.name == REPORTS_FAILURE => "succeeded",
            None => "unknown",
        },
    };
    candidates.push(event(answer.turn, answer.span, RULE, "ran", run(&command, exit, how)));
    if outcome == Outcome::Started {
        calls.send_to_background(answer, answer.detail("backgroundTaskId").and_then(Value::as_str));
        return;
    }
    candidates.extend(tests_run::read(answer, &command));
    if command.contains("git") {
        candidates.extend(commits(answer));
    }
}

/// Writes a run as the object of `ran` and `finished`.
pub(super) fn run(command: &str, exit: Option<i64>, outcome: &str) -> Object {
    json([("command", command.into()), ("exit", exit.into()), ("outcome", outcome.into())])
}

/// Returns the exit status, where the result says it or the harness's contract implies it.
fn exit_status(answer: &Answer<'_>, outcome: Outcome) -> Option<i64> {
    let recorded =
        ["exitCode", "exit_code", "returnCode"].into_iter().find_map(|key| answer.detail(key)?.as_i64());
    let said = || {
        let code = EXIT_CODE.captures(answer.output.trim_start())?;
        code[1].parse().ok()
    };
    let recorded_text = || {
        let code = EXIT_CODE.captures(answer.details?.as_str()?)?;
        code[1].parse().ok()
    };
    let is_zero_implied = outcome == Outcome::Succeeded
        && answer.call.name == REPORTS_FAILURE
        && answer.detail("returnCodeInterpretation").is_none_or(Value::is_null);
    match outcome {
        Outcome::Failed => recorded.or_else(said).or_else(recorded_text),
        Outcome::Succeeded => recorded.or(is_zero_implied.then_some(0)),
        Outcome::Interrupted | Outcome::Refused | Outcome::Started => recorded,
    }
}

/// Reads what git prints when it has committed.
fn commits(answer: &Answer<'_>) -> Vec<Candidate> {
    let commit = |parts: regex::Captures<'_>| {
        json([("branch", parts[1].into()), ("commit", parts[2].into()), ("message", parts[3].into())])
    };
    COMMIT
        .captures_iter(answer.output)
        .map(|parts| event(answer.turn, answer.span, GIT_RULE, "committed", commit(parts)))
        .collect()
}
