//! Making vectors of turns with the table that is built in, on one thread, and reading them as word pieces alone.

use std::hint::black_box;

use bygone_benches::talk::log;
use bygone_engine::embed::{Embedder, StaticEmbedder, wordpiece};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Turns in one round.
const TURNS: u64 = 1_000;
/// Turns handed in at once: few enough to stay on one thread.
const AT_ONCE: usize = 32;

fn embedding(criterion: &mut Criterion) {
    let log = log(TURNS);
    // A line is a date, a time, a speaker, and what is embedded.
    let turns: Vec<&str> = log.lines().filter_map(|line| line.splitn(4, ' ').nth(3)).collect();
    let embedder = StaticEmbedder::built_in().expect("the table is sound");
    let mut group = criterion.benchmark_group("embed a thousand turns");
    group.throughput(Throughput::Elements(TURNS));
    group.bench_function("word pieces", |bencher| {
        bencher.iter(|| turns.iter().map(|turn| wordpiece::pieces(black_box(turn)).len()).sum::<usize>());
    });
    group.bench_function("vectors", |bencher| {
        bencher.iter(|| {
            for some in turns.chunks(AT_ONCE) {
                black_box(embedder.documents(black_box(some)).expect("embeds"));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, embedding);
criterion_main!(benches);
