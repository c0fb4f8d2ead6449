//! How things are named inside the store: content hashes with a prefix that says what they name.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::object::ObjectKey;
use crate::time::Instant;

/// Bytes of an id: half a BLAKE3 hash, ample against accidental collision.
pub(crate) const ID_BYTES: usize = 16;

/// Hashes parts so that no two different lists of parts hash alike: each part is preceded by its length.
pub(crate) fn hash_parts<'a>(domain: &'a str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; ID_BYTES] {
    let mut hasher = blake3::Hasher::new();
    for part in std::iter::once(domain.as_bytes()).chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut id = [0; ID_BYTES];
    id.copy_from_slice(&hasher.finalize().as_bytes()[..ID_BYTES]);
    id
}

/// Returns 32 hexadecimal digits that name a content of several texts: as many of the first as tell it from all others make
/// a short name for it.
pub fn content_digits<'a>(domain: &'a str, texts: impl IntoIterator<Item = &'a str>) -> String {
    format!("{:032x}", u128::from_be_bytes(hash_parts(domain, texts.into_iter().map(str::as_bytes))))
}

/// Returns the digits of an id.
fn hexadecimal(id: [u8; ID_BYTES]) -> [u8; 2 * ID_BYTES] {
    let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
    let mut digits = [0; 2 * ID_BYTES];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(id) {
        pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
    digits
}

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub(crate) [u8; ID_BYTES]);

        impl $name {
            /// Returns its bytes.
            pub const fn bytes(self) -> [u8; ID_BYTES] {
                self.0
            }

            /// Reads the printed form: the prefix and 32 hexadecimal digits.
            pub fn parse(text: &str) -> Option<$name> {
                let digits = text.strip_prefix($prefix)?;
                if digits.len() != 2 * ID_BYTES || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    return None;
                }
                let mut id = [0; ID_BYTES];
                for (byte, at) in id.iter_mut().zip((0..).step_by(2)) {
                    *byte = u8::from_str_radix(&digits[at..at + 2], 16).ok()?;
                }
                Some($name(id))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($prefix)?;
                f.write_str(std::str::from_utf8(&hexadecimal(self.0)).map_err(|_| fmt::Error)?)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id_type!(
    /// Names an assertion by its content, `a:…`.
    AssertionId,
    "a:"
);
id_type!(
    /// Names an episode by its content, `e:…`.
    EpisodeId,
    "e:"
);
id_type!(
    /// Names a derived fact by space, group, object and start, `f:…`.
    FactId,
    "f:"
);
id_type!(
    /// Names an entity within a space by its type and name, `n:…`.
    EntityId,
    "n:"
);

id_type!(
    /// Names a checkpoint by what it says of itself, `c:…`.
    CheckpointId,
    "c:"
);
id_type!(
    /// Names a state by its bytes, `s:…`.
    StateId,
    "s:"
);

impl FactId {
    /// Returns the id of a fact: the hash of its space, group (subject, predicate and key), object and start (`None` for an
    /// undated fact).
    pub fn new(
        space: &str,
        (subject, predicate, key): (EntityId, &str, &str),
        object: ObjectKey,
        start: Option<Instant>,
    ) -> FactId {
        let start = start.map_or([0; 9], |start| {
            let mut bytes = [1; 9];
            bytes[1..].copy_from_slice(&start.micros().to_be_bytes());
            bytes
        });
        let parts = [space.as_bytes(), &subject.0, predicate.as_bytes(), key.as_bytes(), &object.0, &start];
        FactId(hash_parts("fact", parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_and_read_back() {
        let id = AssertionId(hash_parts("test", [b"x".as_slice()]));
        assert_eq!(AssertionId::parse(&id.to_string()), Some(id));
        assert_eq!(EpisodeId::parse(&id.to_string()), None);
        assert_eq!(AssertionId::parse("a:zz"), None);
        assert_eq!(AssertionId::parse(&format!("a:{}", "+1".repeat(16))), None, "a sign is no digit");
    }

    #[test]
    fn the_digits_of_a_content_depend_on_each_of_its_texts() {
        let digits = content_digits("d", ["a", "b"]);
        assert_eq!(digits.len(), 32);
        for other in [["a", "c"], ["ab", ""]] {
            assert_ne!(content_digits("d", other), digits, "{other:?}");
        }
        assert_ne!(content_digits("e", ["a", "b"]), digits);
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(hash_parts("d", [b"ab".as_slice(), b"c"]), hash_parts("d", [b"a".as_slice(), b"bc"]));
    }
}
