//! Where bytes live: ordered keys in tables, snapshots, and one atomic conditional batch. Nothing here is optional: one
//! conformance suite runs over every backend.

#[cfg(feature = "rocksdb")]
mod acknowledged;
#[cfg(test)]
mod conformance;
#[cfg(feature = "rocksdb")]
mod frames;
mod memory;
#[cfg(feature = "rocksdb")]
mod rocks;

use std::ops::Bound;
use std::path::Path;

pub use memory::Memory;
#[cfg(feature = "rocksdb")]
pub use rocks::Rocks;

use crate::error::StoreError;

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A keyspace of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Table { $($(#[$doc])* $name,)* }

        impl Table {
            /// Every table.
            pub const ALL: &'static [Table] = &[$(Table::$name,)*];

            /// Returns the name that backends know the table by.
            pub const fn name(self) -> &'static str {
                match self { $(Table::$name => $text,)* }
            }
        }
    };
}

tables! {
    /// Format, lineage, counters, spaces.
    Meta = "meta",
    /// Commits by sequence number.
    Log = "log",
    /// Turns by id.
    Episodes = "episodes",
    /// Turns by session and position.
    Sessions = "sessions",
    /// Turns by who took part.
    Participants = "participants",
    /// Statements by the turn that makes them.
    Statements = "statements",
    /// The names of each group.
    Groups = "groups",
    /// Statements by group, in the order of valid time, in chunks.
    History = "history",
    /// Facts of the latest view by group and start.
    Current = "current",
    /// Groups by the id of a statement.
    Assertions = "assertions",
    /// Groups by the id of a fact of the latest view.
    Facts = "facts",
    /// Statements by what they stand on.
    Premises = "premises",
    /// Groups by an entity they mention as object.
    Objects = "objects",
    /// Entities by id.
    Entities = "entities",
    /// Entities by folded name.
    Names = "names",
    /// Statements of identity.
    Identity = "identity",
    /// Turns by the id their source gave them.
    Natives = "natives",
    /// Records that could not be read.
    Quarantine = "quarantine",
    /// What operations that bear a key came to, so that one that is sent again is not done again.
    Operations = "operations",
    /// Work-sets, and what was said of their items, in leaves.
    Work = "work",
    /// Checkpoints by id.
    Checkpoints = "checkpoints",
    /// Pieces of the states of checkpoints, by their hash.
    Blobs = "blobs",
}

/// A key and its value.
pub type Pair = (Box<[u8]>, Box<[u8]>);

/// The pairs of a scan, in key order.
pub type Pairs<'a> = Box<dyn Iterator<Item = Result<Pair, StoreError>> + 'a>;

/// An unchanging image of all tables.
pub trait Reader {
    /// Returns the value of a key.
    fn read(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Returns the pairs from `from` up to `to`, in key order.
    fn scan(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_>;

    /// Returns the pairs from `from` up to `to`, the last one first.
    fn scan_back(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_>;

    /// Returns the last pair from `from` up to `to`; nothing where there is none.
    fn last(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Result<Option<Pair>, StoreError> {
        self.scan_back(table, from, to).next().transpose()
    }

    /// Returns the pairs whose key starts with the prefix, in key order.
    fn scan_prefix(&self, table: Table, prefix: &[u8]) -> Pairs<'_> {
        match crate::key::after_prefix(prefix) {
            Some(end) => self.scan(table, Bound::Included(prefix), Bound::Excluded(&end)),
            None => self.scan(table, Bound::Included(prefix), Bound::Unbounded),
        }
    }
}

/// A change to one key: the value to put, or `None` to remove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// The table.
    pub table: Table,
    /// The key.
    pub key: Vec<u8>,
    /// What it shall hold.
    pub value: Option<Vec<u8>>,
}

/// Changes that happen together or not at all, and what must hold for them to happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The values that keys must have, else nothing is written.
    pub expected: Vec<Write>,
    /// The changes, in order.
    pub writes: Vec<Write>,
}

impl Batch {
    /// Adds a value.
    pub fn put(&mut self, table: Table, key: Vec<u8>, value: Vec<u8>) {
        self.writes.push(Write { table, key, value: Some(value) });
    }

    /// Adds a removal.
    pub fn remove(&mut self, table: Table, key: Vec<u8>) {
        self.writes.push(Write { table, key, value: None });
    }
}

/// What a search of the storage for bytes that should be gone has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteSearch {
    /// Files read from end to end.
    pub files: u64,
    /// Bytes read in them.
    pub file_bytes: u64,
    /// The files that hold one of the needles.
    pub found: Vec<String>,
}

/// Storage for a store.
pub trait Backend: Send + Sync {
    /// Returns an image of the present state.
    fn snapshot(&self) -> Box<dyn Reader + '_>;

    /// Makes the changes durable, all of them or none.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where an expectation does not hold.
    fn commit(&self, batch: &Batch) -> Result<(), StoreError>;

    /// Drops every trace of removed and replaced values from the storage itself.
    fn purge(&self) -> Result<(), StoreError>;

    /// Searches the storage's own files, apart from live values, for any of the needles.
    fn search(&self, needles: &[Vec<u8>]) -> Result<ByteSearch, StoreError>;

    /// Returns the folder in which what is derived from the storage may be kept; `None` for storage in memory.
    fn folder(&self) -> Option<&Path>;

    /// Holds on to the present state in a folder that is not there yet: files that make the same storage, and may be links to
    /// its own.
    ///
    /// # Errors
    /// [`StoreError::Storage`] where they cannot be made, and for storage in memory, which has no files.
    fn link_to(&self, folder: &Path) -> Result<(), StoreError>;

    /// Returns the bytes the storage takes up, with what is kept beside it.
    fn size(&self) -> Result<u64, StoreError>;
}
