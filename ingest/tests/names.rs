//! Whose name it is: what an ingest decides of names, whichever order the files come in, and that it can be read again.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::identity::MAYBE_SAME;
use bygone_engine::store::{Snapshot, Store, Target};
use bygone_engine::time::parse_moment;
use bygone_engine::{EntityRef, Polarity, View};
use bygone_ingest::read::Bytes;
use bygone_ingest::{Document, Plan, Receipt, ingest};
use bygone_ontology::Ontology;
use serde_json::Value;

const CASES: &str = include_str!("cases/names.jsonl");

fn store() -> Store {
    Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("an empty store")
}

/// Makes a log of a case's turns, an hour apart.
fn document(number: usize, turns: &Value) -> Document {
    let turns = turns.as_array().expect("a list of turns").iter().enumerate();
    let line = |(hour, turn): (usize, &Value)| {
        format!("2024-03-{:02} {hour:02}:00:00 {}\n", number + 1, turn.as_str().expect("words"))
    };
    let text: String = turns.map(line).collect();
    let modified = parse_moment("2026-01-01T00:00:00Z").expect("a time").at;
    Document { name: format!("{number}.txt"), bytes: Bytes::Held(text.into_bytes()), modified }
}

fn run(store: &Store, documents: &[Document], jobs: usize) -> Receipt {
    let plan = Plan {
        documents,
        format: None,
        space: "default",
        prefix: None,
        ontology: &Ontology::core(),
        jobs: NonZeroUsize::new(jobs).expect("at least one"),
        keeps_secrets: false,
        now: parse_moment("2026-01-01T00:00:00Z").expect("a time").at,
    };
    ingest(store, &plan, &mut |_| {}).expect("memory does not fail").receipt
}

/// What was decided: classes as `A = B`, doubts as `A ? B`, and the rules that decided.
#[derive(Debug, Default, PartialEq, Eq)]
struct Decided {
    same: BTreeSet<String>,
    maybe: BTreeSet<String>,
    rules: BTreeSet<String>,
}

fn decided(snapshot: &Snapshot<'_>) -> Decided {
    let seen = snapshot.seen(&View::LATEST).expect("memory does not fail");
    let mut decided = Decided::default();
    for entity in seen.identity().merged() {
        let members = seen.identity().members(entity);
        decided.same.insert(members.iter().map(EntityRef::name).collect::<Vec<_>>().join(" = "));
    }
    for recorded in snapshot.assertions() {
        let assertion = recorded.expect("memory does not fail").assertion;
        if let Some(rule) = assertion.extractor.strip_prefix("identity.") {
            decided.rules.insert(rule.trim_end_matches("/1").to_owned());
        }
        if assertion.predicate == MAYBE_SAME && assertion.polarity == Polarity::Affirm {
            let object = assertion.object.as_ref().and_then(|object| object.entity()).expect("an entity");
            decided.maybe.insert(format!("{} ? {}", assertion.subject.name(), object.name()));
        }
    }
    decided
}

fn texts(case: &Value, key: &str) -> Option<BTreeSet<String>> {
    let texts = case.get(key)?.as_array().expect("a list");
    Some(texts.iter().map(|text| text.as_str().expect("a text").to_owned()).collect())
}

#[test]
fn names_are_decided_as_the_cases_say() {
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).expect(line);
        let files = case["files"].as_array().expect("a list of files");
        let documents: Vec<Document> =
            files.iter().enumerate().map(|(n, turns)| document(n, turns)).collect();
        let store = store();
        run(&store, &documents, 1);
        let space = store.space("default", false).expect("it was written to");
        let snapshot = space.snapshot();
        let found = decided(&snapshot);
        assert_eq!(Some(&found.same), texts(&case, "same").as_ref(), "{line}\n{found:#?}");
        assert_eq!(found.maybe, texts(&case, "maybe").unwrap_or_default(), "{line}\n{found:#?}");
        if let Some(rules) = texts(&case, "rules") {
            assert_eq!(found.rules, rules, "{line}");
        }
        assert_eq!(space.verify().expect("memory does not fail").faults, [] as [String; 0], "{line}");
    }
}

/// Each turn of a case as a file of its own, so that they can come in any order.
#[test]
fn the_order_of_the_files_does_not_decide_whose_name_it_is() {
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).expect(line);
        let turns = case["files"]
            .as_array()
            .expect("a list of files")
            .iter()
            .flat_map(|file| file.as_array().expect("turns"));
        let documents: Vec<Document> =
            turns.enumerate().map(|(n, turn)| document(n, &Value::from(vec![turn.clone()]))).collect();
        let found: Vec<Decided> = (0..documents.len())
            .flat_map(|by| {
                let mut turned = documents.clone();
                turned.rotate_left(by);
                let mut reversed = turned.clone();
                reversed.reverse();
                [turned, reversed]
            })
            .map(|documents| {
                let store = store();
                run(&store, &documents, 1);
                decided(&store.space("default", false).expect("it was written to").snapshot())
            })
            .collect();
        for other in &found {
            assert_eq!(other.same, found[0].same, "{line}\n{found:#?}");
        }
    }
}

#[test]
fn what_was_decided_is_the_same_in_pieces_and_again() {
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).expect(line);
        let turns: Vec<Value> = case["files"]
            .as_array()
            .expect("a list of files")
            .iter()
            .flat_map(|file| file.as_array().expect("turns").clone())
            .collect();
        let whole = [document(0, &Value::from(turns.clone()))];
        let at_once = store();
        run(&at_once, &whole, 3);
        let in_pieces = store();
        for n in 1..=turns.len() {
            run(&in_pieces, &[document(0, &Value::from(turns[..n].to_vec()))], 1);
        }
        let again = run(&in_pieces, &whole, 2);
        assert_eq!((again.episodes, again.assertions), (0, 0), "{line}");
        let of =
            |store: &Store| decided(&store.space("default", false).expect("it was written to").snapshot());
        assert_eq!(of(&in_pieces), of(&at_once), "{line}");
    }
}

#[test]
fn what_is_erased_decides_nothing_any_more() {
    let turns = [
        "Anna: Clara works at Acme.",
        "Anna: Clara Jones lives in Oslo.",
        "Anna: Clara Weber lives in Bonn.",
    ];
    let documents: Vec<Document> = turns
        .iter()
        .enumerate()
        .map(|(n, turn)| document(n, &Value::from(vec![Value::from(*turn)])))
        .collect();
    let (whole, without) = (store(), store());
    run(&whole, &documents, 1);
    run(&without, &documents[..2], 1);
    let space = whole.space("default", false).expect("it was written to");
    assert_eq!(decided(&space.snapshot()).same, BTreeSet::new(), "it may be either");
    let now = parse_moment("2026-01-01T00:00:00Z").expect("a time").at;
    space.erase(&Target::Session("2".to_owned()), now).expect("memory does not fail");
    let expected = decided(&without.space("default", false).expect("it was written to").snapshot());
    assert_eq!(decided(&space.snapshot()), expected);
    assert_eq!(expected.same, BTreeSet::from(["Clara = Clara Jones".to_owned()]));
    assert_eq!(space.verify().expect("memory does not fail").faults, [] as [String; 0]);
}

#[test]
fn what_a_person_decided_is_left_alone() {
    let turns =
        |words: &[&str]| Value::from(words.iter().map(|words| Value::from(*words)).collect::<Vec<_>>());
    let store = store();
    let split = r#"{"subject":"person:Becky","predicate":"same_as","object":{"entity":"person:Rebecca"},"polarity":"deny","known_at":"2024-01-01","source":"identity#1"}"#;
    let modified = parse_moment("2026-01-01T00:00:00Z").expect("a time").at;
    let said = Document { name: "said.jsonl".to_owned(), bytes: Bytes::Held(split.into()), modified };
    run(
        &store,
        &[said, document(0, &turns(&["Anna: Becky works at Acme.", "Rebecca: Everyone calls me Becky."]))],
        1,
    );
    let found = decided(&store.space("default", false).expect("it was written to").snapshot());
    assert_eq!(found, Decided::default());
}
