//! What holds of a group at an instant, as known then: by where the two times lie, and by how long the group is.
//!
//! Corpus: seeded groups of 100, 1,000 and 10,000 statements, of which some come late, correct others and take them back,
//! in one store on disk. A round asks sixteen questions at instants of chance. Each makes an image and a view of its own,
//! as callers do. Everything is in memory after the first round, and nothing else is in the store.

use bygone_benches::bitemporal::{Event, Shape, group_events, predicate_name, subject_name};
use bygone_benches::loaded::{opened, record_events, space};
use bygone_benches::random::Random;
use bygone_engine::backend::Rocks;
use bygone_engine::store::Store;
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, View};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Statements of the groups, by subject.
const LENGTHS: [usize; 3] = [100, 1_000, 10_000];
/// Questions of a round.
const QUESTIONS: usize = 16;

/// A valid and a known instant; without a known one, all that is known.
type Times = (Instant, Option<Instant>);

fn reading(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(Rocks::open(folder.path(), true, "a bench").expect("opens"));
    let mut of_shape: Vec<(&str, Vec<Times>)> = Vec::new();
    for (subject, statements) in (0..).zip(LENGTHS) {
        let events = group_events(Shape { statements, entities: 1_000, seed: 1 }, subject);
        record_events(&store, &events, 10_000);
        of_shape = shapes(&events);
    }
    let mut group = criterion.benchmark_group("what holds at an instant");
    group.throughput(Throughput::Elements(QUESTIONS as u64));
    group.sample_size(20);
    for (shape, times) in &of_shape {
        for (subject, length) in (0..).zip(LENGTHS) {
            let name = EntityRef::parse(&subject_name(subject)).expect("an entity");
            group.bench_with_input(BenchmarkId::new(*shape, length), times, |bencher, times| {
                bencher.iter(|| times.iter().filter(|times| holds(&store, &name, **times)).count());
            });
        }
    }
    group.finish();
}

fn shapes(events: &[Event]) -> Vec<(&'static str, Vec<Times>)> {
    let instant = |micros: i64| Instant::from_micros(micros).expect("ordinary");
    let [start, now] = [events[0].known, events[events.len() - 1].known];
    let mut random = Random::new(1);
    let mut past = || start + i64::try_from(random.below((now - start).unsigned_abs())).expect("years");
    let mut some = |times: &mut dyn FnMut(i64, i64) -> Times| -> Vec<Times> {
        (0..QUESTIONS).map(|_| times(past(), past())).collect()
    };
    vec![
        ("now, known now", some(&mut |_, _| (instant(now), None))),
        ("then, known now", some(&mut |valid, _| (instant(valid), None))),
        ("now, as known then", some(&mut |_, known| (instant(now), Some(instant(known))))),
        ("then, as known then", some(&mut |valid, known| (instant(valid), Some(instant(known))))),
        ("to come, known now", some(&mut |valid, _| (instant(now + (now - valid) / 6), None))),
    ]
}

fn holds(store: &Store, subject: &EntityRef, (valid, known): Times) -> bool {
    let space = space(store);
    let snapshot = space.snapshot();
    let view = known.map_or(View::LATEST, View::known_at);
    let seen = snapshot.seen(&view).expect("reads");
    let group = seen.group(subject, &predicate_name(0), "").expect("reads").expect("is there");
    let fact = seen.last_fact_by(&group, valid).expect("reads");
    fact.is_some_and(|fact| fact.validity.period().is_some_and(|period| period.contains(valid)))
}

criterion_group!(benches, reading);
criterion_main!(benches);
