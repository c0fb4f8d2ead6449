//! Finding the times in chat turns, as they come and with the byte prefilter told to let every one pass.

use std::hint::black_box;

use bygone_benches::chat::turns;
use bygone_engine::time::Instant;
use bygone_ontology::timex::{Context, Tense, find};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Turns of one round.
const TURNS: u64 = 2_000;

fn finding(criterion: &mut Criterion) {
    let now = Instant::from_micros(1_700_000_000_000_000).expect("ordinary");
    let context = Context { now, tense: Tense::None, fiscal_start: 1 };
    let plain = turns(TURNS);
    // A digit is no time but may be one, so that the grammar reads the whole turn.
    let unfiltered: Vec<String> = plain.iter().map(|turn| format!("{turn} 7")).collect();
    let mut group = criterion.benchmark_group("times of chat turns");
    group.throughput(Throughput::Elements(TURNS));
    for (name, turns) in [("as they come", &plain), ("past the prefilter", &unfiltered)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| turns.iter().map(|turn| find(black_box(turn), &context).len()).sum::<usize>());
        });
    }
    group.finish();
}

criterion_group!(benches, finding);
criterion_main!(benches);
