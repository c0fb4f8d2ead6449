//! LangGraph's items: batches, filters, namespaces, lives, and what an item was.

use bygone_engine::backend::{Backend, Table};
use bygone_engine::store::Store;
use bygone_engine::time::Instant;
use bygone_query::interface::call;
use serde_json::{Value, json};

use super::{ask, at, now, refused, sound, store};

fn moment(text: &Value) -> Instant {
    at(text.as_str().expect("a time"))
}

fn batch(store: &Store, ops: &[Value]) -> Value {
    ask(store, "langgraph/store", "batch", &json!({"ops": ops}))
}

fn put(store: &Store, namespace: &[&str], key: &str, value: &Value) {
    let op = json!({"put": {"namespace": namespace, "key": key, "value": value}});
    assert_eq!(batch(store, &[op]), json!([null]));
}

fn get(store: &Store, namespace: &[&str], key: &str) -> Value {
    batch(store, &[json!({"get": {"namespace": namespace, "key": key}})])[0].take()
}

fn keys(store: &Store, search: &Value) -> Vec<String> {
    let found = batch(store, &[json!({"search": search})]);
    let rows = found[0].as_array().expect("rows").iter();
    rows.map(|row| row["key"].as_str().expect("a key").to_owned()).collect()
}

#[test]
fn an_item_is_what_was_put_last_and_stays_what_it_was() {
    let (store, _) = store();
    assert_eq!(get(&store, &["a"], "k"), Value::Null);
    put(&store, &["a"], "k", &json!({"n": 1}));
    put(&store, &["a"], "k", &json!({"n": 2}));
    put(&store, &["a"], "k", &json!({"n": 2}));
    let item = get(&store, &["a"], "k");
    assert_eq!(
        (&item["namespace"], &item["key"], &item["value"]),
        (&json!(["a"]), &json!("k"), &json!({"n": 2}))
    );
    assert!(moment(&item["created_at"]) < moment(&item["updated_at"]), "{item}");
    put(&store, &["a"], "k", &Value::Null);
    assert_eq!(get(&store, &["a"], "k"), Value::Null);
    let past = ask(&store, "langgraph/store", "history", &json!({"namespace": ["a"], "key": "k"}));
    let values: Vec<&Value> = past.as_array().expect("rows").iter().map(|row| &row["value"]).collect();
    assert_eq!(values, [&json!({"n": 1}), &json!({"n": 2}), &Value::Null]);
    for row in past.as_array().expect("rows") {
        let op = json!({"get": {"namespace": ["a"], "key": "k", "as_of": {"recorded": row["recorded"]}}});
        assert_eq!(batch(&store, &[op])[0]["value"], row["value"]);
    }
    sound(&store);
}

#[test]
fn a_batch_reads_what_was_there_before_it_and_puts_all_at_once() {
    let (store, _) = store();
    put(&store, &["a"], "k", &json!({"n": 1}));
    let last_seq =
        || store.space("default", false).expect("a space").snapshot().last_seq().expect("a number");
    let seq = last_seq();
    let told = batch(
        &store,
        &[
            json!({"put": {"namespace": ["a"], "key": "k", "value": {"n": 2}}}),
            json!({"put": {"namespace": ["a"], "key": "l", "value": {"n": 3}}}),
            json!({"put": {"namespace": ["a"], "key": "l", "value": {"n": 4}}}),
            json!({"get": {"namespace": ["a"], "key": "k"}}),
            json!({"search": {"namespace_prefix": []}}),
            json!({"list_namespaces": {}}),
        ],
    );
    assert_eq!(
        (&told[3]["value"], told[4].as_array().map(Vec::len), &told[5]),
        (&json!({"n": 1}), Some(1), &json!([["a"]]))
    );
    assert_eq!(last_seq(), seq + 1);
    assert_eq!(get(&store, &["a"], "l")["value"], json!({"n": 4}));
    let ops = json!({"ops": [{"put": {"namespace": ["a"], "key": "k", "value": null}}]});
    assert_eq!(refused(&store, "langgraph/store", "read", &ops).0, "invalid_request");
    let ops = json!({"ops": [{"get": {"namespace": ["a"], "key": "k"}}]});
    assert_eq!(ask(&store, "langgraph/store", "read", &ops)[0]["value"], json!({"n": 2}));
    assert_eq!(last_seq(), seq + 1, "reading writes nothing");
}

#[test]
fn items_are_found_within_a_namespace_by_what_their_values_have() {
    let (store, _) = store();
    for (namespace, key, value) in [
        (&["a"][..], "1", json!({"n": 1})),
        (&["a", "b"], "2", json!({"n": 2, "o": {"p": "x"}})),
        (&["a", "b", "c"], "3", json!({"n": 3})),
        (&["ab"], "4", json!({"n": 4})),
        (&["b", "a"], "5", json!({"n": 5})),
    ] {
        put(&store, namespace, key, &value);
    }
    for (search, expected) in [
        (json!({}), vec!["1", "2", "3", "4", "5"]),
        (json!({"namespace_prefix": ["a"]}), vec!["1", "2", "3"]),
        (json!({"namespace_prefix": ["a", "b"]}), vec!["2", "3"]),
        (json!({"namespace_prefix": ["c"]}), vec![]),
        (json!({"filter": {"n": {"$gt": 1, "$lte": 4}}}), vec!["2", "3", "4"]),
        (json!({"filter": {"o": {"p": "x"}}}), vec!["2"]),
        (json!({"limit": 2, "offset": 1}), vec!["2", "3"]),
        (json!({"filter": {"n": {"$ne": 2}}, "limit": 2, "offset": 1}), vec!["3", "4"]),
    ] {
        assert_eq!(keys(&store, &search), expected, "{search}");
    }
    let namespaces = |body: Value| batch(&store, &[json!({"list_namespaces": body})])[0].take();
    let prefix = |path: Value| json!({"match_conditions": [{"match_type": "prefix", "path": path}]});
    let suffix = |path: Value| json!({"match_conditions": [{"match_type": "suffix", "path": path}]});
    for (body, expected) in [
        (json!({}), json!([["a"], ["a", "b"], ["a", "b", "c"], ["ab"], ["b", "a"]])),
        (prefix(json!(["a", "*"])), json!([["a", "b"], ["a", "b", "c"]])),
        (suffix(json!(["a"])), json!([["a"], ["b", "a"]])),
        (suffix(json!(["b", "*"])), json!([["a", "b", "c"], ["b", "a"]])),
        (json!({"max_depth": 1}), json!([["a"], ["ab"], ["b"]])),
        (json!({"limit": 2, "offset": 1}), json!([["a", "b"], ["a", "b", "c"]])),
    ] {
        assert_eq!(namespaces(body.clone()), expected, "{body}");
    }
}

#[test]
fn an_item_lives_as_long_as_it_is_asked_for() {
    let (store, _) = store();
    let space = store.space("default", false).expect("a space");
    let doing = |minutes: &str, name: &str, body: Value| -> Value {
        let now = at(&format!("2026-03-01T12:{minutes}:00Z"));
        let answer = call(&space, now, None, ("langgraph/store", name), body.to_string().as_bytes());
        serde_json::from_str(answer.expect("an answer").get()).expect("JSON")
    };
    let op = |name: &str, body: Value| json!({"ops": [{name: body}]});
    let seen = |minutes: &str, refresh: bool| {
        let told =
            doing(minutes, "batch", op("search", json!({"namespace_prefix": ["a"], "refresh_ttl": refresh})));
        told[0].as_array().expect("rows").len()
    };
    doing("00", "batch", op("put", json!({"namespace": ["a"], "key": "k", "value": {"n": 1}, "ttl": 10})));
    assert_eq!((seen("09", false), seen("11", false)), (1, 0));
    assert_eq!(seen("09", true), 1);
    assert_eq!((seen("18", false), seen("20", false)), (1, 0));
    let get =
        |minutes: &str| doing(minutes, "batch", op("get", json!({"namespace": ["a"], "key": "k"})))[0].take();
    assert_eq!(get("18")["value"], json!({"n": 1}));
    assert_eq!((seen("27", false), get("29")), (1, Value::Null));
    let namespaces = doing("29", "read", op("list_namespaces", json!({})));
    assert_eq!(namespaces[0], json!([]));
    // What ran out begins anew, and without an end where none is given.
    doing("30", "batch", op("put", json!({"namespace": ["a"], "key": "k", "value": {"n": 2}})));
    assert_eq!(get("59")["created_at"], "2026-03-01T12:30:00Z");
    doing("30", "batch", op("put", json!({"namespace": ["a"], "key": "l", "value": {}, "ttl": 1})));
    assert_eq!(doing("30", "sweep", json!({}))["swept"], 0);
    assert_eq!(doing("40", "sweep", json!({}))["swept"], 1);
    assert_eq!(space.stats().expect("counts").documents, 1);
    for ttl in [json!(0), json!(-1), json!(1e300)] {
        let body = op("put", json!({"namespace": ["a"], "key": "k", "value": {}, "ttl": ttl}));
        assert_eq!(refused(&store, "langgraph/store", "batch", &body).0, "invalid_request");
    }
    sound(&store);
}

#[test]
fn items_are_ranked_by_meaning_where_a_text_is_given() {
    let (store, _) = store();
    let ops: Vec<Value> = [
        ("bread", json!({"text": "a recipe for bread"}), Value::Null),
        ("bike", json!({"text": "how to repair a bicycle"}), Value::Null),
        ("list", json!({"parts": [{"t": "the weather"}, {"t": "mending a bike"}]}), json!(["parts[*].t"])),
        ("hidden", json!({"text": "mending a bike"}), json!(false)),
    ]
    .into_iter()
    .map(|(key, value, index)| json!({"put": {"namespace": ["a"], "key": key, "value": value, "index": index}}))
    .collect();
    batch(&store, &ops);
    let search = json!({"search": {"namespace_prefix": ["a"], "query": "mending a bike"}});
    let found = batch(&store, &[search]);
    let rows = found[0].as_array().expect("rows");
    let order: Vec<&str> = rows.iter().map(|row| row["key"].as_str().expect("a key")).collect();
    assert_eq!(order, ["list", "bike", "bread", "hidden"]);
    assert!(rows[0]["score"].as_f64() > Some(0.99) && rows[3].get("score").is_none(), "{rows:?}");
}

#[test]
fn of_items_that_are_erased_nothing_is_left() {
    let (store, memory) = store();
    put(&store, &["a"], "k", &json!({"text": "a secret of a"}));
    put(&store, &["a"], "k", &Value::Null);
    put(&store, &["a", "b"], "k", &json!({"text": "a secret of b"}));
    put(&store, &["c"], "k", &json!({"text": "what is kept"}));
    let erased = ask(&store, "langgraph/store", "erase", &json!({"namespace": ["a"]}));
    assert_eq!((&erased["documents"], &erased["found"]), (&2.into(), &json!([])));
    let image = memory.snapshot();
    let rows = image.scan_prefix(Table::Documents, b"").map(|pair| pair.expect("a row").1);
    assert_eq!(rows.filter(|value| String::from_utf8_lossy(value).contains("secret")).count(), 0);
    drop(image);
    assert_eq!(keys(&store, &json!({})), ["k"]);
    assert!(now() > at("2026-01-01"));
    sound(&store);
}

#[test]
fn what_is_no_item_is_refused_by_what_is_wrong() {
    let (store, _) = store();
    for (op, told) in [
        (json!({"put": {"namespace": [], "key": "k", "value": {}}}), "namespace is empty"),
        (json!({"put": {"namespace": ["a.b"], "key": "k", "value": {}}}), "label"),
        (json!({"put": {"namespace": [""], "key": "k", "value": {}}}), "label"),
        (json!({"put": {"namespace": ["a"], "key": "k", "value": 7}}), "is no object"),
        (json!({"put": {"namespace": ["a"], "key": "k", "value": []}}), "is no object"),
        (json!({"get": {"namespace": ["a"]}}), "key"),
        (json!({"search": {"filter": {"a": {"$in": []}}}}), "$in"),
        (json!({"drop": {}}), "drop"),
    ] {
        if told == "$in" {
            put(&store, &["a"], "k", &json!({"a": 1}));
        }
        let (code, words) = refused(&store, "langgraph/store", "batch", &json!({"ops": [op]}));
        assert!(code == "invalid_request" && words.contains(told), "{told}: {words}");
    }
}
