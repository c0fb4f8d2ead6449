//! The query language on the command line: rows, parameters, both forms, and what is wrong with a query.

use bygone::Exit;
use serde_json::json;

use crate::support::{Bench, repository};

fn with_samples() -> Bench {
    let mut bench = Bench::new();
    bench.done(&["ingest", &repository("samples/chat"), &repository("samples/facts")]);
    bench
}

#[test]
fn a_query_returns_rows_in_every_view() {
    let mut bench = with_samples();
    let query =
        "MATCH (p {name: 'Anna'})-[r:works_at]->(o) VALID AT '2023-06-01' RETURN o.name AS employer, r.valid";
    let ran = bench.done(&["query", query]);
    assert_eq!(ran.output, "employer  r.valid\nBeta      since 2 May 2023\n");
    assert_eq!(ran.errors, "1 row\n");
    let known_then = bench.done(&["query", query, "--known", "2023-06-01", "--json"]).row();
    assert_eq!(known_then["employer"], "Gamma");
    // What the query says of its clocks goes before the options.
    let query = query.replace("RETURN", "KNOWN AT '2023-06-01' RETURN");
    assert_eq!(bench.done(&["query", &query, "--known", "latest", "--json"]).row()["employer"], "Gamma");
}

#[test]
fn values_come_as_parameters_and_queries_from_standard_input() {
    let mut bench = with_samples();
    let query = "MATCH (p {name: $who})-[r:lives_in]->(c) RETURN c.name ORDER BY c.name LIMIT $most";
    let given = ["query", query, "--param", "who=Anna", "--param", "most=1", "--json"];
    assert_eq!(bench.done(&given).row(), json!({ "c.name": "Lisbon" }));
    let ran = bench
        .run_with(&["query", "-", "--param", "who=Anna", "--param", "most=1", "--json"], query.as_bytes());
    assert_eq!(ran.expect_exit(Exit::Done).row(), json!({ "c.name": "Lisbon" }));
    // A name that would be a query is a value.
    let odd = ["query", query, "--param", "who=Anna'}) RETURN 1 //", "--param", "most=1", "--json"];
    assert_eq!(bench.done(&odd).output, "");
    for wrong in
        [&["--param", "who"][..], &["--param", "who=Anna"], &["--param", "who=A", "--param", "who=B"]]
    {
        bench.run(&[&["query", query], wrong].concat()).expect_exit(Exit::Usage);
    }
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    let mut bench = with_samples();
    let ran = bench.run(&["query", "MATCH (p)-[r:lives_in]->(c) RETRUN c"]).expect_exit(Exit::Usage);
    assert!(ran.errors.contains("\n                              ^^^^^^\n"), "{ran:?}");
    assert!(ran.errors.contains("did you mean RETURN?"), "{ran:?}");
    let ran = bench.done(&["query", "MATCH (p)-[r:live_in]->(c) RETURN c"]);
    assert!(ran.errors.contains("did you mean lives_in?"), "{ran:?}");
    bench.run(&["query", "{\"match\":1}"]).expect_exit(Exit::Usage);
}

#[test]
fn a_query_and_a_question_are_explained() {
    let mut bench = with_samples();
    let query = "MATCH (p {name: 'Anna'})-[r:knows|lives_in*1..2]->(x) RETURN x";
    let rows = bench.done(&["explain", query, "--analyze", "--json"]).rows();
    assert!(rows[0]["steps"].as_array().is_some_and(|steps| steps.iter().any(|step| step["rows"].is_u64())));
    let row = bench.done(&["explain", "Where did Anna live in 2019?", "--json"]).row();
    assert_eq!((&row["intent"], &row["valid"]), (&json!("as_of_valid"), &json!("2019")));
}
