//! What a line of a packet rests on, in a form that can be copied into the next command.

use std::fmt;

use bygone_engine::AssertionId;
use bygone_engine::record::{Recorded, RecordedEpisode};
use serde_json::{Value, json};

/// How many digits of an id stand in a line: as `bygone why` takes them.
const FEW_DIGITS: usize = 8;

/// What a line rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// A turn of a session, by its position.
    Turn {
        /// The session.
        session: String,
        /// The position.
        position: u64,
    },
    /// A statement.
    Statement(AssertionId),
    /// An entity of tool state, as `type:Name`, which has a history of its own.
    Entity(String),
}

impl Evidence {
    /// Returns the turn as evidence.
    pub(super) fn turn(record: &RecordedEpisode) -> Evidence {
        let turn = &record.episode;
        Evidence::Turn { session: turn.session.clone(), position: turn.position }
    }

    /// Returns the turn that makes a statement where it was read from one, else the statement itself.
    pub(crate) fn of(recorded: &Recorded) -> Evidence {
        let source = &recorded.assertion.source;
        match source.span {
            Some(_) => Evidence::Turn { session: source.session.clone(), position: source.position },
            None => Evidence::Statement(recorded.assertion.id),
        }
    }

    /// Returns the short form: a turn of the session by its position alone, and an id by its first digits.
    pub fn short(&self, session: Option<&str>) -> String {
        match self {
            Evidence::Turn { session: of, position } if session == Some(of) => format!("#{position}"),
            Evidence::Turn { .. } | Evidence::Entity(_) => self.to_string(),
            Evidence::Statement(id) => id.to_string().chars().take("a:".len() + FEW_DIGITS).collect(),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        json!(self.to_string())
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Turn { session, position } => write!(f, "{session}#{position}"),
            Evidence::Statement(id) => id.fmt(f),
            Evidence::Entity(name) => f.write_str(name),
        }
    }
}
