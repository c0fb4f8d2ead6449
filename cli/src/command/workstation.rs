//! `bygone workstation`: what agents need to carry on, as plain files.
//!
//! Invariant: no file is written over that was not written here. All of them are looked at before the first is written, and
//! each is there whole or as it was.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use bygone_query::state::liveness::Heard;
use bygone_query::workstation::{File, MARK, files};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Workstation {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Write an index and a folder for each agent: role, working context, decisions, inbox, journal
    ///
    /// Files that were written before are written anew; one that something else wrote is left alone, and nothing is written.
    Export(Export),
}

#[derive(clap::Args)]
struct Export {
    /// The folder; it is made where there is none
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    view: ViewOptions,
}

impl Workstation {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Export(action) => action.execute(context),
        }
    }
}

impl Export {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let beats = context.beats().filter(|_| self.view.is_present());
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant_then(&snapshot, &request)?;
        let heard = beats.map_or_else(Heard::new, |beats| beats.heard());
        let files = files(&seen, ontology, at, &heard)?;
        for file in &files {
            check(&self.folder.join(&file.path))?;
        }
        for file in &files {
            write(&self.folder, file)?;
            if output.json {
                output.row(&json!({ "path": file.path, "bytes": file.text.len() }))?;
            } else {
                output.line(&file.path)?;
            }
        }
        let folder = self.folder.display();
        output.remark(format!("{} written below {folder}", count(files.len() as u64, "file")))?;
        Ok(Exit::Done)
    }
}

/// Refuses a file that something else wrote.
fn check(path: &Path) -> Result<(), Failure> {
    match fs_err::read(path) {
        Ok(bytes) if bytes.starts_with(MARK.as_bytes()) => Ok(()),
        Ok(_) => Err(Failure::Input(format!(
            "{} was not written by `bygone workstation export`: move it away, or choose another folder",
            path.display()
        ))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}

/// Writes a file beside its place first, and then puts it there.
fn write(folder: &Path, file: &File) -> Result<(), Failure> {
    let path = folder.join(&file.path);
    let input = |error: std::io::Error| Failure::Input(error.to_string());
    fs_err::create_dir_all(path.parent().unwrap_or(folder)).map_err(input)?;
    // Two exports at once, by two processes or two threads of one, do not meet.
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let beside = path.with_extension(format!("{process}-{thread:?}.part"));
    fs_err::write(&beside, &file.text).map_err(input)?;
    fs_err::rename(&beside, &path).map_err(input)
}
