//! A store as it is just after loading, and as it comes to rest.

use std::path::Path;

use bygone_engine::backend::{Backend, Rocks};
use serde_json::{Value, json};

use crate::STORE;
use crate::spent::{Spent, bytes_each};

/// Opens a store that was just loaded, which reads RocksDB's log again, and compacts it.
pub(crate) fn settle(step: &str, size: u64, folder: &Path) -> Value {
    let path = folder.join(STORE);
    let as_loaded = bytes_each(&path, size);
    let mut opening = Spent::default();
    let backend = opening.on(|| Rocks::open(&path, false, "a measurement").expect("opens"));
    let mut compacting = Spent::default();
    compacting.on(|| backend.purge().expect("is compacted"));
    drop(backend);
    let what = if step.ends_with("turns") { "turn" } else { "statement" };
    json!({
        (format!("bytes_a_{what}_as_loaded")): as_loaded,
        (format!("bytes_a_{what}")): bytes_each(&path, size),
        "open_after_load": opening.millis(),
        "compact": compacting.millis(),
    })
}
