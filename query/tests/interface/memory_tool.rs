//! The memory tool's files: what a model is told, what is no path, and what was there before.

use bygone_engine::store::Store;
use serde_json::{Value, json};

use super::{ask, refused, sound, store};

/// Runs a command, and returns what the model is told and whether it was refused.
fn run(store: &Store, command: &Value) -> (String, bool) {
    let answer = ask(store, "memory-tool", "run", command);
    (answer["text"].as_str().expect("a text").to_owned(), answer["is_error"].as_bool().expect("a flag"))
}

/// Runs a command that is done.
fn done(store: &Store, command: &Value) -> String {
    let (text, is_error) = run(store, command);
    assert!(!is_error, "{command}: {text}");
    text
}

fn create(store: &Store, path: &str, text: &str) {
    let told = done(store, &json!({"command": "create", "path": path, "file_text": text}));
    assert_eq!(told, format!("File created successfully at: {path}"));
}

fn view(store: &Store, path: &str) -> String {
    done(store, &json!({"command": "view", "path": path}))
}

fn last_seq(store: &Store) -> u64 {
    store.space("default", false).expect("a space").snapshot().last_seq().expect("a number")
}

#[test]
fn a_model_is_told_what_the_documentation_says() {
    let (store, _) = store();
    let root = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n";
    assert_eq!(view(&store, "/memories"), format!("{root}0B\t/memories"));
    create(&store, "/memories/todo.md", "one\ntwo\nthree\nfour\nfive\n");
    let told = done(
        &store,
        &json!({"command": "str_replace", "path": "/memories/todo.md", "old_str": "three", "new_str": "3"}),
    );
    let snippet = "     1\tone\n     2\ttwo\n     3\t3\n     4\tfour\n     5\tfive";
    assert_eq!(
        told,
        format!(
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
        )
    );
    let told = done(
        &store,
        &json!({"command": "insert", "path": "/memories/todo.md", "insert_line": 5, "insert_text": "six\n"}),
    );
    assert_eq!(told, "The file /memories/todo.md has been edited.");
    assert_eq!(
        done(&store, &json!({"command": "view", "path": "/memories/todo.md", "view_range": [5, -1]})),
        "Here's the content of /memories/todo.md with line numbers:\n     5\tfive\n     6\tsix\n     7\t"
    );
    create(&store, "/memories/notes/b/deep/er.md", "x");
    create(&store, "/memories/notes/a.md", &"a".repeat(1536));
    create(&store, "/memories/.hidden/x", "x");
    create(&store, "/memories/node_modules/x", "x");
    assert_eq!(
        view(&store, "/memories"),
        format!(
            "{root}1.5K\t/memories\n1.5K\t/memories/notes/\n1.5K\t/memories/notes/a.md\n1B\t/memories/notes/b/\n24B\t/memories/todo.md"
        )
    );
    let told = done(
        &store,
        &json!({"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/kept/notes"}),
    );
    assert_eq!(told, "Successfully renamed /memories/notes to /memories/kept/notes");
    assert!(view(&store, "/memories/kept").ends_with("/memories/kept/notes/b/"));
    let told = done(&store, &json!({"command": "delete", "path": "/memories/kept"}));
    assert_eq!(told, "Successfully deleted /memories/kept");
    sound(&store);
}

#[test]
fn what_cannot_be_done_is_told_and_changes_nothing() {
    let (store, _) = store();
    create(&store, "/memories/a.md", "x\ny\nx\n");
    create(&store, "/memories/d/f", "");
    let path = "/memories/a.md";
    let before = last_seq(&store);
    for (command, told) in [
        (
            json!({"command": "view", "path": "/memories/z"}),
            "The path /memories/z does not exist. Please provide a valid path.",
        ),
        (
            json!({"command": "create", "path": path, "file_text": ""}),
            "Error: File /memories/a.md already exists",
        ),
        (
            json!({"command": "create", "path": "/memories/d", "file_text": ""}),
            "Error: File /memories/d already exists",
        ),
        (
            json!({"command": "create", "path": "/memories/a.md/b", "file_text": ""}),
            "Error: /memories/a.md is a file, and no directory",
        ),
        (
            json!({"command": "str_replace", "path": "/memories/z", "old_str": "x", "new_str": ""}),
            "Error: The path /memories/z does not exist. Please provide a valid path.",
        ),
        (
            json!({"command": "str_replace", "path": "/memories/d", "old_str": "x", "new_str": ""}),
            "Error: The path /memories/d does not exist. Please provide a valid path.",
        ),
        (
            json!({"command": "str_replace", "path": path, "old_str": "z", "new_str": ""}),
            "No replacement was performed, old_str `z` did not appear verbatim in /memories/a.md.",
        ),
        (
            json!({"command": "str_replace", "path": path, "old_str": "", "new_str": "z"}),
            "No replacement was performed, old_str `` did not appear verbatim in /memories/a.md.",
        ),
        (
            json!({"command": "str_replace", "path": path, "old_str": "x", "new_str": ""}),
            "No replacement was performed. Multiple occurrences of old_str `x` in lines: 1, 3. Please ensure it is unique",
        ),
        (
            json!({"command": "insert", "path": "/memories/z", "insert_line": 0, "insert_text": ""}),
            "Error: The path /memories/z does not exist",
        ),
        (
            json!({"command": "insert", "path": path, "insert_line": 4, "insert_text": ""}),
            "Error: Invalid `insert_line` parameter: 4. It should be within the range of lines of the file: [0, 3]",
        ),
        (
            json!({"command": "insert", "path": path, "insert_line": -1, "insert_text": ""}),
            "Error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 3]",
        ),
        (json!({"command": "delete", "path": "/memories/z"}), "Error: The path /memories/z does not exist"),
        (
            json!({"command": "delete", "path": "/memories/"}),
            "Error: Cannot delete the /memories directory itself",
        ),
        (
            json!({"command": "rename", "old_path": "/memories/z", "new_path": "/memories/y"}),
            "Error: The path /memories/z does not exist",
        ),
        (
            json!({"command": "rename", "old_path": path, "new_path": "/memories/d"}),
            "Error: The destination /memories/d already exists",
        ),
        (
            json!({"command": "rename", "old_path": "/memories/d", "new_path": "/memories/d/e"}),
            "Error: The destination /memories/d/e is within /memories/d",
        ),
        (
            json!({"command": "rename", "old_path": "/memories", "new_path": "/memories/d/e"}),
            "Error: Cannot rename the /memories directory itself",
        ),
        (
            json!({"command": "create", "path": "/memories/../etc/passwd", "file_text": ""}),
            "Error: Path /memories/../etc/passwd would escape /memories directory",
        ),
        (
            json!({"command": "rename", "old_path": path, "new_path": "/memories/%2e%2e/b"}),
            "Error: Path /memories/%2e%2e/b would escape /memories directory",
        ),
        (
            json!({"command": "view", "path": "/etc/passwd"}),
            "Error: Path must start with /memories, got: /etc/passwd",
        ),
        (json!({"command": "view"}), "Error: the command is none: missing field `path`"),
    ] {
        assert_eq!(run(&store, &command), (told.to_owned(), true), "{command}");
    }
    let (told, is_error) = run(&store, &json!({"command": "format"}));
    assert!(is_error && told.contains("expected one of `view`, `create`"), "{told}");
    assert_eq!(last_seq(&store), before);
    let long = format!("/memories/{}", "x".repeat(5000));
    let (told, is_error) = run(&store, &json!({"command": "create", "path": long, "file_text": ""}));
    assert!(is_error && told.ends_with("is too long"), "{told}");
}

#[test]
fn every_overwrite_rename_and_delete_stays_readable_as_of_then() {
    let (store, _) = store();
    create(&store, "/memories/a.md", "Berlin");
    let replace =
        json!({"command": "str_replace", "path": "/memories/a.md", "old_str": "Berlin", "new_str": "Zurich"});
    done(&store, &replace);
    done(&store, &json!({"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md"}));
    done(&store, &json!({"command": "delete", "path": "/memories/b.md"}));
    create(&store, "/memories/a.md", "Oslo");
    let past = ask(&store, "memory-tool", "history", &json!({"path": "/memories/a.md"}));
    let past = past.as_array().expect("rows");
    let texts: Vec<&Value> = past.iter().map(|row| &row["text"]).collect();
    assert_eq!(texts, [&json!("Berlin"), &json!("Zurich"), &Value::Null, &json!("Oslo")]);
    for row in past {
        for as_of in [json!({"recorded": row["recorded"]}), json!({"known": row["known"]})] {
            let seen = ask(&store, "memory-tool", "view", &json!({"path": "/memories/a.md", "as_of": as_of}));
            match row["text"].as_str() {
                Some(text) => assert!(seen["text"].as_str().expect("a text").ends_with(&format!("\t{text}"))),
                None => assert_eq!(seen["is_error"], true),
            }
        }
    }
    let as_of = json!({"recorded": past[2]["recorded"]});
    let folder = ask(&store, "memory-tool", "view", &json!({"path": "/memories", "as_of": as_of}));
    assert!(
        folder["text"].as_str().expect("a text").ends_with("6B\t/memories\n6B\t/memories/b.md"),
        "{folder}"
    );
    sound(&store);
}

#[test]
fn erasing_lets_go_of_every_version() {
    let (store, memory) = store();
    create(&store, "/memories/d/a.md", "Xylophone");
    done(
        &store,
        &json!({"command": "rename", "old_path": "/memories/d/a.md", "new_path": "/memories/d/b.md"}),
    );
    create(&store, "/memories/dd.md", "stays");
    let (code, _) = refused(&store, "memory-tool", "erase", &json!({"path": "/memories/../d"}));
    assert_eq!(code, "invalid_request");
    let certificate = ask(&store, "memory-tool", "erase", &json!({"path": "/memories/d"}));
    assert_eq!(certificate["found"], json!([]), "{certificate}");
    for name in ["a", "b"] {
        let path = format!("/memories/d/{name}.md");
        assert_eq!(ask(&store, "memory-tool", "history", &json!({"path": path})), json!([]));
    }
    assert!(view(&store, "/memories/dd.md").ends_with("stays"));
    drop(memory);
    sound(&store);
}

#[test]
fn a_write_that_is_sent_again_with_its_key_is_not_done_again() {
    let (store, _) = store();
    create(&store, "/memories/a.md", "");
    let insert = json!({"command": "insert", "path": "/memories/a.md", "insert_line": 0, "insert_text": "x"});
    let space = store.space("default", false).expect("a space");
    for _ in 0..2 {
        super::raw(&space, ("memory-tool", "run"), Some("once"), &insert.to_string()).expect("done");
    }
    assert!(view(&store, "/memories/a.md").ends_with("\n     1\tx\n     2\t"));
}
