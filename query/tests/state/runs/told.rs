//! Calls that transcripts tell of, without anybody's having begun them here.

use bygone_engine::View;
use bygone_query::state::call::{Begin, Found, Retry, State, TURNS_READ, Told, begin, call, told, told_call};
use bygone_query::state::lease::{Start, start};
use bygone_query::state::liveness::Heard;
use serde_json::{Value, json};

use crate::state::desk::{Desk, agent, at, known};
use crate::state::resume::transcript::Transcript;

const DAY: &str = "2026-02-01T10";

fn time(minutes: u32) -> String {
    format!("{DAY}:{minutes:02}:00Z")
}

fn found_in(desk: &Desk, view: &View, now: &str, state: Option<State>, n_turns: usize) -> Found {
    desk.read_as(view, |seen| told(seen, at(now), &Heard::new(), state, n_turns)).expect("calls")
}

/// Each call by its key, how it stands and why, at the end of the day.
fn listed(desk: &Desk) -> Vec<(String, State, String)> {
    let found = found_in(desk, &View::LATEST, "2026-02-02", None, TURNS_READ);
    found.calls.into_iter().map(|told| (told.call.key, told.call.state, told.call.basis)).collect()
}

fn one(desk: &Desk, key: &str) -> Option<Told> {
    desk.read(|seen| told_call(seen, key, at("2026-02-02"), &Heard::new())).expect("a call")
}

fn failed(tool: &str, input: &str, error: &str) -> Value {
    json!({ "json": { "error": error, "input": input, "tool": tool } })
}

fn ran(command: &str, exit: Option<i64>, outcome: &str) -> Value {
    json!({ "json": { "command": command, "exit": exit, "outcome": outcome } })
}

/// A session in which calls went in every way.
fn session() -> Desk {
    let mut turns = Transcript::new("s", "claude");
    turns.user(&time(0), "fix it");
    turns.call(&time(1), "t1", "Read", &json!({ "file_path": "/a.rs" }));
    turns.result(&time(2), "t1", "1\tx");
    let make = turns.call(&time(3), "t2", "Bash", &json!({ "command": "make" }));
    turns.result(&time(4), "t2", "boom");
    turns.says(make, "agent:claude", "ran", "", &ran("make", Some(2), "failed"));
    turns.says(make, "agent:claude", "failed_call", "", &failed("Bash", "make", "exit code 2"));
    let tail = turns.call(&time(5), "t3", "Bash", &json!({ "command": "make | tail" }));
    turns.result(&time(6), "t3", "x");
    turns.says(tail, "agent:claude", "ran", "", &ran("make | tail", Some(0), "unknown"));
    let stopped = turns.call(&time(7), "t4", "Bash", &json!({ "command": "sleep 9" }));
    turns.result(&time(8), "t4", "");
    turns.says(stopped, "agent:claude", "ran", "", &ran("sleep 9", None, "interrupted"));
    turns.call(&time(9), "t5", "Write", &json!({ "file_path": "/b.rs", "content": "" }));
    let desk = Desk::new();
    desk.record(turns.into_recording(), "2026-02-01T12:00:00Z");
    desk
}

#[test]
fn every_call_of_a_transcript_stands_as_its_result_says() {
    let states: Vec<(String, State)> =
        listed(&session()).into_iter().map(|(key, state, _)| (key, state)).collect();
    let expected = [
        ("s#2:t1", State::Succeeded),
        ("s#4:t2", State::Failed),
        ("s#6:t3", State::OutcomeUnknown),
        ("s#8:t4", State::Cancelled),
        ("s#10:t5", State::OutcomeUnknown),
    ];
    assert_eq!(states, expected.map(|(key, state)| (key.to_owned(), state)));
}

#[test]
fn a_call_of_a_transcript_has_the_form_of_one_that_was_begun() {
    let desk = session();
    let made = one(&desk, "s#4:t2").expect("a call").to_json(false);
    assert_eq!(made["tool"], "Bash");
    assert_eq!(made["input"], json!({ "command": "make" }));
    assert_eq!(made["state"], "failed");
    assert_eq!(made["error"], "exit code 2");
    assert_eq!(made["retry"], "at-most-once");
    assert_eq!((&made["turn"], &made["result_turn"]), (&json!("s#4"), &json!("s#5")));
    assert_eq!(
        (&made["from"], &made["by"], &made["attempt"]),
        (&json!("transcript"), &json!("claude"), &json!(1))
    );
    let asked = Begin {
        tool: "Bash",
        key: "k",
        input: Some(r#"{"command":"make"}"#),
        retry: Retry::Pure,
        takes_over: false,
    };
    let by = agent("claude");
    let begun = desk
        .act("2026-02-01T12:00:00Z", |snapshot, place| begin(snapshot, place, &by, &asked, &Heard::new()))
        .expect("begun");
    let recorded = begun.call().to_json();
    assert_eq!(recorded["input_digest"], made["input_digest"]);
    assert_eq!(recorded["from"], "recorded");
    let keys = |row: &Value| row.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&recorded), keys(&made));
    assert_eq!(one(&desk, "s#2:t1").expect("a call").call.retry, Retry::Pure);
    assert_eq!(one(&desk, "s#10:t5").expect("a call").call.retry_is_safe(), Some(false));
}

#[test]
fn the_result_decides_only_where_the_view_sees_it() {
    let desk = session();
    let then = found_in(&desk, &known(&time(3)), &time(3), None, TURNS_READ);
    let then: Vec<(&str, State)> =
        then.calls.iter().map(|told| (told.call.key.as_str(), told.call.state)).collect();
    assert_eq!(then, [("s#2:t1", State::Succeeded), ("s#4:t2", State::OutcomeUnknown)]);
    let before = found_in(&desk, &View::LATEST, "2026-01-01", None, TURNS_READ);
    assert_eq!(before, Found::default());
}

#[test]
fn of_several_results_in_one_turn_each_call_has_its_own() {
    let mut turns = Transcript::new("s", "claude");
    let first = turns.call(&time(1), "a", "Read", &json!({ "file_path": "/a.rs" }));
    turns.call(&time(1), "b", "Read", &json!({ "file_path": "/b.rs" }));
    turns.raw_result(
        &time(2),
        &json!({ "content": [
        { "type": "tool_result", "tool_use_id": "a", "content": "1\tx" },
        { "type": "tool_result", "tool_use_id": "b", "content": "no such file" },
    ] }),
    );
    turns.says(first, "agent:claude", "failed_call", "", &failed("Read", "/b.rs", "no such file"));
    let desk = Desk::new();
    desk.record(turns.into_recording(), "2026-02-01T12:00:00Z");
    let states: Vec<State> = listed(&desk).into_iter().map(|(_, state, _)| state).collect();
    assert_eq!(states, [State::Succeeded, State::Failed]);
}

#[test]
fn flags_of_a_format_count_where_nothing_was_stated() {
    for (flags, state) in [
        (json!({ "is_error": true, "content": "no" }), State::Failed),
        (json!({ "is_error": false, "content": "no" }), State::Succeeded),
        (json!({ "is_error": true, "content": "The user doesn't want to proceed" }), State::Cancelled),
        (json!({ "status": "cancelled" }), State::Cancelled),
    ] {
        let mut turns = Transcript::new("s", "claude");
        turns.call(&time(1), "a", "Deploy", &json!({}));
        let mut result = flags.clone();
        result["tool_use_id"] = json!("a");
        turns.raw_result(&time(2), &result);
        let desk = Desk::new();
        desk.record(turns.into_recording(), "2026-02-01T12:00:00Z");
        assert_eq!(listed(&desk)[0].1, state, "{flags}");
    }
}

#[test]
fn equal_ids_of_two_sessions_are_two_calls() {
    let desk = Desk::new();
    for (session, output) in [("one#1", Some("ok")), ("two", None)] {
        let mut turns = Transcript::new(session, "claude");
        turns.call(&time(1), "t:1", "Read", &json!({}));
        if let Some(output) = output {
            turns.result(&time(2), "t:1", output);
        }
        desk.record(turns.into_recording(), "2026-02-01T12:00:00Z");
    }
    let state = |key: &str| one(&desk, key).map(|told| told.call.state);
    assert_eq!(state("one#1#1:t:1"), Some(State::Succeeded));
    assert_eq!(state("two#1:t:1"), Some(State::OutcomeUnknown));
    for key in ["two#1:t:2", "two#2:t:1", "three#1:t:1", "two", "two#1", "two#x:t", ""] {
        assert_eq!(state(key), None, "{key}");
    }
    let no_key = desk.read(|seen| call(seen, "two#1:t:1", at("2026-02-02"), &Heard::new()));
    assert_eq!(no_key.expect("read"), None, "nobody began it here");
}

#[test]
fn an_unanswered_call_is_in_flight_while_its_run_is_alive() {
    let desk = Desk::new();
    let by = agent("claude");
    let asked = Start { agent: "claude", ttl_micros: Some(600_000_000), ..Start::default() };
    desk.act(&time(0), |snapshot, place| start(snapshot, place, &by, &asked)).expect("a lease");
    let mut turns = Transcript::new("s", "claude");
    turns.call(&time(1), "a", "Bash", &json!({ "command": "make" }));
    desk.record(turns.into_recording(), &time(1));
    let state = |now: &str| found_in(&desk, &View::LATEST, now, None, TURNS_READ).calls[0].call.state;
    assert_eq!(state(&time(2)), State::InFlight);
    assert_eq!(state(&time(30)), State::OutcomeUnknown);
}

#[test]
fn only_the_last_turns_are_read_and_that_is_said() {
    let desk = session();
    let found = found_in(&desk, &View::LATEST, "2026-02-02", None, 4);
    let keys: Vec<&str> = found.calls.iter().map(|told| told.call.key.as_str()).collect();
    assert_eq!((keys, found.has_more), (vec!["s#8:t4", "s#10:t5"], true));
    assert_eq!(found_in(&desk, &View::LATEST, "2026-02-02", None, 0), Found::default());
    assert!(!found_in(&desk, &View::LATEST, "2026-02-02", None, 10).has_more);
    let failed = found_in(&desk, &View::LATEST, "2026-02-02", Some(State::Failed), TURNS_READ);
    assert_eq!(failed.calls.len(), 1);
}

#[test]
fn a_long_input_is_left_out_of_lists_and_keeps_its_digest() {
    let mut turns = Transcript::new("s", "claude");
    turns.call(&time(1), "a", "Write", &json!({ "content": "x".repeat(5_000) }));
    let desk = Desk::new();
    desk.record(turns.into_recording(), "2026-02-01T12:00:00Z");
    let told = one(&desk, "s#1:a").expect("a call");
    let (listed, shown) = (told.to_json(true), told.to_json(false));
    assert_eq!(listed["input"], Value::Null);
    assert_eq!(shown["input"]["content"].as_str().map(str::len), Some(5_000));
    assert_eq!(listed["input_digest"], shown["input_digest"]);
    assert_eq!(shown["input_digest"].as_str().map(str::len), Some(32));
}
