//! How records become bytes: one format byte, then bincode. Nothing outside this module names bincode, which is no
//! longer developed; a successor changes this file and the format byte.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;

/// The first byte of every record.
const RECORD_FORMAT: u8 = 0;

/// Encodes a record.
pub(crate) fn encode<T: Serialize>(record: &T) -> Vec<u8> {
    let mut bytes = vec![RECORD_FORMAT];
    bincode::serde::encode_into_std_write(record, &mut bytes, bincode::config::standard())
        .expect("records hold only what bincode can write, and memory takes every byte");
    bytes
}

/// Decodes a record; `what` names it in the error.
pub(crate) fn decode<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T, StoreError> {
    let Some((&format, body)) = bytes.split_first() else {
        return Err(StoreError::corrupt(format!("{what} is empty")));
    };
    if format != RECORD_FORMAT {
        return Err(StoreError::corrupt(format!(
            "{what} has record format {format}, expected {RECORD_FORMAT}"
        )));
    }
    match bincode::serde::decode_from_slice(body, bincode::config::standard()) {
        Ok((record, read)) if read == body.len() => Ok(record),
        Ok((_, read)) => {
            Err(StoreError::corrupt(format!("{what} has {} bytes after its end", body.len() - read)))
        }
        Err(error) => Err(StoreError::corrupt(format!("{what} does not decode: {error}"))),
    }
}

/// Encodes a part of something that has a format byte of its own.
pub(crate) fn encode_part<T: Serialize>(part: &T) -> Vec<u8> {
    bincode::serde::encode_to_vec(part, bincode::config::standard())
        .expect("records hold only what bincode can write, and memory takes every byte")
}

/// Decodes a part of something that has a format byte of its own; `what` names it in the error. Texts may be those of the bytes.
pub(crate) fn decode_part<'a, T: Deserialize<'a>>(what: &str, bytes: &'a [u8]) -> Result<T, StoreError> {
    match bincode::serde::borrow_decode_from_slice(bytes, bincode::config::standard()) {
        Ok((part, read)) if read == bytes.len() => Ok(part),
        Ok((_, read)) => {
            Err(StoreError::corrupt(format!("{what} has {} bytes after its end", bytes.len() - read)))
        }
        Err(error) => Err(StoreError::corrupt(format!("{what} does not decode: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip_and_damage_is_reported() {
        let bytes = encode(&("text".to_owned(), 7_u64));
        assert_eq!(decode::<(String, u64)>("pair", &bytes).expect("decodes"), ("text".to_owned(), 7));
        for damaged in [&[][..], &bytes[..bytes.len() - 1], &[9, 1, 2], &[bytes.as_slice(), &[0]].concat()] {
            let error = decode::<(String, u64)>("pair", damaged).expect_err("damage is seen");
            assert!(error.to_string().contains("pair"), "{error}");
        }
    }
}
