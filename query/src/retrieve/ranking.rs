//! From the parts of scores to an order.

use bygone_engine::text::Row;

use super::channel::Channel;
use super::question::Question;
use super::weights::LEAST_LIKENESS;

/// Returns the rows that have anything, best first, with their scores: that of the best is the quality, how much of what
/// is asked is there. Ties go to what was said earlier, then by id.
pub(super) fn ranked<const N: usize>(rows: &[Row], parts: &[[f32; N]], quality: f32) -> Vec<(usize, f32)> {
    let totals = parts.iter().map(|parts| parts.iter().sum::<f32>()).enumerate();
    let mut ranked: Vec<(usize, f32)> = totals.filter(|(_, total)| *total > 0.0).collect();
    ranked.sort_unstable_by(|(one, one_total), (other, other_total)| {
        let place = |at: &usize| (rows[*at].known_at, rows[*at].id);
        other_total.total_cmp(one_total).then_with(|| place(one).cmp(&place(other)))
    });
    let best = ranked.first().map_or(1.0, |(_, total)| *total);
    for (_, total) in &mut ranked {
        *total *= quality / best;
    }
    ranked
}

/// Returns how much of a score each channel makes, by its name; those that make nothing are left out.
pub(super) fn shares<const N: usize>(
    channels: &[Channel; N],
    parts: &[f32; N],
    score: f32,
) -> Vec<(&'static str, f64)> {
    let total: f32 = parts.iter().sum();
    let made = channels.iter().zip(parts).filter(|(_, part)| **part > 0.0);
    made.map(|(channel, part)| (channel.name, f64::from(part / total * score))).collect()
}

/// Forgets likeness that says nothing: where nothing was asked in words, and where no document has any of the words and
/// none is like enough for that not to matter.
pub(super) fn forget_chance(question: &Question, words: &[f32], likeness: &mut [f32]) {
    let has_word = words.iter().any(|score| *score > 0.0);
    let is_like = likeness.iter().any(|cosine| *cosine >= LEAST_LIKENESS);
    if question.words.is_empty() || !(has_word || is_like) {
        likeness.fill(0.0);
    }
}

/// Returns how much of what is asked is there, 0 to 1: by the words that the best document has, and by how like in
/// meaning the most like one is.
pub(super) fn quality(words: &[f32], likeness: &[f32]) -> f32 {
    let greatest = |scores: &[f32]| scores.iter().copied().fold(0.0, f32::max);
    1.0 - (1.0 - greatest(words)) * (1.0 - greatest(likeness).min(1.0))
}
