//! Values made of bytes, in the order in which they stand; where the bytes are at an end, what is missing is zero.

use crate::time::Instant;

/// Bytes that values are made of.
pub(super) struct Draw<'a> {
    left: &'a [u8],
}

impl<'a> Draw<'a> {
    pub(super) fn new(left: &'a [u8]) -> Draw<'a> {
        Draw { left }
    }

    /// Returns the next bytes, fewer where there are no more.
    pub(super) fn some(&mut self, n: usize) -> &'a [u8] {
        let (taken, left) = self.left.split_at(n.min(self.left.len()));
        self.left = left;
        taken
    }

    pub(super) fn array<const N: usize>(&mut self) -> [u8; N] {
        let taken = self.some(N);
        let mut array = [0; N];
        array[..taken.len()].copy_from_slice(taken);
        array
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    pub(super) fn number(&mut self) -> u64 {
        u64::from_be_bytes(self.array())
    }

    /// Returns any instant, also one that no calendar has.
    pub(super) fn instant(&mut self) -> Instant {
        Instant::from_raw(self.number().cast_signed())
    }

    /// Returns a text of at most 63 bytes, with any characters.
    pub(super) fn text(&mut self) -> String {
        let n_bytes = usize::from(self.byte() % 64);
        String::from_utf8_lossy(self.some(n_bytes)).into_owned()
    }
}
