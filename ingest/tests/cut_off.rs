//! An ingest that is cut off after any of its commits, and run again, comes to what a clean run comes to; and how many
//! workers read makes no difference to a byte of the store.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bygone_engine::StoreError;
use bygone_engine::backend::{Backend, Batch, ByteSearch, Memory, Pair, Reader, Table};
use bygone_engine::store::Store;
use bygone_engine::time::parse_moment;
use bygone_ingest::read::Bytes;
use bygone_ingest::{Document, Outcome, Plan, ingest};
use bygone_ontology::Ontology;

/// Storage that takes so many commits and no more.
struct Failing {
    inner: Memory,
    n_left: AtomicUsize,
}

impl Backend for Failing {
    fn snapshot(&self) -> Box<dyn Reader + '_> {
        self.inner.snapshot()
    }

    fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        let one_less = |left: usize| left.checked_sub(1);
        match self.n_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less) {
            Ok(_) => self.inner.commit(batch),
            Err(_) => Err(StoreError::Storage("cut off".to_owned())),
        }
    }

    fn purge(&self) -> Result<(), StoreError> {
        self.inner.purge()
    }

    fn search(&self, needles: &[Vec<u8>]) -> Result<ByteSearch, StoreError> {
        self.inner.search(needles)
    }

    fn folder(&self) -> Option<&Path> {
        self.inner.folder()
    }

    fn link_to(&self, folder: &Path) -> Result<(), StoreError> {
        self.inner.link_to(folder)
    }

    fn size(&self) -> Result<u64, StoreError> {
        self.inner.size()
    }
}

fn document(name: &str, text: String) -> Document {
    let modified = parse_moment("2026-01-01T00:00:00Z").expect("a time").at;
    Document { name: name.to_owned(), bytes: Bytes::Held(text.into_bytes()), modified }
}

/// A log of so many turns, some of which say something and some of which cannot be read.
fn log(name: &str, n_turns: usize) -> Document {
    let turn = |number: usize| {
        let (hour, minute, second) = (number / 3600, number / 60 % 60, number % 60);
        let words = match number % 5 {
            0 => format!("I moved to Lisbon. Note {number}."),
            1 => "I work at Acme.".to_owned(),
            2 => "I no longer work at Acme.".to_owned(),
            3 => "That was wrong, it isn't Lisbon.".to_owned(),
            _ => format!("Note {number}."),
        };
        let broken = if number % 100 == 7 { "2024-02-30 Anna: no such day\n" } else { "" };
        format!("{broken}2024-03-01 {hour:02}:{minute:02}:{second:02} {name}: {words}\n")
    };
    document(&format!("{name}.txt"), (0..n_turns).map(turn).collect())
}

fn documents() -> Vec<Document> {
    // Fewer turns than a commit holds, as many, more, and many small ones that share commits.
    let small = (0..12).map(|number| log(&format!("Small{number}"), 17));
    let large = [("Anna", 700), ("Ben", 512), ("Clara", 1100)];
    large.into_iter().map(|(name, n_turns)| log(name, n_turns)).chain(small).collect()
}

fn open(memory: &Memory, n_commits: usize) -> Result<Store, StoreError> {
    let backend = Failing { inner: memory.clone(), n_left: AtomicUsize::new(n_commits) };
    Store::open(Box::new(backend), Arc::new(Ontology::core()))
}

fn run(store: &Store, documents: &[Document], jobs: usize) -> Result<Outcome, StoreError> {
    let plan = Plan {
        documents,
        format: None,
        space: "default",
        prefix: None,
        ontology: &Ontology::core(),
        jobs: NonZeroUsize::new(jobs).expect("at least one"),
        keeps_secrets: false,
        now: parse_moment("2026-01-01T00:00:00Z").expect("a time").at,
    };
    ingest(store, &plan, &mut |_| {})
}

/// Every row of every table.
fn rows(memory: &Memory) -> Vec<(Table, Pair)> {
    let image = memory.snapshot();
    let rows = |table: &Table| {
        let pairs = image.scan_prefix(*table, b"");
        pairs.map(|pair| (*table, pair.expect("memory does not fail"))).collect::<Vec<_>>()
    };
    Table::ALL.iter().flat_map(rows).collect()
}

#[track_caller]
fn balance(outcome: &Outcome) {
    let receipt = &outcome.receipt;
    assert_eq!(
        receipt.read,
        receipt.episodes + receipt.duplicates + receipt.skipped + receipt.quarantined,
        "{receipt:?}"
    );
}

#[test]
fn the_number_of_workers_changes_no_byte() {
    let documents = documents();
    let of = |jobs: usize| {
        let memory = Memory::new();
        let outcome = run(&open(&memory, usize::MAX).expect("a store"), &documents, jobs).expect("it runs");
        balance(&outcome);
        (outcome, rows(&memory))
    };
    let (outcome, rows) = of(1);
    assert_eq!(outcome.receipt.files, documents.len() as u64);
    assert!(outcome.receipt.assertions > 1000 && outcome.receipt.quarantined > 20, "{:?}", outcome.receipt);
    for jobs in [2, 5] {
        assert!(of(jobs) == (outcome.clone(), rows.clone()), "{jobs} workers");
    }
}

#[test]
fn an_ingest_cut_off_after_any_commit_is_continued_by_running_it_again() {
    let documents = documents();
    let memory = Memory::new();
    let clean = run(&open(&memory, usize::MAX).expect("a store"), &documents, 2).expect("it runs");
    let expected = rows(&memory);
    let mut n_commits = 1;
    loop {
        let memory = Memory::new();
        let first = open(&memory, n_commits).and_then(|store| run(&store, &documents, 2));
        if let Ok(first) = first {
            assert!(first == clean, "{n_commits} commits");
            break;
        }
        assert!(rows(&memory) != expected, "{n_commits} commits");
        let again = run(&open(&memory, usize::MAX).expect("a store"), &documents, 2).expect("it runs");
        balance(&again);
        assert!(rows(&memory) == expected, "{n_commits} commits");
        let third = run(&open(&memory, usize::MAX).expect("a store"), &documents, 2).expect("it runs");
        assert_eq!((third.receipt.episodes, third.receipt.assertions), (0, 0));
        n_commits += 1;
    }
    assert!(n_commits > 6, "{n_commits} commits");
}
