//! `bygone ingest`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bygone_engine::StoreError;
use bygone_engine::backend::Memory;
use bygone_engine::store::{Space, Store};
use bygone_engine::time::Instant;
use bygone_ingest::read::{READERS, Reader, Source, by_name, sniff};
use bygone_ingest::redact::redact;
use bygone_ingest::{Notice, Receipt, ingest, preview};
use bygone_ontology::Ontology;

use crate::clock::{Clock, from_system};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Ingest {
    /// Files, or folders that are walked whole
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The format of the files [default: recognised by content]
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(READERS.iter().map(|reader| reader.name)))]
    format: Option<String>,
    /// Read and report, but record nothing
    #[arg(long)]
    dry_run: bool,
    /// Say how fast it went
    #[arg(long)]
    stats: bool,
    /// Keep what looks like a secret instead of masking it
    #[arg(long)]
    keep_secrets: bool,
}

impl Ingest {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let files = files(&self.paths)?;
        if self.dry_run { self.preview(context, &files) } else { self.record(context, &files) }
    }

    fn record(&self, context: Context<'_>, files: &[Found]) -> Result<Exit, Failure> {
        let Opened { space, ontology, now, clock, mut output } = context.writing()?;
        let started = std::time::Instant::now();
        let reading = self.read(files, now, |reader, source| ingest(&space, ontology, reader, source))?;
        reading.report("recorded", started, clock, self.stats, &mut output)
    }

    /// Reads without recording: not even a store is made.
    fn preview(&self, context: Context<'_>, files: &[Found]) -> Result<Exit, Failure> {
        let scratch = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core()))?;
        let scratch = scratch.space("dry-run", true)?;
        let started = std::time::Instant::now();
        let Opened { space, ontology, now, clock, mut output } = context.reading_if_there()?;
        let known = space.as_ref();
        let read = |reader: &Reader, source: &Source<'_>| preview(&scratch, known, ontology, reader, source);
        let reading = self.read(files, now, read)?;
        reading.report("would be recorded", started, clock, self.stats, &mut output)
    }

    fn read(
        &self,
        files: &[Found],
        now: Instant,
        mut take: impl FnMut(&Reader, &Source<'_>) -> Result<Receipt, StoreError>,
    ) -> Result<Reading, Failure> {
        let format = self.format.as_deref().and_then(by_name);
        let mut reading = Reading::default();
        for file in files {
            let name = file.path.display().to_string();
            let loaded = match load(&file.path, self.keep_secrets) {
                Ok(loaded) => loaded,
                Err(error) => {
                    reading.refuse(file, name, format!("cannot be read: {error}"));
                    continue;
                }
            };
            reading.receipt.redacted += loaded.redacted;
            let source = Source { name: &loaded.name, bytes: &loaded.bytes, modified: loaded.modified, now };
            match format.or_else(|| sniff(&source)) {
                Some(reader) => reading.receipt.add(take(reader, &source)?),
                None => reading.refuse(file, name, unknown_format()),
            }
        }
        Ok(reading)
    }
}

/// What reading a number of files came to.
#[derive(Default)]
struct Reading {
    receipt: Receipt,
    refused: Vec<String>,
}

impl Reading {
    /// A file that was named must be a transcript, else the command fails when the rest is read; one found in a folder
    /// is only reported.
    fn refuse(&mut self, file: &Found, name: String, reason: String) {
        if file.named {
            self.refused.push(format!("{name}: {reason}"));
        } else {
            self.receipt.problems.push(Notice { file: name, place: None, reason });
        }
    }

    fn report(
        self,
        recorded: &str,
        started: std::time::Instant,
        clock: Clock,
        stats: bool,
        output: &mut Output<'_>,
    ) -> Result<Exit, Failure> {
        // What became of the other files is told all the same.
        let exit = if self.refused.is_empty() || self.receipt.files > 0 {
            report(&self.receipt, recorded, started, clock, stats, output)?
        } else {
            Exit::BadInput
        };
        if self.refused.is_empty() { Ok(exit) } else { Err(Failure::Input(self.refused.join("\n"))) }
    }
}

fn unknown_format() -> String {
    let formats: Vec<&str> = READERS.iter().map(|reader| reader.name).collect();
    format!("no transcript of a known format: expected {}; --format says which it is", formats.join(", "))
}

/// A file to read, and whether it was named itself or found in a folder.
struct Found {
    path: PathBuf,
    named: bool,
}

/// Lists the files, folders walked whole, in the order of their paths.
fn files(paths: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let cannot = |error: std::io::Error| Failure::Input(error.to_string());
    let mut files = Vec::new();
    for path in paths {
        let metadata = std::fs::metadata(path)
            .map_err(|error| Failure::Input(format!("cannot read {}: {error}", path.display())))?;
        if !metadata.is_dir() {
            files.push(Found { path: path.clone(), named: true });
            continue;
        }
        let mut folders = vec![path.clone()];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs_err::read_dir(&folder).map_err(cannot)? {
                let entry = entry.map_err(cannot)?;
                let kind = entry.file_type().map_err(cannot)?;
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    found.push(Found { path: entry.path(), named: false });
                }
            }
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        files.extend(found);
    }
    Ok(files)
}

/// A file's bytes as they are to be read.
pub(super) struct Loaded {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) modified: Instant,
    pub(super) redacted: u64,
}

fn load(path: &Path, keep_secrets: bool) -> std::io::Result<Loaded> {
    let bytes = std::fs::read(path)?;
    let modified = std::fs::metadata(path)?.modified()?;
    Ok(mask(path.display().to_string(), bytes, from_system(modified), keep_secrets))
}

/// Masks the secrets in what was read.
pub(super) fn mask(name: String, bytes: Vec<u8>, modified: Instant, keep_secrets: bool) -> Loaded {
    let (masked, redacted) = if keep_secrets { ((&bytes).into(), 0) } else { redact(&bytes) };
    let masked = match masked {
        std::borrow::Cow::Borrowed(_) => None,
        std::borrow::Cow::Owned(masked) => Some(masked),
    };
    Loaded { name, bytes: masked.unwrap_or(bytes), modified, redacted }
}

/// Reads what was sent as one document into a space.
pub(super) fn ingest_document(
    space: &Space<'_>,
    ontology: &Ontology,
    reader: &Reader,
    loaded: &Loaded,
    now: Instant,
) -> Result<Receipt, Failure> {
    let source = Source { name: &loaded.name, bytes: &loaded.bytes, modified: loaded.modified, now };
    let mut receipt = ingest(space, ontology, reader, &source)?;
    receipt.redacted += loaded.redacted;
    Ok(receipt)
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
            output.remark(format!("{}{place}: {}", notice.file, notice.reason))?;
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
            count(receipt.problems.len() as u64, "problem"),
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

/// Says a count with its noun.
pub(super) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
