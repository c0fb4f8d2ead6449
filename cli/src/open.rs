//! Opening the store a command works on.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bygone_engine::StoreError;
use bygone_engine::backend::Rocks;
use bygone_engine::store::Store;
use bygone_ontology::Ontology;

/// How long a command waits for another process to let go of the store.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it tries.
const RETRY: Duration = Duration::from_millis(50);

/// Opens the store in a folder, making it where `create` says so; waits for a while if another process holds it.
///
/// # Errors
/// [`StoreError::Busy`] after waiting, with what the holder says of itself.
pub(crate) fn open(folder: &Path, create: bool, ontology: &Arc<Ontology>) -> Result<Store, StoreError> {
    let owner = format!("process {} (`{}`)", std::process::id(), command_line());
    let started = Instant::now();
    loop {
        match Rocks::open(folder, create, &owner) {
            Ok(backend) => return Store::open(Box::new(backend), Arc::clone(ontology) as _),
            Err(StoreError::Busy { .. }) if started.elapsed() < PATIENCE => std::thread::sleep(RETRY),
            Err(error) => return Err(error),
        }
    }
}

fn command_line() -> String {
    let words: Vec<String> =
        std::env::args_os().take(8).map(|word| word.to_string_lossy().into_owned()).collect();
    words.join(" ")
}
