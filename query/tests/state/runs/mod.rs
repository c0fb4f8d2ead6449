//! Runs of agents, and the calls that they make.

mod agents;
mod calls;
mod told;

use std::sync::Arc;

use bygone_engine::StoreError;
use bygone_engine::View;
use bygone_engine::backend::Memory;
use bygone_engine::store::{Decided, Place, Seen, Snapshot, Store};
use bygone_engine::time::{Instant, parse_moment};
use bygone_ontology::Ontology;
use bygone_query::state::{Actor, StateError, decide};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The microseconds of a second.
const SECOND: i64 = 1_000_000;

/// A store in memory and a clock that stands where it is put.
struct Desk {
    store: Store,
}

impl Desk {
    fn new() -> Desk {
        let store = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("a store");
        Desk { store }
    }

    /// Decides at a second, as somebody.
    fn decide<T: Serialize + DeserializeOwned>(
        &self,
        seconds: i64,
        by: &Actor,
        decision: impl FnOnce(&Snapshot<'_>, Place) -> Result<Decided<T>, StateError>,
    ) -> Result<T, StateError> {
        decide(&self.store.space("default", true)?, by, None, at(seconds), decision)
    }

    /// Reads through a view.
    fn read<T>(&self, view: &View, read: impl FnOnce(&Seen<'_>) -> T) -> T {
        let space = self.store.space("default", true).expect("a space");
        let snapshot = space.snapshot();
        read(&snapshot.seen(view).expect("a view"))
    }

    fn last_seq(&self) -> Result<u64, StoreError> {
        self.store.space("default", true)?.snapshot().last_seq()
    }
}

/// The instant of a second.
fn at(seconds: i64) -> Instant {
    parse_moment("2026-01-01T00:00:00Z").expect("an instant").at.plus_micros(seconds * SECOND)
}

/// An agent that does not say which of its runs it is.
fn agent(name: &str) -> Actor {
    Actor { agent: Some(name.to_owned()), ..Actor::default() }
}

/// A run of an agent.
fn run(name: &str, epoch: u64) -> Actor {
    Actor { epoch: Some(epoch), ..agent(name) }
}

/// What was known by a second.
fn known(seconds: i64) -> View {
    View { known: at(seconds), ..View::LATEST }
}
