//! How records become bytes: one format byte, then bincode. Nothing outside this module names bincode, which is no
//! longer developed; a successor changes this file and the format byte.

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use bincode::de::read::{Reader, SliceReader};
use bincode::de::{BorrowDecode, Decode, Decoder, DecoderImpl};
use bincode::error::DecodeError;
use bincode::serde::{BorrowCompat, Compat};
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
    let mut decoder = bounded(body).map_err(|error| undecoded(what, &error))?;
    let record = Compat::<T>::decode(&mut decoder).map_err(|error| undecoded(what, &error))?;
    at_end(what, &mut decoder)?;
    Ok(record.0)
}

/// Encodes a part of something that has a format byte of its own.
pub(crate) fn encode_part<T: Serialize>(part: &T) -> Vec<u8> {
    bincode::serde::encode_to_vec(part, bincode::config::standard())
        .expect("records hold only what bincode can write, and memory takes every byte")
}

/// Decodes a part of something that has a format byte of its own; `what` names it in the error. Texts may be those of the bytes.
pub(crate) fn decode_part<'a, T: Deserialize<'a>>(what: &str, bytes: &'a [u8]) -> Result<T, StoreError> {
    let mut decoder = bounded(bytes).map_err(|error| undecoded(what, &error))?;
    let part = BorrowCompat::<T>::borrow_decode(&mut decoder).map_err(|error| undecoded(what, &error))?;
    at_end(what, &mut decoder)?;
    Ok(part.0)
}

type Bounded<'a> = DecoderImpl<SliceReader<'a>, Configuration<LittleEndian, Varint, Limit<MOST>>, ()>;

/// More than anything takes; what bincode is told is the most.
const MOST: usize = 1 << 60;
/// The most that bincode counts for a byte: a number of eight bytes can stand in one.
const COUNTED_FOR_A_BYTE: usize = 8;

/// Returns a decoder that takes no more than can stand in the bytes. Without a limit, bincode makes room for a text before it
/// looks whether there are as many bytes as its length says, and a damaged length ends the process.
fn bounded(bytes: &[u8]) -> Result<Bounded<'_>, DecodeError> {
    let config = bincode::config::standard().with_limit::<MOST>();
    let mut decoder = DecoderImpl::new(SliceReader::new(bytes), config, ());
    decoder.claim_bytes_read(MOST.saturating_sub(bytes.len().saturating_mul(COUNTED_FOR_A_BYTE)))?;
    Ok(decoder)
}

fn undecoded(what: &str, error: &DecodeError) -> StoreError {
    StoreError::corrupt(format!("{what} does not decode: {error}"))
}

fn at_end(what: &str, decoder: &mut Bounded<'_>) -> Result<(), StoreError> {
    match decoder.reader().peek_read(1) {
        None => Ok(()),
        Some(_) => Err(StoreError::corrupt(format!("{what} has bytes after its end"))),
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

    #[test]
    fn a_damaged_length_is_reported_and_not_made_room_for() {
        // What stands before a number of eight bytes, and each of its bytes.
        for length in [u64::MAX, 1 << 60, 1 << 40, 1 << 32, 9] {
            let mut bytes = vec![RECORD_FORMAT, 253];
            bytes.extend(length.to_le_bytes());
            bytes.extend(*b"too few");
            for damaged in [&bytes[..], &bytes[..10]] {
                assert!(decode::<String>("a text", damaged).is_err(), "{length}");
                assert!(decode::<Vec<u8>>("bytes", damaged).is_err(), "{length}");
                assert!(decode_part::<String>("a text", &damaged[1..]).is_err(), "{length}");
                assert!(decode_part::<Vec<&str>>("texts", &damaged[1..]).is_err(), "{length}");
            }
        }
    }

    #[test]
    fn whatever_the_numbers_there_is_room_for_them() {
        for number in [0, 250, 251, 1 << 16, 1 << 32, u64::MAX] {
            let record = (vec![number; 300], [7_u8; 16], Some(number), "text".repeat(300));
            let read = decode::<(Vec<u64>, [u8; 16], Option<u64>, String)>("numbers", &encode(&record));
            assert_eq!(read.expect("decodes"), record);
        }
    }
}
