//! The documents of one space and kind that lie together in a segment or in the tail, in the order in which they came.

use fs_err as fs;
use std::os::unix::fs::FileExt;

use super::VectorDocument;
use super::bytes::extend;
use super::code::{Codes, normalise};
use super::damage::{Damage, damaged};
use super::group::Group;
use crate::digest::Digest;

/// Bytes of the check that follows a vector on disk.
pub(super) const CHECK_BYTES: usize = 8;

/// Documents by index.
pub(super) struct Run {
    dimension: usize,
    pub(super) ids: Vec<[u8; 16]>,
    pub(super) codes: Codes,
    pub(super) pieces: Pieces,
    pub(super) vectors: Vectors,
}

/// Word pieces by document.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Pieces {
    /// Where the pieces of each document end.
    pub(super) ends: Vec<u32>,
    /// Of each document in order, and each once.
    pub(super) all: Vec<u16>,
}

/// Where the vectors themselves are.
pub(super) enum Vectors {
    Memory(Vec<f32>),
    File(VectorFile),
}

/// The vectors of a run, in a file of vectors.
pub(super) struct VectorFile {
    pub(super) file: std::sync::Arc<fs::File>,
    /// The hash of the codes that the vectors go with, which the checks contain.
    pub(super) codes_hash: [u8; 32],
    /// Where the file's first vector starts.
    pub(super) offset: u64,
    /// Which of the file's vectors is this run's first.
    pub(super) first: u64,
}

impl Run {
    /// Makes a run without documents, in memory.
    pub(super) fn empty(dimension: usize) -> Run {
        let vectors = Vectors::Memory(Vec::new());
        Run { dimension, ids: Vec::new(), codes: Codes::default(), pieces: Pieces::default(), vectors }
    }

    /// Makes a run of what a segment holds.
    pub(super) fn of(
        dimension: usize,
        ids: Vec<[u8; 16]>,
        codes: Codes,
        pieces: Pieces,
        file: VectorFile,
    ) -> Run {
        Run { dimension, ids, codes, pieces, vectors: Vectors::File(file) }
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Adds a document, whose vector is made one of length 1.
    pub(super) fn push(&mut self, document: VectorDocument) {
        let VectorDocument { id, mut vector, pieces, .. } = document;
        normalise(&mut vector);
        self.codes.push(&vector);
        match &mut self.vectors {
            Vectors::Memory(all) => all.append(&mut vector),
            Vectors::File(_) => unreachable!("what a segment holds is never added to"),
        }
        self.ids.push(id);
        self.pieces.push(&pieces);
    }

    /// Adds a document to a digest; where its vector is given, with that and the code made of it.
    pub(super) fn add_to(&self, digest: &mut Digest, group: Group, index: usize, vector: Option<&[f32]>) {
        let mut meaning = Vec::new();
        if let Some(vector) = vector {
            extend(&mut meaning, vector, f32::to_le_bytes);
            self.codes.of(index, self.dimension).write(&mut meaning);
        }
        let mut pieces = Vec::new();
        extend(&mut pieces, self.pieces.of(index), u16::to_le_bytes);
        let parts: [&[u8]; 4] = [&group.to_bytes(), &self.ids[index], &pieces, &meaning];
        digest.add("vector", parts);
    }

    /// Reads the vector of a document into the buffer.
    pub(super) fn read(&self, index: usize, buffer: &mut Vec<f32>) -> Result<(), Damage> {
        buffer.clear();
        match &self.vectors {
            Vectors::Memory(all) => {
                buffer.extend_from_slice(&all[index * self.dimension..(index + 1) * self.dimension]);
            }
            Vectors::File(place) => {
                let bytes = place.read(index, self.dimension)?;
                let (values, _) = bytes.as_chunks();
                buffer.extend(values.iter().map(|value| f32::from_le_bytes(*value)));
            }
        }
        Ok(())
    }
}

impl Pieces {
    fn push(&mut self, pieces: &[u16]) {
        let start = self.all.len();
        self.all.extend_from_slice(pieces);
        self.all[start..].sort_unstable();
        let mut last = None;
        let mut kept = start;
        for at in start..self.all.len() {
            let piece = self.all[at];
            if last.replace(piece) != Some(piece) {
                self.all[kept] = piece;
                kept += 1;
            }
        }
        self.all.truncate(kept);
        self.ends.push(u32::try_from(self.all.len()).expect("a run has fewer pieces than 2^32"));
    }

    /// Adds the pieces of a document of another run.
    pub(super) fn push_from(&mut self, other: &Pieces, index: usize) {
        self.push(other.of(index));
    }

    /// Returns the pieces of a document.
    pub(super) fn of(&self, index: usize) -> &[u16] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[index] as usize]
    }
}

impl VectorFile {
    fn read(&self, index: usize, dimension: usize) -> Result<Vec<u8>, Damage> {
        let number = self.first + index as u64;
        let n_bytes = dimension * 4;
        let mut bytes = vec![0; n_bytes + CHECK_BYTES];
        let offset = self.offset + number * bytes.len() as u64;
        self.file.file().read_exact_at(&mut bytes, offset).map_err(damaged)?;
        let read = bytes.split_off(n_bytes);
        if read != check(&self.codes_hash, number, &bytes) {
            let path = self.file.path().display();
            return Err(damaged(format!("vector {number} of {path} is not what was written")));
        }
        Ok(bytes)
    }
}

/// Returns the check of a vector: that its bytes stand where they were written, beside the codes they were written with.
pub(super) fn check(codes_hash: &[u8; 32], number: u64, bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(codes_hash).update(&number.to_le_bytes()).update(bytes);
    let mut check = [0; CHECK_BYTES];
    hasher.finalize_xof().fill(&mut check);
    check
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_in_order_and_once_each() {
        let mut pieces = Pieces::default();
        for document in [&[5_u16, 1, 5, 1][..], &[], &[9, 9, 2]] {
            pieces.push(document);
        }
        assert_eq!((pieces.of(0), pieces.of(1), pieces.of(2)), (&[1, 5][..], &[][..], &[2, 9][..]));
    }
}
