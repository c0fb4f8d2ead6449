//! The documents of one space and kind, session after session, in the order in which they were said.
//!
//! Ranking looks at the neighbours of a turn, at its session and at who speaks. The catalogue holds just that for every
//! document, built from the columns of the index and kept in memory until the index changes. It does not know what a
//! view sees: `corpus.rs` takes that out of it.
//!
//! Invariant: rows stand in the order of session, position, known time and id, so that two stores that were told the same
//! have the same rows.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::document::{Document, Manner};
use super::sight::Sight;
use super::source::Source;
use crate::time::Instant;

/// What stands for no row.
pub(super) const NONE: u32 = u32::MAX;

/// A document without its words, as a source holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) id: [u8; 16],
    pub(super) session: u64,
    pub(super) position: u64,
    pub(super) known_at: Instant,
    pub(super) seq: u64,
    pub(super) speaker: u64,
    pub(super) given: u64,
    pub(super) manner: Manner,
    pub(super) length: u32,
}

impl Entry {
    /// Returns what a document is beside its words.
    pub(super) fn of(document: &Document) -> Entry {
        let &Document { id, session, position, known_at, seq, speaker, given, manner, length, .. } = document;
        Entry { id, session, position, known_at, seq, speaker, given, manner, length }
    }

    /// Says whether a view sees the document.
    pub(super) fn is_seen(&self, sight: &Sight) -> bool {
        self.known_at <= sight.known && self.seq <= sight.last_seq && sight.hears(self.session)
    }
}

/// Every document of one space and kind.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    pub(super) entries: Vec<Entry>,
    by_id: OnceLock<HashMap<[u8; 16], u32>>,
    /// By source and the number that a document has there: its row, or [`NONE`].
    pub(super) row_of: Vec<Vec<u32>>,
}

impl Catalog {
    /// Gathers the documents of some sources.
    pub(super) fn of(sources: &[Box<dyn Source>]) -> Catalog {
        let mut numbered: Vec<(Entry, usize, u32)> = Vec::new();
        for (source, holder) in sources.iter().enumerate() {
            numbered.extend(holder.entries().into_iter().map(|(number, entry)| (entry, source, number)));
        }
        numbered
            .sort_unstable_by_key(|(entry, _, _)| (entry.session, entry.position, entry.known_at, entry.id));
        let mut row_of = vec![Vec::new(); sources.len()];
        let mut entries = Vec::with_capacity(numbered.len());
        for (row, (entry, source, number)) in (0..).zip(numbered) {
            entries.push(entry);
            let rows: &mut Vec<u32> = &mut row_of[source];
            let number = number as usize;
            if rows.len() <= number {
                rows.resize(number + 1, NONE);
            }
            rows[number] = row;
        }
        Catalog { entries, by_id: OnceLock::new(), row_of }
    }

    /// Returns the rows by the ids of the documents.
    pub(crate) fn rows_by_id(&self) -> &HashMap<[u8; 16], u32> {
        let rows = || self.entries.iter().map(|entry| entry.id).zip(0..).collect();
        self.by_id.get_or_init(rows)
    }
}
