//! Carrying on from transcripts alone: what was changed, what failed, what is open, and what was compacted away, checked
//! against the file that was read.

use bygone::Exit;
use serde_json::{Value, json};

use crate::support::{Bench, list};

const SESSION: &str = "5d1c";

/// A session of Claude Code: a request, a list of todos, a file written and one edited, tests that fail, an edit that is
/// refused, a compaction, a question, and an upload whose process died.
struct Session {
    lines: Vec<String>,
}

impl Session {
    fn record(&mut self, kind: &str, time: &str, content: &Value, more: &Value) {
        let number = self.lines.len() + 1;
        let mut record = json!({
            "parentUuid": null, "isSidechain": false, "userType": "external", "cwd": "/home/ida/mill",
            "sessionId": SESSION, "version": "2.0.31", "type": kind,
            "message": { "role": kind, "content": content },
            "uuid": format!("{SESSION}-{number}"), "timestamp": format!("2025-11-20T{time}.000Z"),
        });
        for (key, value) in more.as_object().expect("an object") {
            record[key] = value.clone();
        }
        self.lines.push(record.to_string());
    }

    fn said(&mut self, kind: &str, time: &str, words: &str) {
        self.record(kind, time, &json!(words), &json!({}));
    }

    fn called(&mut self, time: &str, id: &str, name: &str, input: &Value) {
        let content = json!([{ "type": "tool_use", "id": id, "name": name, "input": input }]);
        self.record("assistant", time, &content, &json!({}));
    }

    fn answered(&mut self, time: &str, id: &str, output: &str, is_error: bool, details: &Value) {
        let mut result = json!({ "type": "tool_result", "tool_use_id": id, "content": output });
        if is_error {
            result["is_error"] = json!(true);
        }
        self.record("user", time, &json!([result]), &json!({ "toolUseResult": details }));
    }

    fn todos(&mut self, time: &str, id: &str, todos: &Value) {
        self.called(&format!("{time}:00"), id, "TodoWrite", &json!({ "todos": todos }));
        let details = json!({ "oldTodos": [], "newTodos": todos });
        self.answered(&format!("{time}:01"), id, "Todos have been modified successfully.", false, &details);
    }

    fn new() -> Session {
        let mut session = Session { lines: Vec::new() };
        session.said("user", "09:00:00", "Teach the mill to grind rye, and publish it");
        session.todos(
            "09:01",
            "t1",
            &json!([
                { "content": "Write the grinder", "status": "in_progress", "activeForm": "Writing" },
                { "content": "Run the tests", "status": "pending", "activeForm": "Running" },
                { "content": "Publish the package", "status": "pending", "activeForm": "Publishing" },
            ]),
        );
        let grinder = "/home/ida/mill/grinder.py";
        session.called(
            "09:05:00",
            "t2",
            "Write",
            &json!({ "file_path": grinder, "content": "def grind(): pass\n" }),
        );
        session.answered(
            "09:05:01",
            "t2",
            &format!("File created successfully at: {grinder}"),
            false,
            &json!({ "type": "create", "filePath": grinder, "content": "def grind(): pass\n" }),
        );
        session.called("09:10:00", "t3", "Bash", &json!({ "command": "python -m pytest -q" }));
        session.answered(
            "09:10:09",
            "t3",
            "F..\nFAILED test_mill.py::test_rye\n1 failed, 2 passed in 0.31s",
            true,
            &json!("Error: Exit code 1\nF..\n1 failed, 2 passed in 0.31s"),
        );
        let sieve = "/home/ida/mill/sieve.py";
        session.called(
            "09:12:00",
            "t4",
            "Edit",
            &json!({ "file_path": sieve, "old_string": "a", "new_string": "b" }),
        );
        session.answered(
            "09:12:01",
            "t4",
            "<tool_use_error>File has not been read yet.</tool_use_error>",
            true,
            &json!("Error: File has not been read yet."),
        );
        session.todos(
            "09:15",
            "t5",
            &json!([
                { "content": "Write the grinder", "status": "completed", "activeForm": "Writing" },
                { "content": "Run the tests", "status": "in_progress", "activeForm": "Running" },
                { "content": "Publish the package", "status": "pending", "activeForm": "Publishing" },
            ]),
        );
        session.record(
            "system",
            "09:30:00",
            &json!(""),
            &json!({ "subtype": "compact_boundary", "content": "Conversation compacted", "level": "info" }),
        );
        session.record(
            "user",
            "09:30:01",
            &json!(
                "This session is being continued from a previous conversation that ran out of context. \
                    The mill is being taught to grind rye."
            ),
            &json!({ "isCompactSummary": true }),
        );
        session.said("user", "09:31:00", "Did you save the grinder?");
        session.said("assistant", "09:31:30", "I'll upload what there is.");
        session.called("09:32:00", "t6", "Bash", &json!({ "command": "twine upload dist/*" }));
        session
    }

    /// The line that holds a text, from 1: the position of its turn.
    fn line_with(&self, text: &str) -> usize {
        1 + self.lines.iter().position(|line| line.contains(text)).expect(text)
    }
}

fn ingested(session: &Session) -> Bench {
    let mut bench = Bench::new();
    let path = bench.file("mill.jsonl", session.lines.join("\n") + "\n");
    let receipt = bench.done(&["ingest", &path, "--format", "claude-code", "--json"]).row();
    assert_eq!(list(&receipt["problems"]), [] as [Value; 0], "{receipt}");
    bench
}

fn resumed(bench: &mut Bench, more: &[&str]) -> Value {
    bench.done(&[&["resume", "--json"], more].concat()).row()
}

fn turn(session: &Session, text: &str) -> Value {
    json!(format!("{SESSION}#{}", session.line_with(text)))
}

#[test]
fn the_packet_answers_from_the_log_alone() {
    let session = Session::new();
    let mut bench = ingested(&session);
    let packet = resumed(&mut bench, &[]);
    assert_eq!((&packet["agent"], &packet["chosen"]), (&json!("claude"), &json!("took part last")));
    assert_eq!(packet["session"]["name"], SESSION);

    // What was asked for last, from the transcript, and said to be.
    let objective = &packet["objective"][0];
    assert_eq!(objective["text"], "Did you save the grinder?");
    assert_eq!(objective["source"], "from the transcript: last request");

    // Which file was changed, by which call: its result and the call are the lines of the file.
    let changes = list(&packet["changes"]);
    assert_eq!(changes.len(), 1, "{packet}");
    let change = &changes[0];
    assert_eq!((&change["path"], &change["did"]), (&json!("/home/ida/mill/grinder.py"), &json!("written")));
    assert_eq!((&change["tool"], &change["now"]), (&json!("Write"), &json!("exists")));
    assert_eq!(change["at"], "2025-11-20T09:05:01Z");
    let (result, call) = (turn(&session, "File created successfully"), turn(&session, "\"name\":\"Write\""));
    assert_eq!(change["evidence"], json!([result, call]));

    // What failed and why.
    let failures = list(&packet["failures"]);
    let failed: Vec<(&Value, &Value)> = failures.iter().map(|one| (&one["what"], &one["text"])).collect();
    assert_eq!(
        failed,
        [
            (&json!("tests"), &json!("python -m pytest -q")),
            (&json!("call"), &json!("Edit /home/ida/mill/sieve.py")),
        ]
    );
    assert_eq!(failures[0]["evidence"], json!([turn(&session, "FAILED test_mill.py")]));
    assert_eq!(failures[1]["error"], "File has not been read yet.");
    assert_eq!(failures[1]["evidence"], json!([turn(&session, "has not been read yet")]));

    // Which todo is open; that nobody is at it any more is not hidden behind what the list said.
    let todos: Vec<(&Value, &Value)> =
        list(&packet["todos"]).iter().map(|todo| (&todo["text"], &todo["state"])).collect();
    assert_eq!(
        todos,
        [(&json!("Run the tests"), &json!("begun")), (&json!("Publish the package"), &json!("pending")),]
    );
    assert_eq!(packet["next"][0]["text"], "Run the tests");
    assert_eq!((&packet["progress"][0]["done"], &packet["progress"][0]["all"]), (&json!(1), &json!(3)));

    // The upload whose process died: nobody knows, and it must not be made again unseen.
    let calls = list(&packet["calls"]);
    assert_eq!(calls.len(), 1, "{packet}");
    assert_eq!((&calls[0]["tool"], &calls[0]["state"]), (&json!("Bash"), &json!("outcome_unknown")));
    assert_eq!(calls[0]["retry_is_safe"], false);
    assert_eq!(calls[0]["evidence"], json!([turn(&session, "twine upload")]));

    // What was compacted away, and how to get it.
    let compacted = &packet["compacted"][0];
    assert_eq!(compacted["turns"], session.line_with("compact_boundary") - 1, "{compacted}");
    let whole = packet.to_string();
    assert!(!whole.contains("in progress") && !whole.contains("in_flight"), "{whole}");
}

#[test]
fn what_was_compacted_away_comes_back_by_the_commands_that_the_packet_gives() {
    let session = Session::new();
    let mut bench = ingested(&session);
    let packet = resumed(&mut bench, &[]);
    let command = packet["changes"][0]["evidence"][0].as_str().expect("a turn");
    let shown = bench.done(&["show", command, "--json"]).row();
    assert!(shown["text"].as_str().is_some_and(|text| text.contains("File created successfully")), "{shown}");
    let found = bench.done(&["search", "grinder", "--in-session", SESSION, "--json"]).rows();
    assert!(!found.is_empty());
    // The files changed since a time, and which turn says so.
    let since = [
        "facts",
        "--subject",
        "agent:claude",
        "--predicate",
        "wrote",
        "--valid",
        "2025-11-20T09:00:00Z..",
        "--json",
    ];
    let rows = bench.done(&since).rows();
    assert_eq!(
        rows.iter().map(|row| &row["object"]["entity"]).collect::<Vec<_>>(),
        ["file:/home/ida/mill/grinder.py"]
    );
    let id = rows[0]["id"].as_str().expect("an id");
    for id in [id, &id[..10]] {
        let why = bench.done(&["why", id, "--json"]).row();
        assert_eq!(why["evidence"][0]["turn"]["position"], session.line_with("File created successfully"));
    }
}

#[test]
fn a_file_that_has_grown_corrects_what_was_open() {
    let mut session = Session::new();
    let mut bench = ingested(&session);
    assert_eq!(list(&resumed(&mut bench, &[])["calls"]).len(), 1);
    session.answered(
        "09:33:00",
        "t6",
        "Uploading mill",
        false,
        &json!({ "stdout": "Uploading mill", "stderr": "", "interrupted": false }),
    );
    let path = bench.file("mill.jsonl", session.lines.join("\n") + "\n");
    bench.done(&["ingest", &path, "--format", "claude-code"]);
    assert_eq!(list(&resumed(&mut bench, &[])["calls"]).len(), 0);
    // As of then it was open.
    let then = resumed(&mut bench, &["--known", "2025-11-20T09:32:30Z"]);
    assert_eq!(list(&then["calls"]).len(), 1, "{then}");
    assert_eq!(then["at"], "2025-11-20T09:32:30Z");
}

#[test]
fn files_that_a_shell_command_made_are_among_the_changes() {
    let mut session = Session::new();
    let command = "mv /home/ida/mill/grinder.py /home/ida/mill/stone.py && touch /home/ida/mill/rye.md";
    session.called("10:00:00", "t7", "Bash", &json!({ "command": command }));
    let details = json!({ "stdout": "", "stderr": "", "interrupted": false });
    session.answered("10:00:01", "t7", "", false, &details);
    let mut bench = ingested(&session);
    let packet = resumed(&mut bench, &[]);
    let mut changed: Vec<(&Value, &Value)> =
        list(&packet["changes"]).iter().map(|change| (&change["path"], &change["did"])).collect();
    changed.sort_by_key(|(path, _)| path.to_string());
    assert_eq!(
        changed,
        [
            (&json!("/home/ida/mill/grinder.py"), &json!("deleted")),
            (&json!("/home/ida/mill/rye.md"), &json!("written")),
            (&json!("/home/ida/mill/stone.py"), &json!("written")),
        ],
        "{packet}"
    );
}

#[test]
fn the_packet_keeps_its_budget_and_its_bytes() {
    let session = Session::new();
    let mut bench = ingested(&session);
    let first = bench.done(&["resume", "--agent", "claude"]);
    assert_eq!(first.output, bench.done(&["resume", "--agent", "claude"]).output);
    for budget in ["40", "120", "300", "2000"] {
        let packet = resumed(&mut bench, &["--budget", budget]);
        let most: u64 = budget.parse().expect("a number");
        assert!(packet["tokens"].as_u64().is_some_and(|tokens| tokens <= most), "{packet}");
    }
    let small = resumed(&mut bench, &["--budget", "300"]);
    assert!(!list(&small["left_out"]).is_empty(), "{small}");
    assert!(small["text"].as_str().is_some_and(|text| text.contains("Left out for want of room")), "{small}");
}

#[test]
fn without_an_agent_there_is_nothing_to_carry_on() {
    let mut bench = Bench::new();
    bench.done(&["init"]);
    let ran = bench.run(&["resume"]).expect_exit(Exit::No);
    assert!(ran.output.is_empty() && ran.errors.contains("no agent took part"), "{ran:?}");
    bench.run(&["resume", "--agent", "person:ida"]).expect_exit(Exit::Usage);
}

#[test]
fn the_workstation_is_written_whole_and_over_nothing_of_others() {
    let session = Session::new();
    let mut bench = ingested(&session);
    let folder = bench.path("desk");
    let folder = folder.to_str().expect("a path").to_owned();
    bench.done(&["workstation", "export", &folder]);
    let read = |name: &str| fs_err::read_to_string(format!("{folder}/{name}")).expect(name);
    let names = [
        "AGENTS.md",
        "claude/role.md",
        "claude/context.md",
        "claude/decisions.md",
        "claude/inbox.md",
        "claude/journal.md",
    ];
    let before: Vec<String> = names.iter().map(|name| read(name)).collect();
    assert!(
        read("claude/journal.md").contains("- 09:05 wrote /home/ida/mill/grinder.py ["),
        "{}",
        read("claude/journal.md")
    );
    // Written anew, they are the same.
    bench.done(&["workstation", "export", &folder, "--json"]).rows();
    assert_eq!(names.iter().map(|name| read(name)).collect::<Vec<_>>(), before);
    // What somebody else wrote is left alone, and so is everything else.
    fs_err::write(format!("{folder}/claude/inbox.md"), "mine").expect("written");
    fs_err::remove_file(format!("{folder}/AGENTS.md")).expect("removed");
    let ran = bench.run(&["workstation", "export", &folder]).expect_exit(Exit::BadInput);
    assert!(ran.errors.contains("claude/inbox.md was not written by"), "{ran:?}");
    assert_eq!(read("claude/inbox.md"), "mine");
    assert!(fs_err::metadata(format!("{folder}/AGENTS.md")).is_err(), "nothing was written");
}
