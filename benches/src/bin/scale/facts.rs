//! A store of statements: what loading it takes, and what asking it takes.

use std::path::Path;

use bygone_benches::bitemporal::{DAY, Event, Shape, events, predicate_name, statement, subject_name};
use bygone_benches::loaded::{opened, space};
use bygone_benches::random::Random;
use bygone_engine::backend::Rocks;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::{Instant, Period};
use bygone_engine::{EntityRef, View};
use serde_json::{Map, Value, json};

use crate::STORE;
use crate::spent::{Spent, asked, resident_mb};

/// Statements a commit.
const BATCH: usize = 10_000;
/// Questions of each kind.
const QUESTIONS: usize = 1_000;
/// Where the questions lie, beside the store.
const QUESTIONS_FILE: &str = "questions.json";

/// What is asked: the subject, the predicate, a valid instant, a known one, and the present.
type Question = (u32, u32, i64, i64, i64);

/// Loads a store, and leaves questions beside it.
pub(crate) fn load(size: u64, folder: &Path) -> Value {
    let count = usize::try_from(size).expect("a size");
    let entities = u32::try_from(size / 10).expect("a size").max(10);
    let said = events(Shape { statements: count, entities, seed: 1 });
    let path = folder.join(STORE);
    let store = opened(Rocks::open(&path, true, "a measurement").expect("opens"));
    let mut spent = Spent::default();
    for (nth, some) in said.chunks(BATCH).enumerate() {
        let mut recording = Recording::default();
        for (at, event) in (nth * BATCH..).zip(some) {
            let made = statement(event, at);
            recording.episodes.push(made.episode);
            recording.assertions.push(made.assertion);
        }
        let now = instant(some[some.len() - 1].known);
        spent.on(|| space(&store).record(recording, now).expect("records"));
    }
    let stats = space(&store).stats().expect("counts");
    spent.on(|| drop(store));
    let questions = serde_json::to_string(&questions(&said)).expect("numbers");
    std::fs::write(folder.join(QUESTIONS_FILE), questions).expect("the questions are kept");
    json!({
        "load": spent.rate(size),
        "groups": stats.groups,
        "facts": stats.facts,
        "resident_after_load_mb": resident_mb(),
    })
}

/// Asks about what statements of chance say: at an instant at which it holds or held, as known at one after they were.
fn questions(said: &[Event]) -> Vec<Question> {
    let mut random = Random::new(2);
    let now = said[said.len() - 1].known;
    let mut within = |length: i64| i64::try_from(random.below(length.max(1).unsigned_abs())).expect("years");
    (0..QUESTIONS)
        .map(|_| {
            let event =
                said[usize::try_from(within(i64::try_from(said.len()).expect("a size"))).expect("a place")];
            let length = event.to.min(now).saturating_sub(event.from).min(200 * DAY);
            let valid = event.from + within(length);
            let known = event.known + within(now - event.known);
            (event.subject, event.predicate, valid, known, now)
        })
        .collect()
}

/// Opens the store and asks it.
pub(crate) fn ask(folder: &Path) -> Value {
    let path = folder.join(STORE);
    let mut opening = Spent::default();
    let store = opening.on(|| opened(Rocks::open(&path, false, "a measurement").expect("opens")));
    let at_rest = resident_mb();
    let text = std::fs::read_to_string(folder.join(QUESTIONS_FILE)).expect("the questions are there");
    let questions: Vec<Question> = serde_json::from_str(&text).expect("questions");
    let mut reads = Map::new();
    for (name, times) in SHAPES {
        reads.insert(name.to_owned(), asked(&questions, |question| point(&store, question, times(question))));
    }
    let about = |question: &Question| around(&store, question);
    reads.insert("all of a subject, both then".to_owned(), asked(&questions, about));
    json!({
        "open": opening.millis(),
        "resident_at_rest_mb": at_rest,
        "reads": reads,
        "resident_after_reads_mb": resident_mb(),
    })
}

/// A valid instant and, unless all is asked for, a known one.
type Times = (i64, Option<i64>);

/// Which of the times of a question are asked about.
type Chosen = fn(&Question) -> Times;

/// The shapes by name.
const SHAPES: [(&str, Chosen); 5] = [
    ("now, known now", |&(.., now)| (now, None)),
    ("then, known now", |&(_, _, valid, ..)| (valid, None)),
    ("now, as known then", |&(.., known, now)| (now, Some(known))),
    ("then, as known then", |&(_, _, valid, known, _)| (valid, Some(known))),
    ("to come, known now", |&(_, _, valid, _, now)| (now + (now - valid) / 6, None)),
];

fn point(store: &Store, (subject, predicate, ..): &Question, (valid, known): Times) {
    let space = space(store);
    let snapshot = space.snapshot();
    let view = known.map_or(View::LATEST, |known| View::known_at(instant(known)));
    let seen = snapshot.seen(&view).expect("reads");
    let subject = EntityRef::parse(&subject_name(*subject)).expect("an entity");
    if let Some(group) = seen.group(&subject, &predicate_name(*predicate), "").expect("reads") {
        std::hint::black_box(seen.last_fact_by(&group, instant(valid)).expect("reads"));
    }
}

fn around(store: &Store, (subject, _, valid, known, _): &Question) {
    let space = space(store);
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::known_at(instant(*known))).expect("reads");
    let subject = EntityRef::parse(&subject_name(*subject)).expect("an entity");
    let valid = instant(*valid);
    let mut n_held = 0;
    for group in seen.groups_of(&subject).expect("reads") {
        let facts = seen.facts(&group).expect("reads");
        let holds = |period: Period| period.contains(valid);
        n_held += facts.iter().filter(|fact| fact.validity.period().is_some_and(holds)).count();
    }
    std::hint::black_box(n_held);
}

fn instant(micros: i64) -> Instant {
    Instant::from_micros(micros).expect("an instant of the workload")
}
