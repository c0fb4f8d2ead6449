//! The vector index: which turns and statements mean about the same? Derived from the log and nothing else.
//!
//! ```text
//! log ──▶ tail (memory) ──flush──▶ segments (disk), named by a manifest with the mark they stand at
//!             └───────────┬───────────────┘
//!                      codes ──▶ candidates ──▶ vectors ──▶ the nearest of what the caller allows
//! ```
//!
//! It knows nothing of views: the caller hands in which documents are allowed, by their positions in a space.
//! Invariant: what cannot be trusted is not used. A file that is missing, cut short, changed or of another generation makes
//! the index an empty one, or fails the search that meets it; either way the caller makes the index again from the log.

mod bytes;
mod code;
mod damage;
mod disk;
mod files;
mod graph;
mod graph_file;
mod group;
mod manifest;
mod meaning;
mod nearest;
mod places;
mod run;
#[cfg(test)]
mod sample;
mod segment;
mod space;
#[cfg(test)]
mod tests;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

pub use meaning::Likeness;
pub(crate) use meaning::Meaning;
pub(crate) use space::SpaceVectors;

use crate::digest::Digest;
use crate::embed::Model;
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::log::Mark;
use crate::own;
use crate::text::Kind;
use code::MOST_DIMENSIONS;
use damage::damaged;
use disk::{Disk, Held};
use files::{Files, Folder};
use group::Group;
use places::Places;
use run::Run;

/// The model whose vectors an index holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ModelName {
    /// What it is called.
    pub(crate) id: String,
    /// Of its weights.
    pub(crate) hash: [u8; 32],
    /// How many numbers a vector has.
    pub(crate) dimension: usize,
}

/// Reads the manifest of an index and returns what it is written as; `None` where the bytes are none. A manifest ends with
/// a hash of what comes before, which is put behind the bytes.
pub(crate) fn manifest_again(bytes: &[u8]) -> Option<Vec<u8>> {
    let sealed = [bytes, blake3::hash(bytes).as_bytes()].concat();
    let manifest = manifest::Manifest::from_bytes(&sealed).ok()?;
    Some(manifest.to_bytes())
}

impl ModelName {
    fn of(model: &Model) -> ModelName {
        let Model { id, hash, dimension } = model;
        ModelName { id: id.clone(), hash: *blake3::hash(hash.as_bytes()).as_bytes(), dimension: *dimension }
    }

    /// Makes sure that the model which is asked is this one, which the vectors are of.
    ///
    /// # Errors
    /// [`StoreError::OtherModel`], [`StoreError::OtherDimension`].
    fn expect(&self, asked: &ModelName) -> Result<(), StoreError> {
        if self == asked { Ok(()) } else { Err(self.unlike(asked)) }
    }

    /// Says how another model differs from this one, which the vectors are of.
    fn unlike(&self, asked: &ModelName) -> StoreError {
        if (&self.id, self.hash) == (&asked.id, asked.hash) {
            let (held, asked) = (self.dimension, asked.dimension);
            return StoreError::OtherDimension { model: self.id.clone(), held, asked };
        }
        StoreError::OtherModel { held: self.told_from(asked), asked: asked.told_from(self) }
    }

    /// Returns what the model is called, with what else tells it from one of the same name.
    fn told_from(&self, other: &ModelName) -> String {
        let ModelName { id, hash, dimension } = self;
        if *id == other.id {
            let [first, second, third, fourth, ..] = *hash;
            let start = u32::from_be_bytes([first, second, third, fourth]);
            format!("{id:?} ({dimension} numbers, hash {start:08x})")
        } else {
            format!("{id:?}")
        }
    }
}

/// How the nearest are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Through the graph where very many are allowed, else by comparing all.
    Auto,
    /// By comparing all.
    Exact,
    /// Through the graph wherever there is one; each flush makes one of every space.
    Graph,
}

/// A turn or a statement, as this index has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VectorDocument {
    pub(crate) space: SpaceId,
    pub(crate) kind: Kind,
    /// The bytes of an episode's or an assertion's id.
    pub(crate) id: [u8; 16],
    /// Of any length: only the direction counts.
    pub(crate) vector: Vec<f32>,
    /// The word pieces of the text, in any order, repeated or not.
    pub(crate) pieces: Vec<u16>,
}

/// Which documents a search may return.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Allowed<'a> {
    /// Any.
    All,
    /// Those at these positions.
    Only(&'a RoaringBitmap),
}

/// What was found where an index was looked for.
pub(crate) enum Opened {
    /// The index as it was flushed last.
    Kept(VectorIndex),
    /// An empty index, since what was there cannot be used or nothing was.
    Empty {
        index: VectorIndex,
        /// Why.
        #[cfg_attr(not(test), expect(dead_code, reason = "whoever searches gets a new index either way"))]
        why: String,
        /// Whether there were files of an index all the same.
        was_there: bool,
    },
    /// An index of another model, which was left as it is: its vectors cannot be compared with this model's.
    OtherModel(ModelName),
}

/// The vector index of a store.
pub(crate) struct VectorIndex {
    dimension: usize,
    /// `None` for an index in memory.
    disk: Option<Disk>,
    /// Documents that are not on disk yet.
    tail: BTreeMap<Group, Run>,
    mark: Mark,
    /// The positions of removed documents.
    dead: BTreeMap<Group, RoaringBitmap>,
    /// The positions of the others by id; made for a group when it is first needed.
    positions: BTreeMap<Group, HashMap<[u8; 16], u32>>,
}

impl VectorIndex {
    /// Opens the index that a folder holds for a model; `None` for one in memory.
    ///
    /// Files of other indexes in the folder are removed, and what no index wrote is left alone.
    ///
    /// # Errors
    ///
    /// A folder that cannot be made or written, or a model whose vectors have no dimension or more than 4,096.
    pub(crate) fn open(folder: Option<&Path>, model: ModelName) -> Result<Opened, StoreError> {
        if model.dimension == 0 || model.dimension > MOST_DIMENSIONS {
            let what = format!("expected vectors of 1 to {MOST_DIMENSIONS} numbers, not {}", model.dimension);
            return Err(damaged(what).into());
        }
        let Some(folder) = folder else {
            let index = VectorIndex::in_memory(model.dimension);
            return Ok(Opened::Empty { index, why: "the index is in memory".to_owned(), was_there: false });
        };
        let files = Folder::new(folder).map_err(damaged)?;
        VectorIndex::open_in(Box::new(files), model)
    }

    fn open_in(files: Box<dyn Files>, model: ModelName) -> Result<Opened, StoreError> {
        let dimension = model.dimension;
        Ok(match Disk::open(files, model)? {
            Held::OtherModel(held) => Opened::OtherModel(held),
            Held::Nothing { disk, why, was_there } => {
                Opened::Empty { index: VectorIndex::empty(dimension, Some(disk)), why, was_there }
            }
            Held::Index(disk) => {
                let (mark, dead) = (disk.mark(), disk.dead().clone());
                Opened::Kept(VectorIndex { mark, dead, ..VectorIndex::empty(dimension, Some(disk)) })
            }
        })
    }

    /// Makes an empty index that is kept nowhere.
    fn in_memory(dimension: usize) -> VectorIndex {
        VectorIndex::empty(dimension, None)
    }

    fn empty(dimension: usize, disk: Option<Disk>) -> VectorIndex {
        VectorIndex {
            dimension,
            disk,
            tail: BTreeMap::new(),
            mark: Mark::START,
            dead: BTreeMap::new(),
            positions: BTreeMap::new(),
        }
    }

    /// Returns how far the log was followed, what is not flushed yet included.
    pub(crate) fn mark(&self) -> Mark {
        self.mark
    }

    /// Adds documents, which bring the index to the mark. One whose id its space and kind has already is left out.
    ///
    /// # Errors
    ///
    /// A vector that is none of the index's model; then nothing was added.
    pub(crate) fn add(&mut self, documents: Vec<VectorDocument>, mark: Mark) -> Result<(), StoreError> {
        for document in &documents {
            check_vector(&document.vector, self.dimension)?;
        }
        for document in documents {
            let group = Group { space: document.space, kind: document.kind };
            let position = self.n_positions(group);
            if let Entry::Vacant(entry) = self.positions(group).entry(document.id) {
                entry.insert(position);
                self.tail.entry(group).or_insert_with(|| Run::empty(self.dimension)).push(document);
            }
        }
        self.mark = mark;
        Ok(())
    }

    /// Removes the documents of a space and kind that have one of the ids: no search returns or counts them any more.
    /// Their bytes stay until enough is removed for the files to be written anew; to be rid of them at once, discard the
    /// index.
    #[cfg_attr(not(test), expect(dead_code, reason = "an erasure throws the index away as a whole"))]
    pub(crate) fn remove(&mut self, space: SpaceId, kind: Kind, ids: &[[u8; 16]]) {
        let group = Group { space, kind };
        let positions = self.positions(group);
        let removed: Vec<u32> = ids.iter().filter_map(|id| positions.remove(id)).collect();
        if !removed.is_empty() {
            self.dead.entry(group).or_default().extend(removed);
        }
    }

    /// Makes everything durable, and the mark with it: afterwards the folder holds this state, and before that the one of
    /// the last flush, wherever the machine stops. Graphs are made, or brought up to date, as the mode asks for them. In
    /// memory there is nothing to do.
    ///
    /// # Errors
    ///
    /// What cannot be read or written. The folder then holds the one state or the other.
    pub(crate) fn flush(&mut self, mode: Mode) -> Result<(), StoreError> {
        let Some(disk) = &mut self.disk else { return Ok(()) };
        if disk.flush(&self.tail, &self.dead, self.mark, mode)? {
            self.positions.clear();
            self.dead.clear();
        }
        self.tail.clear();
        Ok(())
    }

    /// Returns what a search in a space goes through.
    pub(crate) fn space(&self, space: SpaceId, kind: Kind) -> SpaceVectors<'_> {
        let group = Group { space, kind };
        SpaceVectors {
            places: Places::new(self.dimension, self.runs(group)),
            dead: self.dead.get(&group),
            graph: self.disk.as_ref().and_then(|disk| disk.graph(group)),
        }
    }

    /// Adds the documents that are not removed to a digest, with their vectors where `with_vectors` says so. Every vector
    /// is read, also those that no search meets.
    ///
    /// # Errors
    ///
    /// One that is not what was written.
    pub(crate) fn add_to(&self, digest: &mut Digest, with_vectors: bool) -> Result<(), StoreError> {
        let mut starts: BTreeMap<Group, u32> = BTreeMap::new();
        let mut vector = Vec::new();
        let segments = self.disk.iter().flat_map(Disk::segments).map(|segment| &segment.runs);
        for (group, run) in segments.chain([&self.tail]).flatten() {
            let start = starts.entry(*group).or_default();
            let dead = self.dead.get(group);
            for (position, index) in (*start..).zip(0..run.len()) {
                run.read(index, &mut vector)?;
                if dead.is_none_or(|dead| !dead.contains(position)) {
                    run.add_to(digest, *group, index, with_vectors.then_some(vector.as_slice()));
                }
            }
            *start += u32::try_from(run.len()).expect("a space has fewer than 2^32 documents");
        }
        Ok(())
    }

    /// Throws an index away, files included: what was erased must not stay in it. What no index wrote is left alone.
    ///
    /// # Errors
    ///
    /// A file that cannot be removed.
    pub(crate) fn discard(folder: &Path) -> Result<(), StoreError> {
        own::remove_all(folder, manifest::is_own).map_err(|error| damaged(error).into())
    }

    fn runs(&self, group: Group) -> impl Iterator<Item = &Run> {
        let segments = self.disk.iter().flat_map(Disk::segments);
        segments.filter_map(move |segment| segment.runs.get(&group)).chain(self.tail.get(&group))
    }

    fn n_positions(&self, group: Group) -> u32 {
        let n_documents = self.runs(group).map(Run::len).sum::<usize>();
        u32::try_from(n_documents).expect("a space has fewer than 2^32 documents")
    }

    fn positions(&mut self, group: Group) -> &mut HashMap<[u8; 16], u32> {
        if !self.positions.contains_key(&group) {
            let dead = self.dead.get(&group);
            let ids = (0..).zip(self.runs(group).flat_map(|run| &run.ids));
            let living = ids.filter(|(position, _)| dead.is_none_or(|dead| !dead.contains(*position)));
            let positions = living.map(|(position, id)| (*id, position)).collect();
            self.positions.insert(group, positions);
        }
        self.positions.entry(group).or_default()
    }
}

/// Makes sure that a vector is one of the model: that many numbers, and all of them finite.
fn check_vector(vector: &[f32], dimension: usize) -> Result<(), StoreError> {
    if vector.len() == dimension && vector.iter().all(|value| value.is_finite()) {
        return Ok(());
    }
    Err(damaged(format!("expected a vector of {dimension} finite numbers")).into())
}

/// Scatters the bits of a number: equal numbers stay equal, and close ones have nothing in common (the finaliser of
/// `SplitMix64`).
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
