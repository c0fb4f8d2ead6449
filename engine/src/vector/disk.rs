//! The part of the index that is on disk: segments, and the manifest that says which they are.
//!
//! ```text
//! flush:  gen-N.* written and synced ─▶ folder synced ─▶ MANIFEST.new written and synced
//!         ─▶ renamed to MANIFEST ─▶ folder synced ─▶ files of an index that the manifest does not name are removed
//! ```
//!
//! Invariant: nothing that a manifest names is ever written again; so until the new manifest has its name, the folder holds
//! the old state, and the new one from then on.

use std::collections::{BTreeMap, BTreeSet};

use roaring::RoaringBitmap;

use super::damage::{Damage, damaged};
use super::files::Files;
use super::graph::Graph;
use super::graph_file::{self, GraphRecord};
use super::group::Group;
use super::manifest::{self, Manifest};
use super::places::Places;
use super::run::Run;
use super::segment::{Part, Segment};
use super::space::MANY;
use super::{Mode, ModelName};
use crate::log::Mark;

/// From one dead document in so many on, everything is written anew.
const DEAD_ONE_IN: u64 = 5;

/// A graph is brought up to date once one document in so many is missing from it; until then those are gone through one by
/// one. So the graph is written as often as its size doubles, times this, and not at every flush.
const MISSING_ONE_IN: u32 = 16;

/// Graphs by group, each as the manifest names it.
type Graphs = BTreeMap<Group, (GraphRecord, Graph)>;

/// What a folder holds.
pub(super) enum Held {
    Index(Disk),
    OtherModel(ModelName),
    /// Nothing that can be used, and why. `was_there` where there are files of an index all the same.
    Nothing {
        disk: Disk,
        why: String,
        was_there: bool,
    },
}

/// Segments in a folder, oldest first.
pub(super) struct Disk {
    files: Box<dyn Files>,
    manifest: Manifest,
    segments: Vec<Segment>,
    graphs: Graphs,
    /// The generation that was written, or tried, last.
    last_generation: u64,
}

impl Disk {
    /// Opens what is there, and removes the files of other indexes.
    pub(super) fn open(files: Box<dyn Files>, model: ModelName) -> Result<Held, Damage> {
        let held = match kept(&*files) {
            Ok((manifest, ..)) if manifest.model != model => return Ok(Held::OtherModel(manifest.model)),
            Ok((manifest, segments, graphs)) => {
                let last_generation = manifest.generation;
                Held::Index(Disk { files, manifest, segments, graphs, last_generation })
            }
            Err(Damage(why)) => {
                let manifest = Manifest::empty(model);
                let (segments, graphs) = (Vec::new(), BTreeMap::new());
                let was_there = files.names().is_ok_and(|names| !names.is_empty());
                let disk = Disk { files, manifest, segments, graphs, last_generation: 0 };
                Held::Nothing { disk, why, was_there }
            }
        };
        if let Held::Index(disk) | Held::Nothing { disk, .. } = &held {
            disk.remove_strangers()?;
        }
        Ok(held)
    }

    pub(super) fn mark(&self) -> Mark {
        self.manifest.mark
    }

    pub(super) fn dead(&self) -> &BTreeMap<Group, RoaringBitmap> {
        &self.manifest.dead
    }

    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(super) fn graph(&self, group: Group) -> Option<&Graph> {
        self.graphs.get(&group).map(|(_, graph)| graph)
    }

    /// Writes what the folder does not have yet. Says whether dead documents were left out, which gives the others new
    /// positions.
    pub(super) fn flush(
        &mut self,
        tail: &BTreeMap<Group, Run>,
        dead: &BTreeMap<Group, RoaringBitmap>,
        mark: Mark,
        mode: Mode,
    ) -> Result<bool, Damage> {
        let is_as_written = tail.is_empty() && self.manifest.mark == mark && self.manifest.dead == *dead;
        if is_as_written && behind(&self.segments.iter().collect::<Vec<_>>(), &self.graphs, mode).is_empty() {
            return Ok(false);
        }
        // A number is never used twice: the files of a failed attempt may be named by a manifest all the same.
        self.last_generation += 1;
        let sizes: Vec<usize> = self.segments.iter().map(Segment::len).collect();
        let n_tail = tail.values().map(Run::len).sum();
        let n_documents = (sizes.iter().sum::<usize>() + n_tail) as u64;
        let n_dead = dead.values().map(RoaringBitmap::len).sum::<u64>();
        let is_anew = n_dead > 0 && n_dead * DEAD_ONE_IN >= n_documents;
        let n_kept = if is_anew { 0 } else { n_untouched(&sizes, n_tail) };
        // Where documents are left out, positions change, and no graph is of use any more.
        let no_graphs = BTreeMap::new();
        let graphs = if is_anew { &no_graphs } else { &self.graphs };

        let new_segment = self.write_segment(n_kept, tail, is_anew.then_some(dead))?;
        let segments: Vec<&Segment> = self.segments[..n_kept].iter().chain(&new_segment).collect();
        let new_graphs = self.write_graphs(&segments, graphs, mode)?;
        let mut records: BTreeMap<Group, GraphRecord> = BTreeMap::new();
        for (group, (record, _)) in graphs.iter().chain(&new_graphs) {
            records.insert(*group, record.clone());
        }
        let next = Manifest {
            generation: self.last_generation,
            model: self.manifest.model.clone(),
            mark,
            segments: segments.iter().map(|segment| segment.record.clone()).collect(),
            dead: if is_anew { BTreeMap::new() } else { dead.clone() },
            graphs: records,
        };
        self.publish(&next).map_err(damaged)?;

        self.segments.truncate(n_kept);
        self.segments.extend(new_segment);
        self.graphs.retain(|group, _| next.graphs.contains_key(group));
        self.graphs.extend(new_graphs);
        self.manifest = next;
        // What cannot be removed now is removed when the index is opened.
        self.remove_strangers().ok();
        Ok(is_anew)
    }

    /// Writes what comes after the kept segments as one, without the dead where those are given.
    fn write_segment(
        &self,
        n_kept: usize,
        tail: &BTreeMap<Group, Run>,
        dead: Option<&BTreeMap<Group, RoaringBitmap>>,
    ) -> Result<Option<Segment>, Damage> {
        let replaced = self.segments[n_kept..].iter().map(|segment| &segment.runs);
        let parts = parts(replaced.chain([tail]), dead);
        if parts.is_empty() {
            return Ok(None);
        }
        let dimension = self.manifest.model.dimension;
        let record = Segment::write(&*self.files, self.last_generation, dimension, &parts)?;
        Segment::open(&*self.files, record, dimension).map(Some)
    }

    /// Brings the graphs up to date that the mode wants to be, and writes those.
    fn write_graphs(&self, segments: &[&Segment], graphs: &Graphs, mode: Mode) -> Result<Graphs, Damage> {
        let mut written = BTreeMap::new();
        for group in behind(segments, graphs, mode) {
            let mut graph = graphs.get(&group).map_or_else(Graph::default, |(_, graph)| graph.clone());
            graph.extend(&places(segments, group, self.manifest.model.dimension));
            let record = graph_file::write(&*self.files, self.last_generation, group, &graph)?;
            written.insert(group, (record, graph));
        }
        Ok(written)
    }

    fn publish(&self, manifest: &Manifest) -> std::io::Result<()> {
        self.files.sync()?;
        self.files.write(manifest::NEW_NAME, &mut |to| to.write_all(&manifest.to_bytes()))?;
        self.files.rename(manifest::NEW_NAME, manifest::NAME)?;
        self.files.sync()
    }

    fn remove_strangers(&self) -> Result<(), Damage> {
        let names = self.manifest.names();
        for name in self.files.names().map_err(damaged)? {
            if !names.contains(&name) {
                self.files.remove(&name).map_err(damaged)?;
            }
        }
        Ok(())
    }
}

fn kept(files: &dyn Files) -> Result<(Manifest, Vec<Segment>, Graphs), Damage> {
    let bytes = match files.read(manifest::NAME) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(damaged("there is no index yet"));
        }
        read => read.map_err(damaged)?,
    };
    let manifest = Manifest::from_bytes(&bytes).map_err(|why| damaged(format!("MANIFEST {why}")))?;
    let dimension = manifest.model.dimension;
    let mut segments = Vec::new();
    for record in &manifest.segments {
        segments.push(Segment::open(files, record.clone(), dimension)?);
    }
    let mut graphs = BTreeMap::new();
    for (group, record) in &manifest.graphs {
        let n_documents = places(&segments.iter().collect::<Vec<_>>(), *group, dimension).len();
        let graph = graph_file::read(files, *group, record, n_documents)?;
        graphs.insert(*group, (record.clone(), graph));
    }
    Ok((manifest, segments, graphs))
}

fn places<'a>(segments: &[&'a Segment], group: Group, dimension: usize) -> Places<'a> {
    Places::new(dimension, segments.iter().filter_map(|segment| segment.runs.get(&group)))
}

/// Returns the groups whose graphs the mode wants made or brought up to date.
fn behind(segments: &[&Segment], graphs: &Graphs, mode: Mode) -> BTreeSet<Group> {
    let groups: BTreeSet<Group> = segments.iter().flat_map(|segment| segment.runs.keys().copied()).collect();
    let is_behind = |group: &Group| {
        let n_documents = places(segments, *group, 1).len();
        let is_wanted = match mode {
            Mode::Exact => false,
            Mode::Auto => u64::from(n_documents) > MANY,
            Mode::Graph => true,
        };
        let n_missing = n_documents - graphs.get(group).map_or(0, |(_, graph)| graph.len());
        is_wanted && n_missing > 0 && n_missing >= n_documents / MISSING_ONE_IN
    };
    groups.into_iter().filter(is_behind).collect()
}

/// Returns how many of the segments, oldest first, stay as they are: each of them holds at least twice as many documents
/// as all that come after it, so that their number grows with the logarithm of the documents'.
fn n_untouched(sizes: &[usize], n_new: usize) -> usize {
    let mut n_later = n_new;
    let mut n_untouched = sizes.len();
    while n_new > 0 && n_untouched > 0 && sizes[n_untouched - 1] < 2 * n_later {
        n_untouched -= 1;
        n_later += sizes[n_untouched];
    }
    n_untouched
}

/// Puts the runs of each group together in order, without the dead where those are given, by position.
fn parts<'a>(
    sources: impl Iterator<Item = &'a BTreeMap<Group, Run>>,
    dead: Option<&BTreeMap<Group, RoaringBitmap>>,
) -> BTreeMap<Group, Vec<Part<'a>>> {
    let mut parts: BTreeMap<Group, Vec<Part<'a>>> = BTreeMap::new();
    let mut starts: BTreeMap<Group, u32> = BTreeMap::new();
    for (group, run) in sources.flatten() {
        let dead = dead.and_then(|dead| dead.get(group));
        let start = starts.entry(*group).or_default();
        let positions = (*start..).zip(0..run.len());
        let living = positions.filter(|(position, _)| dead.is_none_or(|dead| !dead.contains(*position)));
        let indexes: Vec<usize> = living.map(|(_, index)| index).collect();
        *start += u32::try_from(run.len()).expect("a space has fewer than 2^32 documents");
        if !indexes.is_empty() {
            parts.entry(*group).or_default().push((run, indexes));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_stay_few() {
        let mut sizes: Vec<usize> = Vec::new();
        for _ in 0..1000 {
            let n_kept = n_untouched(&sizes, 7);
            let merged = sizes.drain(n_kept..).sum::<usize>() + 7;
            sizes.push(merged);
        }
        assert_eq!(sizes.iter().sum::<usize>(), 7000);
        assert!(sizes.len() <= 10, "{sizes:?}");
        assert!(sizes.windows(2).all(|pair| pair[0] >= 2 * pair[1]), "{sizes:?}");
    }

    #[test]
    fn without_new_documents_nothing_is_merged() {
        assert_eq!(n_untouched(&[5, 4], 0), 2);
    }
}
