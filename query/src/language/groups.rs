//! All groups of a space, read once for a query: to estimate by, and to look through.

use std::cell::OnceCell;
use std::sync::Arc;

use bygone_engine::StoreError;
use bygone_engine::store::{GroupView, Seen};

/// The groups of a space as a view sees it.
pub(super) struct Groups<'a, 's> {
    pub(super) seen: &'a Seen<'s>,
    all: OnceCell<Arc<[GroupView]>>,
}

impl<'a, 's> Groups<'a, 's> {
    pub(super) fn new(seen: &'a Seen<'s>) -> Groups<'a, 's> {
        Groups { seen, all: OnceCell::new() }
    }

    /// Returns all of them, by subject, predicate and key. The first time it reads all of their names.
    pub(super) fn all(&self) -> Result<Arc<[GroupView]>, StoreError> {
        if let Some(all) = self.all.get() {
            return Ok(Arc::clone(all));
        }
        let all: Arc<[GroupView]> = self.seen.groups()?.into();
        Ok(Arc::clone(self.all.get_or_init(|| all)))
    }
}
