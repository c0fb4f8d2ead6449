//! A store in memory that agents and people act on, one act after another.

use bygone_engine::store::{Decided, Place, Recording, Seen, Snapshot, Store};
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::{RecordedAt, View};
use bygone_query::state::{Actor, StateError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::store_of;

/// The default space of a store.
pub(super) struct Desk {
    store: Store,
}

impl Desk {
    pub(super) fn new() -> Desk {
        Desk::told(&[])
    }

    /// A store that was told statements, one a line in the wire form.
    pub(super) fn told(lines: &[&str]) -> Desk {
        Desk { store: store_of(lines.iter().copied(), Vec::new(), at("2026-01-01")).1 }
    }

    /// Records one statement more, in the wire form.
    pub(super) fn tell(&self, line: &str, now: &str) {
        let defaults = Defaults { now: at(now), document: "later".to_owned(), position: 0 };
        let said = read_statement(line, &defaults).expect(line);
        let recording = Recording {
            episodes: vec![said.episode],
            assertions: vec![said.assertion],
            ..Recording::default()
        };
        self.store.space("default", true).expect("a space").record(recording, at(now)).expect("recorded");
    }

    /// Records turns and what they say.
    pub(super) fn record(&self, recording: Recording, now: &str) {
        self.store.space("default", true).expect("a space").record(recording, at(now)).expect("recorded");
    }

    /// Decides and records at a time of the wall clock.
    pub(super) fn act<T: Serialize + DeserializeOwned>(
        &self,
        now: &str,
        decide: impl FnOnce(&Snapshot<'_>, Place) -> Result<Decided<T>, StateError>,
    ) -> Result<T, StateError> {
        self.store.space("default", true).expect("a space").decide(None, at(now), decide)
    }

    /// Reads the latest view.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Seen<'_>) -> T) -> T {
        self.read_as(&View::LATEST, read)
    }

    /// Reads a view.
    pub(super) fn read_as<T>(&self, view: &View, read: impl FnOnce(&Seen<'_>) -> T) -> T {
        let space = self.store.space("default", true).expect("a space");
        let snapshot = space.snapshot();
        let seen = snapshot.seen(view).expect("a view");
        read(&seen)
    }
}

pub(super) fn at(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

/// What was known at the end of a time.
pub(super) fn known(text: &str) -> View {
    View { known: parse_moment(text).expect(text).end().previous(), ..View::LATEST }
}

/// What was recorded in the first commits.
pub(super) fn recorded(seq: u64) -> View {
    View { recorded: RecordedAt::Seq(seq), ..View::LATEST }
}

pub(super) fn agent(name: &str) -> Actor {
    Actor { agent: Some(name.to_owned()), ..Actor::default() }
}

pub(super) fn user(name: &str) -> Actor {
    Actor { user: Some(name.to_owned()), ..Actor::default() }
}

/// What was refused, in words.
#[track_caller]
pub(super) fn refusal<T: std::fmt::Debug>(result: Result<T, StateError>) -> String {
    result.expect_err("refused").to_string()
}
