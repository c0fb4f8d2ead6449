//! What surrounds a store does what it must not: clocks that go back and leap, and embedders whose vectors are none.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bygone_engine::backend::Memory;
use bygone_engine::embed::{EmbedError, Embedder, Model};
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::wire::{Defaults, Statement, read_statement};
use bygone_engine::{RecordedAt, View};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::facts::{Filter, facts};
use bygone_query::retrieve::{Kind, Sought, search};

fn at(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

fn said(city: &str, now: Instant) -> Statement {
    let line = format!(
        r#"{{"subject":"person:Ann","predicate":"lives_in","object":{{"entity":"place:{city}"}},"source":"{city}#1"}}"#
    );
    read_statement(&line, &Defaults { now, document: String::new(), position: 0 }).expect("a statement")
}

fn store() -> Store {
    Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("opens")
}

fn record(store: &Store, city: &str, now: Instant) -> Option<u64> {
    let Statement { assertion, episode } = said(city, now);
    let recording =
        Recording { episodes: vec![episode], assertions: vec![assertion], ..Recording::default() };
    store.space("default", true).expect("a space").record(recording, now).expect("recorded").seq
}

/// Where Ann lives, in the latest view and as of each commit.
fn lives(store: &Store, recorded: RecordedAt, now: Instant) -> Vec<String> {
    let space = store.space("default", false).expect("a space");
    let snapshot = space.snapshot();
    let present = snapshot.present(now).expect("it reads");
    let request = Request { view: View { recorded, ..View::LATEST }, ..Request::present(present) };
    let seen = snapshot.seen(&request.view).expect("a view");
    let rows = facts(&seen, &Ontology::core(), &request, &Filter::default()).expect("they read");
    rows.iter().map(|row| row.fact.object.entity().expect("a city").name().to_owned()).collect()
}

#[test]
fn a_clock_that_goes_back_or_leaps_neither_reorders_nor_loses_what_was_recorded() {
    let store = store();
    let clocks = [
        ("Rome", "2026-06-01T12:00:00Z"),
        ("Oslo", "2026-06-01T11:00:00Z"),
        ("Bonn", "2036-06-01T12:00:00Z"),
        ("Wien", "2026-06-01T12:30:00Z"),
        ("Graz", "-9999-01-01T00:00:00Z"),
    ];
    let seqs: Vec<_> = clocks.iter().map(|(city, now)| record(&store, city, at(now)).expect("new")).collect();
    assert_eq!(seqs, [1, 2, 3, 4, 5]);
    let space = store.space("default", false).expect("a space");
    let mut stamps: Vec<Instant> = Vec::new();
    for recorded in space.snapshot().assertions() {
        let recorded = recorded.expect("it reads");
        stamps.push(recorded.at);
        // What was known when stays as it was said.
        let city = recorded
            .assertion
            .object
            .as_ref()
            .and_then(|city| city.entity())
            .expect("a city")
            .name()
            .to_owned();
        let (_, now) = clocks.iter().find(|(other, _)| *other == city).expect("one of them");
        assert_eq!(recorded.assertion.known_at, at(now));
    }
    stamps.sort_unstable();
    stamps.dedup();
    assert_eq!(stamps.len(), clocks.len(), "no two commits have one stamp");
    assert!(stamps[0] >= at("2026-06-01T12:00:00Z") && stamps[4] > at("2036-06-01T12:00:00Z"));
    // As of each commit, the one that was known last by then holds; what the clock says now changes nothing of it.
    for (seq, city) in [(1, "Rome"), (2, "Rome"), (3, "Bonn"), (4, "Bonn"), (5, "Bonn")] {
        for now in ["2036-07-01", "2026-06-02"] {
            let told = lives(&store, RecordedAt::Seq(seq), at(now));
            assert_eq!(told, [city], "as of {seq}, at {now}");
        }
    }
    assert!(space.verify().expect("it is verified").faults.is_empty());
}

/// An embedder of which some vectors are none.
struct Rogue {
    model: Model,
    vector: Vec<f32>,
    n_asked: AtomicUsize,
}

impl Rogue {
    fn new(vector: &[f32]) -> Rogue {
        let model = Model { id: "rogue".to_owned(), hash: String::new(), dimension: 2 };
        Rogue { model, vector: vector.to_vec(), n_asked: AtomicUsize::new(0) }
    }
}

impl Embedder for Rogue {
    fn model(&self) -> &Model {
        &self.model
    }

    fn is_costly(&self) -> bool {
        false
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.n_asked.fetch_add(1, Ordering::Relaxed);
        Ok(texts.iter().map(|_| self.vector.clone()).collect())
    }

    fn query(&self, _: &str, _: &dyn Fn(u32) -> f32) -> Result<Vec<f32>, EmbedError> {
        Ok(self.vector.clone())
    }

    fn pieces(&self, _: &str) -> Vec<u32> {
        Vec::new()
    }
}

fn found(store: &Store) -> Result<usize, String> {
    let (space, request) =
        (store.space("default", false).expect("a space"), Request::present(at("2026-07-01")));
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("a view");
    let ontology = Ontology::core();
    let sought = Sought {
        seen: &seen,
        ontology: &ontology,
        request: &request,
        text: "Rome",
        kinds: Kind::ALL,
        n_wanted: 3,
    };
    search(&sought).map(|results| results.found.len()).map_err(|error| error.to_string())
}

#[test]
fn vectors_that_are_none_are_told_and_spoil_nothing() {
    for vector in [
        &[f32::NAN, 1.0][..],
        &[f32::INFINITY, 0.0],
        &[0.0, f32::NEG_INFINITY],
        &[1.0],
        &[1.0, 0.0, 0.0],
        &[],
    ] {
        let memory = Memory::new();
        let open = || Store::open(Box::new(memory.clone()), Arc::new(Ontology::core())).expect("opens");
        let rogue = Arc::new(Rogue::new(vector));
        let store = open().with_embedder(Arc::clone(&rogue) as _);
        record(&store, "Rome", at("2026-06-01"));
        let told = found(&store).expect_err("no vector");
        assert!(told.contains("2 finite numbers"), "{vector:?}: {told}");
        assert!(rogue.n_asked.load(Ordering::Relaxed) < 5, "it is not asked over and over");
        assert_eq!(lives(&store, RecordedAt::Latest, at("2026-07-01")), ["Rome"], "the rest goes on");
        record(&store, "Oslo", at("2026-06-02"));
        drop(store);
        let store = open().with_embedder(Arc::new(Rogue::new(&[0.6, 0.8])) as _);
        assert!(found(&store).is_ok(), "{vector:?} was kept");
    }
}
