//! Commands run in-process against a store in a folder of the test's own, and what they came to.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod disk;
pub(crate) mod random;
pub(crate) mod service;

use std::path::{Path, PathBuf};

use bygone::{Clock, Exit, Session, Streams};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The present in every test that does not set its own.
pub(crate) const NOW: &str = "2025-12-01T00:00:00Z";

/// A store of the test's own, in a folder that goes with it, and files beside it.
pub(crate) struct Bench {
    folder: TempDir,
    session: Session,
}

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The command, as it would be typed.
    pub(crate) command: String,
    /// How it ended.
    pub(crate) exit: Exit,
    /// Its results.
    pub(crate) output: String,
    /// Everything else it said.
    pub(crate) errors: String,
}

impl Bench {
    /// Makes a folder; the first command that writes makes the store.
    pub(crate) fn new() -> Bench {
        Bench { folder: tempfile::tempdir().expect("there is room for a folder"), session: session() }
    }

    /// Returns the store's folder.
    pub(crate) fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    /// Returns the path of a file beside the store.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file beside the store and returns its path as text.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs_err::create_dir_all(path.parent().expect("files stand in the folder")).expect("a folder");
        fs_err::write(&path, bytes).expect("a file");
        text_of(&path)
    }

    /// Closes the store, so that others may open it; the next command opens it again.
    pub(crate) fn close(&mut self) {
        self.session = session();
    }

    /// Runs a command.
    pub(crate) fn run(&mut self, words: &[&str]) -> Ran {
        self.run_with(words, b"")
    }

    /// Runs a command that must do what it is asked.
    #[track_caller]
    pub(crate) fn done(&mut self, words: &[&str]) -> Ran {
        self.run(words).expect_exit(Exit::Done)
    }

    /// Runs a command on some input. `--store` and `--now` are given unless the words give them.
    pub(crate) fn run_with(&mut self, words: &[&str], mut input: &[u8]) -> Ran {
        let store = text_of(&self.store());
        let mut all = vec!["bygone"];
        for (option, value) in [("--store", store.as_str()), ("--now", NOW)] {
            if !words.contains(&option) {
                all.extend([option, value]);
            }
        }
        all.extend(words);
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let exit = self
            .session
            .run(all, &mut Streams { input: &mut input, output: &mut output, errors: &mut errors });
        Ran {
            command: words.join(" "),
            exit,
            output: String::from_utf8(output).expect("results are UTF-8"),
            errors: String::from_utf8(errors).expect("remarks are UTF-8"),
        }
    }

    /// Asserts lines that must all be taken, into a space; returns the receipt.
    #[track_caller]
    pub(crate) fn assert_lines(&mut self, space: &str, lines: &[String]) -> Value {
        let receipt = self
            .run_with(&["assert", "-", "--json", "--space", space], lines.join("\n").as_bytes())
            .expect_exit(Exit::Done)
            .row();
        assert_eq!(receipt["quarantined"], 0, "{receipt}");
        receipt
    }

    /// Returns what `export` writes of a space.
    #[track_caller]
    pub(crate) fn export(&mut self, space: &str) -> String {
        self.done(&["export", "--space", space]).output
    }
}

impl Ran {
    /// Holds the command to its exit.
    #[track_caller]
    pub(crate) fn expect_exit(self, exit: Exit) -> Ran {
        assert_eq!(self.exit, exit, "{self:?}");
        self
    }

    /// Returns the rows of JSON Lines: each one an object with sorted keys.
    #[track_caller]
    pub(crate) fn rows(&self) -> Vec<Value> {
        let row = |line: &str| {
            let value: Value = serde_json::from_str(line).expect(line);
            assert!(value.is_object(), "{}: {line}", self.command);
            // `Value` keeps its keys sorted: what differs when written again was not.
            assert_eq!(value.to_string(), line, "{}: keys are sorted", self.command);
            value
        };
        self.output.lines().map(row).collect()
    }

    /// Returns the one row.
    #[track_caller]
    pub(crate) fn row(&self) -> Value {
        let mut rows = self.rows();
        assert_eq!(rows.len(), 1, "{self:?}");
        rows.remove(0)
    }
}

fn session() -> Session {
    let now = bygone_engine::time::parse_moment(NOW).expect("the present is a time");
    Session::new(Clock::Fixed(now.at))
}

/// Returns a path as text.
pub(crate) fn text_of(path: &Path) -> String {
    path.to_str().expect("test folders are UTF-8").to_owned()
}

/// Returns the path of something in the repository.
pub(crate) fn repository(path: &str) -> String {
    format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))
}

/// Reads a file of cases, one JSON object a line.
pub(crate) fn cases(name: &str) -> Vec<Value> {
    let text = fs_err::read_to_string(repository(&format!("eval/tests/cases/{name}"))).expect("the cases");
    text.lines().map(|line| serde_json::from_str(line).expect("the cases are JSON")).collect()
}

/// Returns the items of a list.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// Holds a receipt to its equation: every record is in it once.
#[track_caller]
pub(crate) fn balance(receipt: &Value) {
    let count = |key: &str| receipt[key].as_u64().expect(key);
    let parts = ["episodes", "duplicates", "skipped", "quarantined"];
    assert_eq!(count("read"), parts.into_iter().map(count).sum::<u64>(), "{receipt}");
}

/// Says in which files of a folder some bytes stand.
pub(crate) fn files_with(folder: &Path, needle: &[u8]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_with(&path, needle));
        } else {
            let bytes = match fs_err::read(&path) {
                // An open store removes files it no longer needs while we walk.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                read => read.expect("a file"),
            };
            if bytes.windows(needle.len()).any(|window| window == needle) {
                found.push(path);
            }
        }
    }
    found
}

/// A Claude Code session in lines: words, a file written, a command run, an edit refused. Each line has a record, and
/// lines 4 and 5, 6 and 7, 9 and 10 are calls and their results.
pub(crate) fn claude_code_session(session: &str) -> Vec<String> {
    let path = "/home/anna/tally/money.py";
    let call = |id: &str, name: &str, input: Value| json!([{ "type": "tool_use", "id": id, "name": name, "input": input }]);
    let result =
        |id: &str, output: &str| json!([{ "type": "tool_result", "tool_use_id": id, "content": output }]);
    let bodies = [
        ("user", json!("I live in Berlin. I work at Acme."), None),
        ("assistant", json!([{ "type": "text", "text": "I'll write the parser first." }]), None),
        ("assistant", call("toolu_1", "Write", json!({ "file_path": path, "content": "print(1)\n" })), None),
        (
            "user",
            result("toolu_1", &format!("File created successfully at: {path}")),
            Some(json!({ "type": "create", "filePath": path, "content": "print(1)\n" })),
        ),
        ("assistant", call("toolu_2", "Bash", json!({ "command": "python -m pytest -q" })), None),
        (
            "user",
            result("toolu_2", "....\n4 passed in 0.04s"),
            Some(json!({ "stdout": "....\n4 passed in 0.04s", "stderr": "", "interrupted": false })),
        ),
        ("user", json!("I moved to Lisbon in March. Ärger gab es keinen."), None),
        (
            "assistant",
            call("toolu_3", "Edit", json!({ "file_path": path, "old_string": "1", "new_string": "2" })),
            None,
        ),
        (
            "user",
            json!([{
                "type": "tool_result", "tool_use_id": "toolu_3", "is_error": true,
                "content": "<tool_use_error>File has not been read yet.</tool_use_error>",
            }]),
            Some(json!("Error: File has not been read yet.")),
        ),
        ("user", json!("I no longer work at Acme."), None),
    ];
    let snapshot = json!({ "type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "isSnapshotUpdate": false });
    let mut lines = vec![snapshot.to_string()];
    for ((kind, content, details), number) in bodies.into_iter().zip(2..) {
        let mut record = json!({
            "parentUuid": null, "isSidechain": false, "userType": "external", "cwd": "/home/anna/tally",
            "sessionId": session, "version": "2.0.31", "type": kind,
            "message": { "role": kind, "content": content },
            "uuid": format!("{session}-{number}"), "timestamp": format!("2025-11-04T09:{number:02}:00.000Z"),
        });
        if let Some(details) = details {
            record["toolUseResult"] = details;
        }
        lines.push(record.to_string());
    }
    lines.push(
        json!({ "type": "summary", "summary": "A parser", "leafUuid": format!("{session}-10") }).to_string(),
    );
    lines
}

/// Lists the files below a folder whose names end so.
pub(crate) fn files_ending(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_ending(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}
