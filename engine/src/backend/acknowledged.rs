//! How far a store's commits were acknowledged, kept beside the storage: a log that lost its end, and a list of files that lost
//! its last change, look whole.
//!
//! ```text
//! ACKNOWLEDGED   16 bytes, written over in place
//!   number of the last write that was acknowledged   8, big-endian
//!   the first bytes of its BLAKE3 hash               8
//! ```
//!
//! Invariant: it is written once the write is durable, and never synced. So it may stand behind what is durable, after a kill
//! or a power cut, and is never ahead of it: where it is, something is lost. One that does not read says nothing.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use fs_err as fs;

/// The file in a store's folder.
const NAME: &str = "ACKNOWLEDGED";
const HASH_BYTES: usize = 8;

/// Returns what is known to be acknowledged; nothing where that is not known.
pub(super) fn read(folder: &Path) -> Option<u64> {
    let mut bytes = Vec::new();
    fs::File::open(folder.join(NAME)).ok()?.take(64).read_to_end(&mut bytes).ok()?;
    let (number, hash) = bytes.split_first_chunk()?;
    (hash == hash_of(*number)).then(|| u64::from_be_bytes(*number))
}

fn hash_of(number: [u8; 8]) -> [u8; HASH_BYTES] {
    let hash = blake3::hash(&number);
    hash.as_bytes().first_chunk().copied().unwrap_or_default()
}

/// Where it is written.
pub(super) struct Acknowledged(Mutex<fs::File>);

impl Acknowledged {
    /// Opens the file, and makes it where there is none.
    pub(super) fn open(folder: &Path) -> io::Result<Acknowledged> {
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(folder.join(NAME))?;
        Ok(Acknowledged(Mutex::new(file)))
    }

    /// Says that a write is durable. Where that cannot be said, nothing is lost but the proof.
    pub(super) fn put(&self, number: u64) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = number.to_be_bytes();
        let bytes = [number, hash_of(number)].concat();
        drop(file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&bytes)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_is_read_and_damage_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), None);
        let acknowledged = Acknowledged::open(folder.path()).unwrap();
        for number in [1, u64::MAX, 300] {
            acknowledged.put(number);
            assert_eq!(read(folder.path()), Some(number));
        }
        let path = folder.path().join(NAME);
        let whole = fs::read(&path).unwrap();
        for bit in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, flipped).unwrap();
            assert_eq!(read(folder.path()), None, "bit {bit}");
        }
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read(folder.path()), None, "{length} bytes");
        }
    }
}
