//! What a coding agent tells its hooks.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::failure::Failure;

/// An event, by the fields that matter here; others may be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// The session.
    pub(super) session: Option<String>,
    /// The file that the session is written to, if there is one yet.
    pub(super) transcript: Option<PathBuf>,
    /// The folder in which the agent writes the sessions of one project.
    pub(super) folder: Option<PathBuf>,
    /// How the session began, or why it is compacted or ends.
    pub(super) reason: Option<String>,
}

#[derive(Deserialize)]
struct Sent {
    session_id: Option<String>,
    transcript_path: Option<PathBuf>,
    source: Option<String>,
    trigger: Option<String>,
    reason: Option<String>,
}

impl Event {
    /// Reads an event to the end of the input.
    ///
    /// # Errors
    /// [`Failure::Input`] where it is no JSON object.
    pub(super) fn read(input: &mut dyn BufRead) -> Result<Event, Failure> {
        let mut text = String::new();
        let cannot = |why: &dyn std::fmt::Display| {
            Failure::Input(format!("an event was expected on standard input, as JSON: {why}"))
        };
        input.read_to_string(&mut text).map_err(|error| cannot(&error))?;
        let sent: Sent = serde_json::from_str(&text).map_err(|error| cannot(&error))?;
        let path = sent.transcript_path.filter(|path| !path.as_os_str().is_empty());
        let path = path.map(|path| at_home(&path));
        let folder = path.as_deref().and_then(Path::parent).filter(|folder| folder.is_dir());
        Ok(Event {
            session: sent.session_id.filter(|id| !id.is_empty()),
            folder: folder.map(Path::to_owned),
            transcript: path.filter(|path| path.is_file()),
            reason: sent.source.or(sent.trigger).or(sent.reason),
        })
    }

    /// Returns the space that is the project's own, by the folder of its sessions; nothing where the event names none.
    pub(super) fn space(&self) -> Option<String> {
        const MOST_BYTES: usize = 128;
        let name = self.folder.as_deref()?.file_name()?.to_string_lossy().into_owned();
        let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
        // Of a long name the end tells more than the start.
        let start = name.len().saturating_sub(MOST_BYTES);
        Some(name[start..].to_owned()).filter(|name| !name.is_empty())
    }
}

/// Returns a path whose `~` stands for the home of who runs this.
fn at_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::var_os("HOME")) {
        (Ok(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_read_by_what_matters_of_it() {
        let mut text: &[u8] =
            br#"{"session_id":"s1","transcript_path":"/nowhere.jsonl","cwd":"/","source":"compact"}"#;
        let event = Event::read(&mut text).expect("an event");
        assert_eq!(event.session.as_deref(), Some("s1"));
        assert_eq!(event.reason.as_deref(), Some("compact"));
        // The file of a session that has just begun is not there yet; the folder may be.
        assert_eq!((event.transcript.as_deref(), event.folder.as_deref()), (None, Some(Path::new("/"))));
    }

    #[test]
    fn a_project_has_a_space_of_its_own() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let project = folder.path().join("-home-anna-my project");
        fs_err::create_dir_all(&project).expect("a folder");
        let text = serde_json::json!({ "transcript_path": project.join("s.jsonl") }).to_string();
        let event = Event::read(&mut text.as_bytes()).expect("an event");
        assert_eq!(event.space().as_deref(), Some("-home-anna-my_project"));
        assert_eq!(Event::read(&mut &b"{}"[..]).expect("an event").space(), None);
    }

    #[test]
    fn what_is_no_event_is_told() {
        for text in ["", "[]", "{\"session_id\":3}", "hello"] {
            let error = Event::read(&mut text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with("an event was expected"), "{error}");
        }
    }
}
