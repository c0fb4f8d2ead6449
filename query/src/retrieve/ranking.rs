//! From the parts of scores to an order.

use bygone_engine::text::Row;

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

/// Returns how much of a score each part makes, by its name; parts that make nothing are left out.
pub(super) fn shares<const N: usize>(
    names: &[&'static str; N],
    parts: &[f32; N],
    score: f32,
) -> Vec<(&'static str, f64)> {
    let total: f32 = parts.iter().sum();
    let made = names.iter().zip(parts).filter(|(_, part)| **part > 0.0);
    made.map(|(name, part)| (*name, f64::from(part / total * score))).collect()
}

/// Returns how much of what is asked is there, 0 to 1: by the words that the best document has, and by how like in
/// meaning the most like one is.
pub(super) fn quality(words: &[f32], likeness: &[f32]) -> f32 {
    let greatest = |scores: &[f32]| scores.iter().copied().fold(0.0, f32::max);
    1.0 - (1.0 - greatest(words)) * (1.0 - greatest(likeness).min(1.0))
}
