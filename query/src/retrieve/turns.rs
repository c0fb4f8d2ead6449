//! How turns are ranked: the scores of every channel, brought together.
//!
//! ```text
//! words ──────┐ (normal)
//!             ├─ + ─ questions held back ─ spread to neighbours ─ (normal) ─ + session + speaker + time ─▶ total
//! meaning ────┘ (what stands out)
//! ```
//!
//! The channels are added turn by turn before they are spread, so that a turn which two channels find a little comes
//! before one that a single channel finds. Weights are in `weights.rs`.

use bygone_engine::store::Likeness;
use bygone_engine::text::{Corpus, Kind, Row};
use bygone_engine::{Role, StoreError};

use super::Sought;
use super::channel::{OF_TURNS, TIME_AT};
use super::meaning::likeness;
use super::normal::{by_greatest, standing_out};
use super::question::Question;
use super::ranking::{Fit, Ranked, ranked};
use super::spread::spread;
use super::statements::Statements;
use super::times::{self, nearness};
use super::weights::{AGENT, ASKING, GRAPH, MEANING, SESSION, SESSION_MEANING, SESSION_WHOLE, SPEAKER, TIME};

/// Turns that are read for the times that they tell of, at most: the best by everything else.
const MOST_READ: usize = 100;

/// The turns that a view sees, and how well each fits.
pub(super) struct Turns {
    pub(super) corpus: Corpus,
    pub(super) question: Question,
    /// By turn, what each of the channels [`OF_TURNS`] adds to its score.
    pub(super) parts: Vec<[f32; OF_TURNS.len()]>,
    /// By session, what it is worth as a whole.
    pub(super) sessions: Vec<f32>,
    /// How well the best turns fit.
    pub(super) fit: Fit,
}

impl Turns {
    /// Ranks the turns of a view.
    pub(super) fn rank(sought: &Sought<'_>, statements: &Statements) -> Result<Turns, StoreError> {
        let corpus = sought.seen.corpus(Kind::Turn)?;
        let rows = corpus.rows();
        let question = Question::read(sought, corpus.speakers());

        let mut words = corpus.words(&question.words)?;
        let Likeness { cosines: mut meaning, level } = likeness(sought, Kind::Turn, &corpus, &question)?;
        let fit = Fit::of(&question, &words, &meaning);
        if !fit.tells() {
            meaning.fill(0.0);
        }
        by_greatest(&mut words);
        standing_out(&mut meaning, level);
        let mut by_session = corpus.sessions(&question.words)?;
        by_greatest(&mut by_session);

        let held = |row: &Row| {
            let of_voice = if row.role == Role::Agent { AGENT } else { 1.0 };
            if row.ends_asking { ASKING * of_voice } else { of_voice }
        };
        let own: Vec<f32> =
            (0..rows.len()).map(|at| held(&rows[at]) * (words[at] + MEANING * meaning[at])).collect();
        let spread = spread(rows, &own);
        let greatest = spread.iter().copied().fold(0.0, f32::max);
        let unit = if greatest > 0.0 { 1.0 / greatest } else { 0.0 };

        let graph = statements.by_turn(sought, &corpus)?;
        let time: Vec<f32> = rows.iter().map(|row| nearness(row.known_at, &question.times)).collect();
        let parts = (0..rows.len()).map(|at| {
            let row = &rows[at];
            let held = held(row) * unit;
            let found = spread[at] > 0.0;
            let says = (found || question.is_names_alone)
                && question.speakers.len() == 1
                && is_named(row, &question);
            [
                held * words[at],
                held * MEANING * meaning[at],
                (spread[at] - own[at]) * unit,
                SESSION * by_session[row.session as usize],
                if says { SPEAKER } else { 0.0 },
                if found { TIME * time[at] } else { 0.0 },
                GRAPH * graph[at],
            ]
        });
        let parts = parts.collect();
        let alone: Vec<f32> = (0..rows.len()).map(|at| words[at] + SESSION_MEANING * meaning[at]).collect();
        let sessions = sessions(rows, &alone, &by_session, &time);
        let mut turns = Turns { corpus, question, parts, sessions, fit };
        if times::matter(&turns.question) {
            turns.read_times(sought)?;
        }
        Ok(turns)
    }

    /// Reads the best turns for the times that they tell of.
    fn read_times(&mut self, sought: &Sought<'_>) -> Result<(), StoreError> {
        let best: Vec<usize> = self.ranked().map(|(at, _)| at).take(MOST_READ).collect();
        for at in best {
            if let Some(record) = sought.seen.turn(&self.corpus.rows()[at])? {
                self.parts[at][TIME_AT] = times::part(&record.episode, &self.question);
            }
        }
        Ok(())
    }

    /// Returns the turns that have anything of what is asked, best first, with their scores.
    pub(super) fn ranked(&self) -> Ranked<'_> {
        ranked(self.corpus.rows(), &self.parts, self.fit)
    }
}

fn is_named(row: &Row, question: &Question) -> bool {
    question.speakers.contains(&row.speaker) || question.speakers.contains(&row.given)
}

/// Scores sessions: by their best turn, by what is said in all of it, and by when that was.
fn sessions(rows: &[Row], alone: &[f32], by_session: &[f32], time: &[f32]) -> Vec<f32> {
    let mut best = vec![0.0_f32; by_session.len()];
    let mut times = vec![0.0_f32; by_session.len()];
    for (row, (alone, time)) in rows.iter().zip(alone.iter().zip(time)) {
        let session = row.session as usize;
        best[session] = best[session].max(*alone);
        times[session] = times[session].max(*time);
    }
    by_greatest(&mut best);
    (0..best.len()).map(|at| best[at] + SESSION_WHOLE * by_session[at] + TIME * times[at]).collect()
}
