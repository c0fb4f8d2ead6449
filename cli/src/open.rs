//! Opening the store a command works on.

use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bygone_engine::StoreError;
use bygone_engine::backend::Rocks;
use bygone_engine::store::Store;
use bygone_ontology::Ontology;
use clap::CommandFactory;

use crate::arguments::Arguments;
use crate::share;

/// How long a command waits for another process to let go of the store.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it tries.
const RETRY: Duration = Duration::from_millis(50);

/// Where a store was found.
pub(crate) enum Found {
    /// It is open in this process.
    Here(Box<Store>),
    /// Another process has it, which can be asked to do what is wanted of it.
    Elsewhere {
        /// The line to that process.
        line: UnixStream,
        /// What it says of itself.
        held: StoreError,
    },
}

/// Opens the store in a folder, making it where `create` says so. Where another process holds it, its line is returned if
/// `may_ask` says so and it has one; else it is waited for, for a while.
///
/// # Errors
/// [`StoreError::Busy`] after waiting, with what the holder says of itself.
pub(crate) fn open(
    folder: &Path,
    create: bool,
    ontology: &Arc<Ontology>,
    may_ask: bool,
) -> Result<Found, StoreError> {
    let owner = format!("process {} (`{}`)", std::process::id(), command_line());
    let started = Instant::now();
    loop {
        match Rocks::open(folder, create, &owner) {
            Ok(backend) => {
                return Ok(Found::Here(Box::new(Store::open(Box::new(backend), Arc::clone(ontology) as _)?)));
            }
            Err(held @ StoreError::Busy { .. }) => {
                if may_ask && let Some(line) = share::connect(folder) {
                    return Ok(Found::Elsewhere { line, held });
                }
                if started.elapsed() > PATIENCE {
                    return Err(held);
                }
                std::thread::sleep(RETRY);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns the program and the command that runs, and nothing of what it was given: that may be secret.
fn command_line() -> String {
    let definition = Arguments::command();
    let is_command =
        |word: &OsString| word.to_str().is_some_and(|word| definition.find_subcommand(word).is_some());
    let command = std::env::args_os().skip(1).find(is_command);
    let command = command.map_or_else(String::new, |word| format!(" {}", word.to_string_lossy()));
    format!("bygone{command}")
}
