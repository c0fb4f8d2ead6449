//! Copying a thread to another one, with all its namespaces, values and writes.

use bygone_engine::document::{Documents, Listing};
use bygone_engine::store::{Decided, Snapshot};
use serde::{Deserialize, Serialize};

use super::super::InterfaceError;
use super::super::name::{document, part, start};
use super::get::named;
use super::{CHECKPOINTS, Head, Thread, VALUES, WRITES};

/// Which thread is to be copied.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyThread {
    /// The thread.
    pub source_thread_id: String,
    /// The thread that it is copied to.
    pub target_thread_id: String,
}

/// What copying came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// How many checkpoints were copied.
    pub copied: u64,
}

/// Decides on copying a thread. What the other one has of the same names is written over.
///
/// # Errors
/// [`InterfaceError::Request`] where a name is none; [`InterfaceError::Store`].
pub fn copy_thread(snapshot: &Snapshot<'_>, request: &CopyThread) -> Result<Decided<Copied>, InterfaceError> {
    let source = start([part("source_thread_id", &request.source_thread_id)?]);
    let target = start([part("target_thread_id", &request.target_thread_id)?]);
    let mut documents = Documents::default();
    let mut n_copied = 0;
    for collection in [&CHECKPOINTS, &VALUES, &WRITES] {
        for found in snapshot.documents(&Listing::new(collection, &source)) {
            let found = found?;
            if collection == &CHECKPOINTS {
                n_copied += 1;
                let (Thread { namespace, .. }, id) = named(&found)?;
                let thread = Thread { thread: &request.target_thread_id, namespace };
                if let Some(run) = Head::read(&found.content.bytes)?.0.run()? {
                    documents.put(thread.run(&run, id)?, Vec::new());
                }
            }
            let rest = found.name.get(source.len()..).unwrap_or_default();
            documents.put(document(collection, [target.as_slice(), rest].concat())?, found.content);
        }
    }
    Ok(Decided::nothing(Copied { copied: n_copied }).with_documents(documents))
}
