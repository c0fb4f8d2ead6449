//! `bygone eval`: how well is found what answers questions, whether what was told is believed, and how others do.
//!
//! Nothing is written to a store: what is asked about is ingested into memory.

mod answers;
mod belief;
mod compare;
mod details;
mod locomo;
mod longmemeval;
mod machine;
mod models;
mod report;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use bygone_engine::store::VectorMode;
use bygone_eval::EvalError;
use bygone_eval::dataset::Ledger;
use bygone_eval::metric::Scores;
use bygone_eval::retrieval::{Plan, Progress, SYSTEMS, System};
use bygone_eval::run::{Header, MadeBy};

use crate::bar::Bar;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Context;
use crate::table::{Cell, one_line};
use details::Details;

/// Workers that may be asked for: each holds a conversation.
const MOST_JOBS: i64 = 256;
/// Another name of the system that is evaluated where nothing is said.
const OURS: &str = "ours";
/// What is left out is listed up to so many; `--json` has all of it.
const MOST_LISTED: usize = 3;

#[derive(clap::Args)]
pub(crate) struct Eval {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Measure how many of the evidence turns of LoCoMo's questions are found
    Locomo(locomo::Locomo),
    /// Measure whether the evidence sessions and turns of LongMemEval's questions are found
    Longmemeval(Options),
    /// Measure whether what was told of small worlds is believed, as known now and as known then
    Belief(belief::Belief),
    /// Say whether two systems, or two runs, differ by more than chance
    ///
    /// Questions are paired. The interval is that of a bootstrap over them; p is the share of the ways to set the signs of
    /// their differences that lead as far from 0. Runs over other data or questions are refused.
    Compare(compare::Compare),
    /// Write what runs came to as a document, in Markdown
    Report(report::Report),
}

#[derive(clap::Args)]
struct Options {
    /// The file of the data set, as its authors publish it, plain or packed by gzip
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Ask only the first questions of the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Ask these systems only, the one that is evaluated first: ours, bm25, bm25-stem, dense, rrf or full [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = system)]
    system: Vec<&'static System>,
    /// Write what came of each question to a file, as it is there; a file that was begun is gone on with
    #[arg(long, value_name = "RUN")]
    out: Option<PathBuf>,
    /// What the draws for intervals start from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write a line of JSON for each question to a file, with the ranks of its evidence
    #[arg(long, value_name = "FILE")]
    details: Option<PathBuf>,
    /// Instead answer questions, without a model, and count the right answers: LoCoMo's that ask when, and LongMemEval's
    /// that ask for a length of time or an order
    #[arg(long, conflicts_with_all = ["system", "out", "seed"])]
    answers: bool,
    /// How many conversations are looked at at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    jobs: Option<u16>,
    #[command(flatten)]
    models: models::Models,
}

impl Eval {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Locomo(locomo) => locomo.execute(context),
            Action::Longmemeval(options) => longmemeval::execute(options, context),
            Action::Belief(belief) => belief.execute(context),
            Action::Compare(compare) => compare.execute(context),
            Action::Report(report) => report.execute(context),
        }
    }
}

impl Options {
    /// Returns which questions are asked, of whom, and how.
    fn plan<'a>(&'a self, vectors: VectorMode, stop: Option<&'a AtomicBool>) -> Result<Plan<'a>, Failure> {
        let mut names: Vec<&str> = self.system.iter().map(|system| system.name).collect();
        names.sort_unstable();
        if let Some([twice, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Failure::Usage(format!("--system names {twice} twice: expected each once")));
        }
        let jobs = self.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Plan {
            n_questions: self.limit.map_or(usize::MAX, |limit| limit as usize),
            systems: if self.system.is_empty() { SYSTEMS } else { &self.system },
            vectors,
            seed: self.seed,
            jobs: jobs.unwrap_or_else(cores),
            stop,
            out: self.out.as_deref(),
            made_by: MadeBy { build: machine::build(), machine: machine::name() },
        })
    }

    /// Runs an evaluation with a bar that shows how far it has come. The details are still to be written.
    fn run<R>(
        &self,
        context: &Context<'_>,
        evaluate: impl FnOnce(&Path, Plan<'_>, &mut dyn FnMut(Progress)) -> Result<R, EvalError>,
    ) -> Result<(R, Details), Failure> {
        let plan = self.plan(context.vector_mode(), context.session.stop_flag())?;
        let details = Details::open(self.details.as_deref())?;
        let is_watched = context.is_watched();
        let mut bar = None;
        let mut show = |Progress { questions, of }| {
            let new = || Bar::of_questions(of as u64, questions as u64, is_watched);
            bar.get_or_insert_with(new).show_questions(questions as u64);
        };
        Ok((evaluate(&self.path, plan, &mut show)?, details))
    }
}

/// Reads the name of a system.
fn system(text: &str) -> Result<&'static System, String> {
    let name = if text == OURS { SYSTEMS[0].name } else { text };
    let names = || SYSTEMS.iter().map(|system| system.name).collect::<Vec<_>>().join(", ");
    let found = SYSTEMS.iter().find(|system| system.name == name);
    found.copied().ok_or_else(|| format!("expected {OURS}, or one of {}", names()))
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

/// Returns the cell of how many tokens something has, as a mean.
fn tokens(scores: &Scores, k: usize) -> Cell {
    let tokens = scores.mean(&format!("tokens@{k}")).or_else(|| scores.mean("tokens@all"));
    tokens.map_or_else(|| Cell::faint("–"), |tokens| Cell::from(format!("{tokens:.0}")))
}

/// Returns the cells of the intervals of some scores.
fn intervals(scores: &Scores, names: &[String], seed: u64) -> Vec<Cell> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let scores = scores.only(&names);
    let intervals = scores.intervals(seed);
    let cell = |name: &&str| {
        let place = scores.names().iter().position(|known| known == name);
        place
            .and_then(|place| intervals.get(place))
            .map_or_else(|| Cell::faint("–"), |[low, high]| Cell::from(format!("{low:.3}–{high:.3}")))
    };
    names.iter().map(cell).collect()
}

/// Says which run it is, which systems there are and what was left out or set right.
fn remark_on(
    header: &Header,
    systems: &[&'static System],
    ledger: &Ledger,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    let Header { data, seed, .. } = header;
    let file = one_line(&data.file);
    output.remark(format!("{file}, BLAKE3 {}; intervals of 95 % by seed {seed}", data.hash))?;
    for system in systems {
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
