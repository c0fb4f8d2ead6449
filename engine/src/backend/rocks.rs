//! Storage on disk: RocksDB, one column family a table.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use aho_corasick::AhoCorasick;
use fs_err as fs;
use rocksdb::checkpoint::Checkpoint;
use rocksdb::{
    BlockBasedOptions, BottommostLevelCompaction, Cache, ColumnFamilyDescriptor, CompactOptions, DB,
    DBCompressionType, DBRecoveryMode, Direction, FlushOptions, IteratorMode, Options, ReadOptions,
    WriteBatch, WriteOptions,
};

use super::acknowledged::{self, Acknowledged};
use super::{Backend, Batch, ByteSearch, Pairs, Reader, Table, Write, frames};
use crate::durable;
use crate::error::StoreError;

/// The file in a store's folder in which its owner says who it is.
const OWNER_FILE: &str = "OWNER";

/// The folder, within a store's, that RocksDB keeps its files in.
const DATA_FOLDER: &str = "data";

/// RocksDB's file that names the list of the others.
const CURRENT: &str = "CURRENT";

/// What all tables together may hold of what was read, with the indexes and filters of files; without a limit of ours
/// each table has 32 MiB of its own, and indexes come on top.
const CACHE_BYTES: usize = 64 << 20;

/// What all tables together may hold of what was written before it goes to files.
const WRITE_BYTES: usize = 64 << 20;

/// What may stand in the log alone when the storage is closed: reading it again takes a few hundredths of a second.
const UNWRITTEN_BYTES: u64 = 4 << 20;

/// RocksDB in a folder, open in this process alone.
pub struct Rocks {
    folder: PathBuf,
    database: DB,
    writer: Mutex<()>,
    acknowledged: Acknowledged,
}

impl Rocks {
    /// Opens the storage in a folder; makes it where `create` says so. `owner` tells others who holds it.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where another process has it open, [`StoreError::NoStore`] where there is none and none is
    /// to be made, [`StoreError::NotAStore`] where the folder holds something else, [`StoreError::Corrupt`] where something
    /// of it is damaged or missing, whose files stay as they are.
    pub fn open(folder: &Path, create: bool, owner: &str) -> Result<Rocks, StoreError> {
        // Files are opened by their names later on, and the process may work in another folder by then.
        let place = std::path::absolute(folder).map_err(storage)?;
        let data = place.join(DATA_FOLDER);
        let acknowledged = acknowledged::read(folder);
        if !data.join(CURRENT).exists()
            && let Err(error) = make_place(folder, &data, create, acknowledged)
            // Another process may have made it in between.
            && !data.join(CURRENT).exists()
        {
            return Err(error);
        }
        let database = open_database(&data, acknowledged).map_err(|error| match error {
            StoreError::Storage(text) if is_held(&text) => {
                let holder = fs::read_to_string(folder.join(OWNER_FILE));
                let holder = holder.unwrap_or_else(|_| "another process".to_owned());
                StoreError::Busy { path: folder.to_owned(), holder: holder.trim().to_owned() }
            }
            error => error,
        })?;
        fs::write(folder.join(OWNER_FILE), owner).map_err(storage)?;
        let acknowledged = Acknowledged::open(folder).map_err(storage)?;
        Ok(Rocks { folder: place, database, writer: Mutex::new(()), acknowledged })
    }

    /// Says whether it is known how far the commits of the storage in a folder were acknowledged: if not, nobody can tell
    /// whether the last ones are there. Every commit makes it known.
    pub fn knows_acknowledged(folder: &Path) -> bool {
        acknowledged::read(folder).is_some()
    }
}

/// Makes the folders of a store where there is none.
fn make_place(folder: &Path, data: &Path, create: bool, acknowledged: Option<u64>) -> Result<(), StoreError> {
    if folder.is_file() {
        return Err(StoreError::NotAStore(folder.to_owned()));
    }
    if acknowledged.is_some() || has_content(data)? {
        return Err(StoreError::Corrupt(format!("its file \"{DATA_FOLDER}/{CURRENT}\" is missing")));
    }
    let taken = folder.exists() && {
        let mut entries = fs::read_dir(folder).map_err(storage)?;
        let is_ours = |name: &OsStr| name == OWNER_FILE || name == DATA_FOLDER;
        entries.any(|entry| entry.is_ok_and(|entry| !is_ours(&entry.file_name())))
    };
    if taken {
        return Err(StoreError::NotAStore(folder.to_owned()));
    }
    if !create {
        return Err(StoreError::NoStore(folder.to_owned()));
    }
    durable::make_folders(data).map_err(storage)
}

fn is_held(text: &str) -> bool {
    text.contains("While lock file") || text.contains("lock hold by current process")
}

/// Says whether a folder has files in which RocksDB kept something. What it left of a database that was never whole has none.
fn has_content(data: &Path) -> Result<bool, StoreError> {
    Ok(has_file(data, "sst")? || has_file(data, "log")?)
}

/// Says whether a folder has a file whose name ends so.
fn has_file(data: &Path, end: &str) -> Result<bool, StoreError> {
    if !data.is_dir() {
        return Ok(false);
    }
    for entry in fs::read_dir(data).map_err(storage)? {
        if entry.map_err(storage)?.path().extension().is_some_and(|found| found == end) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Drop for Rocks {
    /// Writes what only stands in the log to its tables, where it is much: the next opening would read all of it again.
    fn drop(&mut self) {
        let families: Vec<_> =
            Table::ALL.iter().filter_map(|table| family(&self.database, *table).ok()).collect();
        let in_memory = |family| {
            let bytes = self.database.property_int_value_cf(family, "rocksdb.cur-size-all-mem-tables");
            bytes.ok().flatten().unwrap_or(0)
        };
        let unwritten: u64 = families.iter().map(|family| in_memory(*family)).sum();
        if unwritten > UNWRITTEN_BYTES {
            // Nothing is lost where it fails: the log has it.
            drop(self.database.flush_cfs_opt(&families, &FlushOptions::default()));
        }
    }
}

fn storage(error: impl std::fmt::Display) -> StoreError {
    StoreError::Storage(error.to_string())
}

/// A failure of the database: damage is told apart, whoever meets it first. A file that is missing is damage, too.
fn database(error: rocksdb::Error) -> StoreError {
    let kind = error.kind();
    let text = error.into_string();
    match kind {
        rocksdb::ErrorKind::Corruption => StoreError::Corrupt(text),
        rocksdb::ErrorKind::IOError if text.contains("No such file or directory") => {
            StoreError::Corrupt(text)
        }
        _ => StoreError::Storage(text),
    }
}

/// Opens a database, as far as it was acknowledged or further.
///
/// A log that ends within a commit, or has a damaged one, is read up to there: so it looks where the machine stopped while it
/// was written, and nothing after that was acknowledged. Where something was, the database is damaged, and what is left of it
/// is not touched: RocksDB would drop the rest.
fn open_database(data: &Path, acknowledged: Option<u64>) -> Result<DB, StoreError> {
    let expect = |reached: u64| match acknowledged {
        Some(number) if reached < number => Err(StoreError::Corrupt(format!(
            "write {number} was acknowledged, and what can be read ends with write {reached}"
        ))),
        _ => Ok(()),
    };
    let opened = if is_list_whole(data) {
        open_with(data, Families::All, |options, families| {
            options.set_wal_recovery_mode(DBRecoveryMode::AbsoluteConsistency);
            DB::open_cf_descriptors(options, data, families)
        })
    } else {
        check_free(data)?;
        Err(StoreError::corrupt("the list of files was cut off"))
    };
    let opened = match opened {
        Err(StoreError::Corrupt(_)) => {
            let read = open_with(data, Families::There, |options, families| {
                DB::open_cf_descriptors_read_only(options, data, families, false)
            })?;
            expect(read.latest_sequence_number())?;
            drop(read);
            open_with(data, Families::All, |options, families| {
                DB::open_cf_descriptors(options, data, families)
            })
        }
        opened => opened,
    }?;
    expect(opened.latest_sequence_number())?;
    Ok(opened)
}

/// Makes sure that no other process has the database open, and changes nothing of it.
fn check_free(data: &Path) -> Result<(), StoreError> {
    // The lock comes first, and a family that was never made second.
    match DB::open_cf(&Options::default(), data, ["none"]).map_err(database) {
        Err(StoreError::Storage(text)) if is_held(&text) => Err(StoreError::Storage(text)),
        _ => Ok(()),
    }
}

/// Says whether the list of the files that the database is made of is not cut off, where it can be read.
fn is_list_whole(data: &Path) -> bool {
    let name = fs::read_to_string(data.join(CURRENT)).unwrap_or_default();
    fs::read(data.join(name.trim_end())).map_or(true, |bytes| frames::fill(&bytes))
}

/// Which column families are opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Families {
    /// Those of all tables, which are made where they are missing.
    All,
    /// Those that are there: a database that was cut off while it was made has only some.
    There,
}

fn open_with(
    data: &Path,
    which: Families,
    open: impl FnOnce(&mut Options, Vec<ColumnFamilyDescriptor>) -> Result<DB, rocksdb::Error>,
) -> Result<DB, StoreError> {
    // Each change of the set of files starts a new manifest, so that the key bounds of dropped files do not linger.
    let mut settings = "max_manifest_file_size=1;max_manifest_space_amp_pct=0".to_owned();
    let is_new = !data.join(CURRENT).exists();
    if is_new || has_file(data, "log")? {
        // Each log file says how far the one before it went, so that one that is missing between others, or that a list of
        // files without its end calls for, is noticed. A database without any, as a copy may be, would be refused.
        settings.push_str(";track_and_verify_wals=true");
    }
    let mut options = Options::default().get_options_from_string(&settings).map_err(database)?;
    options.create_if_missing(true);
    options.create_missing_column_families(true);
    options.set_log_level(rocksdb::LogLevel::Warn);
    options.set_keep_log_file_num(2);
    options.set_max_total_wal_size(64 << 20);
    options.set_db_write_buffer_size(WRITE_BYTES);
    let known = Table::ALL.iter().filter(|_| which == Families::All);
    let mut tables: BTreeSet<String> = known.map(|table| table.name().to_owned()).collect();
    if !is_new {
        // A newer version may have made tables that this one does not know; all must be opened to read its number.
        tables.extend(families_of(&options, data).map_err(database)?);
    }
    tables.remove(rocksdb::DEFAULT_COLUMN_FAMILY_NAME);
    let cache = Cache::new_lru_cache(CACHE_BYTES);
    let families =
        tables.into_iter().map(|name| ColumnFamilyDescriptor::new(name, table_options(&cache))).collect();
    open(&mut options, families).map_err(database)
}

/// Returns the column families of a database. Whoever has it open may put another manifest in the place of the one that is
/// being read: then it is read again.
fn families_of(options: &Options, data: &Path) -> Result<Vec<String>, rocksdb::Error> {
    const ATTEMPTS: usize = 100;
    for _ in 1..ATTEMPTS {
        match DB::list_cf(options, data) {
            Err(error) if error.kind() == rocksdb::ErrorKind::IOError => {}
            listed => return listed,
        }
    }
    DB::list_cf(options, data)
}

fn table_options(cache: &Cache) -> Options {
    let mut blocks = BlockBasedOptions::default();
    blocks.set_block_cache(cache);
    blocks.set_cache_index_and_filter_blocks(true);
    blocks.set_bloom_filter(10.0, false);
    blocks.set_block_size(16 << 10);
    let mut options = Options::default();
    options.set_block_based_table_factory(&blocks);
    options.set_compression_type(DBCompressionType::Lz4);
    options.set_bottommost_compression_type(DBCompressionType::Zstd);
    options.set_write_buffer_size(16 << 20);
    options
}

fn family(database: &DB, table: Table) -> Result<&rocksdb::ColumnFamily, StoreError> {
    database
        .cf_handle(table.name())
        .ok_or_else(|| StoreError::corrupt(format!("table {} is missing", table.name())))
}

struct Image<'a> {
    database: &'a DB,
    snapshot: rocksdb::Snapshot<'a>,
}

impl Reader for Image<'_> {
    fn read(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.snapshot.get_cf(family(self.database, table)?, key).map_err(database)
    }

    fn scan(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_> {
        let family = match family(self.database, table) {
            Ok(family) => family,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        let (start, options) = range(from, to);
        let mode = IteratorMode::From(&start, Direction::Forward);
        Box::new(self.snapshot.iterator_cf_opt(family, options, mode).map(|pair| pair.map_err(database)))
    }

    fn scan_back(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_> {
        let family = match family(self.database, table) {
            Ok(family) => family,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        let (start, mut options) = range(from, to);
        options.set_iterate_lower_bound(start);
        let pairs = self.snapshot.iterator_cf_opt(family, options, IteratorMode::End);
        Box::new(pairs.map(|pair| pair.map_err(database)))
    }
}

/// Returns the first key of a range, and options that end a walk where the range does.
fn range(from: Bound<&[u8]>, to: Bound<&[u8]>) -> (Vec<u8>, ReadOptions) {
    let mut options = ReadOptions::default();
    match to {
        Bound::Excluded(end) => options.set_iterate_upper_bound(end),
        Bound::Included(end) => options.set_iterate_upper_bound([end, &[0]].concat()),
        Bound::Unbounded => {}
    }
    let start = match from {
        Bound::Included(start) => start.to_vec(),
        Bound::Excluded(start) => [start, &[0]].concat(),
        Bound::Unbounded => Vec::new(),
    };
    (start, options)
}

impl Backend for Rocks {
    fn snapshot(&self) -> Box<dyn Reader + '_> {
        Box::new(Image { database: &self.database, snapshot: self.database.snapshot() })
    }

    fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        for expected in &batch.expected {
            let family = family(&self.database, expected.table)?;
            if self.database.get_cf(family, &expected.key).map_err(database)? != expected.value {
                return Err(StoreError::Conflict);
            }
        }
        // In the order of keys, so that the memory table finds the next place beside the last. The last of several changes
        // to one key counts, as they stand.
        let mut in_order: Vec<&Write> = batch.writes.iter().collect();
        in_order.sort_by(|one, other| (one.table, &one.key).cmp(&(other.table, &other.key)));
        let mut writes = WriteBatch::default();
        for write in in_order {
            let family = family(&self.database, write.table)?;
            match &write.value {
                Some(value) => writes.put_cf(family, &write.key, value),
                None => writes.delete_cf(family, &write.key),
            }
        }
        let mut durable = WriteOptions::default();
        durable.set_sync(true);
        self.database.write_opt(writes, &durable).map_err(database)?;
        self.acknowledged.put(self.database.latest_sequence_number());
        Ok(())
    }

    fn purge(&self) -> Result<(), StoreError> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut options = CompactOptions::default();
        options.set_bottommost_level_compaction(BottommostLevelCompaction::Force);
        options.set_exclusive_manual_compaction(true);
        for &table in Table::ALL {
            let family = family(&self.database, table)?;
            self.database.flush_cf(family).map_err(database)?;
            self.database.compact_range_cf_opt(family, None::<&[u8]>, None::<&[u8]>, &options);
        }
        // A manifest starts with the files there were before the change it is written for, and the next change may still
        // be appended to it; two more flushes, in a family of no table, leave the dropped files' bounds behind.
        for turn in [b"0", b"1"] {
            self.database.put(b"purged", turn).and_then(|()| self.database.flush()).map_err(database)?;
        }
        Ok(())
    }

    fn search(&self, needles: &[Vec<u8>]) -> Result<ByteSearch, StoreError> {
        let finder = AhoCorasick::new(needles).map_err(storage)?;
        let mut search = ByteSearch::default();
        for path in files(&self.folder)? {
            let bytes = match fs::read(&path) {
                Ok(bytes) => bytes,
                // RocksDB removes files it no longer needs while we walk.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(storage(error)),
            };
            search.files += 1;
            search.file_bytes += bytes.len() as u64;
            if finder.is_match(&bytes) {
                search.found.push(path.display().to_string());
            }
        }
        search.found.sort();
        Ok(search)
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.folder)
    }

    fn link_to(&self, folder: &Path) -> Result<(), StoreError> {
        let copies = Checkpoint::new(&self.database).map_err(database)?;
        copies.create_checkpoint(folder).map_err(database)
    }

    fn size(&self) -> Result<u64, StoreError> {
        let files = files(&self.folder)?;
        // RocksDB removes files it no longer needs while we walk.
        Ok(files.iter().filter_map(|path| fs::metadata(path).ok()).map(|metadata| metadata.len()).sum())
    }
}

/// Returns every file in a folder and the folders below it, in no order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).map_err(storage)? {
            let path = entry.map_err(storage)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.is_file() {
                files.push(path);
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows that the storage has, in the order in which they are written.
    const ROWS: [(Table, &str); 3] = [(Table::Names, "a"), (Table::Episodes, "b"), (Table::Names, "c")];

    fn put(rocks: &Rocks, nth: usize) {
        let (table, key) = ROWS[nth];
        let mut batch = Batch::default();
        batch.put(table, key.into(), key.into());
        rocks.commit(&batch).unwrap();
    }

    fn flush(rocks: &Rocks, tables: &[Table]) {
        let families: Vec<_> = tables.iter().map(|table| family(&rocks.database, *table).unwrap()).collect();
        rocks.database.flush_cfs_opt(&families, &FlushOptions::default()).unwrap();
    }

    /// Copies what a process that is killed now would leave.
    fn left(rocks: &Rocks, to: &Path) {
        fs::create_dir_all(to.join(DATA_FOLDER)).unwrap();
        for path in files(&rocks.folder).unwrap() {
            fs::copy(&path, to.join(path.strip_prefix(&rocks.folder).unwrap())).unwrap();
        }
    }

    /// Opens what is there: damage that is told, or every row.
    fn is_told(folder: &Path) -> bool {
        match Rocks::open(folder, false, "a test") {
            Ok(rocks) => {
                for (table, key) in ROWS {
                    let found = rocks.snapshot().read(table, key.as_bytes()).unwrap();
                    assert_eq!(found.as_deref(), Some(key.as_bytes()), "{key}");
                }
                false
            }
            Err(StoreError::Corrupt(_)) => true,
            Err(error) => panic!("{error}"),
        }
    }

    fn ending(folder: &Path, end: &str) -> Vec<PathBuf> {
        let mut found = files(&folder.join(DATA_FOLDER)).unwrap();
        found.retain(|path| path.extension().is_some_and(|of| of == end));
        found.sort();
        found
    }

    #[test]
    fn a_log_file_that_is_missing_or_cut_off_before_others_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let rocks = Rocks::open(&folder.path().join("whole"), true, "a test").unwrap();
        put(&rocks, 0);
        put(&rocks, 1);
        // The first log file is still needed for the other table.
        flush(&rocks, &[Table::Episodes]);
        put(&rocks, 2);
        let of = |name: &str| {
            let to = folder.path().join(name);
            left(&rocks, &to);
            let logs = ending(&to, "log");
            assert_eq!(logs.len(), 2, "{logs:?}");
            (to, logs[0].clone())
        };
        assert!(!is_told(&of("left").0));
        let (to, first) = of("missing");
        fs::remove_file(first).unwrap();
        assert!(is_told(&to));
        let length = fs::metadata(of("measured").1).unwrap().len();
        for end in (0..length).step_by(5) {
            let (to, first) = of(&format!("cut off at {end}"));
            fs::OpenOptions::new().write(true).open(first).unwrap().set_len(end).unwrap();
            assert!(is_told(&to), "cut off at {end} of {length}");
        }
    }

    #[test]
    fn a_list_of_files_that_is_cut_off_is_told_or_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let rocks = Rocks::open(&folder.path().join("whole"), true, "a test").unwrap();
        put(&rocks, 0);
        put(&rocks, 1);
        flush(&rocks, Table::ALL);
        put(&rocks, 2);
        let manifest = |to: &Path| {
            left(&rocks, to);
            let name = fs::read_to_string(to.join(DATA_FOLDER).join(CURRENT)).unwrap();
            to.join(DATA_FOLDER).join(name.trim_end())
        };
        let whole = fs::read(manifest(&folder.path().join("measured"))).unwrap();
        let ends: Vec<usize> = (1..whole.len()).collect();
        // Between two records it looks whole.
        let (between, within): (Vec<usize>, Vec<usize>) =
            ends.into_iter().partition(|end| frames::fill(&whole[..*end]));
        assert!(between.len() > 2);
        let mut n_told = 0;
        for end in between.into_iter().chain(within.into_iter().step_by(97)) {
            let to = folder.path().join(format!("cut off at {end}"));
            fs::OpenOptions::new().write(true).open(manifest(&to)).unwrap().set_len(end as u64).unwrap();
            n_told += u32::from(is_told(&to));
        }
        assert!(n_told > 2, "{n_told} of {} ends", whole.len());
    }
}
