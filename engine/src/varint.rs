//! Whole numbers in as few bytes as they need, to bytes and back. That the bytes are no number is an answer here, never a
//! panic.
//!
//! The form is LEB128 (DWARF 5, section 7.6): seven bits a byte from the lowest on, the eighth says that more follow.
//! Signed numbers are folded first, so that small ones stay short: 0, -1, 1, -2 become 0, 1, 2, 3.

/// Appends a number.
pub(crate) fn put(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    to.push(number.to_le_bytes()[0]);
}

/// Appends a signed number.
pub(crate) fn put_signed(to: &mut Vec<u8>, number: i64) {
    put(to, ((number << 1) ^ (number >> 63)).cast_unsigned());
}

/// Appends bytes after their length.
pub(crate) fn put_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    put(to, bytes.len() as u64);
    to.extend_from_slice(bytes);
}

/// Bytes that are being read.
pub(crate) struct Varints<'a> {
    left: &'a [u8],
}

impl<'a> Varints<'a> {
    pub(crate) fn new(left: &'a [u8]) -> Varints<'a> {
        Varints { left }
    }

    /// Says whether everything was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Returns the next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&byte, left) = self.left.split_first()?;
        self.left = left;
        Some(byte)
    }

    /// Returns the next number.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            let shifted = bits << shift;
            if shifted >> shift != bits {
                return None;
            }
            number |= shifted;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Returns the next signed number.
    pub(crate) fn signed(&mut self) -> Option<i64> {
        let folded = self.number()?;
        Some((folded >> 1).cast_signed() ^ -((folded & 1).cast_signed()))
    }

    /// Returns the next number as a length or a position.
    pub(crate) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// Returns the next bytes.
    pub(crate) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(n)?;
        self.left = left;
        Some(taken)
    }

    /// Returns all bytes that are left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.left
    }

    /// Returns the next bytes that stand after their length.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let n = self.size()?;
        self.take(n)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_read_back(number: u64, signed: i64, bytes: Vec<u8>) {
            let mut to = Vec::new();
            put(&mut to, number);
            put_signed(&mut to, signed);
            put_bytes(&mut to, &bytes);
            let mut read = Varints::new(&to);
            prop_assert_eq!(read.number(), Some(number));
            prop_assert_eq!(read.signed(), Some(signed));
            prop_assert_eq!(read.bytes(), Some(bytes.as_slice()));
            prop_assert!(read.is_empty());
        }

        #[test]
        fn whatever_the_bytes_nothing_panics(bytes: Vec<u8>) {
            let mut read = Varints::new(&bytes);
            while read.number().is_some() && read.bytes().is_some() {}
        }
    }

    #[test]
    fn a_number_that_does_not_end_or_does_not_fit_is_none() {
        for bytes in [
            &[][..],
            &[0x80],
            &[0xff; 10],
            &[0x80; 11],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
        ] {
            assert_eq!(Varints::new(bytes).number(), None, "{bytes:?}");
        }
    }
}
