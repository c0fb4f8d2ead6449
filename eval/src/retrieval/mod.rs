//! Does a system find the turns that hold the answer?
//!
//! A system is given a conversation and then questions about it, and ranks turns and sessions; what is evidence it never
//! sees. How its ranks are scored is the business of [`crate::metric`], and which questions count that of `locomo.rs`
//! and `longmemeval.rs`.

pub mod locomo;
pub mod longmemeval;
pub(crate) mod parallel;
pub mod system;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use bygone_engine::StoreError;
use bygone_engine::store::VectorMode;
use bygone_engine::time::Instant;

use crate::baseline::{by_words, dense};
use crate::dataset::Conversation;
use crate::error::EvalError;

/// A question as a system is asked it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The question.
    pub text: &'a str,
    /// When it is asked.
    pub now: Instant,
    /// Up to when it sees what was said.
    pub known: Instant,
}

/// Turns and sessions of a conversation by their indices, best first, none twice; what is missing was not found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// Turns.
    pub turns: Vec<usize>,
    /// Sessions.
    pub sessions: Vec<usize>,
}

/// A conversation ready to be asked about.
pub trait Ranker {
    /// Ranks what may answer the question.
    ///
    /// # Errors
    /// [`EvalError`] where it cannot be asked.
    fn rank(&self, asked: &Asked<'_>) -> Result<Ranking, EvalError>;
}

/// What reads a conversation.
pub type Open = fn(&Conversation, VectorMode) -> Result<Box<dyn Ranker>, EvalError>;

/// A way to find turns.
pub struct System {
    /// Its name in tables and rows.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Reads a conversation. Systems that have vectors compare them in the mode given.
    pub open: Open,
}

/// Every system that is compared. The first is the one that is evaluated, the others are there to compare it with.
pub const SYSTEMS: &[System] = &[system::BYGONE, by_words::PLAIN, by_words::STEMMED, dense::DENSE];

/// How an evaluation is run; its figures depend on `n_questions` and `vectors`.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// How many questions are asked, from the start of the file.
    pub n_questions: usize,
    /// How the evaluated system compares vectors.
    pub vectors: VectorMode,
    /// How many conversations are looked at at a time.
    pub jobs: NonZeroUsize,
    /// What, once raised, stops it.
    pub stop: Option<&'a AtomicBool>,
}

impl Plan<'_> {
    /// Goes on unless somebody asked to stop.
    pub(crate) fn go_on(&self) -> Result<(), EvalError> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_stopped { Err(StoreError::Interrupted.into()) } else { Ok(()) }
    }
}

/// How far an evaluation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read of the file.
    pub bytes: u64,
    /// Questions that were asked.
    pub questions: usize,
}
