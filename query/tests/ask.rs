//! What questions are read as and answered with, over a small store: the story of the samples, and tool results.

use std::sync::Arc;

use bygone_engine::store::Store;
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::{ValidTime, View};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::ask::{Answer, AskError, ask};
use proptest::prelude::*;

use crate::store::store_of;

/// One statement a line, in the wire form.
const STATEMENTS: &str = include_str!("ask.jsonl");

/// `question | intent | valid | known | answer starts with`; the last part is what the answer must start with.
const ANSWERED: &str = include_str!("ask_answered.txt");

/// `question | what the refusal names`.
const REFUSED: &str = include_str!("ask_refused.txt");

fn at(text: &str) -> Instant {
    parse_moment(text).expect("a time").at
}

fn now() -> Instant {
    at("2025-12-01T12:00:00Z")
}

/// A store of the statements, to be asked.
struct Asked {
    ontology: Arc<Ontology>,
    store: Store,
}

impl Asked {
    fn new(lines: &str) -> Asked {
        let (ontology, store) = store_of(lines.lines(), Vec::new(), now());
        Asked { ontology, store }
    }

    fn ask_in(&self, base: &Request, question: &str) -> Result<Answer, AskError> {
        let space = self.store.space("default", false).expect("a space");
        ask(&space.snapshot(), &self.ontology, base, question)
    }

    fn ask(&self, question: &str) -> Result<Answer, AskError> {
        self.ask_in(&Request::present(now()), question)
    }
}

fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('|').map(str::trim).collect())
}

#[test]
fn questions_are_read_and_answered() {
    let asked = Asked::new(STATEMENTS);
    let mut wrong = Vec::new();
    for line in lines(ANSWERED) {
        let [question, intent, valid, known, starts] = line[..] else { panic!("{line:?}") };
        match asked.ask(question) {
            Err(error) => wrong.push(format!("{question}\n    {error}")),
            Ok(answer) => {
                let reading = &answer.reading;
                let found = (reading.intent, reading.valid.as_str(), reading.known.as_str());
                let has_answer = !starts.starts_with("Not known") && !starts.starts_with("Nothing here");
                let fits = answer.answer.starts_with(starts) && answer.known == has_answer;
                if found != (intent, valid, known) || !fits {
                    wrong.push(format!("{question}\n    {found:?} {} {}", answer.known, answer.answer));
                }
                assert!(
                    answer.known || answer.answer.starts_with("Not") || answer.rows.is_empty(),
                    "{question}"
                );
                let has_evidence = !answer.evidence.is_empty();
                assert_eq!(has_evidence, answer.known || !answer.rows.is_empty(), "evidence of {question}");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_not_understood_is_refused_and_named() {
    let asked = Asked::new(STATEMENTS);
    let mut wrong = Vec::new();
    for line in lines(REFUSED) {
        let [question, named] = line[..] else { panic!("{line:?}") };
        match asked.ask(question) {
            Ok(answer) => wrong.push(format!("{question} is answered: {}", answer.answer)),
            Err(error @ AskError::NotUnderstood { .. }) => {
                let text = error.to_string();
                if !text.contains(named) || !text.contains("Where does Anna live?") {
                    wrong.push(format!("{question}: {text}"));
                }
            }
            Err(error) => wrong.push(format!("{question}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_name_that_means_several_things_is_an_error() {
    let asked = Asked::new(STATEMENTS);
    for question in
        ["Where does Kim live?", "How long has Kim lived in Turin?", "Where did Kim live before Turin?"]
    {
        let error = asked.ask(question).expect_err("two bear the name");
        assert_eq!(error.to_string(), "\"Kim\" may be person:Jo or person:Kim: say which", "{question}");
    }
}

#[test]
fn of_several_things_of_one_name_the_one_that_is_said_is_meant() {
    let likes = r#"{"subject":"person:Jo","predicate":"likes","object":{"entity":"thing:chess"},"from":"2025-11","known_at":"2025-11-01T00:00:00Z"}"#;
    let plays = r#"{"subject":"person:Max","predicate":"has_hobby","object":{"entity":"activity:chess"},"from":"2025-11","known_at":"2025-11-01T00:00:00Z"}"#;
    let asked = Asked::new(&format!("{likes}\n{plays}"));
    for (question, starts) in [("Does Jo like chess?", "Yes: chess"), ("Does Max like chess?", "Not known")] {
        let answer = asked.ask(question).expect(question);
        assert!(answer.answer.starts_with(starts), "{question}: {}", answer.answer);
    }
}

#[test]
fn the_first_person_is_the_user_where_there_is_one() {
    let line = r#"{"subject":"person:user","predicate":"lives_in","object":{"entity":"place:Oslo"},"from":"2020","known_at":"2024-01-01T00:00:00Z"}"#;
    let role = r#"{"subject":"person:user","predicate":"role","object":{"entity":"role:baker"},"from":"2020","known_at":"2024-01-01T00:00:00Z"}"#;
    let asked = Asked::new(&format!("{line}\n{role}"));
    for (question, starts) in [
        ("Where do I live?", "Oslo"),
        ("What is my role?", "baker"),
        ("Am I still based in Oslo?", "Yes: Oslo"),
    ] {
        let answer = asked.ask(question).expect(question);
        assert!(answer.answer.starts_with(starts), "{question}: {}", answer.answer);
    }
}

#[test]
fn what_is_known_is_limited_by_the_view_whatever_the_question_names() {
    let asked = Asked::new(STATEMENTS);
    let then = at("2023-06-01T23:00:00Z");
    let base = Request { view: View::known_at(then), valid: ValidTime::At(then), ..Request::present(now()) };
    for (question, valid, known, starts) in [
        ("Where does Anna work?", "1 June 2023, 23:00", "1 June 2023, 23:00", "Gamma"),
        ("Where did Anna work in March 2023?", "March 2023", "1 June 2023, 23:00", "Acme"),
        (
            "Where did we think Anna worked as of July 2023?",
            "1 June 2023, 23:00",
            "1 June 2023, 23:00",
            "Gamma",
        ),
        ("Where did we think Anna worked as of May 2022?", "1 June 2023, 23:00", "May 2022", "Acme"),
        ("Where does Anna work now?", "now", "1 June 2023, 23:00", "Gamma"),
        ("Did Anna ever work at Beta?", "all time", "1 June 2023, 23:00", "Not known"),
    ] {
        let answer = asked.ask_in(&base, question).expect(question);
        assert_eq!(
            (answer.reading.valid.as_str(), answer.reading.known.as_str()),
            (valid, known),
            "{question}"
        );
        assert!(answer.answer.starts_with(starts), "{question}: {}", answer.answer);
    }
}

#[test]
fn a_plan_is_never_an_answer_to_what_is_so() {
    let asked = Asked::new(STATEMENTS);
    let answer = asked.ask("Where does Anna live in 2025?").expect("an answer");
    assert!(
        answer.rows.iter().all(|row| row.fact.object.canonical().contains("Lisbon")),
        "{}",
        answer.answer
    );
}

#[test]
fn what_ended_a_fact_is_evidence_of_its_end() {
    let asked = Asked::new(STATEMENTS);
    for question in ["When did Anna leave Acme?", "Does Anna still work at Acme?"] {
        let answer = asked.ask(question).expect(question);
        let bearings: Vec<&str> = answer.evidence.iter().map(|item| item.bearing.name()).collect();
        assert_eq!(bearings, ["supports", "denies"], "{question}");
    }
}

#[test]
fn the_json_has_the_documented_keys() {
    let json = Asked::new(STATEMENTS).ask("Where did Anna work in March 2023?").expect("an answer").to_json();
    let text = serde_json::to_string_pretty(&json).expect("JSON");
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().into_iter().flat_map(|map| map.keys().cloned()).collect()
    };
    assert_eq!(
        keys(&json),
        ["answer", "evidence", "facts", "known", "question", "reading", "value"],
        "{text}"
    );
    assert_eq!(keys(&json["reading"]), ["intent", "known", "plan", "valid"]);
    assert_eq!(keys(&json["evidence"][0]), ["quote", "session", "span", "speaker", "time", "turn"]);
    assert_eq!(json["evidence"][0]["speaker"], "person:Anna");
    assert_eq!(json["facts"][0]["object"]["entity"], "org:Acme");
    assert_eq!(json["reading"]["plan"], "VALUE(person:Anna, works_at)");
}

fn word() -> impl Strategy<Value = String> {
    let words = "where when who what which does did is was has ever still since until as of known in on we think that \
                 learn Anna Anna's Ben Acme Lisbon the project my I live lived work worked at move to run by session \
                 March 2023 1 June, last year 's ? , ' \" before Zo\u{eb} files written tests";
    prop_oneof![
        8 => proptest::sample::select(words.split(' ').map(str::to_owned).collect::<Vec<_>>()),
        1 => "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_question_panics(words in proptest::collection::vec(word(), 0..14), text in "\\PC{0,80}") {
        let asked = Asked::new(STATEMENTS.lines().next().unwrap_or_default());
        drop(asked.ask(&words.join(" ")));
        drop(asked.ask(&text));
    }
}
