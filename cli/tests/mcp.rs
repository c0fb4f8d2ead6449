//! The tools of the Model Context Protocol, over standard input and output, as a client calls them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Bench, text_of};

/// A client, and the process that it started.
struct Client {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_sent: u64,
}

impl Client {
    fn start(bench: &Bench) -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_bygone"))
            .args(["--store", &text_of(&bench.store()), "mcp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("it is piped"));
        let mut client = Client { process, input, output, n_sent: 0 };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
                            "clientInfo": { "name": "tests", "version": "1" } });
        let told = client.request("initialize", &hello);
        assert_eq!(told["result"]["serverInfo"]["name"], "bygone", "{told}");
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input.as_mut().expect("it is open"), "{message}").expect("it reads");
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.n_sent += 1;
        let id = self.n_sent;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("it answers"), 0, "it ended");
            let answer: Value =
                serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
            if answer["id"] == id {
                return answer;
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))["result"].clone()
    }

    /// Calls a tool that must do what it is asked.
    #[track_caller]
    fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must not, and returns what it says.
    #[track_caller]
    fn refused(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    fn leave(mut self) {
        drop(self.input.take());
        assert_eq!(self.process.wait().expect("it was started here").code(), Some(0));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _killed: std::io::Result<()> = self.process.kill();
        let _waited: std::io::Result<std::process::ExitStatus> = self.process.wait();
    }
}

#[test]
fn an_agent_remembers_asks_and_learns_why() {
    let bench = Bench::new();
    let mut client = Client::start(&bench);
    let tools = client.request("tools/list", &json!({}));
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names.len(), 17, "{names:?}");
    client.done(
        "remember",
        &json!({ "text": "I moved to Zurich last week.", "speaker": "Ben", "at": "2024-05-06T10:00:00Z" }),
    );
    client.done("remember", &json!({ "statements": [
        { "subject": "person:Ben", "predicate": "works_at", "object": { "entity": "org:Initech" }, "from": "2024-03" },
    ] }));
    let answer = client.done("ask", &json!({ "question": "Where does Ben live?" }));
    assert_eq!(answer["rows"][0]["facts"][0]["object"], json!({ "entity": "place:Zurich" }), "{answer}");
    assert_eq!(answer["rows"][0]["evidence"][0]["speaker"], "person:Ben");
    let found = client.done("recall", &json!({ "text": "Ben Initech", "kind": "fact", "k": 1 }));
    let id = found["rows"][0]["id"].as_str().expect("an id").to_owned();
    let proof = client.done("why", &json!({ "id": id }));
    assert!(proof["rows"][0].to_string().contains("Initech"), "{proof}");
    let changed = client.done("what_changed", &json!({ "since": "2024-05-01", "about": "Ben" }));
    assert!(
        changed["rows"].as_array().expect("rows").iter().all(|row| row["change"] == "learned"),
        "{changed}"
    );
    client.done("resume", &json!({}));
    client.leave();
}

#[test]
fn a_model_is_told_what_it_may_do_better() {
    let bench = Bench::new();
    let mut client = Client::start(&bench);
    assert_eq!(client.refused("remember", &json!({})), "nothing is given: expected `text` or `statements`");
    assert_eq!(client.refused("recall", &json!({ "k": 1 })), "text is missing");
    assert_eq!(client.refused("recall", &json!({ "tezt": "x" })), "\"tezt\" is not an argument of this tool");
    assert_eq!(
        client.refused("why", &json!({ "id": "f:00", "x": 1 })),
        "\"x\" is not an argument of this tool"
    );
    let told = client.refused(
        "remember",
        &json!({ "statements": [{ "subject": "person:Ben", "predikate": "works_at" }] }),
    );
    assert!(told.contains("predikate"), "{told}");
    assert_eq!(
        client.refused("forget", &json!({ "session": "none" })),
        "there is nothing of that source to erase"
    );
    let unknown = client.request("tools/call", &json!({ "name": "nothing", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().expect("a message").contains("nothing"), "{unknown}");
    client.leave();
}

#[test]
fn a_state_comes_back_and_a_session_is_forgotten() {
    let bench = Bench::new();
    let mut client = Client::start(&bench);
    let saved = client.done("checkpoint", &json!({ "state": { "step": 3 }, "agent": "a", "label": "l" }));
    let id = saved["rows"][0]["checkpoint"].clone();
    assert_eq!(client.done("checkpoint", &json!({ "restore": id })), json!({ "state": { "step": 3 } }));
    assert_eq!(
        client.done("checkpoint", &json!({ "agent": "a" }))["rows"].as_array().expect("rows").len(),
        1
    );
    client.done("remember", &json!({ "text": "The code word is Xylophone.", "session": "s" }));
    assert_ne!(client.done("recall", &json!({ "text": "Xylophone" }))["rows"], json!([]));
    client.done("forget", &json!({ "session": "s" }));
    let left = client.done("recall", &json!({ "text": "Xylophone" }));
    assert!(!left["rows"].to_string().contains("Xylophone"), "{left}");
    client.leave();
}

#[test]
fn long_answers_are_handed_out_in_parts() {
    let bench = Bench::new();
    let mut client = Client::start(&bench);
    let words = "lorem ipsum ".repeat(40);
    let people: Vec<Value> = (0..120)
        .map(|nth| json!({ "subject": format!("person:P{nth}"), "predicate": "noted", "object": { "text": format!("{nth} {words}") } }))
        .collect();
    client.done("remember", &json!({ "statements": people }));
    let asked = json!({ "since": "2020" });
    let mut n_rows = 0;
    let mut cursor = Value::Null;
    loop {
        let mut asked = asked.clone();
        asked["cursor"] = cursor;
        let part = client.done("what_changed", &asked);
        assert!(part.to_string().len() < 60_000, "{} bytes", part.to_string().len());
        n_rows += part["rows"].as_array().expect("rows").len();
        cursor = part["next"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(n_rows, 120);
    client.leave();
}

#[test]
fn the_tools_of_the_memory_server_do_what_they_do_there() {
    let bench = Bench::new();
    let mut client = Client::start(&bench);
    let ada = json!({ "name": "Ada", "entityType": "Person", "observations": ["Likes tea", "Speaks Greek"] });
    let acme = json!({ "name": "Acme", "entityType": "company", "observations": [] });
    let entities = json!({ "entities": [ada, acme] });
    assert_eq!(client.done("create_entities", &entities), entities);
    assert_eq!(client.done("create_entities", &entities), json!({ "entities": [] }));
    let relation = json!({ "from": "Ada", "to": "Acme", "relationType": "worksAt" });
    let relations = json!({ "relations": [relation] });
    assert_eq!(client.done("create_relations", &relations), relations);
    assert_eq!(client.done("create_relations", &relations), json!({ "relations": [] }));
    let more = json!({ "observations": [{ "entityName": "Ada", "contents": ["Likes tea", "Plays go"] }] });
    let added = json!({ "results": [{ "entityName": "Ada", "addedObservations": ["Plays go"] }] });
    assert_eq!(client.done("add_observations", &more), added);
    let nobody = json!({ "observations": [{ "entityName": "Nobody", "contents": ["x"] }] });
    assert_eq!(client.refused("add_observations", &nobody), "Entity with name Nobody not found");
    let found = client.done("search_nodes", &json!({ "query": "GREEK" }));
    assert_eq!((&found["entities"][0]["name"], &found["relations"]), (&json!("Ada"), &json!([relation])));
    assert_eq!(
        client.done("open_nodes", &json!({ "names": ["Acme"] })),
        json!({ "entities": [acme], "relations": [relation] })
    );
    let done = json!({ "success": true, "message": "Observations deleted successfully" });
    let tea = json!({ "deletions": [{ "entityName": "Ada", "observations": ["Likes tea", "Never said"] }] });
    assert_eq!(client.done("delete_observations", &tea), done);
    client.done("delete_relations", &relations);
    let graph = client.done("read_graph", &json!({}));
    let left = json!({ "name": "Ada", "entityType": "Person", "observations": ["Speaks Greek", "Plays go"] });
    assert_eq!(graph, json!({ "entities": [acme, left], "relations": [] }));
    // What was taken back can be said again.
    client.done("create_relations", &relations);
    assert_eq!(client.done("read_graph", &json!({}))["relations"], json!([relation]));
    client.done("delete_entities", &json!({ "entityNames": ["Ada", "Nobody"] }));
    assert_eq!(client.done("read_graph", &json!({})), json!({ "entities": [acme], "relations": [] }));
    client.leave();
}

#[test]
fn names_that_are_kept_alike_are_one_entity_and_a_deletion_is_whole() {
    let bench = Bench::new();
    let mut client = Client::start(&bench);
    let named = |name: &str, class: &str, known: &str| json!({ "entities": [{ "name": name, "entityType": class, "observations": [known] }] });
    client.done("create_entities", &named("Ada", "Person", "Likes tea"));
    assert_eq!(client.done("create_entities", &named("Ada ", "robot", "beeps")), json!({ "entities": [] }));
    client.done("create_entities", &named("Z\u{fc}rich", "city", "has a lake"));
    let again = named("Zu\u{308}rich", "city", "has no lake");
    assert_eq!(client.done("create_entities", &again), json!({ "entities": [] }));
    let opened = client.done("open_nodes", &json!({ "names": [" Ada", "Zu\u{308}rich"] }));
    assert_eq!(opened["entities"].as_array().map(Vec::len), Some(2), "{opened}");
    let knows = |kind: &str| json!({ "relations": [{ "from": "Ada", "to": "Ada ", "relationType": kind }] });
    client.done("create_relations", &knows("knows"));
    for tool in ["create_relations", "delete_relations"] {
        assert!(client.refused(tool, &knows(" ")).contains("relationType"));
    }
    // What the user said of her cannot be taken back, and then nothing is.
    let said = json!({ "subject": "person:Ada", "predicate": "noted", "object": { "text": "is kind" } });
    client.done("remember", &json!({ "statements": [said] }));
    let before = client.done("read_graph", &json!({}));
    let told = client.refused("delete_entities", &json!({ "entityNames": ["Ada"] }));
    assert!(told.contains("Ada: is kind; nothing was deleted"), "{told}");
    assert_eq!(client.done("read_graph", &json!({})), before);
    client.done("delete_entities", &json!({ "entityNames": ["Zu\u{308}rich"] }));
    client.leave();
}

#[test]
fn what_cannot_be_read_is_answered_and_what_follows_too() {
    let bench = Bench::new();
    let mut client = Client::start(&bench);
    for line in ["garbage", r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#] {
        writeln!(client.input.as_mut().expect("it is open"), "{line}").expect("it reads");
        let mut answer = String::new();
        client.output.read_line(&mut answer).expect("it answers");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert!(answer["error"]["code"].is_i64(), "{answer}");
    }
    let cut = r#"{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"ask","arguments":{"question":"Who is \ud83d?"}}}"#;
    writeln!(client.input.as_mut().expect("it is open"), "{cut}").expect("it reads");
    let mut answer = String::new();
    client.output.read_line(&mut answer).expect("it answers");
    assert!(answer.contains("\"id\":99") && answer.contains("structuredContent"), "{answer}");
    let no_time = client.refused("remember", &json!({ "text": "It rains.", "at": "tomorrow" }));
    assert!(no_time.contains("at: time \"tomorrow\""), "{no_time}");
    assert!(client.refused("remember", &json!({ "text": " " })).contains("text is empty"));
    client.leave();
}

#[test]
fn the_graph_of_the_memory_server_is_a_part_of_the_memory() {
    let bench = Bench::new();
    let mut client = Client::start(&bench);
    let entities: Vec<Value> = (0..3)
        .map(|nth| json!({ "name": format!("N{nth}"), "entityType": "thing-like", "observations": [] }))
        .collect();
    client.done("create_entities", &json!({ "entities": entities }));
    // What became known in another way is seen where it is between entities of the graph.
    client.done("remember", &json!({ "statements": [
        { "subject": "thing:N0", "predicate": "depends_on", "object": { "entity": "thing:N1" }, "from": "2024" },
        { "subject": "thing:N0", "predicate": "depends_on", "object": { "entity": "thing:Elsewhere" }, "from": "2024" },
        { "subject": "thing:N2", "predicate": "noted", "object": { "text": "heavy" }, "from": "2024" },
    ] }));
    let edge = json!({ "from": "N0", "to": "N1", "relationType": "depends_on" });
    let graph = client.done("read_graph", &json!({}));
    assert_eq!(
        (&graph["relations"], &graph["entities"][2]["observations"]),
        (&json!([edge]), &json!(["heavy"]))
    );
    assert_eq!(client.done("open_nodes", &json!({ "names": ["N1"] }))["relations"], json!([edge]));
    assert_eq!(client.done("create_relations", &json!({ "relations": [edge] })), json!({ "relations": [] }));
    // The user said so, and it is not for an agent to take that back.
    let told = client.refused("delete_relations", &json!({ "relations": [edge] }));
    assert!(told.contains("authority: N0 depends_on N1"), "{told}");
    assert_eq!(client.done("read_graph", &json!({}))["relations"], json!([edge]));
    let found = client.done("search_nodes", &json!({ "query": "heav" }));
    assert_eq!(found["entities"][0]["name"], "N2", "{found}");
    client.leave();
}

#[test]
fn two_clients_share_a_store() {
    let bench = Bench::new();
    let (mut one, mut other) = (Client::start(&bench), Client::start(&bench));
    one.done("remember", &json!({ "statements": [
        { "subject": "person:Anna", "predicate": "lives_in", "object": { "entity": "place:Bern" }, "from": "2024" },
    ] }));
    let answer = other.done("ask", &json!({ "question": "Where does Anna live?" }));
    assert_eq!(answer["rows"][0]["known"], true, "{answer}");
    one.leave();
    other.done("remember", &json!({ "text": "Bern is cold.", "speaker": "Anna" }));
    other.leave();
}
