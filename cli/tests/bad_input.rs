//! Refusals: each names the thing and what was expected, ends with the right code, and costs nothing else.

#![allow(
    clippy::disallowed_methods,
    reason = "how long a command waits for a busy store is measured with the clock"
)]

use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{Bench, Ran, balance, claude_code_session, files_ending, list, repository, text_of};
use bygone::Exit;
use bygone_engine::backend::{Backend, Batch, Rocks, Table};
use bygone_engine::store::FORMAT_VERSION;
use serde_json::{Value, json};

/// A statement that is in order.
fn good(position: usize) -> String {
    let statement = json!({
        "subject": "person:Clara", "predicate": "works_at", "object": { "entity": "org:Acme" },
        "from": "2020", "known_at": "2020-01-01T00:00:00Z", "source": format!("doc#{position}"),
    });
    statement.to_string()
}

/// A statement with one key set otherwise, or taken away.
fn with(key: &str, value: Value) -> Vec<u8> {
    let mut statement: Value = serde_json::from_str(&good(9)).expect("a statement");
    if value == json!("(absent)") {
        statement.as_object_mut().expect("an object").remove(key);
    } else {
        statement[key] = value;
    }
    statement.to_string().into_bytes()
}

#[test]
fn a_bad_statement_is_set_aside_with_its_reason_and_the_rest_go_in() {
    let raw = |text: &str| text.as_bytes().to_vec();
    // What the line is, the line, and parts of the reason: the thing, and what was expected.
    let cases: Vec<(&str, Vec<u8>, &[&str])> = vec![
        ("an unknown key", with("colour", json!("red")), &["\"colour\"", "expected one of", "confidence"]),
        (
            "a period that ends before it begins",
            with("to", json!("2019")),
            &["2020", "2019", "not after its start"],
        ),
        ("an empty period", with("to", json!("2020")), &["2020"]),
        ("a day that is none", with("from", json!("2024-02-30")), &["\"from\"", "2024-02-30"]),
        ("a year beyond ours", with("from", json!("10000")), &["\"from\"", "10000"]),
        ("a known time that is none", with("known_at", json!("yesterday")), &["\"known_at\"", "yesterday"]),
        ("a date out of range", with("known_at", json!("10000-01-01T00:00:00Z")), &["\"known_at\"", "10000"]),
        ("an escaped NUL", with("subject", json!("person:Cla\u{0}ra")), &["\"subject\"", "without NUL"]),
        ("a raw NUL", raw("{\"subject\":\"person:Cla\0ra\"}"), &["not valid JSON"]),
        (
            "bytes that are not UTF-8",
            b"{\"subject\":\"person:Cl\xe1ra\"}".to_vec(),
            &["not valid UTF-8", "byte 21"],
        ),
        (
            "a key that stands twice",
            raw(&good(9).replacen('{', "{\"subject\":\"person:Ben\",", 1)),
            &["\"subject\"", "stands twice"],
        ),
        (
            "a lone surrogate",
            raw(&good(9).replacen("Clara", "Cla\\ud800ra", 1)),
            &["not valid JSON", "hex escape"],
        ),
        (
            "a hundred thousand lists in each other",
            raw(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))),
            &["not valid JSON", "recursion limit"],
        ),
        (
            "a name of 64 KiB",
            with("subject", json!(format!("person:{}", "x".repeat(65_536)))),
            &["\"subject\"", "65536", "4096"],
        ),
        (
            "a predicate of 64 KiB",
            with("predicate", json!("x".repeat(65_536))),
            &["\"predicate\"", "at most 4096 bytes"],
        ),
        ("a key of 64 KiB", with("key", json!("x".repeat(65_536))), &["\"key\"", "at most 4096 bytes"]),
        ("half a line", raw(&good(9)[..50]), &["not valid JSON"]),
        ("no JSON", raw("Clara works at Acme"), &["not valid JSON"]),
        ("a number", raw("42"), &["expected a JSON object", "42"]),
        ("a list", raw("[1,2]"), &["expected a JSON object", "[1,2]"]),
        ("a text", raw("\"Clara\""), &["expected a JSON object", "Clara"]),
        ("null", raw("null"), &["expected a JSON object", "null"]),
        ("no subject", with("subject", json!("(absent)")), &["\"subject\" is missing"]),
        ("no predicate", with("predicate", json!("(absent)")), &["\"predicate\" is missing"]),
        ("no object", with("object", json!("(absent)")), &["\"object\" is missing"]),
        ("a subject without a type", with("subject", json!("Clara")), &["\"subject\"", "Clara", "type:Name"]),
        (
            "a predicate with a space",
            with("predicate", json!("works at")),
            &["\"predicate\"", "works at", "works_at"],
        ),
        ("an object of no kind", with("object", json!({ "person": "Ben" })), &["object", "person", "entity"]),
        (
            "an object of two kinds",
            with("object", json!({ "text": "a", "bool": true })),
            &["object", "bool", "expected one of"],
        ),
        (
            "a polarity that is none",
            with("polarity", json!("maybe")),
            &["\"polarity\"", "maybe", "affirm or deny"],
        ),
        (
            "an authority that is none",
            with("authority", json!("king")),
            &["\"authority\"", "king", "user, tool, agent or inferred"],
        ),
        (
            "a modality that is none",
            with("modality", json!("wished")),
            &["\"modality\"", "wished", "planned"],
        ),
        ("a confidence beyond 1", with("confidence", json!(1.5)), &["\"confidence\"", "1.5", "0 to 1"]),
        ("an id that is none", with("id", json!("a:1")), &["\"id\"", "a:1", "32 hexadecimal digits"]),
        (
            "a premise that is none",
            with("derived_from", json!(["x"])),
            &["\"derived_from\"", "a list of assertion ids"],
        ),
        ("a text that is a number", with("key", json!(3)), &["\"key\"", "3", "a text"]),
        ("a span that runs backwards", with("span", json!([5, 2])), &["\"span\"", "[5,2]"]),
        (
            "a granularity that is none",
            with("from_grain", json!("fortnight")),
            &["\"from_grain\"", "fortnight", "day, month or year"],
        ),
    ];
    let mut bench = Bench::new();
    for (number, (what, line, parts)) in cases.iter().enumerate() {
        let space = format!("case-{number}");
        let file = [good(1).as_bytes(), line, good(3).as_bytes(), b""].join(&b'\n');
        let path = bench.file("bad.jsonl", &file);
        for command in ["assert", "ingest"] {
            let words = [command, &path, "--space", &space, "--json"];
            let receipt = bench.done(&words).row();
            balance(&receipt);
            assert_eq!(receipt["read"], 3, "{what}: {receipt}");
            assert_eq!(receipt["quarantined"], 1, "{what}: {receipt}");
            let [problem] = list(&receipt["problems"]) else {
                panic!("{what}: {receipt}");
            };
            assert_eq!(problem["line"], 2, "{what}: {receipt}");
            assert_eq!(problem["offset"], good(1).len() + 1, "{what}: {receipt}");
            assert_eq!(problem["file"], path.as_str(), "{what}: {receipt}");
            let reason = problem["reason"].as_str().expect("a reason");
            for part in *parts {
                assert!(reason.contains(part), "{what}: {reason:?} does not say {part:?}");
            }
        }
        assert_eq!(bench.export(&space).lines().count(), 2, "{what}");
        let stats = bench.done(&["stats", "--space", &space, "--json"]).row();
        assert_eq!(stats["quarantined"], 1, "{what}: kept once, as it stood");
        // Where nothing could be read, the input was bad.
        let words = ["assert", "-", "--space", &space];
        let ran = bench.run_with(&words, line).expect_exit(Exit::BadInput);
        assert!(ran.errors.starts_with("stdin:1: "), "{what}: {ran:?}");
    }
    bench.done(&["verify"]);
}

#[test]
fn a_truncated_last_line_is_said_to_be_incomplete() {
    let mut bench = Bench::new();
    let path = bench.file("cut.jsonl", format!("{}\n{}", good(1), &good(2)[..70]));
    let receipt = bench.done(&["assert", &path, "--json"]).row();
    balance(&receipt);
    assert_eq!((&receipt["episodes"], &receipt["quarantined"]), (&json!(1), &json!(1)));
    let reason = receipt["problems"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("incomplete last line"), "{reason}");
    // Without its line end, a whole last line is whole.
    let path = bench.file("whole.jsonl", format!("{}\n{}", good(1), good(2)));
    let receipt = bench.done(&["assert", &path, "--json"]).row();
    assert_eq!((&receipt["episodes"], &receipt["quarantined"]), (&json!(1), &json!(0)));
}

#[test]
fn commands_that_cannot_be_done_say_why() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &[good(1)]);
    let no_transcript = bench.file("poem.txt", "Roses are red,\nviolets are blue.\n");
    let empty = bench.file("empty.jsonl", "");
    let missing = text_of(&bench.path("missing.jsonl"));
    let before = bench.export("default");
    // Words, exit, and parts of what is said.
    let cases: &[(&[&str], Exit, &[&str])] = &[
        // Files.
        (
            &["ingest", &no_transcript],
            Exit::BadInput,
            &["poem.txt", "no transcript of a known format", "claude-code", "--format"],
        ),
        (&["ingest", &empty], Exit::BadInput, &["empty.jsonl", "no transcript of a known format"]),
        (&["ingest", &missing], Exit::BadInput, &["missing.jsonl", "No such file"]),
        (&["assert", &missing], Exit::BadInput, &["missing.jsonl", "No such file"]),
        (
            &["ingest", &no_transcript, "--format", "irc"],
            Exit::Usage,
            &["irc", "--format", "facts", "claude-code", "plain"],
        ),
        // Words.
        (&[], Exit::Usage, &["Usage"]),
        (&["remember"], Exit::Usage, &["remember", "subcommand"]),
        (&["facts", "--colour", "red"], Exit::Usage, &["--colour"]),
        (&["ingest"], Exit::Usage, &["PATH"]),
        (&["erase"], Exit::Usage, &["--session", "--user", "--episode"]),
        (
            &["erase", "--session", "a", "--user", "b"],
            Exit::Usage,
            &["--session", "--user", "cannot be used with"],
        ),
        (&["facts", "--now", "soon"], Exit::Usage, &["--now", "soon"]),
        (&["facts", "--valid", "soon"], Exit::Usage, &["--valid", "soon"]),
        (&["facts", "--valid", "2024-02-30"], Exit::Usage, &["--valid", "2024-02-30"]),
        (&["facts", "--valid", "2024..2023"], Exit::Usage, &["--valid", "2024", "2023"]),
        (&["facts", "--known", "10000"], Exit::Usage, &["--known", "10000"]),
        (&["facts", "--recorded", "then"], Exit::Usage, &["--recorded", "then"]),
        (&["facts", "--object", "{\"number\":"], Exit::Usage, &["--object", "not valid JSON"]),
        (&["facts", "--object", "{\"colour\":1}"], Exit::Usage, &["--object", "colour", "entity"]),
        (&["timex", "now", "--fiscal-start", "13"], Exit::Usage, &["13", "1..=12"]),
        (&["timex", "now", "--tense", "never"], Exit::Usage, &["never", "past"]),
        (&["why", "a:1"], Exit::Usage, &["a:1", "f:", "32 hexadecimal digits"]),
        (&["erase", "--episode", "doc"], Exit::Usage, &["\"doc\"", "e:…", "session#position"]),
        // Things that are not there.
        (
            &["why", "f:0123456789abcdef0123456789abcdef"],
            Exit::No,
            &["no fact f:0123456789abcdef0123456789abcdef"],
        ),
        (&["show", "Nobody"], Exit::No, &["\"Nobody\""]),
        (&["history", "Nobody"], Exit::No, &["\"Nobody\""]),
        (&["merge", "Clara", "Nobody"], Exit::No, &["\"Nobody\""]),
        (&["merge", "Clara", "person:Clara"], Exit::Usage, &["person:Clara", "two are expected"]),
        (&["facts", "--space", "elsewhere"], Exit::BadInput, &["no space \"elsewhere\""]),
        (&["facts", "--space", "a/b"], Exit::Usage, &["\"a/b\"", "letters, digits"]),
    ];
    for &(words, exit, parts) in cases {
        let ran = bench.run(words).expect_exit(exit);
        assert_eq!(ran.output, "", "{ran:?}");
        for part in parts {
            assert!(ran.errors.contains(part), "{ran:?} does not say {part:?}");
        }
    }
    assert_eq!(bench.export("default"), before);
    bench.done(&["verify"]);
}

#[test]
fn a_name_that_several_bear_is_asked_back() {
    let mut bench = Bench::new();
    let ship = good(2).replace("person:Clara", "ship:Clara");
    bench.assert_lines("default", &[good(1), ship]);
    for words in [["show", "Clara"], ["history", "clara"]] {
        let ran = bench.run(&words).expect_exit(Exit::Usage);
        assert!(ran.errors.contains("may be person:Clara or ship:Clara: say which"), "{ran:?}");
    }
}

#[test]
fn a_file_that_is_no_transcript_costs_the_others_nothing() {
    let mut bench = Bench::new();
    let one = bench.file("in/one.jsonl", good(1));
    let poem = bench.file("in/poem.txt", "Roses are red,\nviolets are blue.\n");
    let two = bench.file("in/two.jsonl", good(2));
    // In a folder it is reported.
    let folder = text_of(&bench.path("in"));
    let receipt = bench.done(&["ingest", &folder, "--space", "folder", "--json"]).row();
    balance(&receipt);
    assert_eq!((&receipt["files"], &receipt["episodes"]), (&json!(2), &json!(2)));
    assert_eq!(receipt["problems"][0]["file"], poem.as_str());
    // Named, it is an error as well.
    let ran =
        bench.run(&["ingest", &one, &poem, &two, "--space", "named", "--json"]).expect_exit(Exit::BadInput);
    assert_eq!(bench.export("named").lines().count(), 2);
    let receipt = ran.row();
    balance(&receipt);
    assert_eq!((&receipt["files"], &receipt["episodes"]), (&json!(2), &json!(2)));
    assert!(ran.errors.contains("poem.txt: no transcript"), "{ran:?}");
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_reading() {
    let mut bench = Bench::new();
    let fact = "f:0123456789abcdef0123456789abcdef";
    let cases: &[&[&str]] = &[
        &["facts"],
        &["history", "Anna"],
        &["why", fact],
        &["entities"],
        &["show", "Anna"],
        &["ask", "Where does Anna live?"],
        &["export"],
        &["stats"],
        &["verify"],
        &["erase", "--session", "s"],
        &["merge", "Anna", "Ann"],
        &["split", "Anna", "Ann"],
    ];
    for words in cases {
        let ran = bench.run(words).expect_exit(Exit::BadInput);
        let expected = format!("bygone: there is no store at {:?}: `bygone init` makes one\n", bench.store());
        assert_eq!((ran.output.as_str(), ran.errors.as_str()), ("", expected.as_str()), "{ran:?}");
        assert!(!bench.store().exists(), "{words:?} made a store");
    }
    // What needs no store asks for none.
    bench.done(&["timex", "yesterday"]);
    // A file that cannot be read makes none either.
    let missing = text_of(&bench.path("missing"));
    for command in ["assert", "ingest"] {
        bench.run(&[command, &missing]).expect_exit(Exit::BadInput);
        assert!(!bench.store().exists(), "{command} made a store");
    }
    let samples = repository("samples");
    bench.done(&["ingest", &samples, "--dry-run"]);
    assert!(!bench.store().exists(), "a dry run made a store");
}

#[test]
fn what_is_no_store_is_left_alone() {
    let mut bench = Bench::new();
    let note = bench.file("notes/note.txt", "Buy milk.");
    let folder = text_of(&bench.path("notes"));
    for store in [&folder, &note] {
        for words in [&["facts"][..], &["init"], &["assert", "-"]] {
            let words = [&["--store", store.as_str()], words].concat();
            let ran = bench.run_with(&words, good(1).as_bytes()).expect_exit(Exit::BadInput);
            let expected = format!("{store:?} is not a Bygone store: expected an empty folder");
            assert!(ran.errors.contains(&expected), "{ran:?}");
        }
    }
    let names: Vec<_> = fs_err::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names, ["note.txt"]);
    assert_eq!(fs_err::read(&note).expect("the note"), b"Buy milk.");
}

#[test]
fn another_statement_under_an_id_is_set_aside() {
    let mut bench = Bench::new();
    let id = format!("a:{}", "1".repeat(32));
    let line = |subject: &str| {
        format!(
            r#"{{"id":"{id}","subject":"person:{subject}","predicate":"plays","object":{{"text":"chess"}},"from":"2020","known_at":"2020-01-01T00:00:00Z","source":"ids#1"}}"#
        )
    };
    let lines = [line("Ann"), line("Ben"), line("Ann")].join("\n");
    let receipt = bench.run_with(&["assert", "-", "--json"], lines.as_bytes()).expect_exit(Exit::Done).row();
    balance(&receipt);
    let counts = ["episodes", "quarantined", "duplicates"].map(|key| receipt[key].as_u64());
    assert_eq!(counts, [Some(1); 3], "{receipt}");
    let is_conflict = |problem: &&Value| problem["reason"].to_string().contains("another statement");
    let conflicts: Vec<&Value> = list(&receipt["problems"]).iter().filter(is_conflict).collect();
    assert_eq!(conflicts.len(), 1, "{receipt}");
    assert_eq!(conflicts[0]["line"], 2, "{receipt}");
    let Ran { exit, output, .. } = bench.run_with(&["assert", "-", "--json"], line("Cleo").as_bytes());
    assert_eq!(exit, Exit::BadInput, "{output}");
    assert_eq!(bench.export("default").lines().count(), 1);
}

#[test]
fn a_clock_at_the_end_of_time_stamps_nothing() {
    let mut bench = Bench::new();
    let words = ["assert", "-", "--now", "9999-12-31T23:59:59.999999Z"];
    let Ran { exit, errors, .. } = bench.run_with(&words, good(1).as_bytes());
    assert_eq!(exit, Exit::BadInput, "{errors}");
    assert!(errors.contains("9999-12-31T23:59:59.999999Z"), "{errors}");
    bench.assert_lines("default", &[good(1)]);
    bench.done(&["verify"]);
}

#[test]
fn what_commands_a_terminal_is_not_printed_for_people() {
    let mut bench = Bench::new();
    let line = r#"{"subject":"person:Ann","predicate":"plays","object":{"text":"\u001b[31mred\u202e"},"from":"2020"}"#;
    bench.assert_lines("default", &[line.to_owned()]);
    let printed = bench.done(&["facts"]).output;
    assert!(printed.contains("[31mred") && !printed.contains(['\u{1b}', '\u{202e}']), "{printed:?}");
}

#[test]
fn a_damaged_table_is_found_by_verify() {
    let mut bench = Bench::new();
    let path = bench.file("s.jsonl", claude_code_session("s").join("\n"));
    bench.done(&["ingest", &path]);
    bench.close();
    // Opening writes what is in the log into tables.
    bench.done(&["stats"]);
    bench.close();
    let tables = files_ending(&bench.store(), ".sst");
    assert!(!tables.is_empty());
    for table in tables {
        // The rows come first in a table file; what follows them (filters, statistics) answers nothing by itself.
        let sound = fs_err::read(&table).expect("a table");
        let mut damaged = sound.clone();
        damaged[10] ^= 1;
        fs_err::write(&table, &damaged).expect("is written");
        let Ran { exit, errors, .. } = bench.run(&["verify"]);
        assert_eq!(exit, Exit::Corrupt, "{table:?}: {errors}");
        bench.close();
        fs_err::write(&table, &sound).expect("is written");
    }
    bench.done(&["verify"]);
}

#[test]
fn a_store_of_a_newer_format_is_not_touched() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &[good(1)]);
    bench.close();
    let set_format = |format: u32| {
        let rocks = Rocks::open(&bench.store(), false, "a test").expect("a store");
        let mut batch = Batch::default();
        batch.put(Table::Meta, b"format".to_vec(), format.to_be_bytes().to_vec());
        rocks.commit(&batch).expect("a commit");
    };
    set_format(99);
    let mut reader = Bench::new();
    let store = text_of(&bench.store());
    for words in [&["facts"][..], &["assert", "-"], &["init"]] {
        let words = [&["--store", &store], words].concat();
        let Ran { exit, errors, .. } = reader.run_with(&words, good(2).as_bytes());
        assert_eq!(exit, Exit::BadInput, "{errors}");
        assert!(errors.contains("format 99") && errors.contains("a newer one"), "{errors}");
    }
    set_format(FORMAT_VERSION);
    assert_eq!(bench.export("default").lines().count(), 1);
}

#[test]
fn a_held_store_is_waited_for_and_its_holder_named() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &[good(1)]);
    let started = Instant::now();
    let ran = Command::new(env!("CARGO_BIN_EXE_bygone"))
        .args(["stats", "--store", &text_of(&bench.store())])
        .output()
        .expect("the command runs");
    let waited = started.elapsed();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(5), "{errors}");
    assert!(ran.stdout.is_empty());
    let holder = format!("is in use by process {}", std::process::id());
    assert!(errors.contains(&holder), "{errors}");
    assert!(errors.contains(&format!("{:?}", bench.store())), "{errors}");
    // It waits for five seconds; the rest is what two busy cores may take to start it.
    assert!(waited >= Duration::from_secs(5), "{waited:?}");
    assert!(waited < Duration::from_secs(9), "{waited:?}");
    // Whoever holds it has lost nothing, and lets go of it.
    bench.assert_lines("default", &[good(2)]);
    assert_eq!(bench.export("default").lines().count(), 2);
    bench.close();
    let ran = Command::new(env!("CARGO_BIN_EXE_bygone"))
        .args(["verify", "--store", &text_of(&bench.store())])
        .output()
        .expect("the command runs");
    assert!(ran.status.success(), "{ran:?}");
}

#[test]
fn a_predicate_that_nobody_knows_is_told_with_the_nearest() {
    let mut bench = Bench::new();
    let used = good(1).replace("works_at", "juggles_with");
    bench.assert_lines("default", &[good(0), used]);
    let said = "the predicate \"wroks_at\" is neither declared nor used here; did you mean works_at?";
    let ran = bench.run(&["facts", "--predicate", "wroks_at"]).expect_exit(Exit::Done);
    assert!(ran.errors.contains("0 facts") && ran.errors.contains(said), "{ran:?}");
    for words in [["history", "Clara", "wroks_at"], ["learned", "Clara", "wroks_at"]] {
        let ran = bench.run(&words).expect_exit(Exit::No);
        assert!(ran.errors.contains(said) && ran.output.is_empty(), "{ran:?}");
    }
    let ran = bench.run(&["facts", "--predicate", "juggles_wit"]).expect_exit(Exit::Done);
    assert!(ran.errors.contains("did you mean juggles_with?"), "what is used is known: {ran:?}");
    for predicate in ["juggles_with", "lives_in"] {
        let ran = bench.run(&["facts", "--predicate", predicate]).expect_exit(Exit::Done);
        assert!(!ran.errors.contains("neither"), "{ran:?}");
    }
    let ran = bench.run(&["history", "Clara", "lives_in"]).expect_exit(Exit::Done);
    assert_eq!(ran.errors, "nothing was ever believed in this view: person:Clara lives_in\n");
}

#[cfg(unix)]
#[test]
fn the_name_of_a_file_forges_no_line() {
    let mut bench = Bench::new();
    let file = bench.file("a\nbygone: all is well\r\u{1b}[2J.txt", b"nothing that is known");
    let missing = format!("{file}\nx");
    let folder = std::path::Path::new(&file).parent().expect("a folder").display().to_string();
    let commands: [&[&str]; 6] = [
        &["ingest", &file],
        &["ingest", &folder],
        &["ingest", &missing],
        &["assert", &missing],
        &["ontology", "check", &missing],
        &["ingest", &file, "--format", "openai"],
    ];
    for command in commands {
        let ran = bench.run(command);
        assert!(!ran.errors.contains(['\r', '\u{1b}']), "{command:?}: {}", ran.errors);
        assert!(
            !ran.errors.lines().any(|line| line.starts_with("bygone: all")),
            "{command:?}: {}",
            ran.errors
        );
    }
}
