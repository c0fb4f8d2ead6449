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
    "Where did Anna live before Berlin?",
    "How long has Anna worked at Acme?",
    "How many days passed between the race and the wedding?",
    "What did Anna do after the wedding?",
    "Who was my boss when I lived in Paris?",
    "What was the first concert Anna went to?",
    "In what order did I visit Rome, Oslo and Lima?",
    "How many times did Anna go hiking in 2023?",
    "Has Anna always been vegetarian?",
    "What has changed about Anna since March?",
    "What is the history of Anna's jobs?",
    "What is Anna planning for next month?",
    "How old was Anna when she moved to Berlin?",
    "On which weekday did I meet Sam?",
    "Which files were written?",
    "Which commands failed on 4 November 2025?",
    "Did the tests pass?",
    "What was committed?",
];

/// Words that ask for more than is understood, and what is not; the first that occurs is named.
const BEYOND: &[(&[&str], &str)] = &[
    (&["how", "long"], "how long what was is not understood"),
    (&["how", "many"], "what is to be counted is not understood"),
    (&["how", "much"], "no question with these words is"),
    (&["how", "often"], "how often what happens is not understood"),
    (&["how", "old"], "whose age is asked, and when, is not understood"),
    (&["how"], "no question with this word is"),
    (&["why"], "no question with this word is; a fact's proof is"),
    (&["before"], "before what is not understood, or what is asked of it"),
    (&["after"], "after what is not understood, or what is asked of it"),
    (&["while"], "while what held is not understood, or what is asked of it"),
    (&["during"], "during what is not understood, or what is asked of it"),
    (&["first"], "the first of what is not understood"),
    (&["last"], "the last of what is not understood"),
    (&["latest"], "the latest of what is not understood"),
    (&["previous"], "the one before what is not understood"),
    (&["previously"], "before what is not understood"),
    (&["always"], "what was always so is not understood"),
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
