//! How a call went, by its result.

use serde_json::Value;

use super::call::Answer;
use super::{exit, shell};

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The tool did what was asked.
    Succeeded,
    /// The tool ran and failed.
    Failed,
    /// The person stopped it; what it did until then is not known.
    Interrupted,
    /// It never ran: not permitted, or the input was not valid.
    Refused,
    /// It goes on in the background.
    Started,
    /// The result does not say: a shell's, without a flag and without an exit status.
    Unknown,
}

/// Openings of errors by which the harness says that the tool never ran; from session files and bug reports of
/// 2025 and 2026.
const REFUSALS: [&str; 8] = [
    "<tool_use_error>",
    "InputValidationError",
    "The user doesn't want to",
    "User rejected tool use",
    "Claude requested permissions to",
    "Permission to use ",
    "This command requires approval",
    "This Bash command contains multiple operations",
];

/// Judges a result. It is a failure where it says so itself; a command's exit status decides where no flag tells how
/// the command went.
pub(super) fn judge(answer: &Answer<'_>) -> Outcome {
    let output = answer.output.trim_start();
    let is_tool_use_error = output.starts_with("<tool_use_error>");
    let is_failure = answer.is_error == Some(true) || is_tool_use_error;
    let is_interrupted = answer.detail("interrupted").and_then(Value::as_bool) == Some(true)
        || (is_failure && output.starts_with("[Request interrupted by user"));
    let has_task = answer.detail("backgroundTaskId").is_some_and(Value::is_string);
    if is_interrupted {
        Outcome::Interrupted
    } else if is_failure && REFUSALS.iter().any(|refusal| output.starts_with(refusal)) {
        Outcome::Refused
    } else if is_failure {
        Outcome::Failed
    } else if has_task || output.starts_with("Command running in background with ID:") {
        Outcome::Started
    } else if shell::is_shell(answer.call) {
        judge_command(answer)
    } else {
        Outcome::Succeeded
    }
}

/// Judges a command that ran to its end and whose result is not flagged as an error.
fn judge_command(answer: &Answer<'_>) -> Outcome {
    let is_flagged = shell::is_flagged(answer);
    let status = if is_flagged { exit::recorded(answer) } else { exit::status(answer) };
    match status {
        Some(0) => Outcome::Succeeded,
        Some(_) => Outcome::Failed,
        None if is_flagged => Outcome::Succeeded,
        None => Outcome::Unknown,
    }
}
