//! Holds the naive model to the worked cases and to the groups whose segments are known.

use bygone_engine::time::{Instant, format_instant, parse_moment};
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::{Assertion, Basis, Object};
use bygone_eval::belief::{Stretch, segments};
use bygone_ontology::{Cardinality, Definition, TemporalKind};
use serde_json::{Value, json};

#[test]
fn random_groups_have_the_segments_that_are_known() {
    let mut failures = Vec::new();
    let mut views = 0;
    for case in lines(include_str!("cases/derive_random.jsonl")) {
        for view in list(&case["views"]) {
            views += 1;
            let mut found = rows(&derive(&case, view));
            let mut expected = list(&view["segments"]).clone();
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
                    Value::Array(found),
                    Value::Array(expected)
                ));
            }
        }
    }
    assert_eq!(views, 2100);
    assert!(failures.is_empty(), "{} of {views} views differ\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn worked_cases_have_the_facts_written_beside_them() {
    let mut failures = Vec::new();
    let mut cases = 0;
    for case in lines(include_str!("cases/derive.jsonl")) {
        cases += 1;
        for view in list(&case["views"]) {
            let facts = facts(derive(&case, view));
            let asked: Vec<Vec<Stretch>> =
                facts.into_iter().filter(|fact| is_asked(fact, &view["valid"])).collect();
            if let Err(problem) = check_facts(&asked, list(&view["facts"])) {
                let found: Vec<Value> = asked.iter().flat_map(|fact| rows(fact)).collect();
                failures.push(format!(
                    "case {} {view}: {problem}\n  found {}",
                    case["case"],
                    Value::Array(found)
                ));
            }
        }
    }
    assert_eq!(cases, 28);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Each fact has its stretches in order, without gaps; facts are sorted by start.
fn facts(stretches: Vec<Stretch>) -> Vec<Vec<Stretch>> {
    let mut facts: Vec<Vec<Stretch>> = Vec::new();
    for stretch in stretches {
        let goes_on = |fact: &&mut Vec<Stretch>| {
            fact.last().is_some_and(|last| last.0 == stretch.0 && last.2 == stretch.1)
        };
        match facts.iter_mut().find(goes_on) {
            Some(fact) => fact.push(stretch),
            None => facts.push(vec![stretch]),
        }
    }
    facts
}

/// Whether a fact holds at the valid instant of a view; absent and `all` ask for every fact.
fn is_asked(fact: &[Stretch], valid: &Value) -> bool {
    match valid.as_str() {
        None | Some("all") => true,
        Some(time) => fact.iter().any(|(_, from, to, _)| *from <= instant(time) && instant(time) < *to),
    }
}

/// A row with a basis is one stretch; a row without one is a whole fact, stated at its start, whatever its stretches.
/// A fifth element, what else is expected of the fact, is not the model's to say.
fn check_facts(facts: &[Vec<Stretch>], expected: &[Value]) -> Result<(), String> {
    let mut expected: Vec<Value> =
        expected.iter().map(|row| Value::Array(list(row).iter().take(4).cloned().collect())).collect();
    for fact in facts {
        let (first, last) = (&fact[0], &fact[fact.len() - 1]);
        let whole = json!([name(&first.0), bound(first.1), bound(last.2), null]);
        let stretches = rows(fact);
        let is_whole = first.3 == Basis::Stated && expected.contains(&whole);
        for row in if is_whole { vec![whole] } else { stretches } {
            match expected.iter().position(|other| *other == row) {
                Some(place) => drop(expected.remove(place)),
                None => return Err(format!("{row} is not expected")),
            }
        }
    }
    match expected.first() {
        Some(missing) => Err(format!("{missing} is missing")),
        None => Ok(()),
    }
}

fn derive(case: &Value, view: &Value) -> Vec<Stretch> {
    let statements = statements(case, view);
    segments(&definition(case), &statements.iter().collect::<Vec<_>>())
}

/// The statements of a case that its view knows, without those of the document it erases.
fn statements(case: &Value, view: &Value) -> Vec<Assertion> {
    let known = view["known"].as_str().map_or(Instant::DISTANT_FUTURE, instant);
    list(&case["assertions"])
        .iter()
        .map(read)
        .filter(|statement| statement.known_at <= known)
        .filter(|statement| case["erase"].as_str() != Some(statement.source.document.as_str()))
        .collect()
}

fn read(line: &Value) -> Assertion {
    let defaults = Defaults { now: instant("2026-01-01"), document: "case".to_owned(), position: 0 };
    read_statement(&line.to_string(), &defaults).expect("the cases are legal statements").assertion
}

fn definition(case: &Value) -> Definition {
    let kind = match case["kind"].as_str() {
        Some("event") => TemporalKind::Event,
        Some("rigid") => TemporalKind::Rigid,
        _ => TemporalKind::State,
    };
    let cardinality = match text(&case["cardinality"]) {
        "many" => Cardinality::Many,
        _ => Cardinality::One,
    };
    bygone_eval::belief::random::definition("case", kind, cardinality)
}

fn rows(stretches: &[Stretch]) -> Vec<Value> {
    let row = |(object, from, to, basis): &Stretch| json!([name(object), bound(*from), bound(*to), basis]);
    stretches.iter().map(row).collect()
}

fn name(object: &Object) -> String {
    match object {
        Object::Entity(entity) => entity.name().to_owned(),
        Object::Text(text) => text.clone(),
        other => other.canonical(),
    }
}

fn bound(instant: Instant) -> Value {
    if instant == Instant::DISTANT_PAST || instant == Instant::DISTANT_FUTURE {
        Value::Null
    } else {
        json!(format_instant(instant))
    }
}

fn instant(text: &str) -> Instant {
    parse_moment(text).expect("the cases hold times").at
}

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("the cases are JSON"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
