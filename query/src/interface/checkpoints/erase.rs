//! Erasing a thread: physically, in all versions.

use bygone_engine::document::{DocumentSet, Listing};
use bygone_engine::store::{Certificate, Space, Target};
use bygone_engine::time::Instant;
use serde::Deserialize;

use super::super::InterfaceError;
use super::super::name::{document, part, parted, start};
use super::{CHECKPOINTS, RUNS, VALUES, WRITES};

/// Which thread is to be erased.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EraseThread {
    /// The thread.
    pub thread_id: String,
}

/// Erases a thread in all its versions.
///
/// # Errors
/// [`InterfaceError::Request`] where the name is none; [`InterfaceError::Store`].
pub fn erase(space: &Space<'_>, now: Instant, request: &EraseThread) -> Result<Certificate, InterfaceError> {
    let prefix = start([part("thread_id", &request.thread_id)?]);
    let all = |collection: &_| DocumentSet::StartingWith(Clone::clone(collection), prefix.clone());
    let mut sets: Vec<DocumentSet> = [&CHECKPOINTS, &VALUES, &WRITES].into_iter().map(all).collect();
    for name in space.snapshot().document_names(&Listing::new(&RUNS, b"")) {
        let name = name?;
        if parted(&name).is_some_and(|[_, thread, _, _]| thread == request.thread_id) {
            sets.push(DocumentSet::One(document(&RUNS, name)?));
        }
    }
    Ok(space.erase(&Target::Documents(sets), now)?)
}
