//! Whose words a text is, and the turn's text with which of its results have no flag.

use super::harness;
use crate::read::Part;
use crate::read::turn_text::TurnText;

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

/// A record's turn so far.
#[derive(Default)]
pub(super) struct Rendering {
    /// Its text, parts and problems.
    pub(super) turn: TurnText,
    /// Which parts are results without a flag of their own.
    pub(super) unflagged: Vec<usize>,
}

impl Rendering {
    /// Appends words as speech or the harness's, or, in a person's turn, as what they are.
    pub(super) fn say(&mut self, words: &str, voice: Voice) {
        match voice {
            Voice::Agent => self.turn.say(words, Part::Speech),
            Voice::Harness => self.turn.say(words, Part::Harness),
            Voice::Person => self.turn.say_around(words, &harness::stretches(words)),
        }
    }

    /// Notes something about the record.
    pub(super) fn notice(&mut self, problem: impl Into<String>) {
        self.turn.notice(problem);
    }
}
