//! Which files were read, written, deleted and moved.

use bygone_engine::{EntityRef, Object};
use serde_json::Value;

use super::call::Answer;
use super::outcome::Outcome;
use super::propose::{Triple, event, state};
use crate::candidate::Candidate;

/// The predicate of how a file stands.
pub(super) const FILE_STATE: &str = "file_state";
/// How it stands where it is there.
pub(super) const EXISTS: &str = "exists";

const WRITE_RULE: &str = "tool.write/1";
const READ_RULE: &str = "tool.read/1";
const DELETE_RULE: &str = "tool.delete/1";
const MOVE_RULE: &str = "tool.move/1";

/// Where the inputs of tools name a file, in the order in which they are looked for.
const PATHS: [&str; 8] = [
    "file_path",
    "notebook_path",
    "path",
    "filePath",
    "absolute_path",
    "target_file",
    "filename",
    "file_name",
];
/// Where they name a file and its new name.
const MOVES: [(&str, &str); 4] = [
    ("source", "destination"),
    ("source_path", "destination_path"),
    ("old_path", "new_path"),
    ("from", "to"),
];

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It was made or its content changed.
    Written,
    /// It is gone.
    Deleted,
}

/// Reads the result of a tool that writes one file.
pub(super) fn read_written(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    if outcome != Outcome::Succeeded {
        return;
    }
    // The result's own path is where the tool wrote; the call's is where it was asked to.
    let written =
        answer.detail("filePath").or_else(|| answer.detail("notebook_path")).and_then(Value::as_str);
    if let Some(path) = written.or_else(|| named(answer)) {
        candidates.extend(changed(answer, path, Change::Written, answer.directory().as_deref()));
    }
}

/// Reads the result of a tool that shows one file.
pub(super) fn read_shown(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    // The editor that shows files also lists folders.
    let is_folder = answer.printed().trim_start().starts_with("Here's the files and directories");
    if outcome != Outcome::Succeeded || is_folder {
        return;
    }
    let recorded = answer.detail("file").and_then(|file| file.get("filePath")?.as_str());
    if let Some(path) = recorded.or_else(|| named(answer)) {
        candidates.extend(shown(answer, path));
    }
}

/// Proposes that a file was shown.
pub(super) fn shown(answer: &Answer<'_>, path: &str) -> Option<Candidate> {
    let file = Object::Entity(entity(answer, path)?);
    Some(event(answer.turn, answer.span, READ_RULE, "read_file", file))
}

/// Reads the result of a tool that deletes one file.
pub(super) fn read_deleted(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    if outcome == Outcome::Succeeded
        && let Some(path) = named(answer)
    {
        candidates.extend(changed(answer, path, Change::Deleted, answer.directory().as_deref()));
    }
}

/// Reads the result of a tool that gives a file another name.
pub(super) fn read_moved(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    let names = MOVES.iter().find_map(|(from, to)| Some((answer.input(from)?, answer.input(to)?)));
    if outcome == Outcome::Succeeded
        && let Some((from, to)) = names
    {
        candidates.extend(entity(answer, from).map(|file| is(answer, MOVE_RULE, file, "deleted")));
        candidates.extend(entity(answer, to).map(|file| is(answer, MOVE_RULE, file, EXISTS)));
    }
}

/// Proposes what became of a file, whose path is seen from a directory.
pub(super) fn changed(
    answer: &Answer<'_>,
    path: &str,
    change: Change,
    directory: Option<&str>,
) -> Vec<Candidate> {
    let Ok(file) = EntityRef::new("file", &absolute(path, directory)) else {
        return Vec::new();
    };
    match change {
        Change::Written => vec![
            event(answer.turn, answer.span, WRITE_RULE, "wrote", Object::Entity(file.clone())),
            is(answer, WRITE_RULE, file, EXISTS),
        ],
        Change::Deleted => vec![is(answer, DELETE_RULE, file, "deleted")],
    }
}

/// Proposes how a file stands.
pub(super) fn is(answer: &Answer<'_>, rule: &'static str, file: EntityRef, how: &str) -> Candidate {
    let object = Object::Text(how.to_owned());
    let triple = Triple { subject: file, predicate: FILE_STATE, key: String::new(), object };
    state(answer.turn, answer.span, rule, triple)
}

/// Returns the file that the call names.
fn named<'a>(answer: &Answer<'a>) -> Option<&'a str> {
    PATHS.iter().find_map(|key| answer.input(key)).filter(|path| !path.trim().is_empty())
}

fn entity(answer: &Answer<'_>, path: &str) -> Option<EntityRef> {
    EntityRef::new("file", &absolute(path, answer.directory().as_deref())).ok()
}

/// Makes a path absolute against a directory, and takes `.` and `..` out of it without asking the disk. A path that
/// stands on nothing known stays as it is.
pub(super) fn absolute(path: &str, cwd: Option<&str>) -> String {
    let is_windows = path.as_bytes().get(1) == Some(&b':') || path.starts_with("\\\\");
    let joined = match cwd {
        Some(cwd) if !path.starts_with(['/', '~']) && !is_windows => format!("{cwd}/{path}"),
        _ => path.to_owned(),
    };
    if !joined.starts_with('/') {
        return joined;
    }
    let mut steps = Vec::new();
    for step in joined.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    format!("/{}", steps.join("/"))
}

#[cfg(test)]
mod tests {
    use super::absolute;

    #[test]
    fn paths_become_absolute() {
        assert_eq!(absolute("/a/b.rs", Some("/x")), "/a/b.rs");
        assert_eq!(absolute("../b.rs", Some("/x/y")), "/x/b.rs");
        assert_eq!(absolute("./b//c.rs", Some("/x/")), "/x/b/c.rs");
        assert_eq!(absolute("b.rs", None), "b.rs");
        assert_eq!(absolute("/../..", None), "/");
        assert_eq!(absolute("C:\\a\\b.rs", Some("/x")), "C:\\a\\b.rs");
    }
}
