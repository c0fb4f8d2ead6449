//! `bygone assert`.

use bygone_ingest::read::facts;

use super::ingest::{ingest_document, mask, report};
use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Assert {
    /// A file of statements; - reads standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Keep what looks like a secret instead of masking it
    #[arg(long)]
    keep_secrets: bool,
}

impl Assert {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let started = std::time::Instant::now();
        let cannot = |error: std::io::Error| Failure::Input(error.to_string());
        let (name, bytes) = if self.file == "-" {
            let mut bytes = Vec::new();
            context.input.read_to_end(&mut bytes).map_err(cannot)?;
            ("stdin".to_owned(), bytes)
        } else {
            let bytes = std::fs::read(&self.file)
                .map_err(|error| Failure::Input(format!("cannot read {}: {error}", self.file)))?;
            (self.file.clone(), bytes)
        };
        let Opened { space, ontology, now, clock, mut output } = context.writing()?;
        let loaded = mask(name, bytes, now, self.keep_secrets);
        let receipt = ingest_document(&space, ontology, &facts::READER, &loaded, now)?;
        report(&receipt, "recorded", started, clock, false, &mut output)
    }
}
