//! Input that can be read again from its start.
//!
//! The start of it is held; what goes beyond is kept in a temporary file.

use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};

use crate::taken::{MOST_HELD, Temporary};

/// How much is read of the temporary file at a time.
const WINDOW_BYTES: usize = 64 << 10;

/// Input, with all that was read of it so far.
pub(super) struct Remembered<'a> {
    inner: &'a mut dyn BufRead,
    held: Vec<u8>,
    /// What comes after what is held, where there is more.
    rest: Option<(Temporary, fs_err::File)>,
    /// How much was read of the input.
    n_read: u64,
    /// Where reading stands.
    at: u64,
    /// A piece of the rest, and where it begins.
    window: Vec<u8>,
    window_at: u64,
}

impl<'a> Remembered<'a> {
    pub(super) fn new(inner: &'a mut dyn BufRead) -> Remembered<'a> {
        Remembered { inner, held: Vec::new(), rest: None, n_read: 0, at: 0, window: Vec::new(), window_at: 0 }
    }

    /// Goes back to the start.
    pub(super) fn rewind(&mut self) {
        self.at = 0;
    }

    /// Reads more of the input, and remembers it.
    fn read_on(&mut self) -> io::Result<()> {
        let fresh = self.inner.fill_buf()?;
        let n_fresh = fresh.len();
        if self.rest.is_none()
            && self.held.len() + n_fresh <= usize::try_from(MOST_HELD).unwrap_or(usize::MAX)
        {
            self.held.extend_from_slice(fresh);
        } else {
            if self.rest.is_none() {
                self.rest = Some(Temporary::new()?);
            }
            if let Some((_, file)) = &mut self.rest {
                file.seek(SeekFrom::End(0))?;
                file.write_all(fresh)?;
            }
            self.window.clear();
            self.window.extend_from_slice(fresh);
            self.window_at = self.n_read;
        }
        self.inner.consume(n_fresh);
        self.n_read += n_fresh as u64;
        Ok(())
    }

    /// Returns where in the piece of the rest reading stands, where it is in it.
    fn in_window(&self) -> Option<usize> {
        let within = usize::try_from(self.at.checked_sub(self.window_at)?).ok()?;
        (within < self.window.len()).then_some(within)
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
        if self.at == self.n_read {
            self.read_on()?;
        }
        let n_held = self.held.len() as u64;
        if self.at >= n_held
            && self.at < self.n_read
            && self.in_window().is_none()
            && let Some((_, file)) = &mut self.rest
        {
            file.seek(SeekFrom::Start(self.at - n_held))?;
            self.window.resize(WINDOW_BYTES, 0);
            let n_read = file.read(&mut self.window)?;
            self.window.truncate(n_read);
            self.window_at = self.at;
        }
        if let Some(held) =
            usize::try_from(self.at).ok().and_then(|at| self.held.get(at..)).filter(|held| !held.is_empty())
        {
            return Ok(held);
        }
        Ok(self.in_window().map_or(&[], |within| &self.window[within..]))
    }

    fn consume(&mut self, n_read: usize) {
        self.at = self.n_read.min(self.at + n_read as u64);
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

    #[test]
    fn what_is_long_is_read_again_too() {
        let long: Vec<u8> = (0..5_000_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut source = io::BufReader::with_capacity(100_003, &long[..]);
        let mut input = Remembered::new(&mut source);
        let mut start = vec![0; 12_345_678];
        input.read_exact(&mut start).expect("there is as much");
        assert!(start == long[..start.len()]);
        for _ in 0..2 {
            input.rewind();
            let mut all = Vec::new();
            input.read_to_end(&mut all).expect("it is read");
            assert!(all == long, "{} of {}", all.len(), long.len());
            assert!(input.held.len() as u64 <= MOST_HELD);
        }
    }
}
