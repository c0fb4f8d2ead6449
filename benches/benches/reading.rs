//! The stages of an ingest, over a chat of seeded lines: lines to turns, what the turns say, all of it with who is meant
//! decided and recorded in memory, and the indexes that follow.
//!
//! One worker throughout. Memory stands for the disk, so that neither RocksDB nor the disk enters; what it leaves out are
//! the bytes written.

use std::sync::Arc;

use bygone_benches::plan::plan;
use bygone_benches::talk;
use bygone_engine::backend::Memory;
use bygone_engine::store::Store;
use bygone_engine::time::Instant;
use bygone_ingest::extract::{clause, shown, tool};
use bygone_ingest::ground::ground_candidate;
use bygone_ingest::read::{Bytes, Read, Record, Source, Turn, by_name};
use bygone_ingest::{Document, ingest};
use bygone_ontology::Ontology;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// Turns of one round.
const TURNS: u64 = 4_000;

fn turns(bytes: &Bytes, now: Instant) -> Vec<Turn> {
    let mut turns = Vec::new();
    let reader = by_name("plain").expect("a format");
    reader
        .read(&Source::new("talk.txt", bytes, now, now), &mut |read| {
            if let Read::Record(Record::Turn(turn)) = read {
                turns.push(*turn);
            }
        })
        .expect("held bytes are read");
    turns
}

/// Extracts and grounds what turns say; returns how many statements that makes.
fn extract(turns: &[Turn], ontology: &Ontology) -> usize {
    let (mut memory, mut calls) = (clause::Memory::new(), tool::Calls::new());
    let mut n_statements = 0;
    for turn in turns {
        let mut candidates = tool::extract(turn, &mut calls);
        candidates.extend(clause::extract(turn, &mut memory));
        candidates.extend(shown::extract(turn));
        for candidate in candidates {
            let kind = ontology.get_or_open(candidate.predicate).kind;
            let grounded = ground_candidate(&candidate, kind, &turn.episode.text, turn.episode.time);
            n_statements += grounded.map_or(0, |grounded| grounded.len());
        }
    }
    n_statements
}

fn reading(criterion: &mut Criterion) {
    let now = Instant::from_micros(1_700_000_000_000_000).expect("ordinary");
    let bytes = Bytes::Held(talk::log(TURNS).into_bytes());
    let ontology = Ontology::core();
    let read = turns(&bytes, now);
    let mut group = criterion.benchmark_group("turns of a chat");
    group.throughput(Throughput::Elements(TURNS));
    group.sample_size(20);
    group.bench_function("lines to turns", |bencher| bencher.iter(|| turns(&bytes, now).len()));
    group.bench_function("extraction", |bencher| bencher.iter(|| extract(&read, &ontology)));
    let documents = [Document { name: "talk.txt".to_owned(), bytes, modified: now }];
    let plan = plan(&documents, &ontology, now);
    group.bench_function("ingest into memory", |bencher| {
        bencher.iter(|| {
            let store =
                Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("an empty store");
            ingest(&store, &plan, &mut |_| {}).expect("memory does not fail").receipt.assertions
        });
    });
    let ingested = || {
        let store = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("an empty store");
        ingest(&store, &plan, &mut |_| {}).expect("memory does not fail");
        store
    };
    group.sample_size(10);
    group.bench_function("indexes of words and vectors", |bencher| {
        bencher.iter_batched(ingested, |store| store.index().expect("is indexed"), BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
