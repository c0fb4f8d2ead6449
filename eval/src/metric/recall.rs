//! How much of the evidence is among the first k?

use super::Ranks;
use crate::real::real;

/// Returns the share of the pieces of evidence that are among the first k; 0 where there are none.
pub fn fraction(ranks: &Ranks, k: usize) -> f64 {
    let n_units = ranks.best().len();
    if n_units == 0 { 0.0 } else { real(within(ranks, k)) / real(n_units) }
}

/// Returns 1 where a piece of the evidence is among the first k.
pub fn any(ranks: &Ranks, k: usize) -> f64 {
    f64::from(within(ranks, k) > 0)
}

/// Returns 1 where all of the evidence is among the first k; 0 where there is none.
pub fn all(ranks: &Ranks, k: usize) -> f64 {
    let n_units = ranks.best().len();
    f64::from(n_units > 0 && within(ranks, k) == n_units)
}

fn within(ranks: &Ranks, k: usize) -> usize {
    ranks.best().flatten().filter(|rank| *rank <= k).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Unit;

    /// Three pieces of evidence at ranks 1 and 4 and nowhere; the first of them stands a second time at rank 2.
    fn ranks() -> Ranks {
        let unit = |documents: &[usize]| Unit { label: String::new(), documents: documents.to_vec() };
        Ranks::of(&[unit(&[10, 11]), unit(&[12]), unit(&[13])], &[10, 11, 20, 12])
    }

    #[test]
    fn recall_counts_pieces_of_evidence() {
        let at = |of: fn(&Ranks, usize) -> f64| [1, 2, 3, 4, 100].map(|k| of(&ranks(), k));
        assert_eq!(at(fraction), [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(at(any), [1.0; 5]);
        assert_eq!(at(all), [0.0; 5]);
    }

    #[test]
    fn all_needs_the_last_piece() {
        let unit = |document| Unit { label: String::new(), documents: vec![document] };
        let ranks = Ranks::of(&[unit(5), unit(6)], &[6, 1, 5]);
        assert_eq!([1, 2, 3].map(|k| all(&ranks, k)), [0.0, 0.0, 1.0]);
        assert_eq!([1, 2, 3].map(|k| fraction(&ranks, k)), [0.5, 0.5, 1.0]);
    }

    #[test]
    fn without_evidence_nothing_is_found() {
        let ranks = Ranks::of(&[], &[1, 2]);
        assert_eq!([fraction(&ranks, 2), any(&ranks, 2), all(&ranks, 2)], [0.0; 3]);
    }
}
