//! `bygone eval`: how well is found what answers questions, whether what was told is believed, and how others do.
//!
//! Nothing is written to a store: what is asked about is ingested into memory.

mod answers;
mod belief;
mod details;
mod locomo;
mod longmemeval;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bygone_eval::EvalError;
use bygone_eval::dataset::{Ledger, file};
use bygone_eval::retrieval::{Plan, Progress, SYSTEMS};
use indicatif::HumanCount;

use crate::bar::Bar;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Context;
use crate::table::{Cell, one_line};
use details::Details;

/// Workers that may be asked for: each holds a conversation.
const MOST_JOBS: i64 = 256;
/// What is left out is listed up to so many; `--json` has all of it.
const MOST_LISTED: usize = 3;

#[derive(clap::Args)]
pub(crate) struct Eval {
    #[command(subcommand)]
    dataset: Dataset,
}

#[derive(clap::Subcommand)]
enum Dataset {
    /// Measure how many of the evidence turns of LoCoMo's questions are found
    Locomo(locomo::Locomo),
    /// Measure whether the evidence sessions and turns of LongMemEval's questions are found
    Longmemeval(Options),
    /// Measure whether what was told of small worlds is believed, as known now and as known then
    Belief(belief::Belief),
}

#[derive(clap::Args)]
struct Options {
    /// The file of the data set, as its authors publish it, plain or packed by gzip
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Ask only the first questions of the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Write a line of JSON for each question to a file, with the ranks of its evidence
    #[arg(long, value_name = "FILE")]
    details: Option<PathBuf>,
    /// Instead answer questions, without a model, and count the right answers: LoCoMo's that ask when, and LongMemEval's
    /// that ask for a length of time or an order
    #[arg(long)]
    answers: bool,
    /// How many conversations are looked at at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    jobs: Option<u16>,
}

impl Eval {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.dataset {
            Dataset::Locomo(locomo) => locomo.execute(context),
            Dataset::Longmemeval(options) => longmemeval::execute(options, context),
            Dataset::Belief(belief) => belief.execute(context),
        }
    }
}

impl Options {
    /// Runs an evaluation with a bar that shows how far it has come. The details are still to be written.
    fn run<R>(
        &self,
        context: &Context<'_>,
        evaluate: impl FnOnce(&Path, Plan<'_>, &mut dyn FnMut(Progress)) -> Result<R, EvalError>,
    ) -> Result<(R, Details), Failure> {
        let details = Details::open(self.details.as_deref())?;
        let jobs = self.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let plan = Plan {
            n_questions: self.limit.map_or(usize::MAX, |limit| limit as usize),
            vectors: context.vector_mode(),
            jobs: jobs.unwrap_or_else(cores),
            stop: context.session.stop_flag(),
        };
        let bar = Bar::new(file::size(&self.path)?, context.is_watched());
        let mut show = |Progress { bytes, questions }| {
            bar.show(bytes, format!("{} questions", HumanCount(questions as u64)));
        };
        Ok((evaluate(&self.path, plan, &mut show)?, details))
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Failure {
        match error {
            EvalError::Store(error) => Failure::Store(error),
            other => Failure::Input(one_line(&other.to_string())),
        }
    }
}

/// Returns a text in the first row of a block, and nothing in the others.
fn once(row: usize, text: String) -> String {
    if row == 0 { text } else { String::new() }
}

/// Returns the cell of a mean.
fn mean(mean: Option<f64>) -> Cell {
    mean.map_or_else(|| Cell::faint("–"), |mean| Cell::from(format!("{mean:.3}")))
}

/// Says which systems there are and what was left out or set right.
fn remark_on(ledger: &Ledger, output: &mut Output<'_>) -> Result<(), Failure> {
    for system in SYSTEMS {
        output.remark(format!("{}: {}", system.name, system.about))?;
    }
    remark_on_left(ledger, output)
}

/// Says what was left out or set right.
fn remark_on_left(ledger: &Ledger, output: &mut Output<'_>) -> Result<(), Failure> {
    for (reason, which) in ledger.entries() {
        let listed = which.iter().take(MOST_LISTED).map(|one| one_line(one)).collect::<Vec<_>>().join(", ");
        let more = if which.len() > MOST_LISTED { ", …" } else { "" };
        output.remark(format!("{reason}: {} ({listed}{more})", which.len()))?;
    }
    Ok(())
}
