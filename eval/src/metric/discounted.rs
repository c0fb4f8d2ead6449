//! How early does the evidence stand among the first k?

use super::Ranks;
use crate::real::real;

/// Returns the normalised discounted cumulative gain as LongMemEval computes it (`dcg` and `ndcg` of its
/// `src/retrieval/eval_utils.py`): the second rank is not discounted.
///
/// ```text
/// DCG@k = rel_1 + Σ_{i=2..k} rel_i / log2(i)
/// ```
///
/// Documents count, so that evidence that stands twice is to be found twice. 0 where there is none.
pub fn gain(ranks: &Ranks, k: usize) -> f64 {
    normalised(ranks, k, |rank| if rank == 1 { 1.0 } else { 1.0 / real(rank).log2() })
}

/// Returns the normalised discounted cumulative gain as it is usually computed (Järvelin and Kekäläinen, "Cumulated
/// Gain-Based Evaluation of IR Techniques", 2002, with the discount that all ranks share, as in `trec_eval`).
///
/// ```text
/// DCG@k = Σ_{i=1..k} rel_i / log2(i + 1)
/// ```
///
/// Documents count, so that evidence that stands twice is to be found twice. 0 where there is none.
pub fn usual_gain(ranks: &Ranks, k: usize) -> f64 {
    normalised(ranks, k, |rank| 1.0 / real(rank + 1).log2())
}

fn normalised(ranks: &Ranks, k: usize, discounted: impl Fn(usize) -> f64) -> f64 {
    let n_relevant = ranks.documents().count();
    let sum =
        |ranks: &mut dyn Iterator<Item = usize>| ranks.map(&discounted).fold(0.0, |sum, gain| sum + gain);
    let ideal = sum(&mut (1..=n_relevant.min(k)));
    let mut found: Vec<usize> = ranks.documents().flatten().filter(|rank| *rank <= k).collect();
    // Sums are the same whatever the order of the evidence.
    found.sort_unstable();
    let actual = sum(&mut found.into_iter());
    if ideal == 0.0 { 0.0 } else { actual / ideal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Unit;

    fn check(relevant: &[usize], ranking: &[usize], k: usize, expected: f64) {
        let unit = |document: &usize| Unit { label: String::new(), documents: vec![*document] };
        let evidence: Vec<Unit> = relevant.iter().map(unit).collect();
        let found = gain(&Ranks::of(&evidence, ranking), k);
        assert!(
            (found - expected).abs() < 1e-12,
            "{relevant:?} in {ranking:?} @{k}: {found}, not {expected}"
        );
    }

    #[test]
    fn the_second_rank_counts_in_full() {
        check(&[7], &[7, 1, 2], 1, 1.0);
        check(&[7], &[1, 7, 2], 2, 1.0);
        check(&[7], &[1, 7, 2], 1, 0.0);
        // 1 / log2 4 = 1/2 of the ideal 1.
        check(&[7], &[1, 2, 3, 7], 5, 0.5);
        // Ranks 1 and 4: 1 + 1/2 of the ideal 1 + 1.
        check(&[7, 8], &[8, 2, 3, 7], 5, 0.75);
        // Three relevant, two ranks: the ideal is cut as well.
        check(&[7, 8, 9], &[8, 9, 3, 7], 2, 1.0);
        // One of three at rank 8: (1/3) / (1 + 1 + 1/log2 3).
        check(&[7, 8, 9], &[0, 1, 2, 3, 4, 5, 6, 9], 10, (1.0 / 3.0) / (2.0 + 1.0 / 3f64.log2()));
        check(&[], &[1], 5, 0.0);
    }

    #[test]
    fn the_usual_gain_discounts_the_second_rank() {
        let usual = |relevant: &[usize], ranking: &[usize], k| {
            let unit = |document: &usize| Unit { label: String::new(), documents: vec![*document] };
            let evidence: Vec<Unit> = relevant.iter().map(unit).collect();
            usual_gain(&Ranks::of(&evidence, ranking), k)
        };
        let cases = [
            (usual(&[7], &[7, 1], 5), 1.0),
            (usual(&[7], &[1, 7], 5), 1.0 / 3f64.log2()),
            (usual(&[7], &[1, 2, 7], 5), 0.5),
            (usual(&[7], &[1, 2, 7], 2), 0.0),
            // Ranks 1 and 3: (1 + 1/2) of the ideal (1 + 1/log2 3).
            (usual(&[7, 8], &[8, 2, 7], 5), 1.5 / (1.0 + 1.0 / 3f64.log2())),
            (usual(&[], &[1], 5), 0.0),
        ];
        assert!(usual(&[7], &[1], 5).is_sign_positive(), "0, not -0");
        for (found, expected) in cases {
            assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
        }
    }

    #[test]
    fn evidence_that_stands_twice_is_to_be_found_twice() {
        let twice = Unit { label: String::new(), documents: vec![3, 4] };
        assert!((gain(&Ranks::of(&[twice], &[3, 1]), 2) - 0.5).abs() < 1e-12);
    }
}
