//! What a coding agent's hooks do: everything is recorded, a new session starts with the packet, and nothing stops the
//! agent.

use serde_json::{Value, json};

use crate::support::{Bench, Ran, claude_code_session, text_of};
use bygone::Exit;

/// Runs a hook with an event.
fn hook(bench: &mut Bench, moment: &str, event: &Value) -> Ran {
    bench.run_with(&["hook", moment], event.to_string().as_bytes())
}

/// A project's folder with the transcript of one session, and the event that tells of it.
fn session(bench: &Bench) -> Value {
    let path = bench.file("project/session.jsonl", claude_code_session("session").join("\n"));
    json!({ "session_id": "session", "transcript_path": path, "cwd": "/", "hook_event_name": "PreCompact" })
}

#[test]
fn a_session_is_recorded_before_it_is_compacted_and_the_next_one_starts_with_the_packet() {
    let mut bench = Bench::new();
    let event = session(&bench);
    let kept = hook(&mut bench, "pre-compact", &event).expect_exit(Exit::Done);
    assert_eq!((kept.output.as_str(), kept.errors.as_str()), ("", ""));
    assert!(!bench.done(&["facts", "--predicate", "wrote", "--valid", "all", "--json"]).rows().is_empty());
    assert_eq!(bench.done(&["checkpoint", "list", "--json"]).rows().len(), 1);
    let started = hook(&mut bench, "session-start", &event).expect_exit(Exit::Done);
    let answer = &started.rows()[0]["hookSpecificOutput"];
    assert_eq!(answer["hookEventName"], "SessionStart");
    let packet = bench.done(&["resume"]).output;
    let context = answer["additionalContext"].as_str().expect("a text");
    assert!(!packet.is_empty() && context.starts_with(&packet), "{context}");
    // The agent's own shell finds program and store by what stands at the end.
    let store = text_of(&bench.store());
    let end = context.trim_end().lines().last().expect("a line");
    assert!(end.starts_with("In these commands `bygone` is `") && end.contains(&store), "{end}");
}

#[test]
fn a_tool_that_answered_is_recorded_once() {
    let mut bench = Bench::new();
    let event = session(&bench);
    hook(&mut bench, "post-tool-use", &event).expect_exit(Exit::Done);
    let before = bench.done(&["stats"]).output;
    hook(&mut bench, "post-tool-use", &event).expect_exit(Exit::Done);
    assert_eq!(bench.done(&["stats"]).output, before);
    // Work that was recorded since is in the next checkpoint, once a quarter of an hour has passed.
    bench.done(&["task", "set", "--next", "test it", "--agent", "claude"]);
    let after = |bench: &mut Bench, now: &str| {
        let words = ["hook", "post-tool-use", "--agent", "claude", "--now", now];
        bench.run_with(&words, event.to_string().as_bytes()).expect_exit(Exit::Done);
        bench.done(&["checkpoint", "list", "--now", now, "--json"]).rows().len()
    };
    assert_eq!(after(&mut bench, "2025-12-01T00:10:00Z"), 1);
    assert_eq!(after(&mut bench, "2025-12-01T00:20:00Z"), 2);
}

#[test]
fn a_session_that_has_just_begun_has_no_file_and_no_store_and_that_is_no_failure() {
    let mut bench = Bench::new();
    let nowhere = text_of(&bench.path("project/none.jsonl"));
    let event = json!({ "session_id": "s", "transcript_path": nowhere, "source": "startup" });
    let started = hook(&mut bench, "session-start", &event).expect_exit(Exit::Done);
    assert_eq!(started.rows()[0]["hookSpecificOutput"]["additionalContext"], "");
    hook(&mut bench, "session-end", &event).expect_exit(Exit::Done);
}

#[test]
fn projects_are_kept_apart_where_that_is_asked() {
    let mut bench = Bench::new();
    let event = session(&bench);
    let hook = |bench: &mut Bench, event: &Value| {
        let words = ["hook", "session-start", "--by-project"];
        let ran = bench.run_with(&words, event.to_string().as_bytes()).expect_exit(Exit::Done);
        ran.rows()[0]["hookSpecificOutput"]["additionalContext"].as_str().expect("a text").to_owned()
    };
    assert!(hook(&mut bench, &event).contains("--space project"));
    // Another project, whose first session has just begun.
    fs_err::create_dir_all(bench.path("other")).expect("a folder");
    let begun = json!({ "session_id": "s", "transcript_path": text_of(&bench.path("other/s.jsonl")) });
    assert_eq!(hook(&mut bench, &begun), "");
}

#[test]
fn what_goes_wrong_in_a_hook_is_told_and_lets_the_agent_go_on() {
    let mut bench = Bench::new();
    for event in ["", "hello", "[]"] {
        let ran = bench.run_with(&["hook", "pre-compact"], event.as_bytes()).expect_exit(Exit::No);
        assert!(ran.errors.starts_with("bygone hook: an event was expected"), "{}", ran.errors);
    }
    let path = bench.file("project/not.jsonl", "this is no transcript of any kind");
    let event = json!({ "session_id": "s", "transcript_path": path });
    let ran = hook(&mut bench, "pre-compact", &event).expect_exit(Exit::No);
    assert!(ran.errors.contains("not.jsonl"), "{}", ran.errors);
}

#[test]
fn the_hooks_are_written_beside_what_stands_in_the_settings() {
    let mut bench = Bench::new();
    let others = json!({ "model": "some", "hooks": { "Stop": [] } });
    let settings = bench.file("settings.json", others.to_string());
    let read = |path: &str| -> Value {
        serde_json::from_str(&fs_err::read_to_string(path).expect("a file")).expect("JSON")
    };
    let shown = bench.done(&["hook", "install", "--settings", &settings, "--print"]);
    assert_eq!(read(&settings), others, "nothing was written");
    bench.done(&["hook", "install", "--settings", &settings]);
    let written = read(&settings);
    assert_eq!(serde_json::from_str::<Value>(&shown.output).expect("JSON"), written);
    assert_eq!((&written["model"], &written["hooks"]["Stop"]), (&json!("some"), &json!([])));
    let command = written["hooks"]["PreCompact"][0]["hooks"][0]["command"].as_str().expect("a command");
    assert!(command.ends_with("hook pre-compact"), "{command}");
    assert!(command.contains(&text_of(&bench.store())), "{command}");
    bench.done(&["hook", "install", "--settings", &settings, "--remove"]);
    assert_eq!(read(&settings), others);
    let broken = bench.file("broken.json", "{");
    let refused = bench.run(&["hook", "install", "--settings", &broken]).expect_exit(Exit::BadInput);
    assert!(refused.errors.contains("is no JSON"), "{}", refused.errors);
}
