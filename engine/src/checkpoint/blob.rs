//! The pieces of states as rows: as they are, or as what differs from another piece.
//!
//! ```text
//! 0 │ bytes
//! n │ hash of the base 16 │ bytes in common at the start │ at the end │ the bytes between     n: pieces to read before it
//! ```
//!
//! Invariant: a base is itself a piece of a checkpoint that is kept, so that what nothing reaches can go.

use super::Hash;
use crate::backend::{Reader, Table};
use crate::error::StoreError;
use crate::id::hash_parts;
use crate::key::{self, SpaceId};
use crate::varint::{Varints, put};

/// How many bases are read at most for a piece (chosen, untested).
const LONGEST_CHAIN: u8 = 8;
/// What a piece that is told by another one must be shorter by.
const LEAST_GAIN: usize = 64;

/// Names a piece by its bytes.
pub(crate) fn hash(bytes: &[u8]) -> Hash {
    hash_parts("piece", [bytes])
}

/// Returns the row's value of a piece as it is.
pub(crate) fn whole(bytes: &[u8]) -> Vec<u8> {
    [&[0], bytes].concat()
}

/// Returns the row's value of a piece by another one, where that is worth it.
pub(crate) fn by(base: &Hash, base_bytes: &[u8], base_chain: u8, bytes: &[u8]) -> Option<Vec<u8>> {
    let chain = base_chain.checked_add(1).filter(|chain| *chain <= LONGEST_CHAIN)?;
    let common = |(one, other): &(&u8, &u8)| one == other;
    let n_start = bytes.iter().zip(base_bytes).take_while(common).count();
    let rest = bytes[n_start..].iter().rev().zip(base_bytes[n_start..].iter().rev());
    let n_end = rest.take_while(common).count();
    let mut value = vec![chain];
    value.extend_from_slice(base);
    put(&mut value, n_start as u64);
    put(&mut value, n_end as u64);
    value.extend_from_slice(&bytes[n_start..bytes.len() - n_end]);
    (value.len() + LEAST_GAIN <= bytes.len()).then_some(value)
}

/// Returns the base of a piece that is told by another one, from its row's value.
pub(super) fn base_of(value: &[u8]) -> Option<Hash> {
    value.split_first().filter(|(chain, _)| **chain > 0)?.1.first_chunk().copied()
}

/// Returns the first piece that stays, of one that goes, its base, the base of that and so on: its name, its bytes, and how
/// many bases were read for it.
///
/// # Errors
/// As [`read`].
pub(super) fn nearest(
    reader: &dyn Reader,
    space: SpaceId,
    mut name: Hash,
    stays: impl Fn(&Hash) -> bool,
) -> Result<Option<(Hash, Vec<u8>, u8)>, StoreError> {
    for _ in 0..LONGEST_CHAIN {
        if stays(&name) {
            let (bytes, chain) = read(reader, space, &name)?;
            return Ok(Some((name, bytes, chain)));
        }
        let value = reader.read(Table::Blobs, &key::blob(space, &name))?.unwrap_or_default();
        let Some(base) = base_of(&value) else { return Ok(None) };
        name = base;
    }
    Ok(None)
}

/// Returns a piece, and how many bases were read for it.
///
/// # Errors
/// [`StoreError::Corrupt`] where it is not there, or is not what its hash names.
pub(crate) fn read(reader: &dyn Reader, space: SpaceId, name: &Hash) -> Result<(Vec<u8>, u8), StoreError> {
    let piece = resolve(reader, space, name, LONGEST_CHAIN)?;
    if hash(&piece.0) == *name {
        Ok(piece)
    } else {
        Err(StoreError::corrupt("a piece of a checkpoint is not what its hash names"))
    }
}

fn resolve(
    reader: &dyn Reader,
    space: SpaceId,
    name: &Hash,
    chain_left: u8,
) -> Result<(Vec<u8>, u8), StoreError> {
    let Some(value) = reader.read(Table::Blobs, &key::blob(space, name))? else {
        return Err(StoreError::corrupt("a piece of a checkpoint is missing"));
    };
    let damaged = || StoreError::corrupt("a piece of a checkpoint does not decode");
    let (&chain, body) = value.split_first().ok_or_else(damaged)?;
    if chain == 0 {
        return Ok((body.to_vec(), 0));
    }
    let chain_left = chain_left.checked_sub(1).ok_or_else(damaged)?;
    let (base, body) = body.split_first_chunk().ok_or_else(damaged)?;
    let mut read = Varints::new(body);
    let mut ends = || Some((read.size()?, read.size()?));
    let (n_start, n_end) = ends().ok_or_else(damaged)?;
    let between = read.rest();
    let (base, base_chain) = resolve(reader, space, base, chain_left)?;
    let start = base.get(..n_start).ok_or_else(damaged)?;
    let end = base.len().checked_sub(n_end).map(|from| &base[from..]).ok_or_else(damaged)?;
    Ok(([start, between, end].concat(), base_chain + 1))
}
