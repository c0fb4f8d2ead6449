//! Requests that are none: each is refused or answered, whatever it has, and the store stays sound.

use bygone_query::interface::{InterfaceError, Scope, call, operations};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{now, sound, store};

/// Every key that a request or a part of one has.
const KEYS: [&str; 59] = [
    "key",
    "entries",
    "summary",
    "data",
    "folded_from",
    "project_key",
    "session_id",
    "subpath",
    "as_of",
    "known",
    "recorded",
    "from",
    "to",
    "limit",
    "after",
    "subkeys",
    "thread_id",
    "checkpoint_ns",
    "checkpoint_id",
    "parent_id",
    "checkpoint",
    "type",
    "base64",
    "metadata",
    "run_id",
    "channel_versions",
    "values",
    "channel",
    "version",
    "value",
    "task_id",
    "task_path",
    "writes",
    "idx",
    "before",
    "filter",
    "channels",
    "run_ids",
    "source_thread_id",
    "target_thread_id",
    "thread_ids",
    "strategy",
    "ops",
    "put",
    "get",
    "search",
    "list_namespaces",
    "namespace",
    "command",
    "path",
    "file_text",
    "old_str",
    "new_str",
    "insert_line",
    "insert_text",
    "old_path",
    "new_path",
    "view_range",
    "text",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop_oneof![Just(0_i64), Just(1), Just(-1), Just(i64::MAX), any::<i64>()].prop_map(Value::from),
        Just(json!(u64::MAX)),
        any::<f64>().prop_map(Value::from),
        prop_oneof![
            "",
            "a",
            "s",
            "YQ==",
            "delete",
            "view",
            "create",
            "insert",
            "rename",
            "/memories",
            "/memories/a",
            "/memories/a/b",
            "2026-03-01",
            "9999-12-31",
            "\u{0}",
            "\u{1f600}.*",
            "x{0,6}"
        ]
        .prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let key =
        prop_oneof![9 => proptest::sample::select(&KEYS[..]).prop_map(str::to_owned), 1 => "[a-z]{0,3}"];
    leaf().prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            4 => proptest::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A request that is answered, for each operation.
fn whole(interface: &str, name: &str) -> Value {
    let key = json!({"project_key": "a", "session_id": "s"});
    let typed = json!({"type": "a", "base64": "YQ=="});
    match (interface, name) {
        ("session-store", "append") => json!({
            "key": key,
            "entries": [{"uuid": "a", "n": 1}, {"n": 2}],
            "summary": {"data": {"a": 1}, "folded_from": 0},
        }),
        ("session-store", "list_sessions" | "list_session_summaries") => {
            json!({"project_key": "a", "after": "a", "limit": 2, "as_of": {"known": "2026-03-01", "recorded": 1}})
        }
        ("session-store", "load") => json!({"key": key, "from": 1, "limit": 1, "as_of": {"recorded": 1}}),
        ("session-store", "list_subkeys") => json!({"key": key, "after": "a", "limit": 1}),
        ("session-store", "fork") => {
            json!({"from": key, "to": {"project_key": "a", "session_id": "b"}, "entries": 1, "subkeys": true})
        }
        ("session-store", _) => json!({"key": key}),
        ("langgraph/checkpoints", "put") => json!({
            "thread_id": "a",
            "checkpoint_ns": "",
            "checkpoint_id": "1",
            "parent_id": "0",
            "checkpoint": typed,
            "metadata": {"run_id": "a", "counters_since_delta_snapshot": {"a": [1, 1]}},
            "channel_versions": {"a": 1},
            "values": [{"channel": "a", "version": 1, "value": typed}],
        }),
        ("langgraph/checkpoints", "put_writes") => json!({
            "thread_id": "a",
            "checkpoint_id": "1",
            "task_id": "a",
            "task_path": "a",
            "writes": [{"idx": 0, "channel": "a", "value": typed}],
        }),
        ("langgraph/checkpoints", "list") => json!({
            "thread_id": "a",
            "before": "2",
            "filter": {"run_id": "a"},
            "limit": 1,
            "after": {"thread_id": "a", "checkpoint_ns": "", "checkpoint_id": "2"},
        }),
        ("langgraph/checkpoints", "delta_history") => json!({"thread_id": "a", "channels": ["a"]}),
        ("langgraph/checkpoints", "delete_for_runs") => json!({"run_ids": ["a"]}),
        ("langgraph/checkpoints", "copy_thread") => json!({"source_thread_id": "a", "target_thread_id": "b"}),
        ("langgraph/checkpoints", "prune") => json!({"thread_ids": ["a"], "strategy": "keep_latest"}),
        ("langgraph/checkpoints", _) => json!({"thread_id": "a"}),
        ("langgraph/store", "batch" | "read") => json!({"ops": [
            {"put": {"namespace": ["a"], "key": "k", "value": {"a": 1}, "index": ["a"], "ttl": 1.5}},
            {"get": {"namespace": ["a"], "key": "k"}},
            {"search": {"namespace_prefix": ["a"], "filter": {"a": {"$gt": 0}}, "limit": 2, "offset": 1}},
            {"list_namespaces": {"match_conditions": [{"match_type": "prefix", "path": ["*"]}], "max_depth": 1}},
        ]}),
        ("langgraph/store", "sweep") => json!({}),
        ("langgraph/store", _) => json!({"namespace": ["a"], "key": "k"}),
        ("memory-tool", "run") => {
            json!({"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "x"})
        }
        ("memory-tool", "view") => {
            json!({"path": "/memories/a", "view_range": [1, -1], "as_of": {"known": "2026-03-01", "recorded": 1}})
        }
        ("memory-tool", _) => json!({"path": "/memories/a"}),
        ("mem0", _) => json!({"memory_ids": ["a"], "user_id": "a", "run_id": "b"}),
        (_, _) => panic!("{interface}/{name} has no request here: add one"),
    }
}

/// Puts something else in one place of a value, which is counted down to.
fn with(value: &mut Value, place: &mut usize, other: &Value) {
    if *place == 0 {
        *value = other.clone();
    }
    *place = place.wrapping_sub(1);
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| with(value, place, other)),
        Value::Object(fields) => fields.values_mut().for_each(|value| with(value, place, other)),
        _ => {}
    }
}

fn is_answer_or_refusal(told: Result<impl Sized, InterfaceError>) -> Result<(), String> {
    match told {
        Err(error) if error.status() >= 500 => Err(error.to_string()),
        _ => Ok(()),
    }
}

#[test]
fn a_whole_request_is_answered() {
    let (store, _) = store();
    let space = store.space("default", false).expect("a space");
    for (interface, name, scope) in operations() {
        let body = whole(interface, name).to_string();
        if name == "fork" {
            // What it forks was deleted just before.
            let append = whole(interface, "append").to_string();
            call(&space, now(), None, (interface, "append"), append.as_bytes()).expect("appended");
        }
        let told = call(&space, now(), None, (interface, name), body.as_bytes());
        let is_refused = (interface, name) == ("langgraph/store", "read");
        assert_eq!(
            told.is_err(),
            is_refused,
            "{interface}/{name} {scope:?}: {:?}",
            told.err().map(|error| error.to_string())
        );
    }
    sound(&store);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_asked_for_is_answered_or_refused(
        others in proptest::collection::vec((0_usize..24, value()), 24),
        loose in value(),
    ) {
        let (store, _) = store();
        let space = store.space("default", false).expect("a space");
        let kept = operations().filter(|(_, _, scope)| *scope != Scope::Erase);
        for ((interface, name, _), (place, other)) in kept.zip(&others) {
            let mut body = whole(interface, name);
            with(&mut body, &mut place.clone(), other);
            for body in [&body, &loose] {
                let told = call(&space, now(), None, (interface, name), body.to_string().as_bytes());
                let told = is_answer_or_refusal(told);
                prop_assert!(told.is_ok(), "{interface}/{name} {body}: {told:?}");
            }
        }
        let faults = space.verify().expect("a check").faults;
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }
}

#[test]
fn what_is_too_deep_or_no_number_is_refused_where_it_would_have_to_be_read() {
    let (store, _) = store();
    let space = store.space("default", false).expect("a space");
    let deep = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    for odd in [deep.as_str(), "{\"a\":1e400}"] {
        let put = format!(r#"{{"ops":[{{"put":{{"namespace":["a"],"key":"k","value":{odd}}}}}]}}"#);
        let told = call(&space, now(), None, ("langgraph/store", "batch"), put.as_bytes());
        assert_eq!(told.expect_err("it is refused").code(), "invalid_request");
        let put = format!(
            r#"{{"thread_id":"t","checkpoint_id":"1","checkpoint":{{"type":"a","base64":""}},"metadata":{odd}}}"#
        );
        let told = call(&space, now(), None, ("langgraph/checkpoints", "put"), put.as_bytes());
        assert_eq!(told.expect_err("it is refused").code(), "invalid_request");
        // Entries are nobody's business, and come back as they are.
        let append = format!(r#"{{"key":{{"project_key":"p","session_id":"s"}},"entries":[{odd}]}}"#);
        call(&space, now(), None, ("session-store", "append"), append.as_bytes()).expect("appended");
    }
    let load = json!({"key": {"project_key": "p", "session_id": "s"}}).to_string();
    let told = call(&space, now(), None, ("session-store", "load"), load.as_bytes()).expect("loaded");
    assert!(told.get().contains(&deep) && told.get().contains("1e400"));
    sound(&store);
}

#[test]
fn every_operation_is_documented() {
    let page = include_str!("../../../docs/interfaces.md");
    for (interface, name, _) in operations() {
        let section = page.split("\n## ").find(|section| section.starts_with(&format!("`{interface}`")));
        let rows = section.unwrap_or_else(|| panic!("{interface} has no section"));
        assert!(rows.contains(&format!("| `{name}` |")), "{interface}/{name} has no row");
    }
}
