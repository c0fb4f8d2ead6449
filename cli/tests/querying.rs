//! Queries over the samples: what is printed for people and for programs, how a query is explained, and what is refused.

use bygone::Exit;
use serde_json::json;

use crate::support::{Bench, repository};

fn with_samples() -> Bench {
    let mut bench = Bench::new();
    bench.done(&["ingest", &repository("samples")]);
    bench
}

#[test]
fn rows_are_a_table_for_people_and_objects_by_column_for_programs() {
    let mut bench = with_samples();
    let query = "MATCH (p:person)-[r:works_at]->(o) VALID AT '2023-06' RETURN p.name, o, r.from ORDER BY p.name LIMIT 2";
    let ran = bench.done(&["query", query]);
    let lines: Vec<&str> = ran.output.lines().collect();
    assert_eq!(lines.len(), 3, "{ran:?}");
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["p.name", "o", "r.from"]);
    assert!(lines[1].starts_with("Anna") && lines[1].contains("org:Beta"), "{ran:?}");
    assert_eq!(ran.errors, "2 rows\n");

    let rows = bench.done(&["query", query, "--json"]).rows();
    assert_eq!(rows[0], json!({ "p.name": "Anna", "o": "org:Beta", "r.from": "2023-05-02" }));
}

#[test]
fn the_options_of_the_view_hold_until_the_query_says_otherwise() {
    let mut bench = with_samples();
    let mut works_at = |clocks: &str, options: &[&str]| {
        let query = format!("MATCH (p {{name: 'Anna'}})-[:works_at]->(o) {clocks} RETURN o.name");
        let rows = bench.done(&[&["query", &query, "--json"], options].concat()).rows();
        rows.iter().map(|row| row["o.name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let then = ["--valid", "2023-06-01", "--known", "2023-06-01"];
    assert_eq!(works_at("", &[]), ["Beta"]);
    assert_eq!(works_at("", &then), ["Gamma"]);
    assert_eq!(works_at("KNOWN AT '2024'", &then), ["Beta"]);
    assert_eq!(works_at("VALID AT '2023-03'", &then), ["Acme"]);
    assert_eq!(works_at("VALID AT $at", &["--param", "at=2023-03"]), ["Acme"]);
    assert_eq!(works_at("VALID AT $at", &["--param", "at=2022"]), ["Acme"]);
}

#[test]
fn a_query_is_read_from_standard_input_and_as_json() {
    let mut bench = with_samples();
    let text = "MATCH (p {name: $who})-[:lives_in]->(c) RETURN c.name";
    let ran = bench.run_with(&["query", "-", "--param", "who=Anna", "--json"], text.as_bytes());
    let form = json!({
        "match": [{
            "start": { "properties": [{ "property": "name", "value": { "parameter": "who" } }] },
            "links": [{
                "relationship": { "predicates": ["lives_in"], "direction": "right" },
                "node": { "variable": "c" }
            }]
        }],
        "return": [{ "value": { "property": { "of": "c", "name": "name" } } }]
    });
    let as_json = bench.done(&["query", &form.to_string(), "--param", "who=Anna", "--json"]);
    assert_eq!(ran.rows(), [json!({ "c.name": "Lisbon" })]);
    assert_eq!(ran.rows(), as_json.rows());
}

#[test]
fn what_is_wrong_is_shown_with_its_place() {
    let mut bench = with_samples();
    for (query, says) in [
        ("MATCH (p) RETRUN p", "did you mean RETURN?"),
        ("MATCH (p) RETURN p.nam", "                   ^^^"),
        ("MATCH (p {name: $who}) RETURN p", "the parameter $who is given no value"),
        ("{\"match\": 1}", "query is not understood"),
        ("{", "query is not valid JSON"),
    ] {
        let ran = bench.run(&["query", query]).expect_exit(Exit::Usage);
        assert!(ran.errors.contains(says), "{query}: {ran:?}");
    }
    let ran = bench.done(&["query", "MATCH (p)-[:livs_in]->(c) RETURN p"]);
    assert!(ran.errors.contains("did you mean lives_in?"), "{ran:?}");
    bench.run(&["query", "MATCH (p) RETURN p", "--param", "x"]).expect_exit(Exit::Usage);
}

#[test]
fn a_query_and_a_question_are_explained() {
    let mut bench = with_samples();
    let query = "MATCH (p {name: 'Anna'})-[r:works_at]->(o) VALID ALL RETURN o";
    let planned = bench.done(&["explain", query, "--json"]).rows();
    assert_eq!(planned[0]["steps"][0]["action"], "look up");
    assert_eq!(planned[0]["steps"][1]["rows"], json!(null));
    let ran = bench.done(&["explain", query, "--analyze", "--json"]).rows();
    assert!(ran[0]["steps"][1]["rows"].as_u64() > Some(1), "{ran:?}");
    let told = bench.done(&["explain", query, "--analyze"]);
    assert!(told.output.contains("look up") && told.output.contains("looked at: "), "{told:?}");

    let read = bench.done(&["explain", "Where does Anna live?"]);
    assert!(read.output.contains("VALUE(person:Anna, lives_in)"), "{read:?}");
    let read = bench.done(&["explain", "Where did Anna work in March 2023?", "--json"]).rows();
    assert_eq!((&read[0]["valid"], &read[0]["known"]), (&json!("March 2023"), &json!("latest")));
}

#[test]
fn a_query_is_a_line_of_the_shell() {
    let script = b"set valid 2023-06-01\nMATCH (p {name: 'Anna'})-[:works_at]->(o) RETURN o.name\n";
    let ran = with_samples().run_with(&["repl", "--json"], script).expect_exit(Exit::Done);
    assert_eq!(ran.rows(), [json!({ "o.name": "Beta" })]);
}
