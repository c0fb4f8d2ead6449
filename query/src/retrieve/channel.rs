//! The channels: what the score of a hit is the sum of, as they are called on the wire.

use super::Kind;
use super::weights::{GRAPH, MEANING, SESSION, SPEAKER, TIE, TIME, WHEN};

/// One of the things that a score is the sum of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// Its name.
    pub name: &'static str,
    /// What it finds.
    pub about: &'static str,
    /// The most that it can add to a sum to which words add 1 at most; nothing where that depends on the others.
    pub weight: Option<f32>,
}

/// Those of turns. What turns are ranked by stands in this order.
pub(super) const OF_TURNS: [Channel; 7] = [
    Channel { name: "text", about: "its words, and words that mean alike", weight: Some(1.0) },
    Channel { name: "meaning", about: "what it means", weight: Some(MEANING) },
    Channel { name: "neighbours", about: "the turns around it", weight: None },
    Channel { name: "session", about: "the words of its whole session", weight: Some(SESSION) },
    Channel { name: "speaker", about: "who is named says it", weight: Some(SPEAKER) },
    Channel { name: "time", about: "when it was said, and the times it tells of", weight: Some(TIME + WHEN) },
    Channel { name: "graph", about: "the statements it makes", weight: Some(GRAPH) },
];

/// The place of the time among those of turns.
pub(super) const TIME_AT: usize = 5;

/// Those of statements, and so of facts.
pub(super) const OF_STATEMENTS: [Channel; 3] = [
    Channel { name: "text", about: "its words, and words that mean alike", weight: Some(1.0) },
    Channel { name: "meaning", about: "what it means", weight: Some(MEANING) },
    Channel { name: "graph", about: "how it is tied to what is named", weight: Some(TIE) },
];

impl Channel {
    /// Returns the channels by which a kind of thing is found.
    pub const fn of(kind: Kind) -> &'static [Channel] {
        match kind {
            Kind::Turn => &OF_TURNS,
            Kind::Fact => &OF_STATEMENTS,
        }
    }
}
