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
        Ok(Event {
            session: sent.session_id.filter(|id| !id.is_empty()),
            transcript: sent.transcript_path.map(|path| at_home(&path)).filter(|path| path.is_file()),
            reason: sent.source.or(sent.trigger).or(sent.reason),
        })
    }

    /// Returns the folder in which the agent writes the sessions of one project.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.transcript.as_deref()?.parent()
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
        // The file of a session that has just begun is not there yet.
        assert_eq!(event.transcript, None);
    }

    #[test]
    fn what_is_no_event_is_told() {
        for text in ["", "[]", "{\"session_id\":3}", "hello"] {
            let error = Event::read(&mut text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with("an event was expected"), "{error}");
        }
    }
}
