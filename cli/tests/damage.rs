//! A store whose files are damaged: a flipped bit, a log that is cut off, an index of another time. Either it is told, with exit
//! code 4 and nothing else, or the answers are those of the store that was written.
//!
//! `BYGONE_FLIPS` are the flips for each kind of file, `BYGONE_SEED` chooses others; with `BYGONE_CUTS` the log is cut at every
//! byte.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::random::{Random, setting};
use crate::support::{Bench, NOW, text_of};
use bygone::Exit;

const FLIPS: u64 = 3;
/// Enough for the indexes to be written to disk.
const N_TURNS: usize = 1_100;
const QUESTIONS: [&[&str]; 8] = [
    &["facts", "--json"],
    &["facts", "--valid", "2024-03-10", "--json"],
    &["history", "Anna", "--json"],
    &["export"],
    &["search", "otters in Lisbon", "--json", "-k", "7"],
    &["cursor", "get", "last", "--json"],
    &["work", "list", "items", "--json"],
    &["decisions", "--json"],
];

/// A store with everything in it, some of it in files, the last of it in the log alone.
fn filled() -> Bench {
    let mut bench = Bench::new();
    let turn = |nth: usize| {
        let (speaker, place) = (["Anna", "Ben"][nth % 2], ["Lisbon", "Porto", "Rome", "Oslo"][nth / 7 % 4]);
        let words = if nth.is_multiple_of(9) { "I moved to" } else { "Otters swim in" };
        format!(
            "2024-03-{:02} 10:{:02}:{:02} {speaker}: {words} {place}, note {nth}.\n",
            1 + nth / 60,
            nth / 60,
            nth % 60
        )
    };
    let talk = bench.file("talk.txt", (0..N_TURNS).map(turn).collect::<String>());
    bench.done(&["ingest", &talk]);
    bench.done(&["search", "otters"]);
    // What opens it next writes what the log has to files.
    bench.close();
    // Who closes a store may write its log to files: this one is killed.
    let mut process = Command::new(env!("CARGO_BIN_EXE_bygone"))
        .args(["--store", &text_of(&bench.store()), "--now", NOW, "repl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = process.stdin.take().expect("it has an input");
    let mut output = BufReader::new(process.stdout.take().expect("it has an output")).lines();
    for nth in 0..12 {
        for line in [
            format!("cursor set last {nth} --json"),
            format!("work done items i{nth} --json"),
            format!("decide colour c{nth} --because so --json"),
        ] {
            writeln!(input, "{line}").expect("it reads");
            output.next().expect("it answers").expect("a line");
        }
    }
    process.kill().expect("it can be killed");
    process.wait().expect("it was started here");
    fs_err::remove_file(bench.store().join("SOCKET")).expect("it is there");
    bench
}

fn answers(bench: &mut Bench) -> Vec<(Exit, String)> {
    let answer = |words: &&[&str]| {
        let ran = bench.run(words);
        (ran.exit, ran.output)
    };
    QUESTIONS.iter().map(answer).collect()
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) {
    fs_err::create_dir_all(to).expect("a folder");
    for entry in fs_err::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs_err::copy(&path, &to).expect("a copy");
        }
    }
}

/// Puts a store in the place of the bench's.
fn put(bench: &mut Bench, store: &Path) {
    bench.close();
    fs_err::remove_dir_all(bench.store()).expect("it is there");
    copy(store, &bench.store());
}

/// Sorts the files that have something in them by what they are for.
fn kinds(store: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut kinds: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in ["", "data", "text", "vectors"] {
        for entry in fs_err::read_dir(store.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() && fs_err::metadata(&path).expect("a file").len() > 0 {
                let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
                let end = name.rsplit_once('.').map(|(_, end)| end.to_owned());
                let start = name.split('-').next().unwrap_or_default().to_owned();
                let path = path.strip_prefix(store).expect("it is in the store").to_owned();
                kinds.entry(format!("{folder}/{}", end.unwrap_or(start))).or_default().push(path);
            }
        }
    }
    kinds
}

/// What has to be told where a bit of it is flipped: it is read whole, and made of nothing else.
const TOLD: [&str; 2] = ["data/CURRENT", "data/log"];

#[test]
fn a_flipped_bit_in_any_file_is_told_or_changes_no_answer() {
    let (n_flips, seed) = (setting("BYGONE_FLIPS", FLIPS), setting("BYGONE_SEED", 1));
    let mut random = Random::new(seed);
    let mut bench = filled();
    let whole = bench.path("whole");
    copy(&bench.store(), &whole);
    let expected = answers(&mut bench);
    assert!(expected.iter().all(|(exit, output)| *exit == Exit::Done && !output.is_empty()), "{expected:?}");
    let kinds = kinds(&whole);
    assert!(kinds.len() >= 14 && TOLD.iter().all(|kind| kinds.contains_key(*kind)), "{kinds:?}");
    for (kind, files) in &kinds {
        for flip in 0..n_flips {
            put(&mut bench, &whole);
            let path = bench.store().join(&files[random.index(files.len())]);
            let mut bytes = fs_err::read(&path).expect("a file");
            let bit = random.index(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs_err::write(&path, bytes).expect("a file");
            let place = format!("seed {seed}: bit {bit} of {}", path.display());
            let is_index = kind.starts_with("text/") || kind.starts_with("vectors/");
            if is_index && flip % 2 == 1 {
                let found = bench.run(&["verify", "--json"]).expect_exit(Exit::Done).row();
                assert!(!found["made_anew"].as_array().expect("a list").is_empty(), "{place}: {found}");
            }
            for ((asked, found), expected) in QUESTIONS.iter().zip(answers(&mut bench)).zip(&expected) {
                let is_told = found.0 == Exit::Corrupt && found.1.is_empty() && !is_index;
                assert!(is_told || found == *expected, "{place}: {asked:?} says {found:?}");
                assert!(is_told || !TOLD.contains(&kind.as_str()), "{place}: {asked:?} says nothing of it");
            }
        }
    }
}

/// A store whose log has a commit after others, and what says how far it was acknowledged before and after it.
fn logged() -> (Bench, PathBuf, [Vec<u8>; 2], usize) {
    let mut bench = Bench::new();
    bench.done(&["cursor", "set", "a", "1"]);
    bench.close();
    bench.done(&["cursor", "set", "b", "2"]);
    let acknowledged = |bench: &Bench| fs_err::read(bench.store().join("ACKNOWLEDGED")).expect("a file");
    let log = |bench: &Bench| {
        let logs = crate::support::files_ending(&bench.store().join("data"), ".log");
        logs.last().expect("there is a log").clone()
    };
    let (before, start) = (acknowledged(&bench), fs_err::metadata(log(&bench)).expect("a log").len());
    bench.done(&["cursor", "set", "c", "3"]);
    bench.close();
    let after = acknowledged(&bench);
    let log = log(&bench).strip_prefix(bench.store()).expect("it is in the store").to_owned();
    let start = usize::try_from(start).expect("it is short");
    (bench, log, [before, after], start)
}

#[test]
fn a_log_cut_off_at_any_byte_of_its_last_commit_loses_that_or_is_told() {
    let (mut bench, log, [before, after], start) = logged();
    let whole = bench.path("whole");
    copy(&bench.store(), &whole);
    let bytes = fs_err::read(whole.join(&log)).expect("a log");
    assert!(start > 0 && bytes.len() > start + 100);
    let step = if setting("BYGONE_CUTS", 0) > 0 { 1 } else { 151 };
    // In each part of the head of the commit, and on.
    for end in [start, start + 1, start + 4, start + 6, start + 7]
        .into_iter()
        .chain((start + 8..bytes.len()).step_by(step))
        .chain([bytes.len() - 1])
    {
        put(&mut bench, &whole);
        fs_err::write(bench.store().join(&log), &bytes[..end]).expect("a log");
        // It was acknowledged.
        let ran = bench.run(&["cursor", "get", "b"]);
        assert_eq!(ran.exit, Exit::Corrupt, "cut off at {end}: {ran:?}");
        assert!(ran.errors.contains("was acknowledged"), "{ran:?}");
        let ran = bench.run(&["cursor", "set", "d", "4"]);
        assert_eq!(ran.exit, Exit::Corrupt, "cut off at {end}: {ran:?}");
        // It was not.
        put(&mut bench, &whole);
        fs_err::write(bench.store().join(&log), &bytes[..end]).expect("a log");
        fs_err::write(bench.store().join("ACKNOWLEDGED"), &before).expect("a file");
        for (name, value) in [("a", "1"), ("b", "2")] {
            let row = bench.done(&["cursor", "get", name, "--json"]).row();
            assert_eq!(row["value"], value, "cut off at {end}");
        }
        bench.run(&["cursor", "get", "c"]).expect_exit(Exit::No);
        bench.done(&["cursor", "set", "d", "4"]);
        bench.done(&["verify"]);
    }
    // One that is missing.
    put(&mut bench, &whole);
    fs_err::remove_file(bench.store().join(&log)).expect("it is there");
    bench.run(&["cursor", "get", "b"]).expect_exit(Exit::Corrupt);
    assert_ne!(before, after);
    // What is lost is lost: whoever knows that goes on with the rest.
    fs_err::remove_file(bench.store().join("ACKNOWLEDGED")).expect("it is there");
    assert_eq!(bench.done(&["cursor", "get", "a", "--json"]).row()["value"], "1");
}

#[test]
fn damage_that_was_told_is_not_made_worse() {
    let (mut bench, log, ..) = logged();
    let path = bench.store().join(&log);
    let whole = fs_err::read(&path).expect("a log");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 8;
    fs_err::write(&path, &flipped).expect("a log");
    for words in [&["facts"][..], &["cursor", "set", "d", "4"], &["doctor"], &["verify"], &["reindex"]] {
        bench.run(words).expect_exit(Exit::Corrupt);
    }
    assert_eq!(fs_err::read(&path).expect("a log"), flipped);
    fs_err::write(&path, whole).expect("a log");
    assert_eq!(bench.done(&["cursor", "get", "c", "--json"]).row()["value"], "3");
}

#[test]
fn a_missing_file_of_the_store_is_told_and_no_store_is_made_in_its_place() {
    let mut bench = filled();
    let whole = bench.path("whole");
    copy(&bench.store(), &whole);
    for (kind, files) in kinds(&whole) {
        if !["data/CURRENT", "data/MANIFEST", "data/log", "data/sst"].contains(&kind.as_str()) {
            continue;
        }
        put(&mut bench, &whole);
        fs_err::remove_file(bench.store().join(&files[0])).expect("it is there");
        for words in [&["facts"][..], &["init"], &["cursor", "set", "d", "4"]] {
            let ran = bench.run(words);
            assert_eq!(ran.exit, Exit::Corrupt, "{kind}: {ran:?}");
        }
    }
}

#[test]
fn an_index_of_another_time_changes_no_answer() {
    let mut bench = filled();
    let early = bench.path("early");
    copy(&bench.store(), &early);
    let expected_early = answers(&mut bench);
    let turn = |nth| {
        format!("2024-05-01 {:02}:{:02}:00 Ben: Herons fly over Lisbon, note {nth}.\n", nth / 60, nth % 60)
    };
    let more: String = (0..1_200).map(turn).collect();
    let more = bench.file("more.txt", more);
    bench.done(&["ingest", &more]);
    let expected_late = answers(&mut bench);
    assert_ne!(expected_early, expected_late);
    bench.close();
    let late = bench.path("late");
    copy(&bench.store(), &late);
    for (store, other, expected) in [(&early, &late, &expected_early), (&late, &early, &expected_late)] {
        for index in ["text", "vectors"] {
            // The index as a whole, and each of its files under the name that another has.
            put(&mut bench, store);
            fs_err::remove_dir_all(bench.store().join(index)).expect("it is there");
            copy(&other.join(index), &bench.store().join(index));
            assert!(answers(&mut bench) == *expected, "{index} as a whole");
            put(&mut bench, store);
            let files = |of: &Path| -> Vec<PathBuf> {
                let entries = fs_err::read_dir(of.join(index)).expect("a folder");
                let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
                files.sort();
                files
            };
            for (ours, theirs) in files(&bench.store()).iter().zip(files(other)).step_by(2) {
                fs_err::copy(theirs, ours).expect("a copy");
            }
            assert!(answers(&mut bench) == *expected, "files of {index}");
            bench.done(&["verify"]);
        }
    }
}

#[test]
fn what_is_no_store_or_hardly_one_is_told() {
    let mut bench = Bench::new();
    bench.done(&["cursor", "set", "a", "1"]);
    bench.close();
    // Words that nobody's answers depend on, and things in their places.
    for name in ["OWNER", "SOCKET", "SOCKET.new", "ACKNOWLEDGED"] {
        fs_err::write(bench.store().join(name), "\0\u{7f}something else").expect("a file");
    }
    assert_eq!(bench.done(&["cursor", "get", "a", "--json"]).row()["value"], "1");
    bench.done(&["verify"]);
    let text = bench.file("text", "text");
    let ran = bench.run(&["--store", &text, "doctor"]).expect_exit(Exit::Corrupt);
    assert!(ran.output.contains("is not a Bygone store"), "{ran:?}");
    let full = bench.file("full/of/things", "text");
    let full = Path::new(&full).parent().and_then(Path::parent).expect("two folders up");
    let ran = bench.run(&["--store", &text_of(full), "doctor"]).expect_exit(Exit::Corrupt);
    assert!(ran.output.contains("is not a Bygone store"), "{ran:?}");
}
