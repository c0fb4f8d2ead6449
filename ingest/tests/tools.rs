//! What tool results prove, and what they do not.

#![allow(clippy::disallowed_methods, reason = "the environment asks for expectations to be written anew")]

use std::fmt::Write as _;
use std::path::Path;

use crate::common::{read, turns};
use bygone_engine::time::{Granularity, Validity};
use bygone_engine::{Authority, Object, Polarity};
use bygone_ingest::extract::tool::{Calls, extract};
use bygone_ingest::{Candidate, When};

fn candidates(format: &str, name: &str, bytes: &[u8]) -> Vec<(u64, Candidate)> {
    let reads = read(format, name, bytes);
    let mut calls = Calls::new();
    let mut all = Vec::new();
    for turn in turns(&reads) {
        for candidate in extract(turn, &mut calls) {
            assert!(turn.episode.text.get(candidate.span.clone()).is_some_and(|words| !words.is_empty()));
            let is_note = candidate.rule.starts_with("tool.note/");
            let authority = if is_note { Authority::Agent } else { Authority::Tool };
            assert_eq!(candidate.authority, authority);
            assert!(is_note || candidate.polarity == Polarity::Affirm);
            let When::Exactly { validity: Validity::Over(period), sure_until } = candidate.when else {
                panic!("a tool's state is dated exactly: {candidate:?}");
            };
            let from = period.from().moment().expect("a start");
            assert_eq!((from.at, from.grain), (turn.episode.time, Granularity::Instant));
            let is_vouched_for = period.to().is_open() && candidate.polarity == Polarity::Affirm;
            assert_eq!(sure_until, is_vouched_for.then_some(from));
            all.push((turn.place.line, candidate));
        }
    }
    all
}

fn show(candidates: &[(u64, Candidate)]) -> String {
    let mut shown = String::new();
    for (line, candidate) in candidates {
        let object = match candidate.object.as_ref().expect("an object") {
            Object::Entity(entity) => entity.to_string(),
            Object::Text(text) | Object::Json(text) => text.clone(),
            other => format!("{other:?}"),
        };
        let key = if candidate.key.is_empty() { String::new() } else { format!(" [{}]", candidate.key) };
        let Candidate { subject, predicate, rule, .. } = candidate;
        let not = if candidate.polarity == Polarity::Deny { "not " } else { "" };
        writeln!(shown, "{line} {subject} {not}{predicate}{key} {object}   {rule}")
            .expect("writing to a string");
    }
    shown
}

#[track_caller]
fn check(format: &str, fixture: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture);
    let bytes = fs_err::read(&path).expect("a fixture");
    let shown = show(&candidates(format, fixture, &bytes));
    let expected_path = path.with_extension("tools");
    if std::env::var_os("BLESS").is_some() {
        fs_err::write(&expected_path, &shown).expect("the expectation is written");
    }
    assert_eq!(shown, fs_err::read_to_string(&expected_path).expect("an expectation"), "{fixture}");
}

#[test]
fn the_result_decides_what_was_done() {
    check("claude-code", "claude_code/tools.jsonl");
}

#[test]
fn the_result_decides_for_every_agents_tools() {
    check("claude-code", "tools/flagged.jsonl");
    check("openai", "tools/unflagged.jsonl");
    check("openai", "tools/notes.jsonl");
    check("mcp-memory", "mcp_memory/memory.jsonl");
    check("aider", "aider/history.md");
    check("langchain", "langchain/messages.json");
    check("letta", "letta/agents.af");
    check("swe-agent", "swe_agent/run.traj");
    check("atif", "atif/trajectory.json");
}

#[test]
fn a_shell_changed_the_files_that_its_status_speaks_for() {
    check("claude-code", "tools/scripts.jsonl");
}

#[test]
fn the_status_of_a_pipeline_is_no_success_of_its_first_command() {
    check("claude-code", "tools/pipelines.jsonl");
}

#[test]
fn a_command_given_word_by_word_is_not_read_by_a_shell() {
    let answered = |command: &str, output: &str| {
        let call = r#"{"role":"assistant","timestamp":"2025-11-03T09:00:00Z","tool_calls":[{"id":"t","type":"function","function":{"name":"shell","arguments":"ARGUMENTS"}}]}"#;
        let arguments = format!(r#"{{\"command\":{command},\"workdir\":\"/p\"}}"#);
        let result = format!(
            r#"{{"role":"tool","tool_call_id":"t","timestamp":"2025-11-03T09:00:01Z","content":"{output}"}}"#
        );
        let file = format!("{}\n{result}\n", call.replace("ARGUMENTS", &arguments));
        show(&candidates("openai", "s.jsonl", file.as_bytes()))
            .lines()
            .filter(|line| line.contains("file:"))
            .map(|line| line.split_whitespace().skip(1).take(3).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let words = r#"[\"rm\",\"a b\",\"*;c\"]"#;
    assert_eq!(
        answered(words, "exit code: 0"),
        ["file:/p/*;c file_state deleted", "file:/p/a b file_state"].map(str::to_owned).to_vec(),
    );
    assert!(answered(words, "exit code: 1").is_empty());
    assert!(answered(words, "").is_empty(), "without a status nothing is proven");
    let script = r#"[\"bash\",\"-lc\",\"rm x\"]"#;
    assert_eq!(answered(script, "exit code: 0"), ["file:/p/x file_state deleted"]);
}

#[test]
fn equal_call_ids_of_two_sessions_are_two_calls() {
    check("claude-code", "claude_code/two_sessions.jsonl");
}

#[test]
fn a_result_under_a_misspelt_key_proves_nothing() {
    let file = concat!(
        r#"{"type":"assistant","uuid":"1","sessionId":"s","timestamp":"2025-11-03T09:00:00Z","message":{"content":[{"type":"tool_use","id":"t","name":"Write","input":{"file_path":"/a","content":""}}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"2","sessionId":"s","timestamp":"2025-11-03T09:00:01Z","message":{"contenst":[{"type":"tool_result","tool_use_id":"t","content":"File created successfully"}]}}"#,
    );
    assert_eq!(show(&candidates("claude-code", "s.jsonl", file.as_bytes())), "");
}

#[test]
fn without_a_flag_the_exit_status_decides() {
    check("openai", "openai/shells.jsonl");
}

#[test]
fn a_flag_that_is_no_flag_proves_nothing() {
    let file = concat!(
        r#"{"type":"assistant","uuid":"1","sessionId":"s","timestamp":"2025-11-03T09:00:00Z","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"2","sessionId":"s","timestamp":"2025-11-03T09:00:01Z","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x","is_error":"perhaps"}]}}"#,
    );
    assert_eq!(
        show(&candidates("claude-code", "s.jsonl", file.as_bytes())),
        "2 agent:claude ran {\"command\":\"make\",\"exit\":null,\"outcome\":\"unknown\"}   tool.bash/1\n"
    );
}
