//! How a transcript becomes turns. Each format is one file here; nothing below this folder knows formats.

pub mod claude_code;
pub mod facts;
mod lines;
mod near;
pub mod plain;
mod stamp;

use bygone_engine::Episode;
use bygone_engine::time::Instant;
use bygone_engine::wire::Statement;

/// Where a record stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The byte the record starts at.
    pub offset: u64,
    /// Its line, from 1.
    pub line: u64,
}

/// Something a reader noticed about a record: it was kept, but not as it should have been; or it could not be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What, in words.
    pub reason: String,
}

/// One part of a turn, in order; the spans are byte ranges of the episode's text.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Words that the turn's speaker means.
    Speech(std::ops::Range<usize>),
    /// Words put there by the harness (reminders, command wrappers, summaries): never anybody's statement.
    Harness(std::ops::Range<usize>),
    /// The agent's private reasoning: kept, never extracted from.
    Thinking(std::ops::Range<usize>),
    /// The agent asks for a tool.
    ToolCall {
        /// The id its result will name.
        call: String,
        /// The tool.
        name: String,
        /// Its input.
        input: serde_json::Value,
        /// Where it stands in the text.
        span: std::ops::Range<usize>,
    },
    /// A tool answered.
    ToolResult {
        /// The id of the call it answers.
        call: String,
        /// Whether the tool says it failed; `None` where it does not say.
        is_error: Option<bool>,
        /// What it printed.
        output: String,
        /// What the harness recorded about it beside the output (exit code, file path, patch).
        details: Option<serde_json::Value>,
        /// Where it stands in the text.
        span: std::ops::Range<usize>,
    },
}

/// One turn as read: the episode to keep, and its parts for the extractors.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Where the record stands.
    pub place: Place,
    /// What is kept.
    pub episode: Episode,
    /// The directory the session worked in, where the record says so: what relative paths start from.
    pub cwd: Option<String>,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// What became of one record (a line or an array element).
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// It is a turn.
    Turn(Box<Turn>),
    /// It is a statement that came as data.
    Statement(Place, Box<Statement>),
    /// It holds no turn by design (a summary, a snapshot).
    Skipped(Place),
    /// It could not be read; its bytes are kept with the reason.
    Quarantined {
        /// Where and why.
        problem: Problem,
        /// The record as it stood.
        raw: Vec<u8>,
        /// Whether it is the start of a record whose rest may still be written.
        incomplete: bool,
    },
}

/// How the reason opens for a last line that ends in the middle of its record: the rest may still be written.
pub(crate) const INCOMPLETE: &str = "incomplete last line";

impl Record {
    /// Sets a record aside that could not be read.
    pub(crate) fn set_aside(problem: Problem, raw: Vec<u8>) -> Record {
        let incomplete = problem.reason.starts_with(INCOMPLETE);
        Record::Quarantined { problem, raw, incomplete }
    }
}

/// What a reader hands on, in file order.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// A record and what became of it.
    Record(Record),
    /// Something noticed about a record that is kept.
    Problem(Problem),
}

/// A file to read.
pub struct Source<'a> {
    /// Its name, as problems and default session names give it.
    pub name: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// When the file was last modified: the time of turns that have none at all.
    pub modified: Instant,
    /// The present: when a statement that does not say became known.
    pub now: Instant,
}

/// A transcript format.
pub struct Reader {
    /// Its name for `--format`.
    pub name: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    /// Says whether the source looks like this format.
    pub sniff: fn(&Source<'_>) -> bool,
    /// Reads the source, handing on each record once and in order.
    pub read: fn(&Source<'_>, &mut dyn FnMut(Read)),
}

impl Source<'_> {
    /// Returns the file's name without folders and without its last extension: the session of records that name none.
    pub fn stem(&self) -> &str {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or(self.name);
        match file.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => file,
        }
    }
}

/// The formats that are read, in the order they are tried on a file.
pub const READERS: &[Reader] = &[facts::READER, claude_code::READER, plain::READER];

/// Finds the first format the source looks like.
pub fn sniff(source: &Source<'_>) -> Option<&'static Reader> {
    READERS.iter().find(|reader| (reader.sniff)(source))
}

/// Finds a format by its name for `--format`.
pub fn by_name(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.name == name)
}
