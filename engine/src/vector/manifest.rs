//! Which files make up the index, and what it is an index of. Whoever replaces this file replaces the index.
//!
//! ```text
//! MANIFEST
//!   magic 8 "bygvecs\0" │ version 4 │ generation 8
//!   model:     length of id 4 │ id │ hash 32 │ dimension 4
//!   mark:      sequence 8 │ digest of the log 16
//!   segments:  number 4, then each   N 8 │ bytes of codes 8 │ hash of codes 32 │ bytes of vectors 8     oldest first
//!   dead:      number 4, then each   group 5 │ number 4 │ positions 4 each, ascending
//!   graphs:    number 4, then each   group 5 │ N 8 │ bytes 8 │ hash 32
//!   BLAKE3 hash of all that 32
//! ```
//!
//! Numbers are little-endian. A position is a document's place among those of its group, over all segments in order.

use std::collections::{BTreeMap, BTreeSet};

use roaring::RoaringBitmap;

use super::ModelName;
use super::bytes::{Bytes, extend};
use super::graph_file::GraphRecord;
use super::group::Group;
use super::segment::SegmentRecord;
use crate::log::Mark;

/// The name of the file.
pub(super) const NAME: &str = "MANIFEST";
/// The name of the file while it is written.
pub(super) const NEW_NAME: &str = "MANIFEST.new";

/// Says whether a file of an index can have this name.
pub(super) fn is_own(name: &str) -> bool {
    let of_generation = |rest: &str| {
        let kind = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let is_graph = || kind.strip_prefix('-').is_some_and(|group| group.strip_suffix(".graph").is_some());
        kind != rest && (kind == ".codes" || kind == ".full" || is_graph())
    };
    name == NAME || name == NEW_NAME || name.strip_prefix("gen-").is_some_and(of_generation)
}

const MAGIC: [u8; 8] = *b"bygvecs\0";
const VERSION: u32 = 2;

/// The manifest.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Manifest {
    pub(super) generation: u64,
    pub(super) model: ModelName,
    pub(super) mark: Mark,
    pub(super) segments: Vec<SegmentRecord>,
    pub(super) dead: BTreeMap<Group, RoaringBitmap>,
    pub(super) graphs: BTreeMap<Group, GraphRecord>,
}

impl Manifest {
    /// Makes the manifest of an index that holds nothing and is not written yet.
    pub(super) fn empty(model: ModelName) -> Manifest {
        Manifest {
            generation: 0,
            model,
            mark: Mark::START,
            segments: Vec::new(),
            dead: BTreeMap::new(),
            graphs: BTreeMap::new(),
        }
    }

    /// Returns the names of all files of the index; none where it is not written yet.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let written = (self.generation > 0).then(|| NAME.to_owned());
        let graphs = self.graphs.iter().map(|(group, graph)| graph.name(*group));
        self.segments.iter().flat_map(SegmentRecord::names).chain(graphs).chain(written).collect()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&self.generation.to_le_bytes());
        push_n(&mut bytes, self.model.id.len());
        bytes.extend_from_slice(self.model.id.as_bytes());
        bytes.extend_from_slice(&self.model.hash);
        push_n(&mut bytes, self.model.dimension);
        bytes.extend_from_slice(&self.mark.seq.to_le_bytes());
        bytes.extend_from_slice(&self.mark.digest.to_le_bytes());
        push_n(&mut bytes, self.segments.len());
        for segment in &self.segments {
            bytes.extend_from_slice(&segment.number.to_le_bytes());
            bytes.extend_from_slice(&segment.codes_bytes.to_le_bytes());
            bytes.extend_from_slice(&segment.codes_hash);
            bytes.extend_from_slice(&segment.full_bytes.to_le_bytes());
        }
        push_n(&mut bytes, self.dead.len());
        for (group, positions) in &self.dead {
            bytes.extend_from_slice(&group.to_bytes());
            let positions: Vec<u32> = positions.iter().collect();
            push_n(&mut bytes, positions.len());
            extend(&mut bytes, &positions, u32::to_le_bytes);
        }
        push_n(&mut bytes, self.graphs.len());
        for (group, graph) in &self.graphs {
            bytes.extend_from_slice(&group.to_bytes());
            bytes.extend_from_slice(&graph.number.to_le_bytes());
            bytes.extend_from_slice(&graph.n_bytes.to_le_bytes());
            bytes.extend_from_slice(&graph.hash);
        }
        let hash = blake3::hash(&bytes);
        bytes.extend_from_slice(hash.as_bytes());
        bytes
    }

    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words that follow its name.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Manifest, String> {
        let (body, hash) = bytes.split_last_chunk::<32>().ok_or("is cut short")?;
        if blake3::hash(body).as_bytes() != hash {
            return Err("is not what was written".to_owned());
        }
        let mut body = Bytes::new(body);
        if body.array() != Some(MAGIC) {
            return Err("is that of something else".to_owned());
        }
        match body.u32() {
            Some(VERSION) => {}
            Some(version) => return Err(format!("has version {version}, and version {VERSION} is expected")),
            None => return Err("is cut short".to_owned()),
        }
        parse(body).ok_or_else(|| format!("is not laid out as version {VERSION} is"))
    }
}

fn push_n(bytes: &mut Vec<u8>, number: usize) {
    let number = u32::try_from(number).expect("a manifest has fewer than 2^32 of anything");
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn parse(mut body: Bytes<'_>) -> Option<Manifest> {
    let generation = body.u64()?;
    let n_id_bytes = body.u32()? as usize;
    let id = String::from_utf8(body.take(n_id_bytes)?.to_vec()).ok()?;
    let model = ModelName { id, hash: body.array()?, dimension: body.u32()? as usize };
    let mark = Mark { seq: body.u64()?, digest: u128::from_le_bytes(body.array()?) };
    let mut segments = Vec::new();
    for _ in 0..body.u32()? {
        let [number, codes_bytes] = [body.u64()?, body.u64()?];
        segments.push(SegmentRecord {
            number,
            codes_bytes,
            codes_hash: body.array()?,
            full_bytes: body.u64()?,
        });
    }
    let mut dead = BTreeMap::new();
    for _ in 0..body.u32()? {
        let group = Group::from_bytes(body.array()?)?;
        let n_positions = body.u32()? as usize;
        let positions = body.many(n_positions, u32::from_le_bytes)?;
        dead.insert(group, RoaringBitmap::from_sorted_iter(positions).ok()?);
    }
    let mut graphs = BTreeMap::new();
    for _ in 0..body.u32()? {
        let group = Group::from_bytes(body.array()?)?;
        let [number, n_bytes] = [body.u64()?, body.u64()?];
        graphs.insert(group, GraphRecord { number, n_bytes, hash: body.array()? });
    }
    body.is_empty().then_some(Manifest { generation, model, mark, segments, dead, graphs })
}
