//! The keys of a store, in a file.

use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bygone_engine::time::Instant;

use super::{Key, Standing};

/// The file in the store's folder.
const FILE: &str = "keys.json";
/// What is written before it takes the file's place; whoever makes it is alone in changing keys.
const NEW: &str = "keys.json.new";
/// Which form the file has.
const VERSION: u32 = 1;

/// Why keys cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RingError {
    #[error("{} cannot be used: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{} is no file of keys: {why}", .path.display())]
    Form { path: PathBuf, why: String },
    #[error("another command is changing the keys; if none is, remove {}", .0.display())]
    Locked(PathBuf),
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    version: u32,
    keys: Vec<Key>,
}

/// What tells one state of the file from another.
type Stamp = (u64, i64, i64, u64);

/// The file as it was read last.
type Last = (Stamp, Arc<Vec<Key>>);

/// The keys of a store, read again whenever the file was changed.
#[derive(Clone)]
pub(crate) struct Ring {
    folder: PathBuf,
    last: Arc<Mutex<Option<Last>>>,
}

impl Ring {
    /// Returns the keys of the store in a folder.
    pub(crate) fn of(folder: &Path) -> Ring {
        Ring { folder: folder.to_owned(), last: Arc::default() }
    }

    /// Returns the folder of the store.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// Returns the keys in the order in which they were made; none where there is no file.
    pub(crate) fn keys(&self) -> Result<Arc<Vec<Key>>, RingError> {
        let path = self.file();
        let stamp = match fs_err::metadata(&path) {
            Ok(metadata) => (metadata.ino(), metadata.mtime(), metadata.mtime_nsec(), metadata.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Arc::default()),
            Err(error) => return Err(RingError::File { path, error }),
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((read, keys)) = &*last
            && *read == stamp
        {
            return Ok(Arc::clone(keys));
        }
        let bytes = fs_err::read(&path).map_err(|error| RingError::File { path: path.clone(), error })?;
        let form: Form = serde_json::from_slice(&bytes)
            .map_err(|error| RingError::Form { path: path.clone(), why: error.to_string() })?;
        if form.version != VERSION {
            return Err(RingError::Form { path, why: format!("it is of version {}", form.version) });
        }
        let keys = Arc::new(form.keys);
        *last = Some((stamp, Arc::clone(&keys)));
        Ok(keys)
    }

    /// Finds the key whose text this is, and says how it stands.
    pub(crate) fn find(&self, text: &str, now: Instant) -> Result<Option<(Key, Standing)>, RingError> {
        let hash = blake3::hash(text.as_bytes());
        let keys = self.keys()?;
        let found = keys.iter().find(|key| key.is_text(hash));
        Ok(found.map(|key| (key.clone(), key.standing(now))))
    }

    /// Changes the keys, alone in doing so.
    pub(crate) fn change<T, E: From<RingError>>(
        &self,
        change: impl FnOnce(&mut Vec<Key>) -> Result<T, E>,
    ) -> Result<T, E> {
        let new = self.folder.join(NEW);
        let mut options = fs_err::OpenOptions::new();
        options.write(true).create_new(true);
        fs_err::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&new).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => RingError::Locked(new.clone()),
            _ => RingError::File { path: new.clone(), error },
        })?;
        let changed = (|| {
            let mut keys = self.keys()?.to_vec();
            let told = change(&mut keys)?;
            let written = (|| {
                let form = Form { version: VERSION, keys };
                file.write_all(&serde_json::to_vec_pretty(&form).map_err(io::Error::other)?)?;
                file.sync_all()?;
                fs_err::rename(&new, self.file())?;
                fs_err::File::open(&self.folder)?.sync_all()
            })();
            written.map_err(|error| RingError::File { path: self.file(), error })?;
            Ok(told)
        })();
        if changed.is_err() {
            // It has taken the place of the keys, or is not wanted.
            fs_err::remove_file(&new).unwrap_or_default();
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{Chance, Purpose};
    use super::*;
    use crate::verb::Scope;

    fn at(micros: i64) -> Instant {
        Instant::from_micros(micros).unwrap()
    }

    fn purpose(expires: Option<Instant>) -> Purpose {
        Purpose {
            name: "tests".to_owned(),
            scopes: BTreeSet::from([Scope::Read]),
            spaces: BTreeSet::from(["a".to_owned()]),
            expires,
        }
    }

    #[test]
    fn a_key_is_found_by_its_text_and_its_text_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let ring = Ring::of(folder.path());
        let secret = ring
            .change::<_, RingError>(|keys| {
                let (key, secret) = Key::new(purpose(Some(at(10))), &Chance::draw().unwrap(), at(1));
                keys.push(key);
                Ok(secret.to_string())
            })
            .unwrap();
        let (key, standing) = ring.find(&secret, at(9)).unwrap().unwrap();
        assert_eq!((key.name.as_str(), standing), ("tests", Standing::Live));
        assert_eq!(ring.find(&secret, at(10)).unwrap().unwrap().1, Standing::Expired);
        assert!(ring.find(&format!("{secret}x"), at(9)).unwrap().is_none());
        let kept = fs_err::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(!kept.contains(&secret) && !kept.contains(secret.rsplit('_').next().unwrap()));
    }

    #[test]
    fn keys_are_read_again_when_the_file_was_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (ring, other) = (Ring::of(folder.path()), Ring::of(folder.path()));
        let make = |ring: &Ring| {
            ring.change::<_, RingError>(|keys| {
                keys.push(Key::new(purpose(None), &Chance::draw().unwrap(), at(1)).0);
                Ok(())
            })
        };
        make(&ring).unwrap();
        assert_eq!(other.keys().unwrap().len(), 1);
        make(&ring).unwrap();
        assert_eq!(other.keys().unwrap().len(), 2);
    }

    #[test]
    fn a_file_that_is_no_file_of_keys_opens_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join(FILE), "{}").unwrap();
        let ring = Ring::of(folder.path());
        assert!(matches!(ring.find("x", at(1)), Err(RingError::Form { .. })));
        assert!(ring.change::<(), RingError>(|_| Ok(())).is_err());
        assert!(!folder.path().join(NEW).exists());
    }

    #[test]
    fn only_one_changes_keys_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join(NEW), "").unwrap();
        let changed = Ring::of(folder.path()).change::<(), RingError>(|_| Ok(()));
        assert!(matches!(changed, Err(RingError::Locked(_))));
        assert!(folder.path().join(NEW).exists());
    }
}
