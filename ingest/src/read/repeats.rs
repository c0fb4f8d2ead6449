//! What only shows across the records of a file: ids that repeat, and results that no call asked for.
//!
//! Only hashes are held. Should two of them meet by chance, a remark is wrong or missing; no turn is.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Part;

/// Hashes a value for the time of one reading.
pub(super) fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The ids that were seen, and what was said under them.
#[derive(Default)]
pub(super) struct Repeats(BTreeMap<u64, u64>);

impl Repeats {
    /// Takes a record's id and what it says; returns whether another one stands above under the same id.
    pub(super) fn is_conflict(&mut self, id: &str, content: u64) -> bool {
        *self.0.entry(hash_of(id)).or_insert(content) != content
    }
}

/// The calls that were made, and those that were answered.
#[derive(Default)]
pub(super) struct CallIds {
    calls: BTreeSet<u64>,
    results: BTreeSet<u64>,
}

impl CallIds {
    /// Takes the parts of a turn; tells what does not fit.
    pub(super) fn check(&mut self, parts: &[Part], problems: &mut Vec<String>) {
        for part in parts {
            match part {
                Part::ToolCall { call, .. } => {
                    if !self.calls.insert(hash_of(call)) {
                        problems.push(format!("tool call id {call:?} was used before"));
                    }
                }
                Part::ToolResult { call, .. } => {
                    if !self.calls.contains(&hash_of(call)) {
                        problems
                            .push(format!("the result answers call {call:?}, which does not stand above"));
                    }
                    if !self.results.insert(hash_of(call)) {
                        problems.push(format!("tool call {call:?} was answered before"));
                    }
                }
                Part::Speech(_) | Part::Harness(_) | Part::Shown(_) | Part::Thinking(_) => {}
            }
        }
    }
}
