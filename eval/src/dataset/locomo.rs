//! The questions of LoCoMo: which turns of a conversation hold the answer.
//!
//! Follows the file of <https://github.com/snap-research/locomo>: a list of samples, each with a conversation and `qa`.
//! Evidence is told by ids of turns, "D1:3". A few ids are joined or have slips: what can be read is read, what names no
//! turn is left out, and both are counted. Answers are kept as they stand.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use bygone_engine::time::Instant;
use bygone_ingest::read::locomo::read_time;
use serde_json::{Map, Value, json};

use super::errata::Errata;
use super::file::Element;
use super::{Conversation, Ledger, Turn, Unit, list_of, object, text_of, told_apart};
use crate::error::EvalError;

/// What a question asks for; the data set numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// 1: from several turns.
    MultiHop,
    /// 2: when.
    Temporal,
    /// 3: with knowledge of the world.
    OpenDomain,
    /// 4: from one turn.
    SingleHop,
    /// 5: what nobody said, or not of this person.
    Adversarial,
}

impl Category {
    /// Every category, by number.
    pub const ALL: [Category; 5] = [
        Category::MultiHop,
        Category::Temporal,
        Category::OpenDomain,
        Category::SingleHop,
        Category::Adversarial,
    ];

    /// Returns the number that the data set gives it.
    pub const fn number(self) -> u64 {
        self as u64 + 1
    }

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Category::MultiHop => "multi-hop",
            Category::Temporal => "temporal",
            Category::OpenDomain => "open-domain",
            Category::SingleHop => "single-hop",
            Category::Adversarial => "adversarial",
        }
    }
}

/// A question and its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its place in the sample's list, from 0.
    pub index: usize,
    /// The question.
    pub text: String,
    /// What it asks for.
    pub category: Category,
    /// The turns that hold the answer, by the order of their ids.
    pub evidence: Vec<Unit>,
    /// The answer, where there is one.
    pub answer: Option<String>,
}

/// A conversation with its questions.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its name.
    pub id: String,
    /// What was said.
    pub conversation: Conversation,
    /// What the data set calls each turn.
    pub labels: Vec<String>,
    /// The questions that have evidence, in order.
    pub questions: Vec<Question>,
    /// Those that have none, in order.
    pub without_evidence: Vec<Question>,
    /// How many questions the sample has in all.
    pub n_questions: usize,
}

impl Sample {
    /// Returns all questions, in the order of the sample's list.
    pub fn all_questions(&self) -> impl Iterator<Item = &Question> {
        let mut all: Vec<&Question> = self.questions.iter().chain(&self.without_evidence).collect();
        all.sort_by_key(|question| question.index);
        all.into_iter()
    }
}

/// Reads the samples of a file, element by element, until so many questions are read.
pub(crate) fn samples<'a>(
    path: &'a Path,
    n_questions: usize,
    errata: &'a mut Errata,
    ledger: &'a mut Ledger,
) -> impl FnMut(Element) -> Result<ControlFlow<(), Sample>, EvalError> + 'a {
    let mut n_left = n_questions;
    move |element| {
        if n_left == 0 {
            return Ok(ControlFlow::Break(()));
        }
        let sample = read_sample(&element.value, n_left, errata, ledger);
        let sample = sample.map_err(|reason| element.refused(path, &reason))?;
        n_left -= sample.n_questions;
        Ok(ControlFlow::Continue(sample))
    }
}

/// Where a turn stands: session and number in it, as in "D1:3".
type TurnId = (u64, u64);

/// Reads an element of the data set's list, at most so many of its questions, and notes what is left out.
///
/// # Errors
/// What about its shape is wrong.
pub fn read_sample(
    value: &Value,
    n_wanted: usize,
    errata: &mut Errata,
    ledger: &mut Ledger,
) -> Result<Sample, String> {
    let sample = object(value, "a sample")?;
    let id = text_of(sample, "sample_id")?.to_owned();
    let within = |reason: String| format!("sample {id:?}: {reason}");
    let said = sample.get("conversation").ok_or("there is no `conversation`".to_owned()).map_err(within)?;
    let said = object(said, "a conversation").map_err(within)?;
    let Said { turns, labels, documents, n_sessions } = read_turns(said, &id, ledger).map_err(within)?;
    let asked = list_of(sample, "qa").map_err(within)?;
    let (mut questions, mut without_evidence) = (Vec::new(), Vec::new());
    for (index, question) in asked.iter().enumerate().take(n_wanted) {
        let within = |reason: String| format!("sample {id:?}, question {index} of `qa`: {reason}");
        let at = At { sample: &id, index, documents: &documents };
        let question = read_question(question, &at, errata, ledger).map_err(within)?;
        if question.evidence.is_empty() {
            without_evidence.push(question);
        } else {
            questions.push(question);
        }
    }
    let bytes = json!([{ "sample_id": "conversation", "conversation": said }]).to_string().into_bytes();
    let conversation = Conversation { name: id.clone(), format: "locomo", bytes, turns, n_sessions };
    Ok(Sample {
        id,
        conversation,
        labels,
        questions,
        without_evidence,
        n_questions: asked.len().min(n_wanted),
    })
}

struct Said {
    /// In the order of sessions.
    turns: Vec<Turn>,
    labels: Vec<String>,
    /// The turns that an id names.
    documents: BTreeMap<TurnId, Vec<usize>>,
    n_sessions: usize,
}

fn read_turns(said: &Map<String, Value>, sample: &str, ledger: &mut Ledger) -> Result<Said, String> {
    let mut sessions: BTreeMap<u64, &Value> = BTreeMap::new();
    for (key, value) in said {
        if let Some(Ok(number)) = key.strip_prefix("session_").map(str::parse) {
            sessions.insert(number, value);
        }
    }
    let mut turns = Vec::new();
    let mut labels = Vec::new();
    let mut documents: BTreeMap<TurnId, Vec<usize>> = BTreeMap::new();
    // Positions count through the whole conversation, as the reader of `bygone ingest` counts them.
    let mut position = 0;
    for (session, (number, value)) in sessions.iter().enumerate() {
        let name = format!("session_{number}");
        let list = value.as_array().ok_or_else(|| format!("`{name}` is no list"))?;
        let time = said.get(&format!("{name}_date_time")).and_then(Value::as_str).map(read_time);
        let time = match time {
            Some(Ok(time)) => time,
            _ if list.is_empty() => Instant::FIRST,
            Some(Err(reason)) => return Err(format!("the time of `{name}` {reason}")),
            None => return Err(format!("there is no `{name}_date_time`")),
        };
        for turn in list {
            position += 1;
            let within = |reason: String| format!("turn {position}: {reason}");
            let turn = object(turn, "a turn").map_err(within)?;
            match turn.get("dia_id").and_then(Value::as_str).map(|id| (id, turn_ids(id))) {
                Some((_, ids)) if ids.len() == 1 => {
                    let same = documents.entry(ids[0].0).or_default();
                    if !same.is_empty() {
                        ledger.note("turn ids that stand twice", format!("{sample} {}", written(ids[0].0)));
                    }
                    same.push(turns.len());
                    labels.push(written(ids[0].0));
                }
                _ => {
                    ledger.note("turns without an id such as D1:3", format!("{sample} turn {position}"));
                    labels.push(format!("turn {position}"));
                }
            }
            let mut text = text_of(turn, "text").map_err(within)?.to_owned();
            if let Some(caption) = turn.get("blip_caption").and_then(Value::as_str) {
                text.push('\n');
                text.push_str(caption);
            }
            let speaker = text_of(turn, "speaker").map_err(within)?.to_owned();
            turns.push(Turn { session, session_name: name.clone(), position, speaker, text, time });
        }
    }
    Ok(Said { turns, labels: told_apart(labels), documents, n_sessions: sessions.len() })
}

/// Where a question stands.
struct At<'a> {
    sample: &'a str,
    index: usize,
    documents: &'a BTreeMap<TurnId, Vec<usize>>,
}

/// Reads a question; its evidence is what of it is there to be found.
fn read_question(
    value: &Value,
    at: &At<'_>,
    errata: &mut Errata,
    ledger: &mut Ledger,
) -> Result<Question, String> {
    let At { sample, index, documents } = *at;
    let question = object(value, "a question")?;
    let text = text_of(question, "question")?.to_owned();
    let number = question.get("category").and_then(Value::as_u64);
    let category = Category::ALL.into_iter().find(|category| Some(category.number()) == number);
    let category = category.ok_or("`category` is no number from 1 to 5")?;
    let which = format!("{sample} question {index}");
    let listed = match errata.take(index, &text) {
        Some(corrected) => {
            ledger.note("questions with the evidence of the errata", which.clone());
            corrected
        }
        None => listed_evidence(question)?,
    };
    let mut ids: BTreeSet<TurnId> = BTreeSet::new();
    for entry in listed {
        let read = turn_ids(&entry);
        if read.iter().any(|(_, is_exact)| !is_exact) || read.len() != 1 {
            ledger.note("evidence ids that are joined or have a slip", format!("{which}: {entry:?}"));
        }
        for (id, _) in read {
            if documents.contains_key(&id) {
                ids.insert(id);
            } else {
                ledger.note("evidence ids that name no turn", format!("{which}: {:?}", written(id)));
            }
        }
    }
    if ids.is_empty() {
        ledger.note("questions without evidence", which);
    }
    let unit = |id: TurnId| Unit { label: written(id), documents: documents[&id].clone() };
    let evidence = ids.into_iter().map(unit).collect();
    let answer =
        question.get("answer").map(|answer| answer.as_str().map_or(answer.to_string(), str::to_owned));
    Ok(Question { index, text, category, evidence, answer })
}

fn listed_evidence(question: &Map<String, Value>) -> Result<Vec<String>, String> {
    let listed = match question.get("evidence") {
        Some(Value::Array(list)) => list.as_slice(),
        None | Some(Value::Null) => &[],
        Some(_) => return Err("`evidence` is no list".to_owned()),
    };
    let entries = listed.iter().map(|entry| entry.as_str().map(str::to_owned));
    entries.collect::<Option<_>>().ok_or_else(|| "an entry of `evidence` is no text".to_owned())
}

/// Returns the ids of turns in an entry, and whether each stands there as it should.
///
/// An entry is one id, or several between semicolons, commas or spaces; slips are leading zeros and another colon, as in
/// "D:11:26".
fn turn_ids(entry: &str) -> Vec<(TurnId, bool)> {
    let parts = entry.split(|c: char| c == ';' || c == ',' || c.is_whitespace());
    parts.filter_map(turn_id).collect()
}

fn turn_id(text: &str) -> Option<(TurnId, bool)> {
    let numbers = text.strip_prefix(['D', 'd'])?.trim_start_matches(':');
    let (session, turn) = numbers.split_once(':')?;
    let id = (session.parse().ok()?, turn.trim_start_matches(':').parse().ok()?);
    Some((id, written(id) == text))
}

fn written((session, turn): TurnId) -> String {
    format!("D{session}:{turn}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_through_slips() {
        let read = |entry: &str| -> Vec<String> {
            turn_ids(entry)
                .into_iter()
                .map(|(id, is_exact)| format!("{}{}", written(id), if is_exact { "" } else { "!" }))
                .collect()
        };
        for (entry, expected) in [
            ("D1:3", &["D1:3"][..]),
            ("D8:6; D9:17", &["D8:6", "D9:17"]),
            ("D9:1 D4:4 D4:6", &["D9:1", "D4:4", "D4:6"]),
            ("D:11:26", &["D11:26!"]),
            ("D30:05", &["D30:5!"]),
            ("D", &[]),
            ("", &[]),
            ("D1", &[]),
            ("1:3", &[]),
        ] {
            assert_eq!(read(entry), expected, "{entry:?}");
        }
    }

    fn read(value: &Value, ledger: &mut Ledger) -> Result<Sample, String> {
        read_sample(value, usize::MAX, &mut Errata::default(), ledger)
    }

    fn sample() -> Value {
        json!({
            "sample_id": "conv-1",
            "conversation": {
                "speaker_a": "Ada", "speaker_b": "Bo",
                "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "Rex is fine."}],
                "session_10_date_time": "12:05 am on 2 June, 2023",
                "session_2": [
                    {"speaker": "Ada", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a red kite"},
                    {"speaker": "Bo", "dia_id": "D2:2", "text": "Nice."}
                ],
                "session_2_date_time": "1:56 pm on 8 May, 2023",
                "session_11": []
            },
            "qa": [
                {"question": "What flies?", "answer": 7, "evidence": ["D2:1"], "category": 4},
                {"question": "Which animals?", "answer": "x", "evidence": ["D10:1; D2:1", "D:2:2"], "category": 1},
                {"question": "Whose?", "answer": "x", "evidence": [], "category": 3},
                {"question": "Where?", "answer": "x", "evidence": ["D9:9"], "category": 2},
                {"question": "When?", "answer": "x", "evidence": ["D2:2", "D2:9", "D2:2"], "category": 2},
                {"question": "Who barked?", "adversarial_answer": "Ada", "evidence": ["D10:1"], "category": 5}
            ]
        })
    }

    #[test]
    fn sessions_stand_in_the_order_of_their_numbers() {
        let sample = read(&sample(), &mut Ledger::default()).expect("reads");
        let turns = sample.conversation.turns.iter();
        let turns: Vec<(usize, &str, u64, &str)> =
            turns.map(|turn| (turn.session, &*turn.session_name, turn.position, &*turn.text)).collect();
        let expected = [
            (0, "session_2", 1, "Look!\na red kite"),
            (0, "session_2", 2, "Nice."),
            (1, "session_10", 3, "Rex is fine."),
        ];
        assert_eq!(turns, expected);
        assert_eq!(sample.conversation.n_sessions, 3);
    }

    #[test]
    fn evidence_is_resolved_and_what_is_not_is_counted() {
        let mut ledger = Ledger::default();
        let sample = read(&sample(), &mut ledger).expect("reads");
        let evidence = |question: &Question| -> Vec<(String, Vec<usize>)> {
            question.evidence.iter().map(|unit| (unit.label.clone(), unit.documents.clone())).collect()
        };
        let unit = |label: &str, document: usize| (label.to_owned(), vec![document]);
        let found: Vec<_> =
            sample.questions.iter().map(|question| (question.index, evidence(question))).collect();
        let expected = [
            (0, vec![unit("D2:1", 0)]),
            (1, vec![unit("D2:1", 0), unit("D2:2", 1), unit("D10:1", 2)]),
            (4, vec![unit("D2:2", 1)]),
            (5, vec![unit("D10:1", 2)]),
        ];
        assert_eq!(found, expected);
        assert_eq!(sample.n_questions, 6);
        let all: Vec<usize> = sample.all_questions().map(|question| question.index).collect();
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
        let noted: Vec<(&str, usize)> =
            ledger.entries().map(|(reason, which)| (reason, which.len())).collect();
        let expected = [
            ("evidence ids that are joined or have a slip", 2),
            ("evidence ids that name no turn", 2),
            ("questions without evidence", 2),
        ];
        assert_eq!(noted, expected);
    }

    #[test]
    fn what_is_ingested_holds_no_question_and_no_answer() {
        let sample = read(&sample(), &mut Ledger::default()).expect("reads");
        let bytes = String::from_utf8(sample.conversation.bytes).expect("JSON");
        for word in ["qa", "evidence", "What flies", "adversarial"] {
            assert!(!bytes.contains(word), "{word}");
        }
    }

    #[test]
    fn a_turn_id_that_stands_twice_is_one_piece_of_evidence() {
        let mut value = sample();
        value["conversation"]["session_2"][1]["dia_id"] = json!("D2:1");
        let mut ledger = Ledger::default();
        let sample = read_sample(&value, 1, &mut Errata::default(), &mut ledger).expect("reads");
        assert_eq!(sample.questions[0].evidence, [Unit { label: "D2:1".to_owned(), documents: vec![0, 1] }]);
        assert_eq!(sample.labels, ["D2:1", "D2:1#2", "D10:1"]);
        assert_eq!(
            ledger.entries().next(),
            Some(("turn ids that stand twice", &["conv-1 D2:1".to_owned()][..]))
        );
    }

    type Change = fn(&mut Value);

    #[test]
    fn wrong_shapes_are_refused_by_what_is_wrong() {
        let refusal = |change: Change| {
            let mut value = sample();
            change(&mut value);
            read(&value, &mut Ledger::default()).expect_err("is refused")
        };
        let cases: [(Change, &str); 6] = [
            (|value| *value = json!(3), "a sample is an object"),
            (|value| value["qa"] = json!("none"), "`qa` is no list"),
            (|value| value["qa"][0]["category"] = json!(6), "question 0 of `qa`: `category`"),
            (|value| value["qa"][1]["evidence"] = json!("D1:1"), "question 1 of `qa`: `evidence`"),
            (|value| value["conversation"]["session_2"][0]["text"] = json!(1), "turn 1: `text`"),
            (|value| value["conversation"]["session_2_date_time"] = json!("noon"), "the time of `session_2`"),
        ];
        for (change, expected) in cases {
            let found = refusal(change);
            assert!(found.contains(expected), "{found} has no {expected}");
        }
    }
}
