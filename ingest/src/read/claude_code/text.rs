//! How a turn's text and parts grow together: the one place where spans are made.

use std::ops::Range;

use super::harness;
use crate::read::Part;

/// Whose words a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// The turn's speaker's; the harness may have put words in between.
    Person,
    /// The agent's own.
    Agent,
    /// The harness's as a whole.
    Harness,
}

/// A turn's text, its parts, and what was noticed while making them.
///
/// Invariant: every span lies in the text, on character boundaries.
#[derive(Default)]
pub(super) struct Rendering {
    /// The text so far.
    pub(super) text: String,
    /// The parts so far.
    pub(super) parts: Vec<Part>,
    /// Which parts are results without a flag of their own.
    pub(super) unflagged: Vec<usize>,
    /// What was noticed.
    pub(super) problems: Vec<String>,
}

impl Rendering {
    /// Appends a piece on a line of its own and returns where it stands.
    pub(super) fn push(&mut self, piece: &str) -> Range<usize> {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(piece);
        start..self.text.len()
    }

    /// Appends words as speech or the harness's, or, in a person's turn, as what they are.
    pub(super) fn say(&mut self, words: &str, voice: Voice) {
        let span = self.push(words);
        match voice {
            Voice::Agent => self.part(span, Part::Speech),
            Voice::Harness => self.part(span, Part::Harness),
            Voice::Person => {
                let mut from = 0;
                for stretch in harness::stretches(words) {
                    self.part(span.start + from..span.start + stretch.start, Part::Speech);
                    from = stretch.end;
                    self.part(span.start + stretch.start..span.start + stretch.end, Part::Harness);
                }
                self.part(span.start + from..span.end, Part::Speech);
            }
        }
    }

    /// Notes something about the record.
    pub(super) fn notice(&mut self, problem: impl Into<String>) {
        self.problems.push(problem.into());
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
