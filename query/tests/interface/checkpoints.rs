//! LangGraph's checkpoints: what its own suite asks of a checkpointer, what a thread costs, and what pruning leaves.

use bygone_engine::backend::{Backend, Table};
use bygone_engine::store::Store;
use serde_json::{Value, json};

use super::{ask, refused, sound, store};

fn doing(store: &Store, name: &str, body: &Value) -> Value {
    ask(store, "langgraph/checkpoints", name, body)
}

/// Bytes as a serializer writes them: `YQ==` is `a`.
fn typed(base64: &str) -> Value {
    json!({"type": "msgpack", "base64": base64})
}

struct Checkpoint<'a> {
    thread: &'a str,
    namespace: &'a str,
    id: &'a str,
    parent: Option<&'a str>,
    metadata: Value,
    /// Channels with their versions.
    versions: Value,
    /// Those that are new, with what they hold.
    new: &'a [(&'a str, Option<&'a str>)],
}

impl<'a> Checkpoint<'a> {
    fn new(id: &'a str) -> Checkpoint<'a> {
        Checkpoint {
            thread: "t",
            namespace: "",
            id,
            parent: None,
            metadata: json!({}),
            versions: json!({}),
            new: &[],
        }
    }

    fn put(&self, store: &Store) {
        let value = |(channel, bytes): &(&str, Option<&str>)| json!({"channel": channel, "version": self.versions[channel], "value": bytes.map(typed)});
        let body = json!({
            "thread_id": self.thread,
            "checkpoint_ns": self.namespace,
            "checkpoint_id": self.id,
            "parent_id": self.parent,
            "checkpoint": typed("YQ=="),
            "metadata": self.metadata,
            "channel_versions": self.versions,
            "values": self.new.iter().map(value).collect::<Vec<_>>(),
        });
        assert_eq!(doing(store, "put", &body)["checkpoint_id"], self.id);
    }
}

fn write(store: &Store, id: &str, (task, path): (&str, &str), writes: &[(i64, &str, &str)]) -> Value {
    let row = |(idx, channel, bytes): &(i64, &str, &str)| json!({"idx": idx, "channel": channel, "value": typed(bytes)});
    let body = json!({
        "thread_id": "t",
        "checkpoint_id": id,
        "task_id": task,
        "task_path": path,
        "writes": writes.iter().map(row).collect::<Vec<_>>(),
    });
    doing(store, "put_writes", &body)["written"].take()
}

fn get(store: &Store, id: Option<&str>) -> Value {
    doing(store, "get", &json!({"thread_id": "t", "checkpoint_id": id}))
}

fn ids(store: &Store, body: &Value) -> Vec<String> {
    let listed = doing(store, "list", body);
    let rows = listed["checkpoints"].as_array().expect("rows").iter();
    rows.map(|row| row["checkpoint_id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn a_checkpoint_has_what_its_channels_hold_by_their_versions() {
    let (store, _) = store();
    assert_eq!(get(&store, None), Value::Null);
    let versions = json!({"a": 1, "b": "1", "e": 1.5});
    let new: &[_] = &[("a", Some("YWE=")), ("b", Some("YmI=")), ("e", None)];
    Checkpoint { versions, new, metadata: json!({"step": 0, "source": "input"}), ..Checkpoint::new("1") }
        .put(&store);
    let versions = json!({"a": 2, "b": "1"});
    let new: &[_] = &[("a", Some("eA=="))];
    Checkpoint { versions, new, parent: Some("1"), ..Checkpoint::new("2") }.put(&store);
    let first = get(&store, Some("1"));
    let value = |channel: &str, bytes: &str| json!({"channel": channel, "value": typed(bytes)});
    assert_eq!(first["values"], json!([value("a", "YWE="), value("b", "YmI=")]));
    assert_eq!(
        (&first["metadata"], &first["parent_id"]),
        (&json!({"step": 0, "source": "input"}), &Value::Null)
    );
    let latest = get(&store, None);
    assert_eq!((&latest["checkpoint_id"], &latest["parent_id"]), (&json!("2"), &json!("1")));
    assert_eq!(latest["values"], json!([value("a", "eA=="), value("b", "YmI=")]));
    assert_eq!(latest["checkpoint"], typed("YQ=="));
    assert_eq!(get(&store, Some("3")), Value::Null);
    // A text and a number are two versions.
    Checkpoint { versions: json!({"b": 1}), ..Checkpoint::new("3") }.put(&store);
    assert_eq!(get(&store, None)["values"], json!([]));
    sound(&store);
}

#[test]
fn writes_stand_in_the_order_of_paths_and_are_put_once() {
    let (store, _) = store();
    Checkpoint::new("1").put(&store);
    assert_eq!(write(&store, "1", ("z", "1"), &[(0, "c", "YQ=="), (1, "d", "Yg==")]), 2);
    assert_eq!(write(&store, "1", ("a", "2"), &[(0, "c", "Yw=="), (-1, "__error__", "ZA==")]), 2);
    assert_eq!(write(&store, "1", ("b", ""), &[(10, "c", "Zg=="), (9, "c", "ZQ==")]), 2);
    // A write that is there stays; special ones are written over.
    assert_eq!(write(&store, "1", ("a", "2"), &[(0, "c", "eA=="), (-1, "__error__", "eQ==")]), 1);
    let told = get(&store, Some("1"));
    let rows: Vec<(&str, &str, &str)> = told["writes"]
        .as_array()
        .expect("writes")
        .iter()
        .map(|row| {
            (
                row["task_id"].as_str().unwrap(),
                row["channel"].as_str().unwrap(),
                row["value"]["base64"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("b", "c", "ZQ=="),
        ("b", "c", "Zg=="),
        ("z", "c", "YQ=="),
        ("z", "d", "Yg=="),
        ("a", "__error__", "eQ=="),
        ("a", "c", "Yw=="),
    ];
    assert_eq!(rows, expected);
    // Those of one checkpoint are no other's.
    Checkpoint { parent: Some("1"), ..Checkpoint::new("2") }.put(&store);
    assert_eq!(get(&store, None)["writes"], json!([]));
    sound(&store);
}

#[test]
fn checkpoints_are_listed_the_latest_first_by_what_is_told_of_them() {
    let (store, _) = store();
    for n in 0..6_u32 {
        let id = n.to_string();
        let source = if n % 2 == 0 { "input" } else { "loop" };
        let metadata = json!({"source": source, "step": n, "run_id": format!("r{}", n / 2)});
        Checkpoint { metadata, ..Checkpoint::new(&id) }.put(&store);
    }
    Checkpoint { namespace: "child:1", ..Checkpoint::new("25") }.put(&store);
    Checkpoint { thread: "u", ..Checkpoint::new("35") }.put(&store);
    for (body, expected) in [
        (json!({"thread_id": "t", "checkpoint_ns": ""}), vec!["5", "4", "3", "2", "1", "0"]),
        (json!({"thread_id": "t"}), vec!["5", "4", "3", "25", "2", "1", "0"]),
        (json!({}), vec!["5", "4", "35", "3", "25", "2", "1", "0"]),
        (json!({"thread_id": "none"}), vec![]),
        (json!({"thread_id": "t", "checkpoint_ns": "", "before": "3"}), vec!["2", "1", "0"]),
        (json!({"thread_id": "t", "before": "3", "limit": 2}), vec!["25", "2"]),
        (json!({"thread_id": "t", "checkpoint_ns": "", "filter": {"source": "input"}}), vec!["4", "2", "0"]),
        (
            json!({"thread_id": "t", "checkpoint_ns": "", "filter": {"source": "loop", "step": 3.0}}),
            vec!["3"],
        ),
        (json!({"thread_id": "t", "checkpoint_ns": "", "filter": {"source": "none"}}), vec![]),
        (json!({"thread_id": "t", "filter": {"source": null}}), vec!["25"]),
        (json!({"thread_id": "t", "checkpoint_id": "2"}), vec!["2"]),
    ] {
        assert_eq!(ids(&store, &body), expected, "{body}");
        // Page by page it is the same.
        let (mut paged, mut page_of) = (Vec::new(), body.clone());
        let most = body["limit"].as_u64().unwrap_or(100);
        while (paged.len() as u64) < most {
            page_of["limit"] = json!(1);
            let page = doing(&store, "list", &page_of);
            paged.extend(
                page["checkpoints"].as_array().expect("rows").iter().map(|row| row["checkpoint_id"].clone()),
            );
            page_of["after"] = page["next"].clone();
            if page["next"].is_null() {
                break;
            }
        }
        assert_eq!(paged, expected, "{body}");
    }
}

#[test]
fn what_is_deleted_takes_its_writes_and_its_values_along_and_stays_what_it_was() {
    let (store, memory) = store();
    let values = |n: u32| json!({"a": n, "b": 1});
    for n in 1..=4_u32 {
        let (id, parent) = (n.to_string(), (n - 1).to_string());
        let new: &[_] =
            if n == 1 { &[("a", Some("YQ==")), ("b", Some("Yg=="))] } else { &[("a", Some("YQ=="))] };
        let metadata = json!({"run_id": format!("r{}", n % 2)});
        let parent = (n > 1).then_some(parent.as_str());
        Checkpoint { versions: values(n), new, metadata, parent, ..Checkpoint::new(&id) }.put(&store);
        write(&store, &id, ("task", ""), &[(0, "c", "YQ==")]);
    }
    Checkpoint { thread: "u", metadata: json!({"run_id": "r1"}), ..Checkpoint::new("9") }.put(&store);
    let n_documents = || store.space("default", false).expect("a space").stats().expect("counts").documents;
    let recorded = store.space("default", false).expect("a space").snapshot().last_seq().expect("a number");
    assert_eq!(n_documents(), 4 * 4 + 1 + 2);
    assert_eq!(doing(&store, "delete_for_runs", &json!({"run_ids": ["r1", "none"]}))["removed"], 3);
    assert_eq!(ids(&store, &json!({})), ["4", "2"]);
    assert_eq!(
        get(&store, Some("2"))["values"].as_array().expect("values").len(),
        2,
        "what others have stays"
    );
    assert_eq!(n_documents(), 2 * 4 + 1);
    let before = json!({"thread_id": "t", "checkpoint_id": "1", "as_of": {"recorded": recorded}});
    assert_eq!(doing(&store, "get", &before)["writes"].as_array().expect("writes").len(), 1);
    assert_eq!(
        doing(&store, "copy_thread", &json!({"source_thread_id": "t", "target_thread_id": "v"}))["copied"],
        2
    );
    assert_eq!(doing(&store, "delete_thread", &json!({"thread_id": "t"}))["removed"], 2);
    assert_eq!(
        (ids(&store, &json!({"thread_id": "t"})), ids(&store, &json!({}))),
        (vec![], vec!["4".to_owned(), "2".to_owned()])
    );
    let copied = doing(&store, "get", &json!({"thread_id": "v"}));
    assert_eq!(copied["values"].as_array().expect("values").len(), 2);
    assert_eq!((&copied["parent_id"], copied["writes"].as_array().expect("writes").len()), (&json!("3"), 1));
    // Copies are of the runs, too.
    assert_eq!(doing(&store, "delete_for_runs", &json!({"run_ids": ["r0"]}))["removed"], 2);
    assert_eq!(n_documents(), 0);
    for thread in ["t", "v", "u"] {
        assert_eq!(doing(&store, "erase", &json!({"thread_id": thread}))["found"], json!([]));
    }
    let image = memory.snapshot();
    assert_eq!(image.scan_prefix(Table::Documents, b"").count(), 0);
    drop(image);
    sound(&store);
}

#[test]
fn pruning_leaves_the_latest_of_each_namespace_and_what_it_is_made_from() {
    let (store, _) = store();
    for (namespace, n) in [("", 4_u32), ("child:1", 2)] {
        for n in 0..n {
            let id = n.to_string();
            Checkpoint {
                namespace,
                versions: json!({"a": n}),
                new: &[("a", Some("YQ=="))],
                ..Checkpoint::new(&id)
            }
            .put(&store);
        }
    }
    Checkpoint { thread: "u", ..Checkpoint::new("7") }.put(&store);
    Checkpoint { thread: "u", ..Checkpoint::new("8") }.put(&store);
    assert_eq!(doing(&store, "prune", &json!({"thread_ids": ["t", "none"]}))["removed"], 4);
    assert_eq!(ids(&store, &json!({"thread_id": "t"})), ["3", "1"]);
    assert_eq!(get(&store, None)["values"].as_array().expect("values").len(), 1);
    assert_eq!(ids(&store, &json!({"thread_id": "u"})), ["8", "7"]);
    assert_eq!(doing(&store, "prune", &json!({"thread_ids": ["u"], "strategy": "delete"}))["removed"], 2);
    assert_eq!(ids(&store, &json!({"thread_id": "u"})), [] as [&str; 0]);
    // A channel that is kept as what was written to it needs that since a value of it was kept.
    let counted = || json!({"counters_since_delta_snapshot": {"d": [1, 1]}});
    let mut before: Option<String> = None;
    for n in 50..56_u32 {
        let id = n.to_string();
        let new: &[_] = if n == 52 { &[("d", Some("c2VlZA=="))] } else { &[("d", None)] };
        Checkpoint {
            versions: json!({"d": n}),
            new,
            metadata: counted(),
            parent: before.as_deref(),
            ..Checkpoint::new(&id)
        }
        .put(&store);
        write(&store, &id, ("b", "2"), &[(0, "d", "Yg==")]);
        write(&store, &id, ("c", "1"), &[(0, "d", "YQ=="), (1, "other", "eA==")]);
        before = Some(id);
    }
    let history = || {
        doing(&store, "delta_history", &json!({"thread_id": "t", "channels": ["d", "none"]}))["channels"]
            .take()
    };
    let told = history();
    let written: Vec<&str> = told["d"]["writes"]
        .as_array()
        .expect("writes")
        .iter()
        .map(|row| row["value"]["base64"].as_str().unwrap())
        .collect();
    assert_eq!(written, ["YQ==", "Yg=="].repeat(3), "of 52, 53 and 54");
    assert_eq!(
        (&told["d"]["seed"], &told["none"]),
        (&typed("c2VlZA=="), &json!({"writes": [], "seed": null}))
    );
    doing(&store, "prune", &json!({"thread_ids": ["t"]}));
    assert_eq!(ids(&store, &json!({"thread_id": "t", "checkpoint_ns": ""})), ["55", "54", "53", "52"]);
    assert_eq!(history(), told);
    sound(&store);
}

#[test]
fn a_thread_costs_what_changes_in_it() {
    let (store, memory) = store();
    let large = "eHh4".repeat(5_000);
    let large = large.as_str();
    let mut sizes = Vec::new();
    for n in 0..10_000_u32 {
        let id = format!("{n:06}");
        let new: &[_] = if n == 0 {
            &[("large", Some(large)), ("small", Some("YQ=="))]
        } else {
            &[("small", Some("YQ=="))]
        };
        Checkpoint {
            versions: json!({"large": 1, "small": n}),
            new,
            metadata: json!({"step": n, "run_id": "r"}),
            ..Checkpoint::new(&id)
        }
        .put(&store);
        if [10, 110, 9_899, 9_999].contains(&n) {
            sizes.push(memory.size().expect("a size"));
        }
    }
    let (early, late) = ((sizes[1] - sizes[0]) / 100, (sizes[3] - sizes[2]) / 100);
    // Their numbers have more digits.
    assert!(late <= early + 16 && late < 400, "{early} and then {late}");
    // The same again costs nothing.
    let id = format!("{:06}", 9_999);
    Checkpoint {
        versions: json!({"large": 1, "small": 9_999}),
        new: &[("large", Some(large))],
        metadata: json!({"step": 9_999, "run_id": "r"}),
        ..Checkpoint::new(&id)
    }
    .put(&store);
    assert_eq!(memory.size().expect("a size"), sizes[3]);
}

#[test]
fn what_is_no_checkpoint_is_refused_by_what_is_wrong() {
    let (store, _) = store();
    let body = json!({"thread_id": "t", "checkpoint_id": "1", "checkpoint": typed("YQ=="), "metadata": {}});
    for (key, value, told) in [
        ("thread_id", json!(""), "thread_id is empty"),
        ("checkpoint_ns", json!("a\0b"), "zero byte"),
        ("checkpoint_id", json!(""), "checkpoint_id is empty"),
        ("metadata", json!([1]), "expected an object"),
        ("checkpoint", json!({"type": "x", "base64": "!"}), "base64"),
        ("channel_versions", json!({"a": null}), "a text or a number"),
        ("values", json!([{"channel": "a\0", "version": 1}]), "zero byte"),
        ("other", json!(1), "`other`"),
    ] {
        let mut body = body.clone();
        body[key] = value;
        let (code, words) = refused(&store, "langgraph/checkpoints", "put", &body);
        assert!(code == "invalid_request" && words.contains(told), "{body}: {words}");
    }
    let body = json!({"thread_ids": ["t"], "strategy": "some"});
    assert_eq!(refused(&store, "langgraph/checkpoints", "prune", &body).0, "invalid_request");
}
