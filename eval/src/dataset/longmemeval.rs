//! The questions of LongMemEval: which turns of a haystack of sessions hold the answer.
//!
//! Follows the file of <https://github.com/xiaowu0162/LongMemEval>: a list of questions, each with its own sessions;
//! turns that hold the answer have `has_answer`, and without it they hold none. Ids of sessions tell which of them are
//! evidence, so they are no part of what is ingested or ranked: they serve as labels when everything is ranked.
//!
//! A question sees what was said up to the end of its day: some of the evidence is from later hours of the same day.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use bygone_engine::time::Instant;
use bygone_ingest::read::longmemeval::read_time;
use serde_json::{Map, Value, json};

use super::file::Element;
use super::{Conversation, Ledger, Turn, Unit, list_of, object, text_of, told_apart};
use crate::error::EvalError;

/// The ending of the ids of questions that have no answer.
const ABSTENTION: &str = "_abs";
/// The type of the questions whose answer is a preference that was told in passing.
pub const PREFERENCE: &str = "single-session-preference";
/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// Which turns are documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sides {
    /// Those of the user, as the authors of the data set have it.
    User,
    /// Those of user and assistant.
    Both,
}

/// Who says a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The user.
    User,
    /// The assistant.
    Assistant,
}

/// A question with its sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its id.
    pub id: String,
    /// What it asks for, such as "multi-session".
    pub kind: String,
    /// The question.
    pub text: String,
    /// When it is asked.
    pub asked: Instant,
    /// Up to when it sees what was said: the end of that day.
    pub until: Instant,
    /// Whether the right answer is that it was not said.
    pub is_abstention: bool,
    /// The answer; empty where the file has none.
    pub answer: String,
    sessions: Vec<Session>,
}

#[derive(Clone, Debug, PartialEq)]
struct Session {
    label: String,
    time: Instant,
    date: String,
    turns: Vec<Said>,
}

#[derive(Clone, Debug, PartialEq)]
struct Said {
    side: Side,
    text: String,
    has_answer: bool,
}

/// A haystack with the needles marked.
#[derive(Clone, Debug, PartialEq)]
pub struct Haystack {
    /// What was said.
    pub conversation: Conversation,
    /// The sessions in which the answer is said, as indices of sessions.
    pub sessions: Vec<Unit>,
    /// The turns that say it, as indices of turns.
    pub turns: Vec<Unit>,
    /// What the data set calls each session. It tells which of them are evidence, and so is shown to no system.
    pub session_labels: Vec<String>,
    /// What it calls each turn: its session, and its number in it.
    pub turn_labels: Vec<String>,
}

/// Reads an element of the data set's list and notes what is set right in it.
///
/// # Errors
/// What about its shape is wrong.
pub fn read_question(value: &Value, ledger: &mut Ledger) -> Result<Question, String> {
    let question = object(value, "a question")?;
    let id = text_of(question, "question_id")?.to_owned();
    read_rest(question, &id, ledger).map_err(|reason| format!("question {id:?}: {reason}"))
}

/// Reads the questions of a file, element by element, so many of them.
pub(crate) fn questions<'a>(
    path: &'a Path,
    n_questions: usize,
    ledger: &'a mut Ledger,
) -> impl FnMut(Element) -> Result<ControlFlow<(), Question>, EvalError> + 'a {
    move |element| {
        if element.index == n_questions {
            return Ok(ControlFlow::Break(()));
        }
        let question = read_question(&element.value, ledger);
        Ok(ControlFlow::Continue(question.map_err(|reason| element.refused(path, &reason))?))
    }
}

fn read_rest(question: &Map<String, Value>, id: &str, ledger: &mut Ledger) -> Result<Question, String> {
    let text = text_of(question, "question")?.to_owned();
    let kind = text_of(question, "question_type")?.to_owned();
    let asked = text_of(question, "question_date")?;
    let asked = read_time(Some(asked)).map_err(|reason| format!("`question_date` {reason}"))?;
    let until = end_of_day(asked);
    let labels = list_of(question, "haystack_session_ids")?;
    let dates = list_of(question, "haystack_dates")?;
    let listed = list_of(question, "haystack_sessions")?;
    if (labels.len(), dates.len()) != (listed.len(), listed.len()) {
        let (n_ids, n_dates) = (labels.len(), dates.len());
        return Err(format!("{} sessions have {n_ids} ids and {n_dates} dates", listed.len()));
    }
    let mut sessions: Vec<Session> = Vec::new();
    for (index, turns) in listed.iter().enumerate() {
        let within = |reason: String| format!("session {index}: {reason}");
        let label = labels[index].as_str().ok_or_else(|| within("its id is no text".to_owned()))?.to_owned();
        let date = dates[index].as_str().ok_or_else(|| within("its date is no text".to_owned()))?.to_owned();
        let time = read_time(Some(&date)).map_err(|reason| within(format!("its date {reason}")))?;
        let turns = turns.as_array().ok_or_else(|| within("it is no list".to_owned()))?;
        let turns = turns.iter().map(read_turn).collect::<Result<_, String>>().map_err(within)?;
        let which = format!("{id} {label}");
        if sessions.iter().any(|session| session.label == label) {
            ledger.note("sessions whose id stands twice in a haystack", which.clone());
        }
        if time > until {
            ledger.note("sessions after the day of the question, which it does not see", which);
            continue;
        }
        sessions.push(Session { label, time, date, turns });
    }
    let is_abstention = id.ends_with(ABSTENTION);
    let answer =
        question.get("answer").map(|answer| answer.as_str().map_or(answer.to_string(), str::to_owned));
    let answer = answer.unwrap_or_default();
    Ok(Question { id: id.to_owned(), kind, text, asked, until, is_abstention, answer, sessions })
}

fn read_turn(value: &Value) -> Result<Said, String> {
    let turn = object(value, "a turn")?;
    let side = match text_of(turn, "role")? {
        "user" => Side::User,
        "assistant" => Side::Assistant,
        other => return Err(format!("the role {other:?} is neither user nor assistant")),
    };
    let has_answer = match turn.get("has_answer") {
        Some(Value::Bool(has_answer)) => *has_answer,
        None | Some(Value::Null) => false,
        Some(_) => return Err("`has_answer` is neither true nor false".to_owned()),
    };
    Ok(Said { side, text: text_of(turn, "content")?.to_owned(), has_answer })
}

fn end_of_day(at: Instant) -> Instant {
    let next = (at.micros().div_euclid(DAY) + 1) * DAY;
    Instant::from_micros(next - 1).unwrap_or(Instant::LAST)
}

impl Question {
    /// Says whether a turn of one side, or of either, holds the answer.
    pub fn has_evidence(&self, sides: Sides) -> bool {
        let turns = self.sessions.iter().flat_map(|session| &session.turns);
        turns.into_iter().any(|turn| turn.has_answer && (sides == Sides::Both || turn.side == Side::User))
    }

    /// Returns the haystack of the turns of one side, or of both.
    pub fn haystack(&self, sides: Sides) -> Haystack {
        let mut turns = Vec::new();
        let mut turn_labels = Vec::new();
        let mut found: [BTreeMap<String, Vec<usize>>; 2] = Default::default();
        let [evidence_sessions, evidence_turns] = &mut found;
        let mut listed = Vec::new();
        for (session, Session { label, time, turns: said, .. }) in self.sessions.iter().enumerate() {
            // The ids of the data set tell where the answer is.
            let session_name = format!("session_{}", session + 1);
            let mut kept = Vec::new();
            let of_sides =
                (1..).zip(said).filter(|(_, turn)| sides == Sides::Both || turn.side == Side::User);
            for (number, turn) in of_sides {
                let speaker = match turn.side {
                    Side::User => "user",
                    Side::Assistant => "assistant",
                };
                kept.push(json!({ "role": speaker, "content": turn.text }));
                if turn.has_answer {
                    let same = evidence_sessions.entry(label.clone()).or_default();
                    if same.last() != Some(&session) {
                        same.push(session);
                    }
                    evidence_turns.entry(format!("{label}_{number}")).or_default().push(turns.len());
                }
                turn_labels.push(format!("{label}_{number}"));
                turns.push(Turn {
                    session,
                    session_name: session_name.clone(),
                    position: kept.len() as u64,
                    speaker: speaker.to_owned(),
                    text: turn.text.clone(),
                    time: *time,
                });
            }
            listed.push(Value::Array(kept));
        }
        let names: Vec<String> = (1..=listed.len()).map(|number| format!("session_{number}")).collect();
        let dates: Vec<&str> = self.sessions.iter().map(|session| &*session.date).collect();
        let n_sessions = listed.len();
        let bytes = json!([{
            "question_id": "haystack", "haystack_session_ids": names,
            "haystack_dates": dates, "haystack_sessions": listed,
        }]);
        let name = self.id.clone();
        let bytes = bytes.to_string().into_bytes();
        let conversation = Conversation { name, format: "longmemeval", bytes, turns, n_sessions };
        let [sessions, turns] = found.map(units);
        let session_labels = told_apart(self.sessions.iter().map(|session| session.label.clone()));
        let turn_labels = told_apart(turn_labels);
        Haystack { conversation, sessions, turns, session_labels, turn_labels }
    }
}

fn units(found: BTreeMap<String, Vec<usize>>) -> Vec<Unit> {
    found.into_iter().map(|(label, documents)| Unit { label, documents }).collect()
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::format_instant;

    use super::*;

    fn question() -> Value {
        json!({
            "question_id": "q1", "question_type": "multi-session", "question": "Which kite?", "answer": 2,
            "question_date": "2023/05/28 (Sun) 10:00",
            "haystack_session_ids": ["x1", "answer_a", "answer_a", "answer_b", "answer_c"],
            "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 02:21", "2023/05/22 (Mon) 02:21",
                               "2023/05/28 (Sun) 19:00", "2023/05/29 (Mon) 00:00"],
            "haystack_sessions": [
                [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}],
                [{"role": "assistant", "content": "Yes?"},
                 {"role": "user", "content": "I bought a red kite.", "has_answer": true}],
                [{"role": "assistant", "content": "Yes?"},
                 {"role": "user", "content": "I bought a red kite.", "has_answer": true},
                 {"role": "user", "content": "It flies.", "has_answer": false}],
                [{"role": "assistant", "content": "Your kite is red.", "has_answer": true}],
                [{"role": "user", "content": "A blue one.", "has_answer": true}]
            ],
            "answer_session_ids": ["answer_a", "answer_b", "answer_c"]
        })
    }

    fn read(value: &Value) -> (Question, Ledger) {
        let mut ledger = Ledger::default();
        (read_question(value, &mut ledger).expect("reads"), ledger)
    }

    fn unit(label: &str, documents: &[usize]) -> Unit {
        Unit { label: label.to_owned(), documents: documents.to_vec() }
    }

    #[test]
    fn evidence_is_what_has_the_answer_on_the_sides_asked_for() {
        let (question, _) = read(&question());
        let user = question.haystack(Sides::User);
        assert_eq!(user.sessions, [unit("answer_a", &[1, 2])]);
        assert_eq!(user.turns, [unit("answer_a_2", &[1, 2])]);
        assert_eq!(user.session_labels, ["x1", "answer_a", "answer_a#2", "answer_b"]);
        assert_eq!(user.turn_labels, ["x1_1", "answer_a_2", "answer_a_2#2", "answer_a_3"]);
        let texts: Vec<&str> = user.conversation.turns.iter().map(|turn| &*turn.text).collect();
        assert_eq!(texts, ["Hi.", "I bought a red kite.", "I bought a red kite.", "It flies."]);
        let both = question.haystack(Sides::Both);
        assert_eq!(both.sessions, [unit("answer_a", &[1, 2]), unit("answer_b", &[3])]);
        assert_eq!(both.turns, [unit("answer_a_2", &[3, 5]), unit("answer_b_1", &[7])]);
        assert!(question.has_evidence(Sides::User) && question.has_evidence(Sides::Both));
        let mut value = self::question();
        value["haystack_sessions"][1][1]["has_answer"] = json!(false);
        value["haystack_sessions"][2][1]["has_answer"] = json!(false);
        let (question, _) = read(&value);
        assert!(!question.has_evidence(Sides::User) && question.has_evidence(Sides::Both));
    }

    #[test]
    fn a_question_sees_its_whole_day_and_no_more() {
        let (question, ledger) = read(&question());
        assert_eq!(format_instant(question.asked), "2023-05-28T10:00:00Z");
        assert_eq!(format_instant(question.until), "2023-05-28T23:59:59.999999Z");
        assert_eq!(question.haystack(Sides::Both).conversation.n_sessions, 4);
        let noted: Vec<(&str, &[String])> = ledger.entries().collect();
        let expected: [(&str, &[String]); 2] = [
            ("sessions after the day of the question, which it does not see", &["q1 answer_c".to_owned()]),
            ("sessions whose id stands twice in a haystack", &["q1 answer_a".to_owned()]),
        ];
        assert_eq!(noted, expected);
    }

    #[test]
    fn what_is_ingested_tells_nothing_of_the_answer() {
        let (question, _) = read(&question());
        for sides in [Sides::User, Sides::Both] {
            let bytes = question.haystack(sides).conversation.bytes;
            let text = String::from_utf8(bytes).expect("JSON");
            for word in ["answer", "Which kite", "q1", "multi-session"] {
                assert!(!text.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn abstention_is_told_by_the_id() {
        let mut value = question();
        assert!(!read(&value).0.is_abstention);
        value["question_id"] = json!("q1_abs");
        assert!(read(&value).0.is_abstention);
    }

    type Change = fn(&mut Value);

    #[test]
    fn wrong_shapes_are_refused_by_what_is_wrong() {
        let cases: [(Change, &str); 7] = [
            (|value| *value = json!([]), "a question is an object"),
            (|value| value["question_id"] = json!(1), "`question_id` is no text"),
            (|value| value["question_date"] = json!("May"), "question \"q1\": `question_date`"),
            (|value| value["haystack_dates"] = json!([]), "5 sessions have 5 ids and 0 dates"),
            (|value| value["haystack_sessions"][0] = json!("x"), "session 0: it is no list"),
            (|value| value["haystack_sessions"][0][0]["role"] = json!("me"), "session 0: the role \"me\""),
            (|value| value["haystack_sessions"][1][1]["has_answer"] = json!(1), "session 1: `has_answer`"),
        ];
        for (change, expected) in cases {
            let mut value = question();
            change(&mut value);
            let found = read_question(&value, &mut Ledger::default()).expect_err("is refused");
            assert!(found.contains(expected), "{found} has no {expected}");
        }
    }
}
