//! Searching turns and facts through every channel, and bringing the indexes up to date: processor time over one store
//! of 100,000 turns and what was read out of them, on disk: one turn in ten is of a log in which two friends tell of
//! themselves, the others are small talk in everyday words, so that a word that is asked for stands in very many.
//!
//! It prints a table and makes no comparison: no other system that is at hand does the same. Indexing is measured from
//! an empty index, embedding included, with vectors that are compared one by one and with a graph.

#![expect(clippy::print_stdout, reason = "a table is what the bench is for")]

use std::fmt::Write as _;
use std::sync::Arc;

use bygone_benches::plan::plan;
use bygone_benches::{chat, cpu, smoke, talk};
use bygone_engine::View;
use bygone_engine::backend::Rocks;
use bygone_engine::store::{Store, VectorMode};
use bygone_engine::time::{Instant, parse_moment};
use bygone_ingest::read::Bytes;
use bygone_ingest::{Document, ingest};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::retrieve::{Kind, Sought, search};

/// Turns there are, and where the bench only shows that it runs.
const TURNS: (u64, u64) = (100_000, 4_000);
/// Those of the two friends, of which most make statements, likewise.
const TOLD: (u64, u64) = (10_000, 1_000);
/// How many are wanted.
const WANTED: usize = 10;
/// Times that all questions are asked.
const ROUNDS: usize = 5;

/// The day on which about half of them were said.
const HALFWAY: &str = "2003-09-19";

const QUESTIONS: [&str; 20] = [
    "Who moved to Oslo?",
    "When did Tom move to Lisbon?",
    "What does Melanie do to relax?",
    "Where does Clara Costa work?",
    "What novel did Tom read about the sea?",
    "Which trip is planned for next summer?",
    "Who learned the piano?",
    "When did Melanie leave Acme?",
    "What did Anna Adler tell about Oslo?",
    "How did the exam go?",
    "Has Tom ever been to a concert with Jonas Jansen?",
    "What pet is Melanie thinking of adopting?",
    "What helps to unwind after work?",
    "Who wants to open a bakery?",
    "What did Tom buy yesterday?",
    "Which sister of Melanie loves hiking?",
    "What was played every Sunday?",
    "Was there anything about yoga in March 2000?",
    "What is everything that Frank Ferrer does in his free time?",
    "Which good advice was given about breaks?",
];

fn sized((whole, few): (u64, u64)) -> u64 {
    smoke::sized(whole, few)
}

fn store(folder: &std::path::Path) -> Store {
    let backend = Rocks::open(folder, true, "a bench").expect("opens");
    Store::open(Box::new(backend), Arc::new(Ontology::core())).expect("opens")
}

/// Returns the rest of the turns as a plain log, forty a day.
fn small_talk() -> String {
    let names = ["Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"];
    let mut log = String::new();
    for (position, (text, name)) in
        chat::turns(sized(TURNS) - sized(TOLD)).iter().zip(names.iter().cycle()).enumerate()
    {
        let (day, minute) = (position / 40, position % 40);
        let (year, month, date) = (2000 + day / 336, day / 28 % 12 + 1, day % 28 + 1);
        writeln!(log, "{year:04}-{month:02}-{date:02} 11:{minute:02} {name}: {text}").expect("a string");
    }
    log
}

/// Returns the processor time of something, in microseconds, the threads that it starts included.
fn spent(work: impl FnOnce()) -> f64 {
    let start = cpu::of_process();
    work();
    cpu::of_process() - start
}

#[expect(clippy::cast_precision_loss, reason = "a hundred thousand")]
fn indexing(store: &Store, name: &str, mode: VectorMode) {
    store.set_vector_mode(mode);
    let micros = spent(|| store.reindex().expect("indexes"));
    println!("{name:<40} {:>8.0} turns indexed per CPU-second", sized(TURNS) as f64 / micros * 1e6);
}

fn searching(store: &Store, ontology: &Ontology, name: &str, known: Instant, now: Instant) {
    let space = store.space("default", false).expect("is there");
    let request = Request { view: View::known_at(known), ..Request::present(now) };
    let mut costs = Vec::new();
    let n_rounds = if smoke::is_on() { 1 } else { ROUNDS };
    for round in 0..=n_rounds {
        for question in QUESTIONS {
            let start = cpu::of_thread();
            let snapshot = space.snapshot();
            let seen = snapshot.seen(&request.view).expect("reads");
            let (text, request) = (question, &request);
            let sought = Sought { seen: &seen, ontology, request, text, kinds: Kind::ALL, n_wanted: WANTED };
            let results = search(&sought).expect("searches");
            assert_eq!(results.found.len(), WANTED, "{question}");
            // The first round fills what is kept.
            if round > 0 {
                costs.push(cpu::of_thread() - start);
            }
        }
    }
    costs.sort_by(f64::total_cmp);
    let at = |share: usize| costs[(costs.len() - 1) * share / 100] / 1e3;
    println!("{name:<40} {:>7.1} {:>7.1} {:>7.1}", at(50), at(95), at(100));
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let ontology = Ontology::core();
    let now = Instant::from_micros(1_700_000_000_000_000).expect("ordinary");
    let logs = [("told.txt", talk::log(sized(TOLD))), ("small-talk.txt", small_talk())];
    let document = |(name, log): (&str, String)| Document {
        name: name.to_owned(),
        bytes: Bytes::Held(log.into_bytes()),
        modified: now,
    };
    let documents = logs.map(document);
    let plan = plan(&documents, &ontology, now);
    let store = store(folder.path());
    let receipt = ingest(&store, &plan, &mut |_| {}).expect("ingests").receipt;
    println!("{} turns, {} statements", receipt.episodes, receipt.assertions);
    indexing(&store, "words and vectors, with a graph", VectorMode::Graph);
    indexing(&store, "words and vectors, compared one by one", VectorMode::Exact);

    println!("\n{:<40} {:>7} {:>7} {:>7}   CPU ms a search", "", "p50", "p95", "most");
    let halfway = parse_moment(HALFWAY).expect("a day").at;
    for (mode, how) in [(VectorMode::Exact, "one by one"), (VectorMode::Graph, "through a graph")] {
        store.set_vector_mode(mode);
        if mode == VectorMode::Graph {
            store.reindex().expect("indexes");
        }
        for (known, when) in [(Instant::DISTANT_FUTURE, "now"), (halfway, "as known halfway")] {
            searching(&store, &ontology, &format!("{how}, {when}"), known, now);
        }
    }
}
