//! A store in memory that was told statements, one a line in the wire form, and turns.

use std::sync::Arc;

use bygone_engine::Episode;
use bygone_engine::backend::Memory;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, read_statement};
use bygone_ontology::Ontology;

/// Returns the store with what its predicates mean. Statements that do not say when they are known are known now.
pub(crate) fn store_of<'l>(
    lines: impl IntoIterator<Item = &'l str>,
    turns: Vec<Episode>,
    now: Instant,
) -> (Arc<Ontology>, Store) {
    let ontology = Arc::new(Ontology::core());
    let store = Store::open(Box::new(Memory::new()), ontology.clone()).expect("a store");
    let mut recording = Recording::default();
    for (position, line) in (0..).zip(lines) {
        let defaults = Defaults { now, document: "test".to_owned(), position };
        let statement = read_statement(line, &defaults).unwrap_or_else(|error| panic!("{line}: {error}"));
        recording.episodes.push(statement.episode);
        recording.assertions.push(statement.assertion);
    }
    recording.episodes.extend(turns);
    store.space("default", true).expect("a space").record(recording, now).expect("recorded");
    (ontology, store)
}
