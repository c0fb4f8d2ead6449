//! Stores that hold a workload.

use std::sync::Arc;

use bygone_engine::backend::Backend;
use bygone_engine::store::{Recording, Space, Store};
use bygone_engine::time::Instant;
use bygone_engine::wire::Statement;

use crate::bitemporal::{Event, ontology, statement};

/// Opens a store over storage, with the ontology of [`crate::bitemporal`].
///
/// # Panics
/// Where the store does not open.
pub fn opened(backend: impl Backend + 'static) -> Store {
    let store = Store::open(Box::new(backend), Arc::new(ontology())).expect("the store opens");
    store.space("default", true).expect("the space is made");
    store
}

/// Returns the space of a store that [`opened`] returned.
///
/// # Panics
/// Where it is not there.
pub fn space(store: &Store) -> Space<'_> {
    store.space("default", false).expect("the space is there")
}

/// Records statements, so many a commit.
///
/// # Panics
/// Where the store fails.
pub fn record(store: &Store, statements: impl IntoIterator<Item = Statement>, batch: usize) {
    let space = space(store);
    let mut statements = statements.into_iter().peekable();
    while statements.peek().is_some() {
        let mut recording = Recording::default();
        let mut now = Instant::FIRST;
        for statement in statements.by_ref().take(batch) {
            now = now.max(statement.assertion.known_at);
            recording.episodes.push(statement.episode);
            recording.assertions.push(statement.assertion);
        }
        space.record(recording, now).expect("the statements are recorded");
    }
}

/// Records events as [`record`] does.
///
/// # Panics
/// Where the store fails.
pub fn record_events(store: &Store, events: &[Event], batch: usize) {
    let statements = events.iter().enumerate().map(|(nth, event)| statement(event, nth));
    record(store, statements, batch);
}
