//! `bygone eval report`.

use std::path::PathBuf;

use bygone_eval::run::Loaded;
use bygone_eval::run::report::markdown;
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::session::Context;

#[derive(clap::Args)]
pub(super) struct Report {
    /// Run files that have come to their end
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
}

impl Report {
    pub(super) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let runs = self.runs.iter().map(|path| Loaded::read(path)).collect::<Result<Vec<_>, _>>()?;
        let mut output = context.output;
        let text = markdown(&runs)?;
        if output.json {
            output.row(&json!({ "markdown": text }))?;
        } else {
            output.line(text)?;
        }
        Ok(Exit::Done)
    }
}
