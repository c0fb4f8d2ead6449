//! The memory tool's files at the command line and over HTTP; what a model is told is tested where it is made.

use bygone::Exit;
use serde_json::{Value, json};

use crate::serving::Server;
use crate::support::Bench;

fn row(bench: &mut Bench, words: &[&str]) -> Value {
    bench.done(&[words, &["--json"]].concat()).row()
}

#[test]
fn a_command_is_done_as_a_model_sends_it_and_every_version_can_be_viewed() {
    let mut bench = Bench::new();
    let home = "/memories/home.md";
    let create = json!({"command": "create", "path": home, "file_text": "Berlin"}).to_string();
    let told = row(&mut bench, &["memory", "run", &create]);
    assert_eq!(told, json!({"text": "File created successfully at: /memories/home.md", "is_error": false}));
    let edit = json!({"command": "str_replace", "path": home, "old_str": "Berlin", "new_str": "Zurich"});
    row(&mut bench, &["memory", "run", &edit.to_string()]);
    let past = bench.done(&["memory", "history", home, "--json"]).rows();
    let texts: Vec<&Value> = past.iter().map(|row| &row["text"]).collect();
    assert_eq!(texts, [&json!("Berlin"), &json!("Zurich")]);
    for seen in &past {
        let recorded = seen["recorded"].to_string();
        let told = row(&mut bench, &["memory", "view", home, "--recorded", &recorded]);
        assert!(
            told["text"].as_str().expect("a text").ends_with(seen["text"].as_str().expect("a text")),
            "{told}"
        );
    }
    let root = row(&mut bench, &["memory", "view"]);
    assert!(root["text"].as_str().expect("a text").ends_with("6B\t/memories/home.md"), "{root}");
    bench.run(&["memory", "run", &create]).expect_exit(Exit::No);
    bench.run(&["memory", "view", "/memories/none"]).expect_exit(Exit::No);
    bench.run(&["memory", "history", "/memories/none"]).expect_exit(Exit::No);
    bench.run(&["memory", "history", "/memories/../x"]).expect_exit(Exit::Usage);
    bench.run(&["memory", "run", "no JSON"]).expect_exit(Exit::Usage);
}

#[test]
fn it_is_asked_for_as_a_verb_and_as_an_operation() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let create = json!({"command": "create", "path": "/memories/a", "file_text": "x"});
    assert_eq!(server.post("memory-tool/run", &create).json()["result"]["is_error"], false);
    let again = server.post("memory-tool/run", &create).json();
    assert_eq!(again["result"], json!({"text": "Error: File /memories/a already exists", "is_error": true}));
    // A verb that is to change something and does not is refused, with the row that says why.
    let verb = server.post("memory/run", &json!({"json": create.to_string()}));
    verb.is_refused(409, "refused");
    assert_eq!(verb.json()["rows"], json!([again["result"]]));
    assert!(
        server.get("/v1/memory/view?path=/memories/a").rows()[0]["text"]
            .as_str()
            .expect("a text")
            .ends_with('x')
    );
}
