//! A version of a document as the value of a row.
//!
//! ```text
//! 0 │ kind 1 │ sequence │ known instant │ when it runs out, of kind 2 │ bytes      kind: 0 removed, 1 kept, 2 kept until
//! ```
//!
//! Numbers are LEB128, instants are microseconds, signed and folded.

use super::{Content, Version};
use crate::error::StoreError;
use crate::time::Instant;
use crate::varint::{Varints, put, put_signed};

const FORMAT: u8 = 0;
const REMOVED: u8 = 0;
const KEPT: u8 = 1;
const KEPT_UNTIL: u8 = 2;

/// A row's value.
pub(crate) struct Row;

impl Row {
    pub(crate) fn encode(seq: u64, at: Instant, content: Option<&Content>) -> Vec<u8> {
        let mut row = Vec::with_capacity(24 + content.map_or(0, |content| content.bytes.len()));
        row.push(FORMAT);
        let expires = content.and_then(|content| content.expires);
        row.push(match (content, expires) {
            (None, _) => REMOVED,
            (Some(_), None) => KEPT,
            (Some(_), Some(_)) => KEPT_UNTIL,
        });
        put(&mut row, seq);
        put_signed(&mut row, at.micros());
        if let Some(expires) = expires {
            put_signed(&mut row, expires.micros());
        }
        if let Some(content) = content {
            row.extend_from_slice(&content.bytes);
        }
        row
    }

    /// # Errors
    /// [`StoreError::Corrupt`].
    pub(crate) fn decode(row: &[u8]) -> Result<Version, StoreError> {
        Row::read(row).ok_or_else(|| StoreError::corrupt("a version of a document does not decode"))
    }

    fn read(row: &[u8]) -> Option<Version> {
        let mut read = Varints::new(row);
        let is_format = read.byte()? == FORMAT;
        let kind = read.byte().filter(|_| is_format)?;
        let seq = read.number()?;
        let at = Instant::from_raw(read.signed()?);
        let expires = if kind == KEPT_UNTIL { Some(Instant::from_raw(read.signed()?)) } else { None };
        let bytes = read.rest();
        let content = match kind {
            REMOVED if bytes.is_empty() => None,
            KEPT | KEPT_UNTIL => Some(Content { bytes: bytes.to_vec(), expires }),
            _ => return None,
        };
        Some(Version { seq, at, content })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn versions_read_back(seq: u64, at: i64, bytes: Option<Vec<u8>>, expires: Option<i64>) {
            let content = bytes.map(|bytes| Content { bytes, expires: expires.map(Instant::from_raw) });
            let version = Version { seq, at: Instant::from_raw(at), content };
            let row = Row::encode(version.seq, version.at, version.content.as_ref());
            prop_assert_eq!(Row::decode(&row).expect("a version"), version);
        }

        #[test]
        fn whatever_the_bytes_nothing_panics(bytes: Vec<u8>) {
            drop(Row::decode(&bytes));
        }
    }

    #[test]
    fn damage_is_seen() {
        let whole = Row::encode(7, Instant::from_raw(9), None);
        for row in
            [&[][..], &[0], &whole[..2], &[whole.as_slice(), b"x"].concat(), &[1, 1, 7, 9], &[0, 3, 7, 9]]
        {
            assert!(Row::decode(row).is_err(), "{row:?}");
        }
    }
}
