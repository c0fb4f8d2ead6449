//! Five operations whose instructions are counted: `operations NAME` does the one of that name, in memory, so that neither
//! RocksDB nor the disk enters. Without a name it lists them.
//!
//! Callgrind counts what happens within [`measured`] and leaves out the making of the store; `scripts/instructions` runs it
//! and compares with what was recorded.

#![expect(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a command")]

use std::hint::black_box;
use std::process::ExitCode;

use bygone_benches::bitemporal::{
    Event, OPEN, Shape, group_events, in_order, ontology, predicate_name, statement, subject_name,
};
use bygone_benches::loaded::{opened, record, record_events, space};
use bygone_benches::talk;
use bygone_engine::backend::Memory;
use bygone_engine::store::Store;
use bygone_engine::time::{Bound, Instant, Moment, Period};
use bygone_engine::{Assertion, EntityRef, View};
use bygone_ingest::extract::{clause, tool};
use bygone_ingest::ground::ground_candidate;
use bygone_ingest::read::{Bytes, Read, Record, Source, Turn, by_name};
use bygone_ontology::{Ontology, derive};

/// Statements of the group that is read, added to and derived.
const STATEMENTS: usize = 1_000;
/// Reads and writes that are counted together.
const TIMES: usize = 100;
/// Turns that are read for what they say.
const TURNS: u64 = 100;

/// The operations by name: reading what holds now, reading what was once thought to hold, adding to a group in order,
/// deriving a group, and reading what turns say.
const OPERATIONS: [(&str, fn()); 5] = [
    ("point-known-now", point_known_now),
    ("point-known-then", point_known_then),
    ("append-in-order", append_in_order),
    ("derive-group", derive_group),
    ("extract-turns", extract_turns),
];

fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    let Some(name) = name else {
        for (name, _) in OPERATIONS {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, operation)) = OPERATIONS.iter().find(|(known, _)| *known == name) else {
        eprintln!("{name} is no operation: run without a name to list them");
        return ExitCode::from(2);
    };
    operation();
    ExitCode::SUCCESS
}

/// Does what is counted. Its name is what callgrind looks for, so it stays a function of its own.
#[inline(never)]
fn measured<T>(act: impl FnOnce() -> T) -> T {
    black_box(act())
}

fn point_known_now() {
    let (store, events) = long_group();
    measured(|| (0..TIMES).filter(|nth| holds(&store, valid(&events, *nth), &View::LATEST)).count());
}

fn point_known_then() {
    let (store, events) = long_group();
    measured(|| {
        let known = |nth: usize| View::known_at(valid(&events, (nth * 7) % TIMES));
        (0..TIMES).filter(|nth| holds(&store, valid(&events, *nth), &known(*nth))).count()
    });
}

fn append_in_order() {
    let store = opened(Memory::new());
    let events = in_order(STATEMENTS, 1);
    record_events(&store, &events, STATEMENTS);
    let last = events[STATEMENTS - 1];
    let next = |nth: usize| {
        let known = last.known + i64::try_from(nth).expect("small") + 1;
        let object = 900_000 + u32::try_from(nth).expect("small");
        statement(&Event { from: known, known, object, to: OPEN, ..last }, STATEMENTS + nth)
    };
    let statements: Vec<_> = (0..TIMES).map(next).collect();
    measured(|| record(&store, statements, 1));
}

fn derive_group() {
    let assertions = assertions();
    let ontology = ontology();
    let definition = ontology.get_or_open(&predicate_name(0));
    let said: Vec<&Assertion> = assertions.iter().collect();
    measured(|| derive(&definition, &said).len());
}

fn extract_turns() {
    let now = Instant::from_micros(1_700_000_000_000_000).expect("ordinary");
    let bytes = Bytes::Held(talk::log(TURNS).into_bytes());
    let mut turns: Vec<Turn> = Vec::new();
    let reader = by_name("plain").expect("a format");
    let mut keep = |read: Read| {
        if let Read::Record(Record::Turn(turn)) = read {
            turns.push(*turn);
        }
    };
    reader.read(&Source::new("talk.txt", &bytes, now, now), &mut keep).expect("held bytes are read");
    let ontology = Ontology::core();
    // Tables that are made when they are first needed are not counted.
    let warm = turns.len() / 10;
    extracted(&turns[..warm], &ontology);
    measured(|| extracted(&turns[warm..], &ontology));
}

/// Extracts and grounds what turns say; returns how many statements that makes.
fn extracted(turns: &[Turn], ontology: &Ontology) -> usize {
    let (mut memory, mut calls) = (clause::Memory::new(), tool::Calls::new());
    let mut n_statements = 0;
    for turn in turns {
        let mut candidates = tool::extract(turn, &mut calls);
        candidates.extend(clause::extract(turn, &mut memory));
        for candidate in candidates {
            let kind = ontology.get_or_open(candidate.predicate).kind;
            let grounded = ground_candidate(&candidate, kind, &turn.episode.text, turn.episode.time);
            n_statements += grounded.map_or(0, |grounded| grounded.len());
        }
    }
    n_statements
}

const SHAPE: Shape = Shape { statements: STATEMENTS, entities: 100, seed: 1 };

fn assertions() -> Vec<Assertion> {
    let events = group_events(SHAPE, 1);
    events.iter().enumerate().map(|(nth, event)| statement(event, nth).assertion).collect()
}

fn long_group() -> (Store, Vec<Event>) {
    let store = opened(Memory::new());
    let events = group_events(SHAPE, 1);
    record_events(&store, &events, STATEMENTS);
    (store, events)
}

/// Returns an instant of the past, the same one for the same number.
fn valid(events: &[Event], nth: usize) -> Instant {
    let at = nth * events.len() / TIMES;
    Instant::from_micros(events[at].known).expect("ordinary")
}

fn holds(store: &Store, valid: Instant, view: &View) -> bool {
    let space = space(store);
    let snapshot = space.snapshot();
    let seen = snapshot.seen(view).expect("reads");
    let subject = EntityRef::parse(&subject_name(1)).expect("an entity");
    let group = seen.group(&subject, &predicate_name(0), "").expect("reads").expect("is there");
    let bound = |instant| Bound::At(Moment::instant(instant));
    let asked = Period::new(bound(valid), bound(valid.next())).expect("it is not empty");
    !seen.facts_over(&group, asked).expect("reads").is_empty()
}
