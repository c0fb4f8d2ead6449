//! Ours: a search in a view.

use std::collections::BTreeMap;
use std::sync::Arc;

use bygone_engine::View;
use bygone_engine::backend::Rocks;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::Instant;
use bygone_ontology::Ontology;

use crate::{Finder, Question, Told, WANTED};

/// Turns recorded together.
const BATCH: usize = 5_000;

/// A store on disk.
pub(crate) struct Bygone {
    store: Store,
    _folder: tempfile::TempDir,
}

fn name(space: usize) -> String {
    format!("space-{space}")
}

impl Bygone {
    /// Records the turns, calls `start`, and indexes them.
    pub(crate) fn new(told: &[Told], start: &dyn Fn()) -> Bygone {
        let folder = tempfile::tempdir().expect("a folder");
        let backend = Rocks::open(folder.path(), true, "a bench").expect("opens");
        let store = Store::open(Box::new(backend), Arc::new(Ontology::core())).expect("opens");
        let now = Instant::from_micros(1_700_000_000_000_000).expect("ordinary");
        for batch in told.chunks(BATCH) {
            let mut by_space: BTreeMap<usize, Recording> = BTreeMap::new();
            for Told { space, episode } in batch {
                by_space.entry(*space).or_default().episodes.push(episode.clone());
            }
            for (space, recording) in by_space {
                store
                    .space(&name(space), true)
                    .and_then(|space| space.record(recording, now))
                    .expect("records");
            }
        }
        start();
        store.index().expect("indexes");
        Bygone { store, _folder: folder }
    }
}

impl Finder for Bygone {
    fn find(&self, question: Question) -> usize {
        let space = self.store.space(&name(question.space), false).expect("is there");
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&View::known_at(question.known)).expect("reads");
        let hits = seen.search_turns(question.words).expect("searches").take(WANTED);
        hits.map(|hit| hit.expect("reads").found.episode.text.len().min(1)).sum()
    }
}
