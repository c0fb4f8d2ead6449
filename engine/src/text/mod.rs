//! The full-text index: which turns and statements have these words? Derived from the log and nothing else.
//!
//! ```text
//! log ──follow──▶ tail (memory) ──flush──▶ tantivy (disk, with the sequence number it stands at)
//!                      └────────── rank ─────────┘──▶ candidates ──▶ re-read and checked by the view
//! ```
//!
//! The index is never asked what is true: every candidate is read again from the snapshot, so one that is behind or
//! damaged may cost a hit and never invents one.
//! Invariant: an index that stands after the log's end, or before an erasure, or was made of another log, is thrown away and
//! made again; so is one whose files are not what was written (`sealed.rs`).

mod bm25;
mod catalog;
mod corpus;
mod disk;
mod document;
mod rank;
mod sealed;
mod segment;
mod sight;
mod source;
mod start;
mod tail;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub(crate) use bm25::{float, rarity};
pub use corpus::{Asked, Corpus, Row};
pub(crate) use document::parts;
pub use document::{Kind, name_number};
pub(crate) use rank::Candidates;
pub(crate) use sight::Sight;
pub use start::start_of;
pub use words::{Analyzer, Language};

use crate::backend::Reader;
use crate::digest::Digest;
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::log::{Log, Mark, goes_on, is_erased_after, leads_to};
use catalog::Catalog;
use disk::Disk;
use document::Document;
use source::Source;
use tail::Tail;

/// Documents in memory from which on the index on disk is written. Writing costs about as much as reading this many
/// again at the next start (about 25 ms of CPU; measured on two cores, 2026-11-29).
const FLUSH_AT: usize = 512;

/// The full-text index of a store.
pub(crate) struct TextIndex {
    analyzer: Analyzer,
    open: Option<Open>,
    /// Whether files of an index that could not be used were replaced by a new one.
    was_made_anew: bool,
}

struct Open {
    disk: Disk,
    tail: Arc<Tail>,
    /// Up to where documents are on disk or in the tail.
    followed: Mark,
    /// What was gathered of a space and kind since the index last changed.
    gathered: BTreeMap<(SpaceId, Kind), Gathered>,
    /// What the last few views see, the latest last.
    corpora: Vec<(SpaceId, Kind, Sight, Corpus)>,
}

/// Views whose corpora are kept: one search needs up to three, and people go back and forth between two views.
const MOST_CORPORA: usize = 6;

/// The documents of a space and kind, and where they are.
#[derive(Clone)]
struct Gathered {
    catalog: Arc<Catalog>,
    sources: Arc<Vec<Box<dyn Source>>>,
}

impl TextIndex {
    /// Makes one that reads texts by an analyzer; nothing is opened yet.
    pub(crate) fn new(analyzer: Analyzer) -> TextIndex {
        TextIndex { analyzer, open: None, was_made_anew: false }
    }

    /// Returns the rules by which texts become words.
    pub(crate) fn analyzer(&self) -> Analyzer {
        self.analyzer
    }

    /// Says whether files of an index that could not be used were replaced by a new one since this was last asked.
    pub(crate) fn take_made_anew(&mut self) -> bool {
        std::mem::take(&mut self.was_made_anew)
    }

    /// Reads what the log has that the index has not; writes it to disk where it is much.
    /// `folder` is where the index is kept; `None` for memory.
    pub(crate) fn follow(&mut self, reader: &dyn Reader, folder: Option<&Path>) -> Result<(), StoreError> {
        if let Some(open) = &self.open
            && !goes_on(reader, open.followed.seq)?
        {
            return Ok(());
        }
        // One that fails half-way is dropped, and read from the disk again.
        let mut open = match self.open.take() {
            Some(open) if !is_erased_after(reader, open.followed.seq)? => open,
            Some(_) => Open::anew(folder, self.analyzer)?,
            None => {
                let (open, was_made_anew) = Open::of(reader, folder, self.analyzer)?;
                self.was_made_anew |= was_made_anew;
                open
            }
        };
        open.follow(reader)?;
        self.open = Some(open);
        Ok(())
    }

    /// Returns the documents of a space that the sight allows and that have at least one of the words.
    pub(crate) fn candidates(
        &self,
        space: SpaceId,
        kind: Kind,
        text: &str,
        sight: &Sight,
    ) -> Result<Candidates, StoreError> {
        let sources = match &self.open {
            None => Vec::new(),
            Some(open) => open.sources(space, kind, sight)?,
        };
        rank::rank(sources, &rank::asked(self.analyzer, text))
    }

    /// Returns the documents of a space that the sight allows.
    pub(crate) fn corpus(&mut self, space: SpaceId, kind: Kind, sight: &Sight) -> Result<Corpus, StoreError> {
        let Some(open) = &mut self.open else {
            return Ok(Corpus::of(Arc::default(), Arc::default(), sight));
        };
        open.corpus(space, kind, sight)
    }

    /// Says whether the index holds what following the log from its start makes, word by word, and nothing else. It has
    /// to stand where the log ends.
    ///
    /// # Errors
    /// A file that is not what was written.
    pub(crate) fn equals_log(&self, reader: &dyn Reader) -> Result<bool, StoreError> {
        let Some(open) = &self.open else { return Ok(false) };
        open.disk.check_files()?;
        let mut held = Digest::default();
        for segment in open.disk.segments() {
            segment.add_to(&mut held)?;
        }
        open.tail.add_to(&mut held);
        let mut told = Digest::default();
        for batch in documents_after(reader, Mark::START, self.analyzer) {
            let mut tail = Tail::default();
            tail.extend(batch?.0);
            tail.add_to(&mut told);
        }
        Ok(held == told)
    }

    /// Lets go of what is open: what the folder holds is read, checked and made anew where it must be when it is next needed.
    pub(crate) fn close(&mut self) {
        self.open = None;
    }

    /// Throws the index away, files included: what was erased must not stay in it.
    pub(crate) fn discard(&mut self, folder: Option<&Path>) -> Result<(), StoreError> {
        self.open = None;
        folder.map_or(Ok(()), disk::remove)
    }
}

impl Open {
    /// Opens the index of a folder, and makes it anew unless it is one of this log, up to now or before. Says whether files
    /// of an index were there that could not be used.
    fn of(
        reader: &dyn Reader,
        folder: Option<&Path>,
        analyzer: Analyzer,
    ) -> Result<(Open, bool), StoreError> {
        let (disk, was_made_anew) = Disk::open(folder, analyzer)?;
        if leads_to(reader, disk.mark())? {
            return Ok((Open::over(disk), was_made_anew));
        }
        Ok((Open::anew(folder, analyzer)?, true))
    }

    fn anew(folder: Option<&Path>, analyzer: Analyzer) -> Result<Open, StoreError> {
        Disk::anew(folder, analyzer).map(Open::over)
    }

    fn over(disk: Disk) -> Open {
        let followed = disk.mark();
        Open { disk, tail: Arc::default(), followed, gathered: BTreeMap::new(), corpora: Vec::new() }
    }

    fn sources(&self, space: SpaceId, kind: Kind, sight: &Sight) -> Result<Vec<Box<dyn Source>>, StoreError> {
        let mut sources: Vec<Box<dyn Source>> = Vec::new();
        for segment in self.disk.segments() {
            sources.push(Box::new(segment.seen(space, kind, sight)?));
        }
        sources.push(Box::new(self.tail.seen(space, kind, sight)));
        Ok(sources)
    }

    fn gathered(&mut self, space: SpaceId, kind: Kind) -> Result<Gathered, StoreError> {
        if let Some(gathered) = self.gathered.get(&(space, kind)) {
            return Ok(gathered.clone());
        }
        let sources = self.sources(space, kind, &Sight::ALL)?;
        let catalog = Arc::new(Catalog::of(&sources));
        let gathered = Gathered { catalog, sources: Arc::new(sources) };
        self.gathered.insert((space, kind), gathered.clone());
        Ok(gathered)
    }

    fn corpus(&mut self, space: SpaceId, kind: Kind, sight: &Sight) -> Result<Corpus, StoreError> {
        let is_it = |(of, kind_of, seen_by, _): &(SpaceId, Kind, Sight, Corpus)| {
            (*of, *kind_of) == (space, kind) && seen_by == sight
        };
        if let Some(at) = self.corpora.iter().position(is_it) {
            let kept = self.corpora.remove(at);
            let corpus = kept.3.clone();
            self.corpora.push(kept);
            return Ok(corpus);
        }
        let Gathered { catalog, sources } = self.gathered(space, kind)?;
        let corpus = Corpus::of(catalog, sources, sight);
        if self.corpora.len() == MOST_CORPORA {
            self.corpora.remove(0);
        }
        self.corpora.push((space, kind, sight.clone(), corpus.clone()));
        Ok(corpus)
    }

    fn follow(&mut self, reader: &dyn Reader) -> Result<(), StoreError> {
        let before = self.followed;
        self.catch_up(reader)?;
        if self.followed != before {
            self.gathered.clear();
            self.corpora.clear();
        }
        Ok(())
    }

    fn catch_up(&mut self, reader: &dyn Reader) -> Result<(), StoreError> {
        let n_new = Log::n_recorded_after(reader, self.followed.seq, FLUSH_AT)?;
        if self.tail.len() + n_new >= FLUSH_AT {
            // The tail is read from the log once more: that is simpler than to keep its batches apart.
            self.tail = Arc::default();
            let new = documents_after(reader, self.disk.mark(), self.disk.analyzer());
            self.disk.add(new)?;
            self.followed = self.disk.mark();
            return Ok(());
        }
        for batch in documents_after(reader, self.followed, self.disk.analyzer()) {
            let (documents, mark) = batch?;
            Arc::make_mut(&mut self.tail).extend(documents);
            self.followed = mark;
        }
        Ok(())
    }
}

/// Returns what was recorded after a mark of the log, as documents.
fn documents_after(
    reader: &dyn Reader,
    mark: Mark,
    analyzer: Analyzer,
) -> impl Iterator<Item = Result<(Vec<Document>, Mark), StoreError>> {
    let mut words = analyzer.reader();
    Log::after(reader, mark).map(move |batch| {
        let (batch, mark) = batch?;
        let documents = batch.iter().filter_map(|(space, heard)| document::of(*space, heard, &mut words));
        Ok((documents.collect(), mark))
    })
}
