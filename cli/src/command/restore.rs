//! `bygone restore`.

use std::path::PathBuf;

use bygone_engine::store::restore;
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::{Context, Stored};
use crate::table::shown;

#[derive(clap::Args)]
pub(crate) struct Restore {
    /// What `backup` wrote; it stays as it is
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Restore {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let store = context.global.store.clone();
        let backup = restore(&self.folder, &store)?;
        // What was copied has to open.
        let Stored { mut output, .. } = context.store_to_read()?;
        if output.json {
            output.row(&json!({
                "store": store.to_string_lossy(),
                "seq": backup.seq,
                "at": backup.at,
                "files": backup.n_files(),
                "bytes": backup.n_bytes(),
            }))?;
        } else {
            output.line(format!(
                "{} has what was recorded up to number {}, from {} of {}",
                shown(&store.to_string_lossy()),
                backup.seq,
                count(backup.n_files(), "file"),
                count(backup.n_bytes(), "byte"),
            ))?;
        }
        Ok(Exit::Done)
    }
}
