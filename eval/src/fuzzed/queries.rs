//! What holds of every query: it is read or refused with a reason, what was read prints so that it reads back the same, as text
//! and as JSON, and asking it of a small store gives rows or a reason.

use std::sync::{Arc, LazyLock};

use bygone_engine::backend::Memory;
use bygone_engine::store::{Recording, Store};
use bygone_engine::wire::{Defaults, read_statement};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::language::{Parameters, Query, Value, answer, explain, parse};
use serde_json::{Value as Json, json};

use super::now;

/// What is asked: two people, whom they know, where they live, and a turn of each kind of time.
const STATEMENTS: [&str; 6] = [
    r#"{"subject":"person:Anna","predicate":"lives_in","object":{"entity":"place:Berlin"},"from":"2018","known_at":"2020-01-01T00:00:00Z"}"#,
    r#"{"subject":"person:Anna","predicate":"lives_in","object":{"entity":"place:Lisbon"},"from":"2022-03","known_at":"2022-03-05T00:00:00Z"}"#,
    r#"{"subject":"person:Anna","predicate":"knows","object":{"entity":"person:Ben"},"from":"2019","known_at":"2020-01-01T00:00:00Z"}"#,
    r#"{"subject":"person:Ben","predicate":"knows","object":{"entity":"person:Anna"},"from":"2019","to":"2023","known_at":"2020-01-01T00:00:00Z"}"#,
    r#"{"subject":"person:Ben","predicate":"works_at","key":"side","object":{"entity":"org:MATCH (p) RETURN p"},"from":"2021","known_at":"2021-01-01T00:00:00Z"}"#,
    r#"{"subject":"person:Ben","predicate":"age","object":{"number":41,"unit":"years"},"modality":"planned","known_at":"2021-01-01T00:00:00Z"}"#,
];

static ASKED: LazyLock<(Arc<Ontology>, Store)> = LazyLock::new(|| {
    let ontology = Arc::new(Ontology::core());
    let store = Store::open(Box::new(Memory::new()), ontology.clone()).expect("a store");
    let mut recording = Recording::default();
    for (position, line) in (0..).zip(STATEMENTS) {
        let defaults = Defaults { now: now(), document: "known".to_owned(), position };
        let statement = read_statement(line, &defaults).expect("a statement");
        recording.episodes.push(statement.episode);
        recording.assertions.push(statement.assertion);
    }
    store.space("default", true).expect("a space").record(recording, now()).expect("it is recorded");
    (ontology, store)
});

/// Reads the bytes as a query: as JSON where they start like an object, and else as text.
pub(super) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let query = if text.trim_start().starts_with('{') {
        let Ok(json) = serde_json::from_str::<Json>(&text) else { return };
        Query::from_json(&json)
    } else {
        parse(&text)
    };
    let query = match query {
        Ok(query) => query,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let printed = query.to_string();
    match parse(&printed) {
        Ok(read) => assert_eq!(read, query, "{printed}"),
        Err(error) => panic!("{printed}\n{error}"),
    }
    let json = serde_json::to_value(&query).expect("a query is JSON");
    assert_eq!(Query::from_json(&json).expect("what was written reads"), query);
    ask(&query);
}

fn ask(query: &Query) {
    let (ontology, store) = &*ASKED;
    let space = store.space("default", false).expect("a space");
    let parameters: Parameters =
        [("a", json!("Anna")), ("n", json!(2)), ("t", json!("2022-06")), ("l", json!(["Ben", null]))]
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect();
    let (snapshot, base) = (space.snapshot(), Request::present(now()));
    if let Ok(answer) = answer(&snapshot, ontology, &base, query, &parameters) {
        for row in &answer.rows {
            assert_eq!(row.len(), query.columns.len());
            drop((answer.row_json(row), row.iter().map(Value::to_text).collect::<String>()));
        }
    }
    drop(explain(&snapshot, ontology, &base, query, &parameters, false));
}
