//! How much a space holds.

use serde::Serialize;

use super::Space;
use crate::backend::Table;
use crate::error::StoreError;
use crate::key;
use crate::text::Language;
use crate::work::Leaf;

/// How much a space holds, and the store around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Turns.
    pub episodes: u64,
    /// Statements.
    pub assertions: u64,
    /// Facts in the latest view.
    pub facts: u64,
    /// Entities that statements mention.
    pub entities: u64,
    /// Groups: distinct subjects, predicates and keys.
    pub groups: u64,
    /// Records that could not be read.
    pub quarantined: u64,
    /// Work-sets.
    pub work_sets: u64,
    /// Items of work-sets.
    pub work_items: u64,
    /// Checkpoints, pruned ones among them.
    pub checkpoints: u64,
    /// Pieces of their states.
    pub checkpoint_pieces: u64,
    /// Documents.
    pub documents: u64,
    /// Versions of documents, of those that were removed, too.
    pub document_versions: u64,
    /// The store's last sequence number.
    pub last_seq: u64,
    /// Bytes the store takes up, every space together.
    pub store_bytes: u64,
    /// The language that texts are in.
    pub language: Language,
}

impl Space<'_> {
    /// Says whether nothing was recorded in the space, also nothing that could not be read.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        let snapshot = self.snapshot();
        for table in [Table::Episodes, Table::Groups, Table::Quarantine, Table::Work, Table::Documents] {
            let mut rows = snapshot.reader.scan_prefix(table, &key::space_prefix(self.id));
            if rows.next().transpose()?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts what the space holds; reads every row's key.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let snapshot = self.snapshot();
        let count = |table: Table| -> Result<u64, StoreError> {
            let mut rows = 0;
            for pair in snapshot.reader.scan_prefix(table, &key::space_prefix(self.id)) {
                pair?;
                rows += 1;
            }
            Ok(rows)
        };
        let reader = &*snapshot.reader;
        let work_sets = reader.scan_prefix(Table::Work, &key::work_sets(self.id));
        let work_sets = work_sets.map(|pair| pair.map(|_| 1)).sum::<Result<u64, StoreError>>()?;
        let work_leaves = reader.scan_prefix(Table::Work, &key::all_work_leaves(self.id));
        let work_items = work_leaves.map(|pair| Ok(Leaf::decode_summary(&pair?.1)?.count.items()));
        let documents = reader.scan_prefix(Table::Documents, &key::current_documents(self.id));
        let documents = documents.map(|pair| pair.map(|_| 1));
        let (mut assertions, mut data) = (0, 0);
        for pair in reader.scan_prefix(Table::Assertions, &key::space_prefix(self.id)) {
            assertions += 1;
            data += u64::from(key::words_from(&pair?.1).is_some());
        }
        Ok(Stats {
            episodes: count(Table::Episodes)? + data,
            assertions,
            facts: count(Table::Current)?,
            entities: count(Table::Entities)?,
            groups: count(Table::Groups)?,
            quarantined: count(Table::Quarantine)?,
            work_sets,
            work_items: work_items.sum::<Result<u64, StoreError>>()?,
            checkpoints: count(Table::Checkpoints)?,
            checkpoint_pieces: count(Table::Blobs)?,
            documents: documents.sum::<Result<u64, StoreError>>()?,
            document_versions: count(Table::Documents)?,
            last_seq: snapshot.last_seq()?,
            store_bytes: self.store.backend.size()?,
            language: self.store.analyzer().language(),
        })
    }
}
