//! The folder of the index as tantivy reads and writes it: what is read is what was written, or an error.
//!
//! tantivy takes it for granted that its files are whole and go together: where one is cut short, changed, or another
//! segment's, it finds too little, or panics. So every file is hashed while it is written, and the one that makes a commit
//! carries the hashes of all others:
//!
//! ```text
//! meta.json
//!   what tantivy writes: its segments, our payload
//!   hashes of the files by name, as JSON on one line
//!   BLAKE3 hash of all that, on one line
//! ```
//!
//! Invariant: a file is read whole, once, and compared with its hash; from then on its bytes are in memory. What happens to
//! the folder while it is open is never seen.
//! No lock is kept: the store admits one process, and its mutex one thread at a time.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use fs_err as fs;
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, OwnedBytes, TerminatingWrite, WatchCallback, WatchHandle,
    WritePtr,
};

use crate::own;

/// The file that makes a commit.
const META: &str = "meta.json";
/// The same while it is written.
const NEW_META: &str = "meta.json.new";
/// The list that tantivy keeps of the files it may remove. It is not written: which files there are is known.
const MANAGED: &str = ".managed.json";

type Hash = [u8; 32];

/// A folder whose files are sealed.
#[derive(Clone, Debug)]
pub(super) struct Sealed {
    folder: Arc<PathBuf>,
    files: Arc<Mutex<Files>>,
}

/// What the folder holds.
#[derive(Debug, Default)]
struct Files {
    hashes: BTreeMap<String, Hash>,
    /// What was read, as long as somebody uses it.
    held: BTreeMap<String, Weak<[u8]>>,
    /// What tantivy wrote to [`META`] last.
    meta: Option<Vec<u8>>,
}

impl Sealed {
    /// Makes an empty folder.
    pub(super) fn anew(folder: &Path) -> io::Result<Sealed> {
        own::make(folder)?;
        Ok(Sealed::over(folder, Files::default()))
    }

    /// Opens what a folder holds, and removes files of an index that are not part of it.
    ///
    /// # Errors
    /// Nothing there, or something else than was written.
    pub(super) fn open(folder: &Path) -> io::Result<Sealed> {
        let (meta, hashes) = unsealed(&fs::read(folder.join(META))?).ok_or_else(|| changed(META))?;
        let is_left = |name: &str| is_own(name) && name != META && !hashes.contains_key(name);
        for name in own::names(folder, is_left)? {
            own::remove(&folder.join(name))?;
        }
        Ok(Sealed::over(folder, Files { hashes, held: BTreeMap::new(), meta: Some(meta) }))
    }

    fn over(folder: &Path, files: Files) -> Sealed {
        Sealed { folder: Arc::new(folder.to_owned()), files: Arc::new(Mutex::new(files)) }
    }

    /// Reads files again and returns the names of those that are not what was written, with the one that makes a commit.
    pub(super) fn changed_files(&self, paths: &HashSet<PathBuf>) -> Vec<String> {
        let files = self.files();
        let is_as_written = |name: &String, hash: &Hash| {
            fs::read(self.folder.join(name)).is_ok_and(|bytes| blake3::hash(&bytes) == *hash)
        };
        let asked = files.hashes.iter().filter(|(name, _)| paths.contains(Path::new(name)));
        let mut changed: Vec<String> =
            asked.filter(|(name, hash)| !is_as_written(name, hash)).map(|(name, _)| name.clone()).collect();
        let meta = fs::read(self.folder.join(META)).ok().and_then(|bytes| unsealed(&bytes));
        if meta.map(|(meta, _)| meta) != files.meta {
            changed.push(META.to_owned());
        }
        changed
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bytes(&self, name: &str) -> io::Result<Option<Arc<[u8]>>> {
        let mut files = self.files();
        let Some(hash) = files.hashes.get(name) else { return Ok(None) };
        if let Some(bytes) = files.held.get(name).and_then(Weak::upgrade) {
            return Ok(Some(bytes));
        }
        let bytes = read(&self.folder.join(name))?;
        if blake3::hash(&bytes) != *hash {
            return Err(changed(name));
        }
        files.held.insert(name.to_owned(), Arc::downgrade(&bytes));
        Ok(Some(bytes))
    }
}

/// Reads a file into memory that can be shared, without a second copy.
fn read(path: &Path) -> io::Result<Arc<[u8]>> {
    let mut file = fs::File::open(path)?;
    let n_bytes = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, n_bytes).collect();
    file.read_exact(Arc::get_mut(&mut bytes).expect("it was just made"))?;
    Ok(bytes)
}

fn changed(name: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{name} is not what was written"))
}

/// Says whether a file of an index can have this name: the one that makes a commit, or a part of a segment, which is the
/// segment's number in hexadecimal digits and the part.
pub(super) fn is_own(name: &str) -> bool {
    let is_of_segment = |(segment, part): (&str, &str)| {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        segment.len() == 32
            && segment.bytes().all(is_digit)
            && part.bytes().all(|byte| byte == b'.' || byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name == META || name == NEW_META || name.split_once('.').is_some_and(is_of_segment)
}

/// Returns what makes a commit with the hashes of the files and its own.
fn sealed(meta: &[u8], hashes: &BTreeMap<String, Hash>) -> Vec<u8> {
    let hashes: BTreeMap<&String, String> = hashes
        .iter()
        .map(|(name, hash)| (name, blake3::Hash::from_bytes(*hash).to_hex().to_string()))
        .collect();
    let mut bytes = meta.to_vec();
    bytes.push(b'\n');
    bytes.extend(serde_json::json!(hashes).to_string().bytes());
    bytes.push(b'\n');
    let hash = blake3::hash(&bytes);
    bytes.extend(hash.to_hex().bytes());
    bytes.push(b'\n');
    bytes
}

/// Returns what was sealed; nothing where the seal is broken.
fn unsealed(bytes: &[u8]) -> Option<(Vec<u8>, BTreeMap<String, Hash>)> {
    let is_newline = |byte: &u8| *byte == b'\n';
    let bytes = bytes.strip_suffix(b"\n")?;
    let (body, hash) = bytes.split_at(bytes.iter().rposition(is_newline)? + 1);
    if blake3::hash(body) != blake3::Hash::from_hex(hash).ok()? {
        return None;
    }
    let body = body.strip_suffix(b"\n")?;
    let (meta, hashes) = body.split_at(body.iter().rposition(is_newline)?);
    let hashes: BTreeMap<String, String> = serde_json::from_slice(hashes).ok()?;
    let hash = |(name, hash): (String, String)| Some((name, *blake3::Hash::from_hex(hash).ok()?.as_bytes()));
    Some((meta.to_vec(), hashes.into_iter().map(hash).collect::<Option<_>>()?))
}

/// The name of a file as tantivy asks for it.
fn name(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

fn not_read(path: &Path, error: io::Error) -> OpenReadError {
    OpenReadError::wrap_io_error(error, path.to_owned())
}

impl Directory for Sealed {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match self.bytes(name(path)) {
            Ok(Some(bytes)) => Ok(Arc::new(OwnedBytes::new(bytes))),
            Ok(None) => Err(OpenReadError::FileDoesNotExist(path.to_owned())),
            Err(error) => Err(not_read(path, error)),
        }
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let files = self.files();
        Ok(if name(path) == META { files.meta.is_some() } else { files.hashes.contains_key(name(path)) })
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        own::remove(&self.folder.join(path))
            .map_err(|error| DeleteError::IoError { io_error: Arc::new(error), filepath: path.to_owned() })?;
        let mut files = self.files();
        files.held.remove(name(path));
        match files.hashes.remove(name(path)) {
            Some(_) => Ok(()),
            None => Err(DeleteError::FileDoesNotExist(path.to_owned())),
        }
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let opened = fs::OpenOptions::new().write(true).create_new(true).open(self.folder.join(path));
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        let (name, files) = (name(path).to_owned(), Arc::clone(&self.files));
        Ok(BufWriter::new(Box::new(Sealing { file, hasher: blake3::Hasher::new(), name, files })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let files = self.files();
        let found = match name(path) {
            META => files.meta.clone(),
            MANAGED if files.meta.is_some() => {
                let names: Vec<&String> = files.hashes.keys().collect();
                Some(serde_json::json!(names).to_string().into_bytes())
            }
            _ => None,
        };
        found.ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))
    }

    /// Writes what makes a commit. The folder holds the commit before until the new one has its name.
    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        match name(path) {
            META => {
                let mut files = self.files();
                let [new, meta] = [NEW_META, META].map(|name| self.folder.join(name));
                own::clear_the_way(&new)?;
                own::clear_the_way(&meta)?;
                let mut file = fs::File::create(&new)?;
                file.write_all(&sealed(data, &files.hashes))?;
                file.sync_all()?;
                fs::rename(new, meta)?;
                self.sync_directory()?;
                files.meta = Some(data.to_vec());
                Ok(())
            }
            MANAGED => Ok(()),
            other => Err(io::Error::other(format!("nothing is known of a file {other:?}"))),
        }
    }

    fn sync_directory(&self) -> io::Result<()> {
        fs::File::open(&*self.folder)?.sync_all()
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

/// A file that is being written.
struct Sealing {
    file: fs::File,
    hasher: blake3::Hasher,
    name: String,
    files: Arc<Mutex<Files>>,
}

impl Write for Sealing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..n_written]);
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl TerminatingWrite for Sealing {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.file.sync_data()?;
        let hash = *self.hasher.finalize().as_bytes();
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.hashes.insert(self.name.clone(), hash);
        Ok(())
    }
}
