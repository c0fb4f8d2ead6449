//! What a packed file expands to: gzip and zstd, told by their first bytes and unpacked while they are read.
//!
//! ```text
//! bytes ── magic ──> as they are
//!            ├─────> gzip, member after member ─┐
//!            └─────> zstd, frame after frame  ──┴─> limits ──> bytes of the file
//! ```
//!
//! What is packed twice is not opened, so that what a file expands to is bounded by [`LIMITS`] alone. Zip archives are
//! files of their own: see [`super::archive`].

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::lines::CHUNK;

/// How many bytes tell what a file is packed with.
pub(super) const MAGIC_BYTES: usize = 4;

/// How much a packed file may expand to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The most bytes in all.
    pub(super) most: u64,
    /// Up to so many the ratio does not matter.
    pub(super) free: u64,
    /// The most bytes for each packed byte.
    pub(super) most_ratio: u64,
}

/// Chosen, untested: far above what transcripts need, which expand 5 to 50 times.
pub(super) const LIMITS: Limits = Limits { most: 16 << 30, free: 2 << 30, most_ratio: 200 };

impl Limits {
    /// Says whether so many packed bytes may expand to so many.
    ///
    /// # Errors
    /// Which limit is passed.
    pub(super) fn check(self, n_packed: u64, n_bytes: u64) -> Result<(), String> {
        let Limits { most, free, most_ratio } = self;
        if n_bytes > most {
            return Err(format!("it expands to more than {most} bytes"));
        }
        if n_bytes > free && n_bytes / most_ratio > n_packed {
            return Err(format!(
                "it expands to more than {most_ratio} times its size, which beyond {free} bytes is refused"
            ));
        }
        Ok(())
    }
}

/// What a file is packed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
    Zip,
}

impl Packing {
    /// Tells the packing by the first bytes of a file; `None` where it is not packed.
    pub(super) fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1f, 0x8b, 8, ..] => Some(Packing::Gzip),
            // A frame, or one that is to be skipped.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
            // With entries, or empty.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Packing::Zip),
            _ => None,
        }
    }
}

/// Returns what the bytes expand to where they are packed, and else the bytes.
///
/// # Errors
/// Where they cannot be read, or are an archive. What is wrong further on, and a limit that is passed, are errors of
/// the reading.
pub(super) fn unpacked<'a>(
    input: Box<dyn Read + Send + 'a>,
    limits: Limits,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let (packing, input) = looked_at(input)?;
    if packing.is_none() {
        return Ok(input);
    }
    let n_packed = Arc::new(AtomicU64::new(0));
    let packed = Counted { input, n_bytes: Arc::clone(&n_packed) };
    let expanded: Box<dyn Read + Send + 'a> = match packing {
        Some(Packing::Gzip) => Box::new(MultiGzDecoder::new(packed)),
        Some(Packing::Zstd) => Box::new(Frames::new(packed)),
        Some(Packing::Zip) | None => {
            return Err(io::Error::other("a zip archive, of which only the entries are read"));
        }
    };
    expanding(expanded, n_packed, limits)
}

/// Holds what a packed file expands to, to the limits; what is packed once more is refused.
pub(super) fn expanding<'a>(
    expanded: Box<dyn Read + Send + 'a>,
    n_packed: Arc<AtomicU64>,
    limits: Limits,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let limited = Box::new(Limited { expanded, n_packed, n_bytes: 0, limits });
    match looked_at(limited)? {
        (None, expanded) => Ok(expanded),
        (Some(_), _) => Err(io::Error::other("packed twice: what is packed inside is not opened")),
    }
}

/// Tells the packing of what is about to be read.
fn looked_at<'a>(
    mut input: Box<dyn Read + Send + 'a>,
) -> io::Result<(Option<Packing>, Box<dyn Read + Send + 'a>)> {
    let mut head = Vec::with_capacity(MAGIC_BYTES);
    input.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
    Ok((Packing::of(&head), Box::new(Cursor::new(head).chain(input))))
}

/// Counts what is read.
pub(super) struct Counted<R> {
    pub(super) input: R,
    pub(super) n_bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.input.read(buffer)?;
        self.n_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
        Ok(n_bytes)
    }
}

struct Limited<'a> {
    expanded: Box<dyn Read + Send + 'a>,
    n_packed: Arc<AtomicU64>,
    n_bytes: u64,
    limits: Limits,
}

impl Read for Limited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.expanded.read(buffer)?;
        self.n_bytes += n_bytes as u64;
        self.limits.check(self.n_packed.load(Ordering::Relaxed), self.n_bytes).map_err(io::Error::other)?;
        Ok(n_bytes)
    }
}

/// The frames of a zstd file, one after another.
///
/// A window may have 128 MiB at most (`ruzstd::decoding::DEFAULT_MAX_WINDOW_SIZE`), which bounds what is held.
struct Frames<R> {
    input: BufReader<R>,
    decoder: FrameDecoder,
    is_inside: bool,
    /// What is wrong behind the bytes that are yet to be handed on.
    fault: Option<FrameDecoderError>,
}

/// A last block without bytes, RFC 8878 section 3.1.1.2, and a checksum in case the frame has one.
///
/// The decoder holds a window of what it decoded back until the frame ends. Where the frame is cut off, this ends it, so
/// that what was decoded is handed on.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl<R: Read> Frames<R> {
    fn new(input: R) -> Frames<R> {
        let input = BufReader::with_capacity(CHUNK, input);
        Frames { input, decoder: FrameDecoder::new(), is_inside: false, fault: None }
    }

    /// Starts the next frame; returns whether there is one.
    fn start(&mut self) -> io::Result<bool> {
        while !self.input.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.input) {
                Ok(()) => {
                    self.is_inside = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut self.input.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(damaged(&error)),
            }
        }
        Ok(false)
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_inside && !self.start()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = || BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.input, one()) {
                    self.decoder.decode_blocks(LAST_BLOCK.as_slice(), one()).map_err(|_| damaged(&error))?;
                    self.fault = Some(error);
                }
            }
            let n_bytes = self.decoder.read(buffer)?;
            if n_bytes > 0 {
                return Ok(n_bytes);
            }
            if let Some(fault) = &self.fault {
                return Err(damaged(fault));
            }
            self.is_inside = false;
            let written = self.decoder.get_checksum_from_data();
            if written.is_some() && written != self.decoder.get_calculated_checksum() {
                return Err(io::Error::other("damaged zstd: the checksum differs"));
            }
        }
    }
}

fn damaged(error: &FrameDecoderError) -> io::Error {
    io::Error::other(format!("damaged zstd: {error}"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    fn read(bytes: &[u8], limits: Limits) -> Result<Vec<u8>, String> {
        let mut all = Vec::new();
        let read = unpacked(Box::new(bytes), limits).and_then(|mut input| input.read_to_end(&mut all));
        read.map_err(|error| error.to_string())?;
        Ok(all)
    }

    #[test]
    fn what_is_packed_is_unpacked_whatever_its_name() {
        let text = "2024-03-01 Anna: hello\n".repeat(10_000).into_bytes();
        assert_eq!(read(&text, LIMITS), Ok(text.clone()));
        assert_eq!(read(&gzip(&text), LIMITS), Ok(text.clone()));
        assert_eq!(read(&zstd(&text), LIMITS), Ok(text.clone()));
        for bytes in [&b""[..], b"x", b"\x1f\x8b", b"PK"] {
            assert_eq!(read(bytes, LIMITS), Ok(bytes.to_vec()));
        }
    }

    #[test]
    fn files_joined_end_to_end_are_read_to_the_end() {
        assert_eq!(read(&[gzip(b"one\n"), gzip(b"two\n")].concat(), LIMITS), Ok(b"one\ntwo\n".to_vec()));
        let skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec();
        let joined = [skipped.clone(), zstd(b"one\n"), skipped, zstd(b"two\n")].concat();
        assert_eq!(read(&joined, LIMITS), Ok(b"one\ntwo\n".to_vec()));
    }

    #[test]
    fn what_is_cut_off_or_damaged_is_an_error() {
        let text: Vec<u8> = (0..50_000_u32).flat_map(u32::to_le_bytes).collect();
        for packed in [gzip(&text), zstd(&text)] {
            for n_bytes in [packed.len() / 2, packed.len() - 1] {
                assert!(read(&packed[..n_bytes], LIMITS).is_err(), "{n_bytes} of {}", packed.len());
            }
            let mut damaged = packed.clone();
            let at = damaged.len() - 6;
            damaged[at] ^= 0x55;
            assert!(read(&damaged, LIMITS).is_err());
        }
    }

    /// Reads as far as it goes; returns what was read, and what ended it.
    fn read_until_damage(bytes: &[u8]) -> (Vec<u8>, Option<String>) {
        let mut all = Vec::new();
        let read = unpacked(Box::new(bytes), LIMITS).and_then(|mut input| input.read_to_end(&mut all));
        (all, read.err().map(|error| error.to_string()))
    }

    #[test]
    fn what_stands_before_the_damage_is_handed_on() {
        let text: Vec<u8> = (0..200_000_u32).flat_map(|n| format!("line {n}\n").into_bytes()).collect();
        for packed in [gzip(&text), zstd(&text)] {
            let (read, error) = read_until_damage(&packed[..packed.len() * 6 / 10]);
            assert!(error.is_some());
            assert!(text.starts_with(&read));
            assert!(read.len() > text.len() / 3, "{} of {} bytes", read.len(), text.len());
            // The end of the last frame, of which only the checksum is missing.
            let (read, error) = read_until_damage(&packed[..packed.len() - 1]);
            assert!(error.is_some());
            assert_eq!(read.len(), text.len());
        }
        let two = [zstd(b"one\n"), zstd(&text)].concat();
        let (read, _) = read_until_damage(&two[..two.len() / 2]);
        assert!(read.starts_with(b"one\nline 0\n"), "{} bytes", read.len());
    }

    #[test]
    fn limits_are_kept_and_told() {
        let text = vec![b'x'; 100_000];
        let limits = |most, free| Limits { most, free, most_ratio: 10 };
        for packed in [gzip(&text), zstd(&text)] {
            assert_eq!(read(&packed, limits(100_000, 100_000)), Ok(text.clone()));
            let refused = read(&packed, limits(99_999, 100_000)).expect_err("too much");
            assert!(refused.contains("more than 99999 bytes"), "{refused}");
            let refused = read(&packed, limits(100_000, 50_000)).expect_err("too dense");
            assert!(refused.contains("more than 10 times its size"), "{refused}");
        }
        assert_eq!(read(&text, limits(10, 10)), Ok(text), "what is not packed is not limited");
    }

    #[test]
    fn what_is_packed_twice_is_refused() {
        for inside in [gzip(b"x"), zstd(b"x"), b"PK\x03\x04".to_vec()] {
            for packed in [gzip(&inside), zstd(&inside)] {
                let refused = read(&packed, LIMITS).expect_err("packed twice");
                assert!(refused.contains("packed twice"), "{refused}");
            }
        }
        assert!(read(b"PK\x03\x04", LIMITS).is_err_and(|error| error.contains("zip archive")));
    }
}
