//! Rankings by words and by vectors in one, with equal weights: reciprocal rank fusion (Cormack, Clarke and Büttcher,
//! "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009, with their constant).
//!
//! ```text
//! score(d) = 1 / (60 + rank by words) + 1 / (60 + rank by vectors)
//! ```

use bygone_engine::store::VectorMode;

use super::{by_words, dense};
use crate::dataset::Conversation;
use crate::error::EvalError;
use crate::real::real;
use crate::retrieval::{Asked, Gives, Ranker, Ranking, System};

/// The stronger of the two ways to rank by words, and vectors.
pub static FUSED: System =
    System { name: "rrf", about: "bm25-stem and dense, fused by their ranks", gives: Gives::Ranking, open };

const CONSTANT: usize = 60;

struct Fused([Box<dyn Ranker>; 2]);

fn open(conversation: &Conversation, vectors: VectorMode) -> Result<Box<dyn Ranker>, EvalError> {
    let open = |system: &System| (system.open)(conversation, vectors);
    Ok(Box::new(Fused([open(&by_words::STEMMED)?, open(&dense::DENSE)?])))
}

impl Ranker for Fused {
    fn rank(&self, asked: &Asked<'_>) -> Result<Ranking, EvalError> {
        let Fused([words, vectors]) = self;
        let (words, vectors) = (words.rank(asked)?, vectors.rank(asked)?);
        Ok(Ranking {
            turns: fuse([&words.turns, &vectors.turns]),
            sessions: fuse([&words.sessions, &vectors.sessions]),
        })
    }
}

/// Fuses rankings of the same documents; of two that score the same the earlier one comes first.
fn fuse(rankings: [&[usize]; 2]) -> Vec<usize> {
    let n_documents = rankings.iter().flat_map(|ranking| ranking.iter()).max().map_or(0, |last| last + 1);
    let mut scores = vec![0.0; n_documents];
    for ranking in rankings {
        for (before, document) in ranking.iter().enumerate() {
            scores[*document] += 1.0 / real(CONSTANT + before + 1);
        }
    }
    let mut fused: Vec<usize> = (0..n_documents).collect();
    fused.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]).then(one.cmp(other)));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_rankings_count_alike() {
        // 1/61 + 1/63 for 0, 1/62 + 1/61 for 1, 1/63 + 1/62 for 2.
        assert_eq!(fuse([&[0, 1, 2], &[1, 2, 0]]), [1, 0, 2]);
        assert_eq!(fuse([&[1, 2, 0], &[0, 1, 2]]), [1, 0, 2]);
        // Two that swap places score the same.
        assert_eq!(fuse([&[1, 0], &[0, 1]]), [0, 1]);
        assert_eq!(fuse([&[], &[]]), [0; 0]);
    }
}
