//! `bygone backup`.

use std::path::PathBuf;

use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::{Context, Stored};
use crate::table::shown;

#[derive(clap::Args)]
pub(crate) struct Backup {
    /// The folder of the copy; it must not be there yet, or be empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Backup {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Stored { store, mut output, .. } = context.store_to_read()?;
        let backup = store.back_up(&self.folder)?;
        if output.json {
            output.row(&json!({
                "folder": self.folder.to_string_lossy(),
                "seq": backup.seq,
                "at": backup.at,
                "files": backup.n_files(),
                "bytes": backup.n_bytes(),
            }))?;
        } else {
            output.line(format!(
                "{} up to number {}, in {} of {}",
                shown(&self.folder.to_string_lossy()),
                backup.seq,
                count(backup.n_files(), "file"),
                count(backup.n_bytes(), "byte"),
            ))?;
        }
        Ok(Exit::Done)
    }
}
