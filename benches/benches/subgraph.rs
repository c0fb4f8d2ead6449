//! The facts around an entity, two steps out, as of a past time, in a store of a million facts: processor time of one query.
//!
//! Entities are ordinary ones: people with some seventeen facts each, who know one another; what they work at and live in
//! is shared by hundreds.

#![expect(clippy::print_stdout, reason = "a table is what the bench is for")]

use std::sync::Arc;

use bygone_benches::people::{PEOPLE, person, statements};
use bygone_benches::{cpu, smoke};
use bygone_engine::backend::Rocks;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::{Instant, parse_moment};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::language::{Parameters, answer, parse};

/// People whose statements are recorded together.
const BATCH: u64 = 2_000;
/// Queries of each kind.
const QUERIES: u64 = 500;
/// People of whom something is said, and queries of each kind, where the bench only shows that it runs.
const FEW_PEOPLE: u64 = 1_000;
const FEW_QUERIES: u64 = 10;

const KINDS: [(&str, &str); 3] = [
    (
        "all that is said, as known then",
        "MATCH (p {id: $p})-[r*1..2]->(x) VALID AT '2019-06' KNOWN AT '2021' RETURN r, x",
    ),
    ("all that is said, as known now", "MATCH (p {id: $p})-[r*1..2]->(x) VALID AT '2019-06' RETURN r, x"),
    (
        "who knows whom, either way, as known then",
        "MATCH (p {id: $p})-[r:knows*1..2]-(x) VALID AT '2019-06' KNOWN AT '2021' RETURN r, x",
    ),
];

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let ontology = Arc::new(Ontology::core());
    let now = parse_moment("2026-01-01").expect("a day").at;
    let backend = Rocks::open(folder.path(), true, "a bench").expect("opens");
    let store = Store::open(Box::new(backend), Arc::clone(&ontology) as _).expect("opens");
    let start = cpu::of_process();
    let n_statements = fill(&store, now);
    let seconds = (cpu::of_process() - start) / 1e6;
    println!("{n_statements} statements recorded in {seconds:.0} s of processor time");
    println!("{:<44} {:>6} {:>8} {:>8} {:>8}   CPU ms a query", "", "rows", "p50", "p95", "most");
    for (name, query) in KINDS {
        measure(&store, &ontology, name, query, now);
    }
}

fn fill(store: &Store, now: Instant) -> usize {
    let space = store.space("default", true).expect("a space");
    let mut n_statements = 0;
    for first in (0..smoke::sized(PEOPLE, FEW_PEOPLE)).step_by(usize::try_from(BATCH).expect("small")) {
        let mut recording = Recording::default();
        for statement in (first..(first + BATCH).min(smoke::sized(PEOPLE, FEW_PEOPLE))).flat_map(statements) {
            recording.episodes.push(statement.episode);
            recording.assertions.push(statement.assertion);
        }
        n_statements += recording.assertions.len();
        space.record(recording, now).expect("records");
    }
    n_statements
}

#[expect(clippy::cast_precision_loss, reason = "a number of rows")]
fn measure(store: &Store, ontology: &Ontology, name: &str, query: &str, now: Instant) {
    let space = store.space("default", false).expect("is there");
    let query = parse(query).expect("a query");
    let request = Request::present(now);
    let mut costs = Vec::new();
    let mut n_rows = 0;
    let n_queries = smoke::sized(QUERIES, FEW_QUERIES);
    for nth in 0..n_queries {
        let who = person(nth * 7919 % smoke::sized(PEOPLE, FEW_PEOPLE));
        let parameters = Parameters::from_iter([("p".to_owned(), who.into())]);
        let start = cpu::of_thread();
        let snapshot = space.snapshot();
        let found = answer(&snapshot, ontology, &request, &query, &parameters).expect("answers");
        costs.push(cpu::of_thread() - start);
        n_rows += found.rows.len();
    }
    costs.sort_by(f64::total_cmp);
    let at = |share: usize| costs[(costs.len() - 1) * share / 100] / 1e3;
    let rows = n_rows as f64 / n_queries as f64;
    println!("{name:<44} {rows:>6.0} {:>8.2} {:>8.2} {:>8.2}", at(50), at(95), at(100));
}
