//! What the lines of a file are: their places, their bytes, and their text as far as it can be had.
//!
//! Lines come one after another, and no more than a few are held: a secret may reach over some, and is masked in them
//! together. A line that is too long to be held keeps only its start.
//!
//! Invariant: every byte of the file belongs to exactly one line, to a line end (`\n`, `\r\n`) or to a byte order
//! mark at a line's start (files joined end to end carry marks inside, too).

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read as _};

use super::{KEPT_OF_TOO_LONG, LONGEST_RECORD, Place, Stream};
use crate::redact::{goes_on, redact};

/// How many bytes a secret is followed over several lines: private keys have at most a few thousand.
const LONGEST_SECRET: usize = 64 << 10;
/// How many bytes are read from a file at a time.
pub(super) const CHUNK: usize = 64 << 10;

/// One line, blank ones included.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    /// Where its bytes start.
    pub(crate) place: Place,
    /// Its bytes, without byte order mark and line end.
    pub(crate) raw: &'a [u8],
    /// Its text; borrowed exactly where it is the bytes unchanged.
    pub(crate) text: Cow<'a, str>,
    /// Whether a line end follows: only the last line of a file may have none.
    pub(crate) is_terminated: bool,
    /// What had to be changed to make the text of the bytes.
    pub(crate) repairs: Vec<String>,
    /// Why this is only the start of the line, where it is too long to be held.
    pub(crate) too_long: Option<String>,
}

impl Line<'_> {
    /// Says whether nothing but white space stands here.
    pub(crate) fn is_blank(&self) -> bool {
        self.raw.iter().all(u8::is_ascii_whitespace)
    }
}

/// Splits bytes into their lines.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut offset = 0;
    bytes.split_inclusive(|byte| *byte == b'\n').zip(1..).map(move |(whole, number)| {
        let start = offset;
        offset += whole.len() as u64;
        line(whole, Place { offset: start, line: number })
    })
}

/// The lines of a file that is being read.
pub(crate) struct Lines<'a> {
    input: BufReader<Stream<'a>>,
    /// Where the secrets that are masked are counted; none are masked where that is not asked for.
    masked: Option<&'a Cell<u64>>,
    /// Lines read and masked, and what is known of each, in order. Those before `next` were handed on.
    block: Vec<u8>,
    ahead: VecDeque<Ahead>,
    next: usize,
    place: Place,
}

/// A line that was read.
struct Ahead {
    /// Its bytes in the block.
    n_held: usize,
    /// Its bytes in the file.
    n_bytes: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(stream: Stream<'a>, masked: Option<&'a Cell<u64>>) -> Lines<'a> {
        Lines {
            input: BufReader::with_capacity(CHUNK, stream),
            masked,
            block: Vec::new(),
            ahead: VecDeque::new(),
            next: 0,
            place: Place { offset: 0, line: 1 },
        }
    }

    /// Returns the next line; `None` after the last one.
    ///
    /// # Errors
    /// Where the file cannot be read further.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        if self.ahead.is_empty() {
            self.fill()?;
        }
        let Some(Ahead { n_held, n_bytes }) = self.ahead.pop_front() else {
            return Ok(None);
        };
        let bytes = &self.block[self.next..self.next + n_held];
        let mut line = line(bytes, self.place);
        if n_held as u64 != n_bytes {
            line.is_terminated = true;
            line.too_long = Some(format!(
                "a line of {n_bytes} bytes, too long to be read: at most {LONGEST_RECORD} are, and the first {n_held} are kept"
            ));
        }
        self.next += n_held;
        self.place = Place { offset: self.place.offset + n_bytes, line: self.place.line + 1 };
        Ok(Some(line))
    }

    /// Reads the next line, and those that a secret in it reaches into.
    fn fill(&mut self) -> io::Result<()> {
        self.block.clear();
        self.next = 0;
        while self.read_line()? {
            let may_go_on =
                self.masked.is_some() && self.block.len() < LONGEST_SECRET && goes_on(&self.block);
            if !may_go_on {
                break;
            }
        }
        if let Some(masked) = self.masked
            && let (Cow::Owned(bytes), n_secrets) = redact(&self.block)
        {
            self.block = bytes;
            masked.set(masked.get() + n_secrets);
        }
        Ok(())
    }

    /// Reads a line into the block; returns whether there was one.
    fn read_line(&mut self) -> io::Result<bool> {
        let start = self.block.len();
        let mut n_bytes = self.input.by_ref().take(LONGEST_RECORD).read_until(b'\n', &mut self.block)? as u64;
        if n_bytes == 0 {
            return Ok(false);
        }
        if n_bytes == LONGEST_RECORD && !self.block.ends_with(b"\n") {
            let mut rest = Vec::with_capacity(CHUNK);
            loop {
                rest.clear();
                let n_more = self.input.by_ref().take(CHUNK as u64).read_until(b'\n', &mut rest)?;
                n_bytes += n_more as u64;
                if n_more == 0 || rest.ends_with(b"\n") {
                    break;
                }
            }
            if n_bytes > LONGEST_RECORD {
                self.block.truncate(start + KEPT_OF_TOO_LONG);
                self.block.shrink_to(LONGEST_SECRET);
            }
        }
        self.ahead.push_back(Ahead { n_held: self.block.len() - start, n_bytes });
        Ok(true)
    }
}

fn line(whole: &[u8], start: Place) -> Line<'_> {
    let (bytes, is_terminated) = match whole.strip_suffix(b"\n") {
        Some(bytes) => (bytes.strip_suffix(b"\r").unwrap_or(bytes), true),
        None => (whole, false),
    };
    let raw = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (text, repairs) = text_of(raw);
    let place = Place { offset: start.offset + (bytes.len() - raw.len()) as u64, line: start.line };
    Line { place, raw, text, is_terminated, repairs, too_long: None }
}

/// Returns the text of bytes, and what had to be changed to make it; it is borrowed exactly where nothing was.
pub(super) fn text_of(raw: &[u8]) -> (Cow<'_, str>, Vec<String>) {
    let mut repairs = Vec::new();
    let mut text = String::from_utf8_lossy(raw);
    if let Cow::Owned(_) = text {
        let valid = std::str::from_utf8(raw).map_or_else(|error| error.valid_up_to(), str::len);
        repairs.push(format!("bytes that are not UTF-8, from byte {valid} of the line, are replaced"));
    }
    if text.contains('\0') {
        let n_nul = text.matches('\0').count();
        repairs.push(format!("{n_nul} NUL bytes are left out"));
        text = Cow::Owned(text.replace('\0', ""));
    }
    (text, repairs)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::{Bytes, Source};

    #[test]
    fn marks_line_ends_and_odd_bytes_are_told_apart_from_text() {
        let all: Vec<_> = lines(b"\xef\xbb\xbfone\r\n\ntw\0o\n\xef\xbb\xbfthr\xffee").collect();
        let texts: Vec<_> = all.iter().map(|line| line.text.as_ref()).collect();
        assert_eq!(texts, ["one", "", "two", "thr\u{fffd}ee"]);
        let offsets: Vec<_> = all.iter().map(|line| line.place.offset).collect();
        assert_eq!(offsets, [3, 8, 9, 17]);
        assert!(all[1].is_blank());
        assert_eq!(all[2].repairs, ["1 NUL bytes are left out"]);
        assert_eq!(all[3].repairs.len(), 1);
        assert!(all[2].is_terminated && !all[3].is_terminated);
        assert_eq!(lines(b"").count(), 0);
    }

    /// Reads a file line by line; returns each line's place and bytes, and how many secrets were masked.
    fn streamed(bytes: &[u8]) -> (Vec<(Place, Vec<u8>)>, u64) {
        let bytes = Bytes::Held(bytes.to_vec());
        let now = bygone_engine::time::Instant::FIRST;
        let source = Source::new("x", &bytes, now, now);
        let mut lines = source.lines().expect("held bytes open");
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("held bytes are read") {
            all.push((line.place, line.raw.to_vec()));
        }
        drop(lines);
        (all, source.n_masked())
    }

    #[track_caller]
    fn check_as_a_whole(bytes: &[u8]) {
        let (masked, n_secrets) = redact(bytes);
        let expected: Vec<_> = lines(&masked).map(|line| (line.place, line.raw.to_vec())).collect();
        assert_eq!(streamed(bytes), (expected, n_secrets), "{:?}", String::from_utf8_lossy(bytes));
    }

    #[test]
    fn a_secret_over_several_lines_is_masked_in_all_of_them() {
        let body = format!("{}\r\n{}", "MIIEow1".repeat(6), "AbC9".repeat(8));
        let key = format!(
            "2024-03-01 Anna: -----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\nDone.\n"
        );
        check_as_a_whole(key.as_bytes());
        let (all, n_secrets) = streamed(key.as_bytes());
        assert_eq!(n_secrets, 1);
        assert!(all[1].1.iter().chain(&all[2].1).all(|byte| *byte == b'*'), "{all:?}");
        for text in [
            "the password:\n\n  abc123def456ghi\nand more\n",
            "-----BEGIN PRIVATE KEY-----\nMIIEow1\nno key\n-----END PRIVATE KEY-----\n",
            "password\n",
            "-----BEGIN PRIVATE KEY-----\nMIIEow1",
        ] {
            check_as_a_whole(text.as_bytes());
        }
    }

    #[test]
    fn a_line_too_long_keeps_its_start_and_the_next_its_place() {
        let longest = usize::try_from(LONGEST_RECORD).expect("it fits");
        let exact = [vec![b'x'; longest - 1], b"\n".to_vec()].concat();
        assert_eq!(streamed(&exact).0[0].1.len(), longest - 1);
        let bytes = [vec![b'x'; longest + 5], b"\nnext\n".to_vec()].concat();
        let (all, _) = streamed(&bytes);
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].1.len(), KEPT_OF_TOO_LONG);
        assert_eq!(all[1], (Place { offset: LONGEST_RECORD + 6, line: 2 }, b"next".to_vec()));
    }

    proptest! {
        #[test]
        fn masked_line_by_line_is_masked_as_a_whole(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "\n", "\r\n", " ", "password", "Secret_Key", ":", "=", "\"", "'", "\\", "abc123def456", "x",
                    "-----BEGIN PRIVATE KEY-----", "-----BEGIN PGP PRIVATE KEY BLOCK-----", "MIIEow1+/=", "-----END",
                    "-----END PRIVATE KEY-----", ".", "sk-abcdefghij0123456789", "https://a:b1c2@d", "_",
                ]),
                0..24,
            )
        ) {
            check_as_a_whole(pieces.concat().as_bytes());
        }
    }
}
