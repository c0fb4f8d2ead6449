//! Documents: named bytes of a space, each of whose versions stays.
//!
//! A document has a name in a **collection**. Putting bytes under it, or removing it, is a **version** with a place on the known
//! and the recorded clock; none is written over. As of any commit and any known instant a document reads as it was then.
//!
//! ```text
//! collection ─▶ name ─▶ version, version, version …
//!                                         └── the one that counts now, in a row of its own
//! ```
//!
//! Names sort as bytes, so those that start alike lie together. When a document runs out is kept with it as data: nothing
//! here acts on it. Does not know what bytes mean, nor on what condition they are put; that is decided above
//! ([`Space::decide`](crate::store::Space::decide)).
//!
//! Invariants: the versions of a document follow each other on both clocks; a removal follows something that was kept; bytes
//! that are there already make no version.

mod change;
mod check;
mod row;
mod walk;

use std::borrow::Cow;

use crate::key::MAX_COLLECTION_BYTES;
use crate::time::Instant;

pub(crate) use change::{DocumentChange, Without, rows, rows_without};
pub use change::{Documents, ToldDocument};
pub(crate) use check::check;
pub(crate) use row::Row;
pub(crate) use walk::{Tail, Until, Walk, current, last, version_at, versions};

/// The most bytes of a name.
pub const MAX_NAME_BYTES: usize = 4096;

/// What documents of one kind have in common: their names do not meet those of others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Collection(Cow<'static, str>);

/// Why something is no document's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// A collection that there cannot be.
    #[error(
        "collection {0:?} is not 1 to 64 lower-case letters, digits, dots, slashes, dashes or underscores"
    )]
    Collection(String),
    /// A name that is too long.
    #[error("a name of {0} bytes is longer than {MAX_NAME_BYTES}")]
    Name(usize),
}

const fn is_collection(name: &str) -> bool {
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !matches!(bytes[at], b'a'..=b'z' | b'0'..=b'9' | b'.' | b'/' | b'-' | b'_') {
            return false;
        }
        at += 1;
    }
    !bytes.is_empty() && bytes.len() <= MAX_COLLECTION_BYTES
}

impl Collection {
    /// Names a collection in the program itself, as a constant.
    ///
    /// # Panics
    /// Where [`Collection::new`] refuses the name; of a constant, when it is compiled.
    pub const fn fixed(name: &'static str) -> Collection {
        assert!(is_collection(name), "a collection has another name");
        Collection(Cow::Borrowed(name))
    }

    /// Names a collection.
    ///
    /// # Errors
    /// [`DocumentError::Collection`].
    pub fn new(name: &str) -> Result<Collection, DocumentError> {
        if is_collection(name) {
            Ok(Collection(Cow::Owned(name.to_owned())))
        } else {
            Err(DocumentError::Collection(name.to_owned()))
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Which document: a name in a collection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId {
    collection: Collection,
    name: Vec<u8>,
}

impl DocumentId {
    /// Names a document.
    ///
    /// # Errors
    /// [`DocumentError::Name`].
    pub fn new(collection: &Collection, name: impl Into<Vec<u8>>) -> Result<DocumentId, DocumentError> {
        let name = name.into();
        if name.len() > MAX_NAME_BYTES {
            return Err(DocumentError::Name(name.len()));
        }
        Ok(DocumentId { collection: collection.clone(), name })
    }

    /// Returns the collection.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Returns the name.
    pub fn name(&self) -> &[u8] {
        &self.name
    }
}

/// What a document holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// When it runs out; nothing where it does not.
    pub expires: Option<Instant>,
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Content {
        Content { bytes, expires: None }
    }
}

/// What a document was from a commit on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The commit.
    pub seq: u64,
    /// When that was known: the commit's stamp, unless it came from another store.
    pub at: Instant,
    /// What it held; nothing where it was removed.
    pub content: Option<Content>,
}

/// A document as a view has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its name.
    pub name: Vec<u8>,
    /// The commit that put it.
    pub seq: u64,
    /// When that was known.
    pub at: Instant,
    /// What it holds.
    pub content: Content,
}

impl Document {
    pub(crate) fn new(name: Vec<u8>, version: Version) -> Option<Document> {
        let Version { seq, at, content } = version;
        content.map(|content| Document { name, seq, at, content })
    }
}

/// Which documents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentSet {
    /// One.
    One(DocumentId),
    /// Those of a collection whose names start with some bytes.
    StartingWith(Collection, Vec<u8>),
}

/// Which documents are listed, and in which order.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// Their collection.
    pub collection: &'a Collection,
    /// What their names start with.
    pub prefix: &'a [u8],
    /// The name behind which the list goes on; nothing where it starts.
    pub after: Option<&'a [u8]>,
    /// The order of names.
    pub order: Order,
}

impl<'a> Listing<'a> {
    /// Lists the documents whose names start with some bytes, in the order of names.
    pub fn new(collection: &'a Collection, prefix: &'a [u8]) -> Listing<'a> {
        Listing { collection, prefix, after: None, order: Order::Ascending }
    }

    /// Lists them the last one first.
    #[must_use]
    pub fn backwards(self) -> Listing<'a> {
        Listing { order: Order::Descending, ..self }
    }

    /// Goes on behind a name.
    #[must_use]
    pub fn after(self, name: Option<&'a [u8]>) -> Listing<'a> {
        Listing { after: name, ..self }
    }
}

/// An order of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first one first.
    Ascending,
    /// The last one first.
    Descending,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_have_short_plain_names() {
        for name in ["a", "session-store/entries.1_2", &"x".repeat(64)] {
            assert_eq!(Collection::new(name).expect(name).name(), name);
        }
        for name in ["", "A", "a b", "a\0", "ä", &"x".repeat(65)] {
            assert!(Collection::new(name).is_err(), "{name}");
        }
    }

    #[test]
    fn names_are_any_bytes_that_are_few_enough() {
        let collection = Collection::fixed("c");
        for n_bytes in [0, 1, MAX_NAME_BYTES] {
            assert!(DocumentId::new(&collection, vec![0; n_bytes]).is_ok());
        }
        let error = DocumentId::new(&collection, vec![0; MAX_NAME_BYTES + 1]);
        assert_eq!(error, Err(DocumentError::Name(MAX_NAME_BYTES + 1)));
    }
}
