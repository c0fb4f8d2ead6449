//! Statements and facts to bytes and back, and the keys of groups.
//!
//! Corpus: 1,000 seeded statements of one group, 64 a chunk as they are stored, and the facts that they amount to; a figure is for all of them. A fact of a
//! group with overlapping statements has many supports, so it is larger than most.

use std::hint::black_box;

use bygone_benches::bitemporal::{Shape, group_events, ontology, predicate_name, statement, subject_name};
use bygone_engine::measured::{decoded_chunk, decoded_fact, encoded_chunk, encoded_fact, group_key};
use bygone_engine::record::Recorded;
use bygone_engine::{Assertion, EntityRef};
use bygone_ontology::derive;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Statements of one round.
const STATEMENTS: usize = 1_000;
/// Statements that are stored together.
const CHUNK: usize = 64;

fn records(criterion: &mut Criterion) {
    let shape = Shape { statements: STATEMENTS, entities: 100, seed: 1 };
    let statements: Vec<Recorded> = group_events(shape, 1)
        .iter()
        .enumerate()
        .map(|(nth, event)| statement(event, nth).assertion)
        .map(|assertion| Recorded { at: assertion.known_at, seq: 1, assertion })
        .collect();
    let assertions: Vec<&Assertion> = statements.iter().map(|recorded| &recorded.assertion).collect();
    let facts = derive(&ontology().get_or_open(&predicate_name(0)), &assertions);
    let mut group = criterion.benchmark_group("records");
    group.throughput(Throughput::Elements(STATEMENTS as u64));
    group.bench_function("statements to bytes", |bencher| {
        bencher.iter(|| {
            statements.chunks(CHUNK).map(|some| encoded_chunk(black_box(some)).len()).sum::<usize>()
        });
    });
    let bytes: Vec<Vec<u8>> = statements.chunks(CHUNK).map(encoded_chunk).collect();
    group.bench_function("statements from bytes", |bencher| {
        bencher.iter(|| bytes.iter().filter(|some| decoded_chunk(black_box(some)).is_ok()).count());
    });
    group.throughput(Throughput::Elements(facts.len() as u64));
    group.bench_function("facts to bytes", |bencher| {
        bencher.iter(|| facts.iter().map(|one| encoded_fact(black_box(one)).len()).sum::<usize>());
    });
    let bytes: Vec<Vec<u8>> = facts.iter().map(encoded_fact).collect();
    group.bench_function("facts from bytes", |bencher| {
        bencher.iter(|| bytes.iter().filter(|one| decoded_fact(black_box(one)).is_ok()).count());
    });
    group.finish();
}

fn keys(criterion: &mut Criterion) {
    let subjects: Vec<EntityRef> =
        (0..1_000).map(|at| EntityRef::parse(&subject_name(at)).expect("an entity")).collect();
    let mut group = criterion.benchmark_group("keys");
    group.throughput(Throughput::Elements(subjects.len() as u64));
    group.bench_function("of groups", |bencher| {
        bencher.iter(|| {
            let keys = subjects.iter().map(|subject| group_key(black_box(subject), "works_at", ""));
            keys.map(|key| key.len()).sum::<usize>()
        });
    });
    group.bench_function("ids of statements", |bencher| {
        let shape = Shape { statements: 1_000, entities: 100, seed: 1 };
        let said: Vec<Assertion> = group_events(shape, 1)
            .iter()
            .enumerate()
            .map(|(nth, event)| statement(event, nth).assertion)
            .collect();
        bencher.iter(|| said.iter().map(|assertion| black_box(assertion).content_id()).max());
    });
    group.finish();
}

criterion_group!(benches, records, keys);
criterion_main!(benches);
