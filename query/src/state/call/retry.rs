//! What becomes of a request that reaches a tool twice.

use serde::{Deserialize, Serialize};

/// Tools that change nothing, as common harnesses name them: making such a call again is safe.
const READING: [&str; 27] = [
    "BashOutput",
    "Glob",
    "Grep",
    "LS",
    "NotebookRead",
    "Read",
    "TaskOutput",
    "WebFetch",
    "WebSearch",
    "codebase_search",
    "fetch",
    "fetch_url",
    "file_search",
    "glob",
    "grep",
    "grep_search",
    "list_dir",
    "list_directory",
    "open_file",
    "read",
    "read_file",
    "read_many_files",
    "read_text_file",
    "search_files",
    "view_file",
    "web_fetch",
    "web_search",
];
/// Tools that write a list anew: the second time changes nothing more.
const LISTING: [&str; 4] = ["TodoWrite", "todo_write", "update_plan", "write_todos"];

/// What becomes of a request that reaches a tool twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Retry {
    /// The tool changes nothing.
    Pure,
    /// The second request changes nothing more.
    Idempotent,
    /// The tool itself knows a key that it was sent before.
    Keyed,
    /// It would be done twice.
    AtMostOnce,
}

impl Retry {
    /// Every class.
    pub const ALL: [Retry; 4] = [Retry::Pure, Retry::Idempotent, Retry::Keyed, Retry::AtMostOnce];

    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Retry::Pure => "pure",
            Retry::Idempotent => "idempotent",
            Retry::Keyed => "keyed",
            Retry::AtMostOnce => "at-most-once",
        }
    }

    /// Reads the word for it.
    pub fn from_name(name: &str) -> Option<Retry> {
        Retry::ALL.into_iter().find(|retry| retry.name() == name)
    }

    /// Returns the class of a tool that nobody told of, by its name: who does not know what a second time does takes no chances.
    pub fn of_tool(name: &str) -> Retry {
        if READING.contains(&name) {
            Retry::Pure
        } else if LISTING.contains(&name) {
            Retry::Idempotent
        } else {
            Retry::AtMostOnce
        }
    }

    /// Says whether a call whose outcome is unknown may be made again without looking.
    pub const fn is_safe(self) -> bool {
        match self {
            Retry::Pure | Retry::Idempotent | Retry::Keyed => true,
            Retry::AtMostOnce => false,
        }
    }

    /// Says, in words, what to do about a call whose outcome is unknown.
    pub const fn advice(self) -> &'static str {
        match self {
            Retry::Pure => "safe to make again: it changes nothing",
            Retry::Idempotent => "safe to make again: the second time changes nothing more",
            Retry::Keyed => "safe to make again with the same key, by which the tool knows it",
            Retry::AtMostOnce => "not safe to make again: check first whether it was done",
        }
    }
}
