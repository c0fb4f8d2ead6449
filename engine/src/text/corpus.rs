//! The documents of one space and kind that a view sees, and how well each fits the words looked for.
//!
//! Scores come as one number for each document, in the order in which the documents were said, so that they can be
//! added, spread to neighbours and gathered by session. Everything is counted among what the view sees: the scores are
//! those of a store that holds nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::bm25::{MOST, SESSION_LENGTH, TURN_LENGTH, float, rarity, worth};
use super::catalog::{Catalog, Entry, NONE};
use super::sight::Sight;
use super::source::{Postings, Source};
use crate::episode::Role;
use crate::error::StoreError;
use crate::time::Instant;
use crate::view::Hiding;

/// A document, beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The bytes of the id of a turn or a statement.
    pub id: [u8; 16],
    /// Which session it belongs to. The sessions that are seen are numbered from 0, and stand one after the other.
    pub session: u32,
    /// The voice.
    pub role: Role,
    /// Whether something is asked in it.
    pub asks: bool,
    /// Whether it ends with a question.
    pub ends_asking: bool,
    /// Stands for the name of who speaks, see [`name_number`](super::name_number); 0 for nobody known.
    pub speaker: u64,
    /// Stands for the first word of that name.
    pub given: u64,
    /// When it was said.
    pub known_at: Instant,
}

/// A word that is looked for, and those that may stand for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The word in the form in which it is found.
    pub word: String,
    /// How much it weighs among the others.
    pub weight: f64,
    /// Words that stand for it, each with what it is worth where the word itself is worth 1.
    pub similar: Vec<(String, f64)>,
}

/// What a view sees of the documents of one space and kind.
#[derive(Clone)]
pub struct Corpus {
    catalog: Arc<Catalog>,
    seen: Arc<SeenRows>,
    sources: Arc<Vec<Box<dyn Source>>>,
}

struct SeenRows {
    rows: Vec<Row>,
    /// By the row in the catalogue: the row here, or [`NONE`].
    new_row: Vec<u32>,
    lengths: Vec<u32>,
    /// By source and the number that a document has there: its row here, or [`NONE`].
    row_of: Vec<Vec<u32>>,
    n_sessions: usize,
    n_hidden: BTreeMap<Hiding, usize>,
    /// What stands for the names of those who speak, and for the first words of these names.
    speakers: BTreeSet<u64>,
}

/// Which documents have a word: their rows, and how often they have it.
type Tallies = Vec<(usize, f64)>;

impl Corpus {
    /// Takes what a view sees out of a catalogue.
    pub(super) fn of(catalog: Arc<Catalog>, sources: Arc<Vec<Box<dyn Source>>>, sight: &Sight) -> Corpus {
        let mut rows: Vec<Row> = Vec::with_capacity(catalog.entries.len());
        let mut lengths = Vec::with_capacity(catalog.entries.len());
        let mut new_row = Vec::with_capacity(catalog.entries.len());
        let mut n_hidden: BTreeMap<Hiding, usize> = BTreeMap::new();
        let mut sessions: (u32, Option<u64>) = (0, None);
        for entry in &catalog.entries {
            if let Some(hiding) = entry.hiding(sight) {
                *n_hidden.entry(hiding).or_default() += 1;
                new_row.push(NONE);
                continue;
            }
            let (n_sessions, last) = &mut sessions;
            if last.replace(entry.session) != Some(entry.session) {
                *n_sessions += 1;
            }
            new_row.push(u32::try_from(rows.len()).unwrap_or(NONE));
            rows.push(row(entry, *n_sessions - 1));
            lengths.push(entry.length);
        }
        let seen_row = |row: &u32| new_row.get(*row as usize).copied().unwrap_or(NONE);
        let row_of = catalog.row_of.iter().map(|rows| rows.iter().map(seen_row).collect()).collect();
        let n_sessions = sessions.0 as usize;
        let mut speakers: Vec<u64> = rows.iter().flat_map(|row| [row.speaker, row.given]).collect();
        speakers.sort_unstable();
        speakers.dedup();
        let speakers = speakers.into_iter().collect();
        let seen = SeenRows { rows, new_row, lengths, row_of, n_sessions, n_hidden, speakers };
        Corpus { catalog, seen: Arc::new(seen), sources }
    }

    /// Returns the documents, session after session, in the order in which they were said.
    pub fn rows(&self) -> &[Row] {
        &self.seen.rows
    }

    /// Returns the row of a document by its row in the catalogue; nothing where it is not seen.
    fn row_of(&self, catalog_row: u32) -> Option<u32> {
        self.seen.new_row.get(catalog_row as usize).copied().filter(|row| *row != NONE)
    }

    /// Returns the row of the document with an id; nothing where it is not seen.
    pub fn row_by_id(&self, id: [u8; 16]) -> Option<usize> {
        let catalog_row = self.catalog.rows_by_id().get(&id)?;
        self.row_of(*catalog_row).map(|row| row as usize)
    }

    /// Returns how many sessions there are.
    pub fn n_sessions(&self) -> usize {
        self.seen.n_sessions
    }

    /// Returns what stands for the names of those who speak in the documents, and for the first words of these names.
    pub fn speakers(&self) -> &BTreeSet<u64> {
        &self.seen.speakers
    }

    /// Says whether two are the same: what a view sees of an index that has not changed.
    pub(crate) fn is_same(&self, other: &Corpus) -> bool {
        Arc::ptr_eq(&self.seen, &other.seen)
    }

    /// Returns how many documents of the space and kind the view does not see, by what hides them.
    pub fn n_hidden(&self) -> &BTreeMap<Hiding, usize> {
        &self.seen.n_hidden
    }

    /// Returns how many documents have a word, in the form in which it is found.
    ///
    /// # Errors
    /// As [`Corpus::words`].
    pub fn n_with(&self, word: &str) -> Result<usize, StoreError> {
        Ok(self.tallies(word)?.len())
    }

    /// Returns, for each document, how much of the words it has, from 0 (nothing) towards 1: every word, over and over.
    ///
    /// # Errors
    /// [`StoreError`] where the index cannot be read.
    pub fn words(&self, asked: &[Asked]) -> Result<Vec<f32>, StoreError> {
        let SeenRows { rows, lengths, .. } = &*self.seen;
        let units =
            Units { lengths: lengths.iter().map(|&length| f64::from(length)).collect(), weight: TURN_LENGTH };
        units.score(rows.len(), asked, |word| self.tallies(word))
    }

    /// Returns, for each session, how much of the words is said in it.
    ///
    /// # Errors
    /// As [`Corpus::words`].
    pub fn sessions(&self, asked: &[Asked]) -> Result<Vec<f32>, StoreError> {
        let SeenRows { rows, lengths, n_sessions, .. } = &*self.seen;
        let mut by_session = vec![0.0; *n_sessions];
        for (row, &length) in rows.iter().zip(lengths) {
            by_session[row.session as usize] += f64::from(length);
        }
        let units = Units { lengths: by_session, weight: SESSION_LENGTH };
        units.score(*n_sessions, asked, |word| {
            let mut tallies = self.tallies(word)?;
            for (row, _) in &mut tallies {
                *row = rows[*row].session as usize;
            }
            tallies.sort_unstable_by_key(|(session, _)| *session);
            tallies.dedup_by(|(session, count), (kept, sum)| {
                let is_same = session == kept;
                if is_same {
                    *sum += *count;
                }
                is_same
            });
            Ok(tallies)
        })
    }

    fn tallies(&self, word: &str) -> Result<Tallies, StoreError> {
        let mut tallies = Vec::new();
        for (source, row_of) in self.sources.iter().zip(&self.seen.row_of) {
            let Postings { documents, counts } = source.postings(word)?;
            for (document, count) in documents.into_iter().zip(counts) {
                let row = row_of.get(document as usize).copied().unwrap_or(NONE);
                if row != NONE {
                    tallies.push((row as usize, f64::from(count)));
                }
            }
        }
        Ok(tallies)
    }
}

fn row(entry: &Entry, session: u32) -> Row {
    let &Entry { id, known_at, speaker, given, manner, .. } = entry;
    let (role, asks, ends_asking) = (manner.role, manner.asks, manner.ends_asking);
    Row { id, session, role, asks, ends_asking, speaker, given, known_at }
}

/// What is scored: documents, or sessions.
struct Units {
    lengths: Vec<f64>,
    /// How much long ones are held back.
    weight: f64,
}

impl Units {
    /// Scores each by what it has of the words. A word and those that stand for it count once, by the best of them.
    fn score(
        &self,
        n_units: usize,
        asked: &[Asked],
        tallies: impl Fn(&str) -> Result<Tallies, StoreError>,
    ) -> Result<Vec<f32>, StoreError> {
        let mean = self.lengths.iter().sum::<f64>() / float(n_units.max(1) as u64);
        let mut scores = vec![0.0; n_units];
        let mut best = vec![0.0; n_units];
        let mut most = 0.0;
        for Asked { word, weight, similar } in asked {
            let own = tallies(word)?;
            let rarity = rarity(n_units as u64, own.len() as u64) * weight;
            most += rarity * MOST;
            let mut touched = Vec::new();
            let mut take = |tallies: Tallies, share: f64| {
                for (unit, count) in tallies {
                    let worth = share * worth(count, self.lengths[unit] / mean, self.weight);
                    if worth > best[unit] {
                        if best[unit] == 0.0 {
                            touched.push(unit);
                        }
                        best[unit] = worth;
                    }
                }
            };
            take(own, 1.0);
            for (word, share) in similar {
                take(tallies(word)?, *share);
            }
            for unit in touched {
                scores[unit] += rarity * std::mem::take(&mut best[unit]);
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "a share between 0 and 1")]
        let share = |score: f64| if most > 0.0 { (score / most) as f32 } else { 0.0 };
        Ok(scores.into_iter().map(share).collect())
    }
}
