//! What tools did: calls and their results become exact state.
//!
//! The result decides, never the call alone: a call without a result says nothing, and one that failed wrote nothing.
//!
//! ```text
//! predicate     kind   subject      object                                        from the result of
//! wrote         event  agent:…      file:<path>                                   Write, Edit, MultiEdit, NotebookEdit
//! file_state    state  file:<path>  "exists"                                      the same
//! ran           event  agent:…      {"command","exit","outcome"}                  a shell
//! finished      event  agent:…      {"command","exit","outcome"}                  a shell command in the background
//! test_status   state  suite:<dir>  "passed" | "failed", keyed by the command     a shell that ran tests
//! committed     event  agent:…      {"branch","commit","message"}                 a shell that ran git
//! fetched       event  agent:…      url:<url>                                     WebFetch
//! failed_call   event  agent:…      {"error","input","tool"}                      any tool
//! ```
//!
//! `outcome` is `succeeded`, `failed`, `interrupted` or `unknown` (it went on in the background, or the result does not
//! say); `exit` is null where the result does not say it.

mod background;
mod call;
mod exit;
mod failure;
mod fetch;
mod file;
mod outcome;
mod propose;
mod shell;
mod tests_run;

pub use call::Calls;

use call::Answer;
use outcome::Outcome;

use crate::candidate::Candidate;
use crate::read::{Part, Turn};

/// Proposes what the turn's tool results show. `calls` remembers the calls of earlier turns, whose results may come
/// later: one for a file, its turns in order.
pub fn extract(turn: &Turn, calls: &mut Calls) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for part in &turn.parts {
        match part {
            Part::ToolCall { call, name, input, .. } => calls.open(turn, call, name, input),
            Part::ToolResult { call, is_error, output, details, span } => {
                if let Some(asked) = calls.close(turn, call) {
                    let answer = Answer {
                        turn,
                        is_error: *is_error,
                        output,
                        details: details.as_ref(),
                        span,
                        call: &asked,
                        call_id: call,
                    };
                    let n_before = candidates.len();
                    read_answer(&answer, calls, &mut candidates);
                    for candidate in &mut candidates[n_before..] {
                        candidate.context.push(asked.episode);
                    }
                }
            }
            Part::Harness(span) => background::read_notification(turn, span, calls, &mut candidates),
            Part::Speech(_) | Part::Shown(_) | Part::Thinking(_) => {}
        }
    }
    candidates
}

fn read_answer(answer: &Answer<'_>, calls: &mut Calls, candidates: &mut Vec<Candidate>) {
    let outcome = outcome::judge(answer);
    match answer.call.name.as_str() {
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => file::read(answer, outcome, candidates),
        "WebFetch" => fetch::read(answer, outcome, candidates),
        "BashOutput" | "TaskOutput" => background::read_poll(answer, outcome, calls, candidates),
        _ if shell::is_shell(answer.call) => shell::read(answer, outcome, calls, candidates),
        _ => {}
    }
    if matches!(outcome, Outcome::Failed | Outcome::Refused) || answer.is_error == Some(true) {
        failure::read(answer, candidates);
    }
}
