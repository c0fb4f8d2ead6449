//! The entries of a zip archive whose name a later entry has, too.
//!
//! What reads the archive's directory keeps one entry of each name, the last. The others are found here, by going over the
//! directory once more (APPNOTE.TXT, sections 4.3.7 and 4.3.12).

use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom};

/// How an entry of the directory starts, and what stands before the bytes of an entry.
const DIRECTORY_HEADER: (u32, usize) = (0x0201_4b50, 46);
const LOCAL_HEADER: (u32, usize) = (0x0403_4b50, 30);
/// What stands in the place of a length or an offset that needs more than 32 bits.
const ELSEWHERE: u32 = u32::MAX;

/// An entry that is not among those that were kept.
pub(super) struct Shadowed {
    /// Where its header stands in the directory.
    pub(super) header: u64,
    /// Its name as it stands there.
    pub(super) name: Vec<u8>,
    pub(super) is_encrypted: bool,
    pub(super) method: u16,
    /// Date and time in the form of MS-DOS.
    pub(super) modified: (u16, u16),
    pub(super) crc: u32,
    pub(super) n_packed: u64,
    pub(super) n_bytes: u64,
    /// Where its bytes start, or why that cannot be told.
    pub(super) start: Result<u64, String>,
}

/// Finds the entries of a directory whose headers are not known; at most so many headers are looked at.
///
/// # Errors
/// Where the file cannot be read.
pub(super) fn shadowed(
    file: &mut (impl Read + Seek),
    directory: u64,
    offset: u64,
    known: &BTreeSet<u64>,
    most: usize,
) -> io::Result<Vec<Shadowed>> {
    let mut found = Vec::new();
    let mut at = directory;
    for _ in 0..most {
        let Some(header) = header(file, at, DIRECTORY_HEADER)? else { break };
        let lengths = [28, 30, 32].map(|field| u64::from(short(&header, field)));
        if !known.contains(&at) {
            let mut name = Vec::new();
            file.by_ref().take(lengths[0]).read_to_end(&mut name)?;
            let [n_packed, n_bytes, local] = [20, 24, 42].map(|field| long(&header, field));
            let start = if [n_packed, n_bytes, local].contains(&ELSEWHERE) {
                Err("another entry has the same name, and this one is of the large kind (zip64)".to_owned())
            } else {
                start(file, offset.saturating_add(local.into()))?
            };
            found.push(Shadowed {
                header: at,
                name,
                is_encrypted: short(&header, 8) & 1 == 1,
                method: short(&header, 10),
                modified: (short(&header, 14), short(&header, 12)),
                crc: long(&header, 16),
                n_packed: n_packed.into(),
                n_bytes: n_bytes.into(),
                start,
            });
        }
        at += header.len() as u64 + lengths.iter().sum::<u64>();
    }
    Ok(found)
}

/// Finds where the bytes behind a local header start.
fn start(file: &mut (impl Read + Seek), local: u64) -> io::Result<Result<u64, String>> {
    let Some(header) = header(file, local, LOCAL_HEADER)? else {
        return Ok(Err("the entry does not stand where the archive says".to_owned()));
    };
    let lengths = [26, 28].map(|field| u64::from(short(&header, field)));
    Ok(Ok(local + header.len() as u64 + lengths.iter().sum::<u64>()))
}

/// Reads a header that starts at a place; `None` where none does.
fn header(
    file: &mut (impl Read + Seek),
    at: u64,
    (signature, n_bytes): (u32, usize),
) -> io::Result<Option<Vec<u8>>> {
    file.seek(SeekFrom::Start(at))?;
    let mut header = Vec::with_capacity(n_bytes);
    file.by_ref().take(n_bytes as u64).read_to_end(&mut header)?;
    Ok((header.len() == n_bytes && long(&header, 0) == signature).then_some(header))
}

fn short(header: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([header[at], header[at + 1]])
}

fn long(header: &[u8], at: usize) -> u32 {
    u32::from(short(header, at)) | u32::from(short(header, at + 2)) << 16
}
