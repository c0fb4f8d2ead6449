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

impl TurnText {
    /// Appends words as a part, without the white space around them; words of nothing else are no part.
    pub(super) fn say(&mut self, words: &str, part: fn(Range<usize>) -> Part) {
        let span = self.push(words);
        let start = span.start + (words.len() - words.trim_start().len());
        let end = start + words.trim().len();
        if start < end {
            self.parts.push(part(start..end));
        }
    }

    /// Appends reasoning, if there is any.
    pub(super) fn think(&mut self, words: &str) {
        if !words.trim().is_empty() {
            self.say(&format!("[thinking] {words}"), Part::Thinking);
        }
    }

    /// Appends a call. Without an id nobody can tell which result is whose, so that it is kept as text.
    pub(super) fn call(&mut self, call: &str, name: &str, input: Value) {
        if call.is_empty() {
            self.notice("a tool call has no id");
        }
        if name.is_empty() {
            self.notice("a tool call names no tool");
        }
        let span = self.push(&format!("[tool {name}] {input}"));
        self.parts.push(if call.is_empty() {
            Part::Harness(span)
        } else {
            Part::ToolCall { call: call.to_owned(), name: name.to_owned(), input, span }
        });
    }

    /// Appends a result; without the id of its call it is kept as text.
    pub(super) fn result(
        &mut self,
        call: &str,
        is_error: Option<bool>,
        output: &str,
        details: Option<Value>,
    ) {
        let mark = if is_error == Some(true) { "tool error" } else { "tool result" };
        let span = self.push(&format!("[{mark}] {output}"));
        self.parts.push(if call.is_empty() {
            self.problems.push("a result names no call".to_owned());
            Part::Harness(span)
        } else {
            Part::ToolResult { call: call.to_owned(), is_error, output: output.to_owned(), details, span }
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

    /// Appends a piece on a line of its own and returns where it stands.
    pub(super) fn push(&mut self, piece: &str) -> Range<usize> {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(piece);
        start..self.text.len()
    }
}
