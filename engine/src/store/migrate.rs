//! Bringing a store from the format in which it was written to the one that is written today, a step for each version.
//!
//! ```text
//!            begins                            ends
//! format n ─ a commit ─▶ format n+1, under way ─ a commit ─▶ format n+1
//!                         ╰ the change: any number of commits, done again from its start after a kill
//! ```
//!
//! A step need not derive anything: one that changes how facts are kept removes the stamp of the definitions with its change, and
//! the opening derives all of them again. The indexes beside a store have versions of their own.
//!
//! Invariants: a store whose step is under way bears the later number, so that no older program takes it for one of its own; a
//! change can be done twice, since it begins again wherever it was cut off; what does not fit is refused before anything is
//! written.

use super::meta::{self, FORMAT_VERSION};
use crate::backend::{Backend, Batch, Reader};
use crate::error::StoreError;

/// What leads from one version of the format to the next.
pub(super) struct Step {
    /// Refuses a store of the earlier version that the step does not know.
    accept: fn(&dyn Reader) -> Result<(), StoreError>,
    /// Changes what is stored.
    change: fn(&dyn Backend) -> Result<(), StoreError>,
}

/// The steps, by the version that each leads away from.
pub(super) const STEPS: [Step; FORMAT_VERSION as usize] = [Step { accept: is_last_layout, change: freeze }];

/// Which of the layouts of version 0 became version 1.
const LAST_LAYOUT: u32 = 2;

/// Version 0 had several layouts, and the earlier ones are read by nothing of today.
fn is_last_layout(reader: &dyn Reader) -> Result<(), StoreError> {
    match meta::layout(reader)? {
        LAST_LAYOUT => Ok(()),
        found => Err(StoreError::OlderLayout { found, supported: LAST_LAYOUT }),
    }
}

/// Version 1 is the last layout of version 0 by its own name.
fn freeze(backend: &dyn Backend) -> Result<(), StoreError> {
    let mut batch = Batch::default();
    meta::remove_layout(&mut batch);
    backend.commit(&batch)
}

/// What a store's format was when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The storage was empty.
    Nothing,
    /// A store, which has the format of today now, and had this one.
    Format(u32),
}

/// Brings the store in the storage to the version that the steps lead to.
///
/// # Errors
/// [`StoreError::NewerFormat`] where it has a later one; whatever the steps refuse, or cannot write.
pub(super) fn bring_up(backend: &dyn Backend, steps: &[Step]) -> Result<Found, StoreError> {
    let newest = u32::try_from(steps.len()).map_err(|_| StoreError::corrupt("there are too many steps"))?;
    let image = backend.snapshot();
    let Some(found) = meta::format(&*image)? else { return Ok(Found::Nothing) };
    if found > newest {
        return Err(StoreError::NewerFormat { found, supported: newest });
    }
    let is_under_way = meta::is_step_under_way(&*image)?;
    drop(image);
    let mut version = found;
    if is_under_way {
        let before =
            version.checked_sub(1).ok_or_else(|| StoreError::corrupt("no step leads to format 0"))?;
        if let Some(step) = steps.get(before as usize) {
            finish(backend, step, version)?;
        }
    }
    for step in &steps[version as usize..] {
        (step.accept)(&*backend.snapshot())?;
        version += 1;
        let mut begins = Batch::default();
        meta::put_format(&mut begins, version);
        meta::put_step_under_way(&mut begins, true);
        backend.commit(&begins)?;
        finish(backend, step, version)?;
    }
    Ok(Found::Format(if is_under_way { found - 1 } else { found }))
}

fn finish(backend: &dyn Backend, step: &Step, version: u32) -> Result<(), StoreError> {
    (step.change)(backend)?;
    let mut ends = Batch::default();
    meta::put_format(&mut ends, version);
    meta::put_step_under_way(&mut ends, false);
    backend.commit(&ends)
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::backend::{ByteSearch, Memory, Pair, Table};

    /// Storage that takes so many commits and no more.
    struct CutOff {
        inner: Memory,
        n_left: AtomicUsize,
    }

    impl CutOff {
        fn new() -> CutOff {
            CutOff { inner: Memory::new(), n_left: AtomicUsize::new(usize::MAX) }
        }

        fn let_commit(&self, n_commits: usize) {
            self.n_left.store(n_commits, Ordering::SeqCst);
        }

        fn pairs(&self, table: Table) -> Vec<Pair> {
            let pairs = self.inner.snapshot();
            pairs.scan(table, Bound::Unbounded, Bound::Unbounded).map(Result::unwrap).collect()
        }
    }

    impl Backend for CutOff {
        fn snapshot(&self) -> Box<dyn Reader + '_> {
            self.inner.snapshot()
        }

        fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
            let one_less = |left: usize| left.checked_sub(1);
            match self.n_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less) {
                Ok(_) => self.inner.commit(batch),
                Err(_) => Err(StoreError::Storage("cut off".to_owned())),
            }
        }

        fn purge(&self) -> Result<(), StoreError> {
            self.inner.purge()
        }

        fn search(&self, needles: &[Vec<u8>]) -> Result<ByteSearch, StoreError> {
            self.inner.search(needles)
        }

        fn folder(&self) -> Option<&Path> {
            self.inner.folder()
        }

        fn link_to(&self, folder: &Path) -> Result<(), StoreError> {
            self.inner.link_to(folder)
        }

        fn size(&self) -> Result<u64, StoreError> {
            self.inner.size()
        }
    }

    /// Appends an `x` to the values of a table that have none, one commit each.
    fn mark(backend: &dyn Backend) -> Result<(), StoreError> {
        let pairs: Vec<Pair> = backend
            .snapshot()
            .scan(Table::Entities, Bound::Unbounded, Bound::Unbounded)
            .collect::<Result<_, _>>()?;
        for (key, value) in pairs.into_iter().filter(|(_, value)| !value.ends_with(b"x")) {
            let mut batch = Batch::default();
            batch.put(Table::Entities, key.to_vec(), [&value[..], b"x"].concat());
            backend.commit(&batch)?;
        }
        Ok(())
    }

    /// Moves a table's values to another one, one commit each.
    fn shift(backend: &dyn Backend) -> Result<(), StoreError> {
        let pairs: Vec<Pair> = backend
            .snapshot()
            .scan(Table::Entities, Bound::Unbounded, Bound::Unbounded)
            .collect::<Result<_, _>>()?;
        for (key, value) in pairs {
            let mut batch = Batch::default();
            batch.put(Table::Names, key.to_vec(), value.to_vec());
            batch.remove(Table::Entities, key.to_vec());
            backend.commit(&batch)?;
        }
        Ok(())
    }

    /// A store of the last layout of version 0, with three rows.
    fn of_version_0(backend: &dyn Backend, layout: u32) {
        let mut batch = Batch::default();
        meta::put_format(&mut batch, 0);
        batch.put(Table::Meta, b"layout".to_vec(), crate::codec::encode(&layout));
        for row in ["a", "b", "c"] {
            batch.put(Table::Entities, row.into(), row.into());
        }
        backend.commit(&batch).unwrap();
    }

    #[test]
    fn steps_cut_off_after_any_commit_are_gone_on_with() {
        let steps = [
            Step { accept: is_last_layout, change: freeze },
            Step { accept: |_| Ok(()), change: mark },
            Step { accept: |_| Ok(()), change: shift },
        ];
        let whole = CutOff::new();
        of_version_0(&whole, LAST_LAYOUT);
        assert_eq!(bring_up(&whole, &steps).unwrap(), Found::Format(0));
        assert_eq!(whole.pairs(Table::Names).iter().filter(|(_, value)| value.ends_with(b"x")).count(), 3);
        assert_eq!(meta::format(&*whole.snapshot()).unwrap(), Some(3));
        let n_commits = 3 * 2 + 1 + 3 + 3;
        for first in 0..n_commits {
            for then in 0..3 {
                let cut = CutOff::new();
                of_version_0(&cut, LAST_LAYOUT);
                for n_left in [first, then] {
                    cut.let_commit(n_left);
                    let ended = bring_up(&cut, &steps);
                    assert!(ended.is_err() || n_left >= 3 || first >= n_commits - 3, "{first}, {then}");
                    // It is of one version, and an older program takes it for its own only while nothing has changed.
                    let format = meta::format(&*cut.snapshot()).unwrap().unwrap();
                    assert!(format > 0 || (cut.pairs(Table::Names).is_empty() && n_left == 0), "{format}");
                }
                cut.let_commit(usize::MAX);
                bring_up(&cut, &steps).unwrap();
                for &table in Table::ALL {
                    assert_eq!(cut.pairs(table), whole.pairs(table), "{first}, {then}: {}", table.name());
                }
            }
        }
    }

    #[test]
    fn what_is_of_today_is_left_as_it_is() {
        let backend = CutOff::new();
        of_version_0(&backend, LAST_LAYOUT);
        bring_up(&backend, &STEPS).unwrap();
        backend.let_commit(0);
        assert_eq!(bring_up(&backend, &STEPS).unwrap(), Found::Format(FORMAT_VERSION));
        assert_eq!(bring_up(&CutOff::new(), &STEPS).unwrap(), Found::Nothing);
    }

    #[test]
    fn what_is_newer_or_of_an_earlier_layout_is_refused_and_left_as_it_is() {
        let backend = CutOff::new();
        of_version_0(&backend, 1);
        backend.let_commit(0);
        let refused = bring_up(&backend, &STEPS).unwrap_err();
        assert!(matches!(refused, StoreError::OlderLayout { found: 1, supported: 2 }), "{refused}");
        let backend = CutOff::new();
        let mut batch = Batch::default();
        meta::put_format(&mut batch, FORMAT_VERSION + 1);
        // What a later version's step left does not matter to this one.
        meta::put_step_under_way(&mut batch, true);
        backend.commit(&batch).unwrap();
        backend.let_commit(0);
        let refused = bring_up(&backend, &STEPS).unwrap_err();
        assert!(matches!(refused, StoreError::NewerFormat { found: 2, supported: 1 }), "{refused}");
    }
}
