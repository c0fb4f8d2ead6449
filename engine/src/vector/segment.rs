//! Documents on disk that never change: two files, written once.
//!
//! ```text
//! gen-N.codes   read whole when the index is opened; the manifest has its length and BLAKE3 hash
//!   magic 8 "bygcodes" │ version 4 │ dimension 4 │ N 8 │ number of groups 4
//!   a group:  space 4 │ kind 1 │ documents D 4 │ pieces P 4         as many as there are groups, ascending
//!   a group:  ids 16·D │ scales 4·D │ slacks 4·D │ ends of pieces 4·D │ pieces 2·P │ codes dimension·D
//!
//! gen-N.full    read vector by vector; the manifest has its length
//!   magic 8 "bygfull\0" │ version 4 │ dimension 4 │ N 8
//!   a document:  vector 4·dimension │ check 8
//! ```
//!
//! Numbers are little-endian; scales, slacks and vectors are 32-bit floats, ends and pieces unsigned, codes signed bytes.
//! A check is the start of the BLAKE3 hash of the hash of `gen-N.codes` (32 bytes), the document's place in the file (8) and
//! the vector's bytes, so that vectors and codes of different writings never go together. Documents of one group lie together and in the order in which they came; both files have them in one order.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use fs_err as fs;

use super::bytes::{Bytes, extend};
use super::code::Codes;
use super::damage::{Damage, damaged};
use super::files::Files;
use super::group::Group;
use super::run::{CHECK_BYTES, Pieces, Run, VectorFile, check};

const VERSION: u32 = 1;
const CODES_MAGIC: [u8; 8] = *b"bygcodes";
const FULL_MAGIC: [u8; 8] = *b"bygfull\0";
const FULL_HEADER_BYTES: u64 = 24;

/// What the manifest says of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SegmentRecord {
    /// The generation that wrote it.
    pub(super) number: u64,
    pub(super) codes_bytes: u64,
    pub(super) codes_hash: [u8; 32],
    pub(super) full_bytes: u64,
}

impl SegmentRecord {
    /// Returns the names of the segment's files.
    pub(super) fn names(&self) -> [String; 2] {
        [codes_name(self.number), full_name(self.number)]
    }
}

/// A segment that is open.
pub(super) struct Segment {
    pub(super) record: SegmentRecord,
    pub(super) runs: BTreeMap<Group, Run>,
}

/// A run, and which of its documents are to be written.
pub(super) type Part<'a> = (&'a Run, Vec<usize>);

impl Segment {
    /// Returns how many documents there are, of every group.
    pub(super) fn len(&self) -> usize {
        self.runs.values().map(Run::len).sum()
    }

    /// Writes a segment. Its files are durable afterwards, their names are once the folder is synced.
    pub(super) fn write(
        files: &dyn Files,
        number: u64,
        dimension: usize,
        groups: &BTreeMap<Group, Vec<Part<'_>>>,
    ) -> Result<SegmentRecord, Damage> {
        let codes = codes_file(number, dimension, groups);
        let codes_hash = *blake3::hash(&codes).as_bytes();
        files.write(&codes_name(number), &mut |to| to.write_all(&codes)).map_err(damaged)?;
        let mut full_bytes = 0;
        let content = &mut |to: &mut dyn io::Write| {
            full_bytes = write_full(to, (number, &codes_hash), dimension, groups)?;
            Ok(())
        };
        files.write(&full_name(number), content).map_err(damaged)?;
        Ok(SegmentRecord { number, codes_bytes: codes.len() as u64, codes_hash, full_bytes })
    }

    /// Opens a segment. What it holds is what was written, save that vectors are checked when they are read.
    pub(super) fn open(
        files: &dyn Files,
        record: SegmentRecord,
        dimension: usize,
    ) -> Result<Segment, Damage> {
        let name = codes_name(record.number);
        let bytes = files.read(&name).map_err(damaged)?;
        if bytes.len() as u64 != record.codes_bytes || *blake3::hash(&bytes).as_bytes() != record.codes_hash {
            return Err(damaged(format!("{name} is not what was written")));
        }
        let file = open_full(files, &record, dimension)?;
        let runs = parse(&bytes, &record, dimension, &Arc::new(file));
        let runs = runs.ok_or_else(|| damaged(format!("{name} is not laid out as version {VERSION} is")))?;
        let segment = Segment { record, runs };
        let expected = FULL_HEADER_BYTES + (segment.len() * vector_bytes(dimension)) as u64;
        if segment.record.full_bytes != expected {
            return Err(damaged(format!("{name} does not go with its vectors")));
        }
        Ok(segment)
    }
}

fn open_full(files: &dyn Files, record: &SegmentRecord, dimension: usize) -> Result<fs::File, Damage> {
    let name = full_name(record.number);
    let file = files.open(&name).map_err(damaged)?;
    let n_bytes = file.metadata().map_err(damaged)?.len();
    if n_bytes != record.full_bytes {
        return Err(damaged(format!("{name} has {n_bytes} bytes instead of {}", record.full_bytes)));
    }
    let expected = header(FULL_MAGIC, record.number, dimension);
    let mut header = vec![0; expected.len()];
    file.file().read_exact_at(&mut header, 0).map_err(damaged)?;
    if header != expected {
        return Err(damaged(format!("{name} does not start as it was written")));
    }
    Ok(file)
}

fn codes_name(number: u64) -> String {
    format!("gen-{number}.codes")
}

fn full_name(number: u64) -> String {
    format!("gen-{number}.full")
}

fn vector_bytes(dimension: usize) -> usize {
    dimension * 4 + CHECK_BYTES
}

fn header(magic: [u8; 8], number: u64, dimension: usize) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&u32_of(dimension).to_le_bytes());
    bytes.extend_from_slice(&number.to_le_bytes());
    bytes
}

fn u32_of(number: usize) -> u32 {
    u32::try_from(number).expect("a segment has fewer than 2^32 of anything")
}

fn codes_file(number: u64, dimension: usize, groups: &BTreeMap<Group, Vec<Part<'_>>>) -> Vec<u8> {
    let gathered: Vec<(Group, Gathered)> =
        groups.iter().map(|(group, parts)| (*group, Gathered::of(parts, dimension))).collect();
    let mut bytes = header(CODES_MAGIC, number, dimension);
    bytes.extend_from_slice(&u32_of(gathered.len()).to_le_bytes());
    for (group, Gathered { ids, pieces, .. }) in &gathered {
        bytes.extend_from_slice(&group.to_bytes());
        bytes.extend_from_slice(&u32_of(ids.len()).to_le_bytes());
        bytes.extend_from_slice(&u32_of(pieces.all.len()).to_le_bytes());
    }
    for (_, Gathered { ids, codes, pieces }) in &gathered {
        extend(&mut bytes, ids, |id| id);
        extend(&mut bytes, &codes.scales, f32::to_le_bytes);
        extend(&mut bytes, &codes.slacks, f32::to_le_bytes);
        extend(&mut bytes, &pieces.ends, u32::to_le_bytes);
        extend(&mut bytes, &pieces.all, u16::to_le_bytes);
        extend(&mut bytes, &codes.values, i8::to_le_bytes);
    }
    bytes
}

/// The documents of a group out of several runs.
#[derive(Default)]
struct Gathered {
    ids: Vec<[u8; 16]>,
    codes: Codes,
    pieces: Pieces,
}

impl Gathered {
    fn of(parts: &[Part<'_>], dimension: usize) -> Gathered {
        let mut gathered = Gathered::default();
        for (run, indexes) in parts {
            for &index in indexes {
                gathered.ids.push(run.ids[index]);
                gathered.codes.push_from(&run.codes, index, dimension);
                gathered.pieces.push_from(&run.pieces, index);
            }
        }
        gathered
    }
}

fn write_full(
    to: &mut dyn io::Write,
    (number, codes_hash): (u64, &[u8; 32]),
    dimension: usize,
    groups: &BTreeMap<Group, Vec<Part<'_>>>,
) -> io::Result<u64> {
    let header = header(FULL_MAGIC, number, dimension);
    to.write_all(&header)?;
    let mut n_written = 0;
    let mut vector = Vec::new();
    let mut bytes = Vec::new();
    for (run, indexes) in groups.values().flatten() {
        for &index in indexes {
            run.read(index, &mut vector).map_err(|Damage(what)| io::Error::other(what))?;
            bytes.clear();
            extend(&mut bytes, &vector, f32::to_le_bytes);
            to.write_all(&bytes)?;
            to.write_all(&check(codes_hash, n_written, &bytes))?;
            n_written += 1;
        }
    }
    Ok(header.len() as u64 + n_written * vector_bytes(dimension) as u64)
}

fn parse(
    bytes: &[u8],
    record: &SegmentRecord,
    dimension: usize,
    file: &Arc<fs::File>,
) -> Option<BTreeMap<Group, Run>> {
    let mut bytes = Bytes::new(bytes);
    let expected = header(CODES_MAGIC, record.number, dimension);
    (bytes.take(expected.len())? == expected).then_some(())?;
    let mut sizes = Vec::new();
    for _ in 0..bytes.u32()? {
        let group = Group::from_bytes(bytes.array()?)?;
        sizes.push((group, bytes.u32()? as usize, bytes.u32()? as usize));
    }
    let mut runs = BTreeMap::new();
    let mut first = 0;
    for (group, n_documents, n_pieces) in sizes {
        let ids = bytes.many(n_documents, |id: [u8; 16]| id)?;
        let scales = bytes.many(n_documents, f32::from_le_bytes)?;
        let slacks = bytes.many(n_documents, f32::from_le_bytes)?;
        let ends = bytes.many(n_documents, u32::from_le_bytes)?;
        let all = bytes.many(n_pieces, u16::from_le_bytes)?;
        let values = bytes.many(n_documents.checked_mul(dimension)?, i8::from_le_bytes)?;
        let is_sound = ends.is_sorted() && ends.last().map_or(0, |end| *end as usize) == n_pieces;
        is_sound.then_some(())?;
        let (file, codes_hash) = (Arc::clone(file), record.codes_hash);
        let place = VectorFile { file, codes_hash, offset: FULL_HEADER_BYTES, first };
        let run = Run::of(dimension, ids, Codes { scales, slacks, values }, Pieces { ends, all }, place);
        first += n_documents as u64;
        runs.insert(group, run).is_none().then_some(())?;
    }
    bytes.is_empty().then_some(runs)
}
