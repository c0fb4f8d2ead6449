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

    /// Measures at several k, to three decimals.
    fn at(of: fn(&Ranks, usize) -> f64, ranks: &Ranks, ks: &[usize]) -> String {
        ks.iter().map(|k| format!("{:.3}", of(ranks, *k))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn recall_counts_pieces_of_evidence() {
        let at = |of| at(of, &ranks(), &[1, 2, 3, 4, 100]);
        assert_eq!(at(fraction), "0.333 0.333 0.333 0.667 0.667");
        assert_eq!(at(any), "1.000 1.000 1.000 1.000 1.000");
        assert_eq!(at(all), "0.000 0.000 0.000 0.000 0.000");
    }

    #[test]
    fn all_needs_the_last_piece() {
        let unit = |document| Unit { label: String::new(), documents: vec![document] };
        let ranks = Ranks::of(&[unit(5), unit(6)], &[6, 1, 5]);
        assert_eq!(at(all, &ranks, &[1, 2, 3]), "0.000 0.000 1.000");
        assert_eq!(at(fraction, &ranks, &[1, 2, 3]), "0.500 0.500 1.000");
        let ranks = Ranks::of(&[unit(5)], &[6, 1, 5]);
        assert_eq!(at(any, &ranks, &[1, 2, 3]), "0.000 0.000 1.000");
    }

    #[test]
    fn without_evidence_nothing_is_found() {
        let ranks = Ranks::of(&[], &[1, 2]);
        for of in [fraction, any, all] {
            assert_eq!(at(of, &ranks, &[2]), "0.000");
        }
    }
}
