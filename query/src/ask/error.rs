//! Why a question has no answer: what of it was not understood, and what would be.

use bygone_engine::StoreError;

use super::words::Word;
use crate::error::QueryError;

/// Why a question could not be answered at all. That nothing is known is an answer and no error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The question, or a part of it, has no form that is known. Nothing of it is answered then.
    #[error("question {question:?} is not understood: {reason}; understood are questions such as: {}", understood.join(" "))]
    NotUnderstood {
        /// The question as it was asked.
        question: String,
        /// What was not understood.
        reason: String,
        /// Examples of what is, one a form.
        understood: Vec<&'static str>,
    },
    /// The store failed, or a name means several things.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl From<StoreError> for AskError {
    fn from(error: StoreError) -> AskError {
        AskError::Query(error.into())
    }
}

/// An example of each form that is understood.
pub(super) const FORMS: &[&str] = &[
    "Where does Anna live?",
    "What is Anna's role?",
    "Who runs Atlas?",
    "What database does Atlas use?",
    "Does Anna still work at Acme?",
    "Has Anna ever visited Japan?",
    "Where did Anna work in March 2023?",
    "Where did we think Anna worked as of 1 June 2023?",
    "In May 2023, who did we think was running Atlas in March?",
    "What did we know on 1 June 2023 about where Anna works?",
    "When did Anna move to Lisbon?",
    "Since when has Anna lived in Lisbon?",
    "When did we learn that Anna lives in Lisbon?",
    "Which files were written?",
    "Which commands failed on 4 November 2025?",
    "Did the tests pass?",
    "What was committed?",
];

/// Words that ask for more than is understood, and what they ask for; the first that occurs is named.
const BEYOND: &[(&[&str], &str)] = &[
    (&["how", "long"], "lengths of time are not computed"),
    (&["how", "many"], "nothing is counted"),
    (&["how", "much"], "nothing is counted"),
    (&["how", "often"], "nothing is counted"),
    (&["how", "old"], "ages are not computed"),
    (&["how"], "no question with this word is"),
    (&["why"], "no question with this word is; a fact's proof is"),
    (&["before"], "order in time is not compared"),
    (&["after"], "order in time is not compared"),
    (&["while"], "facts are not joined in time"),
    (&["during"], "facts are not joined in time"),
    (&["first"], "order in time is not compared"),
    (&["last"], "order in time is not compared"),
    (&["latest"], "order in time is not compared"),
    (&["previous"], "order in time is not compared"),
    (&["previously"], "order in time is not compared"),
    (&["always"], "whether something was so all the time is not computed"),
    (&["never"], "a question is asked for what is so, not for what is not"),
    (&["not"], "a question is asked for what is so, not for what is not"),
    (&["no"], "a question is asked for what is so, not for what is not"),
    (&["will"], "plans are no facts"),
    (&["planning"], "plans are no facts"),
    (&["and"], "one thing is asked at a time"),
    (&["or"], "one thing is asked at a time"),
    (&["she"], "say who is meant"),
    (&["he"], "say who is meant"),
    (&["they"], "say who is meant"),
    (&["her"], "say who is meant"),
    (&["his"], "say who is meant"),
];

/// Says what of the words is not understood.
pub(super) fn reason(words: &[Word]) -> String {
    let found = BEYOND.iter().find(|(cue, _)| {
        words
            .windows(cue.len())
            .any(|window| window.iter().map(|word| word.folded.as_str()).eq(cue.iter().copied()))
    });
    match found {
        Some((cue, why)) => format!("{:?} ({why})", cue.join(" ")),
        None => "its words have no form that is known".to_owned(),
    }
}
