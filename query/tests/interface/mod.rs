//! Interfaces of agents' frameworks, as a server would call them: JSON in, JSON out, on stores in memory.

mod checkpoints;
mod items;
mod malformed;
mod memory_tool;
mod sessions;

use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::store::{Space, Store};
use bygone_engine::time::{Instant, parse_moment};
use bygone_query::interface::{InterfaceError, call};
use serde_json::Value;

/// Returns an empty store, and the storage under it.
fn store() -> (Store, Memory) {
    let memory = Memory::new();
    let ontology = Arc::new(bygone_ontology::Ontology::core());
    let store = Store::open(Box::new(memory.clone()), ontology).expect("a store");
    store.space("default", true).expect("a space");
    (store, memory)
}

fn at(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

/// The time by the clock of the tests: it stands still, so that what has to grow grows by itself.
fn now() -> Instant {
    at("2026-03-01T12:00:00Z")
}

/// Does an operation, and returns the bytes of its answer.
fn raw(
    space: &Space<'_>,
    operation: (&str, &str),
    key: Option<&str>,
    body: &str,
) -> Result<String, InterfaceError> {
    call(space, now(), key, operation, body.as_bytes()).map(|answer| answer.get().to_owned())
}

/// Does an operation of an interface, and returns its answer.
fn ask(store: &Store, interface: &str, name: &str, body: &Value) -> Value {
    let space = store.space("default", false).expect("a space");
    let answer = raw(&space, (interface, name), None, &body.to_string());
    serde_json::from_str(&answer.unwrap_or_else(|error| panic!("{name}: {error}"))).expect("JSON")
}

/// Does an operation that is to be refused, and returns the code and the words of it.
fn refused(store: &Store, interface: &str, name: &str, body: &Value) -> (&'static str, String) {
    let space = store.space("default", false).expect("a space");
    let seq = space.snapshot().last_seq().expect("a number");
    let error = raw(&space, (interface, name), None, &body.to_string()).expect_err("it is refused");
    assert_eq!(space.snapshot().last_seq().expect("a number"), seq, "nothing is written");
    (error.code(), error.to_string())
}

fn sound(store: &Store) {
    let space = store.space("default", false).expect("a space");
    assert_eq!(space.verify().expect("a check").faults, [] as [&str; 0]);
}
