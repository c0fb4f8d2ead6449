//! The server as its clients meet it: verbs, spaces, keys, pages, limits, and what it writes down.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use bygone::Exit;
use serde_json::{Value, json};

use crate::support::{Bench, repository, text_of};

/// A server in a process of its own; it goes with this.
pub(crate) struct Server {
    process: Child,
    address: String,
}

/// What a request was answered with.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    #[track_caller]
    pub(crate) fn rows(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()["rows"].as_array().expect("rows").clone()
    }

    #[track_caller]
    pub(crate) fn is_refused(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.json()["error"]["code"].as_str()), (status, Some(code)), "{self:?}");
    }
}

impl Server {
    pub(crate) fn start(bench: &Bench) -> Server {
        Server::start_with(bench, &[])
    }

    fn start_with(bench: &Bench, options: &[&str]) -> Server {
        let mut process = program(bench)
            .args(["serve", "--bind", "127.0.0.1:0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = process.stdout.as_mut().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("it says where it listens");
        let row: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        Server { process, address: row["address"].as_str().expect("an address").to_owned() }
    }

    /// Sends a request as it stands, and reads the answer to its end.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut line = TcpStream::connect(&self.address).expect("it listens");
        let mut lines = vec![format!("{method} {path} HTTP/1.1"), "Connection: close".to_owned()];
        if !headers.iter().any(|(name, _)| *name == "Host") {
            lines.push(format!("Host: {}", self.address));
        }
        lines.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
        lines.push(format!("Content-Length: {}\r\n\r\n", body.len()));
        let head = lines.join("\r\n");
        line.write_all(head.as_bytes()).expect("it reads");
        // It may have answered before it has read everything.
        let _sent: std::io::Result<()> = line.write_all(body);
        let mut all = Vec::new();
        let _read: std::io::Result<usize> = line.read_to_end(&mut all);
        let at = all.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&all[..at]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let mut body = all[at + 4..].to_vec();
        if head.to_lowercase().contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        Answer { status, head, body }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, verb: &str, body: &Value) -> Answer {
        self.post_with(verb, &[], body)
    }

    fn post_with(&self, verb: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let headers = [&[("Content-Type", "application/json")], headers].concat();
        self.send("POST", &format!("/v1/{verb}"), &headers, body.to_string().as_bytes())
    }

    /// Asserts lines that must all be taken.
    #[track_caller]
    fn assert_lines(&self, headers: &[(&str, &str)], lines: &[Value]) {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        let headers = [&[("Content-Type", "application/x-ndjson")], headers].concat();
        let answer = self.send("POST", "/v1/assert", &headers, lines.join("\n").as_bytes());
        assert_eq!(answer.rows()[0]["quarantined"], 0, "{answer:?}");
    }

    /// Tells the server to end, and waits for that.
    fn stop(mut self) -> Option<i32> {
        let pid = nix::unistd::Pid::from_raw(self.process.id().try_into().expect("a process"));
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).expect("it runs");
        self.process.wait().expect("it was started here").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _killed: std::io::Result<()> = self.process.kill();
        let _waited: std::io::Result<std::process::ExitStatus> = self.process.wait();
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(at) = bytes.windows(2).position(|window| window == b"\r\n") {
        let length = usize::from_str_radix(&String::from_utf8_lossy(&bytes[..at]), 16).expect("a length");
        if length == 0 {
            break;
        }
        whole.extend_from_slice(&bytes[at + 2..at + 2 + length]);
        bytes = &bytes[at + 4 + length..];
    }
    whole
}

fn program(bench: &Bench) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bygone"));
    command.args(["--store", &text_of(&bench.store()), "--json", "--quiet"]).current_dir(bench.path("."));
    command
}

fn lives(who: &str, place: &str) -> Value {
    json!({ "subject": format!("person:{who}"), "predicate": "lives_in",
            "object": { "entity": format!("place:{place}") }, "from": "2024-03", "known_at": "2024-03-05T00:00:00Z" })
}

#[test]
fn verbs_answer_with_the_rows_of_their_commands() {
    let mut bench = Bench::new();
    let server = Server::start(&bench);
    server.assert_lines(&[], &[lives("Anna", "Bern")]);
    let over_http = server.get("/v1/facts?subject=Anna&known=2025").rows();
    assert_eq!(over_http, server.post("facts", &json!({ "subject": "Anna", "known": "2025" })).rows());
    let asked = server.post("ask", &json!({ "question": "Where does Anna live?" })).rows();
    assert_eq!(
        (&asked[0]["known"], &asked[0]["facts"][0]["object"]),
        (&json!(true), &json!({ "entity": "place:Bern" }))
    );
    let lines = server.send("GET", "/v1/export", &[("Accept", "application/x-ndjson")], b"");
    assert!(lines.head.contains("application/x-ndjson"), "{}", lines.head);
    assert_eq!(server.stop(), Some(0));
    assert_eq!(bench.done(&["facts", "--subject", "Anna", "--known", "2025", "--json"]).rows(), over_http);
    assert_eq!(String::from_utf8(lines.body).unwrap(), bench.export("default"));
}

#[test]
fn other_processes_use_the_store_while_it_is_served() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    server.assert_lines(&[], &[lives("Anna", "Bern")]);
    let output = program(&bench).args(["facts", "--known", "2025"]).output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1, "{output:?}");
    let second = program(&bench).args(["serve", "--bind", "127.0.0.1:0"]).output().expect("the program runs");
    assert_eq!(second.status.code(), Some(5), "{second:?}");
    drop(server);
}

#[test]
fn a_request_that_is_sent_again_under_its_key_is_done_once() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let set = |value: &str, key: &str| {
        server.post_with(
            "cursor/set",
            &[("Idempotency-Key", key)],
            &json!({ "name": "c", "value": value, "agent": "a" }),
        )
    };
    let first = set("1", "k").rows();
    assert_eq!(set("2", "other").rows()[0]["value"], "2");
    assert_eq!(set("1", "k").rows(), first);
    assert_eq!(server.post("cursor/get", &json!({ "name": "c" })).rows()[0]["value"], "2");
    // A key is for one request alone.
    set("9", "k").is_refused(422, "bad_input");
    let swap = json!({ "name": "c", "value": "3", "agent": "a", "expect": "1" });
    server.post("cursor/set", &swap).is_refused(409, "refused");
}

#[test]
fn what_is_asked_for_wrongly_is_told_and_changes_nothing() {
    let bench = Bench::new();
    let server = Server::start_with(&bench, &["--max-body", "1000"]);
    server.get("/v1/nothing").is_refused(404, "not_found");
    server.get("/nothing").is_refused(404, "not_found");
    server.get("/v1/assert").is_refused(405, "method_not_allowed");
    server.send("DELETE", "/v1/facts", &[], b"").is_refused(405, "method_not_allowed");
    server.post("facts", &json!({ "subjekt": "Anna" })).is_refused(400, "bad_request");
    server.post("facts", &json!({ "valid": "whenever" })).is_refused(400, "bad_request");
    server.post("facts", &json!(["subject"])).is_refused(400, "bad_request");
    server.post("facts", &json!({ "space": "no such/../space" })).is_refused(400, "bad_request");
    server.post("checkpoint/save", &json!({ "agent": "a" })).is_refused(400, "bad_request");
    server.post("import", &json!({ "file": "/etc/passwd" })).is_refused(400, "bad_request");
    server
        .send("POST", "/v1/facts", &[("Content-Type", "application/json")], b"{\"a\":")
        .is_refused(400, "bad_request");
    let deep = ["[".repeat(400), "]".repeat(400)].concat();
    let deep = format!("{{\"subject\":{deep}}}");
    server
        .send("POST", "/v1/facts", &[("Content-Type", "application/json")], deep.as_bytes())
        .is_refused(400, "bad_request");
    server
        .send("POST", "/v1/facts", &[("Content-Type", "text/plain")], b"x")
        .is_refused(415, "unsupported_media_type");
    server.post("assert", &json!({ "input": "x".repeat(2000) })).is_refused(413, "too_large");
    for address in ["/v1/facts?subject=a&subject=b", "/v1/facts?subject=%ff", "/v1/facts?subject=%"] {
        server.get(address).is_refused(400, "bad_request");
    }
    let json = ("Content-Type", "application/json");
    let twice = br#"{"subject":"a","subject":"b"}"#;
    server.send("POST", "/v1/facts", &[json], twice).is_refused(400, "bad_request");
    server
        .send("POST", "/v1/facts", &[json, ("Content-Encoding", "gzip")], b"{}")
        .is_refused(415, "unsupported_media_type");
    let set = json!({ "name": "a", "value": "1", "agent": "a", "idempotency_key": "k" });
    server.post_with("cursor/set", &[("Idempotency-Key", "l")], &set).is_refused(400, "bad_request");
    let load = json!({ "key": { "project_key": "p", "session_id": "s" } });
    let append = json!({ "key": load["key"], "entries": [{}] });
    assert_eq!(server.post("session-store/append", &append).status, 200);
    assert_eq!(server.post("session-store/load", &load).status, 200);
    let none = json!({ "key": load["key"], "limit": 0 });
    server.post("session-store/load", &none).is_refused(400, "invalid_request");
    let put = json!({ "ops": [{ "put": { "namespace": ["a"], "key": "k\u{0}", "value": { "a": 1 } } }] });
    server.post("langgraph/store/batch", &put).is_refused(400, "invalid_request");
    let bad =
        server.send("POST", "/v1/assert", &[("Content-Type", "application/x-ndjson")], b"{\"subject\":1}\n");
    bad.is_refused(422, "bad_input");
    assert_eq!(bad.json()["rows"][0]["quarantined"], 1);
    assert!(!bad.json()["error"]["message"].as_str().unwrap().is_empty());
    assert_eq!(server.post("facts", &json!({})).rows(), Vec::<Value>::new());
}

#[test]
fn pages_of_other_sites_are_not_answered() {
    let bench = Bench::new();
    let server = Server::start_with(&bench, &["--allow-origin", "https://app.example"]);
    let with = |name: &'static str, value: &'static str| {
        server.send("POST", "/v1/facts", &[("Content-Type", "application/json"), (name, value)], b"{}")
    };
    with("Origin", "http://evil.example").is_refused(403, "foreign_origin");
    with("Origin", "null").is_refused(403, "foreign_origin");
    with("Origin", "http://localhost.evil.example").is_refused(403, "foreign_origin");
    with("Host", "evil.example").is_refused(403, "foreign_host");
    with("Host", "127.0.0.1.evil.example:80").is_refused(403, "foreign_host");
    assert_eq!(with("Origin", "http://localhost:3000").status, 200);
    assert_eq!(with("Origin", "https://app.example").status, 200);
    assert_eq!(with("Host", "[::1]:7461").status, 200);
}

/// Makes a key, and returns its id and its text.
pub(crate) fn key(bench: &mut Bench, words: &[&str]) -> (String, String) {
    let words = [&["keys", "create", "tests", "--json", "--now", "2026-01-01"], words].concat();
    let row = bench.done(&words).row();
    let text = |name: &str| row[name].as_str().expect(name).to_owned();
    (text("id"), format!("Bearer {}", text("key")))
}

#[test]
fn a_key_does_what_it_may_and_where_it_may() {
    let mut bench = Bench::new();
    bench.assert_lines("a", &[lives("Anna", "Bern").to_string()]);
    bench.assert_lines("b", &[lives("Canary", "Hidden").to_string()]);
    let (_, read) = key(&mut bench, &["--opens", "a"]);
    let (written, write) = key(&mut bench, &["--opens", "a", "--scope", "read", "--scope", "write"]);
    let (_, old) = key(&mut bench, &["--opens", "a", "--expires", "2026-01-02"]);
    let (gone, revoked) = key(&mut bench, &["--opens", "a"]);
    let (_, admin) = key(&mut bench, &["--opens", "*", "--scope", "admin", "--scope", "read"]);
    let (confined_id, confined) = key(&mut bench, &["--opens", "*", "--scope", "admin"]);
    let ring = bench.store().join("keys.json");
    let mut keys: Value = serde_json::from_slice(&fs_err::read(&ring).expect("a file")).expect("JSON");
    for key in keys["keys"].as_array_mut().expect("keys") {
        if key["id"] == *confined_id {
            key["spaces"] = json!(["a"]);
        }
    }
    fs_err::write(&ring, keys.to_string()).expect("a file");
    bench.done(&["keys", "revoke", &gone]);
    bench.close();
    let server = Server::start(&bench);
    let facts = |key: &str, space: &str| {
        server.post_with(
            "facts",
            &[("Authorization", key), ("Bygone-Space", space)],
            &json!({ "known": "2025" }),
        )
    };
    server.get("/v1/facts").is_refused(401, "unauthorized");
    server.get("/metrics").is_refused(401, "unauthorized");
    assert_eq!(server.get("/healthz").status, 200);
    facts("Bearer bygone_00000000_x", "a").is_refused(401, "unauthorized");
    facts("Basic x", "a").is_refused(401, "unauthorized");
    facts(&old, "a").is_refused(401, "unauthorized");
    facts(&revoked, "a").is_refused(401, "unauthorized");
    assert_eq!(facts(&read, "a").rows().len(), 1);
    for space in ["b", "default", "c"] {
        facts(&read, space).is_refused(403, "forbidden");
    }
    let authorized = |key: &'static str, verb: &str, body: &Value, by: &str| {
        server.post_with(verb, &[(key, by), ("Bygone-Space", "a")], body)
    };
    let set = json!({ "name": "c", "value": "1", "agent": "x" });
    authorized("Authorization", "cursor/set", &set, &read).is_refused(403, "forbidden");
    assert_eq!(authorized("Authorization", "cursor/set", &set, &write).status, 200);
    let erase = json!({ "user": "x" });
    authorized("Authorization", "erase", &erase, &write).is_refused(403, "forbidden");
    authorized("Authorization", "verify", &json!({}), &write).is_refused(403, "forbidden");
    authorized("Authorization", "verify", &json!({}), &confined).is_refused(403, "forbidden");
    assert_eq!(authorized("Authorization", "verify", &json!({}), &admin).status, 200);
    let spaces = authorized("Authorization", "spaces", &json!({}), &read);
    assert_eq!(spaces.json()["remarks"], json!(["1 space"]));
    let spaces = spaces.rows();
    assert_eq!(spaces.iter().map(|row| &row["space"]).collect::<Vec<_>>(), ["a"]);
    let named = server.post_with(
        "facts",
        &[("Authorization", &read), ("Bygone-Space", "a")],
        &json!({ "space": "b" }),
    );
    named.is_refused(400, "bad_request");
    // Nothing that a key of one space is told holds a word of another one.
    for (verb, body) in [
        ("facts", json!({})),
        ("stats", json!({})),
        ("export", json!({})),
        ("entities", json!({ "prefix": "Can" })),
        ("search", json!({ "text": "Canary" })),
        ("ask", json!({ "question": "Where does Canary live?" })),
        ("timeline", json!({ "entity": "Canary" })),
        ("show", json!({ "entity": "person:Canary" })),
    ] {
        let answer = authorized("Authorization", verb, &body, &read);
        assert!(!String::from_utf8_lossy(&answer.body).contains("Hidden"), "{verb}: {answer:?}");
    }
    drop(server);
    let record = fs_err::read_to_string(bench.store().join("audit.jsonl")).expect("the record");
    let rows: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let told = |status: u64| rows.iter().filter(|row| row["status"] == status).count();
    assert_eq!((told(401), told(403)), (6, 7), "{record}");
    let changes: Vec<&Value> =
        rows.iter().filter(|row| row["path"] == "/v1/cursor/set" && row["status"] == 200).collect();
    assert_eq!((changes.len(), changes[0]["key"].as_str()), (1, Some(written.as_str())));
    for secret in [&read, &write, &old, &revoked, &admin] {
        assert!(!record.contains(secret.trim_start_matches("Bearer ")), "a key is in the record");
    }
}

#[test]
fn a_key_that_only_writes_is_told_nothing_of_what_is_there() {
    let mut bench = Bench::new();
    bench.assert_lines("a", &[lives("Anna", "Bern").to_string()]);
    let (_, write) = key(&mut bench, &["--opens", "a", "--scope", "write"]);
    bench.close();
    let server = Server::start(&bench);
    let with = [("Authorization", write.as_str()), ("Bygone-Space", "a")];
    let set = |value: &str, expect: Option<&str>| {
        let body = json!({ "name": "c", "value": value, "agent": "x", "expect": expect });
        server.post_with("cursor/set", &with, &body)
    };
    assert_eq!(set("hidden", None).status, 200);
    let refused = set("2", Some("guess"));
    refused.is_refused(409, "refused");
    assert!(!String::from_utf8_lossy(&refused.body).contains("hidden"), "{refused:?}");
    let search = json!({ "ops": [{ "search": { "namespace_prefix": [] } }] });
    server.post_with("langgraph/store/batch", &with, &search).is_refused(403, "forbidden");
    let view = json!({ "command": "view", "path": "/memories" });
    server.post_with("memory-tool/run", &with, &view).is_refused(403, "forbidden");
    server
        .post_with("memory/run", &with, &json!({ "command": view.to_string() }))
        .is_refused(403, "forbidden");
    let with = [with[0], with[1], ("Content-Type", "application/json")];
    server.send("PUT", "/mem0/v1/memories/x/", &with, br#"{"text":"a"}"#).is_refused(403, "forbidden");
    drop(server);
}

#[test]
fn a_key_that_could_do_nothing_is_not_made() {
    let mut bench = Bench::new();
    bench.assert_lines("a", &[lives("Anna", "Bern").to_string()]);
    for (words, said) in [
        (&["tests", "--opens", "a/b"][..], "a/b"),
        (&["tests", "--opens", "a", "--scope", "admin"], "--opens '*'"),
        (&["tests", "--expires", "2020"], "has passed"),
        (&[" "], "no name"),
    ] {
        let ran = bench.run(&[&["keys", "create"], words].concat());
        assert!(ran.exit == Exit::Usage && ran.errors.contains(said), "{words:?}: {ran:?}");
    }
}

#[test]
fn what_was_said_is_not_written_down_and_every_refusal_is_logged() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let set = |value: &str| {
        let body = json!({ "name": "c", "value": value, "agent": "a" });
        server.post_with("cursor/set", &[("Idempotency-Key", "hunter2")], &body)
    };
    set("1").rows();
    set("2").is_refused(422, "bad_input");
    let put = json!({ "ops": [{ "put": { "namespace": ["hunter2.x"], "key": "s", "value": {} } }] });
    server.post("langgraph/store/batch", &put).is_refused(400, "invalid_request");
    let json = [("Content-Type", "application/json")];
    let add = br#"{"messages":"hi","user_id":"a","expiration_date":"hunter2"}"#;
    server.send("POST", "/mem0/v1/memories/", &json, add).is_refused(400, "bad_request");
    let twice = br#"{"messages":"hi","messages":"ho","user_id":"a"}"#;
    server.send("POST", "/mem0/v1/memories/", &json, twice).is_refused(400, "bad_request");
    drop(server);
    let record = fs_err::read_to_string(bench.store().join("audit.jsonl")).expect("the record");
    assert_eq!(record.lines().count(), 5, "{record}");
    assert!(!record.contains("hunter2"), "{record}");
}

/// Calls a tool over HTTP, in a session of its own.
fn tool(server: &Server, headers: &[(&str, &str)], name: &str, arguments: &Value) -> Value {
    let kinds = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let headers = [&kinds, headers].concat();
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "tests", "version": "1" } } });
    let answer = server.send("POST", "/mcp", &headers, hello.to_string().as_bytes());
    assert_eq!(answer.status, 200, "{answer:?}");
    let session = answer.head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("mcp-session-id").then(|| value.to_owned())
    });
    let session = session.expect("a session");
    let headers = [&headers[..], &[("Mcp-Session-Id", &session)]].concat();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    server.send("POST", "/mcp", &headers, ready.to_string().as_bytes());
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": { "name": name, "arguments": arguments } });
    let answer = server.send("POST", "/mcp", &headers, call.to_string().as_bytes());
    let text = String::from_utf8(answer.body).expect("text");
    let events =
        text.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok());
    let mut results = events.filter_map(|event: Value| event.get("result").cloned());
    results.next().unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn tools_over_http_do_what_the_key_may_and_are_recorded() {
    let mut bench = Bench::new();
    bench.assert_lines("a", &[lives("Anna", "Bern").to_string()]);
    bench.assert_lines("b", &[lives("Canary", "Hidden").to_string()]);
    let (_, read) = key(&mut bench, &["--opens", "a"]);
    let (writer, write) = key(&mut bench, &["--opens", "a", "--scope", "read", "--scope", "write"]);
    bench.close();
    let server = Server::start(&bench);
    let call = |key: &str, space: &str, name: &str, arguments: &Value| {
        tool(&server, &[("Authorization", key), ("Bygone-Space", space)], name, arguments)
    };
    let question = json!({ "question": "Where does Anna live?", "known": "2025" });
    assert_eq!(call(&read, "a", "ask", &question)["structuredContent"]["rows"][0]["known"], true);
    let said = json!({ "text": "Bern is cold.", "speaker": "Anna" });
    let refused = call(&read, "a", "remember", &said);
    assert_eq!(refused["content"][0]["text"], "the key does not have the scope write", "{refused}");
    assert_eq!(call(&write, "a", "remember", &said)["structuredContent"]["recorded"], 1);
    let elsewhere = call(&read, "b", "recall", &json!({ "text": "Canary" }));
    assert_eq!(elsewhere["content"][0]["text"], "the key does not open the space \"b\"", "{elsewhere}");
    assert_eq!(call(&write, "a", "forget", &json!({ "user": "Anna" }))["isError"], true);
    drop(server);
    let record = fs_err::read_to_string(bench.store().join("audit.jsonl")).expect("the record");
    let rows: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let (of_keys, rows): (Vec<Value>, Vec<Value>) = rows.into_iter().partition(|row| row["method"] == "");
    assert_eq!(of_keys.iter().map(|row| &row["path"]).collect::<Vec<_>>(), ["keys create"; 2]);
    let told: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| (row["path"].as_str().expect("a path"), row["status"].as_u64().expect("a status")))
        .collect();
    let expected = [("/mcp/ingest", 403), ("/mcp/ingest", 200), ("/mcp/search", 403), ("/mcp/erase", 403)];
    assert_eq!(told, expected, "{record}");
    assert_eq!(rows[1]["key"], *writer);
    assert!(!record.contains("cold"), "what was said is in the record");
}

#[test]
fn a_rotated_key_gives_way_at_once_or_after_a_while() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &[lives("Anna", "Bern").to_string()]);
    let (id, old) = key(&mut bench, &[]);
    let row = bench.done(&["keys", "rotate", &id, "--json", "--now", "2026-01-01"]).row();
    let new = format!("Bearer {}", row["key"].as_str().expect("a key"));
    bench.close();
    let server = Server::start(&bench);
    let status = |key: &str| server.post_with("facts", &[("Authorization", key)], &json!({})).status;
    assert_eq!((status(&old), status(&new)), (401, 200));
    let id = row["id"].as_str().expect("an id");
    let output = program(&bench).args(["keys", "rotate", id, "--overlap", "1h"]).output().expect("it runs");
    let row: Value = serde_json::from_slice(&output.stdout).expect("a row");
    let newest = format!("Bearer {}", row["key"].as_str().expect("a key"));
    assert_eq!((status(&new), status(&newest)), (200, 200));
}

#[test]
fn a_file_of_keys_that_is_damaged_or_gone_opens_nothing() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &[lives("Anna", "Bern").to_string()]);
    let (_, key) = key(&mut bench, &[]);
    bench.close();
    let server = Server::start(&bench);
    let facts = || server.post_with("facts", &[("Authorization", &key)], &json!({}));
    assert_eq!(facts().status, 200);
    let file = bench.store().join("keys.json");
    fs_err::write(&file, "{").expect("a file");
    facts().is_refused(503, "no_keys");
    fs_err::remove_file(&file).expect("it goes");
    facts().is_refused(401, "unauthorized");
    server.get("/v1/facts").is_refused(401, "unauthorized");
}

#[test]
fn without_keys_no_other_machine_is_served() {
    let bench = Bench::new();
    let output = program(&bench).args(["serve", "--bind", "0.0.0.0:0"]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn long_answers_come_in_pages_of_one_commit() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let people: Vec<Value> = (0..25).map(|nth| lives(&format!("P{nth:02}"), "Bern")).collect();
    server.assert_lines(&[], &people);
    let first = server.post("facts", &json!({ "page_size": 10 }));
    let mut rows = first.rows();
    let mut cursor = first.json()["next"].clone();
    // What is recorded later is on none of the pages.
    server.assert_lines(&[], &[lives("A", "Bern")]);
    while let Some(next) = cursor.as_str() {
        let page = server.post("facts", &json!({ "page_size": 10, "cursor": next }));
        rows.extend(page.rows());
        cursor = page.json()["next"].clone();
    }
    let names: Vec<&str> = rows.iter().map(|row| row["subject"].as_str().expect("a subject")).collect();
    let expected: Vec<String> = (0..25).map(|nth| format!("person:P{nth:02}")).collect();
    assert_eq!(names, expected);
    let cursor = first.json()["next"].as_str().expect("a cursor").to_owned();
    server.post("facts", &json!({ "cursor": cursor, "subject": "P01" })).is_refused(400, "bad_request");
    let elsewhere = server.post_with("facts", &[("Bygone-Space", "other")], &json!({ "cursor": cursor }));
    elsewhere.is_refused(400, "bad_request");
    server.post("facts", &json!({ "page_size": 0 })).is_refused(400, "bad_request");
}

#[test]
fn states_come_back_as_they_were() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let state: Vec<u8> = (0..100_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let headers = [("Content-Type", "application/octet-stream")];
    let saved = server.send("POST", "/v1/checkpoint/save?agent=a", &headers, &state).rows();
    let id = saved[0]["checkpoint"].as_str().expect("an id");
    let back = server.get(&format!("/v1/checkpoint/restore?id={id}"));
    assert_eq!(back.status, 200);
    assert!(back.body == state, "{} bytes", back.body.len());
    server.get("/v1/checkpoint/restore?agent=nobody").is_refused(404, "not_found");
    assert_ne!(server.get("/v1/checkpoint/restore?id=c:00").status, 200);
}

#[test]
fn many_at_a_time_lose_nothing_that_was_acknowledged() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    std::thread::scope(|scope| {
        for client in 0..8 {
            let server = &server;
            scope.spawn(move || {
                for nth in 0..10 {
                    server.assert_lines(&[], &[lives(&format!("C{client}N{nth}"), "Bern")]);
                    assert_eq!(
                        server.get(&format!("/v1/facts?subject=person:C{client}N{nth}")).rows().len(),
                        1
                    );
                }
            });
        }
    });
    assert_eq!(server.get("/v1/facts").rows().len(), 80);
    assert_eq!(server.stop(), Some(0));
    let output = program(&bench).arg("verify").output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn the_document_says_what_the_server_takes() {
    let bench = Bench::new();
    let output = program(&bench).args(["serve", "--openapi"]).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let path = repository("docs/openapi.json");
    #[expect(clippy::disallowed_methods, reason = "the environment asks for expectations to be written anew")]
    let is_blessing = std::env::var_os("BLESS").is_some();
    if is_blessing {
        fs_err::write(&path, &text).expect("the document is written");
    }
    assert_eq!(fs_err::read_to_string(&path).expect("the document"), text, "write it anew by BLESS=1");
    let server = Server::start(&bench);
    let told = server.get("/openapi.json").json();
    assert_eq!(told, serde_json::from_str::<Value>(&text).expect("JSON"));
    let page = server.get("/");
    assert!(page.head.contains("content-security-policy"), "{}", page.head);
    assert_eq!(server.get("/explorer.js").status, 200);
    server.get("/v1/facts");
    let counts = String::from_utf8(server.get("/metrics").body).expect("text");
    assert!(counts.contains("bygone_requests_total{verb=\"facts\",status=\"200\"} 1"), "{counts}");
}
