//! Finding turns and statements by their words, in any view.

use std::collections::BTreeMap;

use super::seen::Seen;
use super::{Snapshot, history};
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId};
use crate::record::{Recorded, RecordedEpisode};
use crate::text::{Candidates, Corpus, Kind, Row, Sight};
use crate::vector::Likeness;

/// Something found, and how well it fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<T> {
    /// What was found.
    pub found: T,
    /// How much of what was looked for it has, from 0 (nothing) towards 1: every word, over and over.
    pub score: f64,
}

impl Snapshot<'_> {
    /// Returns how like in meaning texts are to another, by the cosine of their vectors, which are made for it and kept
    /// nowhere.
    ///
    /// # Errors
    /// [`StoreError::Embed`] where the embedder fails.
    pub fn cosines(&self, text: &str, of: &[&str]) -> Result<Vec<f32>, StoreError> {
        // Vectors are made without holding up who searches.
        let embedder = self.store.meaning().embedder()?;
        let asked = embedder.query(text, &|_| 1.0)?;
        let cosine = |vector: &Vec<f32>| vector.iter().zip(&asked).map(|(one, other)| one * other).sum();
        Ok(embedder.documents(of)?.iter().map(cosine).collect())
    }
}

impl Seen<'_> {
    /// Returns the turns that have at least one of the words and that the view sees, best first.
    ///
    /// The order is that of a store which holds only what the view sees. The index catches up with the log first.
    ///
    /// # Errors
    /// [`StoreError`] where store or index cannot be read.
    pub fn search_turns(
        &self,
        text: &str,
    ) -> Result<impl Iterator<Item = Result<Hit<RecordedEpisode>, StoreError>>, StoreError> {
        let snapshot = self.snapshot();
        let candidates = self.candidates(Kind::Turn, text)?;
        Ok(candidates.filter_map(move |(id, score)| match snapshot.episode(EpisodeId(id)).transpose()? {
            Ok(found) if !self.sees_turn(&found) => None,
            found => Some(found.map(|found| Hit { found, score })),
        }))
    }

    /// Returns the statements that have at least one of the words and that the view sees, best first: of plans where
    /// `plans` says so, else of what takes part in derivation.
    ///
    /// # Errors
    /// As [`Seen::search_turns`].
    pub fn search_statements(
        &self,
        text: &str,
        plans: bool,
    ) -> Result<impl Iterator<Item = Result<Hit<Recorded>, StoreError>>, StoreError> {
        let snapshot = self.snapshot();
        let candidates = self.candidates(if plans { Kind::Plan } else { Kind::Statement }, text)?;
        let read = move |id: AssertionId| snapshot.assertion(id);
        Ok(candidates.filter_map(move |(id, score)| match read(AssertionId(id)).transpose()? {
            Ok(found) if !self.sees(&found) => None,
            found => Some(found.map(|found| Hit { found, score })),
        }))
    }

    /// Returns the turn of a row of a corpus; nothing where the view does not see it.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn turn(&self, row: &Row) -> Result<Option<RecordedEpisode>, StoreError> {
        Ok(self.snapshot().episode(EpisodeId(row.id))?.filter(|record| self.sees_turn(record)))
    }

    /// Returns the statements of rows of a corpus, in their order; nothing for those that the view does not see. What lies
    /// together is read once, so many are better asked for at a time.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn statements_in<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row>,
    ) -> Result<Vec<Option<Recorded>>, StoreError> {
        let ids: Vec<AssertionId> = rows.into_iter().map(|row| AssertionId(row.id)).collect();
        let found = history::find_by_id(&*self.snapshot().reader, self.snapshot().space, &ids)?;
        let mut found: BTreeMap<AssertionId, Recorded> =
            found.into_iter().map(|recorded| (recorded.assertion.id, recorded)).collect();
        Ok(ids.iter().map(|id| found.remove(id).filter(|recorded| self.sees(recorded))).collect())
    }

    /// Returns what the view sees of the turns, the statements or the plans of the space. The index catches up with the
    /// log first.
    ///
    /// # Errors
    /// As [`Seen::search_turns`].
    pub fn corpus(&self, kind: Kind) -> Result<Corpus, StoreError> {
        let snapshot = self.snapshot();
        let sight = Sight::new(self.view().known, self.last_seq(), self.sessions());
        snapshot.store.ask_text(|text, _| text.corpus(snapshot.space, kind, &sight))
    }

    /// Returns how like in meaning each document of a corpus is to a text. The vectors catch up with the log first; an
    /// index that turns out to be damaged is made again. The model of a store's first vectors is remembered.
    ///
    /// # Errors
    /// [`StoreError::Embed`] where the embedder fails, [`StoreError::OtherModel`], [`StoreError::OtherDimension`]; as [`Seen::search_turns`] else.
    pub fn likeness(&self, kind: Kind, corpus: &Corpus, text: &str) -> Result<Likeness, StoreError> {
        let snapshot = self.snapshot();
        snapshot.store.ask_meaning_to_keep(|meaning, _| meaning.likeness(snapshot.space, kind, corpus, text))
    }

    /// Says whether the embedder has any of some words as a whole. What others look like, put together from pieces of words,
    /// says little about what they mean. Embedders that have no pieces are taken to know every word.
    ///
    /// # Errors
    /// As [`Seen::likeness`].
    pub fn knows_any(&self, words: &[String]) -> Result<bool, StoreError> {
        self.snapshot().store.ask_meaning(|meaning, _| meaning.knows_any(words))
    }

    fn candidates(&self, kind: Kind, text: &str) -> Result<Candidates, StoreError> {
        let snapshot = self.snapshot();
        let sight = Sight::new(self.view().known, self.last_seq(), self.sessions());
        snapshot.store.ask_text(|index, _| index.candidates(snapshot.space, kind, text, &sight))
    }
}
