//! Which calls failed, and how.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::call::Answer;
use super::propose::{event, json};
use super::{exit, shell};
use crate::candidate::Candidate;

/// The most characters of an error or input that are kept; the episode has the rest.
const LONGEST: usize = 300;

/// Terminal colours and other control sequences (ECMA-48, section 5.4).
static CONTROL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1b\[[0-?]*[ -/]*[@-~]").expect("the pattern is valid"));

static BARE_EXIT_CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:Error: )?Exit code -?\d+$").expect("the pattern is valid"));

/// Reads a failed result.
pub(super) fn read(answer: &Answer<'_>, candidates: &mut Vec<Candidate>) {
    let printed = answer.printed();
    let is_wrapped = printed.len() != answer.output.len();
    let line = error_line(if is_wrapped { &printed } else { answer.output });
    let error = match exit::status(answer) {
        Some(status) if line.is_empty() => format!("exit code {status}"),
        Some(status) if is_wrapped => format!("exit code {status}: {line}"),
        _ => line,
    };
    candidates.push(failed_call(answer, &error));
}

/// Proposes that the call failed with the error.
pub(super) fn failed_call(answer: &Answer<'_>, error: &str) -> Candidate {
    let object = json([
        ("tool", answer.call.name.as_str().into()),
        ("input", input_summary(answer).into()),
        ("error", cut(error).into()),
    ]);
    event(answer.turn, answer.span, "tool.failed/1", "failed_call", object)
}

/// Takes terminal control sequences out of a text.
pub(super) fn without_control(text: &str) -> std::borrow::Cow<'_, str> {
    CONTROL.replace_all(text, "")
}

/// Returns the first line that says anything; behind a bare exit code, the line after it too.
fn error_line(output: &str) -> String {
    let output = without_control(output);
    let inner = output.trim().trim_start_matches("<tool_use_error>").trim_end_matches("</tool_use_error>");
    let mut lines = inner.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    match lines.next() {
        Some(second) if BARE_EXIT_CODE.is_match(first) => format!("{first}: {second}"),
        _ => first.to_owned(),
    }
}

/// Returns what tells the call from others: its command, path, pattern or page; else its whole input.
fn input_summary(answer: &Answer<'_>) -> String {
    let keys = ["file_path", "notebook_path", "pattern", "url", "query", "path", "description"];
    let command = if shell::is_shell(answer.call) { shell::command(answer.call) } else { None };
    let named = command.or_else(|| keys.iter().find_map(|key| answer.input(key)).map(str::to_owned));
    match (named, &answer.call.input) {
        (Some(named), _) => cut(&named),
        (None, Value::Null) => String::new(),
        (None, input) => cut(&input.to_string()),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
