//! `bygone assert`.

use std::io::BufRead;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use bygone_ingest::read::{Bytes, facts};
use bygone_ingest::{Document, Plan, ingest};

use super::ingest::{reason, report};
use crate::failure::{Exit, Failure};
use crate::session::{Context, Stored};
use crate::table::{one_line, shown};
use crate::taken::Taken;

#[derive(clap::Args)]
pub(crate) struct Assert {
    /// A file of statements; - reads standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Keep what looks like a secret instead of masking it
    #[arg(long, visible_alias = "no-redact")]
    keep_secrets: bool,
}

impl Assert {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let taken = taken(&self.file, context.input)?;
        let (name, bytes) = source(&self.file, &taken)?;
        let mut stored = context.store()?;
        record(&self.file, (name, bytes), self.keep_secrets, &mut stored)
    }
}

/// Takes what stands on standard input, where that is the source.
pub(super) fn taken(file: &str, input: &mut dyn BufRead) -> Result<Taken, Failure> {
    if file != "-" {
        return Ok(Taken::nothing());
    }
    let mut input = input;
    Taken::read(&mut input).map_err(|error| Failure::Input(format!("cannot read standard input: {error}")))
}

/// Returns the name of a source and where its bytes are.
pub(super) fn source(file: &str, taken: &Taken) -> Result<(String, Bytes), Failure> {
    if file == "-" {
        return Ok(("stdin".to_owned(), taken.bytes()));
    }
    std::fs::metadata(file)
        .map_err(|error| Failure::Input(format!("cannot read {}: {error}", shown(file))))?;
    Ok((file.to_owned(), Bytes::File(PathBuf::from(file))))
}

/// Records the statements of a source, and prints the receipt.
pub(super) fn record(
    file: &str,
    (name, bytes): (String, Bytes),
    keeps_secrets: bool,
    stored: &mut Stored<'_>,
) -> Result<Exit, Failure> {
    let started = std::time::Instant::now();
    let now = stored.now;
    let plan = Plan {
        documents: &[Document { name, bytes, modified: now }],
        format: Some(&facts::READER),
        space: stored.space,
        prefix: None,
        ontology: stored.ontology,
        jobs: NonZeroUsize::MIN,
        keeps_secrets,
        now,
    };
    let outcome = ingest(stored.store, &plan, &mut |_| {})?;
    if let Some(refused) = outcome.refused.first() {
        return Err(Failure::Input(format!("{}: {}", shown(file), one_line(&reason(&refused.why)))));
    }
    report(&outcome.receipt, "recorded", started, stored.clock, false, &mut stored.output)
}
