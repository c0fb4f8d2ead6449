//! What breaks naive readers of any format, put to every format that has records in a row: each trap costs no other record,
//! keeps the bytes, and is reported.

mod common;

use bygone_engine::EpisodeId;
use bygone_engine::time::{Instant, parse_moment};
use bygone_ingest::read::{Part, Read, Record};
use common::{read, turns};

/// A format, and how a file of it is put together.
struct Format {
    name: &'static str,
    /// A record: its id, its text and its time, both as they stand in JSON.
    record: fn(id: &str, text: &str, time: &str) -> String,
    /// What stands before the records, between them and behind them.
    frame: (&'static str, &'static str, &'static str),
    /// A key without which there is no record, and a slip for it.
    slip: (&'static str, &'static str),
    /// Whether records have ids of their own that no two of a file may share.
    has_ids: bool,
}

const ID: &str = "aaaaaaaa-bbbb-4ccc-8ddd-";

const FORMATS: &[Format] = &[
    Format {
        name: "claude-code",
        record: |id, text, time| {
            format!(
                r#"{{"type":"user","uuid":"{ID}{id}","sessionId":"s","timestamp":{time},"message":{{"role":"user","content":{text}}}}}"#
            )
        },
        frame: ("", "\n", "\n"),
        slip: ("\"type\"", "\"tpye\""),
        has_ids: true,
    },
    Format {
        name: "openai",
        record: |id, text, time| {
            format!(r#"{{"role":"user","id":"{ID}{id}","timestamp":{time},"content":{text}}}"#)
        },
        frame: ("", "\n", "\n"),
        slip: ("\"role\"", "\"rol\""),
        has_ids: true,
    },
    Format {
        name: "langchain",
        record: |id, text, time| {
            format!(
                r#"{{"type":"human","data":{{"id":"{ID}{id}","content":{text},"additional_kwargs":{{"timestamp":{time}}}}}}}"#
            )
        },
        frame: ("[\n", ",\n", "\n]\n"),
        slip: ("{\"type\"", "{\"tpye\""),
        has_ids: true,
    },
    Format {
        name: "langchain",
        record: |id, text, time| {
            format!(
                r#"{{"type":"human","data":{{"id":"{ID}{id}","content":{text},"additional_kwargs":{{"timestamp":{time}}}}}}}"#
            )
        },
        frame: ("", "\n", "\n"),
        slip: ("{\"type\"", "{\"tpye\""),
        has_ids: true,
    },
    Format {
        name: "letta",
        record: |id, text, time| {
            format!(
                r#"{{"role":"user","id":"{ID}{id}","created_at":{time},"content":[{{"type":"text","text":{text}}}]}}"#
            )
        },
        frame: (
            "{\"agents\": [\n{\"name\": \"a\", \"agent_type\": \"x\", \"messages\": [\n",
            ",\n",
            "\n]}\n], \"blocks\": []}\n",
        ),
        slip: ("\"role\"", "\"rol\""),
        has_ids: true,
    },
    Format {
        name: "swe-agent",
        record: |_, text, time| {
            format!(r#"{{"action":"","observation":"","response":{text},"timestamp":{time}}}"#)
        },
        frame: ("{\n\"trajectory\": [\n", ",\n", "\n], \"info\": {}}\n"),
        slip: ("\"action\":\"\",\"observation\"", "\"acton\":\"\",\"observaton\""),
        has_ids: false,
    },
    Format {
        name: "atif",
        record: |id, text, time| {
            format!(
                r#"{{"step_id":{},"source":"user","timestamp":{time},"message":{text}}}"#,
                id.trim_start_matches('0')
            )
        },
        frame: (
            "{\n\"schema_version\": \"ATIF-v1.6\", \"session_id\": \"s\", \"steps\": [\n",
            ",\n",
            "\n]}\n",
        ),
        slip: ("\"source\"", "\"sorce\""),
        has_ids: true,
    },
];

const TIME: &str = "\"2025-11-03T09:00:00Z\"";

impl Format {
    fn file(&self, records: &[String]) -> String {
        let (before, between, behind) = self.frame;
        format!("{before}{}{behind}", records.join(between))
    }

    /// Records with these texts, as they stand in JSON.
    fn records(&self, texts: &[&str]) -> Vec<String> {
        (1..).zip(texts).map(|(number, text)| (self.record)(&format!("{number:012}"), text, TIME)).collect()
    }

    fn read(&self, bytes: &[u8]) -> Vec<Read> {
        let reads = read(self.name, "s.jsonl", bytes);
        for read in &reads {
            if let Read::Record(Record::Turn(turn)) = read {
                assert!(turn.episode.raw.as_ref().is_some_and(|raw| !raw.is_empty()), "{}", self.name);
            }
        }
        reads
    }

    fn is_lines(&self) -> bool {
        self.frame.0.is_empty()
    }
}

fn texts(reads: &[Read]) -> Vec<&str> {
    turns(reads)
        .flat_map(|turn| {
            turn.parts.iter().filter_map(|part| match part {
                Part::Speech(span) => Some(&turn.episode.text[span.clone()]),
                _ => None,
            })
        })
        .collect()
}

fn ids(reads: &[Read]) -> Vec<EpisodeId> {
    turns(reads).map(|turn| turn.episode.id).collect()
}

fn set_aside(reads: &[Read]) -> Vec<(&str, &[u8])> {
    reads
        .iter()
        .filter_map(|read| match read {
            Read::Record(Record::Quarantined { problem, raw, .. }) => {
                Some((problem.reason.as_str(), raw.as_slice()))
            }
            _ => None,
        })
        .collect()
}

fn problems(reads: &[Read]) -> Vec<&str> {
    let told = reads.iter().filter_map(|read| match read {
        Read::Problem(problem) => Some(problem.reason.as_str()),
        _ => None,
    });
    told.collect()
}

#[test]
fn marks_carriage_returns_and_blank_lines_change_nothing() {
    for format in FORMATS {
        let plain = format.file(&format.records(&["\"one\"", "\"two\""]));
        let odd = format!("\u{feff}{}\r\n", plain.replace('\n', "\r\n"));
        let (plain, odd) = (format.read(plain.as_bytes()), format.read(odd.as_bytes()));
        assert_eq!(texts(&odd), ["one", "two"], "{}", format.name);
        assert_eq!(set_aside(&odd), [], "{}", format.name);
        if !format.is_lines() {
            assert_eq!(ids(&plain), ids(&odd), "{}", format.name);
        }
    }
}

#[test]
fn nul_bytes_and_bytes_that_are_no_text_cost_no_turn() {
    for format in FORMATS {
        let file = format.file(&format.records(&["\"o_e\"", "\"tw_\"", "\"three\""]));
        let mut bytes = file.into_bytes();
        let first = bytes.iter().position(|byte| *byte == b'o').expect("a letter");
        let at = bytes.windows(3).position(|window| window == b"o_e").expect("the text");
        assert!(first <= at);
        bytes[at + 1] = 0;
        let at = bytes.windows(3).position(|window| window == b"tw_").expect("the text");
        bytes[at + 2] = 0xe9;
        let reads = format.read(&bytes);
        assert_eq!(texts(&reads), ["oe", "tw\u{fffd}", "three"], "{}", format.name);
        let raws: Vec<_> = turns(&reads).filter_map(|turn| turn.episode.raw.as_deref()).collect();
        assert!(raws[0].contains(&0) && raws[1].contains(&0xe9), "{}: the bytes stay", format.name);
    }
}

#[test]
fn a_lone_surrogate_costs_its_record_only() {
    for format in FORMATS {
        let file = format.file(&format.records(&["\"one\"", r#""\ud83d""#, "\"three\""]));
        let reads = format.read(file.as_bytes());
        assert_eq!(texts(&reads), ["one", "three"], "{}", format.name);
        let aside = set_aside(&reads);
        assert_eq!(aside.len(), 1, "{}", format.name);
        assert!(String::from_utf8_lossy(aside[0].1).contains(r"\ud83d"), "{}", format.name);
    }
}

#[test]
fn ten_megabytes_are_one_record() {
    let long = format!("\"{}\"", "long ".repeat(2_000_000));
    for format in FORMATS {
        let reads = format.read(format.file(&format.records(&["\"one\"", &long, "\"three\""])).as_bytes());
        let lengths: Vec<_> = texts(&reads).iter().map(|text| text.len()).collect();
        assert_eq!(lengths, [3, 9_999_999, 5], "{}", format.name);
    }
}

#[test]
fn what_is_no_record_is_put_aside() {
    for format in FORMATS {
        let mut records = format.records(&["\"one\"", "\"two\""]);
        let no_type = format.records(&["\"?\""]).remove(0).replace(format.slip.0, format.slip.1);
        for odd in ["42", "\"words\"", "null", "[1, 2]", "true", "{}", &no_type] {
            records.insert(1, odd.to_owned());
        }
        let reads = format.read(format.file(&records).as_bytes());
        assert_eq!(texts(&reads), ["one", "two"], "{}", format.name);
        let aside = set_aside(&reads);
        assert_eq!(aside.len(), 7, "{}: {aside:?}", format.name);
        assert!(aside[0].0.contains("meant for it"), "{}: {}", format.name, aside[0].0);
    }
}

#[test]
fn every_form_of_time_is_read() {
    let at = |text: &str| parse_moment(text).expect("a time").at;
    let (whole, half) = (at("2025-11-03T09:00:00Z"), at("2025-11-03T09:00:00.5Z"));
    let cases: [(&str, Instant, bool); 8] = [
        ("\"2025-11-03T09:00:00Z\"", whole, false),
        ("\"2025-11-03T10:00:00+01:00\"", whole, false),
        ("1762160400", whole, false),
        ("1762160400500", half, false),
        ("1762160400.5", half, false),
        ("\"1762160400\"", whole, false),
        ("\"2025-11-03 09:00:00\"", whole, true),
        ("\"2025-11-03T09:00:00\"", whole, true),
    ];
    for format in FORMATS {
        for (time, expected, is_assumed) in cases {
            let record = (format.record)("000000000001", "\"one\"", time);
            let reads = format.read(format.file(&[record]).as_bytes());
            let turn = turns(&reads).next().expect("a turn");
            assert_eq!(
                (turn.episode.time, turn.episode.time_inferred),
                (expected, false),
                "{} {time}",
                format.name
            );
            let is_told = problems(&reads).iter().any(|problem| problem.contains("no zone"));
            assert_eq!(is_told, is_assumed, "{} {time}", format.name);
        }
        for time in ["null", "\"yesterday\"", "\"2025-02-30T00:00:00Z\""] {
            let record = (format.record)("000000000001", "\"one\"", time);
            let reads = format.read(format.file(&[record]).as_bytes());
            let turn = turns(&reads).next().expect("a turn");
            assert!(turn.episode.time_inferred, "{} {time}", format.name);
            assert!(!problems(&reads).is_empty(), "{} {time}", format.name);
        }
    }
}

#[test]
fn of_two_records_with_one_id_the_first_counts() {
    for format in FORMATS.iter().filter(|format| format.has_ids) {
        let mut records = format.records(&["\"one\"", "\"two\""]);
        records.push((format.record)("000000000001", "\"another\"", TIME));
        let reads = format.read(format.file(&records).as_bytes());
        assert_eq!(texts(&reads), ["one", "two"], "{}", format.name);
        let aside = set_aside(&reads);
        assert!(
            aside.len() == 1 && aside[0].0.contains("above with other content"),
            "{}: {aside:?}",
            format.name
        );
    }
}

#[test]
fn a_file_that_grows_only_gains_turns() {
    for format in FORMATS {
        let file = format.file(&format.records(&["\"one\"", "\"two, é\"", "\"three\"", "\"four\""]));
        let whole = ids(&format.read(file.as_bytes()));
        assert_eq!(whole.len(), 4, "{}", format.name);
        let mut n_most = 0;
        for n_bytes in 0..file.len() {
            let part = ids(&format.read(&file.as_bytes()[..n_bytes]));
            assert!(whole.starts_with(&part), "{} cut at {n_bytes}", format.name);
            n_most = n_most.max(part.len());
            assert!(part.len() + 1 >= n_most, "{} cut at {n_bytes}", format.name);
        }
        assert!(n_most >= 3, "{}: what is whole of a file that is cut off is read", format.name);
    }
}

#[test]
fn a_half_written_line_and_its_repeat_are_one_turn() {
    for format in FORMATS.iter().filter(|format| format.is_lines()) {
        let records = format.records(&["\"one\"", "\"two\"", "\"three\""]);
        for n_bytes in [1, 12, 40, records[1].len() - 1] {
            let mut written = records.clone();
            written.insert(1, records[1][..n_bytes].to_owned());
            let reads = format.read(format.file(&written).as_bytes());
            assert_eq!(texts(&reads), ["one", "two", "three"], "{} {n_bytes}", format.name);
            assert_eq!(set_aside(&reads).len(), 1, "{} {n_bytes}", format.name);
        }
    }
}

#[test]
fn ids_of_other_files_are_other_turns() {
    for format in FORMATS {
        let id = |name: &str, text: &str| {
            let file = format.file(&format.records(&[text]));
            ids(&read(format.name, name, file.as_bytes()))
        };
        assert_ne!(id("a.jsonl", "\"one\""), id("b.jsonl", "\"two\""), "{}", format.name);
    }
}

#[test]
fn a_short_id_counts_within_its_session() {
    let openai = r#"{"role":"user","id":"1","content":"Hello."}"#;
    let langchain = r#"{"type":"human","data":{"id":"1","content":"Hello."}}"#;
    for (format, file) in [("openai", openai), ("langchain", langchain)] {
        let id = |name: &str| ids(&read(format, name, file.as_bytes()));
        assert_ne!(id("a.jsonl"), id("b.jsonl"), "{format}");
        assert_eq!(id("a.jsonl"), id("elsewhere/a.jsonl"), "{format}");
    }
}

#[test]
fn an_image_in_the_content_stays_out_of_the_text() {
    let image = format!(
        r#"[{{"type":"text","text":"see"}},{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{}"}}}}]"#,
        "A".repeat(100_000)
    );
    let url = format!(
        r#"[{{"type":"text","text":"see"}},{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{}"}}}}]"#,
        "A".repeat(100_000)
    );
    for format in FORMATS {
        let content = match format.name {
            "claude-code" | "atif" => &image,
            "openai" | "langchain" => &url,
            // The content of a record here is a text already.
            _ => continue,
        };
        let reads = format.read(format.file(&format.records(&[content])).as_bytes());
        let turn = turns(&reads).next().expect("a turn");
        assert!(turn.episode.text.starts_with("see\n[image"), "{}: {}", format.name, turn.episode.text.len());
        assert!(turn.episode.text.len() < 100, "{}", format.name);
        assert!(turn.episode.raw.as_ref().is_some_and(|raw| raw.len() > 100_000), "{}", format.name);
    }
}

/// Formats whose records say other things than a person's words, by their fixtures.
const OTHERS: [(&str, &str); 2] = [("aider", "aider/history.md"), ("mcp-memory", "mcp_memory/memory.jsonl")];

fn fixture(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    fs_err::read(path).expect("a fixture")
}

/// What the turns say.
fn said(format: &str, bytes: &[u8]) -> Vec<String> {
    turns(&read(format, "s.txt", bytes)).map(|turn| turn.episode.text.clone()).collect()
}

#[test]
fn odd_bytes_change_no_turn_of_the_other_formats() {
    for (format, name) in OTHERS {
        let file = fixture(name);
        let expected = said(format, &file);
        let text = String::from_utf8(file.clone()).expect("a text");
        let odd = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(said(format, odd.as_bytes()), expected, "{format}");
        // NUL bytes in the middle of every word "Lisbon", and a byte that is no text behind it.
        let odd = text.replace("Lisbon", "Lis\0bon");
        assert_eq!(said(format, odd.as_bytes()), expected, "{format}");
        let at = file.windows(6).position(|window| window == b"Lisbon").expect("the word");
        let mut odd = file.clone();
        odd[at + 5] = 0xff;
        let changed: Vec<_> = expected.iter().map(|text| text.replace("Lisbon", "Lisbo\u{fffd}")).collect();
        assert_eq!(said(format, &odd), changed, "{format}");
        let long = text.replace("Lisbon", &"Lisbon ".repeat(1_500_000));
        let lengths = |texts: &[String]| texts.iter().map(String::len).max();
        assert!(lengths(&said(format, long.as_bytes())) > Some(10_000_000), "{format}");
        assert_eq!(said(format, long.as_bytes()).len(), expected.len(), "{format}");
    }
}

#[test]
fn the_other_formats_only_gain_turns_where_a_line_is_cut() {
    for (format, name) in OTHERS {
        let file = fixture(name);
        let whole = ids(&read(format, "s.txt", &file));
        // By its first line one can tell that aider's lines end with two spaces.
        let first = file.iter().position(|byte| *byte == b'\n').expect("a line");
        let is_in_line = |n_bytes: &usize| file[*n_bytes] != b'\n' && file[*n_bytes - 1] != b'\n';
        for n_bytes in (first + 1..file.len()).filter(is_in_line) {
            let part = ids(&read(format, "s.txt", &file[..n_bytes]));
            let is_known = part.iter().all(|id| whole.contains(id));
            assert!(is_known, "{format} cut at {n_bytes}");
        }
    }
}
