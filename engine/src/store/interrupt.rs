//! Stopping long work from outside: a flag that every read, every step of a scan, every derivation of a view and the
//! start of every commit look at.
//!
//! Invariant: what was begun to be written is written whole; only work that has not reached its commit is given up.

use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::backend::{Pairs, Reader, Table};
use crate::error::StoreError;

/// The flag, where one was handed in.
#[derive(Clone, Default)]
pub(super) struct Interrupt(Option<Arc<AtomicBool>>);

impl Interrupt {
    pub(super) fn by(flag: Arc<AtomicBool>) -> Interrupt {
        Interrupt(Some(flag))
    }

    /// Fails with [`StoreError::Interrupted`] while the flag is up.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match &self.0 {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(StoreError::Interrupted),
            Some(_) | None => Ok(()),
        }
    }

    /// Returns a reader that stops when the flag goes up.
    pub(super) fn around<'a>(&'a self, reader: Box<dyn Reader + 'a>) -> Box<dyn Reader + 'a> {
        match self.0 {
            Some(_) => Box::new(Interruptible { reader, interrupt: self }),
            None => reader,
        }
    }
}

struct Interruptible<'a> {
    reader: Box<dyn Reader + 'a>,
    interrupt: &'a Interrupt,
}

impl Reader for Interruptible<'_> {
    fn read(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.interrupt.check()?;
        self.reader.read(table, key)
    }

    fn scan(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_> {
        let pairs = self.reader.scan(table, from, to);
        Box::new(pairs.map(|pair| self.interrupt.check().and(pair)))
    }

    fn scan_back(&self, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs<'_> {
        let pairs = self.reader.scan_back(table, from, to);
        Box::new(pairs.map(|pair| self.interrupt.check().and(pair)))
    }
}
