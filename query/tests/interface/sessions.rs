//! The fourteen contracts of the SDK's own suite for session stores, by their numbers there, and what goes beyond them.

use std::sync::Arc;

use bygone_engine::backend::{Backend, Table};
use bygone_engine::store::Store;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ask, now, raw, refused, sound, store};

fn doing(store: &Store, name: &str, body: &Value) -> Value {
    ask(store, "session-store", name, body)
}

fn main_key() -> Value {
    json!({"project_key": "proj", "session_id": "sess"})
}

fn sub(subpath: &str) -> Value {
    json!({"project_key": "proj", "session_id": "sess", "subpath": subpath})
}

fn append(store: &Store, key: &Value, entries: &Value) -> Value {
    doing(store, "append", &json!({"key": key, "entries": entries}))
}

fn load(store: &Store, key: &Value) -> Value {
    doing(store, "load", &json!({"key": key}))["entries"].take()
}

fn sessions(store: &Store, project: &str) -> Vec<String> {
    let listed = doing(store, "list_sessions", &json!({"project_key": project}));
    let rows = listed["sessions"].as_array().expect("rows").iter();
    rows.map(|row| row["session_id"].as_str().expect("an id").to_owned()).collect()
}

fn subkeys(store: &Store, key: &Value) -> Value {
    doing(store, "list_subkeys", &json!({"key": key}))["subpaths"].take()
}

fn e(uuid: &str, n: u64) -> Value {
    json!({"type": "x", "uuid": uuid, "n": n})
}

#[test]
fn contracts_1_to_4_entries_come_back_in_the_order_in_which_they_were_appended() {
    let (store, _) = store();
    append(&store, &main_key(), &json!([e("b", 1), e("a", 2)]));
    assert_eq!(load(&store, &main_key()), json!([e("b", 1), e("a", 2)]));
    assert_eq!(load(&store, &json!({"project_key": "proj", "session_id": "nope"})), Value::Null);
    assert_eq!(load(&store, &sub("nope")), Value::Null);
    append(&store, &main_key(), &json!([e("z", 3)]));
    append(&store, &main_key(), &json!([e("m", 4), e("c", 5)]));
    let all = json!([e("b", 1), e("a", 2), e("z", 3), e("m", 4), e("c", 5)]);
    assert_eq!(load(&store, &main_key()), all);
    let seq = store.space("default", false).expect("a space").snapshot().last_seq().expect("a number");
    append(&store, &main_key(), &json!([]));
    append(&store, &sub("x"), &json!([]));
    assert_eq!((load(&store, &main_key()), load(&store, &sub("x"))), (all, Value::Null));
    assert_eq!(store.space("default", false).expect("a space").snapshot().last_seq().expect("a number"), seq);
}

#[test]
fn contracts_5_to_8_keys_are_apart_and_sessions_are_listed_by_project() {
    let (store, _) = store();
    append(&store, &main_key(), &json!([e("m", 1)]));
    append(&store, &sub("subagents/agent-1"), &json!([e("s", 1)]));
    assert_eq!(load(&store, &main_key()), json!([e("m", 1)]));
    assert_eq!(load(&store, &sub("subagents/agent-1")), json!([e("s", 1)]));
    for project in ["A", "B"] {
        let key = json!({"project_key": project, "session_id": "s1"});
        append(&store, &key, &json!([{"type": "x", "from": project}]));
        assert_eq!(load(&store, &key), json!([{"type": "x", "from": project}]));
        assert_eq!(sessions(&store, project), ["s1"]);
    }
    append(&store, &json!({"project_key": "proj", "session_id": "a"}), &json!([{"n": 1}]));
    // A subpath alone makes no session.
    append(&store, &json!({"project_key": "proj", "session_id": "b", "subpath": "x"}), &json!([{"n": 1}]));
    assert_eq!(sessions(&store, "proj"), ["a", "sess"]);
    assert_eq!(sessions(&store, "never"), [] as [&str; 0]);
    // Nor does a project whose name starts alike.
    assert_eq!(sessions(&store, "pro"), [] as [&str; 0]);
    let listed = doing(&store, "list_sessions", &json!({"project_key": "proj"}));
    assert!(
        listed["sessions"]
            .as_array()
            .expect("rows")
            .iter()
            .all(|row| row["mtime"].as_i64() > Some(1_000_000_000_000))
    );
}

#[test]
fn contracts_9_to_11_deleting_a_main_transcript_takes_the_others_of_its_session_along() {
    let (store, _) = store();
    doing(&store, "delete", &json!({"key": {"project_key": "proj", "session_id": "never"}}));
    let (sub1, sub2) = (sub("subagents/agent-1"), sub("subagents/agent-2"));
    let others = [
        json!({"project_key": "proj", "session_id": "sess2"}),
        json!({"project_key": "proj2", "session_id": "sess"}),
        json!({"project_key": "proj", "session_id": "sess2", "subpath": "subagents/agent-1"}),
    ];
    for key in [&main_key(), &sub1, &sub2].into_iter().chain(&others) {
        append(&store, key, &json!([{"n": 1}]));
    }
    assert_eq!(doing(&store, "delete", &json!({"key": sub1}))["deleted"], 1);
    assert_eq!(subkeys(&store, &main_key()), json!(["subagents/agent-2"]));
    assert_eq!((load(&store, &sub1), load(&store, &sub2)), (Value::Null, json!([{"n": 1}])));
    assert_eq!(load(&store, &main_key()), json!([{"n": 1}]));
    assert_eq!(doing(&store, "delete", &json!({"key": main_key()}))["deleted"], 2);
    for key in [main_key(), sub1, sub2] {
        assert_eq!(load(&store, &key), Value::Null);
    }
    for key in &others {
        assert_eq!(load(&store, key), json!([{"n": 1}]));
    }
    assert_eq!(
        (subkeys(&store, &main_key()), sessions(&store, "proj")),
        (json!([]), vec!["sess2".to_owned()])
    );
    // A session of that name begins anew.
    append(&store, &main_key(), &json!([e("a", 7)]));
    assert_eq!(load(&store, &main_key()), json!([e("a", 7)]));
    sound(&store);
}

#[test]
fn contracts_12_and_13_subpaths_are_listed_without_the_main_transcript() {
    let (store, _) = store();
    append(&store, &main_key(), &json!([{"n": 1}]));
    assert_eq!(subkeys(&store, &main_key()), json!([]));
    for subpath in ["subagents/agent-2", "subagents/agent-1", "x"] {
        append(&store, &sub(subpath), &json!([{"n": 1}]));
    }
    append(
        &store,
        &json!({"project_key": "proj", "session_id": "sess2", "subpath": "y"}),
        &json!([{"n": 1}]),
    );
    assert_eq!(subkeys(&store, &main_key()), json!(["subagents/agent-1", "subagents/agent-2", "x"]));
    let page = doing(&store, "list_subkeys", &json!({"key": main_key(), "limit": 2}));
    assert_eq!(
        page,
        json!({"subpaths": ["subagents/agent-1", "subagents/agent-2"], "next": "subagents/agent-2"})
    );
    let page = doing(&store, "list_subkeys", &json!({"key": main_key(), "after": page["next"], "limit": 2}));
    assert_eq!(page, json!({"subpaths": ["x"], "next": null}));
}

#[test]
fn contract_14_summaries_are_kept_as_they_were_folded_with_the_append_that_they_go_with() {
    let (store, _) = store();
    let with = |entries: Value, data: Value, from: u64| json!({"key": main_key(), "entries": entries, "summary": {"data": data, "folded_from": from}});
    let first = doing(&store, "append", &with(json!([{"n": 1}]), json!({"title": "first"}), 0));
    let version = first["summary_version"].as_u64().expect("a version");
    let second = doing(&store, "append", &with(json!([{"n": 2}]), json!({"title": "second"}), version));
    append(&store, &json!({"project_key": "other", "session_id": "elsewhere"}), &json!([{"n": 1}]));
    append(&store, &sub("subagents/agent-1"), &json!([{"n": 9}]));
    let listed = doing(&store, "list_session_summaries", &json!({"project_key": "proj"}));
    let expected = json!({
        "session_id": "sess",
        "mtime": second["mtime"],
        "data": {"title": "second"},
        "version": second["summary_version"],
    });
    assert_eq!(listed, json!({"summaries": [expected], "next": null}));
    assert_eq!(doing(&store, "get_session_summary", &json!({"key": main_key()})), expected);
    // It is as new as the session is said to be.
    let sessions = doing(&store, "list_sessions", &json!({"project_key": "proj"}));
    assert_eq!(sessions["sessions"][0]["mtime"], second["mtime"]);
    let none = doing(&store, "list_session_summaries", &json!({"project_key": "never"}));
    assert_eq!(none["summaries"], json!([]));
    doing(&store, "delete", &json!({"key": main_key()}));
    let listed = doing(&store, "list_session_summaries", &json!({"project_key": "proj"}));
    assert_eq!(listed["summaries"], json!([]));
    sound(&store);
}

#[test]
fn a_summary_that_was_folded_from_another_version_is_refused_with_its_entries() {
    let (store, _) = store();
    let with = |entry: Value, from: u64| json!({"key": main_key(), "entries": [entry], "summary": {"data": {}, "folded_from": from}});
    let version =
        doing(&store, "append", &with(e("a", 1), 0))["summary_version"].as_u64().expect("a version");
    for from in [0, version + 1] {
        let (code, told) = refused(&store, "session-store", "append", &with(e("b", 2), from));
        assert_eq!(code, "conflict", "{told}");
    }
    assert_eq!(load(&store, &main_key()), json!([e("a", 1)]));
    // What was done already is no conflict: its answer may have been lost.
    let again = doing(&store, "append", &with(e("a", 1), 0));
    assert_eq!(
        (&again["appended"], &again["duplicates"], &again["summary_version"]),
        (&0.into(), &1.into(), &version.into())
    );
    let body = json!({"key": sub("x"), "entries": [e("a", 1)], "summary": {"data": {}, "folded_from": 0}});
    assert_eq!(refused(&store, "session-store", "append", &body).0, "invalid_request");
}

#[test]
fn entries_are_told_apart_by_uuid_alone_and_within_a_key() {
    let (store, _) = store();
    let first =
        append(&store, &main_key(), &json!([e("a", 1), e("a", 2), {"type": "title"}, {"type": "title"}]));
    assert_eq!(
        (&first["appended"], &first["duplicates"], &first["entries"]),
        (&3.into(), &1.into(), &3.into())
    );
    let second = append(
        &store,
        &main_key(),
        &json!([e("a", 9), {"type": "title"}, {"uuid": 7}, {"uuid": 7}, e("b", 1)]),
    );
    assert_eq!((&second["appended"], &second["duplicates"]), (&4.into(), &1.into()));
    append(&store, &sub("x"), &json!([e("a", 3)]));
    assert_eq!(load(&store, &sub("x")), json!([e("a", 3)]));
    let title = json!({"type": "title"});
    assert_eq!(
        load(&store, &main_key()),
        json!([e("a", 1), title, title, title, {"uuid": 7}, {"uuid": 7}, e("b", 1)])
    );
}

#[test]
fn entries_come_back_byte_by_byte() {
    let (store, _) = store();
    let space = store.space("default", false).expect("a space");
    let entries = r#"[{ "b" : 1e400, "a":"\u00e4\ud83d\ude00",
        "n": 123456789012345678901234567890.10 },[1,  2],"x"]"#;
    let body = format!(r#"{{"key":{},"entries":{entries}}}"#, main_key());
    raw(&space, ("session-store", "append"), None, &body).expect("appended");
    let told = raw(&space, ("session-store", "load"), None, &json!({"key": main_key()}).to_string())
        .expect("loaded");
    let inner = |text: &str| text.replace("},[", "}|[").replace("],\"", "]|\"");
    let expected = inner(entries);
    for entry in expected
        .trim_start_matches('[')
        .trim_end_matches(']')
        .split('|')
        .filter(|entry| entry.starts_with('{'))
    {
        assert!(told.contains(entry), "{entry} in {told}");
    }
}

#[test]
fn modified_times_are_the_clock_s_and_grow_with_every_write_of_the_space() {
    let (store, _) = store();
    let mut times = Vec::new();
    for n in 0..5 {
        let key = json!({"project_key": "proj", "session_id": format!("s{}", n % 2)});
        times.push(append(&store, &key, &json!([{"n": n}]))["mtime"].as_i64().expect("a time"));
    }
    let fork = json!({"from": {"project_key": "proj", "session_id": "s0"}, "to": main_key()});
    times.push(doing(&store, "fork", &fork)["mtime"].as_i64().expect("a time"));
    assert_eq!(times[0], now().micros() / 1_000);
    assert!(times.is_sorted_by(|one, next| one < next), "{times:?}");
    assert!(times[5] - times[0] < 10, "{times:?}");
}

#[test]
fn a_session_is_loaded_as_of_each_commit_and_each_time() {
    let (store, _) = store();
    append(&store, &main_key(), &json!([e("a", 1)]));
    append(&store, &main_key(), &json!([e("b", 2), e("c", 3)]));
    doing(&store, "delete", &json!({"key": main_key()}));
    append(&store, &main_key(), &json!([e("d", 4)]));
    let past = doing(&store, "history", &json!({"key": main_key()}));
    let counts: Vec<&Value> = past.as_array().expect("rows").iter().map(|row| &row["entries"]).collect();
    assert_eq!(counts, [&json!(1), &json!(3), &Value::Null, &json!(1)]);
    let expected =
        [json!([e("a", 1)]), json!([e("a", 1), e("b", 2), e("c", 3)]), Value::Null, json!([e("d", 4)])];
    for (row, expected) in past.as_array().expect("rows").iter().zip(&expected) {
        for as_of in [json!({"recorded": row["recorded"]}), json!({"known": row["known"]})] {
            let found = doing(&store, "load", &json!({"key": main_key(), "as_of": as_of}));
            assert_eq!(&found["entries"], expected, "{as_of}");
        }
    }
    let before = json!({"project_key": "proj", "as_of": {"known": "2026-02"}});
    assert_eq!(doing(&store, "list_sessions", &before)["sessions"], json!([]));
    let wrong = json!({"key": main_key(), "as_of": {"known": "soon"}});
    assert_eq!(refused(&store, "session-store", "load", &wrong).0, "invalid_request");
}

#[test]
fn parts_of_a_session_are_of_one_session() {
    let (store, _) = store();
    for n in 0..7 {
        append(&store, &main_key(), &json!([{"n": 2 * n}, {"n": 2 * n + 1}]));
    }
    let first = doing(&store, "load", &json!({"key": main_key(), "limit": 5}));
    assert_eq!((&first["next"], &first["n_entries"]), (&5.into(), &14.into()));
    append(&store, &main_key(), &json!([{"n": 14}]));
    let mut all = first["entries"].as_array().expect("entries").clone();
    let mut next = first["next"].clone();
    while !next.is_null() {
        let body =
            json!({"key": main_key(), "from": next, "limit": 5, "as_of": {"recorded": first["recorded"]}});
        let mut part = doing(&store, "load", &body);
        all.append(part["entries"].as_array_mut().expect("entries"));
        next = part["next"].take();
    }
    assert_eq!(all, (0..14).map(|n| json!({"n": n})).collect::<Vec<_>>());
}

#[test]
fn a_fork_has_the_entries_up_to_where_it_was_made_and_goes_its_own_way() {
    let (store, memory) = store();
    let long = "x".repeat(10_000);
    append(&store, &main_key(), &json!([e("a", 1), e("b", 2), {"uuid": "c", "long": long}]));
    append(&store, &sub("subagents/agent-1"), &json!([e("s", 1)]));
    let size = memory.size().expect("a size");
    let other = json!({"project_key": "proj", "session_id": "fork"});
    let forked = doing(&store, "fork", &json!({"from": main_key(), "to": other, "entries": 2}));
    assert_eq!((&forked["entries"], &forked["subkeys"]), (&2.into(), &0.into()));
    let whole = json!({"project_key": "proj2", "session_id": "fork"});
    let forked = doing(&store, "fork", &json!({"from": main_key(), "to": whole, "subkeys": true}));
    assert_eq!((&forked["entries"], &forked["subkeys"]), (&3.into(), &1.into()));
    assert!(memory.size().expect("a size") - size < 5_000, "nothing is copied");
    assert_eq!(subkeys(&store, &whole), json!(["subagents/agent-1"]));
    // What a fork has is there already; what it does not have is not.
    let added = append(&store, &other, &json!([e("a", 9), {"uuid": "c", "n": 3}, e("d", 4)]));
    assert_eq!((&added["appended"], &added["duplicates"]), (&2.into(), &1.into()));
    append(&store, &main_key(), &json!([e("d", 5)]));
    let fork_has = json!([e("a", 1), e("b", 2), {"uuid": "c", "n": 3}, e("d", 4)]);
    assert_eq!(load(&store, &other), fork_has);
    // A fork of a fork, in the middle of what came before.
    let third = json!({"project_key": "proj", "session_id": "third"});
    doing(&store, "fork", &json!({"from": other, "to": third, "entries": 3}));
    append(&store, &third, &json!([e("b", 8), e("d", 6)]));
    doing(&store, "delete", &json!({"key": main_key()}));
    doing(&store, "delete", &json!({"key": other}));
    assert_eq!(load(&store, &third), json!([e("a", 1), e("b", 2), {"uuid": "c", "n": 3}, e("d", 6)]));
    for (body, code) in [
        (json!({"from": main_key(), "to": {"project_key": "p", "session_id": "s"}}), "not_found"),
        (json!({"from": third, "to": whole}), "conflict"),
        (
            json!({"from": third, "to": {"project_key": "p", "session_id": "s"}, "entries": 5}),
            "invalid_request",
        ),
    ] {
        assert_eq!(refused(&store, "session-store", "fork", &body).0, code, "{body}");
    }
    sound(&store);
}

#[test]
fn of_a_session_that_is_erased_nothing_is_left_but_what_a_fork_has() {
    let (store, memory) = store();
    let secret = |n: u64| json!({"uuid": format!("u{n}"), "text": format!("a secret of session {n}")});
    let other = json!({"project_key": "proj", "session_id": "fork"});
    append(&store, &main_key(), &json!([secret(1)]));
    append(&store, &sub("x"), &json!([secret(2)]));
    append(&store, &json!({"project_key": "proj", "session_id": "kept"}), &json!([{"n": 1}]));
    doing(&store, "delete", &json!({"key": sub("x")}));
    let holds = |what: &str| {
        let image = memory.snapshot();
        Table::ALL.iter().any(|&table| {
            image.scan(table, std::ops::Bound::Unbounded, std::ops::Bound::Unbounded).any(|pair| {
                let (row, value) = pair.expect("a row");
                let has = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(what);
                has(&row) || has(&value)
            })
        })
    };
    doing(&store, "fork", &json!({"from": main_key(), "to": other}));
    let certificate = doing(&store, "erase", &json!({"key": main_key()}));
    assert_eq!(certificate["found"], json!([]));
    assert!(!holds("session 2") && holds("session 1"), "a fork has it");
    assert_eq!((load(&store, &main_key()), load(&store, &other)), (Value::Null, json!([secret(1)])));
    assert_eq!(doing(&store, "history", &json!({"key": main_key()})), json!([]));
    doing(&store, "erase", &json!({"key": other}));
    assert!(!holds("session 1"));
    assert_eq!(sessions(&store, "proj"), ["kept"]);
    assert_eq!(doing(&store, "erase", &json!({"key": other}))["seq"], Value::Null);
    sound(&store);
}

#[test]
fn an_append_costs_the_same_however_long_the_session_is() {
    let (store, memory) = store();
    let mut grown = Vec::new();
    for n in 0..300 {
        let before = memory.size().expect("a size");
        let body = json!({
            "key": main_key(),
            "entries": [{"uuid": format!("{n:08}"), "text": "x".repeat(200)}],
        });
        doing(&store, "append", &body);
        grown.push(memory.size().expect("a size") - before);
    }
    assert!(grown[299] <= grown[10] + 16 && grown[299] < 900, "{} and then {}", grown[10], grown[299]);
}

#[test]
fn many_who_append_at_once_lose_nothing_and_fold_from_what_is_there() {
    let (store, _) = store();
    let store = Arc::new(store);
    let threads: Vec<_> = (0..4_u64)
        .map(|thread| {
            let store = Arc::clone(&store);
            std::thread::spawn(move || {
                let space = store.space("default", false).expect("a space");
                for n in 0..25 {
                    loop {
                        let summary = doing(&store, "get_session_summary", &json!({"key": main_key()}));
                        let count = summary["data"]["count"].as_u64().unwrap_or(0);
                        let body = json!({
                            "key": main_key(),
                            "entries": [e(&format!("{thread}-{n}"), n)],
                            "summary": {
                                "data": {"count": count + 1},
                                "folded_from": summary["version"].as_u64().unwrap_or(0),
                            },
                        });
                        match raw(&space, ("session-store", "append"), None, &body.to_string()) {
                            Ok(_) => break,
                            Err(error) => assert_eq!(error.code(), "conflict", "{error}"),
                        }
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("done");
    }
    let loaded = load(&store, &main_key());
    assert_eq!(loaded.as_array().expect("entries").len(), 100);
    // Those of one are in the order in which that one sent them.
    for thread in 0..4 {
        let own = loaded.as_array().expect("entries").iter().filter_map(|entry| {
            let uuid = entry["uuid"].as_str()?;
            uuid.strip_prefix(&format!("{thread}-")).map(|n| n.parse::<u64>().expect("a number"))
        });
        assert!(own.eq(0..25));
    }
    let summary = doing(&store, "get_session_summary", &json!({"key": main_key()}));
    assert_eq!(summary["data"]["count"], 100);
    sound(&store);
}

#[test]
fn a_request_that_is_sent_again_with_its_key_is_not_done_again() {
    let (store, _) = store();
    let space = store.space("default", false).expect("a space");
    let body = json!({"key": main_key(), "entries": [{"type": "title"}]}).to_string();
    let operation = ("session-store", "append");
    let first = raw(&space, operation, Some("k"), &body).expect("appended");
    assert_eq!(raw(&space, operation, Some("k"), &body).expect("known"), first);
    assert_eq!(load(&store, &main_key()), json!([{"type": "title"}]));
    let other = raw(&space, operation, Some("k"), &body.replace("title", "other"));
    assert_eq!(other.expect_err("another request").code(), "conflict");
}

#[test]
fn what_is_no_request_is_refused_by_what_is_wrong() {
    let (store, _) = store();
    for (name, body, told) in [
        (
            "append",
            json!({"key": {"project_key": "", "session_id": "s"}, "entries": []}),
            "project_key is empty",
        ),
        ("append", json!({"key": {"project_key": "p", "session_id": "a\0b"}, "entries": []}), "zero byte"),
        ("append", json!({"key": {"project_key": "p", "session_id": "s", "sub": 1}, "entries": []}), "`sub`"),
        ("append", json!({"key": main_key()}), "entries"),
        (
            "append",
            json!({"key": {"project_key": "p".repeat(5_000), "session_id": "s"}, "entries": []}),
            "longer than",
        ),
        ("load", json!({"key": main_key(), "from": -1}), "invalid value"),
        ("list_sessions", json!({"project_key": "p", "limit": 0}), "limit is 0"),
        ("list_sessions", json!({"project_key": "p", "after": "\0"}), "zero byte"),
        ("list_sessions", json!([]), "invalid length"),
    ] {
        let (code, words) = refused(&store, "session-store", name, &body);
        assert!(code == "invalid_request" && words.contains(told), "{body}: {code}: {words}");
    }
    assert_eq!(refused(&store, "session-store", "drop", &json!({})).0, "not_found");
    assert_eq!(refused(&store, "sessions", "load", &json!({})).0, "not_found");
}

#[derive(Clone, Debug)]
enum Step {
    Append(usize, Vec<Option<u8>>),
    Delete(usize),
    Fork(usize, usize, u8),
}

fn step() -> impl Strategy<Value = Step> {
    let entries = proptest::collection::vec(proptest::option::weighted(0.8, 0_u8..12), 0..4);
    prop_oneof![
        6 => (0_usize..3, entries).prop_map(|(key, entries)| Step::Append(key, entries)),
        1 => (0_usize..3).prop_map(Step::Delete),
        2 => (0_usize..3, 0_usize..3, 0_u8..12).prop_map(|(from, to, n)| Step::Fork(from, to, n)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// What a list of entries for each key has after each commit, the store has as of it.
    #[test]
    fn sessions_are_lists_of_entries(steps in proptest::collection::vec(step(), 1..20)) {
        let (store, _) = store();
        let keys: Vec<Value> = (0..3).map(|n| json!({"project_key": "p", "session_id": format!("s{n}")})).collect();
        let last_seq = || store.space("default", false).expect("a space").snapshot().last_seq().expect("a number");
        let mut model: Vec<Option<Vec<Value>>> = vec![None; 3];
        let mut states = vec![(0, model.clone())];
        for (n, step) in steps.iter().enumerate() {
            match step {
                Step::Append(key, entries) => {
                    let entries: Vec<Value> = entries
                        .iter()
                        .map(|uuid| uuid.map_or_else(|| json!({"n": n}), |uuid| json!({"uuid": format!("{uuid}"), "n": n})))
                        .collect();
                    append(&store, &keys[*key], &json!(entries));
                    for entry in entries {
                        let has = |list: &Vec<Value>| list.iter().any(|other| other["uuid"] == entry["uuid"]);
                        if entry.get("uuid").is_none() || !model[*key].as_ref().is_some_and(has) {
                            model[*key].get_or_insert_default().push(entry);
                        }
                    }
                }
                Step::Delete(key) => {
                    doing(&store, "delete", &json!({"key": keys[*key]}));
                    model[*key] = None;
                }
                Step::Fork(from, to, n) => {
                    let Some(list) = model[*from].clone() else { continue };
                    if model[*to].is_some() {
                        continue;
                    }
                    let n = usize::from(*n).min(list.len());
                    doing(&store, "fork", &json!({"from": keys[*from], "to": keys[*to], "entries": n}));
                    model[*to] = Some(list[..n].to_vec());
                }
            }
            states.push((last_seq(), model.clone()));
        }
        for (seq, state) in &states {
            for (key, list) in keys.iter().zip(state) {
                let found = doing(&store, "load", &json!({"key": key, "as_of": {"recorded": seq}}));
                prop_assert_eq!(found.get("entries").cloned(), list.as_ref().map(|list| json!(list)));
            }
        }
        sound(&store);
    }
}
