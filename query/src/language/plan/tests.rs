//! Every rule leaves the answer as it is: with it and without it, the same rows come out.

use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::parse_moment;
use bygone_engine::wire::{Defaults, read_statement};
use bygone_ontology::Ontology;

use super::clocks::request;
use super::rules::{RULES, Rule};
use super::{Plan, planned_by};
use crate::language::groups::Groups;
use crate::language::parse;
use crate::language::run::run;
use crate::language::value::Ordered;
use crate::request::Request;

const STATEMENTS: &str = include_str!("../../../tests/ask.jsonl");
const DOCUMENT: &str = include_str!("../../../../docs/query-language.md");

fn store(ontology: &Arc<Ontology>) -> Store {
    let store = Store::open(Box::new(Memory::new()), ontology.clone()).expect("a store");
    let now = parse_moment("2025-12-01").expect("a time").at;
    let mut recording = Recording::default();
    for (position, line) in (0..).zip(STATEMENTS.lines()) {
        let defaults = Defaults { now, document: "test".to_owned(), position };
        let statement = read_statement(line, &defaults).expect(line);
        recording.episodes.push(statement.episode);
        recording.assertions.push(statement.assertion);
    }
    store.space("default", true).expect("a space").record(recording, now).expect("recorded");
    store
}

#[test]
fn rules_change_what_is_looked_at_and_not_what_is_answered() {
    let ontology = Arc::new(Ontology::core());
    let store = store(&ontology);
    let space = store.space("default", false).expect("a space");
    let snapshot = space.snapshot();
    let base = Request::present(parse_moment("2025-12-01T12:00:00Z").expect("a time").at);
    let parameters = [("who", "Ben"), ("when", "2022")].map(|(name, value)| (name.to_owned(), value.into()));
    let parameters = parameters.into();
    let mut n_compared = 0;
    // Which rows come first is not said where a limit cuts rows that are not sorted.
    for text in DOCUMENT.lines().filter(|line| line.starts_with("MATCH") && !line.contains("LIMIT")) {
        let Ok(query) = parse(text) else { continue };
        let Ok(request) = request(&query, &base, &parameters) else { continue };
        let seen = snapshot.seen(&request.view).expect("a view");
        let groups = Groups::new(&seen);
        let rows = |rules: &[&Rule]| {
            let plan: Plan = planned_by(&query, &groups, &parameters, rules).ok()?;
            let ran = run(&plan, &groups, &ontology, &request).expect(text);
            let mut rows: Vec<Vec<Ordered>> =
                ran.rows.into_iter().map(|row| row.into_iter().map(Ordered).collect()).collect();
            rows.sort();
            Some(rows)
        };
        let Some(plain) = rows(&[]) else { continue };
        assert_eq!(rows(&RULES.iter().collect::<Vec<_>>()).as_ref(), Some(&plain), "{text}");
        for rule in &RULES {
            assert_eq!(rows(&[rule]).as_ref(), Some(&plain), "{}: {text}", rule.name);
        }
        n_compared += 1;
    }
    assert!(n_compared > 60, "{n_compared}");
}
