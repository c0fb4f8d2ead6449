//! What the packet costs: how many rows are read does not grow with the turns of the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use std::ops::Bound;
use std::path::Path;

use bygone_engine::backend::{Backend, Batch, ByteSearch, Memory, Pairs, Reader, Table};
use bygone_engine::store::Store;
use bygone_engine::{StoreError, View};
use bygone_ontology::Ontology;
use bygone_query::resume::{Asked, packet};
use bygone_query::state::liveness::Heard;
use serde_json::json;

use super::super::desk::at;
use super::transcript::Transcript;

/// Storage in memory that counts the rows that are read.
struct Counting {
    memory: Memory,
    n_rows: Arc<AtomicUsize>,
}

struct Image<'a> {
    reader: Box<dyn Reader + 'a>,
    n_rows: &'a AtomicUsize,
}

impl Backend for Counting {
    fn snapshot(&self) -> Box<dyn Reader + '_> {
        Box::new(Image { reader: self.memory.snapshot(), n_rows: &self.n_rows })
    }

    fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        self.memory.commit(batch)
    }

    fn purge(&self) -> Result<(), StoreError> {
        self.memory.purge()
    }

    fn search(&self, needles: &[Vec<u8>]) -> Result<ByteSearch, StoreError> {
        self.memory.search(needles)
    }

    fn folder(&self) -> Option<&Path> {
        self.memory.folder()
    }

    fn link_to(&self, folder: &Path) -> Result<(), StoreError> {
        self.memory.link_to(folder)
    }

    fn size(&self) -> Result<u64, StoreError> {
        self.memory.size()
    }
}

impl Reader for Image<'_> {
    fn read(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.n_rows.fetch_add(1, Ordering::Relaxed);
        self.reader.read(table, key)
    }

    fn scan(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_> {
        self.counted(self.reader.scan(table, from, to))
    }

    fn scan_back(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_> {
        self.counted(self.reader.scan_back(table, from, to))
    }
}

impl Image<'_> {
    fn counted<'p>(&'p self, pairs: Pairs<'p>) -> Pairs<'p> {
        self.n_rows.fetch_add(1, Ordering::Relaxed);
        Box::new(pairs.inspect(|_| {
            self.n_rows.fetch_add(1, Ordering::Relaxed);
        }))
    }
}

/// Returns how many rows the packet reads in a store of so many rounds: a request, a call, its result.
fn n_rows_read(n_rounds: u32) -> usize {
    let n_rows = Arc::new(AtomicUsize::new(0));
    let counting = Counting { memory: Memory::new(), n_rows: n_rows.clone() };
    let store = Store::open(Box::new(counting), Arc::new(Ontology::core())).expect("a store");
    let space = store.space("default", true).expect("a space");
    for session in 0..n_rounds.div_ceil(100) {
        let mut told = Transcript::new(&format!("s{session}"), "claude");
        for round in session * 100..(session * 100 + 100).min(n_rounds) {
            let (day, minute) = (round / 1_000, round % 1_000);
            let time = |second: u32| {
                let (hour, minute) = (minute / 60, minute % 60);
                format!("2026-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", 1 + day / 28, 1 + day % 28)
            };
            told.user(&time(0), &format!("Do the thing number {round}"));
            told.did(
                [&time(1), &time(2)],
                "Write",
                &json!({ "file_path": format!("/p/{round}") }),
                &[
                    ("agent:claude", "wrote", "", json!({ "entity": format!("file:/p/{round}") })),
                    (&format!("file:/p/{round}"), "file_state", "", json!({ "text": "exists" })),
                    (
                        "agent:claude",
                        "ran",
                        "",
                        json!({ "json": { "command": format!("make {round}"), "exit": 2, "outcome": "failed" } }),
                    ),
                ],
            );
        }
        space.record(told.into_recording(), at("2026-12-01")).expect("recorded");
    }
    let snapshot = space.snapshot();
    n_rows.store(0, Ordering::Relaxed);
    let seen = snapshot.seen(&View::LATEST).expect("a view");
    let heard = Heard::new();
    let asked = Asked { agent: None, at: at("2026-12-01"), heard: &heard };
    let packet = packet(&seen, &Ontology::core(), &asked).expect("read").expect("a packet");
    assert_eq!(packet.objective[0].text, format!("Do the thing number {}", n_rounds - 1));
    n_rows.load(Ordering::Relaxed)
}

#[test]
fn the_rows_read_do_not_grow_with_the_store() {
    let (few, many) = (n_rows_read(1_500), n_rows_read(4_500));
    assert!(many < few + few / 10, "{few} rows of 4,500 turns, {many} of 13,500");
    assert!(many < 5_000, "{many}");
}
