//! How a transcript becomes turns. Each format is one file here; nothing below this folder knows formats.

// The formats.
pub mod aider;
pub mod atif;
pub mod chatgpt;
pub mod claude_ai;
pub mod claude_code;
pub mod codex;
pub mod facts;
pub mod gemini;
pub mod langchain;
pub mod letta;
pub mod locomo;
pub mod longmemeval;
pub mod mcp_memory;
pub mod openai;
pub mod plain;
pub mod swe_agent;

// What a file comes in.
pub mod archive;
mod elements;
mod lines;
mod packed;
mod pieces;
mod scan;
mod shadowed;
mod source;
mod start;

// What readers share.
mod blocks;
mod call_ids;
mod document;
mod hand_on;
mod harness;
mod json;
mod media;
mod near;
mod repeats;
mod speaker;
mod stamp;
mod times;
mod told;
mod tree;
mod turn_text;
mod turns;

use std::io;

use bygone_engine::Episode;
use bygone_engine::wire::Statement;

pub use elements::{Element, Elements};
use source::Stream;
pub use source::{Bytes, Meter, Source};
use start::behind_unreadable;

/// Returns what bytes expand to where they are packed with gzip or zstd, within the limits of every file, and else the bytes.
///
/// # Errors
/// Where they cannot be read, or are an archive.
pub fn unpacked<'a>(input: Box<dyn io::Read + Send + 'a>) -> io::Result<Box<dyn io::Read + Send + 'a>> {
    packed::unpacked(input, packed::LIMITS)
}

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
    /// What the speaker showed, in the words of its caption: nobody's speech, but shown all the same.
    Shown(std::ops::Range<usize>),
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
        /// Whether it failed, by its flag or by what its harness means by having none; `None` where that is not known.
        is_error: Option<bool>,
        /// What it printed.
        output: String,
        /// What the harness recorded about it beside the output (exit code, file path, patch).
        details: Option<serde_json::Value>,
        /// Where it stands in the text.
        span: std::ops::Range<usize>,
    },
}

impl Part {
    /// Returns where it stands in the text of its turn, in bytes.
    pub fn span(&self) -> &std::ops::Range<usize> {
        match self {
            Part::Speech(span)
            | Part::Harness(span)
            | Part::Shown(span)
            | Part::Thinking(span)
            | Part::ToolCall { span, .. }
            | Part::ToolResult { span, .. } => span,
        }
    }
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
/// The same for the last element of a list.
const INCOMPLETE_ELEMENT: &str = "incomplete last element";

/// The most bytes a record may have to be read; chosen, untested. What is longer is set aside with its start.
pub const LONGEST_RECORD: u64 = 64 << 20;
/// How much is kept of a record that is too long to be read.
const KEPT_OF_TOO_LONG: usize = 4 << 10;

impl Record {
    /// Sets a record aside that could not be read.
    pub(crate) fn set_aside(problem: Problem, raw: Vec<u8>) -> Record {
        let incomplete =
            [INCOMPLETE, INCOMPLETE_ELEMENT].iter().any(|opening| problem.reason.starts_with(opening));
        Record::Quarantined { problem, raw, incomplete }
    }
}

/// What a reader hands on, in file order.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// What follows belongs into a space of its own under this name, as the source has it: always first.
    Space(String),
    /// A record and what became of it.
    Record(Record),
    /// Something noticed about a record that is kept.
    Problem(Problem),
}

/// A transcript format.
pub struct Reader {
    /// Its name for `--format`.
    pub name: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    /// Says whether the start of a file looks like this format.
    pub sniff: fn(&[u8]) -> bool,
    /// How a file is read.
    pub read: Manner,
}

/// How a file is read: as one unit, or as many that know nothing of each other. Each record is handed on once, and
/// in order.
#[derive(Clone, Copy)]
pub enum Manner {
    /// The file is the unit.
    File(fn(&Source<'_>, &mut dyn FnMut(Read)) -> io::Result<()>),
    /// The file is a JSON list, and each element is a unit and asks for a space of its own.
    Elements(ReadElement),
    /// The file is a JSON list or a document, and each element, or the document, is a unit; all of them go where a file
    /// would go.
    Conversations(ReadElement),
}

/// How one element of a file is read.
pub type ReadElement = fn(&Source<'_>, &Element, &mut dyn FnMut(Read));

impl Manner {
    /// Opens a file element by element.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn elements<'a>(self, source: &Source<'a>) -> io::Result<Elements<'a>> {
        match self {
            Manner::File(_) | Manner::Elements(_) => source.elements(),
            Manner::Conversations(_) => source.documents(),
        }
    }
}

impl Reader {
    /// Reads a file, its units one after another.
    ///
    /// # Errors
    /// Where the file cannot be read further.
    pub fn read(&self, source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
        match self.read {
            Manner::File(read) => read(source, hand_on),
            Manner::Elements(read) | Manner::Conversations(read) => {
                let mut elements = self.read.elements(source)?;
                while let Some(element) = elements.next_element()? {
                    read_element(read, source, element, hand_on);
                }
                Ok(())
            }
        }
    }
}

/// Reads one element of a list; what is none is set aside.
pub(crate) fn read_element(
    read: ReadElement,
    source: &Source<'_>,
    mut element: Element,
    hand_on: &mut dyn FnMut(Read),
) {
    source.mask(&mut element.bytes);
    match element.fault {
        None => read(source, &element, hand_on),
        Some(reason) => {
            let problem = Problem { place: element.place, reason };
            hand_on(Read::Record(Record::set_aside(problem, element.bytes)));
        }
    }
}

/// The formats that are read, in the order they are tried on a file.
///
/// Most are told by what no other format has, and their order is only that of the documentation. It decides where the files
/// of one would pass the test of another, which is the looser one and comes later: a first message with a `role` is
/// [`openai`]'s, and may stand in an older rollout of [`codex`], among the chat messages of [`langchain`] and in an older
/// agent file of [`letta`], too; and a first line with a date is [`plain`]'s, and may stand above a history of [`aider`].
pub const READERS: &[Reader] = &[
    facts::READER,
    claude_code::READER,
    codex::READER,
    gemini::READER,
    chatgpt::READER,
    claude_ai::READER,
    langchain::READER,
    letta::READER,
    swe_agent::READER,
    atif::READER,
    mcp_memory::READER,
    openai::READER,
    locomo::READER,
    longmemeval::READER,
    aider::READER,
    plain::READER,
];

/// Finds the first format that the start of a file looks like; where its first lines cannot be read, what follows them.
pub fn sniff(head: &[u8]) -> Option<&'static Reader> {
    let find = |head: &[u8]| READERS.iter().find(|reader| (reader.sniff)(head));
    find(head).or_else(|| find(behind_unreadable(head)?))
}

/// Finds a format by its name for `--format`.
pub fn by_name(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.name == name)
}
