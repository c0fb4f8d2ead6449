//! Rankings of turns and sessions by BM25 alone, over two ways to take words from a text.
//!
//! A turn is what is said in it, with the captions of its pictures and without its speaker; a session is its turns,
//! joined.

use bygone_engine::text::Analyzer;

use super::bm25::Bm25;
use crate::dataset::Conversation;
use crate::error::EvalError;
use crate::retrieval::{Asked, Gives, Ranker, Ranking, System};

/// BM25 over words as people use it: the text in lower case, split at white space, punctuation left where it is.
pub static PLAIN: System = System {
    name: "bm25",
    about: "BM25 over words split at white space",
    gives: Gives::Ranking,
    open: |said, _| Ok(open(said, split)),
};

/// BM25 over the words of an [`Analyzer`] of English: stems, without stop words and punctuation.
pub static STEMMED: System = System {
    name: "bm25-stem",
    about: "BM25 over stems, without stop words",
    gives: Gives::Ranking,
    open: |said, _| Ok(open(said, |text| Analyzer::default().words(text))),
};

/// A way to take words from a text.
type Words = fn(&str) -> Vec<String>;

struct ByWords {
    words: Words,
    turns: Bm25,
    sessions: Bm25,
}

fn open(conversation: &Conversation, words: Words) -> Box<dyn Ranker> {
    let turns: Vec<Vec<String>> = conversation.turns.iter().map(|turn| words(&turn.text)).collect();
    let mut sessions = vec![Vec::new(); conversation.n_sessions];
    for (turn, words) in conversation.turns.iter().zip(&turns) {
        sessions[turn.session].extend(words.iter().cloned());
    }
    Box::new(ByWords { words, turns: Bm25::new(&turns), sessions: Bm25::new(&sessions) })
}

impl Ranker for ByWords {
    fn rank(&self, asked: &Asked<'_>) -> Result<Ranking, EvalError> {
        let question = (self.words)(asked.text);
        Ok(Ranking { turns: self.turns.rank(&question), sessions: self.sessions.rank(&question) })
    }
}

fn split(text: &str) -> Vec<String> {
    text.to_lowercase().split_whitespace().map(str::to_owned).collect()
}
