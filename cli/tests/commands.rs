//! Each command over a store on disk: what it prints for people and for programs, and how it ends.

use crate::support::{Bench, Ran, balance, list, repository};
use bygone::Exit;
use serde_json::{Value, json};

/// Small files in the shapes of data sets.
const DATASETS: &str = "eval/tests/fixtures";
/// Sessions at the terminal as they should read.
const SESSIONS: &[(&str, &str)] = &[
    ("commands.txt", include_str!("cases/commands.txt")),
    ("ontology.txt", include_str!("cases/ontology.txt")),
    ("evaluation.txt", include_str!("cases/evaluation.txt")),
];

#[test]
fn sessions_read_as_written() {
    for (name, session) in SESSIONS {
        let mut bench = Bench::new();
        let found = replay(session, &mut bench);
        if found != *session {
            let place = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
            fs_err::write(&place, &found).expect("there is room for the session");
            let lines = session.lines().zip(found.lines()).enumerate();
            let first = lines.into_iter().find(|(_, (expected, found))| expected != found);
            panic!("the session reads otherwise, see {place}; first {first:#?}");
        }
    }
}

/// Runs the commands of a session and returns it with what they print.
fn replay(session: &str, bench: &mut Bench) -> String {
    let mut found = Vec::new();
    let mut lines = session.lines().peekable();
    while let Some(line) = lines.next() {
        if line.is_empty() || line.starts_with('#') {
            found.push(line.to_owned());
        }
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        found.push(line.to_owned());
        let mut input = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("< ")) {
            found.push(line.to_owned());
            input.push_str(&line[2..]);
            input.push('\n');
        }
        let words = words(command, bench);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = bench.run_with(&words, input.as_bytes());
        found.extend(ran.output.lines().map(|line| format!("  {}", redact(line))));
        found.extend(ran.errors.lines().map(|line| format!("! {}", redact(line))));
        if ran.exit != Exit::Done {
            found.push(format!("= {}", ran.exit.code()));
        }
    }
    found.join("\n") + "\n"
}

/// Splits a command into words as a shell would; `<Anna lives_in>` is the id of that fact, `SAMPLES` the folder, and what
/// begins with `DATASETS` is a file of those of the evaluation.
fn words(command: &str, bench: &mut Bench) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = command.trim_start();
    while !rest.is_empty() {
        let end = match &rest[..1] {
            "\"" => "\"",
            "'" => "'",
            "<" => ">",
            _ => " ",
        };
        let start = usize::from(end != " ");
        let (word, after) = rest[start..].split_once(end).unwrap_or((&rest[start..], ""));
        words.push(match (end, word) {
            (">", fact) => {
                let (subject, predicate) = fact.split_once(' ').expect("a subject and a predicate");
                fact_id(bench, subject, predicate)
            }
            (_, "SAMPLES") => repository("samples"),
            (_, word) if word.starts_with("DATASETS") => word.replace("DATASETS", &repository(DATASETS)),
            (_, word) => word.to_owned(),
        });
        rest = after.trim_start();
    }
    words
}

fn fact_id(bench: &mut Bench, subject: &str, predicate: &str) -> String {
    let fact = bench.done(&["facts", "--json", "--subject", subject, "--predicate", predicate]).row();
    fact["id"].as_str().expect("an id").to_owned()
}

/// Replaces what depends on the machine, and ids.
fn redact(line: &str) -> String {
    let line = line.replace(&repository("samples"), "SAMPLES");
    let mut line = line.replace(&repository(DATASETS), "DATASETS");
    for kind in ["a:", "e:", "f:"] {
        let mut from = 0;
        while let Some(at) = line[from..].find(kind).map(|at| from + at + kind.len()) {
            let is_id = line[at..].bytes().take_while(u8::is_ascii_hexdigit).count() == 32;
            if is_id {
                line.replace_range(at..at + 32, "…");
            }
            from = at;
        }
    }
    for (before, after) in [("bytes on disk", ""), ("Searched ", " for")] {
        if let Some(rest) = line.strip_prefix(before) {
            let rest = rest.find(after).filter(|_| !after.is_empty()).map(|at| &rest[at..]);
            line = format!("{before} …{}", rest.unwrap_or_default());
        }
    }
    line
}

/// A bench that has read the samples.
fn with_samples() -> Bench {
    let mut bench = Bench::new();
    bench.done(&["ingest", &repository("samples")]);
    bench
}

#[test]
fn rows_for_programs_are_objects_with_sorted_keys() {
    let mut bench = with_samples();
    let fact = fact_id(&mut bench, "Anna", "lives_in");
    let receipt = "assertions duplicates episodes files problems quarantined read redacted seconds skipped";
    let entry = "aliases entity same_as";
    let fact_row = "authority confidence ended_by from from_grain id key known_from known_to last_confirmed object \
                    predicate segments subject support to to_grain verdict";
    let learned =
        "again assertion fact key known_from object predicate quote session speaker subject time turn until";
    let answer = "answer evidence facts known question reading value";
    let certificate = "assertions at bytes_searched checkpoints documents entities episodes files_searched found needles \
                       quarantined records_searched said_elsewhere seq work_events";
    let samples = repository("samples");
    // Words, exit, keys of each row, how many rows.
    let cases: &[(&[&str], Exit, &str, usize)] = &[
        (&["init"], Exit::Done, "language space", 1),
        (&["ingest", &samples], Exit::Done, receipt, 1),
        (&["ingest", &samples, "--dry-run"], Exit::Done, receipt, 1),
        (&["facts"], Exit::Done, fact_row, 14),
        (&["facts", "--subject", "person:Nobody"], Exit::Done, "", 0),
        (
            &["history", "Anna", "works_at"],
            Exit::Done,
            "from from_grain id key known_from known_to object predicate segments subject support to to_grain \
             verdict",
            5,
        ),
        (&["timeline", "Anna"], Exit::Done, fact_row, 8),
        (&["diff", "--known", "2023-03..2023-06", "--about", "Anna"], Exit::Done, "cause change fact was", 3),
        (&["diff", "--valid", "2022-06..2024", "--about", "Anna"], Exit::Done, "cause change fact was", 2),
        (&["learned", "Anna", "works_at"], Exit::Done, learned, 4),
        (&["learned", "Anna", "works_at", "Nimbus"], Exit::No, "", 0),
        (&["why", &fact], Exit::Done, "evidence fact reason", 1),
        (&["entities"], Exit::Done, entry, 30),
        (&["entities", "Clara"], Exit::Done, entry, 1),
        (&["show", "Clara"], Exit::Done, "aliases entity facts mentions same_as", 1),
        (&["timex", "on 2024-05-01 or on 2 May 2024"], Exit::Done, "end grain kind start text", 2),
        (&["ask", "Where does Anna live?"], Exit::Done, answer, 1),
        (&["ask", "Where does Zoe live?"], Exit::No, answer, 1),
        (
            &["ask", "How blue is the sky?"],
            Exit::No,
            "answer evidence facts known question reading understood",
            1,
        ),
        (&["merge", "Clara", "Ines"], Exit::Done, "one other same seq", 1),
        (&["split", "Clara", "Ines"], Exit::Done, "one other same seq", 1),
        (
            &["stats"],
            Exit::Done,
            "assertions checkpoint_pieces checkpoints document_versions documents entities episodes facts groups \
             language last_seq quarantined store_bytes work_items work_sets",
            1,
        ),
        (
            &["verify"],
            Exit::Done,
            "assertions checkpoints commits document_versions episodes faults format groups made_anew unchecked work_items",
            1,
        ),
        (&["erase", "--session", "leases"], Exit::Done, certificate, 1),
        (&["erase", "--session", "leases"], Exit::No, certificate, 1),
    ];
    for &(words, exit, keys, n_rows) in cases {
        let words = [words, &["--json"]].concat();
        let ran = bench.run(&words).expect_exit(exit);
        let rows = ran.rows();
        assert_eq!(rows.len(), n_rows, "{ran:?}");
        for row in rows {
            let found: Vec<&String> = row.as_object().expect("an object").keys().collect();
            let expected: Vec<&str> = keys.split_whitespace().collect();
            assert_eq!(found, expected, "{ran:?}");
        }
    }
}

#[test]
fn a_fixed_clock_gives_the_same_bytes_in_another_store() {
    let run = || {
        let mut bench = Bench::new();
        let mut all = Vec::new();
        let samples = repository("samples");
        let fact = "f:00000000000000000000000000000000";
        let commands: &[&[&str]] = &[
            &["init"],
            &["ingest", &samples],
            &["ingest", &samples, "--stats"],
            &["facts", "--valid", "all", "--history", "--planned"],
            &["history", "Anna"],
            &["entities"],
            &["show", "Clara"],
            &["why", fact],
            &["ask", "Where does Anna live?"],
            &["query", "MATCH (p)-[r]->(o) VALID ALL RETURN *"],
            &["explain", "MATCH (p)-[r]->(o)<-[s]-(q) RETURN count(*)", "--analyze"],
            &["timex", "yesterday"],
            &["merge", "Clara", "Ines"],
            &["split", "Clara", "Ines"],
            &["export"],
            &["verify"],
        ];
        for form in [&[][..], &["--json"]] {
            for words in commands {
                let words = [words, form].concat();
                let Ran { exit, output, errors, .. } = bench.run(&words);
                all.push(format!("{words:?} {exit:?}\n{output}{errors}"));
            }
        }
        all
    };
    assert_eq!(run(), run());
}

#[test]
fn a_second_reading_adds_nothing() {
    let mut bench = Bench::new();
    let clara = repository("samples/facts/clara.jsonl");
    // Words, records, and those without a turn.
    let cases: &[(&[&str], u64, u64)] = &[
        (&["ingest", &repository("samples/chat")], 24, 0),
        (&["ingest", &repository("samples/claude-code")], 28, 2),
        (&["ingest", &clara], 13, 0),
        (&["assert", &clara, "--space", "asserted"], 13, 0),
        (&["ingest", &repository("samples"), "--space", "together"], 65, 2),
    ];
    for &(words, read, skipped) in cases {
        let words = [words, &["--json"]].concat();
        let space = words.iter().position(|word| *word == "--space");
        let space = space.map_or("default", |at| words[at + 1]);
        let first = bench.done(&words).row();
        let exported = bench.export(space);
        let second = bench.done(&words).row();
        for receipt in [&first, &second] {
            balance(receipt);
            assert_eq!(receipt["read"], read, "{words:?}: {receipt}");
            assert_eq!(receipt["skipped"], skipped, "{words:?}: {receipt}");
            assert_eq!(receipt["quarantined"], 0, "{words:?}: {receipt}");
        }
        assert_eq!(first["episodes"], read - skipped, "{words:?}: {first}");
        assert!(first["assertions"].as_u64() > Some(0), "{words:?}: {first}");
        for (key, expected) in [("episodes", 0), ("assertions", 0), ("duplicates", read - skipped)] {
            assert_eq!(second[key], expected, "{words:?}: {second}");
        }
        assert_eq!(bench.export(space), exported, "{words:?}");
    }
    bench.done(&["verify"]);
}

#[test]
fn a_dry_run_reports_and_records_nothing() {
    let mut bench = with_samples();
    let exported = bench.export("default");
    let line = r#"{"subject":"person:Zoe","predicate":"works_at","object":{"entity":"org:Acme"}}"#;
    let file = bench.file("zoe.jsonl", line);
    let receipt = bench.done(&["ingest", &file, "--dry-run", "--json"]).row();
    balance(&receipt);
    assert_eq!((&receipt["episodes"], &receipt["assertions"]), (&json!(1), &json!(1)));
    assert_eq!(bench.export("default"), exported);
}

#[test]
fn filters_and_views_select_facts() {
    let mut bench = Bench::new();
    for (path, now) in [
        ("samples/facts", "2025-01-01T00:00:00Z"),
        ("samples/chat", "2025-02-01T00:00:00Z"),
        ("samples/claude-code", "2025-11-05T00:00:00Z"),
    ] {
        bench.done(&["ingest", &repository(path), "--now", now]);
    }
    let lines = [
        r#"{"subject":"person:Clara","predicate":"plays","object":{"text":"chess"},"from":"2024","known_at":"2024-01-02T00:00:00Z","source":"talk#1","user":"dora","agent":"scribe"}"#,
        r#"{"subject":"person:Clara","predicate":"lives_in","object":{"entity":"place:Rome"},"modality":"planned","from":"2027","known_at":"2025-01-02T00:00:00Z","source":"talk#2"}"#,
    ];
    bench.assert_lines("default", &lines.map(str::to_owned));
    let clara = "--subject Clara --predicate works_at";
    let seconded = [
        "Clara works_at Acme 2020-01-01..2023-01-01 ended",
        "Clara works_at Beta 2023-01-01..2023-04-01 ended",
        "Clara works_at Acme 2023-04-01.. aging",
    ];
    let home = "--subject Clara --predicate lives_in";
    let cases: &[(&str, &[&str])] = &[
        // Filters.
        (clara, &["Clara works_at Acme 2023-04-01.. aging"]),
        ("--predicate managed_by", &["Atlas managed_by Ben 2023-08-01.. aging"]),
        ("--object Nimbus", &["Ben works_at Nimbus 2023-02-01.. presumed"]),
        (r#"--object {"number":9090}"#, &["importer config_value 9090 2023-06-15T10:00:00Z.. aging"]),
        ("--object 9090", &[]),
        ("--subject Clara --object Ben", &[]),
        ("--predicate no_such_predicate", &[]),
        ("--object chess", &["Clara plays chess 2024-01-01.. presumed"]),
        // Valid time: an instant, a granule, a period, everything.
        (
            "--subject Clara --predicate works_at --valid 2023-02-01T00:00:00Z",
            &["Clara works_at Beta 2023-01-01..2023-04-01 stated"],
        ),
        ("--subject Clara --predicate works_at --valid 2023", &seconded[1..]),
        (
            "--subject Clara --predicate works_at --valid 2022-12..2023-01",
            &[
                "Clara works_at Acme 2020-01-01..2023-01-01 ended",
                "Clara works_at Beta 2023-01-01..2023-04-01 stated",
            ],
        ),
        ("--subject Clara --predicate works_at --valid ..2019", &[]),
        ("--subject Clara --predicate works_at --valid all", &seconded),
        // Known time: a date means its end, an instant is inclusive.
        (
            "--predicate managed_by --valid 2023-10-01T00:00:00Z --known 2023-11-19",
            &["Atlas managed_by Clara 2022-05-01.. aging"],
        ),
        (
            "--predicate managed_by --valid 2023-10-01T00:00:00Z --known 2023-11-20",
            &["Atlas managed_by Ben 2023-08-01.. presumed"],
        ),
        (
            "--predicate managed_by --valid 2023-10-01T00:00:00Z --known 2023-11-20T09:00:00Z",
            &["Atlas managed_by Ben 2023-08-01.. presumed"],
        ),
        (
            "--predicate managed_by --valid 2023-10-01T00:00:00Z --known 2023-11-20T08:59:59Z",
            &["Atlas managed_by Clara 2022-05-01.. aging"],
        ),
        // Recorded time: a sequence number, or a time.
        ("--subject person:Anna --predicate lives_in --recorded 1", &[]),
        ("--subject Anna --predicate lives_in --recorded 2", &["Anna lives_in Lisbon 2023-03-01.. presumed"]),
        ("--subject person:Anna --predicate lives_in --recorded 2025-01-31", &[]),
        (
            "--subject Anna --predicate lives_in --recorded 2025-02-01",
            &["Anna lives_in Lisbon 2023-03-01.. presumed"],
        ),
        // Who knew.
        ("--by-user dora", &["Clara plays chess 2024-01-01.. presumed"]),
        ("--by-agent scribe", &["Clara plays chess 2024-01-01.. presumed"]),
        ("--by-user nobody", &[]),
        ("--in-session changes", &["importer config_value 9090 2023-06-15T10:00:00Z.. aging"]),
        // Plans and superseded facts.
        (home, &["Clara lives_in Munich 2023-10-01.. presumed"]),
        (
            "--subject Clara --predicate lives_in --planned --valid 2027",
            &["Clara lives_in Munich 2023-10-01.. presumed", "Clara lives_in Rome 2027-01-01.. planned"],
        ),
        (
            "--subject Clara --predicate speaks --valid all --history",
            &["Clara speaks Danish 2022-01-01.. superseded"],
        ),
        ("--subject Clara --predicate speaks --valid all", &[]),
    ];
    let mut failures = Vec::new();
    for (options, expected) in cases {
        let mut words = vec!["facts", "--json"];
        words.extend(options.split(' '));
        let found: Vec<String> = bench.done(&words).rows().iter().map(sentence).collect();
        if found != *expected {
            failures.push(format!("{options}\n  found    {found:?}\n  expected {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Says a fact's row: `Clara works_at Beta 2023-01-01..2023-04-01 ended`.
fn sentence(row: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = |value: &Value| {
        let value = text(value);
        value.split_once(':').map_or(value.clone(), |(_, name)| name.to_owned())
    };
    let object = match row["object"].as_object().and_then(|object| object.iter().next()) {
        Some((kind, value)) if kind == "entity" => name(value),
        Some((kind, value)) if kind == "text" => text(value),
        Some((_, value)) => value.to_string(),
        None => String::new(),
    };
    format!(
        "{} {} {object} {}..{} {}",
        name(&row["subject"]),
        text(&row["predicate"]),
        text(&row["from"]),
        text(&row["to"]),
        text(&row["verdict"]),
    )
}

#[test]
fn a_merge_that_says_nothing_new_stands_when_another_is_erased() {
    let mut bench = Bench::new();
    let lines = ["A", "B", "C"].map(|name| {
        format!(
            r#"{{"subject":"person:{name}","predicate":"plays","object":{{"text":"{name}"}},"from":"2020"}}"#
        )
    });
    bench.assert_lines("default", &lines);
    for (one, other) in [("A", "B"), ("B", "C"), ("C", "A")] {
        bench.done(&["merge", one, other]);
    }
    bench.done(&["erase", "--episode", "identity#2"]);
    let shown = bench.done(&["show", "A", "--json"]).row();
    assert_eq!(shown["same_as"], json!(["person:B", "person:C"]));
}

#[test]
fn a_split_undoes_a_merge_whichever_way_round_it_is_said() {
    let mut bench = with_samples();
    for (merge, split) in [(["Clara", "Ines"], ["Ines", "Clara"]), (["Ines", "Clara"], ["Clara", "Ines"])] {
        bench.done(&[&["merge"], merge.as_slice()].concat());
        bench.done(&[&["split"], split.as_slice()].concat());
        let rows = bench.done(&["facts", "--predicate", "same_as", "--json"]).rows();
        assert_eq!(rows, Vec::<Value>::new(), "{merge:?}");
    }
    // What came as data may stand the other way round.
    let line = r#"{"subject":"person:Ines","predicate":"same_as","object":{"entity":"person:Clara"},"known_at":"2025-11-01T00:00:00Z"}"#;
    bench.assert_lines("default", &[line.to_owned()]);
    bench.done(&["split", "Clara", "Ines"]);
    assert_eq!(bench.done(&["facts", "--predicate", "same_as", "--json"]).rows(), Vec::<Value>::new());
}

#[test]
fn nothing_is_both_a_person_and_a_place() {
    let mut bench = with_samples();
    let ran = bench.run(&["merge", "Anna", "Lisbon"]).expect_exit(Exit::Usage);
    assert!(ran.errors.contains("cannot be one: no person is a place"), "{ran:?}");
}

#[test]
fn that_a_space_is_empty_and_others_are_not_is_said_by_whatever_reads_it() {
    let mut bench = Bench::new();
    bench.done(&["init"]);
    bench.done(&["init", "--space", "bare"]);
    assert!(!bench.done(&["stats"]).errors.contains("is empty"), "no space holds anything");
    let log = bench.file("talk.log", "2024-03-03 10:00 Anna: I live in Berlin.\n");
    for (space, said) in [("work", "the store has 1 other:"), ("home", "the store has 2 others:")] {
        bench.done(&["ingest", &log, "--space", space]);
        let said = format!("the space \"default\" is empty; {said} `bygone spaces` lists them\n");
        for words in [
            &["verify"][..],
            &["stats"],
            &["facts"],
            &["entities"],
            &["search", "Berlin"],
            &["context", "Berlin"],
            &["ask", "Where does Anna live?"],
            &["show", "Anna"],
            &["timeline", "Anna"],
            &["history", "Anna"],
            &["export"],
            &["facts", "--json"],
        ] {
            let ran = bench.run(words);
            assert!(ran.errors.ends_with(&said), "{ran:?}");
            assert!(!bench.run(&[words, &["--quiet"]].concat()).errors.contains("is empty"), "{words:?}");
            assert!(
                !bench.run(&[words, &["--space", space]].concat()).errors.contains("is empty"),
                "{words:?}"
            );
        }
        for words in [&["spaces"][..], &["timex", "yesterday"], &["init"]] {
            assert!(!bench.done(words).errors.contains("is empty"), "{words:?}");
        }
    }
}

#[test]
fn spaces_are_listed_with_what_they_hold() {
    let mut bench = with_samples();
    bench.assert_lines(
        "other",
        &[r#"{"subject":"person:Eve","predicate":"likes","object":{"text":"tea"}}"#.to_owned()],
    );
    let rows = bench.done(&["spaces", "--json"]).rows();
    let names: Vec<&Value> = rows.iter().map(|row| &row["space"]).collect();
    assert_eq!(names, ["default", "other"]);
    assert_eq!((&rows[1]["episodes"], &rows[1]["statements"]), (&json!(1), &json!(1)));
    assert!(bench.done(&["spaces"]).output.contains("other    1 episode"), "as columns");
}

#[test]
fn a_merge_and_its_split_are_visible_in_views_that_know_them() {
    let mut bench = Bench::new();
    let lines = [
        r#"{"subject":"person:Ann","predicate":"lives_in","object":{"entity":"place:Bonn"},"from":"2020","known_at":"2020-01-01T00:00:00Z","source":"one#1"}"#,
        r#"{"subject":"person:Anna","predicate":"plays","object":{"text":"chess"},"from":"2021","known_at":"2021-01-01T00:00:00Z","source":"two#1"}"#,
    ];
    bench.assert_lines("default", &lines.map(str::to_owned));
    let before = bench.done(&["facts", "--json"]).output;
    let (merged, split) = ("2025-03-01T00:00:00Z", "2025-04-01T00:00:00Z");
    let decide = |bench: &mut Bench, verb: &str, now: &str| {
        let row = bench.done(&[verb, "Ann", "Anna", "--now", now, "--json"]).row();
        assert_eq!((&row["one"], &row["other"]), (&json!("person:Ann"), &json!("person:Anna")));
        assert_eq!(row["same"], verb == "merge");
        !row["seq"].is_null()
    };
    assert!(decide(&mut bench, "merge", merged));
    assert!(decide(&mut bench, "merge", merged), "what is so already is said again");
    // Each view with how many facts it has of either name.
    let of = |bench: &mut Bench, name: &str, view: &[&str]| {
        let words = [&["facts", "--json", "--subject", name], view].concat();
        let rows = bench.done(&words).rows();
        rows.iter().filter(|row| row["predicate"] != "same_as").count()
    };
    let check = |bench: &mut Bench, view: &[&str], n_facts: usize| {
        for name in ["Ann", "Anna", "person:Ann", "person:Anna"] {
            assert_eq!(of(bench, name, view), n_facts, "{name} {view:?}");
        }
    };
    check(&mut bench, &[], 2);
    check(&mut bench, &["--known", merged], 2);
    check(&mut bench, &["--known", "2025-02-28"], 1);
    check(&mut bench, &["--recorded", "1"], 1);
    let shown = bench.done(&["show", "Ann", "--json"]).row();
    let others: Vec<&Value> = std::iter::once(&shown["entity"]).chain(list(&shown["same_as"])).collect();
    assert_eq!(others, [&json!("person:Ann"), &json!("person:Anna")]);

    assert!(decide(&mut bench, "split", split));
    assert!(decide(&mut bench, "split", split), "what is so already is said again");
    check(&mut bench, &[], 1);
    check(&mut bench, &["--known", "2025-03-15"], 2);
    check(&mut bench, &["--known", "2025-02-28"], 1);
    assert_eq!(bench.done(&["facts", "--json"]).output, before);

    // At the same instant, what is decided later counts.
    assert!(decide(&mut bench, "merge", split));
    check(&mut bench, &[], 2);
    assert!(decide(&mut bench, "split", split));
    check(&mut bench, &[], 1);
    bench.done(&["verify"]);
}

#[test]
fn an_export_asserted_elsewhere_exports_the_same_bytes() {
    let mut bench = with_samples();
    bench.done(&["merge", "Clara", "Ines"]);
    let exported = bench.export("default");
    assert_eq!(exported, bench.done(&["export", "--jsonl", "--json"]).output);
    let file = bench.file("export.jsonl", &exported);
    let receipt = bench.done(&["assert", &file, "--space", "copy", "--json"]).row();
    balance(&receipt);
    assert_eq!(receipt["assertions"], exported.lines().count(), "{receipt}");
    assert_eq!(bench.export("copy"), exported);
    bench.done(&["ingest", &file, "--space", "another"]);
    assert_eq!(bench.export("another"), exported);
    // What is believed is the same, too; only the ids of facts name their space.
    let view = ["facts", "--valid", "all", "--history", "--planned", "--json"];
    let facts = |bench: &mut Bench, space: &str| -> Vec<Value> {
        let mut rows = bench.done(&[&view[..], &["--space", space]].concat()).rows();
        for row in &mut rows {
            row["id"] = Value::Null;
        }
        rows
    };
    let believed = facts(&mut bench, "default");
    assert!(believed.len() > 40, "{} facts", believed.len());
    assert_eq!(facts(&mut bench, "copy"), believed);
    bench.done(&["verify", "--space", "copy"]);
}

#[test]
fn a_question_ends_by_whether_it_has_an_answer() {
    let mut bench = with_samples();
    let not_understood = "not understood";
    // Question, more words, exit, and a part of the answer.
    let cases: &[(&str, &[&str], Exit, &str)] = &[
        ("Where does Anna live?", &[], Exit::Done, "Lisbon"),
        ("Where did Anna work in March 2023?", &[], Exit::Done, "Acme"),
        ("Where did we think Anna worked as of 1 June 2023?", &[], Exit::Done, "Gamma"),
        ("When did Anna move to Lisbon?", &[], Exit::Done, "March 2023"),
        ("Did the tests pass?", &[], Exit::Done, "passed"),
        ("Where does Anna live?", &["--known", "2023-01"], Exit::Done, "Berlin"),
        ("Where did Anna work in April 2023?", &[], Exit::No, "Not known"),
        ("Where does Anna live?", &["--known", "2021"], Exit::No, ""),
        ("How blue is the sky?", &[], Exit::No, not_understood),
        ("", &[], Exit::No, not_understood),
        ("?", &[], Exit::No, not_understood),
    ];
    for &(question, more, exit, answer) in cases {
        let text = bench.run(&[&["ask", question], more].concat()).expect_exit(exit);
        assert!((text.output.clone() + &text.errors).contains(answer), "{text:?}");
        let ran = bench.run(&[&["ask", question, "--json"], more].concat()).expect_exit(exit);
        if ran.output.is_empty() {
            assert!(ran.errors.starts_with("bygone: "), "{ran:?}");
            continue;
        }
        let row = ran.row();
        assert_eq!(row["known"], exit == Exit::Done, "{row}");
        assert_eq!(row["question"], question);
        assert!(row["answer"].as_str().expect("a text").contains(answer), "{row}");
        assert_eq!(list(&row["facts"]).is_empty(), exit == Exit::No, "{row}");
        assert_eq!(row["reading"].is_null(), answer == not_understood, "{row}");
    }
}

#[test]
fn entities_are_listed_by_type() {
    let mut bench = Bench::new();
    let statement = json!({
        "subject": "person:Clara", "predicate": "works_at", "object": { "entity": "org:Clarity" },
        "from": "2020", "known_at": "2020-01-01T00:00:00Z",
    });
    bench.assert_lines("default", &[statement.to_string()]);
    for (prefix, expected) in [
        ("cla", &["org:Clarity", "person:Clara"][..]),
        ("person:", &["person:Clara"]),
        ("org:cla", &["org:Clarity"]),
        ("org:Clara", &[]),
        ("place:", &[]),
    ] {
        let rows = bench.done(&["entities", prefix, "--json"]).rows();
        let found: Vec<&str> = rows.iter().filter_map(|row| row["entity"].as_str()).collect();
        assert_eq!(found, expected, "{prefix}");
    }
}

#[test]
fn of_things_of_one_name_the_one_that_is_said_of_the_subject_is_meant() {
    let mut bench = Bench::new();
    let likes = |who: &str, what: &str| {
        let line = json!({
            "subject": who, "predicate": "likes", "object": { "entity": what },
            "from": "2020", "known_at": "2020-01-01T00:00:00Z",
        });
        line.to_string()
    };
    let both = [likes("person:Both", "activity:pottery"), likes("person:Both", "thing:pottery")];
    bench.assert_lines(
        "default",
        &[likes("person:Melanie", "activity:pottery"), both[0].clone(), both[1].clone()],
    );
    bench.done(&["learned", "Melanie", "likes", "pottery"]);
    for of in [&["--predicate", "likes"][..], &[]] {
        let words = [&["facts", "--json", "--subject", "Melanie", "--object", "pottery"], of].concat();
        assert_eq!(bench.done(&words).row()["object"], json!({ "entity": "activity:pottery" }));
    }
    bench.run(&["learned", "Both", "likes", "pottery"]).expect_exit(Exit::Usage);
    bench.run(&["facts", "--object", "pottery"]).expect_exit(Exit::Usage);
}
