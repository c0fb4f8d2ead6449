//! Loading everything, into empty storage each time.

use std::path::{Path, PathBuf};

use bygone_benches::rectangles::Rectangle;

use crate::bygone::Bygone;
use crate::measure::{Took, once};
use crate::options::{Options, Part};
use crate::sqlite::Sqlite;
use crate::yardstick::Raw;
use crate::{Corpus, fresh, rest, table, yardstick};

/// Loads of each kind: they take long, and processor time varies little.
const MOST_ROUNDS: usize = 3;

/// What the storage was that was loaded last.
pub(crate) struct Places {
    pub(crate) store: PathBuf,
    pub(crate) database: PathBuf,
    pub(crate) raw: PathBuf,
}

impl Places {
    pub(crate) fn within(folder: &Path) -> Places {
        Places { store: folder.join("bygone"), database: folder.join("sqlite.db"), raw: folder.join("raw") }
    }
}

/// Compares loads; what was loaded last stays.
pub(crate) fn compare(corpus: &Corpus, options: &Options, places: &Places) -> Raw {
    let Places { store, database, raw } = places;
    let mut rates = Rates::default();
    let mut by_known = corpus.all.clone();
    by_known.sort_by_key(|rectangle| rectangle.known_from);
    let n_rounds = if options.wants(Part::Load) { options.rounds.min(MOST_ROUNDS) } else { 1 };
    let mut last = None;
    for round in 1..=n_rounds {
        fresh(store);
        let statements = corpus.statements.clone();
        let ((), took) = once(|| Bygone::open(store).load(statements, options.batch));
        rates.bygone.push(rate(corpus.statements.len(), took));
        if round == n_rounds && options.wants(Part::Rest) {
            rest::report_loaded(corpus, store);
        }
        let loaded = |rectangles: &[Rectangle]| {
            for end in ["", "-wal", "-shm"] {
                fresh(&database.with_extension(format!("db{end}")));
            }
            let ((), took) = once(|| Sqlite::open(database).load(rectangles));
            rate(rectangles.len(), took)
        };
        rates.as_known.push(loaded(&by_known));
        rates.in_key_order.push(loaded(&corpus.all));
        let rows = yardstick::rows(store);
        let n_rows: usize = rows.values().map(Vec::len).sum();
        fresh(raw);
        let ((), took) = once(|| yardstick::write_batches(raw, &rows, options.batch));
        rates.batches.push(rate(n_rows, took));
        fresh(raw);
        let ((), took) = once(|| yardstick::ingest_sorted(raw, &rows));
        rates.sorted.push(rate(n_rows, took));
        last = Some(rows);
    }
    let rows = last.unwrap_or_default();
    if options.wants(Part::Load) {
        let n_rows: usize = rows.values().map(Vec::len).sum();
        #[expect(clippy::cast_precision_loss, reason = "a number of rows")]
        rates.print(n_rows as f64 / corpus.statements.len() as f64);
    }
    Raw { folder: raw.clone(), rows }
}

/// Things a second of processor time and of the clock, round after round.
#[derive(Default)]
struct Rates {
    bygone: Vec<[f64; 2]>,
    as_known: Vec<[f64; 2]>,
    in_key_order: Vec<[f64; 2]>,
    batches: Vec<[f64; 2]>,
    sorted: Vec<[f64; 2]>,
}

impl Rates {
    fn print(&self, rows_a_statement: f64) {
        table::section("Loading everything");
        for (of, clock) in ["CPU", "wall"].into_iter().enumerate() {
            let column = |rates: &[[f64; 2]]| -> Vec<f64> { rates.iter().map(|rate| rate[of]).collect() };
            let ours = column(&self.bygone);
            let rows: Vec<f64> = ours.iter().map(|rate| rate * rows_a_statement).collect();
            for (what, ours, theirs) in [
                ("statements : SQLite's rectangles in key order", &ours, &self.in_key_order),
                ("statements : SQLite's rectangles as known", &ours, &self.as_known),
                ("rows : RocksDB's sorted ingest", &rows, &self.sorted),
                ("rows : RocksDB's write batches", &rows, &self.batches),
            ] {
                table::row(&format!("{what}, a {clock} second"), ours, &column(theirs));
            }
        }
        table::alone("rows a statement", rows_a_statement, "");
    }
}

#[expect(clippy::cast_precision_loss, reason = "a number of things")]
fn rate(count: usize, took: Took) -> [f64; 2] {
    [count as f64 / took.cpu, count as f64 / took.wall]
}
