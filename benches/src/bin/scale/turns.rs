//! A store of turns: what reading them into it takes, the indexes, and searches.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use bygone_benches::plan::plan;
use bygone_benches::{chat, talk};
use bygone_engine::View;
use bygone_engine::backend::Rocks;
use bygone_engine::store::Store;
use bygone_engine::time::Instant;
use bygone_ingest::read::Bytes;
use bygone_ingest::{Document, ingest};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::retrieve::{Kind, Sought, search};
use serde_json::{Value, json};

use crate::STORE;
use crate::spent::{Spent, asked, resident_mb};

/// Results of a search.
const WANTED: usize = 10;
/// Turns of which the last that are added are one day's: what indexes catch up with.
const ADDED: u64 = 100;

const QUESTIONS: [&str; 10] = [
    "Who moved to Oslo?",
    "When did Tom move to Lisbon?",
    "What does Melanie do to relax?",
    "Where does Clara Costa work?",
    "What novel did Tom read about the sea?",
    "Which trip is planned for next summer?",
    "What did Anna Adler tell about Oslo?",
    "Has Tom ever been to a concert with Jonas Jansen?",
    "What helps to unwind after work?",
    "What was played every Sunday?",
];

/// Loads a store: turns and what they say, then the indexes, then a few turns more.
pub(crate) fn load(size: u64, folder: &Path) -> Value {
    let path = folder.join(STORE);
    let store = store(&path, true);
    let told = size / 10;
    let logs = [("told.txt", talk::log(told)), ("small-talk.txt", small_talk(size - told))];
    let text_bytes: u64 = logs.iter().map(|(_, log)| log.len() as u64).sum();
    let mut ingesting = Spent::default();
    let n_statements = read_in(&store, logs.into(), &mut ingesting);
    let mut indexing = Spent::default();
    indexing.on(|| store.index().expect("indexes"));
    let mut whole = Spent::default();
    let mut catching_up = Spent::default();
    read_in(&store, vec![("more.txt", small_talk(ADDED).replace(" 11:", " 12:"))], &mut whole);
    catching_up.on(|| store.index().expect("indexes"));
    drop(store);
    json!({
        "ingest": ingesting.rate(size),
        "index": indexing.rate(size),
        "catch_up_with_100": catching_up.millis(),
        "statements": n_statements,
        "text_bytes_a_turn": text_bytes / size.max(1),
        "resident_after_load_mb": resident_mb(),
    })
}

/// Opens the store and searches it.
pub(crate) fn ask(folder: &Path) -> Value {
    let path = folder.join(STORE);
    let ontology = Ontology::core();
    let mut opening = Spent::default();
    let store = opening.on(|| store(&path, false));
    let at_rest = resident_mb();
    let mut first = Spent::default();
    first.on(|| find(&store, &ontology, QUESTIONS[0]));
    let searches = asked(&QUESTIONS, |question| find(&store, &ontology, question));
    json!({
        "open": opening.millis(),
        "first_search": first.millis(),
        "resident_at_rest_mb": at_rest,
        "search": searches,
        "resident_after_searches_mb": resident_mb(),
    })
}

fn store(path: &Path, create: bool) -> Store {
    let backend = Rocks::open(path, create, "a measurement").expect("opens");
    Store::open(Box::new(backend), Arc::new(Ontology::core())).expect("opens")
}

fn now() -> Instant {
    Instant::from_micros(4_000_000_000_000_000).expect("ordinary")
}

/// Ingests logs and returns how many statements they make.
fn read_in(store: &Store, logs: Vec<(&str, String)>, spent: &mut Spent) -> u64 {
    let ontology = Ontology::core();
    let document = |(name, log): (&str, String)| Document {
        name: name.to_owned(),
        bytes: Bytes::Held(log.into_bytes()),
        modified: now(),
    };
    let documents: Vec<Document> = logs.into_iter().map(document).collect();
    let plan = plan(&documents, &ontology, now());
    spent.on(|| ingest(store, &plan, &mut |_| {}).expect("ingests").receipt.assertions)
}

fn find(store: &Store, ontology: &Ontology, text: &str) {
    let space = store.space("default", false).expect("is there");
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("reads");
    let request = Request::present(now());
    let sought =
        Sought { seen: &seen, ontology, request: &request, text, kinds: Kind::ALL, n_wanted: WANTED };
    std::hint::black_box(search(&sought).expect("searches"));
}

/// Returns turns as a plain log, four hundred a day.
fn small_talk(count: u64) -> String {
    let names = ["Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"];
    let mut log = String::new();
    for (position, (text, name)) in chat::turns(count).iter().zip(names.iter().cycle()).enumerate() {
        let (day, minute) = (position / 400, position % 400);
        let (year, month, date) = (2000 + day / 336, day / 28 % 12 + 1, day % 28 + 1);
        let (hour, minute) = (11 + minute / 60, minute % 60);
        writeln!(log, "{year:04}-{month:02}-{date:02} {hour:02}:{minute:02} {name}: {text}")
            .expect("a string");
    }
    log
}
