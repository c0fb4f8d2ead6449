//! Storage that lasts as long as the process: for tests, and the model that others are measured against.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use super::{Backend, Batch, ByteSearch, Pair, Pairs, Reader, Table};
use crate::error::StoreError;

type Tables = BTreeMap<Table, BTreeMap<Vec<u8>, Vec<u8>>>;

/// Storage in memory. A snapshot is the shared image of its moment; a commit copies what it must.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    tables: Arc<RwLock<Arc<Tables>>>,
    folder: Option<PathBuf>,
}

impl Memory {
    /// Makes empty storage. Clones share it, so that a store can be closed and opened again over one.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Makes empty storage whose indexes are kept in a folder, as if it were on disk.
    pub fn beside(folder: &Path) -> Memory {
        Memory { folder: Some(folder.to_owned()), ..Memory::default() }
    }

    fn image(&self) -> Arc<Tables> {
        Arc::clone(&self.tables.read().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Image(Arc<Tables>);

impl Image {
    fn range(
        &self,
        table: Table,
        from: Bound<&[u8]>,
        to: Bound<&[u8]>,
    ) -> impl DoubleEndedIterator<Item = Pair> + use<'_> {
        let is_empty = match (from, to) {
            (Bound::Included(a), Bound::Included(b)) => a > b,
            (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) => a >= b,
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        };
        let rows = self.0.get(&table).filter(|_| !is_empty).map(|rows| rows.range::<[u8], _>((from, to)));
        rows.into_iter().flatten().map(|(key, value)| (key.as_slice().into(), value.as_slice().into()))
    }
}

impl Reader for Image {
    fn read(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.0.get(&table).and_then(|rows| rows.get(key)).cloned())
    }

    fn scan(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_> {
        Box::new(self.range(table, from, to).map(Ok))
    }

    fn scan_back(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_> {
        Box::new(self.range(table, from, to).rev().map(Ok))
    }
}

impl Backend for Memory {
    fn snapshot(&self) -> Box<dyn Reader + '_> {
        Box::new(Image(self.image()))
    }

    fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut current = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        for expected in &batch.expected {
            let found = current.get(&expected.table).and_then(|rows| rows.get(&expected.key));
            if found != expected.value.as_ref() {
                return Err(StoreError::Conflict);
            }
        }
        let tables = Arc::make_mut(&mut current);
        for write in &batch.writes {
            let rows = tables.entry(write.table).or_default();
            match &write.value {
                Some(value) => rows.insert(write.key.clone(), value.clone()),
                None => rows.remove(&write.key),
            };
        }
        Ok(())
    }

    fn purge(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn search(&self, _: &[Vec<u8>]) -> Result<ByteSearch, StoreError> {
        Ok(ByteSearch::default())
    }

    fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn link_to(&self, _: &Path) -> Result<(), StoreError> {
        Err(StoreError::Storage("what is in memory alone has no files".to_owned()))
    }

    fn size(&self) -> Result<u64, StoreError> {
        let rows = self.image();
        let bytes = rows.values().flatten().map(|(key, value)| key.len() + value.len());
        Ok(bytes.sum::<usize>() as u64)
    }
}
