//! A transcript that grows between two readings: what is new is added, and nothing tells that it was read in parts.

use crate::support::{Bench, balance, claude_code_session, list};
use bygone::Exit;
use serde_json::{Value, json};

/// The fixture: its lines, and how many of them hold a turn.
fn session() -> (Vec<String>, u64) {
    let lines = claude_code_session("grown");
    let n_turns = lines.len() as u64 - 2;
    (lines, n_turns)
}

/// What a space holds that can be told from outside, save the ids of facts, which name their space.
fn all_of(bench: &mut Bench, space: &str) -> (String, Vec<Value>) {
    let view = ["facts", "--valid", "all", "--history", "--planned", "--json"];
    let mut facts = bench.done(&[&view[..], &["--space", space]].concat()).rows();
    for fact in &mut facts {
        fact["id"] = Value::Null;
    }
    (bench.export(space), facts)
}

fn ingest(bench: &mut Bench, space: &str, bytes: impl AsRef<[u8]>) -> Value {
    // The same path each time: it is one file that grows.
    let path = bench.file("grown.jsonl", bytes);
    let words = ["ingest", &path, "--format", "claude-code", "--space", space, "--json"];
    let ran = bench.run(&words);
    assert!(matches!(ran.exit, Exit::Done | Exit::BadInput), "{ran:?}");
    let receipt = ran.row();
    balance(&receipt);
    receipt
}

#[test]
fn the_fixture_says_something_of_every_kind() {
    let mut bench = Bench::new();
    let (lines, n_turns) = session();
    let receipt = ingest(&mut bench, "default", lines.join("\n"));
    assert_eq!(receipt["episodes"], n_turns);
    assert_eq!(list(&receipt["problems"]), [] as [Value; 0]);
    let facts = bench.done(&["facts", "--valid", "all", "--history", "--json"]).rows();
    for predicate in ["failed_call", "file_state", "lives_in", "ran", "test_status", "works_at", "wrote"] {
        assert!(facts.iter().any(|fact| fact["predicate"] == predicate), "{predicate}");
    }
}

#[test]
fn a_file_cut_between_any_two_lines_comes_to_the_same() {
    let mut bench = Bench::new();
    let (lines, n_turns) = session();
    let whole = lines.join("\n") + "\n";
    let clean = ingest(&mut bench, "clean", &whole);
    let expected = all_of(&mut bench, "clean");
    for cut in 1..lines.len() {
        let space = format!("cut-{cut}");
        let first = ingest(&mut bench, &space, lines[..cut].join("\n") + "\n");
        let second = ingest(&mut bench, &space, &whole);
        let sum = |key: &str| first[key].as_u64().zip(second[key].as_u64()).map(|(one, two)| one + two);
        assert_eq!(first["read"], cut, "{first}");
        assert_eq!(second["read"], lines.len(), "{second}");
        assert_eq!(second["duplicates"], first["episodes"], "{second}");
        assert_eq!(sum("episodes"), Some(n_turns));
        assert_eq!(sum("assertions"), clean["assertions"].as_u64());
        assert_eq!(sum("quarantined"), Some(0));
        assert_eq!(all_of(&mut bench, &space), expected, "cut after line {cut}");
        let third = ingest(&mut bench, &space, &whole);
        assert_eq!((&third["episodes"], &third["assertions"]), (&json!(0), &json!(0)));
    }
    bench.done(&["verify", "--space", "cut-5"]);
}

#[test]
fn a_result_finds_its_call_in_the_part_that_was_read_before() {
    let mut bench = Bench::new();
    let (lines, _) = session();
    let said = |bench: &mut Bench| -> Vec<String> {
        let rows = bench.done(&["export"]).rows();
        let of_tools = rows.iter().filter(|row| row["authority"] == "tool");
        of_tools.map(|row| row["predicate"].to_string()).collect()
    };
    ingest(&mut bench, "default", lines[..4].join("\n") + "\n");
    assert_eq!(said(&mut bench), [] as [&str; 0], "a call alone says nothing");
    let receipt = ingest(&mut bench, "default", lines[..5].join("\n") + "\n");
    assert_eq!((&receipt["episodes"], &receipt["duplicates"]), (&json!(1), &json!(3)));
    assert_eq!(list(&receipt["problems"]), [] as [Value; 0]);
    assert_eq!(said(&mut bench), ["\"wrote\"", "\"file_state\""]);
}

#[test]
fn a_half_written_last_line_is_read_when_it_is_whole() {
    let mut bench = Bench::new();
    let (lines, n_turns) = session();
    let whole = lines.join("\n") + "\n";
    ingest(&mut bench, "clean", &whole);
    let expected = all_of(&mut bench, "clean");
    let mut start = 0;
    for (number, line) in lines.iter().enumerate() {
        // Within a character, too: line 8 has one of two bytes in its middle.
        let umlaut = line.bytes().position(|byte| !byte.is_ascii()).map(|at| at + 1);
        for half in [Some(1), Some(line.len() / 2), Some(line.len() - 1), umlaut].into_iter().flatten() {
            let space = format!("half-{number}-{half}");
            let first = ingest(&mut bench, &space, &whole.as_bytes()[..start + half]);
            assert_eq!(first["quarantined"], 1, "{first}");
            let problem = &list(&first["problems"])[0];
            assert_eq!(problem["line"], number + 1, "{first}");
            assert_eq!(problem["offset"], start, "{first}");
            let reason = problem["reason"].as_str().expect("a reason");
            assert!(reason.contains("incomplete last line"), "{reason}");
            let second = ingest(&mut bench, &space, &whole);
            assert_eq!(second["quarantined"], 0, "{second}");
            assert_eq!(second["duplicates"], first["episodes"], "{second}");
            assert_eq!(all_of(&mut bench, &space), expected, "{space}");
            // The half that was set aside is taken back when its line is read whole.
            let stats = bench.done(&["stats", "--space", &space, "--json"]).row();
            assert_eq!(stats["quarantined"], 0, "{stats}");
        }
        // A line that only lacks its end is whole.
        let space = format!("unended-{number}");
        let first = ingest(&mut bench, &space, &whole.as_bytes()[..start + line.len()]);
        assert_eq!(first["quarantined"], 0, "{first}");
        let second = ingest(&mut bench, &space, &whole);
        assert_eq!(
            second["duplicates"].as_u64().zip(second["episodes"].as_u64()),
            first["episodes"].as_u64().map(|known| (known, n_turns - known)),
            "{second}"
        );
        assert_eq!(all_of(&mut bench, &space), expected, "{space}");
        start += line.len() + 1;
    }
}

#[test]
fn a_file_read_after_every_few_bytes_comes_to_the_same() {
    let mut bench = Bench::new();
    let (lines, _) = session();
    let whole = lines.join("\n") + "\n";
    ingest(&mut bench, "clean", &whole);
    for end in (1..whole.len()).step_by(97).chain([whole.len()]) {
        ingest(&mut bench, "followed", &whole.as_bytes()[..end]);
    }
    assert_eq!(all_of(&mut bench, "followed"), all_of(&mut bench, "clean"));
    bench.done(&["verify", "--space", "followed"]);
}
