//! What an index holds, as one number that does not depend on the order in which it is held.
//!
//! Two indexes that hold the same things have the same digest; that two which do not have the same is as unlikely as
//! that two hashes of 128 bits are alike by chance. It is made to find damage and faults, not to withstand an attacker.

use crate::id::hash_parts;

/// The sum of the hashes of things, each counted as often as it was added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest {
    n_things: u64,
    sum: u128,
}

impl Digest {
    /// Adds a thing: what it is, and its parts in order.
    pub(crate) fn add<'p>(&mut self, what: &'p str, parts: impl IntoIterator<Item = &'p [u8]>) {
        self.n_things += 1;
        self.sum = self.sum.wrapping_add(u128::from_le_bytes(hash_parts(what, parts)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Thing = (&'static str, &'static [&'static [u8]]);

    fn digest(things: &[Thing]) -> Digest {
        let mut digest = Digest::default();
        for (what, parts) in things {
            digest.add(what, parts.iter().copied());
        }
        digest
    }

    #[test]
    fn order_does_not_count_and_everything_else_does() {
        let (one, other): (Thing, Thing) = (("a", &[b"b", b"c"]), ("d", &[b"e"]));
        let both = digest(&[one, other]);
        assert_eq!(both, digest(&[other, one]));
        let others: [&[Thing]; 5] = [
            &[one],
            &[one, one],
            &[one, other, other],
            &[("a", &[b"bc"]), other],
            &[("d", &[b"b", b"c"]), ("a", &[b"e"])],
        ];
        for different in others {
            assert_ne!(both, digest(different), "{different:?}");
        }
    }
}
