//! Finding ten turns by three words, in spaces of several sizes, now and as known when half of it was said.

use std::hint::black_box;
use std::sync::Arc;

use bygone_benches::conversation::turns;
use bygone_engine::View;
use bygone_engine::backend::Rocks;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::Instant;
use bygone_ontology::Ontology;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

/// Asked of one space after the other: rare, middling and common words together.
const QUESTIONS: [&str; 3] = ["w12 w340 w2900", "w45 w101 w7001", "w3 w800 w9500"];

fn searching(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let backend = Rocks::open(folder.path(), true, "a bench").expect("opens");
    let store = Store::open(Box::new(backend), Arc::new(Ontology::core())).expect("opens");
    let now = Instant::from_micros(1_700_000_000_000_000).expect("ordinary");
    let mut group = criterion.benchmark_group("find ten turns");
    for count in [1_000, 10_000, 100_000] {
        let space = store.space(&format!("turns-{count}"), true).expect("a space");
        let episodes = turns(count);
        let halfway = episodes[episodes.len() / 2].time;
        for some in episodes.chunks(5_000) {
            let recording = Recording { episodes: some.to_vec(), ..Recording::default() };
            space.record(recording, now).expect("records");
        }
        store.index().expect("indexes");
        for (name, view) in [("now", View::LATEST), ("as known halfway", View::known_at(halfway))] {
            let snapshot = space.snapshot();
            let seen = snapshot.seen(&view).expect("reads");
            let mut questions = QUESTIONS.iter().cycle();
            group.bench_function(BenchmarkId::new(name, count), |bencher| {
                bencher.iter(|| {
                    let question = questions.next().expect("questions go round");
                    seen.search_turns(black_box(question)).expect("searches").take(10).count()
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, searching);
criterion_main!(benches);
