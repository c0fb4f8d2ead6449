//! Deriving a group, and reading facts now and as known then.
//!
//! Corpora: statements of a home that changes every few days and is denied now and then, in order; and the seeded mix of
//! late statements, corrections and denials, of which many overlap. What is derived again after a late statement costs as
//! much as the whole.

use std::hint::black_box;
use std::sync::Arc;

use bygone_benches::bitemporal::{Shape, group_events, ontology, predicate_name, statement};
use bygone_benches::workload::homes;
use bygone_engine::backend::Rocks;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::Instant;
use bygone_engine::{Assertion, EntityRef, View};
use bygone_ontology::{Ontology, derive};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn deriving(criterion: &mut Criterion) {
    let core = Ontology::core();
    let definition = core.get_or_open("lives_in");
    let mut group = criterion.benchmark_group("derive one group");
    for count in [10, 100, 1_000] {
        let statements = homes(count, 1);
        let assertions: Vec<&Assertion> = statements.iter().map(|statement| &statement.assertion).collect();
        group.throughput(Throughput::Elements(count));
        group.bench_with_input(BenchmarkId::from_parameter(count), &assertions, |bencher, assertions| {
            bencher.iter(|| derive(&definition, black_box(assertions)));
        });
    }
    group.finish();
    let mixed = ontology();
    let definition = mixed.get_or_open(&predicate_name(0));
    let mut group = criterion.benchmark_group("derive one group of late, corrected and denied statements");
    for count in [100, 1_000, 10_000] {
        let events = group_events(Shape { statements: count, entities: 1_000, seed: 1 }, 1);
        let said: Vec<Assertion> =
            events.iter().enumerate().map(|(nth, event)| statement(event, nth).assertion).collect();
        let assertions: Vec<&Assertion> = said.iter().collect();
        group.sample_size(if count < 10_000 { 100 } else { 10 });
        group.throughput(Throughput::Elements(count as u64));
        group.bench_with_input(BenchmarkId::from_parameter(count), &assertions, |bencher, assertions| {
            bencher.iter(|| derive(&definition, black_box(assertions)));
        });
    }
    group.finish();
}

fn reading(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let backend = Rocks::open(folder.path(), true, "a bench").expect("opens");
    let store = Store::open(Box::new(backend), Arc::new(Ontology::core())).expect("opens");
    let space = store.space("default", true).expect("a space");
    let statements = homes(10_000, 100);
    let recording = Recording {
        episodes: statements.iter().map(|statement| statement.episode.clone()).collect(),
        assertions: statements.iter().map(|statement| statement.assertion.clone()).collect(),
        ..Recording::default()
    };
    let now = Instant::from_micros(1_700_000_000_000_000).expect("ordinary");
    space.record(recording, now).expect("records");
    let subject = EntityRef::parse("person:P7").expect("an entity");
    let halfway = View::known_at(statements[5_000].assertion.known_at);
    let mut group = criterion.benchmark_group("facts of one subject, 100 statements");
    for (name, view) in [("now", View::LATEST), ("as known then", halfway)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let snapshot = space.snapshot();
                let seen = snapshot.seen(&view).expect("reads");
                let groups = seen.groups_of(&subject).expect("reads");
                groups.iter().map(|group| seen.facts(group).expect("reads").len()).sum::<usize>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, deriving, reading);
criterion_main!(benches);
