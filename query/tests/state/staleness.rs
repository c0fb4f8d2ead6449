//! Stale premises: thirty facts that stand on something that fell, up to three derivations away, and thirty that only look
//! like it, each in three views.
//!
//! `staleness.jsonl` has a case on each line: statements in the wire form, each with a label that premises and paths name it
//! by, and perhaps the space it is said in; the subject and predicate of the one fact that is asked for; and views with the
//! verdict that the contract gives there, and the path to the premise that broke. Where several premises broke, `paths` lists
//! each that may be told. A view is the latest one as of now, 1 June 2026, but for what it says; `recorded` names the last
//! statement that was recorded.

use std::collections::BTreeMap;

use bygone_engine::store::{Recording, Store};
use bygone_engine::time::{Bound, Instant, Period, parse_moment};
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::{EntityRef, Narrowing, RecordedAt, ValidTime, View};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::facts::{Filter, facts};
use serde_json::{Value, json};

use super::desk::at;
use crate::store::store_of;

const NOW: &str = "2026-06-01T00:00:00Z";

/// The statements of a case in a store, by their labels.
struct Told {
    store: Store,
    ontology: std::sync::Arc<Ontology>,
    ids: BTreeMap<String, String>,
    seqs: BTreeMap<String, u64>,
}

fn told(case: &Value) -> Told {
    let (ontology, store) = store_of([], Vec::new(), at("2020"));
    let mut told = Told { store, ontology, ids: BTreeMap::new(), seqs: BTreeMap::new() };
    for (position, statement) in (0..).zip(case["statements"].as_array().expect("statements")) {
        let mut wire = statement.as_object().expect("a statement").clone();
        let label = wire.remove("label").expect("a label").as_str().expect("a text").to_owned();
        let space = wire
            .remove("space")
            .map_or("default".to_owned(), |space| space.as_str().expect("a name").to_owned());
        let premises = wire.get_mut("derived_from").and_then(Value::as_array_mut);
        for premise in premises.into_iter().flatten() {
            // One that is named before it is said is named by its id.
            let name = premise.as_str().expect("a label");
            *premise = json!(told.ids.get(name).cloned().unwrap_or_else(|| sent_id(case, name)));
        }
        let defaults = Defaults { now: at(NOW), document: "case".to_owned(), position };
        let line = Value::Object(wire).to_string();
        let read = read_statement(&line, &defaults).unwrap_or_else(|error| panic!("{line}: {error}"));
        told.ids.insert(label.clone(), read.assertion.id.to_string());
        let space = told.store.space(&space, true).expect("a space");
        let recording = Recording {
            episodes: vec![read.episode],
            assertions: vec![read.assertion],
            ..Recording::default()
        };
        space.record(recording, at(NOW)).expect("recorded");
        told.seqs.insert(label, space.snapshot().last_seq().expect("a number"));
    }
    told
}

fn sent_id(case: &Value, label: &str) -> String {
    let statements = case["statements"].as_array().into_iter().flatten();
    let sent = statements.filter(|statement| statement["label"] == label).find_map(|it| it["id"].as_str());
    sent.unwrap_or(label).to_owned()
}

fn valid(text: Option<&str>) -> ValidTime {
    match text {
        None => ValidTime::At(at(NOW)),
        Some("all") => ValidTime::All,
        Some(text) => match text.split_once("..") {
            None => ValidTime::At(at(text)),
            Some((from, to)) => {
                let bound = |text: &str| Bound::At(parse_moment(text).expect(text));
                ValidTime::During(Period::new(bound(from), bound(to)).expect(text))
            }
        },
    }
}

/// What is answered in a view: the verdict, and the path by its labels.
fn answered(told: &Told, of: &Value, view: &Value) -> (String, Vec<String>) {
    let request = Request {
        view: View {
            known: view["known"].as_str().map_or(Instant::DISTANT_FUTURE, at),
            recorded: view["recorded"]
                .as_str()
                .map_or(RecordedAt::Latest, |label| RecordedAt::Seq(told.seqs[label])),
            narrowing: Narrowing {
                session: view["session"].as_str().map(str::to_owned),
                ..Narrowing::default()
            },
        },
        valid: valid(view["valid"].as_str()),
        ..Request::present(at(NOW))
    };
    let space = told.store.space("default", true).expect("a space");
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&request.view).expect("a view");
    let filter = Filter {
        subject: Some(EntityRef::parse(of[0].as_str().expect("a subject")).expect("an entity")),
        predicate: Some(of[1].as_str().expect("a predicate").to_owned()),
        ..Filter::default()
    };
    let rows = facts(&seen, &told.ontology, &request, &filter).expect("facts");
    let [row] = rows.as_slice() else { return (format!("{} facts", rows.len()), Vec::new()) };
    let label =
        |id: String| told.ids.iter().find(|(_, of)| **of == id).map_or(id, |(label, _)| label.clone());
    (row.verdict.name().to_owned(), row.broken_path.iter().map(|id| label(id.to_string())).collect())
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().expect("a label").to_owned()).collect()
}

#[test]
fn a_fact_is_stale_where_everything_it_rests_on_fell_and_nowhere_else() {
    let cases: Vec<Value> = include_str!("staleness.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect();
    let mut n_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &cases {
        let must_be = case["must_be"].as_str().expect("what it must be");
        *n_of.entry(must_be).or_default() += 1;
        let views = case["views"].as_array().expect("views");
        assert_eq!(views.len(), 3, "{}", case["case"]);
        let is_stale = views.iter().any(|view| view["verdict"] == "stale_premise");
        assert_eq!(is_stale, must_be == "stale", "{}", case["case"]);
        let told = told(case);
        for view in views {
            let (verdict, path) = answered(&told, &case["of"], view);
            let paths = view["paths"]
                .as_array()
                .map_or_else(|| vec![texts(&view["path"])], |paths| paths.iter().map(texts).collect());
            if view["verdict"] != verdict.as_str() || !paths.contains(&path) {
                wrong.push(format!("{}: {view}: answered {verdict} {path:?}", case["case"]));
            }
        }
    }
    assert_eq!(n_of, BTreeMap::from([("fresh", 30), ("stale", 30)]));
    assert!(wrong.is_empty(), "{} of 180 are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
