//! `bygone assert`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use bygone_ingest::read::{Bytes, facts};
use bygone_ingest::{Document, Plan, ingest};

use super::ingest::{reason, report};
use crate::failure::{Exit, Failure};
use crate::session::{Context, Stored};
use crate::table::{one_line, shown};

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
        let started = std::time::Instant::now();
        let cannot = |error: std::io::Error| Failure::Input(error.to_string());
        let (name, bytes) = if self.file == "-" {
            let mut bytes = Vec::new();
            context.input.read_to_end(&mut bytes).map_err(cannot)?;
            ("stdin".to_owned(), Bytes::Held(bytes))
        } else {
            std::fs::metadata(&self.file)
                .map_err(|error| Failure::Input(format!("cannot read {}: {error}", shown(&self.file))))?;
            (self.file.clone(), Bytes::File(PathBuf::from(&self.file)))
        };
        let Stored { store, space, ontology, now, clock, mut output } = context.store()?;
        let plan = Plan {
            documents: &[Document { name, bytes, modified: now }],
            format: Some(&facts::READER),
            space,
            prefix: None,
            ontology,
            jobs: NonZeroUsize::MIN,
            keeps_secrets: self.keep_secrets,
            now,
        };
        let outcome = ingest(store, &plan, &mut |_| {})?;
        if let Some(refused) = outcome.refused.first() {
            return Err(Failure::Input(format!(
                "{}: {}",
                shown(&self.file),
                one_line(&reason(&refused.why))
            )));
        }
        report(&outcome.receipt, "recorded", started, clock, false, &mut output)
    }
}
