//! Documents that are JSON.

use bygone_engine::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a document that is nothing but JSON; `what` names it in the error.
pub(super) fn read<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes)
        .map_err(|error| StoreError::Corrupt(format!("{what} does not read: {error}")))
}

/// Writes a document that is nothing but JSON.
pub(super) fn written(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Storage(error.to_string()))
}
