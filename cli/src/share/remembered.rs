//! Input that can be read again from its start.

use std::io::{self, BufRead, Read};

/// Input, with all that was read of it so far.
pub(super) struct Remembered<'a> {
    inner: &'a mut dyn BufRead,
    held: Vec<u8>,
    at: usize,
}

impl<'a> Remembered<'a> {
    pub(super) fn new(inner: &'a mut dyn BufRead) -> Remembered<'a> {
        Remembered { inner, held: Vec::new(), at: 0 }
    }

    /// Goes back to the start.
    pub(super) fn rewind(&mut self) {
        self.at = 0;
    }
}

impl Read for Remembered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = {
            let mut available = self.fill_buf()?;
            available.read(buffer)?
        };
        self.consume(n_read);
        Ok(n_read)
    }
}

impl BufRead for Remembered<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.held.len() {
            let fresh = self.inner.fill_buf()?;
            let n_fresh = fresh.len();
            self.held.extend_from_slice(fresh);
            self.inner.consume(n_fresh);
        }
        Ok(&self.held[self.at..])
    }

    fn consume(&mut self, n_read: usize) {
        self.at = self.held.len().min(self.at + n_read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_read_again() {
        let mut source: &[u8] = b"one\ntwo\nthree";
        let mut input = Remembered::new(&mut source);
        let mut line = String::new();
        input.read_line(&mut line).expect("a line");
        input.read_line(&mut line).expect("a line");
        assert_eq!(line, "one\ntwo\n");
        input.rewind();
        let mut all = String::new();
        input.read_to_string(&mut all).expect("text");
        assert_eq!(all, "one\ntwo\nthree");
    }
}
