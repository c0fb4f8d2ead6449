//! A machine that stops at any moment of writing leaves what was committed last, whole.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, TerminatingWrite, WatchCallback, WatchHandle,
    WritePtr,
};
use tantivy::{Index, IndexSettings};
use tempfile::TempDir;

use super::super::disk::schema;
use super::super::sealed::Sealed;
use super::*;

/// A folder of which a copy is taken after each step: what would be there if the machine stopped then.
#[derive(Clone, Debug)]
struct Watched {
    folder: PathBuf,
    sealed: Sealed,
    copies: Arc<Mutex<Vec<TempDir>>>,
}

impl Watched {
    /// Takes a step and a copy; no other step comes between.
    fn step<T>(&self, step: impl FnOnce() -> T) -> T {
        let mut copies = self.copies.lock().unwrap();
        let done = step();
        copies.push(self.copied());
        done
    }

    fn copied(&self) -> TempDir {
        let copy = tempfile::tempdir().unwrap();
        for name in names(&self.folder) {
            let (from, to) = (self.folder.join(&name), copy.path().join(&name));
            // What is not finished is no part of any commit, whatever comes to stand in it.
            if name.starts_with("meta") {
                fs_err::copy(from, to).unwrap();
            } else {
                fs_err::hard_link(from, to).unwrap();
            }
        }
        copy
    }
}

impl Directory for Watched {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.sealed.get_file_handle(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.sealed.exists(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.step(|| self.sealed.delete(path))
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let inner = self.step(|| self.sealed.open_write(path))?;
        Ok(WritePtr::new(Box::new(Writing { inner, folder: self.clone() })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.sealed.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.step(|| fs_err::write(self.folder.join("meta.json.new"), &data[..data.len() / 2]))?;
        self.step(|| self.sealed.atomic_write(path, data))
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.sealed.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.sealed.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.sealed.watch(callback)
    }
}

struct Writing {
    inner: WritePtr,
    folder: Watched,
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl TerminatingWrite for Writing {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        let Writing { inner, folder } = self;
        folder.step(|| inner.terminate_ref(token))
    }
}

#[test]
fn a_stop_at_any_moment_leaves_what_was_committed() {
    // As many as are merged.
    let all = batches(8);
    let folder = tempfile::tempdir().unwrap();
    let sealed = Sealed::anew(folder.path()).unwrap();
    let copies = Arc::default();
    let watched =
        Watched { folder: folder.path().to_owned(), sealed: sealed.clone(), copies: Arc::clone(&copies) };
    let index = Index::create(watched, schema().0, IndexSettings::default()).unwrap();
    let mut disk = Disk::over(index, Some(sealed), Analyzer::default()).unwrap();
    add(&mut disk, &all);
    assert_eq!(disk.segments().len(), 1, "merged");
    drop(disk);

    let copies = std::mem::take(&mut *copies.lock().unwrap());
    let mut n_committed = 0;
    let mut n_of = vec![0; all.len() + 1];
    for (copy, nth) in copies.iter().zip(0..) {
        let Some(mut disk) = kept(copy.path()) else {
            assert_eq!(n_committed, 0, "copy {nth}");
            continue;
        };
        let n_batches = usize::try_from(disk.mark().seq).unwrap();
        assert!(n_batches >= n_committed, "copy {nth}");
        n_committed = n_batches;
        n_of[n_batches] += 1;
        assert_eq!(held(&disk), told(&all[..n_batches]), "copy {nth}");
        disk.check_files().unwrap();
        if nth % 50 == 0 {
            add(&mut disk, &all[n_batches..]);
            assert_eq!(held(&disk), told(&all), "copy {nth}, followed to the end");
            drop(disk);
            assert_eq!(
                kept(copy.path()).map(|disk| held(&disk)),
                Some(told(&all)),
                "copy {nth}, opened again"
            );
        }
    }
    assert!(n_of.iter().all(|n_copies| *n_copies > 0), "{n_of:?}");
}
