//! How a data set's file is read: a JSON list, plain or packed by gzip, element by element.
//!
//! Invariant: one element is held at a time, whatever the size of the file.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use fs_err::File;
use serde::de::{Deserializer as _, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::EvalError;

/// The first bytes of what gzip packs: RFC 1952, section 2.3.1.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Which file it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// Its name, without folders.
    pub file: String,
    /// The BLAKE3 hash of what it holds, unpacked, in hexadecimal digits.
    pub hash: String,
    /// How many bytes that is.
    pub bytes: u64,
}

/// An element of a data set's list.
#[derive(Debug)]
pub struct Element {
    /// Its place, from 0.
    pub index: usize,
    /// What stands there.
    pub value: Value,
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
    let mut deserializer = serde_json::Deserializer::from_reader(open(path)?);
    let mut is_left = false;
    let list = List { each, is_left: &mut is_left };
    let read = deserializer.deserialize_seq(list).and_then(|()| deserializer.end());
    match read {
        Err(error) if !is_left => Err(match error.classify() {
            serde_json::error::Category::Io => EvalError::Unreadable(error.into()),
            _ => EvalError::Shape { path: path.to_owned(), reason: error.to_string() },
        }),
        _ => Ok(()),
    }
}

/// Returns which file it is: a packed one is known by what it holds.
///
/// # Errors
/// [`EvalError::Unreadable`].
pub fn identify(path: &Path) -> Result<Data, EvalError> {
    let mut plain = open(path)?;
    let mut hasher = blake3::Hasher::new();
    let bytes = io::copy(&mut plain, &mut hasher).map_err(EvalError::Unreadable)?;
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Data { file, hash: hasher.finalize().to_hex().to_string(), bytes })
}

/// Opens a file, to be read as it is unpacked.
fn open(path: &Path) -> Result<Box<dyn Read>, EvalError> {
    let file = File::open(path).map_err(EvalError::Unreadable)?;
    let mut packed = BufReader::new(file);
    let is_gzip = packed.fill_buf().map_err(EvalError::Unreadable)?.starts_with(&GZIP);
    Ok(if is_gzip { Box::new(BufReader::new(MultiGzDecoder::new(packed))) } else { Box::new(packed) })
}

struct List<'e> {
    each: &'e mut dyn FnMut(Element) -> ControlFlow<()>,
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
            if (self.each)(Element { index, value }).is_break() {
                *self.is_left = true;
                return Err(A::Error::custom("left"));
            }
            index += 1;
        }
        Ok(())
    }
}
