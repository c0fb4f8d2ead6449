//! Where the lines typed in earlier sessions are kept, after the XDG Base Directory Specification 0.8: in a folder for
//! state, which is the user's own.

use std::ffi::OsString;
use std::path::PathBuf;

use rustyline::history::{FileHistory, History};

/// The lines kept, at most.
pub(super) const MOST_LINES: usize = 1000;

/// Returns the file, as the environment says; `None` where there is no place for one.
pub(super) fn path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("bygone").join("history"))
}

/// Reads what was kept, and returns where to keep more; `None` where the folder cannot be made.
pub(super) fn load(history: &mut FileHistory, path: PathBuf) -> Option<PathBuf> {
    fs_err::create_dir_all(path.parent()?).ok()?;
    // A first session has nothing to read, and an unreadable file is no reason not to work.
    history.load(&path).unwrap_or_default();
    Some(path)
}

/// Keeps a line. One that cannot be kept is only missing later. The file is readable for its owner alone.
pub(super) fn keep(history: &mut FileHistory, path: Option<&PathBuf>, line: &str) {
    let is_new = history.add(line).unwrap_or_default();
    if let Some(path) = path.filter(|_| is_new) {
        history.append(path).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_stands_in_the_folder_for_state() {
        let with = |pairs: &[(&str, &str)]| {
            path(|name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
        };
        let home = ("HOME", "/home/anna");
        assert_eq!(with(&[home]), Some("/home/anna/.local/state/bygone/history".into()));
        assert_eq!(with(&[home, ("XDG_STATE_HOME", "/state")]), Some("/state/bygone/history".into()));
        // The specification has relative paths ignored.
        let relative = with(&[home, ("XDG_STATE_HOME", "state")]);
        assert_eq!(relative, Some("/home/anna/.local/state/bygone/history".into()));
        assert_eq!(with(&[]), None);
    }
}
