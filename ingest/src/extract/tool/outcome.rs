//! How a call went, by its result.

use serde_json::Value;

use super::call::Answer;
use super::table::{self, Proof};
use super::{background, exit, says, shell};

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
    /// The result does not say: it has no flag, no exit status where a command ran, and no words that say it.
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
    } else if has_task
        || output.starts_with("Command running in background with ID:")
        || background::session(output).is_some()
    {
        Outcome::Started
    } else if shell::is_shell(answer.call) {
        judge_command(answer)
    } else {
        judge_tool(answer)
    }
}

/// Judges a tool that runs no command and whose result is not flagged as an error. A flag that it went well counts
/// unless the words say otherwise; without a flag the words have to say it, or the file that was asked for be there.
fn judge_tool(answer: &Answer<'_>) -> Outcome {
    let proof = table::proof(answer.call);
    let printed = answer.printed();
    // What shows a file or a page may open with any words.
    if matches!(proof, Some(Proof::Reads | Proof::Fetches)) {
        let is_shown = proof == Some(Proof::Reads) && says::shows_file(&printed);
        let is_done = answer.is_error == Some(false) || is_shown;
        return if is_done { Outcome::Succeeded } else { Outcome::Unknown };
    }
    let status = if proof == Some(Proof::Patches) { exit::status(answer) } else { None };
    let is_done = match status {
        Some(status) => Some(status == 0),
        None => says::is_done(&printed),
    };
    match (answer.is_error, is_done) {
        (Some(false), None) | (_, Some(true)) => Outcome::Succeeded,
        (None, Some(false)) if proof.is_some() => Outcome::Failed,
        (_, Some(false)) | (None | Some(true), None) => Outcome::Unknown,
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
