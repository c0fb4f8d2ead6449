//! How a system is asked, and how what it hands out is checked and measured.
//!
//! Invariant: what is measured was in the system's view: documents that it was given, said by the time up to which the
//! question sees, and none of them twice. A system that hands out anything else ends the evaluation, since what it scores
//! would say nothing.

use std::collections::BTreeSet;

use bygone_engine::store::VectorMode;
use bygone_query::context::tokens;

use super::{Asked, Ranker, Ranking, System};
use crate::dataset::{Conversation, Unit};
use crate::error::EvalError;
use crate::metric::{Measure, Ranks, WHOLE, at, names, score};
use crate::real::real;
use crate::run::Part;
use crate::run::line::{DEPTH, TOKENS};

/// The documents of a conversation, turns or sessions: what the data set calls them, and how long they are.
#[derive(Debug)]
pub(super) struct Documents<'a> {
    labels: &'a [String],
    /// In tokens.
    lengths: Vec<usize>,
}

/// What is measured of a ranking, and where it is cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) measures: &'static [Measure],
    pub(super) ks: &'static [usize],
}

impl Scale {
    /// Returns the names of the scores that a system's ranking has.
    pub(super) fn names(self, system: &System) -> Vec<String> {
        let ks = system.cut(self.ks);
        names(self.measures, ks).into_iter().chain(ks.iter().map(|k| at(TOKENS, *k))).collect()
    }
}

impl<'a> Documents<'a> {
    /// Counts the tokens of turns and of sessions.
    pub(super) fn of(
        conversation: &Conversation,
        turn_labels: &'a [String],
        session_labels: &'a [String],
    ) -> [Documents<'a>; 2] {
        let turns: Vec<usize> = conversation.turns.iter().map(|turn| tokens(&turn.text)).collect();
        let mut sessions = vec![0; conversation.n_sessions];
        for (turn, length) in conversation.turns.iter().zip(&turns) {
            sessions[turn.session] += length;
        }
        [
            Documents { labels: turn_labels, lengths: turns },
            Documents { labels: session_labels, lengths: sessions },
        ]
    }

    /// Measures a ranking by the evidence of a question.
    pub(super) fn part(&self, scale: Scale, system: &System, evidence: &[Unit], ranking: &[usize]) -> Part {
        let ranks = Ranks::of(evidence, ranking);
        let ks = system.cut(scale.ks);
        let mut scores = score(scale.measures, ks, &ranks);
        for k in ks {
            let length: usize = ranking.iter().take(*k).map(|document| self.lengths[*document]).sum();
            scores.insert(at(TOKENS, *k), real(length));
        }
        let label = |document: &usize| self.labels[*document].clone();
        // What has no order needs no place.
        let n_written = if ks == [WHOLE] { 0 } else { DEPTH };
        Part {
            needed: evidence.iter().map(|unit| unit.documents.iter().map(label).collect()).collect(),
            ranked: ranking.iter().take(n_written).map(label).collect(),
            ranks: ranks.units().to_vec(),
            scores,
        }
    }
}

/// Makes sure that a ranking holds what the system was given and what the question sees, and nothing twice.
///
/// # Errors
/// [`EvalError::Ranking`].
pub fn check(
    system: &System,
    conversation: &Conversation,
    asked: &Asked<'_>,
    ranking: &Ranking,
) -> Result<(), EvalError> {
    let refuse =
        |reason: String| EvalError::Ranking { system: system.name, question: asked.text.to_owned(), reason };
    let Conversation { turns, n_sessions, .. } = conversation;
    for (what, documents, n_documents) in
        [("turn", &ranking.turns, turns.len()), ("session", &ranking.sessions, *n_sessions)]
    {
        let mut seen = BTreeSet::new();
        for document in documents {
            if *document >= n_documents {
                return Err(refuse(format!("{what} {document} of {n_documents}, counted from 0")));
            }
            if !seen.insert(*document) {
                return Err(refuse(format!("{what} {document} stands in its ranking twice")));
            }
        }
    }
    let late = |session: &usize| turns.iter().any(|turn| turn.session == *session && turn.time > asked.known);
    if let Some(turn) = ranking.turns.iter().map(|turn| &turns[*turn]).find(|turn| turn.time > asked.known) {
        let (said, known) = (turn.time.to_rfc3339(), asked.known.to_rfc3339());
        let reason = format!(
            "turn {} of {} was said at {said}, and the question sees what was said up to {known}",
            turn.position, turn.session_name
        );
        return Err(refuse(reason));
    }
    match ranking.sessions.iter().find(|session| late(session)) {
        Some(session) => {
            let known = asked.known.to_rfc3339();
            Err(refuse(format!("session {session} goes on after {known}, up to which the question sees")))
        }
        None => Ok(()),
    }
}

/// A system that reads a conversation when it is first asked about it.
pub(crate) struct Opened<'a> {
    system: &'static System,
    conversation: &'a Conversation,
    vectors: VectorMode,
    ranker: Option<Box<dyn Ranker>>,
}

impl<'a> Opened<'a> {
    pub(crate) const fn new(
        system: &'static System,
        conversation: &'a Conversation,
        vectors: VectorMode,
    ) -> Opened<'a> {
        Opened { system, conversation, vectors, ranker: None }
    }

    /// Asks it, and checks what it hands out.
    ///
    /// # Errors
    /// [`EvalError::Ranking`], and where it cannot be asked.
    pub(crate) fn rank(&mut self, asked: &Asked<'_>) -> Result<Ranking, EvalError> {
        let Opened { system, conversation, vectors, ranker } = self;
        let ranker = match ranker {
            Some(ranker) => ranker,
            None => ranker.insert((system.open)(conversation, *vectors)?),
        };
        let ranking = ranker.rank(asked)?;
        check(system, conversation, asked, &ranking)?;
        Ok(ranking)
    }
}
