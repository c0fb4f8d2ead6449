//! What means about the same as a text: the embedder, and the index of its vectors, which follows the log.
//!
//! ```text
//! text ─ pieces ─ how rare each is among what is seen ─ query vector ─ cosines ─ by the rows of a corpus
//! ```
//!
//! Invariant: rarity and cosines are counted among what the corpus holds, so that a view's scores are those of a store
//! that was told nothing else.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::{Allowed, Mode, ModelName, Opened, VectorDocument, VectorIndex};
use crate::backend::Reader;
use crate::embed::Deferred;
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::log::{Heard, Log, goes_on, stands};
use crate::text::{Catalog, Corpus, Kind, float, parts, rarity};

/// Documents in memory from which on they are written to disk. Chosen to be that of the full-text index.
const FLUSH_AT: usize = 512;

/// Bytes of text in a batch whose vectors are costly: they are all lost where the last of them cannot be made. Chosen,
/// untested.
const COSTLY_BATCH_BYTES: usize = 64 << 10;

/// How many of the nearest the graph is asked for: enough for every list that is made of them.
const N_NEAREST: usize = 1000;
/// Documents of which mean and deviation are taken, about, where they are too many to compare all.
const N_SAMPLED: usize = 2048;

/// The documents of a space and kind by their positions among the vectors.
struct Placed {
    catalog: Arc<Catalog>,
    /// By position: the row in the catalogue, where there is one.
    rows: Arc<Vec<Option<u32>>>,
}

/// An embedder and the vectors it made of what was recorded.
pub(crate) struct Meaning {
    embedder: Deferred,
    mode: Mode,
    index: Option<VectorIndex>,
    n_unflushed: usize,
    placed: BTreeMap<(SpaceId, Kind), Placed>,
    /// What was looked for last and its vector, where that depends on nothing else.
    asked: Option<(String, Vec<f32>)>,
}

impl Meaning {
    /// Takes an embedder; nothing is made or opened yet.
    pub(crate) fn new(embedder: Deferred, mode: Mode) -> Meaning {
        Meaning { embedder, mode, index: None, n_unflushed: 0, placed: BTreeMap::new(), asked: None }
    }

    /// Returns how vectors are compared.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// Compares vectors in another way from now on.
    pub(crate) fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// Makes the embedder, unless it is made.
    ///
    /// # Errors
    /// [`StoreError::Embed`] where it cannot be made.
    pub(crate) fn prepare(&mut self) -> Result<(), StoreError> {
        self.embedder.get()?;
        Ok(())
    }

    /// Reads every vector that is kept on disk.
    pub(crate) fn verify(&self) -> Result<(), StoreError> {
        self.index.as_ref().map_or(Ok(()), VectorIndex::verify)
    }

    /// Makes vectors of what the log has that the index has not, and writes them to disk where they are many or costly.
    ///
    /// # Errors
    /// [`StoreError::OtherModel`], [`StoreError::Embed`].
    pub(crate) fn follow(&mut self, reader: &dyn Reader, folder: Option<&Path>) -> Result<(), StoreError> {
        if let Some(index) = &self.index
            && !goes_on(reader, index.mark().seq)?
        {
            return Ok(());
        }
        let mut index = match self.index.take() {
            Some(index) => index,
            None => self.opened(folder)?,
        };
        if !stands(reader, index.mark(), index.mark().seq)? {
            folder.map_or(Ok(()), VectorIndex::discard)?;
            self.n_unflushed = 0;
            index = self.opened(folder)?;
        }
        let before = index.mark();
        // What was embedded stays, also where the rest cannot be.
        let mut followed = self.catch_up(&mut index, reader);
        if index.mark() != before {
            self.placed.clear();
            if self.embedder.get()?.is_costly()
                && let Err(error) = self.flush(&mut index)
            {
                followed = Err(error);
            }
        }
        // One that could not be read or written is opened again.
        if matches!(followed, Ok(()) | Err(StoreError::Embed(_))) {
            self.index = Some(index);
        } else {
            self.n_unflushed = 0;
        }
        followed
    }

    fn opened(&mut self, folder: Option<&Path>) -> Result<VectorIndex, StoreError> {
        let embedder = self.embedder.get()?;
        let model = embedder.model();
        let name = ModelName {
            id: model.id.clone(),
            hash: *blake3::hash(model.hash.as_bytes()).as_bytes(),
            dimension: model.dimension,
        };
        match VectorIndex::open(folder, name.clone())? {
            Opened::Kept(index) | Opened::Empty { index, .. } => Ok(index),
            Opened::OtherModel(held) => {
                Err(StoreError::OtherModel { held: held.told_from(&name), asked: name.told_from(&held) })
            }
        }
    }

    fn catch_up(&mut self, index: &mut VectorIndex, reader: &dyn Reader) -> Result<(), StoreError> {
        let log = Log::after(reader, index.mark().seq);
        let is_costly = self.embedder.get()?.is_costly();
        let log = if is_costly { log.in_batches_of(COSTLY_BATCH_BYTES) } else { log };
        for batch in log {
            let (batch, mark) = batch?;
            let told: Vec<Told> = batch.iter().filter_map(|(space, heard)| Told::of(*space, heard)).collect();
            self.n_unflushed += told.len();
            index.add(self.embedded(told)?, mark)?;
            // Each batch by itself, so that what is held does not grow with the log.
            if self.n_unflushed >= FLUSH_AT {
                self.flush(index)?;
            }
        }
        Ok(())
    }

    fn flush(&mut self, index: &mut VectorIndex) -> Result<(), StoreError> {
        index.flush(self.mode)?;
        self.n_unflushed = 0;
        Ok(())
    }

    fn embedded(&mut self, told: Vec<Told>) -> Result<Vec<VectorDocument>, StoreError> {
        let embedder = self.embedder.get()?;
        let texts: Vec<&str> = told.iter().map(|told| told.text.as_str()).collect();
        let vectors = embedder.documents(&texts)?;
        let document = |(told, vector): (Told, Vec<f32>)| VectorDocument {
            space: told.space,
            kind: told.kind,
            id: told.id,
            pieces: short(&embedder.pieces(&told.text)),
            vector,
        };
        Ok(told.into_iter().zip(vectors).map(document).collect())
    }

    /// Compares the vector of each document of a corpus with that of a text.
    ///
    /// # Errors
    /// [`StoreError::Embed`], and where the index cannot be read.
    pub(crate) fn likeness(
        &mut self,
        space: SpaceId,
        kind: Kind,
        corpus: &Corpus,
        text: &str,
    ) -> Result<Likeness, StoreError> {
        let rows = self.rows(space, kind, corpus.catalog());
        let embedder = self.embedder.get()?;
        let Some(index) = &self.index else { return Ok(Likeness::none(corpus)) };
        let row = |position: usize| rows.get(position).copied().flatten().and_then(|row| corpus.row_of(row));
        let is_whole = corpus.is_whole() && rows.iter().all(Option::is_some);
        let some: RoaringBitmap = if is_whole {
            RoaringBitmap::new()
        } else {
            (0..).zip(0..rows.len()).filter(|(_, at)| row(*at).is_some()).map(|(at, _)| at).collect()
        };
        let allowed = if is_whole { Allowed::All } else { Allowed::Only(&some) };
        let n_allowed = if is_whole { rows.len() as u64 } else { some.len() };
        let vectors = index.space(space, kind);
        let pieces = short(&embedder.pieces(text));
        let n_with = vectors.n_with_piece(allowed, &pieces);
        #[expect(clippy::cast_possible_truncation, reason = "a logarithm of a count is small")]
        let weigh = |piece: u32| {
            let known = u16::try_from(piece).ok().and_then(|piece| pieces.binary_search(&piece).ok());
            known.map_or(0.0, |at| rarity(n_allowed, u64::from(n_with[at])) as f32)
        };
        let query = match &self.asked {
            // A search asks of turns, of statements and of plans, and a service would be asked each time.
            Some((asked, vector)) if pieces.is_empty() && asked == text => vector.clone(),
            _ => embedder.query(text, &weigh)?,
        };
        if pieces.is_empty() {
            self.asked = Some((text.to_owned(), query.clone()));
        }
        let (scores, sampled) = if vectors.asks_graph(self.mode, n_allowed) {
            let sample = sample(&some, is_whole, rows.len());
            let sampled = vectors.scores(&query, Allowed::Only(&sample))?;
            let sampled: Vec<f32> = sampled.into_iter().map(|(_, cosine)| cosine).collect();
            (vectors.nearest(&query, allowed, N_NEAREST, self.mode)?, Some(level(&sampled)))
        } else {
            (vectors.scores(&query, allowed)?, None)
        };
        let mut likeness = Likeness::none(corpus);
        for (position, cosine) in scores {
            if let Some(row) = row(position as usize) {
                likeness.cosines[row as usize] = cosine;
            }
        }
        // Sums are made in the order of the rows, which does not depend on when something was recorded.
        likeness.level = sampled.unwrap_or_else(|| level(&likeness.cosines));
        Ok(likeness)
    }

    fn rows(&mut self, space: SpaceId, kind: Kind, catalog: &Arc<Catalog>) -> Arc<Vec<Option<u32>>> {
        if let Some(placed) = self.placed.get(&(space, kind))
            && Arc::ptr_eq(&placed.catalog, catalog)
        {
            return Arc::clone(&placed.rows);
        }
        let by_id = catalog.rows_by_id();
        let ids = self.index.iter().flat_map(|index| index.space(space, kind).ids().collect::<Vec<_>>());
        let rows: Arc<Vec<Option<u32>>> = Arc::new(ids.map(|id| by_id.get(&id).copied()).collect());
        let placed = Placed { catalog: Arc::clone(catalog), rows: Arc::clone(&rows) };
        self.placed.insert((space, kind), placed);
        rows
    }

    /// Throws the index away, files included: what was erased must not stay in it.
    pub(crate) fn discard(&mut self, folder: Option<&Path>) -> Result<(), StoreError> {
        self.index = None;
        self.n_unflushed = 0;
        self.placed.clear();
        folder.map_or(Ok(()), VectorIndex::discard)
    }
}

/// How like in meaning documents are to a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Likeness {
    /// By document, the cosine of its vector and that of the text, from -1 to 1. 0 where either has none, and where very
    /// many are compared, of those that are not among the nearest.
    pub cosines: Vec<f32>,
    /// What is above it stands out: one standard deviation above the mean.
    pub level: f32,
}

impl Likeness {
    /// Nothing is like anything.
    pub fn none(corpus: &Corpus) -> Likeness {
        Likeness { cosines: vec![0.0; corpus.rows().len()], level: 0.0 }
    }
}

/// Returns some of the positions, evenly spread, or all where they are few.
fn sample(some: &RoaringBitmap, is_whole: bool, n_positions: usize) -> RoaringBitmap {
    let n_allowed = if is_whole { n_positions } else { usize::try_from(some.len()).unwrap_or(usize::MAX) };
    let step = n_allowed.div_ceil(N_SAMPLED).max(1);
    if is_whole {
        (0..).take(n_positions).step_by(step).collect()
    } else {
        some.iter().step_by(step).collect()
    }
}

/// Returns one standard deviation above the mean.
#[expect(clippy::cast_possible_truncation, reason = "cosines are no finer")]
fn level(scores: &[f32]) -> f32 {
    let n_scores = float(scores.len().max(1) as u64);
    let mean = scores.iter().map(|score| f64::from(*score)).sum::<f64>() / n_scores;
    let variance = scores.iter().map(|score| (f64::from(*score) - mean).powi(2)).sum::<f64>() / n_scores;
    (mean + variance.sqrt()) as f32
}

/// Something heard, as the text that is embedded.
struct Told {
    space: SpaceId,
    kind: Kind,
    id: [u8; 16],
    text: String,
}

impl Told {
    /// Returns a turn with who speaks, or a statement in words; nothing for what cannot be found.
    fn of(space: SpaceId, heard: &Heard) -> Option<Told> {
        match heard {
            Heard::Turn(record) => {
                let episode = &record.episode;
                let text = match &episode.speaker {
                    Some(speaker) => format!("{}: {}", speaker.name(), episode.text),
                    None => episode.text.clone(),
                };
                let is_turn = episode.role != crate::Role::Statement;
                is_turn.then_some(Told { space, kind: Kind::Turn, id: episode.id.0, text })
            }
            Heard::Statement(recorded) => {
                let assertion = &recorded.assertion;
                let kind = Kind::of(assertion)?;
                Some(Told { space, kind, id: assertion.id.0, text: parts(assertion).join(" ") })
            }
        }
    }
}

/// Pieces as the index keeps them, each once and in order.
fn short(pieces: &[u32]) -> Vec<u16> {
    let mut short: Vec<u16> = pieces.iter().filter_map(|piece| u16::try_from(*piece).ok()).collect();
    short.sort_unstable();
    short.dedup();
    short
}
