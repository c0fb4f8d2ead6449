//! What questions that take computing are read as and answered with, over a store with traps: what was corrected, denied,
//! superseded, known late, undated, planned or only supposed.

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
const STATEMENTS: &str = include_str!("computed.jsonl");

/// `question | intent | valid | known | answer starts with`; a `…` in the last part stands for anything.
const ANSWERED: &str = include_str!("computed.txt");

/// The present of the questions: a Friday.
fn now() -> Instant {
    parse_moment("2024-06-14T12:00:00Z").expect("a time").at
}

struct Asked {
    ontology: Arc<Ontology>,
    store: Store,
}

impl Asked {
    fn new() -> Asked {
        let (ontology, store) = store_of(STATEMENTS.lines(), Vec::new(), now());
        Asked { ontology, store }
    }

    fn ask(&self, question: &str) -> Result<Answer, AskError> {
        let space = self.store.space("default", false).expect("a space");
        ask(&space.snapshot(), &self.ontology, &Request::present(now()), question)
    }
}

/// Says whether an answer has the parts of a pattern in order, the first at its start.
fn fits(answer: &str, pattern: &str) -> bool {
    let mut rest = answer;
    for (nth, part) in pattern.split('…').map(str::trim).enumerate() {
        let at = if nth == 0 { rest.starts_with(part).then_some(0) } else { rest.find(part) };
        let Some(at) = at else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[test]
fn questions_that_take_computing_are_read_and_answered() {
    let asked = Asked::new();
    let mut wrong = Vec::new();
    for line in ANSWERED.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [question, intent, valid, known, pattern] = parts[..] else { panic!("{line}") };
        match asked.ask(question) {
            Err(error) => wrong.push(format!("{question}\n    {error}")),
            Ok(answer) => {
                let reading = &answer.reading;
                let found = (reading.intent, reading.valid.as_str(), reading.known.as_str());
                let is_known = !pattern.starts_with("Not known") && !pattern.starts_with("Nothing here");
                if found != (intent, valid, known)
                    || !fits(&answer.answer, pattern)
                    || answer.known != is_known
                {
                    wrong.push(format!(
                        "{question}\n    {found:?} {} {}\n    {}",
                        answer.known, reading.plan, answer.answer
                    ));
                }
                let has_evidence = !answer.evidence.is_empty();
                assert!(!answer.known || has_evidence, "{question}: {}", answer.answer);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_word_of_a_question_is_passed_over() {
    let asked = Asked::new();
    for question in [
        "What port was the importer using when the gateway moved to 1.4.0 for good?",
        "Which book did Anna like?",
        "What food does Mia prefer?",
        "Which capital did Anna live in?",
        "Could you tell me when Anna moved to Lisbon and why?",
    ] {
        let answer = asked.ask(question);
        assert!(answer.as_ref().is_err() || answer.as_ref().is_ok_and(|answer| !answer.known), "{answer:?}");
    }
}

#[test]
fn the_facts_that_an_answer_went_by_are_in_it() {
    let asked = Asked::new();
    for (question, facts) in [
        ("How many days passed between the race and the wedding?", vec!["race", "wedding"]),
        ("Who was my boss when I lived in Paris?", vec!["Claire", "Paris"]),
        ("Where did Anna live before Berlin?", vec!["Hamburg", "Berlin"]),
        ("What did Anna do two weeks after the surgery?", vec!["a slow jog", "knee surgery"]),
        ("Was the test suite passing when we merged PR 42?", vec!["passed", "merged"]),
        ("How old was Anna when she moved to Berlin?", vec!["1990-05-04", "Berlin"]),
        ("What did Anna do after the concert?", vec!["Fado", "Oasis"]),
    ] {
        let answer = asked.ask(question).expect(question);
        let told: Vec<String> = answer.rows.iter().map(|row| row.fact.object.canonical()).collect();
        for fact in facts {
            assert!(told.iter().any(|object| object.contains(fact)), "{question}: {fact} in {told:?}");
        }
        assert!(!answer.evidence.is_empty(), "{question}");
    }
}

#[test]
fn the_views_own_clocks_hold_for_what_is_computed() {
    let asked = Asked::new();
    let space = asked.store.space("default", false).expect("a space");
    let then = parse_moment("2022-02-15T00:00:00Z").expect("a time").at;
    let base = Request { view: View::known_at(then), ..Request::present(now()) };
    let all = Request { valid: ValidTime::All, ..Request::present(now()) };
    for (base, question, starts) in [
        (&base, "Where did Anna live before Madrid?", "Lisbon,"),
        (&base, "How many times did Anna go hiking?", "Not known"),
        (&all, "How many times did Ben visit Peru?", "twice"),
    ] {
        let answer = ask(&space.snapshot(), &asked.ontology, base, question).expect(question);
        assert!(answer.answer.starts_with(starts), "{question}: {}", answer.answer);
    }
}

fn word() -> impl Strategy<Value = String> {
    let words = "how long ago many times days weeks between and or before after while when during since first last \
                 which came did does has is was were the a her his she he it what who where on in at of to in order \
                 always no longer still anymore ever previous value port history changed about planning old often weekday \
                 day of the week birthday race wedding surgery trip Rome job Anna Anna's Ben I my Acme Berlin moved move \
                 joined worked live lived hiking book concert 2022 2023 March yesterday next month two , ? 's take took it \
                 originally say told you learn that agent edit files tests passing";
    proptest::sample::select(words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn no_row_of_such_words_panics(questions in proptest::collection::vec(proptest::collection::vec(word(), 1..12), 12)) {
        let asked = Asked::new();
        for words in questions {
            drop(asked.ask(&words.join(" ")));
        }
    }
}
