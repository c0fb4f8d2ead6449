//! How far may a mean be from what other questions of the same kind would give, and may two systems differ by chance?
//!
//! ```text
//! interval   questions are drawn with replacement, as many as there are, again and again: from the 2.5th to the 97.5th
//!            percentile of the means of the draws (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
//!            section 13.3)
//! p          the sign of each question's difference is left to chance, again and again: the share of the means that lie
//!            as far from 0 as the one that was measured, that one included (Fisher's randomisation test; Smucker, Allan
//!            and Carterette, "A Comparison of Statistical Significance Tests for Information Retrieval Evaluation",
//!            CIKM 2007, section 3)
//! ```
//!
//! A row holds all scores of a question, so that all of them are drawn together. Questions are taken to be independent,
//! also where several are about one conversation.
//! Invariant: a seed decides every draw; the order of columns decides nothing.

use crate::belief::splitmix::Random;
use crate::real::real;

/// How often questions are drawn for an interval; chosen: figures to three digits hardly change with more.
pub const INTERVAL_DRAWS: usize = 2_000;
/// How often signs are drawn, and questions for a difference; chosen, so that the least p is 0.0001.
pub const DIFFERENCE_DRAWS: usize = 10_000;

/// The bounds of an interval.
pub type Interval = [f64; 2];

/// Returns for each column the 95 % interval of its mean; none where there are no rows.
pub fn intervals(rows: &[Vec<f64>], seed: u64, n_draws: usize) -> Vec<Interval> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let mut means = vec![Vec::with_capacity(n_draws); n_columns];
    let mut random = Random::new(seed);
    for _ in 0..n_draws {
        let mut sums = vec![0.0; n_columns];
        for _ in rows {
            for (sum, score) in sums.iter_mut().zip(random.one_of(rows)) {
                *sum += score;
            }
        }
        for (means, sum) in means.iter_mut().zip(sums) {
            means.push(sum / real(rows.len()));
        }
    }
    means.into_iter().map(percentiles).collect()
}

/// Returns for each column of differences how likely one as far from 0 is where the signs are chance; none where there are
/// no rows.
pub fn p_values(differences: &[Vec<f64>], seed: u64, n_draws: usize) -> Vec<f64> {
    let Some(first) = differences.first() else { return Vec::new() };
    let measured: Vec<f64> =
        (0..first.len()).map(|column| differences.iter().map(|row| row[column]).sum::<f64>().abs()).collect();
    let mut n_as_far = vec![0; measured.len()];
    let mut random = Random::new(seed);
    for _ in 0..n_draws {
        let mut sums = vec![0.0; measured.len()];
        for row in differences {
            let is_turned = random.chance(50);
            for (sum, difference) in sums.iter_mut().zip(row) {
                *sum += if is_turned { -difference } else { *difference };
            }
        }
        for ((n_as_far, sum), measured) in n_as_far.iter_mut().zip(&sums).zip(&measured) {
            // Sums of the same numbers in another order are the same.
            *n_as_far += usize::from(sum.abs() >= measured - 1e-9);
        }
    }
    n_as_far.into_iter().map(|n_as_far| real(n_as_far + 1) / real(n_draws + 1)).collect()
}

/// Returns the bounds that 2.5 % of the means lie below and above.
fn percentiles(mut means: Vec<f64>) -> Interval {
    means.sort_unstable_by(f64::total_cmp);
    let outside = means.len() / 40;
    [means[outside], means[means.len() - 1 - outside]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many questions, of which the first ones score 1 and the rest 0.
    fn scored(n_right: usize, n_questions: usize) -> Vec<Vec<f64>> {
        (0..n_questions).map(|index| vec![f64::from(index < n_right)]).collect()
    }

    #[test]
    fn an_interval_is_about_two_standard_errors_to_each_side() {
        // The mean of 400 questions of which half are right has a standard error of 0.5 / √400 = 0.025.
        let [low, high] = intervals(&scored(200, 400), 7, INTERVAL_DRAWS)[0];
        assert!((low - (0.5 - 1.96 * 0.025)).abs() < 0.006, "{low}");
        assert!((high - (0.5 + 1.96 * 0.025)).abs() < 0.006, "{high}");
        // Of 40 draws one lies below and one above.
        assert_eq!(vec![percentiles((0..40).map(real).collect())], [[1.0, 38.0]]);
        assert_eq!(vec![percentiles(vec![3.0])], [[3.0, 3.0]]);
    }

    #[test]
    fn what_does_not_vary_has_no_width_and_nothing_has_no_interval() {
        assert_eq!(intervals(&vec![vec![1.0, 0.25]; 9], 0, 100), [[1.0, 1.0], [0.25, 0.25]]);
        assert!(intervals(&[], 0, 100).is_empty());
        assert!(p_values(&[], 0, 100).is_empty());
    }

    #[test]
    fn a_seed_decides_and_other_columns_do_not() {
        let one = scored(30, 100);
        let two: Vec<Vec<f64>> = one.iter().map(|row| vec![0.5, row[0]]).collect();
        assert_eq!(intervals(&one, 3, 500), intervals(&two, 3, 500)[1..]);
        assert_ne!(intervals(&one, 3, 500), intervals(&one, 4, 500));
        assert_eq!(p_values(&one, 3, 500), p_values(&two, 3, 500)[1..]);
    }

    #[test]
    fn p_is_the_share_of_signs_that_reach_as_far() {
        // Of 2^5 ways to set the signs of five equal differences two reach as far: 1/16.
        let p = p_values(&vec![vec![1.0]; 5], 1, 100_000)[0];
        assert!((p - 0.0625).abs() < 0.003, "{p}");
        // Differences of 1, 1 and 2 reach their sum of 4 in 2 of 8 ways.
        let p = p_values(&[vec![1.0], vec![1.0], vec![2.0]], 1, 100_000)[0];
        assert!((p - 0.25).abs() < 0.006, "{p}");
        assert_eq!(p_values(&vec![vec![0.0]; 9], 1, 1000), [1.0], "no difference is no finding");
        let p = p_values(&vec![vec![0.1]; 60], 1, DIFFERENCE_DRAWS)[0];
        assert!((p - 1.0 / 10_001.0).abs() < 1e-12, "{p}");
    }
}
