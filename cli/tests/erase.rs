//! Erasure: the store is as if it had never read the source, and its bytes are gone from every file.

use std::path::Path;

use crate::support::{Bench, Ran, claude_code_session, files_with, list};
use bygone::Exit;
use bygone_engine::backend::{Backend, Rocks, Table};
use serde_json::{Value, json};

/// A statement of the diary, Ben's notes or the register. `more` overrides what stands here.
fn statement(source: &str, known_at: &str, more: Value) -> Value {
    let mut statement = json!({
        "subject": "person:Clara", "predicate": "works_at", "object": { "entity": "org:Acme" },
        "known_at": known_at, "source": source,
    });
    if let (Value::Object(statement), Value::Object(more)) = (&mut statement, more) {
        statement.extend(more);
    }
    statement
}

/// Statements of three sessions and two users; the diary ends what the register began.
fn statements() -> Vec<Value> {
    let register = json!({ "from": "2020-01-01", "user": "ben", "asserter": "person:Registrar Rosenbaum" });
    let left = json!({
        "polarity": "deny", "from": "2024-06-01", "user": "anna", "asserter": "person:Diarist Dunkelmann",
    });
    let town = json!({
        "predicate": "lives_in", "object": { "entity": "place:Unterwellenborn" }, "from": "2021", "user": "anna",
    });
    let notes = json!({ "predicate": "plays", "object": { "text": "bassoon on Thursdays" }, "user": "ben" });
    vec![
        statement("register#1", "2020-01-01T00:00:00Z", register),
        statement("diary#1", "2024-06-01T00:00:00Z", left),
        statement("diary#2", "2024-06-02T00:00:00Z", town),
        statement("notes#1", "2024-07-01T00:00:00Z", notes),
    ]
}

fn lines(statements: &[Value]) -> Vec<String> {
    statements.iter().map(Value::to_string).collect()
}

fn id_of(bench: &mut Bench, source: &str) -> String {
    let rows = bench.done(&["export"]).rows();
    let row = rows.iter().find(|row| row["source"] == source).expect(source);
    row["id"].as_str().expect("an id").to_owned()
}

/// Every answer of a store that erasure must make the same as that of one that never read the source.
fn answers(bench: &mut Bench) -> Vec<String> {
    let commands: &[&[&str]] = &[
        &["export"],
        &["facts", "--valid", "all", "--history", "--planned", "--json"],
        &["facts", "--valid", "all", "--known", "2024-06-15", "--json"],
        &["entities", "--json"],
        &["history", "person:Clara", "--json"],
    ];
    commands.iter().map(|words| bench.done(words).output).collect()
}

/// Holds a store's folder to have none of some texts left: in no file as it stands, in no record decompressed.
#[track_caller]
fn expect_gone(bench: &mut Bench, texts: &[&str]) {
    for &text in texts {
        assert_eq!(files_with(&bench.store(), text.as_bytes()), [] as [&Path; 0], "{text:?}");
    }
    bench.close();
    for &text in texts {
        assert_eq!(tables_with(&bench.store(), text), [] as [&str; 0], "{text:?}");
        assert_eq!(files_with(&bench.store(), text.as_bytes()), [] as [&Path; 0], "{text:?}, reopened");
    }
}

/// Says which tables of a closed store have a record with some text.
fn tables_with(folder: &Path, text: &str) -> Vec<&'static str> {
    let rocks = Rocks::open(folder, false, "a test").expect("a store");
    let image = rocks.snapshot();
    let stands_in = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    let holds = |table: &&Table| {
        image.scan_prefix(**table, b"").any(|pair| {
            let (key, value) = pair.expect("a record");
            stands_in(&key) || stands_in(&value)
        })
    };
    Table::ALL.iter().filter(holds).map(|table| table.name()).collect()
}

/// Erases and returns the certificate, which must say that nothing is left.
#[track_caller]
fn erase(bench: &mut Bench, mark: &str, name: &str) -> Value {
    let certificate = bench.done(&["erase", mark, name, "--json"]).row();
    assert_eq!(list(&certificate["found"]), [] as [Value; 0], "{certificate}");
    assert_eq!(certificate["at"].as_str().map(|at| &at[..10]), Some("2025-12-01"), "{certificate}");
    for key in ["seq", "episodes", "needles", "files_searched", "bytes_searched", "records_searched"] {
        assert!(certificate[key].as_u64() > Some(0), "{key}: {certificate}");
    }
    certificate
}

/// The option, its name, which statements go, how many entities go with them, and texts that must be gone.
type Case<'a> = (&'a str, &'a str, &'a [usize], u64, &'a [&'a str]);

#[test]
fn erasing_equals_never_having_read() {
    let all = statements();
    let cases: &[Case<'_>] = &[
        ("--session", "diary", &[1, 2], 1, &["Unterwellenborn", "Diarist Dunkelmann", "diary#1"]),
        ("--user", "anna", &[1, 2], 1, &["Unterwellenborn", "Diarist Dunkelmann", "diary#2"]),
        ("--user", "ben", &[0, 3], 0, &["Registrar Rosenbaum", "bassoon on Thursdays"]),
        ("--episode", "diary#1", &[1], 0, &["Diarist Dunkelmann", "diary#1"]),
        ("--episode", "diary#2", &[2], 1, &["Unterwellenborn"]),
        ("--session", "register", &[0], 0, &["Registrar Rosenbaum"]),
        ("--session", "notes", &[3], 0, &["bassoon on Thursdays"]),
    ];
    for &(mark, name, gone, n_entities, texts) in cases {
        let mut bench = Bench::new();
        bench.assert_lines("default", &lines(&all));
        for text in texts {
            let place = files_with(&bench.store(), text.as_bytes());
            assert!(!place.is_empty(), "{text:?} stands nowhere before it is erased");
        }
        let certificate = erase(&mut bench, mark, name);
        assert_eq!(certificate["episodes"], gone.len(), "{mark} {name}: {certificate}");
        assert_eq!(certificate["assertions"], gone.len(), "{mark} {name}: {certificate}");
        assert_eq!(certificate["entities"], n_entities, "{mark} {name}: {certificate}");
        assert_eq!(certificate["quarantined"], 0, "{mark} {name}: {certificate}");

        let mut rest = all.clone();
        let mut at = 0;
        rest.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
        let mut never = Bench::new();
        never.assert_lines("default", &lines(&rest));
        let expected = answers(&mut never);
        assert_eq!(answers(&mut bench), expected, "{mark} {name}");
        bench.done(&["verify"]);
        expect_gone(&mut bench, texts);
        assert_eq!(answers(&mut bench), expected, "{mark} {name}, reopened");
        // There is nothing more to erase, and the log says nothing of what it was.
        let again = bench.run(&["erase", mark, name, "--json"]);
        let certificate = again.expect_exit(Exit::No).row();
        assert_eq!((&certificate["seq"], &certificate["episodes"]), (&json!(null), &json!(0)));

        // Read again, it is there again.
        bench.assert_lines("default", &lines(&all));
        let mut whole = Bench::new();
        whole.assert_lines("default", &lines(&all));
        assert_eq!(answers(&mut bench), answers(&mut whole), "{mark} {name}, read again");
        bench.done(&["verify"]);
    }
}

#[test]
fn what_the_erased_source_had_ended_goes_on() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &lines(&statements()));
    let job = |bench: &mut Bench| {
        let words = ["facts", "--subject", "Clara", "--predicate", "works_at", "--valid", "all", "--json"];
        let row = bench.done(&words).row();
        (row["to"].clone(), row["ended_by"].clone())
    };
    assert_eq!(job(&mut bench), (json!("2024-06-01"), json!("deny")));
    erase(&mut bench, "--session", "diary");
    assert_eq!(job(&mut bench), (Value::Null, Value::Null));
}

#[test]
fn an_episode_is_erased_by_its_id_too() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &lines(&statements()));
    let fact = bench.done(&["facts", "--predicate", "lives_in", "--json"]).row();
    let proof = bench.done(&["why", fact["id"].as_str().expect("an id"), "--json"]).row();
    let episode = proof["evidence"][0]["turn"]["id"].as_str().expect("an id");
    assert!(episode.starts_with("e:"), "{episode}");
    let certificate = erase(&mut bench, "--episode", episode);
    assert_eq!((&certificate["episodes"], &certificate["assertions"]), (&json!(1), &json!(1)));
    let left = bench.done(&["export"]).rows();
    assert_eq!(left.len(), 3);
    assert!(left.iter().all(|row| row["source"] != "diary#2"));
    expect_gone(&mut bench, &["Unterwellenborn"]);
    bench.run(&["erase", "--episode", episode]).expect_exit(Exit::No);
}

#[test]
fn conclusions_go_with_what_they_stand_on() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &lines(&statements()));
    let without = answers(&mut bench);
    let premise = id_of(&mut bench, "diary#2");
    let conclude = |source: &str, object: &str, premises: &[&str]| {
        let more = json!({
            "predicate": "speaks", "object": { "entity": format!("language:{object}") }, "authority": "inferred",
            "asserter": "agent:scribe", "derived_from": premises,
        });
        statement(source, "2024-08-01T00:00:00Z", more)
    };
    let first = conclude("thoughts#1", "Thuringian dialect", &[&premise]);
    bench.assert_lines("default", &lines(&[first]));
    let first = id_of(&mut bench, "thoughts#1");
    let other = id_of(&mut bench, "register#1");
    let second = conclude("thoughts#2", "Ilmenau dialect", &[&other, &first]);
    let unrelated = conclude("thoughts#3", "Esperanto", &[&other]);
    bench.assert_lines("default", &lines(&[second, unrelated.clone()]));

    let certificate = erase(&mut bench, "--session", "diary");
    assert_eq!((&certificate["episodes"], &certificate["assertions"]), (&json!(4), &json!(4)));
    let mut never = Bench::new();
    let mut rest = statements();
    rest.retain(|statement| !statement["source"].as_str().expect("a source").starts_with("diary"));
    rest.push(unrelated);
    never.assert_lines("default", &lines(&rest));
    let expected = answers(&mut never);
    assert_eq!(answers(&mut bench), expected);
    assert_ne!(expected, without);
    expect_gone(&mut bench, &["Unterwellenborn", "Thuringian", "Ilmenau", &premise]);
    bench.done(&["verify"]);
}

#[test]
fn records_that_could_not_be_read_go_with_their_file() {
    let mut bench = Bench::new();
    let broken = r#"{"subject":"person:Clara","predicate":"hides","object":"under the staircase"}"#;
    let diary = lines(&statements()[1..3]);
    let file = bench.file("diary.jsonl", [diary[0].as_str(), broken, diary[1].as_str()].join("\n"));
    let other = bench.file("other.jsonl", format!("{}\n{}", lines(&statements())[3], "[\"kept apart\"]"));
    for path in [&file, &other] {
        bench.done(&["assert", path]);
    }
    assert_ne!(files_with(&bench.store(), b"under the staircase"), [] as [&Path; 0]);
    let certificate = erase(&mut bench, "--session", "diary");
    assert_eq!((&certificate["episodes"], &certificate["quarantined"]), (&json!(2), &json!(1)));
    let stats = bench.done(&["stats", "--json"]).row();
    assert_eq!(stats["quarantined"], 1, "that of another file stays");
    bench.done(&["verify"]);
    expect_gone(&mut bench, &["under the staircase", "Unterwellenborn"]);
    assert_eq!(tables_with(&bench.store(), "kept apart"), ["quarantine"]);
}

#[test]
fn a_file_of_which_nothing_could_be_read_is_erased_by_its_name() {
    let mut bench = Bench::new();
    let path = bench.file("confession.jsonl", "[\"under the staircase\"]\n");
    bench.run(&["assert", &path]).expect_exit(Exit::BadInput);
    let kept = bench.file("other.jsonl", "[\"kept apart\"]\n");
    bench.run(&["assert", &kept]).expect_exit(Exit::BadInput);
    let certificate = bench.done(&["erase", "--session", "confession", "--json"]).row();
    assert_eq!((&certificate["episodes"], &certificate["quarantined"]), (&json!(0), &json!(1)));
    bench.done(&["verify"]);
    expect_gone(&mut bench, &["under the staircase"]);
    assert_eq!(tables_with(&bench.store(), "kept apart"), ["quarantine"]);
}

#[test]
fn a_transcript_is_erased_with_everything_its_tools_did() {
    let mut bench = Bench::new();
    let mut secret = claude_code_session("secret");
    for line in &mut secret {
        *line = line.replace("/home/anna/tally", "/home/anna/moonlighting");
    }
    secret.push(
        r#"{"type":"user","sessionId":"secret","message":{"role":"user","content":"half of a confession"#
            .to_owned(),
    );
    let kept = claude_code_session("kept").join("\n");
    let (secret, kept) = (secret.join("\n"), kept + "\n");
    let mut never = Bench::new();
    let path = never.file("kept.jsonl", &kept);
    never.done(&["ingest", &path]);
    let expected = never.export("default");

    for (name, bytes) in [("kept.jsonl", &kept), ("secret.jsonl", &secret)] {
        let path = bench.file(name, bytes);
        bench.done(&["ingest", &path]);
    }
    let both = bench.export("default");
    let certificate = erase(&mut bench, "--session", "secret");
    assert_eq!((&certificate["episodes"], &certificate["quarantined"]), (&json!(10), &json!(1)));
    assert_eq!(bench.export("default"), expected);
    expect_gone(&mut bench, &["moonlighting", "half of a confession", "secret-3", "\"secret\""]);
    bench.done(&["verify"]);
    let path = bench.file("secret.jsonl", &secret);
    let receipt = bench.done(&["ingest", &path, "--json"]).row();
    assert_eq!((&receipt["episodes"], &receipt["duplicates"]), (&json!(10), &json!(0)));
    assert_eq!(bench.export("default"), both);
}

#[test]
fn one_turn_of_a_transcript_is_erased_as_if_its_line_were_blank() {
    let lines = claude_code_session("s");
    // The line, and a text that only it has. A turn of each kind; those of results say something.
    let cases = [
        (2, "I live in Berlin"),
        (3, "write the parser first"),
        (5, "File created successfully"),
        (8, "Lisbon"),
    ];
    for (line, text) in cases {
        let mut without = lines.clone();
        without[line - 1] = String::new();
        let mut never = Bench::new();
        let path = never.file("s.jsonl", without.join("\n"));
        never.done(&["ingest", &path]);
        let expected = answers_of_all(&mut never);

        let mut bench = Bench::new();
        let path = bench.file("s.jsonl", lines.join("\n"));
        bench.done(&["ingest", &path]);
        let certificate = erase(&mut bench, "--episode", &format!("s#{line}"));
        assert_eq!(certificate["episodes"], 1);
        assert_eq!(answers_of_all(&mut bench), expected, "line {line}");
        expect_gone(&mut bench, &[text]);
        bench.done(&["verify"]);
    }
}

#[test]
fn what_a_result_says_of_an_erased_call_goes_with_it() {
    let mut bench = Bench::new();
    let path = bench.file("s.jsonl", claude_code_session("s").join("\n"));
    bench.done(&["ingest", &path]);
    erase(&mut bench, "--episode", "s#6");
    assert!(!bench.export("default").contains("python -m pytest -q"));
}

fn answers_of_all(bench: &mut Bench) -> Vec<String> {
    let facts = ["facts", "--valid", "all", "--history", "--planned", "--json"];
    vec![bench.export("default"), bench.done(&facts).output]
}

#[test]
fn one_erasure_after_another_leaves_nothing_either() {
    // Names at both ends of the alphabet, which bound the files that hold them, while the store stays open.
    let mut bench = Bench::new();
    bench.assert_lines("default", &lines(&statements()));
    let before = answers(&mut bench);
    let mut texts = Vec::new();
    for name in
        ["Aachen an der Wurm", "Zzyzx an der Straße", "Aachen, again", "Zzyzx, again", "0 Mitte, again"]
    {
        let town = json!({ "predicate": "visited", "object": { "entity": format!("place:{name}") } });
        bench.assert_lines("default", &lines(&[statement("trips#1", "2024-09-01T00:00:00Z", town)]));
        let certificate = erase(&mut bench, "--session", "trips");
        assert_eq!(certificate["entities"], 1, "{certificate}");
        texts.extend([name.to_owned(), name.to_lowercase()]);
        for text in &texts {
            assert_eq!(files_with(&bench.store(), text.as_bytes()), [] as [&Path; 0], "{text:?}");
        }
    }
    assert_eq!(answers(&mut bench), before);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    expect_gone(&mut bench, &texts);
}

#[test]
fn merges_can_be_erased() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &lines(&statements()));
    let more =
        json!({ "subject": "person:Klara", "predicate": "likes", "object": { "entity": "thing:tea" } });
    bench.assert_lines("default", &lines(&[statement("menu#1", "2024-09-01T00:00:00Z", more)]));
    let before = answers(&mut bench);
    bench.done(&["merge", "Clara", "Klara"]);
    assert_ne!(answers(&mut bench), before);
    erase(&mut bench, "--session", "identity");
    assert_eq!(answers(&mut bench), before);
    bench.done(&["verify"]);
}

#[test]
fn another_space_keeps_what_it_read_of_the_same_name() {
    let mut bench = Bench::new();
    for space in ["default", "other"] {
        bench.assert_lines(space, &lines(&statements()));
    }
    let kept = bench.export("other");
    let certificate = erase(&mut bench, "--session", "diary");
    // What another space holds is not even counted.
    assert_eq!(certificate["said_elsewhere"], 0, "{certificate}");
    assert_eq!(bench.export("other"), kept);
    bench.done(&["verify", "--space", "other"]);
}

#[test]
fn what_is_not_there_erases_nothing() {
    let mut bench = Bench::new();
    bench.assert_lines("default", &lines(&statements()));
    let before = answers(&mut bench);
    for mark in ["--session", "--user"] {
        // A name that starts like another is another.
        for name in ["nobody", "dia", "diary#1", "diary\0", "ann", ""] {
            let Ran { exit, output, .. } = bench.run(&["erase", mark, name]);
            assert_eq!(
                (exit, output.as_str()),
                (Exit::No, "There is nothing of that source to erase.\n"),
                "{name:?}"
            );
        }
    }
    for name in ["diary#9", "nobody#1"] {
        bench.run(&["erase", "--episode", name]).expect_exit(Exit::No);
    }
    assert_eq!(answers(&mut bench), before);
}

#[test]
fn what_a_session_did_to_the_state_is_erased_with_what_is_remembered_of_it() {
    let mut bench = Bench::new();
    let by = ["--session", "s1", "--agent", "scout", "--idempotency-key"];
    let act = |bench: &mut Bench, words: &[&str], key: &str| {
        bench.done(&[words, &by, &[key]].concat());
    };
    act(&mut bench, &["cursor", "set", "place", "the pelican lagoon"], "k1");
    act(&mut bench, &["work", "done", "pages", "the pelican harbour"], "k2");
    act(&mut bench, &["inbox", "send", "--to", "tester", "--body", "the pelican island"], "k3");
    act(&mut bench, &["decide", "bird", "the pelican himself", "--because", "it is large"], "k4");
    bench.run_with(&["checkpoint", "save", "-", "--session", "s1"], b"the pelican nest");
    bench.done(&["cursor", "set", "place", "elsewhere", "--session", "s2"]);
    let certificate = &bench.done(&["erase", "--session", "s1", "--json"]).rows()[0];
    assert_eq!(certificate["found"], serde_json::json!([]), "{certificate}");
    bench.close();
    assert_eq!(files_with(&bench.store(), b"pelican"), [] as [&Path; 0]);
    assert_eq!(bench.done(&["cursor", "get", "place"]).output, "elsewhere\n");
    bench.done(&["verify"]);
}
