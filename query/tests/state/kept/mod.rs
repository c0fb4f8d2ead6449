//! What is kept beside statements: what is decided, what is told of it in each view, and what it costs.

mod artifact;
mod carried;
mod checkpoint;
mod document;
mod work;

use bygone_engine::RecordedAt;
use bygone_engine::View;
use bygone_engine::backend::Memory;
use bygone_engine::store::Store;
use bygone_engine::time::{Instant, parse_moment};
use bygone_query::state::Actor;

use std::sync::Arc;

/// Returns an empty store, and the storage under it.
fn store() -> (Store, Memory) {
    let memory = Memory::new();
    let ontology = Arc::new(bygone_ontology::Ontology::core());
    (Store::open(Box::new(memory.clone()), ontology).expect("a store"), memory)
}

/// Returns an agent that acts in a session of its own.
fn agent(name: &str) -> Actor {
    Actor { agent: Some(name.to_owned()), ..Actor::default() }
}

/// Returns an instant.
fn at(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

/// Returns what was recorded up to a commit.
fn recorded(seq: u64) -> View {
    View { recorded: RecordedAt::Seq(seq), ..View::LATEST }
}
