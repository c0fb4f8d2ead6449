//! Rankings of turns and sessions by the likeness of vectors alone, made by the embedder that is built in.
//!
//! The texts are those of [`super::by_words`]. A piece of a question is weighed by its inverse document frequency among
//! the turns, or the sessions, that are ranked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use bygone_engine::embed::{Embedder, StaticEmbedder};
use bygone_engine::store::VectorMode;

use crate::dataset::Conversation;
use crate::error::EvalError;
use crate::real::real;
use crate::retrieval::{Asked, Gives, Ranker, Ranking, System};

/// Cosine of the vectors that the built-in embedder makes.
pub static DENSE: System = System {
    name: "dense",
    about: "likeness of vectors by the built-in embedder alone",
    gives: Gives::Ranking,
    open,
};

static EMBEDDER: LazyLock<StaticEmbedder> = LazyLock::new(|| {
    StaticEmbedder::built_in().expect("the table is built in, and a test of its own reads it")
});

struct Dense {
    turns: Vectors,
    sessions: Vectors,
}

fn open(conversation: &Conversation, _: VectorMode) -> Result<Box<dyn Ranker>, EvalError> {
    let turns: Vec<&str> = conversation.turns.iter().map(|turn| &*turn.text).collect();
    let mut sessions = vec![String::new(); conversation.n_sessions];
    for turn in &conversation.turns {
        let session = &mut sessions[turn.session];
        session.push_str(&turn.text);
        session.push('\n');
    }
    let sessions: Vec<&str> = sessions.iter().map(String::as_str).collect();
    Ok(Box::new(Dense { turns: Vectors::of(&turns)?, sessions: Vectors::of(&sessions)? }))
}

impl Ranker for Dense {
    fn rank(&self, asked: &Asked<'_>) -> Result<Ranking, EvalError> {
        Ok(Ranking { turns: self.turns.rank(asked.text)?, sessions: self.sessions.rank(asked.text)? })
    }
}

/// Documents as vectors.
struct Vectors {
    documents: Vec<Vec<f32>>,
    /// In how many documents a piece stands.
    n_with: BTreeMap<u32, usize>,
}

impl Vectors {
    fn of(texts: &[&str]) -> Result<Vectors, EvalError> {
        let mut n_with: BTreeMap<u32, usize> = BTreeMap::new();
        for text in texts {
            for piece in BTreeSet::from_iter(EMBEDDER.pieces(text)) {
                *n_with.entry(piece).or_default() += 1;
            }
        }
        Ok(Vectors { documents: EMBEDDER.documents(texts)?, n_with })
    }

    /// Ranks all documents; of two that are as like the earlier one comes first.
    fn rank(&self, question: &str) -> Result<Vec<usize>, EvalError> {
        let n_documents = real(self.documents.len());
        let rarity = |piece| {
            let n_with = real(self.n_with.get(&piece).copied().unwrap_or_default());
            let rarity = (1.0 + (n_documents - n_with + 0.5) / (n_with + 0.5)).ln();
            #[expect(clippy::cast_possible_truncation, reason = "as exact as the vectors are")]
            let rarity = rarity as f32;
            rarity
        };
        let question = EMBEDDER.query(question, &rarity)?;
        let likeness = |document: &Vec<f32>| -> f32 {
            question.iter().zip(document).map(|(one, other)| one * other).sum()
        };
        let likeness: Vec<f32> = self.documents.iter().map(likeness).collect();
        let mut ranking: Vec<usize> = (0..likeness.len()).collect();
        ranking.sort_by(|one, other| likeness[*other].total_cmp(&likeness[*one]).then(one.cmp(other)));
        Ok(ranking)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_alike_comes_first_and_rare_pieces_decide() {
        let vectors = Vectors::of(&["the", "The physician was kind.", "We ate pizza.", ""]).expect("embeds");
        assert_eq!(vectors.rank("a doctor").expect("ranks")[0], 1);
        assert_eq!(vectors.rank("the food").expect("ranks")[0], 2);
        // Nothing known is like nothing: the order of documents.
        assert_eq!(vectors.rank("").expect("ranks"), [0, 1, 2, 3]);
    }
}
