//! How statements are ranked: by their words, by their meaning, and by how they are tied to what is named.

use std::collections::BTreeSet;

use bygone_engine::store::Likeness;
use bygone_engine::text::{Corpus, Kind};
use bygone_engine::{EntityRef, StoreError};

use super::Sought;
use super::channel::OF_STATEMENTS;
use super::graph::ties;
use super::meaning::likeness;
use super::normal::{by_greatest, standing_out};
use super::question::{Question, bare};
use super::ranking::{Fit, Ranked, ranked};
use super::weights::{MEANING, TIE};
use crate::error::QueryError;
use crate::names::candidates;

/// The longest name that is looked for, in words.
const LONGEST_NAME: usize = 4;
/// Words of a text that are looked for as names, at most.
const MOST_WORDS: usize = 60;

/// Statements whose turns are looked for, at most.
const MOST_STATEMENTS: usize = 50;

/// The statements that a view sees, and how well each fits.
pub(super) struct Statements {
    pub(super) corpus: Corpus,
    pub(super) question: Question,
    /// The entities that are named.
    pub(super) named: Vec<EntityRef>,
    /// By statement, what each of the channels [`OF_STATEMENTS`] adds to its score.
    pub(super) parts: Vec<[f32; OF_STATEMENTS.len()]>,
    /// How well the best of them fit.
    pub(super) fit: Fit,
}

impl Statements {
    /// Ranks the statements of a view.
    pub(super) fn rank(sought: &Sought<'_>, kind: Kind) -> Result<Statements, StoreError> {
        let corpus = sought.seen.corpus(kind)?;
        // Nobody speaks a statement: names are words here.
        let question = Question::read(sought, &BTreeSet::new());
        let mut words = corpus.words(&question.words)?;
        let Likeness { cosines: mut meaning, level } = likeness(sought, kind, &corpus, &question)?;
        let fit = Fit::of(&question, &words, &meaning);
        if !fit.tells() {
            meaning.fill(0.0);
        }
        by_greatest(&mut words);
        standing_out(&mut meaning, level);
        let mut graph = vec![0.0; corpus.rows().len()];
        let named = if kind == Kind::Statement { named(sought)? } else { Vec::new() };
        for (id, tie) in ties(sought, &named)? {
            if let Some(row) = corpus.row_by_id(id.bytes()) {
                graph[row] = tie;
            }
        }
        let parts = (0..words.len()).map(|at| [words[at], MEANING * meaning[at], TIE * graph[at]]).collect();
        Ok(Statements { corpus, question, named, parts, fit })
    }

    /// Returns the statements that have anything of what is asked, best first, with their scores.
    pub(super) fn ranked(&self) -> Ranked<'_> {
        ranked(self.corpus.rows(), &self.parts, self.fit)
    }

    /// Returns, for each turn of a corpus, how good the best statement is that it makes, 0 to 1, among the best.
    pub(super) fn by_turn(&self, sought: &Sought<'_>, turns: &Corpus) -> Result<Vec<f32>, StoreError> {
        let mut by_turn = vec![0.0_f32; turns.rows().len()];
        let best: Vec<(usize, f32)> = self.ranked().take(MOST_STATEMENTS).collect();
        let most = best.first().map_or(1.0, |(_, score)| *score);
        let read = sought.seen.statements_in(best.iter().map(|(at, _)| &self.corpus.rows()[*at]))?;
        for ((_, score), recorded) in best.into_iter().zip(read) {
            let Some(recorded) = recorded else { continue };
            if let Some(turn) = turns.row_by_id(recorded.assertion.source.episode.bytes()) {
                by_turn[turn] = by_turn[turn].max(score / most);
            }
        }
        Ok(by_turn)
    }
}

/// Returns the entities of the view that a text names. A name is written with a capital, unless nothing is.
pub(crate) fn named(sought: &Sought<'_>) -> Result<Vec<EntityRef>, StoreError> {
    let analyzer = sought.seen.snapshot().analyzer();
    let words: Vec<&str> = sought.text.split_whitespace().take(MOST_WORDS).map(bare).collect();
    let has_capitals = words.iter().any(|word| word.chars().any(char::is_uppercase));
    let mut found = BTreeSet::new();
    for n_words in 1..=LONGEST_NAME {
        for window in words.windows(n_words) {
            let name = window.join(" ");
            let is_name = !has_capitals || name.starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
            if is_name && !analyzer.asked(&name).is_empty() {
                match candidates(sought.seen, &name) {
                    Ok(entities) => found.extend(entities),
                    Err(QueryError::Store(error)) => return Err(error),
                    Err(_) => {}
                }
            }
        }
    }
    Ok(found.into_iter().collect())
}
