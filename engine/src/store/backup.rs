//! Copies of a whole store in a folder: made while it is in use, checked file by file before one becomes a store again.
//!
//! ```text
//! DIR/
//! ├── BACKUP   JSON: what the copy is of, and of each file its length and its hash
//! └── data/    the storage's own files
//! ```
//!
//! The indexes are not in it: they are made from the store by the first search.
//!
//! Invariants: what bears the name of the folder is whole, since it is renamed to it last; nothing is copied over.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::{Store, meta};
use crate::error::StoreError;

/// The file that says what a copy holds.
const LIST: &str = "BACKUP";
/// The folder of the storage's files, in a copy and in a store.
const DATA: &str = "data";
/// The folder of links to the store's own files, while they are copied.
const LINKS: &str = "links";
/// The version of the list's form.
const FORM: u32 = 1;
/// Bytes that are copied at a time.
const BLOCK: usize = 1 << 20;

/// What a copy of a store is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backup {
    /// The version of this form.
    form: u32,
    /// The last commit in it.
    pub seq: u64,
    /// When that commit was made; `None` before the first.
    pub at: Option<String>,
    /// The files by name.
    files: BTreeMap<String, Copied>,
}

/// A file as it was copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Copied {
    bytes: u64,
    /// Its BLAKE3 hash, in hexadecimal digits.
    hash: String,
}

impl Backup {
    /// How many files there are.
    pub fn n_files(&self) -> u64 {
        self.files.len() as u64
    }

    /// How many bytes they have.
    pub fn n_bytes(&self) -> u64 {
        self.files.values().map(|file| file.bytes).sum()
    }
}

impl Store {
    /// Copies the store, as it is after its last commit, into a folder that is not there yet or is empty. Others read on
    /// meanwhile; commits wait while the storage's files are gathered, not while they are copied.
    ///
    /// # Errors
    /// [`StoreError::Exists`] where something is in the folder; [`StoreError::Storage`] where it cannot be written, or the
    /// storage is one in memory.
    pub fn back_up(&self, folder: &Path) -> Result<Backup, StoreError> {
        check_free(folder)?;
        let made = beside(folder, "new")?;
        remove(&made)?;
        fs::create_dir_all(&made).map_err(storage)?;
        let counters = {
            let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
            let counters = meta::counters(&*self.backend.snapshot())?;
            self.backend.link_to(&made.join(LINKS))?;
            counters
        };
        fs::create_dir(made.join(DATA)).map_err(storage)?;
        let mut files = BTreeMap::new();
        for path in files_in(&made.join(LINKS))? {
            let name = format!("{DATA}/{}", name_of(&path));
            let mut to = fs::File::create(made.join(&name)).map_err(storage)?;
            let copied = copy(&mut fs::File::open(&path).map_err(storage)?, &mut to)?;
            to.sync_all().map_err(storage)?;
            files.insert(name, copied);
        }
        remove(&made.join(LINKS))?;
        let at = (counters.seq > 0).then(|| counters.at.to_rfc3339());
        let backup = Backup { form: FORM, seq: counters.seq, at, files };
        let list = serde_json::to_vec_pretty(&backup).map_err(storage)?;
        write_synced(&made.join(LIST), &list)?;
        sync_folder(&made.join(DATA))?;
        rename(&made, folder)?;
        Ok(backup)
    }
}

/// Makes a store of a copy of one, in a folder that is not there yet or is empty. The copy stays as it is. Every file is compared
/// with its hash before there is a store.
///
/// # Errors
/// [`StoreError::NotABackup`] where there is no copy; [`StoreError::Corrupt`] where a file of it is not as it was written;
/// [`StoreError::Exists`] where something is in the folder; [`StoreError::Storage`].
pub fn restore(from: &Path, folder: &Path) -> Result<Backup, StoreError> {
    let backup = list(from)?;
    check_free(folder)?;
    let made = beside(folder, "new")?;
    remove(&made)?;
    fs::create_dir_all(made.join(DATA)).map_err(storage)?;
    for (name, expected) in &backup.files {
        let mut file = match fs::File::open(from.join(name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(StoreError::Corrupt(format!("the backup's file {name:?} is missing")));
            }
            opened => opened.map_err(storage)?,
        };
        let mut to = fs::File::create(made.join(name)).map_err(storage)?;
        let copied = copy(&mut file, &mut to)?;
        to.sync_all().map_err(storage)?;
        if copied != *expected {
            remove(&made)?;
            return Err(StoreError::Corrupt(format!("the backup's file {name:?} is not as it was written")));
        }
    }
    sync_folder(&made.join(DATA))?;
    rename(&made, folder)?;
    Ok(backup)
}

/// Reads what a copy holds.
fn list(from: &Path) -> Result<Backup, StoreError> {
    let bytes = match fs::read(from.join(LIST)) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(StoreError::NotABackup(from.to_owned()));
        }
        read => read.map_err(storage)?,
    };
    let damaged =
        |what: String| StoreError::Corrupt(format!("the backup's list {LIST:?} does not read: {what}"));
    let backup: Backup = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if backup.form != FORM {
        return Err(StoreError::NewerFormat { found: backup.form, supported: FORM });
    }
    let is_ours = |name: &String| {
        let file = name.strip_prefix(DATA).and_then(|rest| rest.strip_prefix('/'));
        file.is_some_and(|file| !file.is_empty() && !file.contains('/') && file != "." && file != "..")
    };
    match backup.files.keys().find(|name| !is_ours(name)) {
        Some(name) => Err(damaged(format!("{name:?} is no file of a store"))),
        None => Ok(backup),
    }
}

/// Refuses a folder in which something is.
fn check_free(folder: &Path) -> Result<(), StoreError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Err(StoreError::Exists(folder.to_owned())),
        read => match read.map_err(storage)?.next() {
            None => Ok(()),
            Some(_) => Err(StoreError::Exists(folder.to_owned())),
        },
    }
}

/// Returns the path of a folder's name with an end, beside it.
fn beside(folder: &Path, end: &str) -> Result<PathBuf, StoreError> {
    let folder = std::path::absolute(folder).map_err(storage)?;
    let Some(name) = folder.file_name() else {
        return Err(StoreError::Exists(folder));
    };
    let mut name = name.to_owned();
    name.push(".");
    name.push(end);
    Ok(folder.with_file_name(name))
}

fn remove(folder: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(storage(error)),
        _ => Ok(()),
    }
}

/// Gives a folder its name, once everything in it is on disk.
fn rename(made: &Path, folder: &Path) -> Result<(), StoreError> {
    sync_folder(made)?;
    // An empty folder gives way.
    fs::rename(made, folder).map_err(storage)?;
    let folder = std::path::absolute(folder).map_err(storage)?;
    folder.parent().map_or(Ok(()), sync_folder)
}

fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(storage)
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut file = fs::File::create(path).map_err(storage)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(storage)
}

/// Copies what is left of a file, and returns how much it was and its hash.
fn copy(from: &mut impl Read, to: &mut impl Write) -> Result<Copied, StoreError> {
    let mut hasher = blake3::Hasher::new();
    let mut block = vec![0; BLOCK];
    let mut bytes = 0;
    loop {
        let n = from.read(&mut block).map_err(storage)?;
        if n == 0 {
            return Ok(Copied { bytes, hash: hasher.finalize().to_hex().to_string() });
        }
        hasher.update(&block[..n]);
        to.write_all(&block[..n]).map_err(storage)?;
        bytes += n as u64;
    }
}

/// Returns the files in a folder, in order.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(storage)? {
        let path = entry.map_err(storage)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn storage(error: impl std::fmt::Display) -> StoreError {
    StoreError::Storage(error.to_string())
}
