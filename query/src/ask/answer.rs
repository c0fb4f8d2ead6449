//! What a question gets back: how it was read, the answer in words, the facts and the turns they rest on.

use bygone_engine::time::format_instant;
use serde_json::{Value, json};

use crate::row::Row;
use crate::why::Evidence;

/// How a question was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The valid time asked about, as a person says it: `now`, `March 2023`, `all time`.
    pub valid: String,
    /// The known time: `latest`, `1 June 2023`.
    pub known: String,
    /// The kind of question: `current`, `as_of_valid`, `as_of_known`, `ever`, `still`, `when`, `when_learned` or
    /// `tool_state`.
    pub intent: &'static str,
    /// What is looked up, such as `VALUE(person:Anna, lives_in)`.
    pub plan: String,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The question as it was asked.
    pub question: String,
    /// How it was read.
    pub reading: Reading,
    /// The answer in words.
    pub answer: String,
    /// Whether there is an answer; "no" is one, "not known" is none.
    pub known: bool,
    /// The facts that the answer says, in the order of facts.
    pub rows: Vec<Row>,
    /// The statements that the answer rests on, with their turns.
    pub evidence: Vec<Evidence>,
}

impl Answer {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!({
            "question": self.question,
            "reading": {
                "valid": self.reading.valid,
                "known": self.reading.known,
                "intent": self.reading.intent,
                "plan": self.reading.plan,
            },
            "answer": self.answer,
            "known": self.known,
            "facts": self.rows.iter().map(Row::to_json).collect::<Vec<_>>(),
            "evidence": self.evidence.iter().map(evidence_json).collect::<Vec<_>>(),
        })
    }
}

/// `span` is a range of bytes in the turn's text, null where the whole turn is quoted.
fn evidence_json(evidence: &Evidence) -> Value {
    let assertion = &evidence.recorded.assertion;
    let episode = evidence.episode.as_ref().map(|record| &record.episode);
    let speaker = episode.and_then(|episode| episode.speaker.as_ref()).or(assertion.source.asserter.as_ref());
    json!({
        "session": assertion.source.session,
        "turn": episode.map_or(assertion.source.position, |episode| episode.position),
        "speaker": speaker.map(ToString::to_string),
        "time": format_instant(episode.map_or(assertion.known_at, |episode| episode.time)),
        "quote": evidence.quote(),
        "span": assertion.source.span.map(|span| [span.start, span.end]),
    })
}
