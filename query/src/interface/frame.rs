//! A document of a head, which is JSON, and bytes that nobody looks into: the head on a line of its own, the bytes behind it.

use bygone_engine::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Puts a head before bytes.
pub(super) fn framed(head: &impl Serialize, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut framed = serde_json::to_vec(head).map_err(|error| StoreError::Storage(error.to_string()))?;
    framed.push(b'\n');
    framed.extend_from_slice(bytes);
    Ok(framed)
}

/// Reads a head and the bytes behind it; `what` names them in the error.
pub(super) fn unframed<'a, T: DeserializeOwned>(
    what: &str,
    framed: &'a [u8],
) -> Result<(T, &'a [u8]), StoreError> {
    let damaged = || StoreError::Corrupt(format!("{what} does not read"));
    let end = framed.iter().position(|byte| *byte == b'\n').ok_or_else(damaged)?;
    let head = serde_json::from_slice(&framed[..end]).map_err(|_| damaged())?;
    Ok((head, &framed[end + 1..]))
}

/// Reads a document that is nothing but JSON; `what` names it in the error.
pub(super) fn read<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes)
        .map_err(|error| StoreError::Corrupt(format!("{what} does not read: {error}")))
}

/// Writes a document that is nothing but JSON.
pub(super) fn written(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Storage(error.to_string()))
}
