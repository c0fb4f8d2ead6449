//! What breaks naive readers of any format, put to every format: each trap costs no other record,
//! keeps the bytes, and is reported.

use crate::common::{read, said, turns};
use crate::layouts::{LAYOUTS, OTHERS, Repeated, TIME};
use bygone_engine::EpisodeId;
use bygone_engine::time::{Instant, parse_moment};
use bygone_ingest::read::{READERS, Read, Record, sniff};

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
fn every_format_is_here_in_the_order_in_which_it_is_tried() {
    let named = |name: &&str| {
        LAYOUTS.iter().any(|layout| layout.format == *name) || OTHERS.iter().any(|(format, _)| format == name)
    };
    let missing: Vec<_> = READERS.iter().map(|reader| reader.name).filter(|name| !named(name)).collect();
    assert_eq!(missing, [""; 0], "formats without a layout");
    let at = |format: &str| READERS.iter().position(|reader| reader.name == format).expect("a format");
    assert!(LAYOUTS.is_sorted_by_key(|layout| at(layout.format)));
    assert!(OTHERS.is_sorted_by_key(|(format, _)| at(format)));
}

#[test]
fn every_layout_is_told_by_its_start() {
    let told = |bytes: &[u8]| sniff(bytes).map(|reader| reader.name);
    for layout in LAYOUTS {
        let bytes = layout.bytes(&layout.records(&["\"one\"", "\"two\""]));
        assert_eq!(told(bytes.as_bytes()), Some(layout.format), "{}", layout.name());
        let marked = format!("\u{feff}{}", bytes.replace('\n', "\r\n"));
        assert_eq!(told(marked.as_bytes()), Some(layout.format), "{}", layout.name());
    }
    for (format, name) in OTHERS {
        assert_eq!(told(&fixture(name)), Some(format));
    }
}

#[test]
fn a_first_line_that_cannot_be_read_hides_no_format() {
    let too_deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    for layout in LAYOUTS.iter().filter(|layout| layout.is_lines()) {
        let bytes = layout.bytes(&layout.records(&["\"one\"", "\"two\"", "\"three\""]));
        for first in [&too_deep, "{\"type\":\"us", "{\"a\":1}}", "\u{1}\u{2}"] {
            let file = format!("{first}\n{bytes}");
            let told = sniff(file.as_bytes()).map(|reader| reader.name);
            assert_eq!(told, Some(layout.format), "{}: {first}", layout.name());
            let reads = layout.read(file.as_bytes());
            assert_eq!(said(&reads), ["one", "two", "three"], "{}: {first}", layout.name());
            assert_eq!(set_aside(&reads).len(), 1, "{}: {first}", layout.name());
        }
    }
}

#[test]
fn the_order_decides_where_a_file_passes_two_tests() {
    let codex = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi."}]}
{"type":"function_call","call_id":"c","name":"shell","arguments":"{}"}"#;
    let langchain = r#"[{"type":"chat","role":"user","content":"Hi.","additional_kwargs":{}}]"#;
    let letta = r#"{"agent_type":"memgpt_agent","messages":[{"role":"user","content":"Hi."}]}"#;
    let aider = "2024-08-05 Ana: notes\n# aider chat started at 2024-08-05 19:33:02\n\n#### Hi.  \n\n2024-08-05 Ana: Hi.\n";
    for (file, expected) in [
        (codex, ["codex", "openai"]),
        (langchain, ["langchain", "openai"]),
        (letta, ["letta", "openai"]),
        (aider, ["aider", "plain"]),
    ] {
        let passed = READERS.iter().filter(|reader| (reader.sniff)(file.as_bytes()));
        assert_eq!(passed.map(|reader| reader.name).collect::<Vec<_>>(), expected, "{file}");
    }
}

#[test]
fn marks_carriage_returns_and_blank_lines_change_nothing() {
    for layout in LAYOUTS {
        let plain = layout.bytes(&layout.records(&["\"one\"", "\"two\""]));
        let odd = format!("\u{feff}{}\r\n", plain.replace('\n', "\r\n"));
        let (plain, odd) = (layout.read(plain.as_bytes()), layout.read(odd.as_bytes()));
        assert_eq!(said(&odd), ["one", "two"], "{}", layout.name());
        assert_eq!(set_aside(&odd), [], "{}", layout.name());
        assert_eq!(ids(&plain), ids(&odd), "{}", layout.name());
    }
}

#[test]
fn nul_bytes_and_bytes_that_are_no_text_cost_no_turn() {
    for layout in LAYOUTS {
        let file = layout.bytes(&layout.records(&["\"o_e\"", "\"tw_\"", "\"three\""]));
        let mut bytes = file.into_bytes();
        // A layout may tell a text twice.
        for at in 0..bytes.len() - 3 {
            match &bytes[at..at + 3] {
                b"o_e" => bytes[at + 1] = 0,
                b"tw_" => bytes[at + 2] = 0xe9,
                _ => {}
            }
        }
        let reads = layout.read(&bytes);
        assert_eq!(said(&reads), ["oe", "tw\u{fffd}", "three"], "{}", layout.name());
        let raws: Vec<_> = turns(&reads).filter_map(|turn| turn.episode.raw.as_deref()).collect();
        assert!(raws[0].contains(&0) && raws[1].contains(&0xe9), "{}: the bytes stay", layout.name());
        // Readers that take lists and documents apart as pieces do not tell what they changed to read one.
        let tells = layout.is_lines() || ["gemini", "chatgpt", "claude-ai"].contains(&layout.format);
        let is_told = |what: &str| problems(&reads).iter().any(|problem| problem.contains(what));
        let are_told = (is_told("NUL bytes are left out"), is_told("not UTF-8"));
        assert_eq!(are_told, (tells, tells), "{}", layout.name());
    }
}

#[test]
fn a_lone_surrogate_costs_its_record_only() {
    for layout in LAYOUTS {
        let file = layout.bytes(&layout.records(&["\"one\"", r#""\ud83d""#, "\"three\""]));
        let reads = layout.read(file.as_bytes());
        assert_eq!(said(&reads), ["one", "three"], "{}", layout.name());
        let aside = set_aside(&reads);
        assert_eq!(aside.len(), 1, "{}", layout.name());
        assert!(String::from_utf8_lossy(aside[0].1).contains(r"\ud83d"), "{}", layout.name());
    }
}

#[test]
fn ten_megabytes_are_one_record() {
    let long = format!("\"{}\"", "long ".repeat(2_000_000));
    for layout in LAYOUTS {
        let reads = layout.read(layout.bytes(&layout.records(&["\"one\"", &long, "\"three\""])).as_bytes());
        let lengths: Vec<_> = said(&reads).iter().map(|text| text.len()).collect();
        assert_eq!(lengths, [3, 9_999_999, 5], "{}", layout.name());
    }
}

#[test]
fn what_is_no_record_is_put_aside() {
    for layout in LAYOUTS.iter().filter(|layout| !layout.has_members()) {
        let mut records = layout.records(&["\"one\"", "\"two\""]);
        let mut odd: Vec<String> =
            ["42", "\"words\"", "null", "[1, 2]", "true", "{}"].map(str::to_owned).into();
        odd.extend(layout.slip.map(|(key, slip)| layout.records(&["\"?\""]).remove(0).replace(key, slip)));
        let n_odd = odd.len();
        for record in odd {
            records.insert(1, record);
        }
        let reads = layout.read(layout.bytes(&records).as_bytes());
        assert_eq!(said(&reads), ["one", "two"], "{}", layout.name());
        let aside = set_aside(&reads);
        assert_eq!(aside.len(), n_odd, "{}: {aside:?}", layout.name());
        let is_slip_told = aside[0].0.contains("meant for it");
        assert_eq!(is_slip_told, layout.slip.is_some(), "{}: {}", layout.name(), aside[0].0);
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
    for layout in LAYOUTS {
        for (time, expected, is_assumed) in cases {
            let record = (layout.record)("000000000001", "\"one\"", time);
            let reads = layout.read(layout.bytes(&[record]).as_bytes());
            let turn = turns(&reads).next().expect("a turn");
            assert_eq!(
                (turn.episode.time, turn.episode.time_inferred),
                (expected, false),
                "{} {time}",
                layout.name()
            );
            let is_told = problems(&reads).iter().any(|problem| problem.contains("no zone"));
            assert_eq!(is_told, is_assumed, "{} {time}", layout.name());
        }
        for time in ["null", "\"yesterday\"", "\"2025-02-30T00:00:00Z\""] {
            let record = (layout.record)("000000000001", "\"one\"", time);
            let reads = layout.read(layout.bytes(&[record]).as_bytes());
            let turn = turns(&reads).next().expect("a turn");
            assert!(turn.episode.time_inferred, "{} {time}", layout.name());
            assert!(!problems(&reads).is_empty(), "{} {time}", layout.name());
        }
    }
}

#[test]
fn of_two_records_with_one_id_the_first_counts_or_both_are_kept() {
    for layout in LAYOUTS.iter().filter(|layout| layout.repeated_id != Repeated::None) {
        let mut records = layout.records(&["\"one\"", "\"two\""]);
        records.push((layout.record)("000000000001", "\"another\"", TIME));
        let reads = layout.read(layout.bytes(&records).as_bytes());
        let aside: Vec<_> = set_aside(&reads).into_iter().map(|(reason, _)| reason).collect();
        let (kept, told) = match layout.repeated_id {
            Repeated::First => (&["one", "two"][..], aside),
            Repeated::Both | Repeated::None => (&["one", "two", "another"][..], problems(&reads)),
        };
        assert_eq!(said(&reads), kept, "{}", layout.name());
        let is_told = told.len() == 1 && told[0].contains("above with other content");
        assert!(is_told, "{}: {told:?}", layout.name());
    }
}

#[test]
fn a_file_that_grows_only_gains_turns() {
    for layout in LAYOUTS.iter().filter(|layout| !layout.is_one_conversation()) {
        let file = layout.bytes(&layout.records(&["\"one\"", "\"two, é\"", "\"three\"", "\"four\""]));
        let whole = ids(&layout.read(file.as_bytes()));
        assert_eq!(whole.len(), 4, "{}", layout.name());
        let mut n_most = 0;
        for n_bytes in 0..file.len() {
            let part = ids(&layout.read(&file.as_bytes()[..n_bytes]));
            assert!(whole.starts_with(&part), "{} cut at {n_bytes}", layout.name());
            n_most = n_most.max(part.len());
            assert!(part.len() + 1 >= n_most, "{} cut at {n_bytes}", layout.name());
        }
        assert!(n_most >= 3, "{}: what is whole of a file that is cut off is read", layout.name());
    }
}

#[test]
fn a_file_with_more_records_has_the_same_turns_before_them() {
    for layout in LAYOUTS {
        let records = layout.records(&["\"one\"", "\"two\"", "\"three\""]);
        let whole = ids(&layout.read(layout.bytes(&records).as_bytes()));
        for n_records in 1..records.len() {
            let part = ids(&layout.read(layout.bytes(&records[..n_records]).as_bytes()));
            assert_eq!(part, whole[..n_records], "{}", layout.name());
        }
    }
}

#[test]
fn of_a_file_that_ends_in_a_record_the_rest_may_still_come() {
    for layout in LAYOUTS.iter().filter(|layout| !layout.is_one_conversation()) {
        let whole = layout.bytes(&layout.records(&["\"one\"", "\"two\"", "\"I like tea.\""]));
        let end = whole.rfind("tea").expect("the last text");
        let reads = layout.read(&whole.as_bytes()[..end]);
        assert_eq!(said(&reads), ["one", "two"], "{}", layout.name());
        let is_incomplete = |read: &Read| match read {
            Read::Record(Record::Quarantined { incomplete, .. }) => Some(*incomplete),
            _ => None,
        };
        let aside: Vec<_> = reads.iter().filter_map(is_incomplete).collect();
        assert_eq!(aside, [true], "{}", layout.name());
    }
}

#[test]
fn a_half_written_line_and_its_repeat_are_one_turn() {
    for layout in LAYOUTS.iter().filter(|layout| layout.is_lines()) {
        let records = layout.records(&["\"one\"", "\"two\"", "\"three\""]);
        for n_bytes in [1, 12, 40, records[1].len() - 1] {
            let mut written = records.clone();
            written.insert(1, records[1][..n_bytes].to_owned());
            let reads = layout.read(layout.bytes(&written).as_bytes());
            assert_eq!(said(&reads), ["one", "two", "three"], "{} {n_bytes}", layout.name());
            assert_eq!(set_aside(&reads).len(), 1, "{} {n_bytes}", layout.name());
        }
    }
}

#[test]
fn ids_of_other_files_are_other_turns() {
    for layout in LAYOUTS {
        let id = |name: &str, text: &str| {
            let file = layout.bytes(&layout.records(&[text]));
            ids(&read(layout.format, name, file.as_bytes()))
        };
        assert_ne!(id("a.jsonl", "\"one\""), id("b.jsonl", "\"two\""), "{}", layout.name());
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
    for layout in LAYOUTS {
        let content = match layout.format {
            "claude-code" | "atif" => &image,
            "openai" | "langchain" => &url,
            // The content of a record here is a text already.
            _ => continue,
        };
        let reads = layout.read(layout.bytes(&layout.records(&[content])).as_bytes());
        let turn = turns(&reads).next().expect("a turn");
        assert!(
            turn.episode.text.starts_with("see\n[image"),
            "{}: {}",
            layout.name(),
            turn.episode.text.len()
        );
        assert!(turn.episode.text.len() < 100, "{}", layout.name());
        assert!(turn.episode.raw.as_ref().is_some_and(|raw| raw.len() > 100_000), "{}", layout.name());
    }
}

fn fixture(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    fs_err::read(path).expect("a fixture")
}

/// What each record says or states.
fn told(format: &str, bytes: &[u8]) -> Vec<String> {
    let of = |read: &Read| match read {
        Read::Record(Record::Turn(turn)) => Some(turn.episode.text.clone()),
        Read::Record(Record::Statement(_, statement)) => Some(statement.assertion.id.to_string()),
        Read::Record(_) | Read::Space(_) | Read::Problem(_) => None,
    };
    read(format, "s.txt", bytes).iter().filter_map(of).collect()
}

#[test]
fn marks_and_carriage_returns_change_no_record_of_the_other_formats() {
    for (format, name) in OTHERS {
        let file = fixture(name);
        let text = String::from_utf8(file.clone()).expect("a text");
        let odd = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        let expected = told(format, &file);
        assert!(expected.len() > 1, "{format}");
        assert_eq!(told(format, odd.as_bytes()), expected, "{format}");
    }
}

/// Of the other formats those that are text, or take text that was repaired.
fn with_odd_bytes() -> impl Iterator<Item = (&'static str, &'static str)> {
    OTHERS.into_iter().filter(|(format, _)| ["mcp-memory", "aider", "plain"].contains(format))
}

#[test]
fn odd_bytes_change_no_turn_of_the_other_formats() {
    for (format, name) in with_odd_bytes() {
        let file = fixture(name);
        let expected = told(format, &file);
        let text = String::from_utf8(file.clone()).expect("a text");
        // NUL bytes in the middle of every word "Lisbon", and a byte that is no text behind it.
        let odd = text.replace("Lisbon", "Lis\0bon");
        assert_eq!(told(format, odd.as_bytes()), expected, "{format}");
        let at = file.windows(6).position(|window| window == b"Lisbon").expect("the word");
        let mut odd = file.clone();
        odd[at + 5] = 0xff;
        let n_changed = told(format, &odd).iter().filter(|text| text.contains("Lisbo\u{fffd}")).count();
        assert!(n_changed > 0, "{format}");
        assert_eq!(told(format, &odd).len(), expected.len(), "{format}");
        let long = text.replace("Lisbon", &"Lisbon ".repeat(1_500_000));
        let lengths = |texts: &[String]| texts.iter().map(String::len).max();
        assert!(lengths(&told(format, long.as_bytes())) > Some(10_000_000), "{format}");
        assert_eq!(told(format, long.as_bytes()).len(), expected.len(), "{format}");
    }
}

#[test]
fn notes_and_histories_only_gain_turns_where_a_line_is_cut() {
    for (format, name) in OTHERS.into_iter().filter(|(format, _)| ["mcp-memory", "aider"].contains(format)) {
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
