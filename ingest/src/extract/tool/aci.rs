//! What the commands prove that SWE-agent adds to its shell: `open`, `edit`, `create` and their like, by the head of the file
//! that they show, and `str_replace_editor` as a command.

use super::call::Answer;
use super::file::{Change, changed, shown};
use super::says;
use crate::candidate::Candidate;

/// Commands that show a piece of a file, and those that change the file they show.
const SHOWING: [&str; 4] = ["open", "goto", "scroll_down", "scroll_up"];
const CHANGING: [&str; 4] = ["edit", "insert", "append", "create"];
/// What the result says where the file was changed.
const CHANGED: [&str; 4] = ["File updated", "Text replaced", "Text was inserted", "Text appended"];

/// Reads the result of a command.
pub(super) fn read(answer: &Answer<'_>, command: &str, candidates: &mut Vec<Candidate>) {
    let printed = answer.printed();
    let mut words = command.split_whitespace();
    let name = words.next().unwrap_or_default();
    let directory = answer.directory();
    if name == "str_replace_editor" {
        let (what, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let path = path.trim_matches(['"', '\'']);
        match what {
            _ if path.is_empty() => {}
            "view" if says::shows_file(&printed) => candidates.extend(shown(answer, path)),
            "create" | "insert" | "str_replace" | "undo_edit" if says::is_done(&printed) == Some(true) => {
                candidates.extend(changed(answer, path, Change::Written, directory.as_deref()));
            }
            _ => {}
        }
        return;
    }
    let Some(path) = says::shown_file(&printed) else {
        return;
    };
    let is_changed = name == "create"
        || says::is_done(&printed) == Some(true)
        || CHANGED.iter().any(|said| printed.contains(said));
    if SHOWING.contains(&name) {
        candidates.extend(shown(answer, path));
    } else if CHANGING.contains(&name) && is_changed {
        candidates.extend(changed(answer, path, Change::Written, directory.as_deref()));
    }
}
