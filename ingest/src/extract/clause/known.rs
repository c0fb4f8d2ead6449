//! Tables of words that are part of the program.
//!
//! Their hash is made for short words and for speed: nobody from outside chooses what is in the tables, so it needs no
//! defence against words that were chosen to collide.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Words.
pub(super) type KnownWords = HashSet<&'static str, BuildHasherDefault<WordHasher>>;

/// Something for each of some words.
pub(super) type ByWord<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// FNV-1a of 64 bits (Fowler, Noll and Vo, <http://www.isthe.com/chongo/tech/comp/fnv/>).
#[derive(Clone, Copy)]
pub(super) struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> WordHasher {
        WordHasher(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
