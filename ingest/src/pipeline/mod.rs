//! How files become commits: units are read ahead by several workers, and recorded by one in their order.
//!
//! ```text
//!             feed                  unit                        commit
//! files ──> units in order ──> batches of entries ──> one commit of up to 512 episodes of a space
//!           one at a time      as many at once as      one at a time, unit after unit
//!                              there are workers
//! ```
//!
//! A unit is a file, or an element of a file whose elements know nothing of each other. What a unit comes to depends on
//! nothing but its bytes, and commits are cut by what stands in the units and not by who was faster: the store is the
//! same, sequence numbers included, whatever the number of workers.
//!
//! What was committed is passed over when it is read again, so an ingest that was cut off goes on where it ended when
//! it is run again.
//!
//! Invariant: what is held at a time is bounded by the number of workers, whatever the size of the files; only what the
//! receipt lists grows with what is wrong with them.

mod commit;
mod feed;
mod unit;

use std::num::NonZeroUsize;
use std::sync::Mutex;

use bygone_engine::StoreError;
use bygone_engine::store::Store;
use bygone_engine::time::Instant;
use bygone_ontology::Ontology;

use crate::read::{Bytes, Meter, Reader};
use crate::receipt::Receipt;
use crate::redact::redact_text;
use commit::{Committer, Target};
use feed::Feeder;

/// Units of which the batches wait to be recorded, for each worker.
const UNITS_AHEAD: usize = 2;

/// A file to read.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name, as problems give it.
    pub name: String,
    /// Its bytes.
    pub bytes: Bytes,
    /// When it was last modified.
    pub modified: Instant,
}

/// What to read, and how.
pub struct Plan<'a> {
    /// The files, in the order in which they are recorded.
    pub documents: &'a [Document],
    /// Their format; `None` where it is told by their content.
    pub format: Option<&'a Reader>,
    /// The space that records go into unless their format gives them one of their own.
    pub space: &'a str,
    /// What the names of such spaces begin with, before a dot.
    pub prefix: Option<&'a str>,
    /// What predicates mean.
    pub ontology: &'a Ontology,
    /// How many workers read ahead.
    pub jobs: NonZeroUsize,
    /// Whether what looks like a secret is kept instead of masked.
    pub keeps_secrets: bool,
    /// The present.
    pub now: Instant,
}

/// How far an ingest has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read of all files.
    pub bytes: u64,
    /// Turns that were new so far.
    pub episodes: u64,
}

/// What an ingest came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Every record.
    pub receipt: Receipt,
    /// The files that are not in it, or not whole.
    pub refused: Vec<Refused>,
    /// The spaces that data sets asked for, in order.
    pub spaces: Vec<String>,
}

/// A file that could not be read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Which of the plan's documents.
    pub document: usize,
    /// Why.
    pub why: Refusal,
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is of no known format.
    UnknownFormat,
    /// It could not be opened, or not be read further, in words.
    Unreadable(String),
}

/// Reads files into a store and says what became of every record.
///
/// # Errors
/// [`StoreError`] where the store fails; nothing that is wrong with the files is an error.
pub fn ingest(
    store: &Store,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, StoreError> {
    run(Target::Store(store), plan, progress)
}

/// Says what would become of every record, and records nothing but in `scratch`, an empty store; what `known` holds
/// already counts as known.
///
/// # Errors
/// As [`ingest`].
pub fn preview(
    scratch: &Store,
    known: Option<&Store>,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, StoreError> {
    run(Target::Preview { scratch, known }, plan, progress)
}

fn run(
    target: Target<'_>,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, StoreError> {
    let (masked, n_masked) = masked_names(plan);
    let plan = &Plan { documents: masked.as_deref().unwrap_or(plan.documents), ..*plan };
    let jobs = plan.jobs.get();
    let workers = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|error| StoreError::Storage(format!("no workers to read with: {error}")))?;
    let meter = Meter::default();
    let (queue, units) = std::sync::mpsc::sync_channel(UNITS_AHEAD * jobs);
    let feeder = Mutex::new(Feeder::new(plan, &meter, queue));
    workers.in_place_scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|_| {
                let taking = feed::Taking(&feeder);
                while let Some(unit) = taking.next() {
                    unit.read(plan, &meter);
                }
            });
        }
        let committed = Committer::new(target, plan, &meter, progress).take_all(units);
        // After a failure nobody waits for what is read.
        meter.stop();
        let mut outcome = committed?;
        outcome.receipt.redacted += n_masked;
        Ok(outcome)
    })
}

/// Masks secrets in the names of documents, which become those of sessions; returns how many there were. `None` where
/// there is nothing to mask.
fn masked_names(plan: &Plan<'_>) -> (Option<Vec<Document>>, u64) {
    let masked = |document: &Document| redact_text(&document.name).1;
    let n_masked = if plan.keeps_secrets { 0 } else { plan.documents.iter().map(masked).sum() };
    let documents = || {
        let name = |document: &Document| redact_text(&document.name).0.into_owned();
        plan.documents.iter().map(|document| Document { name: name(document), ..document.clone() }).collect()
    };
    ((n_masked > 0).then(documents), n_masked)
}
