//! Saying something new each time: the next thing is one that fits well and is unlike what was taken before.
//!
//! ```text
//! next = argmax  λ·score(d) - (1 - λ)·max cos(d, t)      over what is left (d), against what was taken (t)
//! ```
//!
//! Formula: maximal marginal relevance, Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering
//! Documents and Producing Summaries" (1998), section 2. Scores are those of the search, the best at 1; cosines are those
//! of the built-in table, in every store.

use bygone_engine::embed::Embedder;

use super::found::Found;
use super::table::table;
use super::weights::FITTING;

/// Things of which each is compared with those taken before, at most: what comes after keeps its place.
const MOST_COMPARED: usize = 200;

/// Returns what was found in another order, in which what says the same again comes later; the best stays first. Scores
/// stay as they are, so they do not fall from one to the next any more.
pub fn diverse(found: Vec<Found>) -> Vec<Found> {
    let n_compared = found.len().min(MOST_COMPARED);
    let texts: Vec<String> = found[..n_compared].iter().map(|found| found.item.text()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let Some(Ok(vectors)) = table().map(|table| table.documents(&texts)) else { return found };
    let scores: Vec<f64> = found[..n_compared].iter().map(|found| found.score).collect();
    let order = order(&scores, &vectors);
    let mut left: Vec<Option<Found>> = found.into_iter().map(Some).collect();
    let mut ordered: Vec<Found> = order.into_iter().filter_map(|at| left[at].take()).collect();
    ordered.extend(left.into_iter().flatten());
    ordered
}

/// Returns positions in the order in which they are taken. Scores fall; ties go to the earlier.
fn order(scores: &[f64], vectors: &[Vec<f32>]) -> Vec<usize> {
    let best = scores.first().copied().filter(|best| *best > 0.0).unwrap_or(1.0);
    let fit = |at: usize| FITTING * scores[at] / best;
    // What was taken last is all that can have become more like.
    let mut likeness = vec![0.0_f64; scores.len()];
    let mut left: Vec<usize> = (0..scores.len()).collect();
    let mut order = Vec::with_capacity(scores.len());
    while !left.is_empty() {
        let worth = |at: usize| fit(at) - (1.0 - FITTING) * likeness[at];
        let mut next = 0;
        for place in 1..left.len() {
            if worth(left[place]) > worth(left[next]) {
                next = place;
            }
        }
        let taken = left.remove(next);
        for &at in &left {
            likeness[at] = likeness[at].max(cosine(&vectors[at], &vectors[taken]));
        }
        order.push(taken);
    }
    order
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(one, other)| f64::from(one * other)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_the_same_again_comes_later() {
        let east = vec![1.0, 0.0];
        let nearly = vec![0.96, 0.28];
        let north = vec![0.0, 1.0];
        let vectors = [east.clone(), east, nearly, north];
        assert_eq!(order(&[0.9, 0.89, 0.8, 0.7], &vectors), [0, 3, 1, 2]);
        // What fits far better comes first all the same.
        assert_eq!(order(&[0.9, 0.89, 0.8, 0.1], &vectors), [0, 1, 2, 3]);
        assert_eq!(order(&[], &[]), [] as [usize; 0]);
        assert_eq!(order(&[0.0, 0.0], &vectors[..2]), [0, 1]);
    }
}
