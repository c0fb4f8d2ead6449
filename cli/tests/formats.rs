//! Stores of every version of the stored format, as the bygone of their time left them, open for ever: they answer as they did
//! then, are sound, and come to the same when everything that was said in them is said again.
//!
//! `fixtures/formats/make` made them, once each; `BLESS=1` writes down what they answer, and never what is stored.

#![allow(clippy::disallowed_methods, reason = "the environment asks for expectations to be written anew")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use bygone::Exit;
use bygone_engine::backend::{Backend, Batch, Rocks, Table};
use bygone_engine::store::FORMAT_VERSION;

use crate::support::{Bench, repository};

/// After everything that the fixtures were told.
const LATER: &str = "2024-05-01T00:00:00Z";

fn fixture(version: u32) -> PathBuf {
    PathBuf::from(repository(&format!("cli/tests/fixtures/formats/{version}.zip")))
}

/// A bench whose store is that of a fixture.
fn with_store_of(version: u32) -> Bench {
    let bench = Bench::new();
    let file = fs_err::File::open(fixture(version)).expect("there is a fixture of every version");
    zip::ZipArchive::new(file).expect("an archive").extract(bench.store()).expect("there is room for it");
    bench
}

/// What a store is asked: the answers are in `VERSION.answers`.
const ASKED: [&str; 34] = [
    "facts --valid all --history --subject person:Clara",
    "facts --known 2023-05-01 --valid all --subject person:Anna",
    "facts --valid all --subject call:invoice-17",
    "facts --valid all --subject file:src/a.py",
    "facts --recorded 3 --valid all --subject person:Anna",
    "facts --planned --subject person:Clara",
    "facts --space other",
    "facts --subject service:importer --valid 2023-07-01",
    "history person:Clara works_at",
    "timeline Anna",
    "diff --known 2023-03..2023-07 --about Anna",
    "learned Anna works_at",
    "entities",
    "show person:Clara",
    "ask \"Where did Anna live in 2020?\"",
    "spaces",
    "ontology show mentored_by",
    "cursor get page",
    "cursor get page --known 2024-04-07T12:00:00Z",
    "call list",
    "agents",
    "decisions",
    "promises",
    "inbox list --user Anna",
    "work list pages",
    "work missing pages a 2 10 none",
    "work count many",
    "work count pages --known 2024-04-08",
    "checkpoint list",
    "checkpoint show --agent scout",
    "checkpoint restore --agent scout",
    "artifact list",
    "show talk#1",
    "why f:aea1ac6fbed0b66e8828d18d10230f53",
];

fn asked(bench: &mut Bench) -> String {
    let mut text = String::new();
    for line in ASKED {
        let mut words = vec!["--json", "--now", LATER];
        let (before, quoted) = line.split_once('"').unwrap_or((line, ""));
        words.extend(before.split_whitespace());
        words.extend(Some(quoted.trim_end_matches('"')).filter(|quoted| !quoted.is_empty()));
        let ran = bench.run(&words);
        write!(text, "$ {line}\n{}", ran.output).expect("text takes it");
        if ran.exit != Exit::Done {
            writeln!(text, "= {:?}: {}", ran.exit, ran.errors.trim_end()).expect("text takes it");
        }
    }
    text
}

/// Returns the tables of a store that hold nothing, and closes it.
fn empty_tables(bench: &mut Bench) -> BTreeSet<&'static str> {
    bench.close();
    let storage = Rocks::open(&bench.store(), false, "a test").expect("it opens");
    let image = storage.snapshot();
    let is_empty = |table: &&Table| image.scan(**table, Bound::Unbounded, Bound::Unbounded).next().is_none();
    Table::ALL.iter().filter(is_empty).map(|table| table.name()).collect()
}

fn spaces() -> [&'static str; 2] {
    ["default", "other"]
}

#[test]
fn a_store_of_every_version_answers_as_it_did_then() {
    for version in 0..=FORMAT_VERSION {
        let mut bench = with_store_of(version);
        assert_eq!(empty_tables(&mut bench), BTreeSet::new(), "format {version}: each table has something");
        let found = asked(&mut bench);
        let path = fixture(version).with_extension("answers");
        if std::env::var_os("BLESS").is_some() {
            fs_err::write(&path, &found).expect("a file");
            continue;
        }
        let expected = fs_err::read_to_string(&path).expect("the answers");
        for (expected, found) in expected.lines().zip(found.lines()) {
            assert_eq!(found, expected, "format {version}");
        }
        assert_eq!(found.len(), expected.len(), "format {version}");
    }
}

#[test]
fn a_store_of_every_version_is_sound_and_comes_to_the_same_when_it_is_told_again() {
    for version in 0..=FORMAT_VERSION {
        let mut bench = with_store_of(version);
        let mut again = Bench::new();
        for space in spaces() {
            let found = bench.done(&["verify", "--json", "--space", space, "--now", LATER]).row();
            assert_eq!(found["format"], FORMAT_VERSION, "format {version}");
            let export = bench.done(&["export", "--space", space, "--now", LATER]).output;
            let told = again.run_with(&["import", "-", "--space", space], export.as_bytes());
            assert_eq!(told.exit, Exit::Done, "{told:?}");
            assert_eq!(again.done(&["export", "--space", space]).output, export, "format {version}");
        }
        // What a store declares itself is not exported.
        again.done(&["ontology", "accept", "mentored_by"]);
        for words in [["facts", "--valid", "all"], ["entities", "person:", "--quiet"]] {
            let ask =
                |bench: &mut Bench| bench.done(&[&words[..], &["--json", "--now", LATER]].concat()).output;
            assert!(ask(&mut again) == ask(&mut bench), "format {version}: {words:?}");
        }
        // It goes on.
        bench.done(&["cursor", "set", "page", "20", "--now", LATER]);
        bench.done(&["erase", "--session", "builds", "--now", LATER]);
        bench.done(&["verify", "--now", LATER]);
    }
}

#[test]
fn a_step_is_told_once_and_the_version_by_verify_and_doctor() {
    let mut bench = with_store_of(0);
    let told = bench.done(&["stats", "--now", LATER]);
    assert!(told.errors.contains("from format 0 to format 1"), "{told:?}");
    bench.close();
    let told = bench.done(&["stats", "--now", LATER]);
    assert!(!told.errors.contains("format"), "{told:?}");
    let told = bench.done(&["doctor", "--now", LATER]);
    assert!(told.output.contains(&format!("stored format is version {FORMAT_VERSION}")), "{told:?}");
    let told = bench.done(&["verify", "--now", LATER]);
    assert!(told.output.contains(&format!("format {FORMAT_VERSION}")), "{told:?}");
}

/// Puts rows into the table of what a store says of itself.
fn put(store: &Path, rows: &[(&str, Option<&[u8]>)]) {
    let storage = Rocks::open(store, false, "a test").expect("it opens");
    let mut batch = Batch::default();
    for (key, value) in rows {
        match value {
            Some(value) => batch.put(Table::Meta, key.as_bytes().to_vec(), value.to_vec()),
            None => batch.remove(Table::Meta, key.as_bytes().to_vec()),
        }
    }
    storage.commit(&batch).expect("it is written");
}

#[test]
fn what_is_newer_or_older_than_every_step_is_refused_with_what_helps() {
    let newer = FORMAT_VERSION + 1;
    // Nothing else of a newer store is read, and so nothing else can be taken for damage.
    let of_newer = [("format", newer.to_be_bytes()), ("counters", [9; 4]), ("declared/xxxxxxxx", [9; 4])];
    let mut bench = with_store_of(FORMAT_VERSION);
    put(&bench.store(), &of_newer.each_ref().map(|(key, value)| (*key, Some(&value[..]))));
    for command in ["facts", "doctor", "verify"] {
        let ran = bench.run(&[command, "--now", LATER]);
        let text = ran.errors + &ran.output;
        assert!(
            text.contains(&format!("format {newer}")) && text.contains(&format!("up to {FORMAT_VERSION}")),
            "{text}"
        );
        assert!(text.contains("newer") && text.contains("`export`"), "{text}");
        assert!(!text.contains("corrupt"), "{text}");
    }
    let mut bench = with_store_of(0);
    put(&bench.store(), &[("layout", None)]);
    let ran = bench.run(&["facts", "--now", LATER]).expect_exit(Exit::BadInput);
    assert!(ran.errors.contains("layout 0") && ran.errors.contains("`import` here"), "{ran:?}");
    let ran = bench.run(&["doctor", "--json", "--now", LATER]);
    let rows = ran.rows();
    assert_eq!(rows[0]["state"], "fault");
    assert!(rows[0]["run"].as_str().is_some_and(|run| run.contains("export")), "{rows:?}");
}

#[test]
fn an_opening_that_is_killed_within_a_step_is_gone_on_with() {
    let mut whole = with_store_of(0);
    let expected = asked(&mut whole);
    // What a step leaves that was cut off after it began, and after its change.
    let format = 1_u32.to_be_bytes();
    for rows in [
        &[("format", Some(&format[..])), ("step", Some(&[][..]))][..],
        &[("format", Some(&format[..])), ("step", Some(&[][..])), ("layout", None)],
    ] {
        let mut bench = with_store_of(0);
        put(&bench.store(), rows);
        assert_eq!(asked(&mut bench), expected);
        bench.close();
        let storage = Rocks::open(&bench.store(), false, "a test").expect("it opens");
        let image = storage.snapshot();
        assert_eq!(image.read(Table::Meta, b"step").expect("reads"), None);
        assert_eq!(image.read(Table::Meta, b"layout").expect("reads"), None);
    }
}
