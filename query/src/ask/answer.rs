//! What a question gets back: how it was read, the answer in words, the facts and the turns they rest on.

use std::ops::Range;

use bygone_engine::View;
use bygone_engine::record::RecordedEpisode;
use bygone_engine::time::format_instant;
use serde_json::{Value as Json, json};

use super::value::Value;
use crate::retrieve::rounded;
use crate::row::Row;
use crate::why::Evidence;

/// How a question was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The valid time asked about, as a person says it: `now`, `March 2023`, `all time`.
    pub valid: String,
    /// The known time: `latest`, `1 June 2023`.
    pub known: String,
    /// The kind of question. Answered from facts as they are: `current`, `as_of_valid`, `as_of_known`, `ever`, `still`,
    /// `when`, `time_of_change`, `when_learned`, `tool_events`, `tool_state`. Computed: `before_state`, `after_state`,
    /// `prev_value`, `duration_open`, `duration_closed`, `duration_between_events`, `diff_events`, `diff_now`,
    /// `events_in_window`, `before_event`, `after_event`, `event_relative`, `event_offset`, `during_state`,
    /// `exists_during`, `first`, `last`, `order`, `count`, `count_distinct`, `count_as_of`, `always`, `no_longer`,
    /// `diff_states`, `original`, `history`, `tool_state_at_event`, `planned`, `age_at`, `frequency`, `calendar_part`,
    /// `abstain_check`. `search` where it was not understood and its words were looked for.
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
    /// Where it was computed: what it comes to.
    pub value: Option<Value>,
    /// The facts that the answer says, in the order of facts.
    pub rows: Vec<Row>,
    /// The statements that the answer rests on, with their turns.
    pub evidence: Vec<Evidence>,
    /// The name in the question that nothing in the view bears, where that is why nothing is known.
    pub unnamed: Option<String>,
    /// The view that it was looked for in.
    pub view: View,
    /// Where no fact answers: the turns that have the question's words, best first.
    pub passages: Vec<Passage>,
}

/// A part of a turn that has the words of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The turn.
    pub record: RecordedEpisode,
    /// The part, as a range of bytes in the turn's text.
    pub span: Range<usize>,
    /// How well it fits, 0 to 1.
    pub score: f64,
}

impl Passage {
    /// Returns the words.
    pub fn quote(&self) -> &str {
        &self.record.episode.text[self.span.clone()]
    }
}

impl Answer {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Json {
        let evidence = self.evidence.iter().map(evidence_json);
        let passages = self.passages.iter().map(passage_json);
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
            "value": self.value.as_ref().map(Value::to_json),
            "facts": self.rows.iter().map(Row::to_json).collect::<Vec<_>>(),
            "evidence": evidence.chain(passages).collect::<Vec<_>>(),
        })
    }
}

fn passage_json(passage: &Passage) -> Json {
    let turn = &passage.record.episode;
    json!({
        "session": turn.session,
        "turn": turn.position,
        "speaker": turn.speaker.as_ref().map(ToString::to_string),
        "time": format_instant(turn.time),
        "quote": passage.quote(),
        "span": [passage.span.start, passage.span.end],
        "score": rounded(passage.score),
    })
}

/// `span` is a range of bytes in the turn's text, null where the whole turn is quoted.
fn evidence_json(evidence: &Evidence) -> Json {
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
