//! Which files a patch wrote, deleted and moved, by the heads of its parts, where the result says it was applied.
//!
//! ```text
//! *** Begin Patch
//! *** Add File: a.rs            written
//! *** Update File: b.rs         written, …
//! *** Move to: c.rs             … or gone, and written under the other name
//! *** Delete File: d.rs         deleted
//! *** End Patch
//! ```

use serde_json::Value;

use super::call::{Answer, Call};
use super::file::{Change, changed};
use super::outcome::Outcome;
use super::shell::{SEPARATOR, command, directory_after};
use crate::candidate::Candidate;

/// What opens a patch.
const BEGIN: &str = "*** Begin Patch";
/// What a result opens with that lists the files after a patch was applied.
const APPLIED: &str = "Success. Updated the following files:";

/// Reads the result of a tool that applies a patch.
pub(super) fn read(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    if outcome == Outcome::Succeeded {
        let directory = answer.directory();
        write(answer, changes(answer.call), directory.as_deref(), candidates);
    }
}

/// Reads the result of a command that hands a patch to the program of that name.
pub(super) fn read_command(answer: &Answer<'_>, command: &str, candidates: &mut Vec<Candidate>) {
    if answer.printed().trim_start().starts_with(APPLIED)
        && let Some(at) = command.find(BEGIN)
    {
        let parts = SEPARATOR.split(&command[..at]);
        let directory = directory_after(parts, answer.directory().as_deref());
        write(answer, of_patch(&command[at..]), directory.as_deref(), candidates);
    }
}

fn write(
    answer: &Answer<'_>,
    changes: Vec<(String, Change)>,
    directory: Option<&str>,
    candidates: &mut Vec<Candidate>,
) {
    for (path, change) in changes {
        candidates.extend(changed(answer, &path, change, directory));
    }
}

/// Returns what the call asked to be changed: as the text of a patch, or as a list or an object of files.
fn changes(call: &Call) -> Vec<(String, Change)> {
    let text = |key: &str| call.input.get(key).and_then(Value::as_str);
    let patch = call
        .input
        .as_str()
        .or_else(|| ["input", "patch", "patchText", "patch_text"].into_iter().find_map(text));
    if let Some(patch) = patch {
        return of_patch(patch);
    }
    if let Some(command) = command(call) {
        return of_patch(&command);
    }
    match call.input.get("changes") {
        Some(Value::Array(files)) => files
            .iter()
            .filter_map(|file| {
                let text = |key: &str| file.get(key).and_then(Value::as_str);
                Some((text("path")?.to_owned(), of_kind(text("kind")?)?))
            })
            .collect(),
        Some(Value::Object(files)) => files.iter().flat_map(|(path, change)| of_file(path, change)).collect(),
        _ => Vec::new(),
    }
}

fn of_kind(kind: &str) -> Option<Change> {
    match kind {
        "add" | "update" => Some(Change::Written),
        "delete" => Some(Change::Deleted),
        _ => None,
    }
}

/// Reads `"a.rs": {"update": {"move_path": "b.rs"}}`, or the same with `"type": "update"` beside.
fn of_file(path: &str, change: &Value) -> Vec<(String, Change)> {
    let kinds = ["add", "update", "delete"];
    let kind = change.get("type").and_then(Value::as_str);
    let Some(kind) = kind.or_else(|| kinds.into_iter().find(|kind| change.get(kind).is_some())) else {
        return Vec::new();
    };
    let inner = change.get(kind).unwrap_or(change);
    match (inner.get("move_path").and_then(Value::as_str), of_kind(kind)) {
        (Some(moved), Some(Change::Written)) => {
            vec![(path.to_owned(), Change::Deleted), (moved.to_owned(), Change::Written)]
        }
        (_, Some(change)) => vec![(path.to_owned(), change)],
        (_, None) => Vec::new(),
    }
}

/// Reads the heads of a patch's parts. Lines of the files themselves open with a sign or a space, so none is a head.
fn of_patch(text: &str) -> Vec<(String, Change)> {
    let mut changes: Vec<(String, Change)> = Vec::new();
    for line in text.lines() {
        let Some((head, path)) = line.strip_prefix("*** ").and_then(|head| head.split_once(": ")) else {
            continue;
        };
        let path = path.trim().to_owned();
        match head {
            "Add File" | "Update File" => changes.push((path, Change::Written)),
            "Delete File" => changes.push((path, Change::Deleted)),
            "Move to" => {
                if let Some((_, change)) = changes.last_mut() {
                    *change = Change::Deleted;
                    changes.push((path, Change::Written));
                }
            }
            _ => {}
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heads_of_a_patch_say_what_it_does() {
        let patch = "*** Begin Patch\n*** Add File: a b.rs\n+*** Delete File: no.rs\n*** Update File: b.rs\n\
                     *** Move to: c.rs\n@@\n-x\n+y\n*** Delete File: d.rs\n*** End Patch\n";
        let changes = of_patch(patch);
        let shown: Vec<_> = changes.iter().map(|(path, change)| (path.as_str(), *change)).collect();
        assert_eq!(
            shown,
            [
                ("a b.rs", Change::Written),
                ("b.rs", Change::Deleted),
                ("c.rs", Change::Written),
                ("d.rs", Change::Deleted)
            ]
        );
        assert!(of_patch("*** Move to: x").is_empty());
    }
}
