//! How a turn's text and parts grow together: the one place where the spans of a turn are made.

use std::ops::Range;

use serde_json::Value;

use super::Part;

/// A turn's text, its parts, and what was noticed while making them.
///
/// Invariant: every span lies in the text, on character boundaries.
#[derive(Default)]
pub(super) struct TurnText {
    /// The text so far.
    pub(super) text: String,
    /// The parts so far.
    pub(super) parts: Vec<Part>,
    /// What was noticed.
    pub(super) problems: Vec<String>,
}

/// What a tool answered.
pub(super) struct Answer {
    /// The id of the call.
    pub(super) call: String,
    /// Whether it failed; `None` where the format does not say.
    pub(super) is_error: Option<bool>,
    /// What it printed.
    pub(super) output: String,
    /// What is recorded beside.
    pub(super) details: Option<Value>,
}

impl TurnText {
    /// Appends words as a part, without the white space around them; words of nothing else are no part.
    pub(super) fn say(&mut self, words: &str, part: fn(Range<usize>) -> Part) {
        let span = self.push(words);
        self.part(span, part);
    }

    /// Appends a person's words, in which some stretches, in order and apart, are the harness's.
    pub(super) fn say_around(&mut self, words: &str, harness: &[Range<usize>]) {
        let span = self.push(words);
        let mut from = 0;
        for stretch in harness {
            self.part(span.start + from..span.start + stretch.start, Part::Speech);
            from = stretch.end;
            self.part(span.start + stretch.start..span.start + stretch.end, Part::Harness);
        }
        self.part(span.start + from..span.end, Part::Speech);
    }

    /// Appends reasoning.
    pub(super) fn think(&mut self, words: &str) {
        self.say(&format!("[thinking] {words}"), Part::Thinking);
    }

    /// Appends reasoning that cannot be read: it is only named.
    pub(super) fn think_encrypted(&mut self) {
        self.say("[thinking, encrypted]", Part::Thinking);
    }

    /// Appends a call. Without an id nobody can tell which result is whose, and it is only text.
    pub(super) fn call(&mut self, call: &str, name: &str, input: Value) {
        if name.is_empty() {
            self.notice("a tool call names no tool");
        }
        let shown = if input.is_null() { String::new() } else { format!(" {input}") };
        let span = self.push(&format!("[tool {name}]{shown}"));
        let (call, name) = (call.to_owned(), name.to_owned());
        self.parts.push(if call.is_empty() {
            Part::Harness(span)
        } else {
            Part::ToolCall { call, name, input, span }
        });
    }

    /// Appends a result. One that names no call is only text.
    pub(super) fn answer(&mut self, answer: Answer) {
        let Answer { call, is_error, output, details } = answer;
        let mark = if is_error == Some(true) { "tool error" } else { "tool result" };
        let span = self.push(&format!("[{mark}] {output}"));
        self.parts.push(if call.is_empty() {
            Part::Harness(span)
        } else {
            Part::ToolResult { call, is_error, output, details, span }
        });
    }

    /// Appends words that are a call and its result in one: what a file keeps of a call that went well.
    pub(super) fn note(&mut self, call: &str, name: &str, input: Value, words: &str) {
        let span = self.push(words);
        let (call, output) = (call.to_owned(), words.to_owned());
        self.parts.push(Part::ToolCall {
            call: call.clone(),
            name: name.to_owned(),
            input,
            span: span.clone(),
        });
        self.parts.push(Part::ToolResult { call, is_error: Some(false), output, details: None, span });
    }

    /// Notes something about the record.
    pub(super) fn notice(&mut self, problem: impl Into<String>) {
        self.problems.push(problem.into());
    }

    /// Says whether a part is of a kind.
    pub(super) fn has(&self, is: fn(&Part) -> bool) -> bool {
        self.parts.iter().any(is)
    }

    /// Appends a piece on a line of its own and returns where it stands.
    pub(super) fn push(&mut self, piece: &str) -> Range<usize> {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(piece);
        start..self.text.len()
    }

    /// Adds a part over the span without the white space around it; none where nothing is left.
    fn part(&mut self, span: Range<usize>, part: fn(Range<usize>) -> Part) {
        let words = &self.text[span.clone()];
        let start = span.start + (words.len() - words.trim_start().len());
        let end = start + words.trim().len();
        if start < end {
            self.parts.push(part(start..end));
        }
    }
}
