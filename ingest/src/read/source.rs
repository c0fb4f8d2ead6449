//! What is read: a file that can be opened again and again, and what is counted while it is read.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bygone_engine::time::Instant;

use super::archive::Stretch;
use super::elements::Elements;
use super::lines::{CHUNK, Lines};
use super::packed::{LIMITS, unpacked};
use super::{Reader, sniff};
use crate::redact::redact;

/// How much of a file is looked at to tell its format; a first line that is longer is looked at up to [`LONGEST_HEAD`].
const HEAD: usize = 64 << 10;
/// The most that is looked at where the first line is long; chosen, untested.
const LONGEST_HEAD: usize = 16 << 20;

/// Endings that say how a file is packed, and nothing about what is in it.
const PACKED: [&str; 2] = [".gz", ".zst"];

/// Where the bytes of a source are. Files packed with gzip or zstd are unpacked while they are read.
#[derive(Clone, Debug)]
pub enum Bytes {
    /// In memory.
    Held(Vec<u8>),
    /// In a file.
    File(PathBuf),
    /// In an archive.
    Entry(Stretch),
}

/// What many readings are watched by: how much was read, and whether they are to stop.
#[derive(Debug, Default)]
pub struct Meter {
    n_bytes: AtomicU64,
    is_stopped: AtomicBool,
}

impl Meter {
    /// Returns how many bytes were read, packed ones where they are packed. What is read ahead counts only once.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes.load(Ordering::Relaxed)
    }

    /// Ends every reading at its next look at the file.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// A file to read.
pub struct Source<'a> {
    /// Its name, as problems and default session names give it.
    pub name: &'a str,
    /// When the file was last modified: the time of turns that have none at all.
    pub modified: Instant,
    /// The present: when a statement that does not say became known.
    pub now: Instant,
    bytes: &'a Bytes,
    keeps_secrets: bool,
    n_masked: Cell<u64>,
    meter: Option<&'a Meter>,
}

impl<'a> Source<'a> {
    /// Makes a source in whose bytes secrets are masked.
    pub fn new(name: &'a str, bytes: &'a Bytes, modified: Instant, now: Instant) -> Source<'a> {
        Source { name, modified, now, bytes, keeps_secrets: false, n_masked: Cell::new(0), meter: None }
    }

    /// Says whether what looks like a secret is kept instead of masked.
    #[must_use]
    pub fn keeping_secrets(self, keeps_secrets: bool) -> Source<'a> {
        Source { keeps_secrets, ..self }
    }

    /// Watches the reading by a meter.
    #[must_use]
    pub fn metered(self, meter: &'a Meter) -> Source<'a> {
        Source { meter: Some(meter), ..self }
    }

    /// Returns how many secrets were masked so far.
    pub fn n_masked(&self) -> u64 {
        self.n_masked.get()
    }

    /// Returns the file's name without folders and without its last extension, besides the one that says how it is
    /// packed: the session of records that name none.
    pub fn stem(&self) -> &str {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or(self.name);
        let inside = PACKED.iter().find_map(|ending| file.strip_suffix(ending));
        let file = inside.filter(|inside| !inside.is_empty()).unwrap_or(file);
        match file.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => file,
        }
    }

    /// Finds the first format that the start of the file looks like, as far as it can be read.
    ///
    /// # Errors
    /// Where the file cannot be read, or not far enough to tell.
    pub fn format(&self) -> io::Result<Option<&'static Reader>> {
        let (head, fault) = self.start()?;
        match (sniff(&head), fault) {
            (None, Some(fault)) => Err(fault),
            (format, _) => Ok(format),
        }
    }

    /// Returns the start of the file as far as it can be read: at least the first line that is not blank, unless it is very
    /// long.
    ///
    /// # Errors
    /// Where nothing of the file can be read.
    pub fn head(&self) -> io::Result<Vec<u8>> {
        match self.start()? {
            (head, Some(fault)) if head.is_empty() => Err(fault),
            (head, _) => Ok(head),
        }
    }

    /// Returns the start of the file, and what ended the reading where something did.
    fn start(&self) -> io::Result<(Vec<u8>, Option<io::Error>)> {
        let mut input = BufReader::with_capacity(CHUNK, self.open(None)?);
        let mut head = Vec::new();
        if let Err(fault) = input.by_ref().take(HEAD as u64).read_to_end(&mut head) {
            return Ok((head, Some(fault)));
        }
        let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
        // The elements of a list are told by their first keys.
        if !start.starts_with(b"[") && !start.contains(&b'\n') {
            let rest = input.take((LONGEST_HEAD - HEAD) as u64).read_until(b'\n', &mut head);
            return Ok((head, rest.err()));
        }
        Ok((head, None))
    }

    /// Opens the file line by line.
    pub(crate) fn lines(&self) -> io::Result<Lines<'_>> {
        Ok(Lines::new(self.open(self.meter)?, (!self.keeps_secrets).then_some(&self.n_masked)))
    }

    /// Opens the file line by line once more, to look ahead: nothing is masked or counted, so nothing of it is kept.
    pub(crate) fn lines_ahead(&self) -> io::Result<Lines<'_>> {
        Ok(Lines::new(self.open(None)?, None))
    }

    /// Opens the file, a JSON list, element by element. The elements are not masked yet.
    pub(crate) fn elements(&self) -> io::Result<Elements<'a>> {
        Ok(Elements::new(self.open(self.meter)?))
    }

    /// Opens the file, a JSON list or a document, element by element. The elements are not masked yet.
    pub(crate) fn documents(&self) -> io::Result<Elements<'a>> {
        Ok(Elements::or_values(self.open(self.meter)?))
    }

    /// Opens the file, a JSON list, element by element once more, to look ahead.
    pub(crate) fn elements_ahead(&self) -> io::Result<Elements<'a>> {
        Ok(Elements::new(self.open(None)?))
    }

    /// Opens the file, one JSON value after another, value by value; to keep them, or only to look ahead.
    pub(crate) fn values(&self, is_kept: bool) -> io::Result<Elements<'a>> {
        Ok(Elements::of_values(self.open(self.meter.filter(|_| is_kept))?))
    }

    /// Masks the secrets in a piece of the file that no secret reaches out of.
    pub(crate) fn mask(&self, bytes: &mut Vec<u8>) {
        if self.keeps_secrets {
            return;
        }
        if let (Cow::Owned(masked), n_secrets) = redact(bytes) {
            *bytes = masked;
            self.n_masked.set(self.n_masked.get() + n_secrets);
        }
    }

    fn open(&self, meter: Option<&'a Meter>) -> io::Result<Stream<'a>> {
        let count = |input| -> Box<dyn io::Read + Send + 'a> { Box::new(Counted { input, meter }) };
        let input = match self.bytes {
            Bytes::Held(bytes) => unpacked(count(Box::new(bytes.as_slice())), LIMITS)?,
            Bytes::File(path) => unpacked(count(Box::new(fs_err::File::open(path)?)), LIMITS)?,
            Bytes::Entry(entry) => entry.open(count)?,
        };
        Ok(Stream { input, meter })
    }
}

/// The bytes of a source, unpacked, until its meter stops them.
pub(super) struct Stream<'a> {
    input: Box<dyn io::Read + Send + 'a>,
    meter: Option<&'a Meter>,
}

impl io::Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.meter.is_some_and(|meter| meter.is_stopped.load(Ordering::Relaxed)) {
            return Err(io::Error::other("stopped"));
        }
        self.input.read(buffer)
    }
}

/// The bytes of a source as they stand, counted by its meter.
struct Counted<'a> {
    input: Box<dyn io::Read + Send + 'a>,
    meter: Option<&'a Meter>,
}

impl io::Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.input.read(buffer)?;
        if let Some(meter) = self.meter {
            meter.n_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
        }
        Ok(n_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(bytes: &[u8]) -> usize {
        let bytes = Bytes::Held(bytes.to_vec());
        Source::new("x", &bytes, Instant::FIRST, Instant::FIRST).head().expect("held bytes open").len()
    }

    #[test]
    fn the_head_has_the_first_line_whole() {
        assert_eq!(head(b"short"), 5);
        let long = "x".repeat(3 * HEAD);
        assert_eq!(head(format!("{long}\nnext\n").as_bytes()), 3 * HEAD + 1);
        assert_eq!(head(format!("\n\n{long}\nnext\n").as_bytes()), 3 * HEAD + 3);
        assert_eq!(head(format!("first\n{long}\n").as_bytes()), HEAD);
        assert_eq!(head(format!("[{long}]").as_bytes()), HEAD);
    }

    #[test]
    fn a_file_that_is_damaged_early_is_told_by_what_can_be_read() {
        use std::io::Write as _;
        let packed = |text: &str| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(text.as_bytes()).expect("memory takes it");
            let packed = encoder.finish().expect("memory takes it");
            Bytes::Held(packed[..packed.len() - 8].to_vec())
        };
        let format = |bytes: &Bytes| {
            let source = Source::new("x", bytes, Instant::FIRST, Instant::FIRST);
            source.format().map(|format| format.map(|format| format.name)).map_err(|error| error.to_string())
        };
        assert_eq!(format(&packed(&"2024-03-01 Anna: I have a cat.\n".repeat(500))), Ok(Some("plain")));
        assert!(format(&packed(&"nothing is known of this\n".repeat(500))).is_err());
    }

    #[test]
    fn the_name_of_a_packed_file_is_that_of_what_is_in_it() {
        let bytes = Bytes::Held(Vec::new());
        for (name, stem) in [
            ("a/log.jsonl", "log"),
            ("a/log.jsonl.gz", "log"),
            ("a/log.jsonl.zst", "log"),
            ("a.zip/b/log.v2.txt", "log.v2"),
            ("log.gz", "log"),
            (".gz", ".gz"),
        ] {
            assert_eq!(Source::new(name, &bytes, Instant::FIRST, Instant::FIRST).stem(), stem);
        }
    }

    #[test]
    fn a_stopped_reading_ends() {
        let bytes = Bytes::Held(b"one\ntwo\n".to_vec());
        let meter = Meter::default();
        let source = Source::new("x", &bytes, Instant::FIRST, Instant::FIRST).metered(&meter);
        let mut lines = source.lines().expect("held bytes open");
        meter.stop();
        assert!(lines.next().is_err());
    }
}
