//! Does a system find the turns that hold the answer?
//!
//! A system is given a conversation and then questions about it, and ranks turns and sessions; what is evidence it never
//! sees. How its ranks are scored is the business of [`crate::metric`], which questions count that of `locomo.rs` and
//! `longmemeval.rs`, and what becomes of each that of [`crate::run`].

pub mod asking;
pub mod locomo;
pub mod longmemeval;
pub(crate) mod parallel;
pub mod system;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use bygone_engine::StoreError;
use bygone_engine::store::VectorMode;
use bygone_engine::time::Instant;
use serde_json::json;

use crate::baseline::{by_words, dense, fused, whole};
use crate::dataset::Conversation;
use crate::dataset::file::Data;
use crate::error::EvalError;
use crate::metric::WHOLE;
use crate::run::{self, Header, MadeBy, Task};

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
#[derive(Debug)]
pub struct System {
    /// Its name in tables and rows.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What it hands out.
    pub gives: Gives,
    /// Reads a conversation. Systems that have vectors compare them in the mode given.
    pub open: Open,
}

/// What a system hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A ranking, which is cut.
    Ranking,
    /// Everything there is, in no order: it is measured as a whole.
    Everything,
}

impl System {
    /// Returns where what it hands out is cut.
    pub const fn cut(&self, ks: &'static [usize]) -> &'static [usize] {
        match self.gives {
            Gives::Ranking => ks,
            Gives::Everything => &[WHOLE],
        }
    }
}

/// Every system that is compared. The first is the one that is evaluated, the others are there to compare it with.
pub static SYSTEMS: &[&System] = &[
    &system::BYGONE,
    &by_words::PLAIN,
    &by_words::STEMMED,
    &dense::DENSE,
    &fused::FUSED,
    &whole::WHOLE_CONTEXT,
];

/// How an evaluation is run; its figures depend on all but `jobs`, `stop`, `out` and `made_by`.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// How many questions are asked, from the start of the file.
    pub n_questions: usize,
    /// Who is asked, the one that is evaluated first.
    pub systems: &'a [&'static System],
    /// How the evaluated system compares vectors.
    pub vectors: VectorMode,
    /// What draws for intervals start from.
    pub seed: u64,
    /// How many conversations are looked at at a time.
    pub jobs: NonZeroUsize,
    /// What, once raised, stops it.
    pub stop: Option<&'a AtomicBool>,
    /// Where what came of each question is written as it is there, if anywhere; what is there already is kept.
    pub out: Option<&'a Path>,
    /// Who makes the run.
    pub made_by: MadeBy<'a>,
}

impl Plan<'_> {
    /// Goes on unless somebody asked to stop.
    pub(crate) fn go_on(&self) -> Result<(), EvalError> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_stopped { Err(StoreError::Interrupted.into()) } else { Ok(()) }
    }

    /// Returns the header of a run of this plan, without what a data set decides.
    pub(crate) fn header(&self, task: Task, data: Data, n_questions: usize) -> Header {
        let vectors = match self.vectors {
            VectorMode::Auto => "auto",
            VectorMode::Exact => "exact",
            VectorMode::Graph => "hnsw",
        };
        Header {
            run: run::header::VERSION,
            task,
            dataset: String::new(),
            data,
            errata: None,
            limit: (self.n_questions != usize::MAX).then_some(self.n_questions),
            questions: n_questions,
            counted: None,
            parts: BTreeMap::new(),
            k: Vec::new(),
            systems: self.systems.iter().map(|system| system.name.to_owned()).collect(),
            reader: None,
            judge: None,
            settings: BTreeMap::from([("vector_index".to_owned(), json!(vectors))]),
            seed: self.seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: self.made_by.build.to_owned(),
            machine: self.made_by.machine.to_owned(),
        }
    }
}

/// How far an evaluation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Questions that were asked, or had been.
    pub questions: usize,
    /// How many there are.
    pub of: usize,
}
