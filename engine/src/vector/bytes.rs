//! Little-endian numbers, to bytes and back. That too few bytes are left is an answer here, never a panic.

/// Bytes that are being read.
pub(super) struct Bytes<'a> {
    left: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(super) fn new(left: &'a [u8]) -> Bytes<'a> {
        Bytes { left }
    }

    /// Says whether everything was read.
    pub(super) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Returns the next bytes.
    pub(super) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(n)?;
        self.left = left;
        Some(taken)
    }

    /// Returns the next bytes of a fixed number.
    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, left) = self.left.split_first_chunk()?;
        self.left = left;
        Some(*taken)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Returns the next values, of which each takes `N` bytes.
    pub(super) fn many<T, const N: usize>(&mut self, n: usize, of: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let (chunks, _) = self.take(n.checked_mul(N)?)?.as_chunks();
        Some(chunks.iter().map(|chunk| of(*chunk)).collect())
    }
}

/// Appends values, each in its bytes.
pub(super) fn extend<T: Copy, const N: usize>(to: &mut Vec<u8>, values: &[T], of: impl Fn(T) -> [u8; N]) {
    to.reserve(values.len() * N);
    for &value in values {
        to.extend_from_slice(&of(value));
    }
}
