//! What tools did: calls and their results become exact state.
//!
//! The result decides, never the call alone: a call without a result says nothing, and one that failed wrote nothing.
//!
//! What a tool's results prove stands in one table (`table.rs`); a tool that is not in it proves nothing when it goes well.
//!
//! ```text
//! predicate     kind   subject      object                                        from the result of
//! wrote         event  agent:…      file:<path>                                   a tool that writes a file, a patch, or a shell
//! file_state    state  file:<path>  "exists" | "deleted"                          the same, and one that deletes or moves
//! read_file     event  agent:…      file:<path>                                   a tool that shows a file
//! ran           event  agent:…      {"command","exit","outcome"}                  a shell
//! finished      event  agent:…      {"command","exit","outcome"}                  a shell command in the background
//! test_status   state  suite:<dir>  "passed" | "failed", keyed by the command     a shell that ran tests
//! committed     event  agent:…      {"branch","commit","message"}                 a shell that ran git, and a tool that commits
//! fetched       event  agent:…      url:<url>                                     a tool that fetches a page
//! has_status    state  task:…       "pending", "completed", "removed", …          a list of tasks
//! cursor        state  agent:…      {"next"}, keyed by the tool and its input     a tool that hands out pages
//! noted         state  any entity   the agent's words                             a tool that keeps notes, which is the
//! related_to    state  any entity   another one, keyed by the relation            agent's word and not the tool's
//! failed_call   event  agent:…      {"error","input","tool"}                      any tool
//! ```
//!
//! `outcome` is `succeeded`, `failed`, `interrupted` or `unknown` (it went on in the background, or the result does not
//! say, as that of `pytest | tail`, whose status is that of `tail`); `exit` is null where the result does not say it.

mod aci;
mod background;
mod call;
mod cursor;
mod exit;
mod failure;
mod fetch;
mod file;
mod notes;
mod outcome;
mod patch;
mod propose;
mod says;
mod script;
mod shell;
mod table;
mod tests_run;
mod todos;

pub use notes::noted_type;

pub use call::Calls;

use call::Answer;
use outcome::Outcome;
use table::Proof;

use bygone_engine::Object;

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
                        if candidate.predicate == file::FILE_STATE {
                            let is_there =
                                matches!(&candidate.object, Some(Object::Text(how)) if how == file::EXISTS);
                            calls.note_file(&turn.episode.session, candidate.subject.name(), is_there);
                        }
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
    match table::proof(answer.call) {
        Some(Proof::Runs) => shell::read(answer, outcome, calls, candidates),
        Some(Proof::Polls) => background::read_poll(answer, outcome, calls, candidates),
        Some(Proof::Reads) => file::read_shown(answer, outcome, candidates),
        Some(Proof::Writes) => file::read_written(answer, outcome, candidates),
        Some(Proof::Deletes) => file::read_deleted(answer, outcome, candidates),
        Some(Proof::Moves) => file::read_moved(answer, outcome, candidates),
        Some(Proof::Patches) => patch::read(answer, outcome, candidates),
        Some(Proof::Commits) => shell::read_commit(answer, outcome, candidates),
        Some(Proof::Fetches) => fetch::read(answer, outcome, candidates),
        Some(Proof::ListsTasks) => todos::read_list(answer, outcome, calls, candidates),
        Some(Proof::ChangesTask) => todos::read_one(answer, outcome, candidates),
        Some(Proof::Notes) => notes::read(answer, outcome, calls, candidates),
        None => {}
    }
    cursor::read(answer, outcome, candidates);
    if matches!(outcome, Outcome::Failed | Outcome::Refused) || answer.is_error == Some(true) {
        failure::read(answer, candidates);
    }
}
