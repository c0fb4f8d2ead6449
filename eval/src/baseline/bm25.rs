//! BM25 as the Python package `rank_bm25` 0.2.2 computes it (`BM25Okapi` with its defaults), which published figures of
//! LoCoMo and LongMemEval rest on.
//!
//! ```text
//! idf(t)   = ln(N - n_t + 0.5) - ln(n_t + 0.5); where that is below 0, 0.25 × the mean idf of all words
//! score(d) = Σ_{t in question, each as often as it stands there} idf(t) × f (k1 + 1) / (f + k1 (1 - b + b |d| / avg))
//! ```

use std::collections::HashMap;

use crate::real::real;

const K1: f64 = 1.5;
const B: f64 = 0.75;
const EPSILON: f64 = 0.25;

/// Documents to be scored.
#[derive(Clone, Debug)]
pub struct Bm25 {
    /// For each word its weight, and the documents it stands in with how often.
    words: HashMap<String, (f64, Vec<(usize, u32)>)>,
    /// For each document its length over the mean one.
    lengths: Vec<f64>,
}

impl Bm25 {
    /// Counts the words of documents.
    pub fn new(documents: &[Vec<String>]) -> Bm25 {
        let mut words: HashMap<String, (f64, Vec<(usize, u32)>)> = HashMap::new();
        // In the order in which they first stand somewhere, so that sums come out the same.
        let mut order: Vec<&str> = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            for word in document {
                let (_, postings) = words.entry(word.clone()).or_insert_with(|| {
                    order.push(word);
                    (0.0, Vec::new())
                });
                match postings.last_mut() {
                    Some((last, n_times)) if *last == index => *n_times += 1,
                    _ => postings.push((index, 1)),
                }
            }
        }
        let n_documents = real(documents.len());
        let mut sum = 0.0;
        for word in &order {
            if let Some((weight, postings)) = words.get_mut(*word) {
                let n_with = real(postings.len());
                *weight = (n_documents - n_with + 0.5).ln() - (n_with + 0.5).ln();
                sum += *weight;
            }
        }
        let floor = EPSILON * (sum / real(order.len()));
        for word in &order {
            if let Some((weight, _)) = words.get_mut(*word)
                && *weight < 0.0
            {
                *weight = floor;
            }
        }
        let mean = real(documents.iter().map(Vec::len).sum()) / n_documents;
        let lengths = documents.iter().map(|document| real(document.len()) / mean).collect();
        Bm25 { words, lengths }
    }

    /// Returns the score of each document.
    pub fn scores(&self, question: &[String]) -> Vec<f64> {
        let mut scores = vec![0.0; self.lengths.len()];
        for word in question {
            let Some((weight, postings)) = self.words.get(word) else { continue };
            for (index, n_times) in postings {
                let n_times = f64::from(*n_times);
                let length = 1.0 - B + B * self.lengths[*index];
                scores[*index] += weight * (n_times * (K1 + 1.0) / (n_times + K1 * length));
            }
        }
        scores
    }

    /// Ranks all documents, also those that score 0; of two that score the same the earlier one comes first.
    pub fn rank(&self, question: &[String]) -> Vec<usize> {
        let scores = self.scores(question);
        let mut ranking: Vec<usize> = (0..scores.len()).collect();
        ranking.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]).then(one.cmp(other)));
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENTS: [&str; 6] = [
        "the kite is red and the sky is blue",
        "the dog chased the kite",
        "a dog barked",
        "we flew the kite the whole day the wind was good",
        "the end",
        "",
    ];

    fn tokens(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn index() -> Bm25 {
        Bm25::new(&DOCUMENTS.map(tokens))
    }

    /// Scores that `rank_bm25` 0.2.2 gives: `BM25Okapi([d.split() for d in documents]).get_scores(question.split())`.
    /// "the" stands in more than half of the documents, "kite" in half of them.
    #[test]
    fn scores_are_those_of_rank_bm25() {
        let cases = [
            (
                "the red kite",
                [
                    1.266_188_385_181_826,
                    0.390_761_799_738_424_4,
                    0.0,
                    0.350_683_666_431_919_34,
                    0.374_703_095_639_585_04,
                    0.0,
                ],
            ),
            ("dog dog", [0.0, 1.175_573_329_804_238_1, 1.433_626_011_956_388_2, 0.0, 0.0, 0.0]),
            ("unknown words", [0.0; 6]),
            ("end day", [0.0, 0.0, 0.0, 0.843_690_249_435_234_5, 1.779_839_704_288_028_5, 0.0]),
        ];
        for (question, expected) in cases {
            let scores = index().scores(&tokens(question));
            for (found, expected) in scores.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{question:?}: {scores:?}");
            }
        }
    }

    #[test]
    fn equal_scores_keep_the_order_of_documents() {
        assert_eq!(index().rank(&tokens("dog")), [2, 1, 0, 3, 4, 5]);
        assert_eq!(index().rank(&[]), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn no_documents_and_empty_ones_are_ranked() {
        assert_eq!(Bm25::new(&[]).rank(&tokens("dog")), [0; 0]);
        assert_eq!(Bm25::new(&[vec![], vec![]]).rank(&tokens("dog")), [0, 1]);
    }
}
