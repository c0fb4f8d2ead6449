//! The same facts and the same questions, on Bygone, on SQLite and on RocksDB itself, in one run: one table of ratios.
//!
//! Corpus: seeded statements (`bygone_benches::bitemporal`) and groups of 100, 1,000 and 10,000 of them. Bygone gets the
//! statements, each in a turn of its own, and derives what they amount to; SQLite gets the rectangles of valid and known
//! time that result (`bygone_benches::rectangles`), with numbers for names; RocksDB gets the very rows that Bygone wrote.
//! Every answer is compared.
//!
//! Caveats: SQLite is spared the derivation, the evidence, the names and the indexes of everything but facts. Both run in
//! one process, one after the other, everything in memory; other work on the machine moves times, and less so the ratios of
//! what ran side by side. Bygone makes an image and a view for each question, as its callers do.

#![expect(clippy::disallowed_methods, reason = "a command, which measures times and makes files of its own")]

mod bygone;
mod load;
mod measure;
mod options;
mod question;
mod reads;
mod rest;
mod sqlite;
mod table;
mod writes;
mod yardstick;

use std::path::Path;

use bygone_benches::bitemporal::{DAY, Event, Shape, events, group_events, statement};
use bygone_benches::rectangles::{Rectangle, rectangles};
use bygone_engine::wire::Statement;

use bygone::Bygone;
use load::Places;
use options::{Options, Part};

/// Statements of the groups whose length is what is asked about.
const LONG_GROUPS: [usize; 3] = [100, 1_000, 10_000];

/// What every store is given, and asked about.
struct Corpus {
    statements: Vec<Statement>,
    /// Of the many groups of usual lengths.
    usual: Vec<Rectangle>,
    /// Of each of [`LONG_GROUPS`].
    long: Vec<Vec<Rectangle>>,
    /// All of them, in the order of SQLite's key.
    all: Vec<Rectangle>,
    /// The present.
    now: i64,
}

impl Corpus {
    fn new(options: &Options) -> Corpus {
        let entities = u32::try_from(options.statements / 10).expect("a number of entities").max(10);
        let shape = Shape { statements: options.statements, entities, seed: options.seed };
        let mut said: Vec<Event> = events(shape);
        let usual = rectangles(&said);
        let mut long = Vec::new();
        for (subject, statements) in (entities..).zip(LONG_GROUPS) {
            let of_group = group_events(Shape { statements, ..shape }, subject);
            long.push(rectangles(&of_group));
            said.extend(of_group);
        }
        said.sort_by_key(|event| event.known);
        let mut all: Vec<Rectangle> = usual.iter().chain(long.iter().flatten()).copied().collect();
        all.sort_unstable_by_key(|r| (r.subject, r.predicate, -r.valid_from, -r.known_from));
        let now = said.last().map_or(0, |last| last.known) + DAY;
        let statements = said.iter().enumerate().map(|(nth, event)| statement(event, nth)).collect();
        Corpus { statements, usual, long, all, now }
    }
}

fn main() {
    let options = match Options::read() {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}");
            std::process::exit(2);
        }
    };
    if let Some(store) = &options.rest_of {
        rest::report(store);
        return;
    }
    let (corpus, took) = measure::once(|| Corpus::new(&options));
    println!(
        "{} statements, {} rectangles, {:.0} s to make; seed {}, {} rounds, {} questions of each kind",
        corpus.statements.len(),
        corpus.all.len(),
        took.cpu,
        options.seed,
        options.rounds,
        options.questions
    );
    let folder = tempfile::tempdir().expect("a folder");
    let places = Places::within(folder.path());
    if options.wants_loaded() {
        let raw = load::compare(&corpus, &options, &places);
        if options.wants(Part::Rest) {
            rest::compare(&corpus, &places);
        } else {
            Bygone::settle(&places.store);
        }
        if options.wants(Part::Points) {
            reads::compare_points(&corpus, &options, &places.store, &places.database);
            reads::compare_seek(&corpus, &options, &places.store, &raw);
        }
        if options.wants(Part::Subjects) {
            reads::compare_subjects(&corpus, &options, &places.store, &places.database);
        }
    }
    if options.wants(Part::Writes) {
        writes::compare(&options, folder.path());
    }
}

fn fresh(folder: &Path) {
    if folder.is_dir() {
        std::fs::remove_dir_all(folder).expect("the folder is removed");
    } else if folder.exists() {
        std::fs::remove_file(folder).expect("the file is removed");
    }
}
