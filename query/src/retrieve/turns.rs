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

use bygone_engine::StoreError;
use bygone_engine::text::{Corpus, Kind, Row};

use super::normal::{by_greatest, standing_out};
use super::question::Question;
use super::spread::spread;
use super::times::nearness;
use super::weights::{ASKING, MEANING, SESSION, SPEAKER, TIME};
use super::{Notes, Sought};

/// What the score of a turn is the sum of, as it is called on the wire.
pub(super) const PARTS: [&str; 6] = ["text", "meaning", "neighbours", "session", "speaker", "time"];

/// The turns that a view sees, and how well each fits.
pub(super) struct Turns {
    pub(super) corpus: Corpus,
    pub(super) question: Question,
    /// By turn, the parts of its score, by [`PARTS`].
    pub(super) parts: Vec<[f32; PARTS.len()]>,
    /// By session, what it is worth as a whole.
    pub(super) sessions: Vec<f32>,
    /// How much of the question the best turn has.
    pub(super) quality: f32,
}

impl Turns {
    /// Ranks the turns of a view.
    pub(super) fn rank(sought: &Sought<'_>, notes: &mut Notes) -> Result<Turns, StoreError> {
        let corpus = sought.seen.corpus(Kind::Turn)?;
        let rows = corpus.rows();
        let analyzer = sought.seen.snapshot().analyzer();
        let question = Question::read(sought.text, analyzer, sought.request.now, rows);

        let mut words = corpus.words(&question.words)?;
        let mut meaning = notes.likeness(sought, Kind::Turn, &corpus)?;
        let quality = quality(&words, &meaning);
        by_greatest(&mut words);
        standing_out(&mut meaning);
        let mut by_session = corpus.sessions(&question.words)?;
        by_greatest(&mut by_session);

        let held = |row: &Row| if row.ends_asking { ASKING } else { 1.0 };
        let own: Vec<f32> =
            (0..rows.len()).map(|at| held(&rows[at]) * (words[at] + MEANING * meaning[at])).collect();
        let spread = spread(rows, &own);
        let greatest = spread.iter().copied().fold(0.0, f32::max);
        let unit = if greatest > 0.0 { 1.0 / greatest } else { 0.0 };

        let time: Vec<f32> = rows.iter().map(|row| nearness(row.known_at, &question.times)).collect();
        let parts = (0..rows.len()).map(|at| {
            let row = &rows[at];
            let held = held(row) * unit;
            let found = spread[at] > 0.0;
            let says = found && question.speakers.len() == 1 && is_named(row, &question);
            [
                held * words[at],
                held * MEANING * meaning[at],
                (spread[at] - own[at]) * unit,
                SESSION * by_session[row.session as usize],
                if says { SPEAKER } else { 0.0 },
                if found { TIME * time[at] } else { 0.0 },
            ]
        });
        let parts = parts.collect();
        let sessions = sessions(rows, &own, &by_session, &time);
        Ok(Turns { parts, sessions, quality, question, corpus })
    }

    /// Returns the turns that have anything of what is asked, best first, with their scores: that of the best is how much
    /// of the question it has. Ties go to what was said earlier, then by id.
    pub(super) fn ranked(&self) -> Vec<(usize, f32)> {
        let rows = self.corpus.rows();
        let totals = self.parts.iter().map(|parts| parts.iter().sum::<f32>()).enumerate();
        let mut ranked: Vec<(usize, f32)> = totals.filter(|(_, total)| *total > 0.0).collect();
        ranked.sort_unstable_by(|(one, one_total), (other, other_total)| {
            let place = |at: &usize| (rows[*at].known_at, rows[*at].id);
            other_total.total_cmp(one_total).then_with(|| place(one).cmp(&place(other)))
        });
        let best = ranked.first().map_or(1.0, |(_, total)| *total);
        for (_, total) in &mut ranked {
            *total *= self.quality / best;
        }
        ranked
    }
}

/// Returns how much of what is asked is there, 0 to 1: by the words that the best document has, and by how like in
/// meaning the most like one is.
pub(super) fn quality(words: &[f32], likeness: &[f32]) -> f32 {
    let greatest = |scores: &[f32]| scores.iter().copied().fold(0.0, f32::max);
    1.0 - (1.0 - greatest(words)) * (1.0 - greatest(likeness).min(1.0))
}

fn is_named(row: &Row, question: &Question) -> bool {
    question.speakers.contains(&row.speaker) || question.speakers.contains(&row.given)
}

/// Scores sessions: by their best turn, by what is said in all of it, and by when that was.
fn sessions(rows: &[Row], own: &[f32], by_session: &[f32], time: &[f32]) -> Vec<f32> {
    let mut best = vec![0.0_f32; by_session.len()];
    let mut times = vec![0.0_f32; by_session.len()];
    for (row, (own, time)) in rows.iter().zip(own.iter().zip(time)) {
        let session = row.session as usize;
        best[session] = best[session].max(*own);
        times[session] = times[session].max(*time);
    }
    by_greatest(&mut best);
    (0..best.len()).map(|at| best[at] + 0.5 * by_session[at] + TIME * times[at]).collect()
}
