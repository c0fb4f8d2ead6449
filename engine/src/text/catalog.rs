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
use crate::digest::Digest;
use crate::time::Instant;
use crate::view::Hiding;

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

    /// Adds the document to what an index holds; `all` is the word that every document of its space and kind has.
    pub(super) fn add_to(&self, digest: &mut Digest, all: &str) {
        let Entry { id, session, position, known_at, seq, speaker, given, manner, length } = self;
        let [session, position, seq, speaker, given] =
            [session, position, seq, speaker, given].map(|number| number.to_le_bytes());
        let (known_at, manner) = (known_at.micros().to_le_bytes(), manner.number().to_le_bytes());
        let length = length.to_le_bytes();
        let parts: [&[u8]; 10] =
            [all.as_bytes(), id, &session, &position, &known_at, &seq, &speaker, &given, &manner, &length];
        digest.add("document", parts);
    }

    /// Says whether a view sees the document.
    pub(super) fn is_seen(&self, sight: &Sight) -> bool {
        self.hiding(sight).is_none()
    }

    /// Says what hides the document from a view, if anything does.
    pub(super) fn hiding(&self, sight: &Sight) -> Option<Hiding> {
        let (is_known, is_recorded) = (self.known_at <= sight.known, self.seq <= sight.last_seq);
        Hiding::of(is_known, is_recorded, sight.hears(self.session))
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
