//! Which calls were made and which were answered, by their ids: what repeats, and results that no call asked for.
//!
//! Only hashes are held. Should two of them meet by chance, a remark is wrong or missing; no turn is.

use std::collections::BTreeSet;

use super::Part;
use super::repeats::hash_of;

/// The calls that were made, and those that were answered.
#[derive(Default)]
pub(super) struct CallIds {
    calls: BTreeSet<u64>,
    results: BTreeSet<u64>,
}

impl CallIds {
    /// Takes the parts of a turn; tells what does not fit. Ids are compared `within` a session, or a file.
    pub(super) fn check(&mut self, within: &str, parts: &[Part], problems: &mut Vec<String>) {
        let key = |call: &String| hash_of(&(within, call));
        for part in parts {
            match part {
                Part::ToolCall { call, .. } => {
                    if !self.calls.insert(key(call)) {
                        problems.push(format!("tool call id {call:?} was used before"));
                    }
                }
                Part::ToolResult { call, .. } => {
                    if !self.calls.contains(&key(call)) {
                        problems
                            .push(format!("the result answers call {call:?}, which does not stand above"));
                    }
                    if !self.results.insert(key(call)) {
                        problems.push(format!("tool call {call:?} was answered before"));
                    }
                }
                Part::Speech(_) | Part::Harness(_) | Part::Shown(_) | Part::Thinking(_) => {}
            }
        }
    }

    /// Forgets all of them: another conversation begins.
    pub(super) fn clear(&mut self) {
        self.calls.clear();
        self.results.clear();
    }
}
