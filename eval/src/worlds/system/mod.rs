//! Who is asked: Bygone, two simple ways to keep facts, and whatever speaks the protocol.

mod bygone;
mod latest;
pub mod outside;
mod rectangles;

use super::question::{Answer, Question};
use super::steps::{Rendering, Step};
use crate::error::EvalError;

pub use bygone::Bygone;
pub use latest::Latest;
pub use outside::Outside;
pub use rectangles::Rectangles;

/// Something that is told a world and then asked about it.
pub trait System {
    /// Starts on a world, with nothing known of any other.
    ///
    /// # Errors
    /// [`EvalError`] where it cannot.
    fn begin(&mut self, seed: u64, rendering: Rendering) -> Result<(), EvalError>;

    /// Is told something.
    ///
    /// # Errors
    /// [`EvalError`] where it cannot take it.
    fn take(&mut self, step: &Step) -> Result<(), EvalError>;

    /// Answers a question; nothing where what comes back is no answer.
    ///
    /// # Errors
    /// [`EvalError`] where it cannot be asked.
    fn ask(&mut self, question: &Question) -> Result<Option<Answer>, EvalError>;
}

/// A system that is always compared.
pub struct Known {
    /// Its name in rows.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Whether it reads conversations.
    pub reads_chat: bool,
    /// Makes one.
    pub new: fn() -> Box<dyn System>,
}

/// Every system that is always compared. The first is the one that is evaluated.
pub const SYSTEMS: &[Known] = &[
    Known {
        name: "bygone",
        about: "ingest or assert, then facts, learned and diff, as on the command line",
        reads_chat: true,
        new: || Box::new(Bygone::default()),
    },
    Known {
        name: "rectangles",
        about: "a bitemporal table as in SQL:2011, in memory: the later statement overrides over its period",
        reads_chat: false,
        new: || Box::new(Rectangles::default()),
    },
    Known {
        name: "latest",
        about: "the latest statement wins, and nothing else is kept",
        reads_chat: false,
        new: || Box::new(Latest::default()),
    },
];
