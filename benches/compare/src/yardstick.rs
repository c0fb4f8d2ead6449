//! RocksDB itself, given the very rows that a store of ours holds: what the disk format costs without anything that makes
//! it.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use bygone_benches::random::Random;
use bygone_engine::backend::{Backend, Rocks, Table};
use rocksdb::{
    BlockBasedOptions, ColumnFamilyDescriptor, DB, DBCompressionType, IngestExternalFileOptions, Options,
    SstFileWriter, WriteBatch, WriteOptions,
};

/// The rows of a table, in key order.
pub(crate) type Rows = Vec<(Box<[u8]>, Box<[u8]>)>;

/// Reads every row of a store that nobody has open.
pub(crate) fn rows(folder: &Path) -> BTreeMap<&'static str, Rows> {
    let backend = Rocks::open(folder, false, "a comparison").expect("the store opens");
    let image = backend.snapshot();
    let rows_of = |table: Table| -> Rows {
        let pairs = image.scan(table, Bound::Unbounded, Bound::Unbounded);
        pairs.map(|pair| pair.expect("the store is read")).collect()
    };
    Table::ALL.iter().map(|&table| (table.name(), rows_of(table))).collect()
}

/// The same options as the store's.
fn options() -> Options {
    let mut blocks = BlockBasedOptions::default();
    blocks.set_bloom_filter(10.0, false);
    blocks.set_block_size(16 << 10);
    let mut options = Options::default();
    options.set_block_based_table_factory(&blocks);
    options.set_compression_type(DBCompressionType::Lz4);
    options.set_bottommost_compression_type(DBCompressionType::Zstd);
    options.set_write_buffer_size(16 << 20);
    options
}

fn open(folder: &Path, tables: &BTreeMap<&'static str, Rows>) -> DB {
    let mut database = Options::default();
    database.create_if_missing(true);
    database.create_missing_column_families(true);
    database.set_db_write_buffer_size(64 << 20);
    let families = tables.keys().map(|name| ColumnFamilyDescriptor::new(*name, options()));
    DB::open_cf_descriptors(&database, folder, families).expect("RocksDB opens")
}

/// Writes the rows through the log and the memory tables, so many a batch, each batch synced.
pub(crate) fn write_batches(folder: &Path, tables: &BTreeMap<&'static str, Rows>, batch: usize) {
    let database = open(folder, tables);
    let mut durable = WriteOptions::default();
    durable.set_sync(true);
    for (name, rows) in tables {
        let family = database.cf_handle(name).expect("the family is there");
        for some in rows.chunks(batch) {
            let mut writes = WriteBatch::default();
            for (key, value) in some {
                writes.put_cf(family, key, value);
            }
            database.write_opt(writes, &durable).expect("RocksDB writes");
        }
    }
    for name in tables.keys() {
        database.flush_cf(database.cf_handle(name).expect("the family is there")).expect("RocksDB flushes");
    }
}

/// Writes the rows, which are sorted, as one file a table, and hands the files to RocksDB.
pub(crate) fn ingest_sorted(folder: &Path, tables: &BTreeMap<&'static str, Rows>) {
    let database = open(folder, tables);
    for (name, rows) in tables.iter().filter(|(_, rows)| !rows.is_empty()) {
        let options = options();
        let file = folder.join(format!("{name}.sst"));
        let mut writer = SstFileWriter::create(&options);
        writer.open(&file).expect("a file is made");
        for (key, value) in rows {
            writer.put(key, value).expect("a row is written");
        }
        writer.finish().expect("the file is whole");
        let mut moved = IngestExternalFileOptions::default();
        moved.set_move_files(true);
        let family = database.cf_handle(name).expect("the family is there");
        database.ingest_external_file_cf_opts(family, &moved, vec![file]).expect("RocksDB takes the file");
    }
}

/// The rows of a store in a database of RocksDB's own.
pub(crate) struct Raw {
    pub(crate) folder: PathBuf,
    pub(crate) rows: BTreeMap<&'static str, Rows>,
}

impl Raw {
    /// Returns the keys of facts, in no order.
    pub(crate) fn some_facts(&self) -> impl Iterator<Item = &[u8]> {
        let rows = &self.rows[Table::Current.name()];
        let mut random = Random::new(1);
        std::iter::repeat_with(move || random.below(rows.len() as u64))
            .map(|at| &*rows[usize::try_from(at).expect("an index")].0)
    }
}

/// The least that a lookup can cost: one seek in the table of the facts of the latest view.
pub(crate) struct Seeks(DB);

impl Seeks {
    pub(crate) fn open(raw: &Raw) -> Seeks {
        Seeks(open(&raw.folder, &raw.rows))
    }

    /// Returns the value of the last key that is not after `key`.
    pub(crate) fn seek(&self, key: &[u8]) -> Option<Box<[u8]>> {
        let family = self.0.cf_handle(Table::Current.name()).expect("the family is there");
        let mut iterator = self.0.raw_iterator_cf(family);
        iterator.seek_for_prev(key);
        iterator.value().map(Box::from)
    }
}
