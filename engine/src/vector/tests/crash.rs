//! A machine that stops at any step of a flush leaves the state before it or the one after it.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fs_err as fs;

use super::*;
use crate::vector::files::Content;

/// A folder that works for so many steps. The step after those is done in part, and nothing is done from then on.
struct Stopping {
    folder: Folder,
    left: AtomicUsize,
}

enum Next {
    Done,
    Torn,
    Nothing,
}

impl Stopping {
    fn step(&self) -> Next {
        match self.left.load(Ordering::Relaxed) {
            0 => Next::Nothing,
            1 => {
                self.left.store(0, Ordering::Relaxed);
                Next::Torn
            }
            left => {
                self.left.store(left - 1, Ordering::Relaxed);
                Next::Done
            }
        }
    }
}

fn stopped<T>() -> io::Result<T> {
    Err(io::Error::other("the machine stopped"))
}

impl Files for Arc<Stopping> {
    fn names(&self) -> io::Result<Vec<String>> {
        self.folder.names()
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self.folder.read(name)
    }

    fn open(&self, name: &str) -> io::Result<fs::File> {
        self.folder.open(name)
    }

    fn write(&self, name: &str, content: Content<'_>) -> io::Result<()> {
        match self.step() {
            Next::Done => self.folder.write(name, content),
            Next::Torn => {
                let mut bytes = Vec::new();
                content(&mut bytes)?;
                self.folder.write(name, &mut |to: &mut dyn Write| to.write_all(&bytes[..bytes.len() / 2]))?;
                stopped()
            }
            Next::Nothing => stopped(),
        }
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        match self.step() {
            Next::Done => self.folder.rename(from, to),
            Next::Torn => {
                // The name is there, and nobody was told.
                self.folder.rename(from, to)?;
                stopped()
            }
            Next::Nothing => stopped(),
        }
    }

    fn sync(&self) -> io::Result<()> {
        match self.step() {
            Next::Done => self.folder.sync(),
            Next::Torn | Next::Nothing => stopped(),
        }
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match self.step() {
            Next::Done => self.folder.remove(name),
            Next::Torn | Next::Nothing => stopped(),
        }
    }
}

fn stopping(folder: &Path, n_steps: usize) -> (VectorIndex, Arc<Stopping>) {
    let folder = Folder::new(folder).unwrap();
    let files = Arc::new(Stopping { folder, left: AtomicUsize::new(n_steps) });
    match VectorIndex::open_in(Box::new(Arc::clone(&files)), model()).unwrap() {
        Opened::Kept(index) | Opened::Empty { index, .. } => (index, files),
        Opened::OtherModel(held) => panic!("holds {held:?}"),
    }
}

/// What a flush changes: an index of 40 turns, in two segments, becomes this.
fn changes() -> [fn(&mut VectorIndex); 5] {
    [
        // A new segment.
        |index| index.add(turns(40..42), mark(3)).unwrap(),
        // The graph brought up to date.
        |index| index.add(turns(40..45), mark(3)).unwrap(),
        // Segments merged.
        |index| index.add(turns(40..90), mark(3)).unwrap(),
        // All written anew.
        |index| {
            index.remove(SpaceId(1), Kind::Turn, &(0..20).map(id).collect::<Vec<_>>());
            index.add(turns(40..41), mark(3)).unwrap();
        },
        // The manifest alone.
        |index| index.remove(SpaceId(1), Kind::Turn, &[id(5)]),
    ]
}

fn before(folder: &Path) {
    let mut index = open(Some(folder));
    index.add(turns(0..30), mark(1)).unwrap();
    index.flush(Mode::Graph).unwrap();
    index.add(turns(30..40), mark(2)).unwrap();
    index.flush(Mode::Graph).unwrap();
}

#[test]
fn a_stop_at_any_step_leaves_the_old_state_or_the_new_one() {
    for change in changes() {
        let folder = tempfile::tempdir().unwrap();
        before(folder.path());
        let old = (seen(&kept(folder.path())), mark(2));
        let mut index = kept(folder.path());
        change(&mut index);
        index.flush(Mode::Graph).unwrap();
        let new = (seen(&index), index.mark());
        drop(index);

        let mut n_failed = [0, 0];
        for n_steps in 1.. {
            let folder = tempfile::tempdir().unwrap();
            before(folder.path());
            let (mut index, files) = stopping(folder.path(), n_steps);
            change(&mut index);
            let is_done = index.flush(Mode::Graph).is_ok();
            drop(index);
            let index = kept(folder.path());
            let state = (seen(&index), index.mark());
            assert!(state == old || state == new, "after {n_steps} steps");
            assert!(state == new || !is_done, "after {n_steps} steps");
            n_failed[usize::from(state == new)] += usize::from(!is_done);
            // What was half done does not stand in the way.
            let mut index = index;
            index.add(turns(100..110), mark(9)).unwrap();
            index.flush(Mode::Graph).unwrap();
            assert_eq!(seen(&kept(folder.path())), seen(&index));
            if files.left.load(Ordering::Relaxed) > 0 {
                break;
            }
        }
        assert!(n_failed[0] >= 2 && n_failed[1] >= 1, "{n_failed:?}");
    }
}

#[test]
fn a_flush_that_failed_can_be_done_again() {
    for n_steps in 1..8 {
        let folder = tempfile::tempdir().unwrap();
        before(folder.path());
        let (mut index, files) = stopping(folder.path(), n_steps);
        index.add(turns(40..60), mark(3)).unwrap();
        let wanted = seen(&index);
        if index.flush(Mode::Graph).is_err() {
            assert_eq!(seen(&index), wanted, "in memory nothing is lost");
            files.left.store(100, Ordering::Relaxed);
            index.flush(Mode::Graph).unwrap();
        }
        assert_eq!(seen(&index), wanted);
        assert_eq!(seen(&kept(folder.path())), wanted);
    }
}
