//! What the engine keeps to itself and benches measure: how records become bytes, and the keys of groups. Nothing else may
//! use it.

use crate::entity::EntityRef;
use crate::error::StoreError;
use crate::fact::{Fact, row};
use crate::history::chunk::{self, Chunk};
use crate::history::marks;
use crate::key::{GroupId, SpaceId};
use crate::record::Recorded;

/// Returns the bytes of statements of one group that are stored together.
pub fn encoded_chunk(statements: &[Recorded]) -> Vec<u8> {
    chunk::encode(statements, &marks(statements))
}

/// Reads statements that are stored together.
///
/// # Errors
/// [`StoreError::Corrupt`] where the bytes are none.
pub fn decoded_chunk(bytes: &[u8]) -> Result<Vec<Recorded>, StoreError> {
    Chunk::read(bytes)?.statements()
}

/// Returns the bytes of a fact.
pub fn encoded_fact(fact: &Fact) -> Vec<u8> {
    row::encode(fact)
}

/// Reads a fact.
///
/// # Errors
/// [`StoreError::Corrupt`] where the bytes are none.
pub fn decoded_fact(bytes: &[u8]) -> Result<Fact, StoreError> {
    row::decode(bytes)
}

/// Returns the key of a group of the first space.
pub fn group_key(subject: &EntityRef, predicate: &str, key: &str) -> Vec<u8> {
    GroupId::new(SpaceId(0), subject.id(), predicate, key).to_key()
}
