//! Copies of a whole store in a folder: made while it is in use, checked file by file before one becomes a store again.
//!
//! ```text
//! DIR/
//! ├── BACKUP   JSON: what the copy is of, and of each file its length and its hash
//! └── files/   the storage's own files
//! ```
//!
//! The indexes are not in it: they are made from the store by the first search. It is no store, so that none is opened, and
//! changed, by its name.
//!
//! Invariants: what bears the name of the folder is whole, since it is renamed to it last; nothing is copied over, and nothing
//! is removed that was not made here.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::{Store, meta};
use crate::durable;
use crate::error::StoreError;

/// The file that says what a copy holds.
const LIST: &str = "BACKUP";
/// The folder of the storage's files in a copy.
const FILES: &str = "files";
/// The same in a store.
const DATA: &str = "data";
/// The folder of links to the store's own files, while they are copied.
const LINKS: &str = "links";
/// The version of the list's form.
const FORM: u32 = 1;
/// Bytes that are copied at a time.
const BLOCK: usize = 1 << 20;

/// What a copy of a store is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// The version of this form.
    form: u32,
    /// The last commit in it.
    pub seq: u64,
    /// When that commit was made; `None` before the first.
    pub at: Option<String>,
    /// The files by name.
    files: BTreeMap<String, Copied>,
    /// The BLAKE3 hash of the list as it is written where this is empty.
    seal: String,
}

/// A file as it was copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Copied {
    bytes: u64,
    /// Its BLAKE3 hash, in hexadecimal digits.
    hash: String,
}

/// What every form of the list has.
#[derive(Deserialize)]
struct OfAny {
    form: u32,
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

    fn sealed(self) -> Result<Backup, StoreError> {
        let open = Backup { seal: String::new(), ..self };
        let seal = blake3::hash(&open.to_bytes()?).to_hex().to_string();
        Ok(Backup { seal, ..open })
    }

    fn to_bytes(&self) -> Result<Vec<u8>, StoreError> {
        serde_json::to_vec_pretty(self).map_err(storage)
    }
}

impl Store {
    /// Copies the store, as it is after its last commit, into a folder that is not there yet or is empty. Others read on
    /// meanwhile; commits wait while the storage's files are gathered, not while they are copied.
    ///
    /// # Errors
    /// [`StoreError::Exists`] where something is in the folder, [`StoreError::InTheWay`] beside it; [`StoreError::Within`] where
    /// it lies in the store's; [`StoreError::Storage`] where it cannot be written, or the storage is one in memory.
    pub fn back_up(&self, folder: &Path) -> Result<Backup, StoreError> {
        make(folder, self.backend.folder(), |made| {
            let links = made.join(LINKS);
            let counters = {
                let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
                let counters = meta::counters(&*self.backend.snapshot())?;
                self.backend.link_to(&links)?;
                counters
            };
            let to = made.join(FILES);
            fs::create_dir(&to).map_err(storage)?;
            let mut files = BTreeMap::new();
            for path in files_in(&links)? {
                let name = name_of(&path);
                let copied = copy(fs::File::open(&path).map_err(storage)?, &to.join(&name))?;
                files.insert(name, copied);
            }
            remove(&links)?;
            sync_folder(&to)?;
            let at = (counters.seq > 0).then(|| counters.at.to_rfc3339());
            let backup = Backup { form: FORM, seq: counters.seq, at, files, seal: String::new() }.sealed()?;
            write_synced(&made.join(LIST), &backup.to_bytes()?)?;
            Ok(backup)
        })
    }
}

/// Makes a store of a copy of one, in a folder that is not there yet or is empty. The copy stays as it is. Every file is compared
/// with its hash before there is a store.
///
/// # Errors
/// [`StoreError::NotABackup`] where there is no copy; [`StoreError::Corrupt`] where a file of it is not as it was written;
/// [`StoreError::Exists`] where something is in the folder, [`StoreError::InTheWay`] beside it; [`StoreError::Within`] where it
/// lies in the copy; [`StoreError::Storage`].
pub fn restore(from: &Path, folder: &Path) -> Result<Backup, StoreError> {
    let backup = list(from)?;
    make(folder, Some(from), |made| {
        let to = made.join(DATA);
        fs::create_dir(&to).map_err(storage)?;
        for (name, expected) in &backup.files {
            let file = match fs::File::open(from.join(FILES).join(name)) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Err(StoreError::Corrupt(format!("the backup's file {name:?} is missing")));
                }
                opened => opened.map_err(storage)?,
            };
            if copy(file, &to.join(name))? != *expected {
                return Err(StoreError::Corrupt(format!(
                    "the backup's file {name:?} is not as it was written"
                )));
            }
        }
        sync_folder(&to)
    })?;
    Ok(backup)
}

/// Says whether a folder looks like a copy of a store.
pub fn is_backup(folder: &Path) -> bool {
    folder.join(LIST).is_file()
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
    let of_any: OfAny = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if of_any.form > FORM {
        return Err(StoreError::NewerCopy { found: of_any.form, supported: FORM });
    }
    let backup: Backup = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if backup.clone().sealed()? != backup {
        return Err(damaged("it is not as it was written".to_owned()));
    }
    let is_ours = |name: &String| !name.is_empty() && !name.contains('/') && name != "." && name != "..";
    match backup.files.keys().find(|name| !is_ours(name)) {
        Some(name) => Err(damaged(format!("{name:?} is no file of a store"))),
        None => Ok(backup),
    }
}

/// Makes a folder, whole or not at all: what fills it gets another one beside it, which is given its name last. What a copy is
/// made of admits no others than the copy does.
fn make<T>(
    folder: &Path,
    of: Option<&Path>,
    fill: impl FnOnce(&Path) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let folder = &free(folder)?;
    if let Some(of) = of {
        check_outside(folder, of)?;
    }
    let Some(above) = folder.parent() else { return Err(StoreError::Exists(folder.clone())) };
    durable::make_folders(above).map_err(storage)?;
    let made = beside(folder)?;
    match fs::create_dir(&made) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(StoreError::InTheWay(made)),
        created => created.map_err(storage)?,
    }
    let filled = admit_as(&made, of).and_then(|()| fill(&made)).and_then(|filled| {
        sync_folder(&made)?;
        // An empty folder gives way.
        match fs::rename(&made, folder) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                Err(StoreError::Exists(folder.clone()))
            }
            renamed => renamed.map_err(storage),
        }?;
        sync_folder(above)?;
        Ok(filled)
    });
    if filled.is_err() {
        // What failed is told; that its parts cannot be removed as well is not.
        remove(&made).unwrap_or_default();
    }
    filled
}

/// Admits to a folder whom another one admits.
fn admit_as(folder: &Path, other: Option<&Path>) -> Result<(), StoreError> {
    let Some(other) = other else { return Ok(()) };
    let mut admitted = fs::metadata(other).map_err(storage)?.permissions();
    // One that is kept from being written admits its owner all the same while it is made.
    admitted.set_mode(admitted.mode() | 0o700);
    fs::set_permissions(folder, admitted).map_err(storage)
}

/// Returns where a folder is that is not there yet or is empty, whatever links lead to it.
fn free(folder: &Path) -> Result<PathBuf, StoreError> {
    if let Err(error) = fs::symlink_metadata(folder) {
        return match error.kind() {
            ErrorKind::NotFound => std::path::absolute(folder).map_err(storage),
            ErrorKind::NotADirectory => Err(StoreError::Exists(folder.to_owned())),
            _ => Err(storage(error)),
        };
    }
    let is_empty = match fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotADirectory | ErrorKind::NotFound) => false,
        read => read.map_err(storage)?.next().is_none(),
    };
    if is_empty {
        fs::canonicalize(folder).map_err(storage)
    } else {
        Err(StoreError::Exists(folder.to_owned()))
    }
}

/// Refuses a folder within another one.
fn check_outside(folder: &Path, of: &Path) -> Result<(), StoreError> {
    let of = fs::canonicalize(of).map_err(storage)?;
    let is_within = |above: &Path| fs::canonicalize(above).is_ok_and(|above| above.starts_with(&of));
    if folder.ancestors().any(is_within) {
        return Err(StoreError::Within { folder: folder.to_owned(), of });
    }
    Ok(())
}

/// Returns the name beside a folder's under which it is made.
fn beside(folder: &Path) -> Result<PathBuf, StoreError> {
    let Some(name) = folder.file_name() else {
        return Err(StoreError::Exists(folder.to_owned()));
    };
    let mut name = name.to_owned();
    name.push(".new");
    Ok(folder.with_file_name(name))
}

fn remove(folder: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(storage(error)),
        _ => Ok(()),
    }
}

fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    durable::sync_folder(folder).map_err(storage)
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut file = fs::File::create(path).map_err(storage)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(storage)
}

/// Copies a file, durably, and returns how much it was and its hash.
fn copy(mut from: impl Read, path: &Path) -> Result<Copied, StoreError> {
    let mut to = fs::File::create(path).map_err(storage)?;
    let mut hasher = blake3::Hasher::new();
    let mut block = vec![0; BLOCK];
    let mut bytes = 0;
    loop {
        let n = from.read(&mut block).map_err(storage)?;
        if n == 0 {
            to.sync_all().map_err(storage)?;
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
