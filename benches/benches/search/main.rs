//! Finding ten turns by words, in one space and up to a known time: ours beside SQLite's FTS5 and plain tantivy.
//!
//! A table of processor time follows criterion's wall time: other work on the machine moves the one less than the
//! other. Each of the three reads the same turns; ours and FTS5 hand over the texts, tantivy only the addresses of its
//! documents.

#![expect(clippy::print_stdout, reason = "a table is what the bench is for")]

mod bygone;
mod fts5;
mod plain_tantivy;

use std::hint::black_box;

use bygone_benches::conversation::turns;
use bygone_benches::{cpu, smoke};
use bygone_engine::Episode;
use bygone_engine::time::Instant;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

/// Turns there are.
const TURNS: u64 = 100_000;
/// Turns there are where the bench only shows that it runs.
const FEW_TURNS: u64 = 20_000;
/// How many are wanted.
const WANTED: usize = 10;
/// Asked one after the other: rare, middling and common words together.
const QUESTIONS: [(&str, [&str; 3]); 2] = [
    ("3 words", ["w12 w340 w2900", "w45 w101 w7001", "w3 w800 w9500"]),
    (
        "8 words",
        [
            "w3 w12 w45 w101 w340 w800 w2900 w9500",
            "w7 w20 w64 w150 w410 w1200 w3300 w8000",
            "w2 w31 w77 w205 w555 w1600 w4100 w7001",
        ],
    ),
];
/// Processor time after which a mean is taken, in microseconds.
const LONG_ENOUGH: f64 = 500_000.0;

/// A turn, and the space that it is in.
pub(crate) struct Told {
    pub(crate) space: usize,
    pub(crate) episode: Episode,
}

/// What is asked.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    pub(crate) words: &'static str,
    pub(crate) space: usize,
    /// Nothing that was said later is found.
    pub(crate) known: Instant,
}

/// Something that finds turns.
pub(crate) trait Finder {
    /// Returns how many turns were found.
    fn find(&self, question: Question) -> usize;
}

fn n_turns() -> u64 {
    smoke::sized(TURNS, FEW_TURNS)
}

/// Makes a finder, and prints how many turns it took in each second of processor time, its threads' included.
fn made<F: Finder + 'static>(name: &str, make: impl FnOnce(&dyn Fn()) -> F) -> Box<dyn Finder> {
    let start = std::cell::Cell::new(0.0);
    let finder = make(&|| start.set(cpu::of_process()));
    let spent = cpu::of_process() - start.get();
    #[expect(clippy::cast_precision_loss, reason = "a hundred thousand")]
    let n_turns = n_turns() as f64;
    println!("{name:<16} {:>8.0} turns indexed per CPU-second", n_turns / spent * 1e6);
    Box::new(finder)
}

/// Returns the processor time of one search, in microseconds, as a mean over the questions.
fn cost(finder: &dyn Finder, questions: &[Question]) -> f64 {
    let round = || questions.iter().map(|question| black_box(finder.find(*question))).sum::<usize>();
    assert_eq!(round(), WANTED * questions.len(), "every question has answers enough");
    let start = cpu::of_thread();
    let mut n_searches = 0.0;
    loop {
        round();
        n_searches += f64::from(u32::try_from(questions.len()).expect("few"));
        let spent = cpu::of_thread() - start;
        if spent >= LONG_ENOUGH || smoke::is_on() {
            return spent / n_searches;
        }
    }
}

fn searching(criterion: &mut Criterion) {
    let episodes = turns(n_turns());
    let halfway = episodes[episodes.len() / 2].time;
    let last = episodes.last().map_or(halfway, |episode| episode.time);
    let mut rows = Vec::new();
    for n_spaces in [1, 10] {
        let spread = (0..).zip(&episodes).map(|(position, episode): (usize, _)| Told {
            space: position % n_spaces,
            episode: episode.clone(),
        });
        let told: Vec<Told> = spread.collect();
        println!("{} turns in {n_spaces} space(s):", n_turns());
        let finders = [
            ("bygone", made("bygone", |start| bygone::Bygone::new(&told, start))),
            ("fts5", made("fts5", |start| fts5::Fts5::new(&told, start))),
            ("plain tantivy", made("plain tantivy", |start| plain_tantivy::Plain::new(&told, start))),
        ];
        for (n_words, texts) in QUESTIONS {
            for (when, known) in [("now", last), ("as known halfway", halfway)] {
                let row = format!("{n_spaces} space(s), {n_words}, {when}");
                let questions = texts.map(|words| Question { words, space: 0, known });
                let costs = finders.each_ref().map(|(_, finder)| cost(&**finder, &questions));
                rows.push((row.clone(), costs));
                let mut group = criterion.benchmark_group(&row);
                for (name, finder) in &finders {
                    let mut questions = questions.iter().cycle();
                    group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
                        bencher.iter(|| finder.find(*questions.next().expect("questions go round")));
                    });
                }
                group.finish();
            }
        }
    }
    println!("\n{:<38} {:>8} {:>8} {:>8}   CPU µs a search", "", "bygone", "fts5", "tantivy");
    for (row, [ours, fts5, tantivy]) in rows {
        println!(
            "{row:<38} {ours:>8.0} {fts5:>8.0} {tantivy:>8.0}   fts5 is {:.0}, tantivy {:.1} times ours",
            fts5 / ours,
            tantivy / ours
        );
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = searching
}
criterion_main!(benches);
