//! How the chat histories of aider (`.aider.chat.history.md`) are read.
//!
//! ```text
//! # aider chat started at 2024-08-05 19:33:02       a session
//!
//! > Aider v0.50.1··                                 aider itself
//!
//! #### Use the Spinner instead··                    the person
//! #### of the inlined one.··
//!
//! I'll change it …                                  the model, in Markdown
//!
//! > Applied edit to aider/utils.py··
//! > Tokens: 4,542 sent, 369 received.               … which goes on over several lines
//! Cost: $0.02 message, $0.03 session.··
//! ```
//!
//! After the public histories and sources of aider, 0.47 to 0.86. What aider writes of the person and of itself ends with two
//! spaces (`··`), and so tells headings and quotes of the model apart; in a file where it never does, as editors leave it, the
//! marks alone decide outside of fences.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use bygone_engine::Role;
use bygone_engine::time::Instant;
use serde_json::json;

use super::lines::{Line, lines};
use super::speaker::speaker;
use super::stamp::{Stamp, read_text};
use super::told::Told;
use super::turn_text::TurnText;
use super::turns::Turns;
use super::{INCOMPLETE, LONGEST_RECORD, Manner, Part, Place, Read, Reader, Source};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "aider",
    about: "chat histories of aider (.aider.chat.history.md)",
    sniff,
    read: Manner::File(read),
};

const AGENT: &str = "aider";
const HEADER: &str = "# aider chat started at ";
/// How lines end that aider writes of the person or of itself.
const END: &str = "  ";
/// Openings of what aider puts into the person's mouth, from its sources.
const PROMPTS: [&str; 4] = [
    "# Fix any errors below, if possible.",
    "I ran this command:",
    "The LLM did not conform to the edit format.",
    "The SEARCH/REPLACE block",
];
/// Commands that are followed by what the person says.
const ASKING: [&str; 5] = ["/ask", "/architect", "/chat-mode", "/code", "/help"];

/// Whose words a stretch of lines is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    Person,
    Aider,
    Model,
}

/// Lines that follow each other and are of one voice.
struct Block {
    place: Place,
    voice: Voice,
    /// Its words, without the marks.
    text: String,
    raw: Vec<u8>,
    /// Blank lines since its last line, which belong to it only if another line of it follows.
    n_blank: usize,
    /// Whether a fence is open.
    is_fenced: bool,
    /// Whether the last line is one of several of aider's that end with the next one that has two spaces.
    goes_on: bool,
    /// What was noticed.
    problems: Vec<String>,
}

fn sniff(head: &[u8]) -> bool {
    lines(head).any(|line| line.text.starts_with(HEADER))
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let head = source.head()?;
    let marks = |line: &Line<'_>| line.text.starts_with("#### ") || line.text.starts_with("> ");
    let is_strict = lines(&head).any(|line| marks(&line) && line.text.ends_with(END));
    let mut history = History {
        source,
        turns: Turns::new(source, hand_on),
        session: source.stem().to_owned(),
        time: None,
        positions: BTreeMap::new(),
        n_edits: 0,
    };
    let mut current: Option<Block> = None;
    let mut lines = source.lines()?;
    while let Some(line) = lines.next()? {
        if let Some(reason) = &line.too_long {
            history.finish(current.take());
            history.turns.set_aside(line.place, line.raw, reason.clone());
        } else if line.is_blank() {
            if let Some(block) = &mut current {
                block.n_blank += 1;
            }
        } else if let Some(started) = line.text.strip_prefix(HEADER) {
            history.finish(current.take());
            history.begin(&line, started.trim());
        } else if !line.is_terminated && is_strict && !line.text.ends_with(END) {
            history.cut_off(current.take(), &line);
        } else {
            let voice = voice(&line.text, current.as_ref(), is_strict);
            match &mut current {
                Some(block) if block.takes(voice, &line) => block.go_on(&line),
                _ => {
                    history.finish(current.take());
                    current = Some(Block::new(voice, &line));
                }
            }
        }
    }
    history.finish(current);
    Ok(())
}

/// Tells whose words a line is.
fn voice(text: &str, current: Option<&Block>, is_strict: bool) -> Voice {
    let (is_person, is_aider) =
        (text.starts_with("#### ") || text.trim_end() == "####", text.starts_with('>'));
    let is_ended = text.ends_with(END);
    let after = current.map(|block| (block.voice, block.n_blank, block.is_fenced, block.goes_on));
    match after {
        Some((Voice::Aider, _, _, true)) if is_strict && !(is_person && is_ended) => Voice::Aider,
        _ if is_strict && is_ended && is_person => Voice::Person,
        _ if is_strict && is_ended && is_aider => Voice::Aider,
        // The first of several lines has the mark, and the last one the spaces.
        Some((Voice::Person | Voice::Aider, 0, ..)) if is_strict && is_aider => Voice::Aider,
        _ if is_strict && text.starts_with("> Tokens: ") => Voice::Aider,
        _ if is_strict => Voice::Model,
        Some((Voice::Model, _, true, _)) => Voice::Model,
        _ if is_person => Voice::Person,
        _ if is_aider => Voice::Aider,
        _ => Voice::Model,
    }
}

impl Block {
    fn new(voice: Voice, line: &Line<'_>) -> Block {
        let mut block = Block {
            place: line.place,
            voice,
            text: String::new(),
            raw: Vec::new(),
            n_blank: 0,
            is_fenced: false,
            goes_on: false,
            problems: Vec::new(),
        };
        block.take(line);
        block
    }

    /// Says whether a line of that voice goes on with the block. The model's words have blank lines in them.
    fn takes(&self, voice: Voice, line: &Line<'_>) -> bool {
        let has_room = self.raw.len() as u64 + line.raw.len() as u64 <= LONGEST_RECORD;
        let is_one =
            self.n_blank == 0 || voice == Voice::Model || (self.goes_on && !line.text.starts_with('>'));
        voice == self.voice && has_room && is_one
    }

    fn go_on(&mut self, line: &Line<'_>) {
        for _ in 0..=self.n_blank {
            self.text.push('\n');
            self.raw.push(b'\n');
        }
        self.n_blank = 0;
        self.take(line);
    }

    fn take(&mut self, line: &Line<'_>) {
        let text = line.text.as_ref();
        let words = match self.voice {
            Voice::Person => {
                text.strip_prefix("####").map_or(text, |text| text.strip_prefix(' ').unwrap_or(text))
            }
            Voice::Aider => {
                text.strip_prefix('>').map_or(text, |text| text.strip_prefix(' ').unwrap_or(text))
            }
            Voice::Model => text,
        };
        self.text.push_str(words.trim_end());
        self.raw.extend_from_slice(line.raw);
        self.problems.extend(line.repairs.iter().cloned());
        if self.voice == Voice::Model && text.trim_start().starts_with("```") {
            self.is_fenced = !self.is_fenced;
        }
        self.goes_on =
            self.voice == Voice::Aider && !text.ends_with(END) && (self.goes_on || text.starts_with('>'));
    }
}

/// What is known of the file so far.
struct History<'a, 'out> {
    source: &'a Source<'a>,
    turns: Turns<'a, 'out>,
    session: String,
    /// When the session started.
    time: Option<Stamp>,
    /// The turns of each session so far.
    positions: BTreeMap<String, u64>,
    /// The edits and commits that aider told of so far in the session.
    n_edits: u64,
}

impl History<'_, '_> {
    fn begin(&mut self, line: &Line<'_>, started: &str) {
        self.turns.skip(line.place);
        self.session = format!("{}@{}", self.source.stem(), started.replace(' ', "T"));
        self.time = match read_text(started) {
            Ok(stamp) => Some(stamp),
            Err(reason) => {
                self.turns.tell(line.place, reason);
                None
            }
        };
        self.n_edits = 0;
    }

    /// Sets aside a last line that is still being written, and the block that it goes on with as far as one can tell: nobody
    /// can tell yet whose it is.
    fn cut_off(&mut self, block: Option<Block>, line: &Line<'_>) {
        let goes_on = |block: &Block| block.voice == Voice::Model || block.n_blank == 0 || block.goes_on;
        let cut = match block {
            Some(mut block) if goes_on(&block) => {
                block.go_on(line);
                block
            }
            block => {
                self.finish(block);
                Block::new(Voice::Model, line)
            }
        };
        self.turns.set_aside(cut.place, &cut.raw, format!("{INCOMPLETE}: the turn may go on"));
    }

    /// Hands on the turn that a block is.
    fn finish(&mut self, block: Option<Block>) {
        let Some(block) = block else {
            return;
        };
        let mut rendering = TurnText { problems: block.problems, ..TurnText::default() };
        let role = match block.voice {
            Voice::Person => {
                rendering.push(&block.text);
                let spoken = spoken(&block.text);
                rendering.parts = [(0..spoken.start, false), (spoken.clone(), true)]
                    .into_iter()
                    .filter(|(span, _)| !span.is_empty())
                    .map(|(span, is_spoken)| if is_spoken { Part::Speech(span) } else { Part::Harness(span) })
                    .collect();
                Role::User
            }
            Voice::Model => {
                rendering.say(&block.text, Part::Speech);
                Role::Agent
            }
            Voice::Aider => {
                self.tools(&block.text, &mut rendering);
                Role::Tool
            }
        };
        let position = self.positions.entry(self.session.clone()).or_default();
        *position += 1;
        let told = Told {
            place: block.place,
            bytes: Some(&block.raw),
            session: &self.session,
            position: *position,
            role,
            speaker: speaker(role, AGENT),
            agent: AGENT,
            user: None,
            native_id: None,
            cwd: None,
            rendering,
        };
        let source = self.source;
        let time = self.time.clone().map(Ok);
        self.turns.turn(told, time, &|| first_time(source));
    }

    /// Renders what aider says: of the edits and commits it made, each as a call and its result.
    fn tools(&mut self, text: &str, into: &mut TurnText) {
        for line in text.lines() {
            let call = if let Some(path) = line.strip_prefix("Applied edit to ") {
                Some(("edit_file", json!({ "path": path.trim() })))
            } else if let Some(commit) = line.strip_prefix("Commit ") {
                let (commit, message) = commit.split_once(' ').unwrap_or((commit, ""));
                let is_hash = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
                is_hash.then(|| ("git_commit", json!({ "commit": commit, "message": message })))
            } else {
                None
            };
            let Some((name, input)) = call else {
                let span = into.push(line);
                harness(&mut into.parts, span);
                continue;
            };
            self.n_edits += 1;
            into.note(&format!("{name}-{}", self.n_edits), name, input, line);
        }
    }
}

/// Adds a line to the harness's words, and to the stretch that ends above it.
fn harness(parts: &mut Vec<Part>, span: Range<usize>) {
    match parts.last_mut() {
        Some(Part::Harness(above)) if above.end + 1 == span.start => above.end = span.end,
        _ if span.is_empty() => {}
        _ => parts.push(Part::Harness(span)),
    }
}

/// Returns which of the person's words they said themselves: not aider's prompts, nor commands.
fn spoken(text: &str) -> Range<usize> {
    if PROMPTS.iter().any(|prompt| text.starts_with(prompt)) {
        return text.len()..text.len();
    }
    if !text.starts_with(['/', '!']) {
        return text.len() - text.trim_start().len()..text.len();
    }
    let command = text.split_whitespace().next().unwrap_or_default();
    let start = if ASKING.contains(&command) { command.len() } else { text.len() };
    let words = &text[start..];
    start + (words.len() - words.trim_start().len())..text.len()
}

/// Finds when the first session of the file started.
fn first_time(source: &Source<'_>) -> Option<Instant> {
    let mut lines = source.lines_ahead().ok()?;
    while let Some(line) = lines.next().ok()? {
        if let Some(started) = line.text.strip_prefix(HEADER)
            && let Ok(stamp) = read_text(started.trim())
        {
            return Some(stamp.at);
        }
    }
    None
}
