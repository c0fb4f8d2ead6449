//! What a store declares itself of predicates, beside what it was opened with, and since which commit.
//!
//! Declarations are text that the layer above understands; here they have a place in recorded time. Each is whole: it
//! replaces the one before.
//!
//! ```text
//! commit        1 … 6      7 … 11              12 …
//! in force      the base   declared in 7       declared in 12
//! ```
//!
//! Invariant: a view of the recorded past derives by what was in force in its last commit, so that it answers for ever as
//! it did then.

use std::ops::Deref;
use std::sync::{Arc, PoisonError};

use super::{Store, meta, read};
use crate::backend::{Batch, Reader, Table, Write};
use crate::codec::encode;
use crate::error::StoreError;
use crate::key::{self, SpaceId};
use crate::record::{Change, Declared, LogEntry};
use crate::semantics::Semantics;
use crate::time::Instant;
use crate::view::RecordedAt;

/// The meanings that were in force, one after another.
pub(super) struct Meanings {
    base: Meaning,
    /// Those that the store declared, in the order of the commits.
    later: Vec<Meaning>,
}

/// What predicates mean from some commit on.
pub(super) struct Meaning {
    from: u64,
    fingerprint: u64,
    semantics: Arc<dyn Semantics>,
}

impl Meaning {
    fn new(from: u64, semantics: Arc<dyn Semantics>) -> Meaning {
        Meaning { from, fingerprint: semantics.fingerprint(), semantics }
    }

    /// Returns the stamp of the definitions.
    pub(super) const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

impl Deref for Meaning {
    type Target = dyn Semantics;

    fn deref(&self) -> &Self::Target {
        &*self.semantics
    }
}

impl Meanings {
    /// Reads what the store declared on the base.
    pub(super) fn read(base: Arc<dyn Semantics>, reader: &dyn Reader) -> Result<Meanings, StoreError> {
        let mut later = Vec::new();
        for Declared { seq, text, .. } in meta::declared(reader)? {
            later.push(Meaning::new(seq, extended(&*base, &text)?));
        }
        Ok(Meanings { base: Meaning::new(0, base), later })
    }

    /// Returns the meaning in force now.
    pub(super) fn latest(&self) -> &Meaning {
        self.later.last().unwrap_or(&self.base)
    }

    /// Returns the meaning in force in a commit.
    pub(super) fn in_commit(&self, seq: u64) -> &Meaning {
        self.later.iter().rev().find(|meaning| meaning.from <= seq).unwrap_or(&self.base)
    }
}

fn extended(base: &dyn Semantics, text: &str) -> Result<Arc<dyn Semantics>, StoreError> {
    base.extended(text).map_err(StoreError::Declarations)
}

impl Store {
    /// Returns what the store declared, the oldest first; the last is in force.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn declared(&self) -> Result<Vec<Declared>, StoreError> {
        meta::declared(&*self.image())
    }

    /// Returns what was in force as a recorded position sees it; `None` where the store had declared nothing yet.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn declared_in(&self, recorded: RecordedAt) -> Result<Option<Declared>, StoreError> {
        let image = self.image();
        let last = read::last_seen(&*image, meta::counters(&*image)?.seq, recorded)?;
        Ok(meta::declared(&*image)?.into_iter().rev().find(|declared| declared.seq <= last))
    }

    /// Declares: from now on predicates mean what the text adds to what the store was opened with, and what is stored
    /// is derived again. Returns the commit; `None` where the text is the one in force.
    ///
    /// Takes time proportional to the store. Where it is cut off after the commit, the next opening derives the rest.
    ///
    /// # Errors
    /// [`StoreError::Declarations`] where the text means nothing; storage errors.
    pub fn declare(&self, text: &str, now: Instant) -> Result<Option<u64>, StoreError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let base = Arc::clone(&self.meanings().base.semantics);
        extended(&*base, text)?;
        let image = self.backend.snapshot();
        let in_force = meta::declared(&*image)?.pop().map_or_else(String::new, |declared| declared.text);
        if in_force == text {
            return Ok(None);
        }
        let mut counters = meta::counters(&*image)?;
        let mut batch = Batch::default();
        let before = Some(encode(&counters));
        batch.expected.push(Write { table: Table::Meta, key: b"counters".to_vec(), value: before });
        counters.advance(now)?;
        let declared = Declared { seq: counters.seq, at: counters.at, text: text.to_owned() };
        meta::put_declared(&mut batch, &declared);
        let entry = LogEntry { space: SpaceId::NONE, at: counters.at, change: Change::Declared };
        batch.put(Table::Log, key::log(counters.seq), encode(&entry));
        meta::put_counters(&mut batch, &counters);
        drop(image);
        self.backend.commit(&batch)?;
        let meanings = Arc::new(Meanings::read(base, &*self.backend.snapshot())?);
        *self.meanings.write().unwrap_or_else(PoisonError::into_inner) = meanings;
        self.derive_all()?;
        Ok(Some(counters.seq))
    }

    /// Returns the meanings as they are at this moment.
    pub(super) fn meanings(&self) -> Arc<Meanings> {
        Arc::clone(&self.meanings.read().unwrap_or_else(PoisonError::into_inner))
    }
}
