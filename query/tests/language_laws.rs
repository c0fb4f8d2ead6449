//! What holds of every text and every query: no text makes reading panic, a printed query reads back the same, and the schema
//! describes what is accepted.

use std::sync::{Arc, LazyLock};

use bygone_engine::store::Store;
use bygone_engine::time::{Instant, parse_moment};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::language::ast::{
    Aggregate, Amount, Between, Column, Direction, Equal, Expression, Hops, Link, Literal, Node, Operator,
    Parameter, Pattern, Place, Query, Recorded, Relationship, Sort, Time, Valid, Word,
};
use bygone_query::language::{Parameters, Value, answer, explain, parse};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::store::store_of;

const SCHEMA: &str = include_str!("../../docs/query.schema.json");

/// What is called something in random queries: types, predicates, columns and parameters.
const NAMES: [&str; 10] =
    ["person", "works_at", "lives_in", "where", "a b", "Ünï", "x1", "NULL", "ends", "any"];

/// One statement a line, in the wire form.
const STATEMENTS: &str = include_str!("ask.jsonl");

/// Pieces of queries, to be put together at random.
const PIECES: &str = "MATCH ( ) (p) (p:person (o) -[ ]-> <-[ ]- -- --> [r:knows*1..3] * .. { } name: 'Anna' \" ' ` , | : . ; \
                      WHERE RETURN DISTINCT ORDER BY SKIP LIMIT p.name r.valid count(*) count( AND OR NOT IN [1, 2] IS NULL \
                      = <> <= >= < > 3 -4 1.5 1e9 BEFORE STARTS WITH DURING VALID AT ALL KNOWN RECORDED HISTORY PLANNED NOW \
                      '2024' $x period( // \\ é 0 AS a b search(t,";

/// A store of a few statements, to be asked.
static ASKED: LazyLock<(Arc<Ontology>, Store)> =
    LazyLock::new(|| store_of(STATEMENTS.lines().take(12), Vec::new(), now()));

fn now() -> Instant {
    parse_moment("2025-12-01").expect("a time").at
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,60}", pieces in vec(piece(), 0..40)) {
        drop(parse(&text).map_err(|error| error.to_string()));
        let text = pieces.join(" ");
        if let Ok(query) = parse(&text) {
            prop_assert_eq!(parse(&query.to_string()), Ok(query));
        }
        let text = format!("MATCH (p)-[r:knows]->(o) {text}");
        if let Err(error) = parse(&text) {
            prop_assert!(error.to_string().len() < 4000);
        }
    }

    #[test]
    fn a_printed_query_reads_back_the_same(query in query()) {
        let json = serde_json::to_value(&query).expect("JSON");
        prop_assert_eq!(serde_json::from_value::<Query>(json.clone()).expect("the same"), query.clone());
        // Of what is put together at random, not everything fits together.
        if Query::from_json(&json).is_ok() {
            let text = query.to_string();
            match parse(&text) {
                Ok(read) => prop_assert_eq!(read, query),
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
    }

    #[test]
    fn no_query_panics(query in query()) {
        let (ontology, store) = &*ASKED;
        let space = store.space("default", false).expect("a space");
        let values = [json!("2024"), json!(7), json!(null), json!(["Anna", 2]), json!({ "a": 1 }), json!("Anna")];
        let parameters: Parameters = NAMES.iter().map(|name| (*name).to_owned()).zip(values.into_iter().cycle()).collect();
        let (snapshot, base) = (space.snapshot(), Request::present(now()));
        if let Ok(answer) = answer(&snapshot, ontology, &base, &query, &parameters) {
            for row in &answer.rows {
                prop_assert_eq!(row.len(), query.columns.len());
                drop((answer.row_json(row), row.iter().map(Value::to_text).collect::<String>()));
            }
        }
        drop(explain(&snapshot, ontology, &base, &query, &parameters, true));
    }

    #[test]
    fn the_schema_fits_what_is_accepted(query in query(), at in any::<prop::sample::Index>(), how in 0..6_usize) {
        let schema: Json = serde_json::from_str(SCHEMA).expect("the schema is JSON");
        let mut json = serde_json::to_value(&query).expect("JSON");
        prop_assert!(fits(&json, &schema, &schema), "{}", json);
        // One thing in it is changed: where the schema says that it fits no more, it is not accepted, and the reverse.
        let mut places = Vec::new();
        pointers(&json, String::new(), &mut places);
        let place = places[at.index(places.len())].clone();
        change(json.pointer_mut(&place).expect("a place"), how);
        let is_accepted = serde_json::from_value::<Query>(json.clone()).is_ok();
        prop_assert_eq!(fits(&json, &schema, &schema), is_accepted, "{} {}", place, json);
    }
}

#[test]
fn long_and_deep_texts_are_refused_or_read_in_time() {
    for text in [
        "(".repeat(60_000),
        format!("MATCH (p) WHERE {} RETURN p", "NOT ".repeat(15_000)),
        format!("MATCH (p) WHERE {} RETURN p", "(".repeat(60_000)),
        format!("MATCH (p) RETURN {}", "[".repeat(60_000)),
        format!("MATCH {}", "(a)-[:b]->".repeat(6_000)),
        format!("MATCH (p) RETURN {}", "p.name, ".repeat(7_000)),
        "'".repeat(60_000),
        "MATCH ".repeat(10_000),
        "x".repeat(70_000),
    ] {
        let error = parse(&text).expect_err("too long or too deep").to_string();
        assert!(error.len() < 1000, "{error}");
    }
    let wide = format!("MATCH (p) WHERE p.name = 'a'{} RETURN p", " OR p.name = 'b'".repeat(3_900));
    assert!(parse(&wide).is_ok());
    let deep = format!("MATCH (p) WHERE {}p.name = 'a'{} RETURN p", "(".repeat(62), ")".repeat(62));
    assert!(parse(&deep).is_ok());
}

#[test]
fn what_is_as_deep_as_may_be_is_so_as_json_too() {
    for (n_lists, is_fine) in [(63, true), (64, false)] {
        let list = (0..n_lists).fold(json!({ "literal": 1 }), |inner, _| json!({ "list": [inner] }));
        let json = json!({ "match": [{ "start": {} }], "return": [{ "value": list, "as": "deep" }] });
        match Query::from_json(&json) {
            Ok(query) => assert!(is_fine && parse(&query.to_string()) == Ok(query)),
            Err(error) => assert!(!is_fine, "{error}"),
        }
        let text = format!("MATCH () RETURN {}1{} AS deep", "[".repeat(n_lists), "]".repeat(n_lists));
        assert_eq!(parse(&text).is_ok(), is_fine, "{text}");
    }
}

fn piece() -> impl Strategy<Value = String> {
    let pieces = PIECES.split(' ').filter(|piece| !piece.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    prop_oneof![20 => proptest::sample::select(pieces), 1 => "\\PC{0,4}"]
}

// Queries, of which about half fit together: the nodes are called p and o, the fact r and the path w.

fn word(text: &str) -> Word {
    Word::new(text)
}

fn name() -> impl Strategy<Value = Word> {
    proptest::sample::select(&NAMES).prop_map(word)
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        Just(Literal::Null),
        any::<bool>().prop_map(Literal::Bool),
        (-i64::MAX..i64::MAX).prop_map(Literal::Whole),
        (-1e12..1e12).prop_map(Literal::Real),
        prop_oneof!["\\PC{0,8}", "[\\x00-\\x7f]{0,6}"].prop_map(|text| Literal::Text(word(&text))),
    ]
}

fn leaf() -> impl Strategy<Value = Expression> {
    let property = |of: &'static str, names: &'static [&'static str]| {
        proptest::sample::select(names)
            .prop_map(move |name| Expression::Property { of: word(of), name: word(name) })
    };
    prop_oneof![
        3 => literal().prop_map(Expression::Literal),
        1 => name().prop_map(Expression::Parameter),
        1 => proptest::sample::select(vec!["p", "o", "r", "w"]).prop_map(|name| Expression::Variable(word(name))),
        2 => property("p", &["name", "type", "aliases"]),
        2 => property("r", &["key", "valid", "verdict", "from"]),
        1 => property("w", &["length", "valid"]),
    ]
}

fn expression() -> impl Strategy<Value = Expression> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let operators: Vec<Operator> = Operator::ALL.iter().map(|(operator, _)| *operator).collect();
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Expression::List),
            vec(inner.clone(), 2..4).prop_map(Expression::And),
            vec(inner.clone(), 2..4).prop_map(Expression::Or),
            boxed.clone().prop_map(Expression::Not),
            boxed.clone().prop_map(Expression::IsNull),
            boxed.clone().prop_map(Expression::IsNotNull),
            (boxed.clone(), proptest::sample::select(operators), boxed)
                .prop_map(|(left, operator, right)| Expression::Compare { left, operator, right }),
            vec(inner.clone(), 1..3)
                .prop_map(|arguments| Expression::Call { function: word("coalesce"), arguments }),
        ]
    })
}

fn column() -> impl Strategy<Value = Expression> {
    let aggregate = (proptest::sample::select(&Aggregate::ALL), any::<bool>(), expression());
    prop_oneof![
        3 => expression(),
        1 => aggregate.prop_map(|(function, distinct, of)| {
            Expression::Aggregate { function, distinct, of: Some(Box::new(of)), place: Place(None) }
        }),
        1 => Just(Expression::Aggregate { function: Aggregate::Count, distinct: false, of: None, place: Place(None) }),
    ]
}

fn parameter() -> impl Strategy<Value = Parameter> {
    name().prop_map(|parameter| Parameter { parameter })
}

fn time() -> impl Strategy<Value = Time> {
    prop_oneof![
        proptest::sample::select(vec!["2024", "2024-03", "2024-03-01", "now", "2024-03-01T10:00:00Z"])
            .prop_map(|text| Time::Text(word(text))),
        parameter().prop_map(Time::Parameter),
    ]
}

fn amount() -> impl Strategy<Value = Amount> {
    let most = u64::try_from(i64::MAX).expect("it is positive");
    prop_oneof![(0..most).prop_map(Amount::Rows), parameter().prop_map(Amount::Parameter)]
}

fn valid() -> impl Strategy<Value = Valid> {
    let between = (of(time()), of(time()), any::<bool>());
    prop_oneof![
        Just(Valid::All),
        time().prop_map(Valid::At),
        between.prop_map(|(from, to, closed)| Valid::During(Between { from, to, closed })),
    ]
}

fn recorded() -> impl Strategy<Value = Recorded> {
    prop_oneof![(0..1000_u64).prop_map(Recorded::Seq), time().prop_map(Recorded::At)]
}

fn equals(property: &'static str) -> impl Strategy<Value = Vec<Equal>> {
    let equal = leaf().prop_map(move |value| Equal { property: word(property), value });
    vec(equal, 0..2)
}

fn node(variable: Option<&'static str>) -> impl Strategy<Value = Node> {
    (vec(name(), 0..3), equals("name")).prop_map(move |(types, properties)| Node {
        variable: variable.map(word),
        types,
        properties,
    })
}

fn relationship(variable: Option<&'static str>, is_path: bool) -> impl Strategy<Value = Relationship> {
    let direction = proptest::sample::select(vec![Direction::Left, Direction::Right, Direction::Either]);
    let hops = (0..4_u32, 0..3_u32).prop_map(|(least, more)| Hops { least, most: least + more });
    let properties = equals(if is_path { "length" } else { "key" });
    (vec(name(), 0..3), hops, properties, direction).prop_map(
        move |(predicates, hops, properties, direction)| Relationship {
            variable: variable.map(word),
            predicates,
            hops: is_path.then_some(hops),
            properties,
            direction,
        },
    )
}

fn query() -> impl Strategy<Value = Query> {
    let links = (relationship(Some("r"), false), node(Some("o")), relationship(Some("w"), true), node(None));
    let pattern = (node(Some("p")), links).prop_map(|(start, (r, o, w, end))| Pattern {
        start,
        links: vec![Link { relationship: r, node: o }, Link { relationship: w, node: end }],
    });
    let patterns = (pattern, vec(node(None), 0..2)).prop_map(|(first, others)| {
        let alone = |start| Pattern { start, links: Vec::new() };
        std::iter::once(first).chain(others.into_iter().map(alone)).collect::<Vec<_>>()
    });
    let clocks = (of(valid()), of(time()), of(recorded()), any::<bool>(), any::<bool>());
    let column = (column(), of(name())).prop_map(|(value, alias)| Column { value, alias });
    let sort = (expression(), any::<bool>()).prop_map(|(by, descending)| Sort { by, descending });
    let output = (any::<bool>(), vec(column, 1..4), vec(sort, 0..2), of(amount()), of(amount()));
    (patterns, clocks, of(expression()), output).prop_map(|(patterns, clocks, condition, output)| {
        let (valid, known, recorded, history, planned) = clocks;
        let (distinct, columns, order, skip, limit) = output;
        Query {
            patterns,
            valid,
            known,
            recorded,
            history,
            planned,
            condition,
            distinct,
            columns,
            order,
            skip,
            limit,
        }
    })
}

// As much of JSON Schema as the schema uses (draft 2020-12).

/// Says whether a value fits a schema; references are looked up in the root.
fn fits(value: &Json, schema: &Json, root: &Json) -> bool {
    let keywords = schema.as_object().expect("a schema is an object");
    keywords.iter().all(|(keyword, rule)| match keyword.as_str() {
        "$ref" => {
            let pointer = rule.as_str().and_then(|text| text.strip_prefix('#')).expect("a reference");
            fits(value, root.pointer(pointer).expect("what is referred to"), root)
        }
        "anyOf" => rule.as_array().expect("schemas").iter().any(|schema| fits(value, schema, root)),
        "enum" => rule.as_array().expect("values").contains(value),
        "type" => match rule.as_str().expect("a type") {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            other => panic!("the type {other}"),
        },
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a number")),
        "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a number")),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| fits(item, rule, root))),
        "required" => value.as_object().is_none_or(|map| {
            rule.as_array()
                .expect("names")
                .iter()
                .all(|name| map.contains_key(name.as_str().expect("a name")))
        }),
        "properties" => value.as_object().is_none_or(|map| {
            let known = rule.as_object().expect("properties");
            map.iter().all(|(name, value)| known.get(name).is_none_or(|schema| fits(value, schema, root)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|map| {
            let known = keywords["properties"].as_object().expect("properties");
            map.keys().all(|name| known.contains_key(name))
        }),
        "$schema" | "$defs" | "title" | "description" => true,
        other => panic!("the keyword {other}"),
    })
}

/// Adds the places within a value, as JSON pointers.
fn pointers(value: &Json, place: String, places: &mut Vec<String>) {
    match value {
        Json::Object(map) => {
            map.iter().for_each(|(name, inner)| pointers(inner, format!("{place}/{name}"), places));
        }
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(nth, item)| pointers(item, format!("{place}/{nth}"), places));
        }
        _ => {}
    }
    places.push(place);
}

/// Changes a value in one way.
fn change(value: &mut Json, how: usize) {
    match (how, &mut *value) {
        (0, Json::Object(map)) => {
            map.insert("colour".to_owned(), json!("red"));
        }
        (1, Json::Object(map)) => {
            let first = map.keys().next().cloned();
            first.and_then(|first| map.remove(&first));
        }
        (2, Json::Array(items)) => items.push(json!({})),
        (3, _) => *value = json!("all"),
        (4, _) => *value = Json::Null,
        _ => *value = json!(7),
    }
}
