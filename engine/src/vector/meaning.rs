//! What means about the same as a text: the embedder, and the index of its vectors, which follows the log.
//!
//! ```text
//! text ─ pieces ─ how rare each is among what is seen ─ query vector ─ cosines ─ by the rows of a corpus
//! ```
//!
//! Invariant: rarity and cosines are counted among what the corpus holds, so that a view's scores are those of a store
//! that was told nothing else.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::{Allowed, Mode, ModelName, Opened, VectorDocument, VectorIndex};
use crate::backend::Reader;
use crate::digest::Digest;
use crate::embed::{Deferred, Embedder};
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::log::{Heard, Log, Mark, goes_on, is_erased_after, leads_to};
use crate::text::{Corpus, Kind, float, parts, rarity};

/// Documents in memory from which on they are written to disk. Chosen to be that of the full-text index.
const FLUSH_AT: usize = 512;

/// Bytes of text in a batch whose vectors are costly: they are all lost where the last of them cannot be made. Chosen,
/// untested.
const COSTLY_BATCH_BYTES: usize = 64 << 10;

/// How many of the nearest the graph is asked for: enough for every list that is made of them.
const N_NEAREST: usize = 1000;
/// Documents of which mean and deviation are taken, about, where they are too many to compare all.
const N_SAMPLED: usize = 2048;

/// Which of the vectors of a space and kind a view sees. It costs more to find out than a search does, and the next
/// search is mostly one in the same view.
struct Sighted {
    corpus: Corpus,
    /// By position among the vectors: the row in the corpus, where it has one.
    rows: Vec<Option<u32>>,
    /// Nothing for all of them.
    allowed: Option<RoaringBitmap>,
    n_allowed: u64,
    /// By word piece, how many have it.
    n_with: Vec<u32>,
}

/// An embedder and the vectors it made of what was recorded.
pub(crate) struct Meaning {
    embedder: Deferred,
    mode: Mode,
    index: Option<VectorIndex>,
    n_unflushed: usize,
    /// Whether files of an index that could not be used were replaced by a new one.
    was_made_anew: bool,
    /// The view of the last search.
    sighted: BTreeMap<(SpaceId, Kind), Arc<Sighted>>,
    /// What was looked for last and its vector, where that depends on nothing else.
    asked: Option<(String, Vec<f32>)>,
}

impl Meaning {
    /// Takes an embedder; nothing is made or opened yet.
    pub(crate) fn new(embedder: Deferred, mode: Mode) -> Meaning {
        let sighted = BTreeMap::new();
        Meaning { embedder, mode, index: None, n_unflushed: 0, was_made_anew: false, sighted, asked: None }
    }

    /// Returns the embedder, which is made unless it is.
    ///
    /// # Errors
    /// [`StoreError::Embed`] where it cannot be made.
    pub(crate) fn embedder(&mut self) -> Result<Arc<dyn Embedder>, StoreError> {
        Ok(self.embedder.get()?)
    }

    /// Returns how vectors are compared.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// Compares vectors in another way from now on.
    pub(crate) fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// Returns the model of the embedder, which is made unless it is.
    ///
    /// # Errors
    /// [`StoreError::Embed`] where it cannot be made.
    pub(crate) fn model(&mut self) -> Result<ModelName, StoreError> {
        Ok(ModelName::of(self.embedder.get()?.model()))
    }

    /// Returns the model of the embedder, once that has shown that it makes vectors.
    ///
    /// # Errors
    /// [`StoreError::Embed`] where it does not.
    pub(crate) fn model_that_answers(&mut self) -> Result<ModelName, StoreError> {
        self.embedder.get()?.documents(&["vectors"])?;
        self.model()
    }

    /// Returns the model of the vectors that are open; nothing where there are none.
    pub(crate) fn model_in_use(&mut self) -> Result<Option<ModelName>, StoreError> {
        let is_used = self.index.as_ref().is_some_and(|index| index.mark() != Mark::START);
        is_used.then(|| self.model()).transpose()
    }

    /// Makes sure that the embedder is of the model whose vectors a store keeps.
    ///
    /// # Errors
    /// [`StoreError::OtherModel`], [`StoreError::OtherDimension`], [`StoreError::Embed`].
    pub(crate) fn expect(&mut self, held: &ModelName) -> Result<(), StoreError> {
        held.expect(&self.model()?)
    }

    /// Says whether files of an index that could not be used were replaced by a new one since this was last asked.
    pub(crate) fn take_made_anew(&mut self) -> bool {
        std::mem::take(&mut self.was_made_anew)
    }

    /// Says whether the index holds what following the log from its start makes, and nothing else. It has to stand where
    /// the log ends. Vectors are made again to compare them where the embedder makes the same ones every time; else each
    /// is read, and has to be what was written.
    ///
    /// # Errors
    /// A file that is not what was written; [`StoreError::Embed`].
    pub(crate) fn equals_log(&mut self, reader: &dyn Reader) -> Result<bool, StoreError> {
        let embedder = self.embedder.get()?;
        let Some(index) = &self.index else { return Ok(false) };
        let is_exact = embedder.is_exact();
        let mut held = Digest::default();
        index.add_to(&mut held, is_exact)?;
        let mut made = Digest::default();
        for batch in Log::after(reader, Mark::START) {
            let (batch, mark) = batch?;
            let told: Vec<Told> = batch.iter().filter_map(|(space, heard)| Told::of(*space, heard)).collect();
            let mut again = VectorIndex::in_memory(embedder.model().dimension);
            again.add(
                if is_exact { embedded(&*embedder, told)? } else { without_vectors(&*embedder, told) },
                mark,
            )?;
            again.add_to(&mut made, is_exact)?;
        }
        Ok(held == made)
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
        let mut index = self.sound(reader, folder)?;
        let before = index.mark();
        // What was embedded stays, also where the rest cannot be.
        let mut followed = self.catch_up(&mut index, reader);
        if index.mark() != before {
            self.sighted.clear();
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

    /// Returns an index to follow the log from: the one that is open, the one that the folder holds, or an empty one where
    /// that is not of this log or something of it was erased.
    fn sound(&mut self, reader: &dyn Reader, folder: Option<&Path>) -> Result<VectorIndex, StoreError> {
        let (index, may_go_on) = if let Some(index) = self.index.take() {
            let may_go_on = !is_erased_after(reader, index.mark().seq)?;
            (index, may_go_on)
        } else {
            self.close();
            let index = self.opened(folder)?;
            let may_go_on = leads_to(reader, index.mark())?;
            self.was_made_anew |= !may_go_on;
            (index, may_go_on)
        };
        if may_go_on {
            return Ok(index);
        }
        self.discard(folder)?;
        self.opened(folder)
    }

    fn opened(&mut self, folder: Option<&Path>) -> Result<VectorIndex, StoreError> {
        let model = self.model()?;
        match VectorIndex::open(folder, model.clone())? {
            Opened::Kept(index) => Ok(index),
            Opened::Empty { index, was_there, .. } => {
                self.was_made_anew |= was_there;
                Ok(index)
            }
            Opened::OtherModel(held) => Err(held.unlike(&model)),
        }
    }

    fn catch_up(&mut self, index: &mut VectorIndex, reader: &dyn Reader) -> Result<(), StoreError> {
        let log = Log::after(reader, index.mark());
        let embedder = self.embedder.get()?;
        let log = if embedder.is_costly() { log.in_batches_of(COSTLY_BATCH_BYTES) } else { log };
        for batch in log {
            let (batch, mark) = batch?;
            let told: Vec<Told> = batch.iter().filter_map(|(space, heard)| Told::of(*space, heard)).collect();
            self.n_unflushed += told.len();
            index.add(embedded(&*embedder, told)?, mark)?;
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
        let Some(sighted) = self.sighted(space, kind, corpus) else { return Ok(Likeness::none(corpus)) };
        let embedder = self.embedder.get()?;
        let Some(index) = &self.index else { return Ok(Likeness::none(corpus)) };
        let Sighted { rows, n_allowed, n_with, .. } = &*sighted;
        let is_weighed = Cell::new(false);
        let weigh = |piece: u32| {
            is_weighed.set(true);
            let known = n_with.get(piece as usize);
            #[expect(clippy::cast_possible_truncation, reason = "a logarithm of a count is small")]
            known.map_or(0.0, |n_with| rarity(*n_allowed, u64::from(*n_with)) as f32)
        };
        let query = match &self.asked {
            // A search asks of turns, of statements and of plans, and a service would be asked each time.
            Some((asked, vector)) if asked == text => vector.clone(),
            _ => embedder.query(text, &weigh)?,
        };
        if !is_weighed.get() {
            self.asked = Some((text.to_owned(), query.clone()));
        }
        let vectors = index.space(space, kind);
        let allowed = sighted.allowed.as_ref().map_or(Allowed::All, Allowed::Only);
        let (scores, sampled) = if self.mode.asks_graph(*n_allowed) {
            let mut sampled = vectors.scores(&query, Allowed::Only(&sample(rows, corpus.rows().len())))?;
            sampled.sort_unstable_by_key(|(position, _)| rows.get(*position as usize));
            let sampled: Vec<f32> = sampled.into_iter().map(|(_, cosine)| cosine).collect();
            (vectors.nearest(&query, allowed, N_NEAREST, self.mode)?, Some(level(&sampled)))
        } else {
            (vectors.scores(&query, allowed)?, None)
        };
        let mut likeness = Likeness::none(corpus);
        for (position, cosine) in scores {
            if let Some(row) = rows.get(position as usize).copied().flatten() {
                likeness.cosines[row as usize] = cosine;
            }
        }
        // Sums are made in the order of the rows, which does not depend on when something was recorded.
        likeness.level = sampled.unwrap_or_else(|| level(&likeness.cosines));
        Ok(likeness)
    }

    /// Says whether the embedder has any of some words as a whole, or has no pieces of words.
    ///
    /// # Errors
    /// [`StoreError::Embed`] where it cannot be made.
    pub(crate) fn knows_any(&mut self, words: &[String]) -> Result<bool, StoreError> {
        let embedder = self.embedder.get()?;
        Ok(words.iter().any(|word| embedder.pieces(word).len() <= 1))
    }

    fn sighted(&mut self, space: SpaceId, kind: Kind, corpus: &Corpus) -> Option<Arc<Sighted>> {
        if let Some(sighted) = self.sighted.get(&(space, kind))
            && sighted.corpus.is_same(corpus)
        {
            return Some(Arc::clone(sighted));
        }
        let vectors = self.index.as_ref()?.space(space, kind);
        let rows: Vec<Option<u32>> =
            vectors.ids().map(|id| corpus.row_by_id(id).and_then(|row| u32::try_from(row).ok())).collect();
        let is_whole = rows.iter().all(Option::is_some);
        let seen = || (0..).zip(&rows).filter(|(_, row)| row.is_some()).map(|(position, _)| position);
        let allowed = (!is_whole).then(|| seen().collect::<RoaringBitmap>());
        let n_allowed = allowed.as_ref().map_or(rows.len() as u64, RoaringBitmap::len);
        let n_with = vectors.n_with_pieces(allowed.as_ref().map_or(Allowed::All, Allowed::Only));
        let sighted = Arc::new(Sighted { corpus: corpus.clone(), rows, allowed, n_allowed, n_with });
        self.sighted.insert((space, kind), Arc::clone(&sighted));
        Some(sighted)
    }

    /// Lets go of what is open, and throws away what the folder holds where that cannot be read from end to end: whatever
    /// reads it next would fail as well. What is sound is kept, since making vectors may take long.
    pub(crate) fn mend(&mut self, folder: Option<&Path>) -> Result<(), StoreError> {
        self.close();
        let read = self.opened(folder).and_then(|index| index.add_to(&mut Digest::default(), true));
        if matches!(read, Err(StoreError::Storage(_))) {
            self.was_made_anew = true;
            return self.discard(folder);
        }
        read
    }

    fn close(&mut self) {
        self.index = None;
        self.n_unflushed = 0;
        self.sighted.clear();
    }

    /// Throws the index away, files included: what was erased must not stay in it.
    pub(crate) fn discard(&mut self, folder: Option<&Path>) -> Result<(), StoreError> {
        self.close();
        folder.map_or(Ok(()), VectorIndex::discard)
    }
}

fn embedded(embedder: &dyn Embedder, told: Vec<Told>) -> Result<Vec<VectorDocument>, StoreError> {
    let texts: Vec<&str> = told.iter().map(|told| told.text.as_str()).collect();
    let vectors = embedder.documents(&texts)?;
    Ok(told.into_iter().zip(vectors).map(|(told, vector)| document(embedder, told, vector)).collect())
}

/// Returns documents as they are compared where vectors are not made again.
fn without_vectors(embedder: &dyn Embedder, told: Vec<Told>) -> Vec<VectorDocument> {
    let vector = vec![0.0; embedder.model().dimension];
    told.into_iter().map(|told| document(embedder, told, vector.clone())).collect()
}

fn document(
    embedder: &dyn Embedder,
    Told { space, kind, id, text }: Told,
    vector: Vec<f32>,
) -> VectorDocument {
    VectorDocument { space, kind, id, pieces: short(&embedder.pieces(&text)), vector }
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

/// Returns the positions of some of the rows, evenly spread, or of all where they are few. Which rows they are does not
/// depend on when something was recorded, as positions do.
fn sample(rows: &[Option<u32>], n_rows: usize) -> RoaringBitmap {
    let step = n_rows.div_ceil(N_SAMPLED).max(1);
    let is_chosen = |row: &Option<u32>| row.is_some_and(|row| (row as usize).is_multiple_of(step));
    (0..).zip(rows).filter(|(_, row)| is_chosen(row)).map(|(position, _)| position).collect()
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
