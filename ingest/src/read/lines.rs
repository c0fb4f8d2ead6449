//! What the lines of a file are: their places, their bytes, and their text as far as it can be had.
//!
//! Invariant: every byte of the file belongs to exactly one line, to a line end (`\n`, `\r\n`) or to a byte order
//! mark at a line's start (files joined end to end carry marks inside, too).

use std::borrow::Cow;

use super::Place;

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
}

impl Line<'_> {
    /// Says whether nothing but white space stands here.
    pub(crate) fn is_blank(&self) -> bool {
        self.raw.iter().all(u8::is_ascii_whitespace)
    }
}

/// Splits a file into its lines.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut offset = 0;
    bytes.split_inclusive(|byte| *byte == b'\n').zip(1..).map(move |(whole, number)| {
        let start = offset;
        offset += whole.len();
        line(whole, start, number)
    })
}

fn line(whole: &[u8], start: usize, number: u64) -> Line<'_> {
    let (bytes, is_terminated) = match whole.strip_suffix(b"\n") {
        Some(bytes) => (bytes.strip_suffix(b"\r").unwrap_or(bytes), true),
        None => (whole, false),
    };
    let raw = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let offset = start + (bytes.len() - raw.len());
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
    let place = Place { offset: offset as u64, line: number };
    Line { place, raw, text, is_terminated, repairs }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
