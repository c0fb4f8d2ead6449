//! The six commands, as a model sends them.

use bygone_engine::document::Documents;
use bygone_engine::store::{Decided, Place, Snapshot};
use serde::Deserialize;
use serde_json::Value;

use super::super::InterfaceError;
use super::edit::{create, delete, insert, rename, str_replace};
use super::view::{ViewFiles, view};
use super::{Answer, Refusal};

/// A command. What it has besides is passed over, as the tools of the API's own libraries do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Show a file or a folder.
    View(ViewFiles),
    /// Make a file.
    Create {
        /// Where.
        path: String,
        /// What is in it.
        file_text: String,
    },
    /// Replace a text that stands in a file once.
    StrReplace {
        /// The file.
        path: String,
        /// The text.
        old_str: String,
        /// What comes in its place.
        #[serde(default)]
        new_str: String,
    },
    /// Put lines into a file.
    Insert {
        /// The file.
        path: String,
        /// Behind which line; 0 for the start.
        insert_line: i64,
        /// What is put there.
        insert_text: String,
    },
    /// Delete a file, or a folder with all that is in it.
    Delete {
        /// Which.
        path: String,
    },
    /// Rename or move a file or a folder.
    Rename {
        /// From where.
        old_path: String,
        /// To where.
        new_path: String,
    },
}

impl Command {
    /// Reads a command.
    ///
    /// # Errors
    /// The answer that says what was expected.
    pub fn read(input: &Value) -> Result<Command, Answer> {
        Command::deserialize(input)
            .map_err(|error| Answer { text: format!("Error: the command is none: {error}"), is_error: true })
    }

    /// Says whether it changes nothing.
    pub fn only_reads(&self) -> bool {
        matches!(self, Command::View(_))
    }
}

/// Decides on a command.
///
/// # Errors
/// [`InterfaceError::Store`]; [`InterfaceError::Request`] where a time is none. What the command cannot do is its answer.
pub fn run(snapshot: &Snapshot<'_>, _: Place, command: &Command) -> Result<Decided<Answer>, InterfaceError> {
    let done = match command {
        Command::View(asked) => view(snapshot, asked).map(|text| (text, Documents::default())),
        Command::Create { path, file_text } => create(snapshot, path, file_text),
        Command::StrReplace { path, old_str, new_str } => str_replace(snapshot, path, old_str, new_str),
        Command::Insert { path, insert_line, insert_text } => {
            insert(snapshot, path, *insert_line, insert_text)
        }
        Command::Delete { path } => delete(snapshot, path),
        Command::Rename { old_path, new_path } => rename(snapshot, old_path, new_path),
    };
    match done {
        Ok((text, changes)) => Ok(Decided::nothing(Answer { text, is_error: false }).with_documents(changes)),
        Err(refusal) => Ok(Decided::nothing(refused(refusal)?)),
    }
}

/// Shows a file or a folder.
///
/// # Errors
/// As [`run`].
pub fn run_view(snapshot: &Snapshot<'_>, asked: &ViewFiles) -> Result<Answer, InterfaceError> {
    match view(snapshot, asked) {
        Ok(text) => Ok(Answer { text, is_error: false }),
        Err(refusal) => refused(refusal),
    }
}

/// Returns the answer that says why a command was not done.
fn refused(refusal: Refusal) -> Result<Answer, InterfaceError> {
    match refusal {
        Refusal::Told(text) => Ok(Answer { text, is_error: true }),
        Refusal::Failed(error) => Err(error),
    }
}
