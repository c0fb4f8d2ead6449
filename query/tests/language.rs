//! What queries answer, over a small store in memory: the story of the samples, and turns.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bygone_engine::store::Store;
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::{EntityRef, Episode, EpisodeId, Role, StoreError};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::language::ast::Operator;
use bygone_query::language::{Answer, Explained, Failed, Parameters, Query, Value, answer, explain, parse};
use serde_json::json;

use crate::store::store_of;

/// One statement a line, in the wire form.
const STATEMENTS: &str = include_str!("ask.jsonl");

/// The description of the language, whose examples are run.
const DOCUMENT: &str = include_str!("../../docs/query-language.md");

/// What was said in one session: `speaker | time | text`.
const TURNS: &str = "
person:Anna | 2022-03-01T09:00:00Z | Good morning from Berlin!
person:Ben | 2022-03-01T09:01:00Z | How is the weather in Berlin?
person:Anna | 2023-04-02T09:30:00Z | I moved to Lisbon in March, the boxes are still everywhere.
person:Ben | 2023-04-02T09:31:00Z | Lisbon! Do you play chess there?
";

fn now() -> Instant {
    parse_moment("2025-12-01T12:00:00Z").expect("a time").at
}

fn turns() -> Vec<Episode> {
    let lines = TURNS.lines().filter(|line| !line.is_empty());
    let turn = |(position, line): (u64, &str)| {
        let [speaker, time, text] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let turn = Episode {
            id: EpisodeId::UNHASHED,
            session: "talk".to_owned(),
            position,
            role: Role::User,
            speaker: Some(EntityRef::parse(speaker).expect("an entity")),
            agent: None,
            user: None,
            time: parse_moment(time).expect("a time").at,
            time_inferred: false,
            zone: None,
            native_id: None,
            text: text.to_owned(),
            raw: None,
        };
        turn.with_content_id()
    };
    (1..).zip(lines).map(turn).collect()
}

/// A store of the statements, to be asked.
struct Asked {
    ontology: Arc<Ontology>,
    store: Store,
}

impl Asked {
    fn new(lines: &str) -> Asked {
        let (ontology, store) = store_of(lines.lines(), turns(), now());
        Asked { ontology, store }
    }

    fn query(&self, query: &Query, parameters: &Parameters) -> Result<Answer, Failed> {
        let space = self.store.space("default", false).expect("a space");
        answer(&space.snapshot(), &self.ontology, &Request::present(now()), query, parameters)
    }

    fn ask(&self, text: &str) -> Result<Answer, Failed> {
        self.query(&parse(text)?, &Parameters::new())
    }

    fn explain(&self, text: &str) -> Explained {
        let space = self.store.space("default", false).expect("a space");
        let query = parse(text).expect(text);
        let base = Request::present(now());
        explain(&space.snapshot(), &self.ontology, &base, &query, &Parameters::new(), true).expect(text)
    }
}

/// Returns the rows as the document writes them, or what is wrong.
fn told(asked: &Asked, text: &str) -> Vec<String> {
    let parameters = [("who", json!("Ben")), ("when", json!("2022")), ("most", json!(5))];
    let parameters = parameters.map(|(name, value)| (name.to_owned(), value)).into();
    let answer = parse(text).map_err(Failed::from).and_then(|query| asked.query(&query, &parameters));
    match answer {
        Err(error) => {
            let error = error.within(text).to_string();
            error.lines().map(|line| format!("✗ {line}").trim_end().to_owned()).collect()
        }
        Ok(answer) if answer.rows.is_empty() => vec!["→ nothing".to_owned()],
        Ok(answer) => {
            let cells = |row: &Vec<Value>| row.iter().map(Value::to_text).collect::<Vec<_>>().join(" | ");
            answer.rows.iter().map(|row| format!("→ {}", cells(row))).collect()
        }
    }
}

/// Returns the document with the answers that its examples have, and how many there are.
fn answered(document: &str) -> (String, usize) {
    let asked = Asked::new(STATEMENTS);
    let (mut lines, mut n_examples, mut is_example) = (Vec::new(), 0, false);
    for line in document.lines() {
        if line.starts_with("```") {
            is_example = line == "```query";
        }
        if !(is_example && (line.starts_with('→') || line.starts_with('✗'))) {
            lines.push(line.to_owned());
        }
        if is_example && line.starts_with("MATCH") {
            n_examples += 1;
            lines.extend(told(&asked, line));
        }
    }
    (lines.join("\n") + "\n", n_examples)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "where the document as it should read goes")]
fn the_document_shows_what_its_examples_answer() {
    let (expected, n_examples) = answered(DOCUMENT);
    let place = concat!(env!("CARGO_TARGET_TMPDIR"), "/query-language.md");
    if expected != DOCUMENT {
        std::fs::write(place, &expected).expect("there is room for the document");
    }
    for (written, found) in DOCUMENT.lines().zip(expected.lines()) {
        assert_eq!(written, found, "the document as it should read is in {place}");
    }
    assert_eq!(DOCUMENT.lines().count(), expected.lines().count());
    assert!(n_examples > 60, "{n_examples}");
}

#[test]
fn every_word_of_the_language_has_an_example() {
    let examples: String = DOCUMENT.lines().filter(|line| line.starts_with("MATCH")).collect();
    let examples = examples.to_uppercase();
    for (_, word) in Operator::ALL {
        assert!(examples.contains(&format!(" {word} ")), "{word}");
    }
    for word in [
        "KNOWN AT",
        "RECORDED AT",
        "HISTORY",
        "PLANNED",
        "DISTINCT",
        "SKIP",
        "LIMIT",
        "VALID ALL",
        "DURING [",
    ] {
        assert!(examples.contains(word), "{word}");
    }
    for word in ["COUNT(", "MIN(", "MAX(", "SUM(", "AVG(", "COLLECT(", "COALESCE(", "INTERSECTION(", "SCORE("]
    {
        assert!(examples.contains(word), "{word}");
    }
}

#[test]
fn a_query_says_the_same_as_json() {
    let asked = Asked::new(STATEMENTS);
    let json = json!({
        "match": [{
            "start": { "variable": "p", "types": ["person"], "properties": [
                { "property": "name", "value": { "literal": "Anna" } }
            ] },
            "links": [{
                "relationship": { "variable": "r", "predicates": ["works_at"], "direction": "right" },
                "node": { "variable": "o" }
            }]
        }],
        "valid": { "at": "2023-06" },
        "known": "2024-06-01",
        "return": [
            { "value": { "property": { "of": "o", "name": "name" } }, "as": "who" },
            { "value": { "variable": "o" } },
            { "value": { "property": { "of": "r", "name": "valid" } } }
        ]
    });
    let query = Query::from_json(&json).expect("a query");
    let text = "MATCH (p:person {name: 'Anna'})-[r:works_at]->(o) VALID AT '2023-06' KNOWN AT '2024-06-01' \
                RETURN o.name AS who, o, r.valid";
    assert_eq!(query.to_string(), text);
    let answer = asked.query(&query, &Parameters::new()).expect("an answer");
    assert_eq!(answer, asked.ask(text).expect("an answer"));
    let rows: Vec<_> = answer.rows.iter().map(|row| answer.row_json(row)).collect();
    let valid = json!({ "from": "2023-05-02", "from_grain": "day", "to": null, "to_grain": null });
    assert_eq!(rows, [json!({ "who": "Beta", "o": "org:Beta", "r.valid": valid })]);
    for (json, says) in [
        (json!({ "match": [], "return": [] }), "at least one pattern"),
        (json!({ "match": [{ "start": {} }], "return": [], "colour": 1 }), "unknown field `colour`"),
        (json!({ "match": [{ "start": {} }], "return": [{ "value": { "variable": "q" } }] }), "called q"),
        (json!({ "match": [{ "start": {} }], "return": [{ "value": { "and": [] } }] }), "at least two"),
        (json!([]), "struct Query"),
    ] {
        let error = Query::from_json(&json).expect_err(says).to_string();
        assert!(error.contains(says), "{json}: {error}");
    }
}

#[test]
fn facts_paths_and_turns_are_handed_out_whole() {
    let asked = Asked::new(STATEMENTS);
    let answer = asked
        .ask("MATCH (a {name: 'Anna'})-[r:reports_to]->(b), (b)-[w:works_at*1]->(c), (t:turn) WHERE t.turn = 1 RETURN r, w, t")
        .expect("an answer");
    let json = answer.row_json(&answer.rows[0]);
    assert_eq!(json["r"]["object"], json!({ "entity": "person:Clara" }));
    assert_eq!(json["r"]["verdict"], "aging");
    assert_eq!(json["w"]["facts"][0]["predicate"], "works_at");
    assert_eq!(json["w"]["valid"]["from"], "2023-04-01");
    assert_eq!((&json["t"]["session"], &json["t"]["speaker"]), (&json!("talk"), &json!("person:Anna")));
}

#[test]
fn names_that_nothing_here_has_are_remarked() {
    let asked = Asked::new(STATEMENTS);
    let answer = asked.ask("MATCH (p:persn)-[:livs_in|WORKS_AT]->(c:animal) RETURN p").expect("an answer");
    assert!(answer.rows.is_empty());
    assert_eq!(
        answer.remarks,
        [
            "the predicate \"livs_in\" is neither declared nor used here; did you mean lives_in?",
            "the predicate \"WORKS_AT\" is neither declared nor used here; did you mean works_at?",
            "the type \"persn\" is neither declared nor used here; did you mean person?",
        ]
    );
}

#[test]
fn a_plan_starts_at_what_is_named_and_counts_what_it_looks_at() {
    let asked = Asked::new(STATEMENTS);
    let steps = |text: &str| -> Vec<String> {
        let explained = asked.explain(text);
        explained.steps.iter().map(|step| format!("{} {}", step.action, step.what)).collect()
    };
    assert_eq!(
        steps(
            "MATCH (p)-[r:works_at]->(o {name: 'Acme'}) VALID ALL WHERE p.name = 'Clara' AND r.to IS NULL RETURN p"
        ),
        ["look up (p) in person:Clara", "facts of (p)-[r:works_at]->(o)", "keep r.to IS NULL", "return p"]
    );
    assert_eq!(
        steps("MATCH (p)-[:lives_in]->(c)<-[:visited]-(q) VALID ALL RETURN count(*)"),
        [
            "all facts (q)-[:visited]->(c)",
            "facts about (p)-[:lives_in]->(c)",
            "group all rows",
            "return count(*)"
        ]
    );
    assert_eq!(
        steps("MATCH (p)-[r]->(o) VALID ALL WHERE SEARCH(r, 'chess') RETURN o LIMIT 1"),
        ["search facts (p)-[r]->(o) in SEARCH \"chess\"", "keep search(r, 'chess')", "return o, at most 1"]
    );
    let few = asked.explain("MATCH (p)-[r:lives_in]->(c) RETURN p LIMIT 1");
    let rows: Vec<Option<u64>> = few.steps.iter().map(|step| step.rows).collect();
    assert_eq!(rows, [Some(1), Some(1)], "nothing is looked up beyond the limit");
    assert_eq!(few.rules, ["stop at the limit"]);
}

#[test]
fn what_looks_at_too_much_is_given_up() {
    let asked = Asked::new(STATEMENTS);
    let much = "MATCH (a)-[q]->(b), (c)-[r]->(d), (e)-[s]->(f), (g)-[t]->(h) VALID ALL RETURN count(*)";
    let error = asked.ask(much).expect_err("some millions of rows").to_string();
    assert!(error.starts_with("query looks at more than 100000 entities, facts and turns"), "{error}");
    let wide = "MATCH (a)-[q]->(b), (c)-[r]->(d), (e:person) VALID ALL RETURN a, c, e";
    let error = asked.ask(wide).expect_err("more rows than are returned").to_string();
    assert_eq!(error, "query returns more than 10000 rows: say LIMIT");
    assert_eq!(asked.ask(&format!("{wide} LIMIT 10001")).expect("as many as wanted").rows.len(), 10_001);
    assert_eq!(asked.ask(&format!("{wide} LIMIT 0")).expect("none").rows.len(), 0);
}

#[test]
fn whoever_stops_a_query_stops_it() {
    let flag = Arc::new(AtomicBool::new(false));
    let Asked { ontology, store } = Asked::new(STATEMENTS);
    let asked = Asked { ontology, store: store.with_interrupt(flag.clone()) };
    let query = "MATCH (p {name: 'Anna'})-[r*1..3]->(o) VALID ALL KNOWN AT '2025' RETURN count(*)";
    assert!(asked.ask(query).is_ok());
    flag.store(true, Ordering::Relaxed);
    assert_eq!(asked.ask(query).expect_err("it is stopped").to_string(), StoreError::Interrupted.to_string());
}

#[test]
fn the_order_of_arrival_does_not_show() {
    let (asked, reversed) = (Asked::new(STATEMENTS), {
        let lines: Vec<&str> = STATEMENTS.lines().rev().collect();
        Asked::new(&lines.join("\n"))
    });
    for query in DOCUMENT.lines().filter(|line| line.starts_with("MATCH")) {
        assert_eq!(told(&asked, query), told(&reversed, query), "{query}");
    }
}

#[test]
fn entities_that_are_one_are_one_node_from_when_that_is_known() {
    let asked = Asked::new(
        r#"{"subject":"person:Bob","predicate":"lives_in","object":{"entity":"place:Oslo"},"from":"2020","known_at":"2021-01-01T00:00:00Z","source":"a#1"}
{"subject":"person:Robert","predicate":"works_at","object":{"entity":"org:Acme"},"from":"2020","known_at":"2021-01-01T00:00:00Z","source":"a#2"}
{"subject":"person:Ann","predicate":"knows","object":{"entity":"person:Robert"},"from":"2020","known_at":"2021-01-01T00:00:00Z","source":"a#3"}
{"subject":"person:Robert","predicate":"same_as","object":{"entity":"person:Bob"},"known_at":"2022-01-01T00:00:00Z","source":"a#4"}"#,
    );
    for (query, rows) in [
        ("MATCH (p {name: 'Robert'})-[:lives_in]->(c) RETURN p, c.name", vec!["→ person:Bob | Oslo"]),
        ("MATCH (p {id: 'person:Robert'})-[:works_at]->(o) RETURN p, o.name", vec!["→ person:Bob | Acme"]),
        (
            "MATCH (q)-[:knows]->(p)-[:lives_in]->(c) RETURN q.name, p, c.name",
            vec!["→ Ann | person:Bob | Oslo"],
        ),
        ("MATCH (p:person) RETURN count(*), count(DISTINCT p)", vec!["→ 2 | 2"]),
        ("MATCH (p {name: 'Robert'})-[:lives_in]->(c) KNOWN AT '2021' RETURN p", vec!["→ nothing"]),
        ("MATCH (p:person) KNOWN AT '2021' RETURN count(*)", vec!["→ 3"]),
        ("MATCH (p {name: 'Robert'})-[:works_at]->(o) KNOWN AT '2021' RETURN p", vec!["→ person:Robert"]),
    ] {
        assert_eq!(told(&asked, query), rows, "{query}");
    }
}

#[test]
fn very_many_conditions_are_looked_at() {
    let asked = Asked::new(STATEMENTS);
    let all = format!("MATCH (p {{name: 'Anna'}}) WHERE {}1 = 1 RETURN p", "1 = 1 AND ".repeat(6_000));
    assert_eq!(asked.ask(&all).expect("an answer").rows.len(), 1);
    let any = format!("MATCH (p {{name: 'Anna'}}) WHERE {}1 = 1 RETURN p", "1 = 2 OR ".repeat(6_000));
    assert_eq!(asked.ask(&any).expect("an answer").rows.len(), 1);
    assert_eq!(asked.explain(&all).steps.len(), 6_003);
}

#[test]
fn a_fact_is_found_by_its_id_whether_or_not_it_has_a_name() {
    let asked = Asked::new(STATEMENTS);
    let answer = asked.ask("MATCH (p {name: 'Anna'})-[r:lives_in]->(c) RETURN r.id").expect("an answer");
    let Value::Text(id) = &answer.rows[0][0] else { panic!("{answer:?}") };
    for query in [
        format!("MATCH (p)-[{{id: '{id}'}}]->(c) RETURN c.name"),
        format!("MATCH (p)-[r {{id: '{id}'}}]->(c) RETURN c.name"),
        format!("MATCH (p)-[r]->(c) WHERE id(r) = '{id}' RETURN c.name"),
    ] {
        let rows = asked.ask(&query).expect("an answer").rows;
        assert_eq!(rows, [[Value::Text("Lisbon".to_owned())]], "{query}");
    }
}

#[test]
fn a_limit_spares_what_is_not_wanted() {
    let asked = Asked::new(STATEMENTS);
    for (query, n_looked_at) in [
        ("MATCH (a)-[r]->(b) VALID ALL RETURN a LIMIT 1", 1),
        ("MATCH (p {name: 'Anna'})-[r]->(b) VALID ALL RETURN b LIMIT 1", 2),
        ("MATCH (t:turn) RETURN t LIMIT 2", 2),
        ("MATCH (n) RETURN n LIMIT 3", 3),
    ] {
        let explained = asked.explain(query);
        assert!(explained.n_looked_at <= Some(n_looked_at + 2), "{query}: {:?}", explained.n_looked_at);
    }
}

#[test]
fn a_view_gives_away_nothing_that_it_does_not_see() {
    let asked = Asked::new(STATEMENTS);
    for (query, n_rows) in [
        ("MATCH (p {name: 'Ola'}) KNOWN AT '2022-01' RETURN p", 0),
        ("MATCH (p {name: 'Ola'}) RETURN p", 1),
        ("MATCH (p {id: 'person:Nobody'}) RETURN p", 0),
        ("MATCH (p:project) KNOWN AT '2022-04' RETURN p", 0),
        ("MATCH (t:turn) KNOWN AT '2022-12' RETURN t", 2),
        ("MATCH (t:turn) KNOWN AT '2022-12' WHERE SEARCH(t, 'Lisbon') RETURN t", 0),
        ("MATCH (p)-[r]->(o) VALID ALL KNOWN AT '2022-12' WHERE SEARCH(r, 'Lisbon') RETURN r", 0),
        (
            "MATCH (p)-[r]->(o) VALID ALL KNOWN AT '2022-12' WHERE SIMILAR(r, 'Lisbon') AND o.name = 'Lisbon' RETURN r",
            0,
        ),
    ] {
        assert_eq!(asked.ask(query).expect(query).rows.len(), n_rows, "{query}");
    }
}
