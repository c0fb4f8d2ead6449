//! Mem0's interface as any client meets it: spaces, keys and scopes, versions, and what was there before.

use serde_json::{Value, json};

use crate::serving::{Answer, Server, key};
use crate::support::Bench;

fn call(server: &Server, method: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    let headers = [&[("Content-Type", "application/json")], headers].concat();
    let body = if body.is_null() { String::new() } else { body.to_string() };
    server.send(method, &format!("/mem0/{path}"), &headers, body.as_bytes())
}

fn said(text: &str, user: &str) -> Value {
    json!({"messages": [{"role": "user", "content": text}], "user_id": user})
}

fn texts(answer: &Answer) -> Vec<String> {
    let json = answer.json();
    let rows = json["results"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
    rows.iter().map(|row| row["memory"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_memory_is_the_sentence_that_something_was_read_from_and_what_it_was_stays() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let added = call(
        &server,
        "POST",
        "v3/memories/add/",
        &[],
        &said("I moved to Berlin last month. Lovely weather, is it not?", "ben"),
    );
    assert_eq!(texts(&added), ["I moved to Berlin last month."], "{added:?}");
    let id = added.json()["results"][0]["id"].as_str().expect("an id").to_owned();
    let one = format!("v1/memories/{id}/");
    let then = call(&server, "GET", &one, &[], &Value::Null).json()["updated_at"].clone();
    let changed =
        call(&server, "PUT", &one, &[], &json!({"text": "I moved to Zurich.", "metadata": {"n": 1}}));
    assert_eq!(
        (changed.status, &changed.json()["memory"]),
        (200, &json!("I moved to Zurich.")),
        "{changed:?}"
    );
    // Facts are read from what is said, and from what it is changed to.
    let asked = server.post("ask", &json!({"question": "Where does ben live?"})).rows();
    assert_eq!(asked[0]["facts"][0]["object"], json!({"entity": "place:Zurich"}), "{}", asked[0]);
    let mine = json!({"user_id": "ben"});
    let listed = |known: &Value| {
        texts(&call(&server, "POST", "v2/memories/", &[], &json!({"filters": mine, "known": known})))
    };
    assert_eq!(listed(&then), ["I moved to Berlin last month."]);
    assert_eq!(listed(&Value::Null), ["I moved to Zurich."]);
    let search = |query: &str, known: &Value| {
        let body = json!({"query": query, "filters": mine, "known": known, "threshold": 0.3});
        call(&server, "POST", "v3/memories/search/", &[], &body)
    };
    assert_eq!(texts(&search("Zurich", &Value::Null)), ["I moved to Zurich."]);
    assert_eq!(texts(&search("Berlin", &then)), ["I moved to Berlin last month."]);
    let score = search("Zurich", &Value::Null).json()["results"][0]["score"].as_f64().expect("a score");
    assert!((0.3..=1.0).contains(&score), "{score}");
    assert_eq!(call(&server, "DELETE", &one, &[], &Value::Null).status, 200);
    call(&server, "GET", &one, &[], &Value::Null).is_refused(404, "not_found");
    assert_eq!(texts(&search("Zurich", &Value::Null)), [] as [&str; 0]);
    let events = call(&server, "GET", &format!("v1/memories/{id}/history/"), &[], &Value::Null).json();
    let told: Vec<(&Value, &Value, &Value)> = events
        .as_array()
        .expect("events")
        .iter()
        .map(|event| (&event["event"], &event["old_memory"], &event["new_memory"]))
        .collect();
    let (first, second) = (json!("I moved to Berlin last month."), json!("I moved to Zurich."));
    assert_eq!(
        told,
        [
            (&json!("ADD"), &Value::Null, &first),
            (&json!("UPDATE"), &first, &second),
            (&json!("DELETE"), &second, &Value::Null)
        ]
    );
    let erased = server.post("mem0/erase", &json!({"user_id": "ben"}));
    assert_eq!(erased.json()["result"]["found"], json!([]), "{erased:?}");
    call(&server, "GET", &format!("v1/memories/{id}/history/"), &[], &Value::Null)
        .is_refused(404, "not_found");
}

#[test]
fn keys_scopes_and_spaces_are_those_of_every_other_request() {
    let mut bench = Bench::new();
    bench.done(&["init"]);
    let (_, read) = key(&mut bench, &["--opens", "a"]);
    let (_, write) = key(&mut bench, &["--opens", "a", "--scope", "read", "--scope", "write"]);
    bench.close();
    let server = Server::start(&bench);
    let (read, write) = (read.replace("Bearer", "Token"), write.replace("Bearer", "Token"));
    let none = call(&server, "GET", "v1/ping/", &[], &Value::Null);
    none.is_refused(401, "unauthorized");
    assert!(none.json()["detail"].is_string(), "{none:?}");
    call(&server, "GET", "v1/ping/", &[("Authorization", "Token x")], &Value::Null)
        .is_refused(401, "unauthorized");
    let by = |key: &str, method: &str, path: &str, body: &Value| {
        call(&server, method, path, &[("Authorization", key)], body)
    };
    assert_eq!(by(&read, "GET", "v1/ping/", &Value::Null).status, 200);
    by(&read, "POST", "a/v1/memories/", &said("Tea.", "ben")).is_refused(403, "forbidden");
    by(&write, "POST", "b/v1/memories/", &said("Tea.", "ben")).is_refused(403, "forbidden");
    by(&write, "POST", "v1/memories/", &said("Tea.", "ben")).is_refused(403, "forbidden");
    let listed = by(&read, "POST", "a/v2/memories/", &json!({}));
    assert_eq!(texts(&listed), [] as [&str; 0], "nothing was written: {listed:?}");
    let added = by(&write, "POST", "a/v1/memories/", &said("Tea.", "ben"));
    assert_eq!(texts(&added), ["Tea."]);
    let in_header = [("Authorization", read.as_str()), ("Bygone-Space", "a")];
    assert_eq!(texts(&call(&server, "POST", "v2/memories/", &in_header, &json!({}))), ["Tea."]);
    call(&server, "POST", "b/v2/memories/", &in_header, &json!({})).is_refused(400, "bad_request");
    let id = added.json()["results"][0]["id"].as_str().expect("an id").to_owned();
    for (method, body) in [("PUT", json!({"text": "Coffee."})), ("DELETE", Value::Null)] {
        by(&read, method, &format!("a/v1/memories/{id}/"), &body).is_refused(403, "forbidden");
    }
    assert_eq!(texts(&by(&read, "POST", "a/v2/memories/", &json!({}))), ["Tea."]);
}

#[test]
fn what_is_asked_for_wrongly_is_refused_and_deletes_nothing() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let ask = |method: &str, path: &str, body: &Value| call(&server, method, path, &[], body);
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let no_infer = json!({"messages": format!("Push with {secret}."), "user_id": "ben", "infer": false});
    let kept = texts(&ask("POST", "v1/memories/", &no_infer));
    assert!(kept[0].starts_with("Push with") && !kept[0].contains(&secret), "secrets are masked: {kept:?}");
    for (method, path, body, status) in [
        ("POST", "v1/memories/", json!({}), 400),
        ("POST", "v1/memories/", json!({"messages": []}), 400),
        ("POST", "v1/memories/", json!({"messages": [{"role": "user", "content": 7}]}), 400),
        ("POST", "v1/memories/", json!({"messages": "x", "expiration_date": "soon"}), 400),
        ("POST", "v1/memories/", json!({"messages": "x", "timestamp": 1e300}), 400),
        ("POST", "v2/memories/", json!({"filters": {"OR": 7}}), 400),
        ("POST", "v2/memories/", json!({"known": "soon"}), 400),
        ("POST", "v2/memories/search/", json!({}), 400),
        ("DELETE", "v1/memories/", Value::Null, 400),
        ("DELETE", "v1/memories/?filters=%7Bx", Value::Null, 400),
        ("DELETE", "v1/memories/none/", Value::Null, 404),
        ("PUT", "v1/memories/none/", json!({"text": "x"}), 404),
        ("PUT", "v1/batch/", json!({"memories": [{"text": "x"}]}), 400),
        ("DELETE", "v1/batch/", json!({"memories": 7}), 400),
        ("DELETE", "v2/entities/user/none/", Value::Null, 404),
        ("POST", "v1/exports/", json!({}), 404),
        ("PATCH", "v1/memories/none/", json!({}), 405),
    ] {
        let answer = ask(method, path, &body);
        assert_eq!(answer.status, status, "{method} {path} {body}: {answer:?}");
        assert!(answer.json()["detail"].is_string(), "{answer:?}");
    }
    assert_eq!(texts(&ask("POST", "v2/memories/", &json!({}))), kept);
}
