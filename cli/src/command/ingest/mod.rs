//! `bygone ingest`.

mod paths;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use bygone_engine::StoreError;
use bygone_engine::backend::Memory;
use bygone_engine::store::Store;
use bygone_ingest::read::{READERS, by_name};
use bygone_ingest::{Document, Notice, Outcome, Plan, Progress, Receipt, Refusal, Refused, ingest, preview};
use bygone_ontology::Ontology;
use indicatif::HumanCount;

use crate::arguments::DEFAULT_SPACE;
use crate::bar::Bar;
use crate::clock::Clock;
use crate::failure::{Exit, Failure};
use crate::output::{Output, count};
use crate::session::{Context, Stored};
use crate::table::{one_line, shown};
use crate::taken::Taken;
use paths::{Found, Listing, list};

/// Workers that may be asked for: more only take memory from each other.
const MOST_JOBS: i64 = 256;

#[derive(clap::Args)]
pub(crate) struct Ingest {
    /// Files, folders that are walked whole, or patterns such as 'logs/**/*.jsonl'; - reads standard input. What is
    /// packed by gzip, zstd or zip is unpacked
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The format of the files [default: recognised by content]
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(READERS.iter().map(|reader| reader.name)))]
    format: Option<String>,
    /// How many files, or parts of data sets, are read at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    jobs: Option<u16>,
    /// Read and report, but record nothing
    #[arg(long)]
    dry_run: bool,
    /// Say how fast it went
    #[arg(long)]
    stats: bool,
    /// Keep what looks like a secret instead of masking it
    #[arg(long, visible_alias = "no-redact")]
    keep_secrets: bool,
}

impl Ingest {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let is_stdin_named = self.paths.iter().any(|path| path.as_os_str() == paths::STDIN);
        let taken = is_stdin_named.then(|| Taken::read(context.input)).transpose();
        let taken = taken.map_err(|error| Failure::Input(format!("cannot read standard input: {error}")))?;
        let listing = list(&self.paths, taken.as_ref().map(|taken| (taken.bytes(), context.now())))?;
        let bar = Bar::new(listing.files.iter().map(|file| file.n_bytes).sum(), context.is_watched());
        if self.dry_run {
            // Not even a store is made.
            let scratch = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core()))?;
            let stored = context.store_if_there()?;
            let known = stored.store;
            let read = |plan: &Plan<'_>, show: &mut dyn FnMut(Progress)| {
                Ok((preview(&scratch, known, plan, show)?, None))
            };
            self.run("would be recorded", &listing, stored, bar, read)
        } else {
            let stored = context.store()?;
            let store = stored.store;
            let read = |plan: &Plan<'_>, show: &mut dyn FnMut(Progress)| {
                let outcome = ingest(store, plan, show)?;
                // What is recorded is recorded, whatever becomes of the indexes.
                Ok((outcome, store.index().err()))
            };
            self.run("recorded", &listing, stored, bar, read)
        }
    }

    fn run<S>(
        &self,
        recorded: &str,
        listing: &Listing,
        stored: Stored<'_, S>,
        bar: Bar,
        read: impl FnOnce(
            &Plan<'_>,
            &mut dyn FnMut(Progress),
        ) -> Result<(Outcome, Option<StoreError>), StoreError>,
    ) -> Result<Exit, Failure> {
        let Stored { space, ontology, now, clock, mut output, .. } = stored;
        let started = std::time::Instant::now();
        let documents: Vec<Document> = listing.files.iter().map(document).collect();
        let one = NonZeroUsize::MIN;
        let plan = Plan {
            documents: &documents,
            format: self.format.as_deref().and_then(by_name),
            space,
            prefix: (space != DEFAULT_SPACE).then_some(space),
            ontology,
            jobs: self
                .jobs
                .and_then(|jobs| NonZeroUsize::new(jobs.into()))
                .unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(one)),
            keeps_secrets: self.keep_secrets,
            now,
        };
        let (outcome, behind) = read(&plan, &mut |Progress { bytes, episodes }| {
            bar.show(bytes, format!("{} new turns", HumanCount(episodes)));
        })?;
        drop(bar);
        let Outcome { mut receipt, refused, spaces } = outcome;
        let mut failures = listing.refused.clone();
        for Refused { document, why } in refused {
            let Found { name, is_named, .. } = &listing.files[document];
            let (file, reason) = (name.clone(), reason(&why));
            // What was named must be a transcript, else the command fails when the rest is read; what was found is only
            // reported.
            if *is_named {
                failures.push(format!("{}: {}", shown(&file), one_line(&reason)));
            } else {
                receipt.tell(Notice { file, place: None, reason });
            }
        }
        for (file, reason) in &listing.problems {
            receipt.tell(Notice { file: file.clone(), place: None, reason: reason.clone() });
        }
        // What became of the other files is told all the same.
        let nothing_read = receipt.files == 0 && !receipt.problems.is_empty();
        let exit = if failures.is_empty() || receipt.files > 0 {
            report(&receipt, recorded, started, clock, self.stats, &mut output)?
        } else {
            Exit::BadInput
        };
        if let Some(first) = spaces.first() {
            let more = if spaces.len() > 1 { " and so on: `bygone spaces` lists them" } else { "" };
            output.remark(format!(
                "{recorded} in {}: --space {first}{more}",
                count(spaces.len() as u64, "space")
            ))?;
        }
        if let Some(error) = behind {
            output
                .remark(format!("the indexes are behind, and the next search goes on with them: {error}"))?;
        }
        let exit = if nothing_read { Exit::BadInput } else { exit };
        if failures.is_empty() { Ok(exit) } else { Err(Failure::Input(failures.join("\n"))) }
    }
}

fn document(file: &Found) -> Document {
    Document { name: file.name.clone(), bytes: file.bytes.clone(), modified: file.modified }
}

/// Says why a file could not be read.
pub(super) fn reason(why: &Refusal) -> String {
    match why {
        Refusal::UnknownFormat => {
            let formats: Vec<&str> = READERS.iter().map(|reader| reader.name).collect();
            let formats = formats.join(", ");
            format!("no transcript of a known format: expected {formats}; --format says which it is")
        }
        Refusal::Unreadable(error) => format!("cannot be read: {error}"),
    }
}

/// Prints a receipt. Where every record had to be set aside, the input was bad.
pub(super) fn report(
    receipt: &Receipt,
    recorded: &str,
    started: std::time::Instant,
    clock: Clock,
    stats: bool,
    output: &mut Output<'_>,
) -> Result<Exit, Failure> {
    // A fixed clock promises the same bytes for the same input.
    let seconds = match clock {
        Clock::System => (started.elapsed().as_secs_f64() * 1e3).round() / 1e3,
        Clock::Fixed(_) => 0.0,
    };
    if output.json {
        output.row(&receipt.to_json(seconds))?;
    } else {
        for notice in &receipt.problems {
            let place = notice.place.map_or_else(String::new, |place| format!(":{}", place.line));
            output.remark(format!("{}{place}: {}", shown(&notice.file), one_line(&notice.reason)))?;
        }
        if receipt.unlisted > 0 {
            output.remark(format!("and {} that are not listed", count(receipt.unlisted, "more problem")))?;
        }
        output.line(format!(
            "{} read from {}: {} new, {} known already, {} without a turn, {} set aside",
            count(receipt.read, "record"),
            count(receipt.files, "file"),
            receipt.episodes,
            receipt.duplicates,
            receipt.skipped,
            receipt.quarantined,
        ))?;
        output.line(format!(
            "{} {recorded}, {} masked, {} reported",
            count(receipt.assertions, "statement"),
            count(receipt.redacted, "secret"),
            count(receipt.n_problems(), "problem"),
        ))?;
    }
    if stats && seconds > 0.0 {
        #[expect(clippy::cast_precision_loss, reason = "a rate for a person")]
        let rate = receipt.read as f64 / seconds;
        output.remark(format!("{seconds:.3} s, {rate:.0} records a second"))?;
    }
    let nothing_read = receipt.quarantined > 0 && receipt.quarantined == receipt.read;
    Ok(if nothing_read { Exit::BadInput } else { Exit::Done })
}
