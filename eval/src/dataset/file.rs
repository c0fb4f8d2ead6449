//! How a data set's file is read: a JSON list, plain or packed by gzip, element by element.
//!
//! Invariant: one element is held at a time, whatever the size of the file.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use fs_err::File;
use serde::de::{Deserializer as _, Error as _, SeqAccess, Visitor};
use serde_json::Value;

use crate::error::EvalError;

/// The first bytes of what gzip packs: RFC 1952, section 2.3.1.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// An element of a data set's list, and how far the file was read for it.
#[derive(Debug)]
pub struct Element {
    /// Its place, from 0.
    pub index: usize,
    /// What stands there.
    pub value: Value,
    /// Bytes read of the file so far, packed ones where it is packed.
    pub n_bytes: u64,
}

impl Element {
    /// Says that what stands there has not the shape that it ought to have.
    pub(crate) fn refused(&self, path: &Path, reason: &str) -> EvalError {
        EvalError::Shape { path: path.to_owned(), reason: format!("element {}: {reason}", self.index) }
    }
}

/// Hands on the elements of a file until `each` breaks off.
///
/// # Errors
/// [`EvalError::Unreadable`], and [`EvalError::Shape`] where the file is no JSON list.
pub fn elements(path: &Path, each: &mut dyn FnMut(Element) -> ControlFlow<()>) -> Result<(), EvalError> {
    let n_bytes = Arc::new(AtomicU64::new(0));
    let file = File::open(path).map_err(EvalError::Unreadable)?;
    let mut packed = BufReader::new(Counting { inner: file, n_bytes: Arc::clone(&n_bytes) });
    let is_gzip = packed.fill_buf().map_err(EvalError::Unreadable)?.starts_with(&GZIP);
    let plain: Box<dyn Read> =
        if is_gzip { Box::new(BufReader::new(MultiGzDecoder::new(packed))) } else { Box::new(packed) };
    let mut deserializer = serde_json::Deserializer::from_reader(plain);
    let mut is_left = false;
    let list = List { each, n_bytes: &n_bytes, is_left: &mut is_left };
    let read = deserializer.deserialize_seq(list).and_then(|()| deserializer.end());
    match read {
        Err(error) if !is_left => Err(match error.classify() {
            serde_json::error::Category::Io => EvalError::Unreadable(error.into()),
            _ => EvalError::Shape { path: path.to_owned(), reason: error.to_string() },
        }),
        _ => Ok(()),
    }
}

/// Returns the size of a file, for a bar.
///
/// # Errors
/// [`EvalError::Unreadable`].
pub fn size(path: &Path) -> Result<u64, EvalError> {
    let metadata = File::open(path).and_then(|file| file.metadata());
    metadata.map(|metadata| metadata.len()).map_err(EvalError::Unreadable)
}

struct Counting<R> {
    inner: R,
    n_bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(buffer)?;
        self.n_bytes.fetch_add(n_read as u64, Ordering::Relaxed);
        Ok(n_read)
    }
}

struct List<'e> {
    each: &'e mut dyn FnMut(Element) -> ControlFlow<()>,
    n_bytes: &'e AtomicU64,
    /// Whether `each` broke off, in which case what comes after is nobody's matter.
    is_left: &'e mut bool,
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(value) = list.next_element()? {
            let n_bytes = self.n_bytes.load(Ordering::Relaxed);
            if (self.each)(Element { index, value, n_bytes }).is_break() {
                *self.is_left = true;
                return Err(A::Error::custom("left"));
            }
            index += 1;
        }
        Ok(())
    }
}
