//! Standard input as a file: readers go over what they read several times.
//!
//! A little is held; more, and archives, are written to a temporary file that is removed at the end.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use bygone_ingest::read::Bytes;

/// How much is held in memory; chosen, untested.
pub(crate) const MOST_HELD: u64 = 8 << 20;
/// How often another name is tried for the temporary file.
const MOST_NAMES: u32 = 1000;

/// What stood on standard input.
pub(crate) enum Taken {
    Held(Vec<u8>),
    Kept(Temporary),
}

impl Taken {
    /// Returns nothing, for input that is not read.
    pub(crate) fn nothing() -> Taken {
        Taken::Held(Vec::new())
    }

    /// Reads standard input to its end.
    ///
    /// # Errors
    /// Where it cannot be read, or not be written to the temporary file.
    pub(crate) fn read(input: &mut dyn Read) -> io::Result<Taken> {
        let mut start = Vec::new();
        input.take(MOST_HELD).read_to_end(&mut start)?;
        let is_archive = start.starts_with(b"PK");
        if !is_archive && (start.len() as u64) < MOST_HELD {
            return Ok(Taken::Held(start));
        }
        let (temporary, mut file) = Temporary::new()?;
        file.write_all(&start)?;
        io::copy(input, &mut file)?;
        Ok(Taken::Kept(temporary))
    }

    /// Returns where its bytes are.
    pub(crate) fn bytes(&self) -> Bytes {
        match self {
            Taken::Held(bytes) => Bytes::Held(bytes.clone()),
            Taken::Kept(temporary) => Bytes::File(temporary.0.clone()),
        }
    }
}

/// A file that is removed at the end; only its owner can read it.
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// Makes one, to be written and read.
    pub(crate) fn new() -> io::Result<(Temporary, fs_err::File)> {
        let folder = std::env::temp_dir();
        let mut options = fs_err::OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        {
            use fs_err::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        for number in 0..MOST_NAMES {
            let path = folder.join(format!("bygone-stdin-{}-{number}", std::process::id()));
            match options.open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                opened => return Ok((Temporary(path), opened?)),
            }
        }
        Err(io::Error::other(format!("no free name for a temporary file in {}", folder.display())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Where it cannot be removed, the folder for temporary files is cleared by others.
        fs_err::remove_file(&self.0).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_is_held_and_more_is_kept_as_long_as_it_is_needed() {
        assert!(matches!(Taken::read(&mut &b"hello"[..]), Ok(Taken::Held(bytes)) if bytes == b"hello"));
        let much = vec![b'x'; usize::try_from(MOST_HELD).expect("it fits") + 1];
        for bytes in [&much[..], b"PK\x03\x04"] {
            let taken = Taken::read(&mut &bytes[..]).expect("there is room for a file");
            let Bytes::File(path) = taken.bytes() else {
                panic!("held");
            };
            assert_eq!(fs_err::read(&path).expect("a file"), bytes);
            drop(taken);
            assert!(!path.exists());
        }
    }
}
