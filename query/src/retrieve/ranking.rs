//! From the parts of scores to an order.

use bygone_engine::text::Row;

use super::channel::Channel;
use super::question::Question;
use super::weights::{LEAST_LIKENESS, LEAST_WORDS};

/// Rows put in order from the best on, as far as they are asked for: a search wants few of very many.
pub(super) struct Ranked<'a> {
    rows: &'a [Row],
    /// In order as far as `n_ordered`, and nothing after that is before them.
    scored: Vec<(usize, f32)>,
    n_ordered: usize,
    n_taken: usize,
}

/// Rows that are put in order at first; as many as there are already later on.
const FIRST_ORDERED: usize = 256;

/// Ranks the rows that have anything, with their scores: that of the best is the quality, how much of what is asked is
/// there, or what it has of the rest where words and meaning found nothing. Ties go to what was said earlier, then by id.
pub(super) fn ranked<'a, const N: usize>(rows: &'a [Row], parts: &[[f32; N]], fit: Fit) -> Ranked<'a> {
    let totals = parts.iter().map(|parts| parts.iter().sum::<f32>()).enumerate();
    let mut scored: Vec<(usize, f32)> = totals.filter(|(_, total)| *total > 0.0).collect();
    let best = scored.iter().map(|(_, total)| *total).fold(0.0, f32::max);
    let quality = if fit.tells() { fit.quality() } else { best.min(1.0) };
    for (_, total) in &mut scored {
        *total *= quality / best;
    }
    Ranked { rows, scored, n_ordered: 0, n_taken: 0 }
}

impl Ranked<'_> {
    fn order_more(&mut self) {
        let Ranked { rows, scored, n_ordered, .. } = self;
        let left = &mut scored[*n_ordered..];
        let n_more = FIRST_ORDERED.max(*n_ordered).min(left.len());
        let place = |at: usize| (rows[at].known_at, rows[at].id);
        let order = |(one, one_total): &(usize, f32), (other, other_total): &(usize, f32)| {
            other_total.total_cmp(one_total).then_with(|| place(*one).cmp(&place(*other)))
        };
        if n_more < left.len() {
            left.select_nth_unstable_by(n_more, order);
        }
        left[..n_more].sort_unstable_by(order);
        *n_ordered += n_more;
    }
}

impl Iterator for Ranked<'_> {
    type Item = (usize, f32);

    fn next(&mut self) -> Option<(usize, f32)> {
        if self.n_taken == self.n_ordered {
            self.order_more();
        }
        let next = self.scored.get(self.n_taken).copied();
        self.n_taken += usize::from(next.is_some());
        next
    }
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

/// How well the best of some documents fit, each by one measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// How much of the asked words the document with most of them has, 0 to 1.
    pub(super) words: f32,
    /// The cosine of the document most like in meaning, at least 0.
    pub(super) likeness: f32,
    /// How much the asked words weigh together, before how rare they are: one each, as a rule.
    weight: f32,
}

impl Fit {
    /// Takes the best of each measure.
    pub(super) fn of(question: &Question, words: &[f32], likeness: &[f32]) -> Fit {
        let greatest = |scores: &[f32]| scores.iter().copied().fold(0.0, f32::max);
        #[expect(clippy::cast_possible_truncation, reason = "a number of words")]
        let weight = question.words.iter().map(|asked| asked.weight).sum::<f64>() as f32;
        Fit { words: greatest(words), likeness: greatest(likeness).min(1.0), weight }
    }

    /// Returns how much of what is asked is there, 0 to 1.
    fn quality(self) -> f32 {
        1.0 - (1.0 - self.words) * (1.0 - self.likeness)
    }

    /// Says whether words and likeness tell anything: not where nothing was asked in words, nor where no document has any of
    /// the words and none is like enough for that not to matter.
    pub(super) fn tells(self) -> bool {
        self.weight > 0.0 && (self.words > 0.0 || self.likeness >= LEAST_LIKENESS)
    }

    /// Says whether anything may be an answer, and is not found by chance alone. That a document has one of many words says
    /// less than that it has one of two, and more than its share of them.
    pub(super) fn answers(self) -> bool {
        self.words * self.weight.sqrt() >= LEAST_WORDS || self.likeness >= LEAST_LIKENESS
    }
}

#[cfg(test)]
mod tests {
    use bygone_engine::Role;
    use bygone_engine::time::Instant;

    use super::*;

    fn row(at: u64) -> Row {
        Row {
            id: u128::from(at.wrapping_mul(7919) % 3001).to_be_bytes(),
            session: 0,
            role: Role::User,
            asks: false,
            ends_asking: false,
            speaker: 0,
            given: 0,
            known_at: Instant::from_micros(i64::try_from(at % 11).unwrap()).unwrap(),
        }
    }

    #[test]
    fn rows_come_best_first_however_many_are_asked_for() {
        let rows: Vec<Row> = (0..3000).map(row).collect();
        // Many ties, and some that have nothing.
        let parts: Vec<[f32; 2]> = (0..3000_u16).map(|at| [f32::from(at % 13), f32::from(at % 3)]).collect();
        let fit = Fit { words: 0.5, likeness: 0.0, weight: 1.0 };
        let found: Vec<(usize, f32)> = ranked(&rows, &parts, fit).collect();
        let total = |at: usize| parts[at].iter().sum::<f32>();
        let mut expected: Vec<usize> = (0..3000).filter(|at| total(*at) > 0.0).collect();
        expected.sort_by(|one, other| {
            let place = |at: &usize| (rows[*at].known_at, rows[*at].id);
            total(*other).total_cmp(&total(*one)).then_with(|| place(one).cmp(&place(other)))
        });
        assert!(expected.len() < 3000);
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), expected);
        assert!((found[0].1 - 0.5).abs() < 1e-6, "the best has the quality");
        assert_eq!(ranked::<2>(&[], &[], fit).next(), None);
    }

    #[test]
    fn what_neither_words_nor_meaning_found_scores_what_it_has() {
        let nothing = Fit { words: 0.0, likeness: 0.3, weight: 1.0 };
        assert_eq!(ranked(&[row(1)], &[[0.0, 0.25]], nothing).next(), Some((0, 0.25)));
    }
}
