//! How a call went, by its result.

use serde_json::Value;

use super::call::Answer;

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

/// Judges a result. It is a failure where it says so itself, or where the harness recorded an error beside a result
/// that does not say.
pub(super) fn judge(answer: &Answer<'_>) -> Outcome {
    let recorded_error = match answer.details {
        Some(Value::String(details)) if answer.is_error.is_none() => details.starts_with("Error:"),
        _ => false,
    };
    let output = answer.output.trim_start();
    let is_tool_use_error = output.starts_with("<tool_use_error>");
    let is_failure = answer.is_error == Some(true) || recorded_error || is_tool_use_error;
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
    } else {
        Outcome::Succeeded
    }
}
