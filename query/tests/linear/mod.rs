//! Many threads that write, read and import into one store: each operation is done at one moment between its start and its end,
//! and in the order of the sequence numbers.
//!
//! To see it fail, take the image that a decision is made of before the writing lock (`Space::decide`) and leave out the
//! comparison of the counters in the commit (`Next::unchanged`), or read each register from a snapshot of its own.

mod check;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use bygone_engine::backend::Memory;
use bygone_engine::store::{Recording, Space, Store};
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::{EntityRef, View};
use bygone_ontology::Ontology;
use bygone_query::state::register::{Expectation, Set, Setting, Value, get, set};
use bygone_query::state::{Actor, StateError};

use check::{Did, Event, Expected, Held, check};

const REGISTERS: [&str; 3] = ["one", "two", "count"];
/// The register that everybody adds one to.
const COUNT: usize = 2;
const WRITERS: usize = 4;
const READERS: usize = 3;
/// What each writer does, one after another.
const WRITES: usize = 40;
/// Statements that are imported in one commit.
const BATCH: usize = 20;

fn now() -> Instant {
    parse_moment("2026-06-01").expect("a time").at
}

/// A clock that all threads read: of two readings, the later one is greater.
#[derive(Default)]
struct Clock(AtomicU64);

impl Clock {
    fn tick(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }

    fn around(&self, act: impl FnOnce() -> Did) -> Event {
        let start = self.tick();
        let did = act();
        Event { start, end: self.tick(), did }
    }
}

fn held(value: Value) -> (String, u64) {
    (value.value, value.seq)
}

fn read(space: &Space<'_>) -> Did {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("a view");
    let held = REGISTERS.map(|name| get(&seen, name, Instant::LAST).expect("it reads").map(held)).to_vec();
    let imported = EntityRef::new("thing", "imported").expect("an entity");
    let n_imported = snapshot.statements_mentioning(&imported).expect("they read").len();
    assert_eq!(n_imported % BATCH, 0, "a reader sees a part of a commit");
    Did::Read { last: snapshot.last_seq().expect("a number"), held }
}

/// Sets a register where it holds what is expected.
fn swap(space: &Space<'_>, register: usize, expected: Expected, value: String) -> Did {
    let expectation = match &expected {
        Expected::Seq(seq) => Expectation::Seq(*seq),
        Expected::Value(value) => Expectation::Value(value.clone()),
    };
    let setting = Setting {
        name: REGISTERS[register],
        value: &value,
        expected: expectation,
        ttl_micros: None,
        source_version: None,
    };
    let by = Actor { agent: Some("worker".to_owned()), ..Actor::default() };
    let done: Result<Set, StateError> =
        space.decide(None, now(), |snapshot, place| set(snapshot, place, &by, &setting));
    match done.expect("it is decided") {
        Set::Done(done) => Did::Set { register, expected, seq: done.seq, value },
        Set::Lost(before) => Did::Lost { register, expected, held: before.map(held) },
    }
}

fn seen(space: &Space<'_>, register: usize) -> Held {
    match read(space) {
        Did::Read { held, .. } => held[register].clone(),
        Did::Set { .. } | Did::Lost { .. } => None,
    }
}

/// Adds one to the count until it is done, or sets another register to a value that nobody else sets.
fn write(space: &Space<'_>, clock: &Clock, writer: usize, history: &mut Vec<Event>) {
    for nth in 0..WRITES {
        if (nth + writer).is_multiple_of(2) {
            loop {
                let before = seen(space, COUNT);
                let count: u64 = before.as_ref().map_or(0, |(count, _)| count.parse().expect("a number"));
                let expected = match before {
                    None => Expected::Seq(0),
                    Some((value, _)) => Expected::Value(value),
                };
                let event = clock.around(|| swap(space, COUNT, expected, (count + 1).to_string()));
                let is_done = matches!(event.did, Did::Set { .. });
                history.push(event);
                if is_done {
                    break;
                }
            }
        } else {
            let register = nth % COUNT;
            let expected = Expected::Seq(seen(space, register).map_or(0, |(_, seq)| seq));
            history.push(clock.around(|| swap(space, register, expected, format!("{writer}.{nth}"))));
        }
    }
}

/// Imports statements, many in one commit, until the others are done.
fn import(space: &Space<'_>, is_done: &AtomicBool) {
    for round in 0.. {
        if is_done.load(Ordering::SeqCst) || round == 50 {
            return;
        }
        let mut recording = Recording::default();
        for nth in 0..BATCH {
            let line = format!(
                r#"{{"subject":"thing:imported","predicate":"saw","object":{{"text":"{round}.{nth}"}},"from":"2020"}}"#
            );
            let defaults = Defaults { now: now(), document: format!("import {round}"), position: nth as u64 };
            let said = read_statement(&line, &defaults).expect("a statement");
            recording.episodes.push(said.episode);
            recording.assertions.push(said.assertion);
        }
        space.record(recording, now()).expect("it is recorded");
        thread::yield_now();
    }
}

#[test]
fn what_many_threads_do_could_have_been_done_by_one() {
    let store = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("a store");
    store.space("default", true).expect("a space");
    let (clock, is_done) = (Clock::default(), AtomicBool::new(false));
    let space = || store.space("default", false).expect("a space");
    let mut history = Vec::new();
    thread::scope(|scope| {
        let importing = scope.spawn(|| import(&space(), &is_done));
        let mut reading = Vec::new();
        for _ in 0..READERS {
            reading.push(scope.spawn(|| {
                let mut history = Vec::new();
                while !is_done.load(Ordering::SeqCst) {
                    history.push(clock.around(|| read(&space())));
                }
                history
            }));
        }
        let mut writing = Vec::new();
        for writer in 0..WRITERS {
            let (clock, space) = (&clock, &space);
            writing.push(scope.spawn(move || {
                let mut history = Vec::new();
                write(&space(), clock, writer, &mut history);
                history
            }));
        }
        for writer in writing {
            history.extend(writer.join().expect("a writer ends well"));
        }
        is_done.store(true, Ordering::SeqCst);
        importing.join().expect("the import ends well");
        for reader in reading {
            history.extend(reader.join().expect("a reader ends well"));
        }
    });
    let space = space();
    history.push(clock.around(|| read(&space)));
    assert_eq!(check(&history), Ok(()));
    let is_count = |event: &&Event| matches!(event.did, Did::Set { register: COUNT, .. });
    let n_counted = history.iter().filter(is_count).count();
    assert_eq!(n_counted, WRITERS * WRITES / 2);
    assert_eq!(seen(&space, COUNT).map(|(count, _)| count), Some(n_counted.to_string()));
    assert!(space.verify().expect("it is verified").faults.is_empty());
}
