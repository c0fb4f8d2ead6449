//! What each trap of the formats does to their readers.

#![allow(clippy::disallowed_methods, reason = "the environment asks for expectations to be written anew")]

use std::path::Path;

use crate::common::{modified, read, show, turns};
use bygone_ingest::read::{Part, Read, Record, sniff};
use serde_json::Value;

/// Reads a fixture and compares with the file beside it. `BLESS=1` writes that file anew.
#[track_caller]
fn check(format: &str, fixture: &str) {
    let (bytes, reads) = check_reads(format, fixture);
    account_for_every_line(&bytes, &reads);
}

/// The same for a format whose records are parts of lines, or go over several: what a record keeps stands at its place.
#[track_caller]
fn check_parts(format: &str, fixture: &str) {
    let (bytes, reads) = check_reads(format, fixture);
    for read in reads {
        let (place, raw) = match read {
            Read::Record(Record::Turn(turn)) => (turn.place, turn.episode.raw.unwrap_or_default()),
            Read::Record(Record::Quarantined { problem, raw, .. }) => (problem.place, raw),
            Read::Record(Record::Skipped(place)) => (place, Vec::new()),
            _ => continue,
        };
        let start = usize::try_from(place.offset).expect("an offset");
        assert!(bytes[start..].starts_with(&raw), "{place:?}");
        let n_breaks = bytes[..start].split(|byte| *byte == b'\n').skip(1).count();
        assert_eq!(place.line, n_breaks as u64 + 1, "{place:?}");
    }
}

#[track_caller]
fn check_reads(format: &str, fixture: &str) -> (Vec<u8>, Vec<Read>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture);
    let bytes = fs_err::read(&path).expect("a fixture");
    let reads = read(format, fixture, &bytes);
    let shown = show(&reads);
    let expected_path = path.with_extension("expected");
    if std::env::var_os("BLESS").is_some() {
        fs_err::write(&expected_path, &shown).expect("the expectation is written");
    }
    let expected = fs_err::read_to_string(&expected_path).expect("an expectation");
    assert_eq!(shown, expected, "{fixture}");
    assert_eq!(sniff(&bytes).map(|reader| reader.name), Some(format));
    assert_eq!(read(format, fixture, &bytes), reads, "read twice, the same");
    (bytes, reads)
}

/// Every record's raw bytes are those at its place, and no line that is not blank is left out.
#[track_caller]
fn account_for_every_line(bytes: &[u8], reads: &[Read]) {
    let mut covered = vec![false; bytes.len()];
    let mut cover = |offset: u64, raw: &[u8]| {
        let start = usize::try_from(offset).expect("an offset");
        assert_eq!(&bytes[start..start + raw.len()], raw);
        for covered in &mut covered[start..start + raw.len()] {
            assert!(!std::mem::replace(covered, true), "read twice");
        }
    };
    for read in reads {
        match read {
            Read::Record(Record::Turn(turn)) => {
                cover_lines(
                    turn.place.offset,
                    turn.episode.raw.as_deref().expect("raw bytes"),
                    bytes,
                    &mut cover,
                );
            }
            Read::Record(Record::Quarantined { problem, raw, .. }) => {
                cover_lines(problem.place.offset, raw, bytes, &mut cover);
            }
            Read::Record(Record::Skipped(place) | Record::Statement(place, _)) => {
                let rest = &bytes[usize::try_from(place.offset).expect("an offset")..];
                let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                cover(place.offset, &rest[..end]);
            }
            Read::Space(_) | Read::Problem(_) => {}
        }
    }
    let left_out: Vec<u8> =
        bytes.iter().zip(covered).filter(|(_, covered)| !covered).map(|(byte, _)| *byte).collect();
    assert!(
        left_out.iter().all(u8::is_ascii_whitespace),
        "left out: {:?}",
        String::from_utf8_lossy(&left_out)
    );
}

/// Covers the lines of a record; between them others may stand (comments in a plain turn).
fn cover_lines(offset: u64, raw: &[u8], bytes: &[u8], cover: &mut dyn FnMut(u64, &[u8])) {
    let mut from = usize::try_from(offset).expect("an offset");
    for line in raw.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let Some(at) = bytes[from..].windows(line.len()).position(|window| window == line) else {
            let whole = bytes[from..].split(|byte| *byte == b'\n').next().expect("a line");
            assert_eq!(without_history(line), without_history(whole), "the line");
            cover(from as u64, whole);
            from += whole.len();
            continue;
        };
        cover((from + at) as u64, line);
        from += at + line.len();
    }
}

/// A compaction is kept without the history that it repeats.
fn without_history(line: &[u8]) -> Value {
    let mut record: Value = serde_json::from_slice(line).expect("a record");
    assert_eq!(record["type"], "compacted");
    record["payload"]["replacement_history"] = Value::Null;
    record
}

#[test]
fn every_shape_of_a_session_is_read() {
    check("claude-code", "claude_code/shapes.jsonl");
}

#[test]
fn damage_is_kept_reported_and_put_aside() {
    check("claude-code", "claude_code/damaged.jsonl");
}

#[test]
fn two_sessions_in_a_file_stay_two() {
    check("claude-code", "claude_code/two_sessions.jsonl");
}

#[test]
fn tool_turns_are_read() {
    check("claude-code", "claude_code/tools.jsonl");
}

/// A user record with the text as it stands in JSON.
fn user(uuid: &str, content: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"{uuid}","sessionId":"s","timestamp":"2025-11-03T09:00:00Z","message":{{"content":"{content}"}}}}"#
    )
}

#[test]
fn odd_bytes_cost_no_record() {
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(user("1", "mark and carriage return").bytes());
    bytes.extend(b"\r\n\r\n");
    bytes.extend(user("2", "nul").replace("nul", "n\0ul").bytes());
    bytes.extend(b"\n");
    let latin = user("3", "caf_").into_bytes();
    bytes.extend(latin.iter().map(|byte| if *byte == b'_' { 0xe9 } else { *byte }));
    bytes.extend(b"\n\0\0\0\n");
    bytes.extend(user("4", "last, without a line end").bytes());
    let reads = read("claude-code", "s.jsonl", &bytes);
    assert_eq!(
        show(&reads),
        r#"1 User person:user 2025-11-03T09:00:00Z session=s agent=claude user=-
    speech "mark and carriage return"
3 User person:user 2025-11-03T09:00:00Z session=s agent=claude user=-
    speech "nul"
  ! 3 1 NUL bytes are left out
4 User person:user 2025-11-03T09:00:00Z session=s agent=claude user=-
    speech "caf�"
  ! 4 bytes that are not UTF-8, from byte 102 of the line, are replaced
5 quarantined @347+3: nothing but NUL bytes
6 User person:user 2025-11-03T09:00:00Z session=s agent=claude user=-
    speech "last, without a line end"
"#
    );
    let raws: Vec<_> = turns(&reads).map(|turn| turn.episode.raw.clone().expect("raw")).collect();
    assert!(raws[1].contains(&0) && raws[2].contains(&0xe9), "the bytes stay as they were");
}

#[test]
fn a_file_without_any_time_has_that_of_the_file() {
    let line = r#"{"type":"user","uuid":"1","sessionId":"s","message":{"content":"hello"}}"#;
    let reads = read("claude-code", "a/b/session-9.jsonl", line.as_bytes());
    let turn = turns(&reads).next().expect("a turn");
    assert_eq!((turn.episode.time, turn.episode.time_inferred), (modified(), true));
    let reads = read("claude-code", "a/b/session-9.jsonl", line.replace("sessionId", "x").as_bytes());
    assert_eq!(turns(&reads).next().expect("a turn").episode.session, "session-9");
}

#[test]
fn a_long_line_is_one_record() {
    let line = user("1", &"long ".repeat(2_000_000));
    let reads = read("claude-code", "s.jsonl", line.as_bytes());
    assert_eq!((reads.len(), turns(&reads).count()), (1, 1));
}

#[test]
fn a_subagents_file_is_told_by_its_name() {
    let line = user("1", "Look into it.");
    let role = |name: &str| {
        let reads = read("claude-code", name, line.as_bytes());
        let turn = turns(&reads).next().expect("a turn");
        turn.episode.speaker.as_ref().map(ToString::to_string)
    };
    assert_eq!(role("subagents/agent-a1.jsonl").as_deref(), Some("agent:claude"));
    assert_eq!(role("a1.jsonl").as_deref(), Some("person:user"));
}

#[test]
fn history_copied_into_another_file_has_the_same_ids() {
    let line = user("1", "Look into it.");
    let elsewhere = format!("{}\n{}", user("0", "Before."), line.replace("\"s\"", "\"resumed\""));
    let id = |file: &[u8]| turns(&read("claude-code", "s.jsonl", file)).last().expect("a turn").episode.id;
    assert_eq!(id(line.as_bytes()), id(elsewhere.as_bytes()));
}

#[test]
fn plain_logs_are_read() {
    check("plain", "plain/log.txt");
}

#[test]
fn a_plain_turn_keeps_its_lines() {
    let reads = read("plain", "notes/march.txt", b"no date\n2024-03-01 Anna: one\r\ntwo\r\n\r\nthree\n");
    assert!(matches!(&reads[0], Read::Record(Record::Quarantined { .. })));
    let turn = turns(&reads).next().expect("a turn");
    assert_eq!(turn.episode.text, "one\ntwo\n\nthree");
    assert_eq!((turn.episode.session.as_str(), turn.episode.position), ("march", 2));
    assert_eq!(turn.parts, [Part::Speech(0..turn.episode.text.len())]);
}

#[test]
fn chats_are_read_in_every_layout() {
    for fixture in ["chats.jsonl", "messages.jsonl", "list.json", "document.json"] {
        check_parts("openai", &format!("openai/{fixture}"));
    }
}

#[test]
fn every_grammar_of_codex_is_read() {
    for fixture in ["rollout.jsonl", "older.jsonl", "stream.jsonl", "damaged.jsonl"] {
        check("codex", &format!("codex/{fixture}"));
    }
}

#[test]
fn a_session_that_grows_comes_to_the_same_turns() {
    for (format, fixture) in [
        ("codex", "codex/rollout.jsonl"),
        ("codex", "codex/older.jsonl"),
        ("codex", "codex/stream.jsonl"),
        ("gemini", "gemini/lines.jsonl"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture);
        let bytes = fs_err::read(path).expect("a fixture");
        let episodes = |bytes: &[u8]| -> Vec<_> {
            turns(&read(format, fixture, bytes)).map(|turn| turn.episode.clone()).collect()
        };
        let whole = episodes(&bytes);
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        for end in ends {
            let part = episodes(&bytes[..end]);
            assert_eq!(part, whole[..part.len()], "{fixture} up to byte {end}");
        }
    }
}

#[test]
fn sessions_of_gemini_are_read_in_both_layouts() {
    for fixture in ["document.json", "lines.jsonl", "damaged.jsonl"] {
        check_parts("gemini", &format!("gemini/{fixture}"));
    }
}

#[test]
fn conversations_of_chatgpt_are_read_along_their_tree() {
    for fixture in ["conversations.json", "one.json"] {
        check_parts("chatgpt", &format!("chatgpt/{fixture}"));
    }
}

#[test]
fn conversations_of_claude_ai_are_read_once() {
    for fixture in ["conversations.json", "one.json"] {
        check_parts("claude-ai", &format!("claude_ai/{fixture}"));
    }
}

#[test]
fn conversations_of_a_data_set_are_spaces() {
    check_parts("locomo", "locomo/samples.json");
}

#[test]
fn the_order_of_a_conversation_is_that_of_its_sessions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/locomo/samples.json");
    let reads = read("locomo", "samples.json", &fs_err::read(path).expect("a fixture"));
    let first: Vec<_> = turns(&reads).filter(|turn| turn.episode.session != "session_1").collect();
    assert!(first.is_sorted_by_key(|turn| turn.episode.position), "{first:?}");
    assert_eq!(first.last().and_then(|turn| turn.episode.native_id.as_deref()), Some("D10:1"));
}

#[test]
fn questions_of_a_data_set_are_spaces_without_what_is_asked() {
    check_parts("longmemeval", "longmemeval/questions.json");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/longmemeval/questions.json");
    let reads = read("longmemeval", "questions.json", &fs_err::read(path).expect("a fixture"));
    for turn in turns(&reads) {
        let kept = format!("{turn:?}");
        assert!(!kept.contains("has_answer") && !kept.contains("Where did I move"), "{kept}");
    }
}

#[test]
fn a_message_over_several_lines_is_a_turn_a_line() {
    let line = |uuid: &str, block: &str, n_tokens: u32| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","sessionId":"s","timestamp":"2025-11-03T09:00:00Z","message":{{"id":"msg_1","role":"assistant","content":[{block}],"usage":{{"output_tokens":{n_tokens}}}}}}}"#
        )
    };
    let file = [
        line("1", r#"{"type":"text","text":"I look."}"#, 1),
        line("2", r#"{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}"#, 40),
    ];
    let reads = read("claude-code", "s.jsonl", file.join("\n").as_bytes());
    assert_eq!(turns(&reads).map(|turn| turn.parts.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(reads.len(), 2, "nothing is amiss: {reads:?}");
}

#[test]
fn chats_of_langchain_are_read_in_every_form() {
    for fixture in ["messages.json", "dumps.jsonl"] {
        check_parts("langchain", &format!("langchain/{fixture}"));
    }
}

#[test]
fn agent_files_are_read_with_their_memory() {
    for fixture in ["agents.af", "memgpt.af"] {
        check_parts("letta", &format!("letta/{fixture}"));
    }
}

#[test]
fn an_agent_file_inside_a_string_is_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/letta");
    let texts = |name: &str| {
        let bytes = fs_err::read(path.join(name)).expect("a fixture");
        assert_eq!(sniff(&bytes).map(|reader| reader.name), Some("letta"), "{name}");
        let reads = read("letta", "memgpt.af", &bytes);
        turns(&reads).map(|turn| (turn.episode.id, turn.parts.clone())).collect::<Vec<_>>()
    };
    assert_eq!(texts("string.af"), texts("memgpt.af"));
}

#[test]
fn a_run_is_read_once_from_its_steps_or_its_history() {
    for fixture in ["run.traj", "history.traj"] {
        check_parts("swe-agent", &format!("swe_agent/{fixture}"));
    }
}

#[test]
fn trajectories_for_interchange_are_read() {
    check_parts("atif", "atif/trajectory.json");
}

#[test]
fn histories_of_aider_are_read_by_who_speaks() {
    for fixture in ["history.md", "trimmed.md"] {
        check("aider", &format!("aider/{fixture}"));
    }
}

#[test]
fn what_agents_noted_is_read_note_by_note() {
    check_parts("mcp-memory", "mcp_memory/memory.jsonl");
}

#[test]
fn a_memory_that_was_written_anew_gains_only_what_is_new() {
    let entity = |observations: &str| {
        format!(r#"{{"type":"entity","name":"Ana","entityType":"person","observations":[{observations}]}}"#)
    };
    let relation = r#"{"type":"relation","from":"Ana","to":"Acme","relationType":"works_at"}"#;
    let ids = |file: String| {
        let reads = read("mcp-memory", "memory.jsonl", file.as_bytes());
        turns(&reads).map(|turn| turn.episode.id).collect::<Vec<_>>()
    };
    let before = ids(format!("{}\n{relation}\n", entity(r#""Speaks Greek""#)));
    let after = ids(format!("{}\n{relation}\n", entity(r#""Likes tea","Speaks Greek""#)));
    assert_eq!((before.len(), after.len()), (3, 4));
    assert!(before.iter().all(|id| after.contains(id)));
}

#[test]
fn an_answer_that_aider_is_still_writing_waits() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/aider/history.md");
    let file = fs_err::read(path).expect("a fixture");
    let ids = |bytes: &[u8]| {
        let reads = read("aider", "history.md", bytes);
        turns(&reads).map(|turn| turn.episode.id).collect::<Vec<_>>()
    };
    let whole = ids(&file);
    // In the middle of a line of the model's and of the person's, and behind a line of the person's.
    for piece in ["It is do", "#### Use the sp", "#### /test pytest  \n"] {
        let at = file.windows(piece.len()).position(|window| window == piece.as_bytes()).expect("the piece");
        let part = ids(&file[..at + piece.len()]);
        assert!(whole.starts_with(&part) && part.len() >= 2, "{piece}: {part:?}");
    }
}

#[test]
fn other_formats_are_not_taken_for_these() {
    for bytes in [
        "",
        "\n\n",
        "hello",
        "{\"timestamp\":\"2025-11-03T09:00:00Z\",\"type\":\"session_meta\"}",
        "{\"role\":\"wizard\",\"content\":\"hi\"}",
        "{\"role\":\"user\"}",
        "{\"messages\":[]}",
        "[{\"qa\":[{\"question\":\"Who?\"}]}]",
        "[{\"question_id\":\"q\"}]",
        "{\"subject\":\"no predicate\"}",
        "{\"type\":\"user\",\"content\":\"hi\",\"sessionId\":\"s\"}",
        "[{\"type\":\"user\"}]",
        "{\"type\":\"user\",\"id\":\"1\",\"timestamp\":\"2025-11-03T09:00:00Z\",\"content\":\"hi\"}",
        "{\"messages\":[{\"type\":\"user\",\"id\":\"1\",\"timestamp\":\"2025-11-03T09:00:00Z\",\"content\":\"hi\"}]}",
        "{\"type\":\"message\",\"role\":7}",
        "[{\"mapping\":{\"a\":{\"b\":1}}}]",
        "{\"mapping\":{}}",
        "2024-03-01 nothing is said\n",
        "# A heading\n\n#### hello\n\n> a quote\n",
    ] {
        assert!(sniff(bytes.as_bytes()).is_none(), "{bytes}");
    }
}
