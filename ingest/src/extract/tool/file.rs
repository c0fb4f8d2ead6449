//! Which files were written.

use bygone_engine::{EntityRef, Object};
use serde_json::Value;

use super::call::Answer;
use super::outcome::Outcome;
use super::propose::{Triple, event, state};
use crate::candidate::Candidate;

const RULE: &str = "tool.write/1";

/// Reads the result of a tool that writes one file.
pub(super) fn read(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    if outcome != Outcome::Succeeded {
        return;
    }
    // The result's own path is where the tool wrote; the call's is where it was asked to.
    let written =
        answer.detail("filePath").or_else(|| answer.detail("notebook_path")).and_then(Value::as_str);
    let path = written.or_else(|| answer.input("file_path")).or_else(|| answer.input("notebook_path"));
    let path = path.map(|path| absolute(path, answer.cwd()));
    let Some(file) = path.and_then(|path| EntityRef::new("file", &path).ok()) else {
        return;
    };
    let triple = Triple {
        subject: file.clone(),
        predicate: "file_state",
        key: String::new(),
        object: Object::Text("exists".to_owned()),
    };
    candidates.push(event(answer.turn, answer.span, RULE, "wrote", Object::Entity(file)));
    candidates.push(state(answer.turn, answer.span, RULE, triple));
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
