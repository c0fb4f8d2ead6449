//! What odd bytes, damage and growth do to every format whose records are JSON: one record is hurt, and no other.

use std::path::Path;

use bygone_engine::Episode;
use bygone_ingest::read::{Part, Read, Record, sniff};

use super::common::{read, turns};

/// A way to write down what a person says, one record a text. The texts stand in JSON as they are given.
struct Shape {
    format: &'static str,
    file: &'static str,
    /// What stands before the records, between them and after them.
    around: [&'static str; 3],
    record: fn(usize, &str) -> String,
}

impl Shape {
    fn bytes(&self, texts: &[&str]) -> Vec<u8> {
        let [before, between, after] = self.around;
        let records: Vec<String> =
            texts.iter().enumerate().map(|(number, text)| (self.record)(number, text)).collect();
        format!("{before}{}{after}", records.join(between)).into_bytes()
    }
}

const CODEX: Shape = Shape {
    format: "codex",
    file: "rollout.jsonl",
    around: [
        "{\"timestamp\":\"2025-11-03T08:00:00Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n",
        "\n",
        "\n",
    ],
    record: |number, text| {
        format!(
            r#"{{"timestamp":"2025-11-03T09:00:0{number}Z","type":"response_item","payload":{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}}}"#
        )
    },
};

const GEMINI_LINES: Shape = Shape {
    format: "gemini",
    file: "session.jsonl",
    around: ["{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n", "\n", "\n"],
    record: gemini,
};

const GEMINI_DOCUMENT: Shape = Shape {
    format: "gemini",
    file: "session.json",
    around: [
        "{\n \"sessionId\": \"s\",\n \"projectHash\": \"p\",\n \"messages\": [\n  ",
        ",\n  ",
        "\n ]\n}\n",
    ],
    record: gemini,
};

fn gemini(number: usize, text: &str) -> String {
    format!(
        r#"{{"id":"m{number}","timestamp":"2025-11-03T09:00:0{number}Z","type":"user","content":"{text}"}}"#
    )
}

const CHATGPT: Shape =
    Shape { format: "chatgpt", file: "conversations.json", around: ["[", ",\n", "]"], record: chatgpt };

/// One conversation a text.
fn chatgpt(number: usize, text: &str) -> String {
    format!(
        r#"{{"conversation_id":"c{number}","current_node":"n{number}","mapping":{{"n{number}":{{"id":"n{number}","parent":null,"children":[],"message":{{"id":"n{number}","author":{{"role":"user"}},"create_time":176216040{number}.5,"content":{{"content_type":"text","parts":["{text}"]}}}}}}}}}}"#
    )
}

const CHATGPT_TREE: Shape = Shape {
    format: "chatgpt",
    file: "one.json",
    around: ["{\"conversation_id\":\"c\",\"mapping\":{\n", ",\n", "\n}}\n"],
    record: |number, text| {
        let above = number.checked_sub(1).map_or("null".to_owned(), |above| format!("\"n{above}\""));
        format!(
            r#""n{number}":{{"id":"n{number}","parent":{above},"message":{{"id":"n{number}","author":{{"role":"user"}},"create_time":176216040{number}.5,"content":{{"content_type":"text","parts":["{text}"]}}}}}}"#
        )
    },
};

const CLAUDE_AI: Shape = Shape {
    format: "claude-ai",
    file: "conversations.json",
    around: ["[", ",\n", "]"],
    record: |number, text| format!(r#"{{"uuid":"c{number}","chat_messages":[{}]}}"#, claude_ai(number, text)),
};

const CLAUDE_AI_MESSAGES: Shape = Shape {
    format: "claude-ai",
    file: "one.json",
    around: ["{\"uuid\":\"c\",\"chat_messages\":[\n", ",\n", "\n]}\n"],
    record: claude_ai,
};

fn claude_ai(number: usize, text: &str) -> String {
    format!(
        r#"{{"uuid":"m{number}","sender":"human","created_at":"2025-11-03T09:00:0{number}Z","text":"{text}","content":[{{"type":"text","text":"{text}"}}]}}"#
    )
}

const SHAPES: [Shape; 7] =
    [CODEX, GEMINI_LINES, GEMINI_DOCUMENT, CHATGPT, CHATGPT_TREE, CLAUDE_AI, CLAUDE_AI_MESSAGES];

/// What people said, in order.
fn said(reads: &[Read]) -> Vec<String> {
    let speech = |part: &Part| match part {
        Part::Speech(span) => Some(span.clone()),
        _ => None,
    };
    let of = |text: &str, parts: &[Part]| {
        parts.iter().filter_map(speech).map(|span| text[span].to_owned()).collect::<Vec<_>>()
    };
    turns(reads).flat_map(|turn| of(&turn.episode.text, &turn.parts)).collect()
}

/// What was set aside, with whether the rest may still come.
fn set_aside(reads: &[Read]) -> Vec<(String, bool)> {
    let reason = |read: &Read| match read {
        Read::Record(Record::Quarantined { problem, incomplete, .. }) => {
            Some((problem.reason.clone(), *incomplete))
        }
        _ => None,
    };
    reads.iter().filter_map(reason).collect()
}

fn is_told(reads: &[Read], what: &str) -> bool {
    reads.iter().any(|read| matches!(read, Read::Problem(problem) if problem.reason.contains(what)))
}

const TEXTS: [&str; 4] = ["I moved to Lisbon.", "I work at Acme.", "I have a dog.", "I like tea."];

#[test]
fn every_shape_is_told_by_its_start() {
    for shape in SHAPES {
        let bytes = shape.bytes(&TEXTS);
        assert_eq!(sniff(&bytes).map(|reader| reader.name), Some(shape.format), "{}", shape.file);
        assert_eq!(said(&read(shape.format, shape.file, &bytes)), TEXTS, "{} {}", shape.format, shape.file);
    }
}

#[test]
fn a_mark_and_carriage_returns_change_nothing() {
    for shape in SHAPES {
        let plain = shape.bytes(&TEXTS);
        let text = String::from_utf8(plain.clone()).expect("text").replace('\n', "\r\n");
        let marked = [b"\xef\xbb\xbf".to_vec(), text.into_bytes()].concat();
        assert_eq!(sniff(&marked).map(|reader| reader.name), Some(shape.format));
        let ids = |bytes: &[u8]| -> Vec<_> {
            turns(&read(shape.format, shape.file, bytes)).map(|turn| turn.episode.id).collect()
        };
        assert_eq!(ids(&marked), ids(&plain), "{} {}", shape.format, shape.file);
    }
}

#[test]
fn odd_bytes_are_told_and_cost_no_record() {
    for shape in SHAPES {
        let at = (shape.format, shape.file);
        let reads = read(at.0, at.1, &shape.bytes(&["One.", "T\0wo.", "Three."]));
        assert_eq!(said(&reads), ["One.", "Two.", "Three."], "{at:?}");
        assert!(is_told(&reads, "NUL bytes are left out"), "{at:?}");
        let raws: Vec<_> = turns(&reads).map(|turn| turn.episode.raw.clone().expect("raw")).collect();
        assert!(raws[1].contains(&0), "the bytes stay as they were: {at:?}");
        let mut latin = shape.bytes(&["One.", "Caf_.", "Three."]);
        let start = latin.windows(5).position(|window| window == b"Caf_.").expect("the text");
        latin[start + 3] = 0xe9;
        let reads = read(at.0, at.1, &latin);
        assert_eq!(said(&reads).len(), 3, "{at:?}");
        assert!(is_told(&reads, "not UTF-8"), "{at:?}");
    }
}

#[test]
fn a_lone_surrogate_costs_its_own_record() {
    for shape in SHAPES {
        let reads = read(shape.format, shape.file, &shape.bytes(&["One.", "T\\ud83dwo.", "Three."]));
        assert_eq!(said(&reads), ["One.", "Three."], "{} {}", shape.format, shape.file);
        let reasons = set_aside(&reads);
        assert!(reasons.len() == 1 && reasons[0].0.contains("surrogate"), "{reasons:?}");
    }
}

#[test]
fn a_record_of_ten_megabytes_is_one_turn() {
    let long = "long ".repeat(2_000_000);
    for shape in SHAPES {
        let reads = read(shape.format, shape.file, &shape.bytes(&["One.", &long, "Three."]));
        assert_eq!(turns(&reads).count(), 3, "{} {}", shape.format, shape.file);
    }
}

#[test]
fn a_file_cut_in_its_last_record_keeps_the_others() {
    for shape in SHAPES {
        // Where the whole file is one conversation of an export, it is one record until it is read.
        if shape.file == "one.json" {
            continue;
        }
        let whole = shape.bytes(&TEXTS);
        let end = whole.windows(3).rposition(|window| window == b"tea").expect("the last text");
        let reads = read(shape.format, shape.file, &whole[..end]);
        assert_eq!(said(&reads), TEXTS[..3], "{} {}", shape.format, shape.file);
        let reasons = set_aside(&reads);
        assert!(reasons.len() == 1 && reasons[0].1, "{} {}: {reasons:?}", shape.format, shape.file);
    }
}

/// The turns of some bytes as they are kept.
fn episodes(format: &str, file: &str, bytes: &[u8]) -> Vec<Episode> {
    turns(&read(format, file, bytes)).map(|turn| turn.episode.clone()).collect()
}

#[test]
fn a_file_that_grows_comes_to_the_same_turns() {
    for shape in SHAPES {
        let whole = episodes(shape.format, shape.file, &shape.bytes(&TEXTS));
        for n_texts in 1..TEXTS.len() {
            let part = episodes(shape.format, shape.file, &shape.bytes(&TEXTS[..n_texts]));
            assert_eq!(part, whole[..n_texts], "{} {}", shape.format, shape.file);
        }
    }
    for (format, fixture) in [
        ("codex", "codex/rollout.jsonl"),
        ("codex", "codex/older.jsonl"),
        ("codex", "codex/stream.jsonl"),
        ("gemini", "gemini/lines.jsonl"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture);
        let bytes = fs_err::read(path).expect("a fixture");
        let whole = episodes(format, fixture, &bytes);
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        for end in ends {
            let part = episodes(format, fixture, &bytes[..end]);
            assert_eq!(part, whole[..part.len()], "{fixture} up to byte {end}");
        }
    }
}

#[test]
fn messages_that_stand_only_as_events_are_turns() {
    let event = |kind: &str, words: &str| {
        format!(
            r#"{{"timestamp":"2025-11-03T09:00:00Z","type":"event_msg","payload":{{"type":"{kind}","message":"{words}"}}}}"#
        )
    };
    let events = [event("user_message", "I moved to Lisbon."), event("agent_message", "Noted.")].join("\n");
    assert_eq!(said(&read("codex", "rollout.jsonl", events.as_bytes())), ["I moved to Lisbon.", "Noted."]);
    let with_item = format!("{events}\n{}", String::from_utf8(CODEX.bytes(&["One."])).expect("text"));
    assert_eq!(said(&read("codex", "rollout.jsonl", with_item.as_bytes())), ["One."]);
}

#[test]
fn a_compaction_of_any_size_is_passed_over_unparsed() {
    let history = "x".repeat(70 << 20);
    let compaction = format!(
        r#"{{"timestamp":"2025-11-03T09:00:00Z","type":"compacted","payload":{{"message":"","replacement_history":["{history}""#
    );
    let bytes = format!("{compaction}\n{}", String::from_utf8(CODEX.bytes(&["One."])).expect("text"));
    let reads = read("codex", "rollout.jsonl", bytes.as_bytes());
    assert!(matches!(reads[0], Read::Record(Record::Skipped(_))));
    assert_eq!((said(&reads), set_aside(&reads).len()), (vec!["One.".to_owned()], 0));
}

#[test]
fn a_fork_stays_one_session_and_a_subagents_user_is_the_agent() {
    let meta = |id: &str, source: &str| {
        format!(
            r#"{{"timestamp":"2025-11-03T08:00:00Z","type":"session_meta","payload":{{"id":"{id}","source":{source}}}}}"#
        )
    };
    let one = (CODEX.record)(0, "One.");
    let fork = [meta("fork", "\"cli\""), meta("origin", "\"cli\""), one.clone()].join("\n");
    let turn = |bytes: &str| turns(&read("codex", "rollout.jsonl", bytes.as_bytes())).next().cloned();
    let turn = |bytes: &str| turn(bytes).expect("a turn").episode;
    let episode = turn(&fork);
    assert_eq!(
        (episode.session.as_str(), episode.speaker.expect("a speaker").to_string()),
        ("fork", "person:user".to_owned())
    );
    let sub = [meta("sub", r#"{"subagent":{"thread_spawn":{"depth":1}}}"#), one].join("\n");
    assert_eq!(turn(&sub).speaker.expect("a speaker").to_string(), "agent:codex");
}
