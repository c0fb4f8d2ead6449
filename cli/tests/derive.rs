//! Derivation through the commands: the worked cases and the groups whose segments are known, over a store on disk.

use crate::support::{Bench, cases, list};
use serde_json::{Value, json};

#[test]
fn worked_cases_have_the_facts_written_beside_them() {
    let mut bench = Bench::new();
    let mut failures = Vec::new();
    let cases = cases("derive.jsonl");
    for case in &cases {
        let space = space_of(case);
        bench.assert_lines(&space, &lines(list(&case["assertions"])));
        if let Some(session) = case["erase"].as_str() {
            bench.done(&["erase", "--session", session, "--space", &space]);
        }
        for view in list(&case["views"]) {
            let facts = facts(&mut bench, &space, view, &[]);
            if let Err(problem) = check_facts(&facts, list(&view["facts"])) {
                let found = json!(facts);
                failures.push(format!("case {} {view}: {problem}\n  found {found}", case["case"]));
            }
        }
        bench.done(&["verify", "--space", &space]);
    }
    assert_eq!(cases.len(), 28);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn random_groups_have_the_segments_that_are_known() {
    let mut bench = Bench::new();
    let cases = cases("derive_random.jsonl");
    let statements: Vec<Value> = cases.iter().flat_map(|case| list(&case["assertions"])).cloned().collect();
    bench.assert_lines("default", &lines(&statements));
    let mut failures = Vec::new();
    let mut views = 0;
    for case in &cases {
        let subject = case["assertions"][0]["subject"].as_str().expect("a subject");
        for view in list(&case["views"]) {
            views += 1;
            let facts = facts(&mut bench, "default", view, &["--subject", subject]);
            let mut found: Vec<Value> = facts.iter().flat_map(stretches).collect();
            let mut expected = list(&view["segments"]).to_vec();
            for rows in [&mut found, &mut expected] {
                rows.sort_by_key(Value::to_string);
            }
            if found != expected {
                failures.push(format!(
                    "group {} ({}, {}) known {}\n  found    {}\n  expected {}",
                    case["group"],
                    case["style"],
                    case["cardinality"],
                    view["known"],
                    json!(found),
                    json!(expected)
                ));
            }
        }
    }
    assert_eq!((cases.len(), views), (700, 2100));
    assert!(failures.is_empty(), "{} of {views} views differ\n{}", failures.len(), failures.join("\n"));
    bench.done(&["verify"]);
}

#[test]
fn order_and_batches_change_no_byte_of_any_view() {
    let statements = statements_of_the_first_twelve();
    let mut known: Vec<String> = statements
        .iter()
        .map(|statement| statement["known_at"].as_str().expect("a time").to_owned())
        .collect();
    known.sort();
    known.dedup();
    let statements = lines(&statements);
    let n_statements = statements.len();

    // Each order with a size of batches.
    let mut arrivals = vec![(statements.clone(), n_statements)];
    let mut reversed = statements.clone();
    reversed.reverse();
    arrivals.push((reversed, 1));
    for (seed, batch) in [(1, 1), (2, 2), (3, 7), (4, n_statements)] {
        let mut shuffled = statements.clone();
        shuffle(&mut shuffled, seed);
        arrivals.push((shuffled, batch));
    }

    let mut first: Option<Vec<String>> = None;
    for (order, batch) in arrivals {
        let mut bench = Bench::new();
        for lines in order.chunks(batch) {
            bench.assert_lines("default", lines);
        }
        let mut views = vec![bench.done(&["facts", "--valid", "all", "--json"]).output];
        for known in &known {
            let view = bench.done(&["facts", "--valid", "all", "--known", known, "--json"]);
            views.push(view.output);
        }
        views.push(bench.export("default"));
        match &first {
            None => {
                assert!(views.iter().all(|view| !view.is_empty()));
                first = Some(views);
            }
            Some(first) => {
                for (view, expected) in views.iter().zip(first) {
                    assert_eq!(view, expected, "in batches of {batch}");
                }
            }
        }
    }
}

/// The statements of cases 1 to 12, all about one Alice, and once more about an Alice for each case.
fn statements_of_the_first_twelve() -> Vec<Value> {
    let mut statements = Vec::new();
    for case in cases("derive.jsonl") {
        let name = case["case"].as_str().expect("a name");
        let number: String = name.chars().take_while(char::is_ascii_digit).collect();
        if number.parse::<u32>().expect("cases are numbered") > 12 {
            continue;
        }
        for statement in list(&case["assertions"]) {
            statements.push(statement.clone());
            let mut own = statement.clone();
            own["subject"] = json!(format!("person:Alice of case {name}"));
            statements.push(own);
        }
    }
    assert!(statements.len() > 50, "{} statements", statements.len());
    statements
}

/// Shuffles by a fixed sequence (Knuth's MMIX generator), so that every run tries the same orders.
fn shuffle(lines: &mut [String], seed: u64) {
    let mut state = seed;
    for last in (1..lines.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let choice = usize::try_from(state >> 33).expect("31 bits");
        lines.swap(last, choice % (last + 1));
    }
}

/// A space of the case's own: `case-2--the-month`.
fn space_of(case: &Value) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name = case["case"].as_str().expect("a name");
    format!("case-{}", name.chars().map(fit).collect::<String>())
}

fn lines(statements: &[Value]) -> Vec<String> {
    statements.iter().map(Value::to_string).collect()
}

/// Returns the facts in a case's view.
fn facts(bench: &mut Bench, space: &str, view: &Value, filter: &[&str]) -> Vec<Value> {
    let mut words = vec!["facts", "--json", "--space", space];
    words.extend(["--valid", view["valid"].as_str().unwrap_or("all")]);
    for (option, key) in [("--known", "known"), ("--now", "now")] {
        if let Some(time) = view[key].as_str() {
            words.extend([option, time]);
        }
    }
    words.extend(filter);
    bench.done(&words).rows()
}

/// Returns a fact's segments as `[object, from, to, basis]`; they must fill it without gaps.
fn stretches(fact: &Value) -> Vec<Value> {
    let mut reached = &fact["from"];
    let mut rows = Vec::new();
    for segment in list(&fact["segments"]) {
        assert_eq!(reached, &segment["from"], "{fact}");
        reached = &segment["to"];
        rows.push(json!([name(fact), segment["from"], segment["to"], segment["basis"]]));
    }
    assert_eq!(reached, &fact["to"], "{fact}");
    rows
}

fn name(fact: &Value) -> String {
    match (&fact["object"]["entity"], &fact["object"]["text"]) {
        (Value::String(entity), _) => entity.split_once(':').expect("a type").1.to_owned(),
        (_, Value::String(text)) => text.clone(),
        _ => fact["object"].to_string(),
    }
}

/// An expected row with a basis is one stretch; one without is a whole fact, stated at its start, whatever its
/// stretches. A fifth element is what else the fact's row must say.
fn check_facts(facts: &[Value], expected: &[Value]) -> Result<(), String> {
    let mut expected: Vec<&Value> = expected.iter().collect();
    for fact in facts {
        let whole = json!([name(fact), fact["from"], fact["to"], null]);
        let is_stated = fact["segments"][0]["basis"] == "stated";
        let is_whole = is_stated && expected.iter().any(|row| list(row)[..4] == *list(&whole));
        let rows = if is_whole { vec![whole] } else { stretches(fact) };
        for row in rows {
            let place = expected.iter().position(|other| list(other)[..4] == *list(&row));
            let Some(place) = place else {
                return Err(format!("{row} is not expected"));
            };
            if let Some(more) = expected.remove(place).get(4) {
                for (key, value) in more.as_object().expect("an object") {
                    if fact[key] != *value {
                        return Err(format!("{key} of {row} is {}, not {value}", fact[key]));
                    }
                }
            }
        }
    }
    match expected.first() {
        Some(missing) => Err(format!("{missing} is missing")),
        None => Ok(()),
    }
}
