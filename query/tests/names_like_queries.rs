//! Names that look like queries are names.

use bygone_engine::store::Store;
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::{EntityRef, View};
use bygone_ontology::Ontology;
use bygone_query::language::{Parameters, Value, answer, parse};
use bygone_query::names::resolve;
use bygone_query::{Request, ask};
use serde_json::json;

use crate::store::store_of;

const NAMES: [&str; 14] = [
    "MATCH (p) RETURN p",
    "' OR p.name <> '",
    "'; MATCH (x) RETURN x //",
    "\" OR 1 = 1 \"",
    "`p`",
    "$name",
    "{name: 'Anna'}",
    "a) RETURN p",
    "\\",
    "\\'",
    "// no more",
    "*",
    "count(*)",
    "Where does Anna live?",
];

fn now() -> Instant {
    parse_moment("2026-06-01").expect("a time").at
}

/// A store in which each name lives in a city of its own, and Anna in Lisbon.
fn told() -> (std::sync::Arc<Ontology>, Store) {
    let mut lines = Vec::new();
    for (nth, name) in NAMES.iter().copied().chain(["Anna"]).enumerate() {
        let (subject, city) = (format!("person:{name}"), format!("place:City {nth}"));
        let line = json!({ "subject": subject, "predicate": "lives_in", "object": { "entity": city }, "from": "2020" });
        lines.push(line.to_string());
    }
    store_of(lines.iter().map(String::as_str), Vec::new(), now())
}

fn literal(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[test]
fn a_name_that_looks_like_a_query_is_a_name() {
    let (ontology, store) = told();
    let space = store.space("default", false).expect("a space");
    let (snapshot, base) = (space.snapshot(), Request::present(now()));
    let seen = snapshot.seen(&View::LATEST).expect("a view");
    for (nth, name) in NAMES.iter().enumerate() {
        let city = format!("City {nth}");
        let rows = |text: &str, parameters: &Parameters| -> Vec<String> {
            let query = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(parse(&query.to_string()).as_ref(), Ok(&query), "{text}");
            let answer = answer(&snapshot, &ontology, &base, &query, parameters).expect("an answer");
            answer.rows.iter().map(|row| row.iter().map(Value::to_text).collect()).collect()
        };
        let given = Parameters::from([("name".to_owned(), json!(name))]);
        let text = "MATCH (p {name: $name})-[:lives_in]->(c) RETURN c.name";
        assert_eq!(rows(text, &given), [city.as_str()], "{name}");
        let text = format!("MATCH (p)-[:lives_in]->(c) WHERE p.name = {} RETURN c.name", literal(name));
        assert_eq!(rows(&text, &Parameters::new()), [city.as_str()], "{name}");
        let text = format!("MATCH (p)-[:lives_in]->(c {{name: '{city}'}}) RETURN p.name");
        assert_eq!(rows(&text, &Parameters::new()), [*name], "{name}");
        assert_eq!(resolve(&seen, name).ok(), EntityRef::new("person", name).ok(), "{name}");
        // A question may not be understood with such a name in it; it tells of nobody else.
        if let Ok(answer) = ask(&snapshot, &ontology, &base, &format!("Where does {name} live?")) {
            for row in &answer.rows {
                let is_meant = row.group.subject.name() == *name || name.contains(row.group.subject.name());
                assert!(is_meant, "{name} is answered with {row:?}");
            }
        }
    }
}
