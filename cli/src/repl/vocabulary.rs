//! The names that a line may go on with, as the open store has them.
//!
//! Completion is a courtesy: where the store cannot be read, there are no names, and the command that follows says why.
//! Invariant: however large the store is, a bounded number of its rows is looked at.

use std::collections::BTreeSet;
use std::path::Path;

use bygone_engine::entity::fold_name;
use bygone_engine::store::{Snapshot, Space};

use super::shell::Shell;

/// The rows of the store that one completion looks at, at most.
const MOST_ROWS: usize = 4096;

/// Where names come from.
pub(super) trait Vocabulary {
    /// Returns some entities whose name starts so, as `type:Name`; of one type where the text names it, as
    /// `person:An` does.
    fn entities(&self, start: &str, most: usize) -> Vec<String>;
    /// Returns the types of entities.
    fn types(&self) -> Vec<String>;
    /// Returns the predicates that are declared or used.
    fn predicates(&self) -> Vec<String>;
    /// Returns the names of the spaces.
    fn spaces(&self) -> Vec<String>;
}

impl Vocabulary for Shell<'_> {
    fn entities(&self, start: &str, most: usize) -> Vec<String> {
        let (kind, name) = match start.split_once(':') {
            Some((kind, name)) => (Some(kind), name),
            None => (None, start),
        };
        let folded = fold_name(name);
        let found = self.with_space(|space| {
            let snapshot = space.snapshot();
            let walked = snapshot.walk_entities(name).take(MOST_ROWS).map_while(Result::ok);
            let fits = walked.filter(|entity| kind.is_none_or(|kind| entity.kind() == kind));
            // An alias leads to an entity whose own name goes on differently.
            let fits = fits.filter(|entity| fold_name(entity.name()).starts_with(&folded));
            fits.take(most).map(|entity| entity.to_string()).collect()
        });
        found.unwrap_or_default()
    }

    fn types(&self) -> Vec<String> {
        self.session.ontology(self.store.as_ref()).types().map(|declared| declared.name.clone()).collect()
    }

    fn predicates(&self) -> Vec<String> {
        let declared =
            self.session.ontology(self.store.as_ref()).predicates().map(|definition| definition.id.clone());
        let mut predicates: BTreeSet<String> = declared.collect();
        let used = |snapshot: &Snapshot<'_>| -> Vec<String> {
            snapshot.walk_predicates().take(MOST_ROWS).map_while(Result::ok).collect()
        };
        predicates.extend(self.with_space(|space| used(&space.snapshot())).unwrap_or_default());
        predicates.into_iter().collect()
    }

    fn spaces(&self) -> Vec<String> {
        let folder: &Path = self.store.as_ref();
        let store = self.session.store(folder);
        store.and_then(|store| store.spaces().ok()).unwrap_or_default()
    }
}

impl Shell<'_> {
    fn with_space<T>(&self, look: impl FnOnce(&Space<'_>) -> T) -> Option<T> {
        let store = self.session.store(self.store.as_ref())?;
        let space = store.space(self.settings.space(), false).ok()?;
        Some(look(&space))
    }
}
