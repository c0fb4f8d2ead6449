//! Putting documents and removing them: which rows that comes to.

use std::collections::BTreeMap;

use super::{Content, DocumentId, DocumentSet, Listing, Order, Row, Tail, Version, current, last};
use crate::backend::{Reader, Table, Write};
use crate::error::StoreError;
use crate::key::{self, DocumentPart, SpaceId};
use crate::time::Instant;

/// Documents that are put and removed together: what each holds from the commit on, or that it is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documents(BTreeMap<DocumentId, Option<Content>>);

impl Documents {
    /// Puts a document. What was said of it before, here, does not count.
    pub fn put(&mut self, id: DocumentId, content: impl Into<Content>) {
        self.0.insert(id, Some(content.into()));
    }

    /// Removes a document, if it is there.
    pub fn remove(&mut self, id: DocumentId) {
        self.0.insert(id, None);
    }

    /// Says whether nothing is put or removed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A version of a document that came to be elsewhere, as it is told there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldDocument {
    /// The document.
    pub id: DocumentId,
    /// When it was known.
    pub at: Instant,
    /// What it held; nothing where it was removed.
    pub content: Option<Content>,
}

/// A change of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DocumentChange {
    /// Some are put and removed.
    Write(Documents),
    /// Versions are taken over, those of one document in order and each after what is there.
    TakeOver(Vec<ToldDocument>),
}

/// Returns the rows that a change makes in the commit of a number and a stamp.
pub(crate) fn rows(
    reader: &dyn Reader,
    space: SpaceId,
    (seq, at): (u64, Instant),
    change: &DocumentChange,
) -> Result<Vec<Write>, StoreError> {
    let mut rows = Rows { space, seq, writes: Vec::new() };
    match change {
        DocumentChange::Write(Documents(documents)) => {
            for (id, content) in documents {
                let tail = id.tail();
                let before = current(reader, space, &tail)?;
                rows.add(&tail, before.as_ref(), at, content.as_ref());
            }
        }
        DocumentChange::TakeOver(told) => {
            let mut met: BTreeMap<Tail, Option<Version>> = BTreeMap::new();
            for ToldDocument { id, at: told_at, content } in told {
                let tail = id.tail();
                let before = match met.remove(&tail) {
                    Some(before) => before,
                    None => last(reader, space, &tail)?,
                };
                let is_next = before.as_ref().is_none_or(|before| before.at < *told_at) && *told_at < at;
                let changes =
                    before.as_ref().is_some_and(|before| before.content.is_some()) || content.is_some();
                if !is_next || !changes {
                    return Err(StoreError::Storage("a document is taken over out of order".to_owned()));
                }
                rows.add(
                    &tail,
                    before.as_ref().filter(|before| before.content.is_some()),
                    *told_at,
                    content.as_ref(),
                );
                met.insert(tail, Some(Version { seq, at: *told_at, content: content.clone() }));
            }
        }
    }
    Ok(rows.writes)
}

struct Rows {
    space: SpaceId,
    seq: u64,
    writes: Vec<Write>,
}

impl Rows {
    /// Adds a version after the one that counted before, if any did. The same again is none.
    fn add(&mut self, tail: &[u8], before: Option<&Version>, at: Instant, content: Option<&Content>) {
        if before.and_then(|before| before.content.as_ref()) == content {
            return;
        }
        let put = |key, value| Write { table: Table::Documents, key, value };
        if let Some(Version { seq, at, content }) = before {
            let past = key::document_version(self.space, tail, *at);
            self.writes.push(put(past, Some(Row::encode(*seq, *at, content.as_ref()))));
        }
        let row = key::document(self.space, DocumentPart::Current, tail);
        let version = Row::encode(self.seq, at, content);
        if content.is_some() {
            self.writes.push(put(row, Some(version)));
        } else {
            self.writes.push(put(row, None));
            self.writes.push(put(key::document_version(self.space, tail, at), Some(version)));
        }
    }
}

/// What erasing documents comes to.
#[derive(Default)]
pub(crate) struct Without {
    /// The rows that go.
    pub(crate) writes: Vec<Write>,
    /// How many documents go.
    pub(crate) n_documents: u64,
    /// What their versions held.
    pub(crate) bytes: Vec<Vec<u8>>,
}

/// Returns the rows that go with documents and all their versions.
pub(crate) fn rows_without(
    reader: &dyn Reader,
    space: SpaceId,
    sets: &[DocumentSet],
) -> Result<Without, StoreError> {
    let mut without = Without::default();
    let mut tails = std::collections::BTreeSet::new();
    for set in sets {
        match set {
            DocumentSet::One(id) => {
                let tail = id.tail();
                if last(reader, space, &tail)?.is_some() {
                    tails.insert(tail);
                }
            }
            DocumentSet::StartingWith(collection, prefix) => {
                let listing = Listing { collection, prefix, after: None, order: Order::Ascending };
                for tail in super::Walk::of(reader, space, &listing) {
                    tails.insert(tail?);
                }
            }
        }
    }
    without.n_documents = tails.len() as u64;
    for tail in tails {
        for part in [DocumentPart::Current, DocumentPart::Past] {
            for pair in reader.scan_prefix(Table::Documents, &key::document(space, part, &tail)) {
                let (row, value) = pair?;
                without.bytes.extend(Row::decode(&value)?.content.map(|content| content.bytes));
                without.writes.push(Write { table: Table::Documents, key: row.into_vec(), value: None });
            }
        }
    }
    Ok(without)
}
