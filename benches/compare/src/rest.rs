//! What storage takes when nothing is asked of it: bytes on disk, and time and memory to open it.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use bygone_benches::cpu;
use rocksdb::{DB, Options};

use crate::bygone::Bygone;
use crate::load::Places;
use crate::question::{Held, LATEST, Point};
use crate::{Corpus, table};

/// Times a store is opened.
const OPENINGS: usize = 5;

/// Reports what a store is like of which the loading just ended, and which nobody has opened since.
pub(crate) fn report_loaded(corpus: &Corpus, store: &Path) {
    table::section("Just after loading");
    table::alone("bytes a statement", each(bytes_in(store), corpus.statements.len()), "B");
    open_alone(store);
}

#[expect(clippy::cast_precision_loss, reason = "bytes")]
fn each(bytes: u64, count: usize) -> f64 {
    bytes as f64 / count as f64
}

/// Compares what is on disk, and reports what opening takes.
pub(crate) fn compare(corpus: &Corpus, places: &Places) {
    let (store, database) = (&places.store, &places.database);
    table::section("At rest");
    let (n_statements, n_facts) = (corpus.statements.len(), corpus.all.len());
    Bygone::settle(store);
    table::alone("bytes a statement, compacted", each(bytes_in(store), n_statements), "B");
    let text: usize = corpus.statements.iter().map(|statement| statement.episode.text.len()).sum();
    table::alone("of which text, before it is compressed", each(text as u64, n_statements), "B");
    let sqlite = std::fs::metadata(database).map_or(0, |file| file.len());
    table::alone("SQLite's bytes a rectangle", each(sqlite, n_facts), "B");
    table::alone("rectangles a statement", each(n_facts as u64, n_statements), "");
    for (name, bytes) in tables(store) {
        table::alone(&format!("table {name}, bytes a statement"), each(bytes, n_statements), "B");
        table::alone(&format!("table {name}, bytes a rectangle"), each(bytes, n_facts), "B");
    }
    for _ in 0..OPENINGS {
        open_alone(store);
    }
}

/// Opens the store in a process of its own, which reports what that takes.
fn open_alone(store: &Path) {
    let program = std::env::current_exe().expect("this program has a path");
    let status = Command::new(program).arg("--rest-of").arg(store).status();
    assert!(status.is_ok_and(|status| status.success()), "opening failed");
}

/// Opens a store, asks one thing, and prints what that took.
pub(crate) fn report(store: &Path) {
    let (start, before) = (Instant::now(), cpu::of_process());
    let opened = Bygone::open(store);
    let mut held: Vec<Held> = Vec::new();
    opened.point(&Point { subject: 0, predicate: 0, valid: 1_700_000_000_000_000, known: LATEST }, &mut held);
    let wall = start.elapsed().as_secs_f64() * 1e3;
    let cpu = (cpu::of_process() - before) / 1e3;
    println!(
        "{:<58} {wall:>10.1} ms wall, {cpu:.1} ms CPU, {:.1} MB resident",
        "opening, and a first question",
        resident()
    );
}

/// Returns the resident memory of this process, in megabytes.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1e3
}

fn tables(store: &Path) -> Vec<(String, u64)> {
    let data = store.join("data");
    let options = Options::default();
    let names = DB::list_cf(&options, &data).expect("the tables are listed");
    let database = DB::open_cf_for_read_only(&options, &data, &names, false).expect("the tables open");
    let mut tables: Vec<(String, u64)> = names
        .into_iter()
        .map(|name| {
            let family = database.cf_handle(&name).expect("the table is there");
            let bytes = database.property_int_value_cf(family, "rocksdb.total-sst-files-size");
            (name, bytes.ok().flatten().unwrap_or_default())
        })
        .filter(|(_, bytes)| *bytes > 10_000)
        .collect();
    tables.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    tables
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("the folder is read");
    entries
        .map(|entry| {
            let path = entry.expect("the folder is read").path();
            if path.is_dir() {
                bytes_in(&path)
            } else {
                std::fs::metadata(&path).map_or(0, |file| file.len())
            }
        })
        .sum()
}
