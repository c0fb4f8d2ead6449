//! A disk that fails, is full, or holds still for ever: what was acknowledged stays, what fails is told, and whoever comes next
//! goes on.
//!
//! `BYGONE_FAULTS` are the faults of each kind, `BYGONE_SEED` chooses others.

use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use crate::support::disk::{Disk, Ended};
use crate::support::random::{Random, setting};
use serde_json::Value;

const FAULTS: u64 = 2;
const LINES: usize = 8;

/// Sets cursors one after another, and reads the first in between.
fn lines() -> String {
    let line = |nth| format!("cursor set k{nth} v --json\ncursor get first --json\n");
    (0..LINES).map(line).collect()
}

/// The cursors that were acknowledged.
fn acknowledged(ended: &Ended) -> Vec<String> {
    ended.names().into_iter().filter(|name| name != "first").collect()
}

/// Holds the store to the cursors that were acknowledged; the one after them may be there, too.
#[track_caller]
fn assert_kept(disk: &mut Disk, acknowledged: &[String], place: &str) {
    disk.faults.clear();
    let get = |nth| format!("cursor get k{nth} --json\n");
    let gets: String = (0..LINES).map(get).collect();
    let found = disk.run_with(&["repl"], &gets);
    assert!(found.errors.is_empty() && matches!(found.code, Some(0 | 1)), "{place}: {found:?}");
    let there = found.names();
    let in_order: Vec<String> = (0..there.len()).map(|nth| format!("k{nth}")).collect();
    assert_eq!(there, in_order, "{place}");
    let n_there = there.len();
    let n_acknowledged = acknowledged.len();
    assert!(
        (n_acknowledged..=n_acknowledged + 1).contains(&n_there),
        "{place}: {n_acknowledged} acknowledged, {n_there} there"
    );
    disk.done(&["verify"]);
}

/// A disk with a store of one cursor.
fn with_store() -> Option<Disk> {
    let mut disk = Disk::new()?;
    disk.done(&["cursor", "set", "first", "1"]);
    Some(disk)
}

/// Puts the store back as it was.
fn again(disk: &mut Disk) {
    fs_err::remove_dir_all(disk.store()).expect("it is there");
    disk.done(&["cursor", "set", "first", "1"]);
}

#[test]
fn after_a_write_or_a_sync_of_the_log_failed_nothing_is_acknowledged_and_reads_go_on() {
    let Some(mut disk) = with_store() else { return };
    for (kind, how) in [("write", "once"), ("write", "on"), ("sync", "once"), ("sync", "on")] {
        for at in [1, 4] {
            again(&mut disk);
            let at = at.to_string();
            disk.set([
                ("FAULTS_KINDS", kind),
                ("FAULTS_NAME", ".log"),
                ("FAULTS_AT", &at),
                ("FAULTS_DO", "eio"),
                ("FAULTS_ON", how),
            ]);
            let ended = disk.run_with(&["repl"], &lines());
            let place = format!("{kind} {at}, {how}: {ended:?}");
            assert_eq!(ended.code, Some(3), "{place}");
            let acknowledged = acknowledged(&ended);
            assert!(acknowledged.len() < 4, "{place}");
            let in_order: Vec<String> = (0..acknowledged.len()).map(|nth| format!("k{nth}")).collect();
            assert_eq!(acknowledged, in_order, "{place}");
            // It reads on after that, every time.
            assert_eq!(ended.rows().len() - acknowledged.len(), LINES, "{place}");
            assert_eq!(ended.errors.matches("storage failed").count(), LINES - acknowledged.len(), "{place}");
            assert_kept(&mut disk, &acknowledged, &place);
        }
    }
}

#[test]
fn a_full_disk_is_told_and_writing_goes_on_once_there_is_room() {
    let Some(mut disk) = with_store() else { return };
    for kind in ["write", "sync"] {
        again(&mut disk);
        disk.set([
            ("FAULTS_KINDS", kind),
            ("FAULTS_NAME", ".log"),
            ("FAULTS_AT", "3"),
            ("FAULTS_DO", "enospc"),
        ]);
        let mut process = disk.command(&["repl"]).spawn().expect("the program starts");
        let mut input = process.stdin.take().expect("it has an input");
        let mut output = BufReader::new(process.stdout.take().expect("it has an output")).lines();
        let mut next = || -> Value {
            let line = output.next().expect("it goes on").expect("a line");
            serde_json::from_str(&line).expect("a row")
        };
        let (mut acknowledged, mut n_failed) = (Vec::new(), 0);
        for nth in 0..5_000 {
            writeln!(input, "cursor set n{nth} v --json\ncursor get first --json").expect("it reads");
            let row = next();
            if row["name"] == "first" {
                n_failed += 1;
                // Room is found within a second or two, and not by how often it is asked for.
                std::thread::sleep(Duration::from_millis(2));
                continue;
            }
            assert_eq!(next()["name"], "first");
            acknowledged.push(row["name"].as_str().expect("a name").to_owned());
            if n_failed > 0 && acknowledged.len() > 4 {
                break;
            }
        }
        assert!(n_failed > 0 && acknowledged.len() > 4, "{kind}: {n_failed} failed, then {acknowledged:?}");
        process.kill().expect("it can be killed");
        process.wait().expect("it was started here");
        for name in acknowledged {
            disk.done(&["cursor", "get", &name]);
        }
        disk.done(&["verify"]);
    }
}

/// Runs the lines with a fault at each of some of the calls, and looks at what is left.
fn fail_anywhere(kinds: &'static str, what: &'static str, how: &'static str) {
    let Some(mut disk) = with_store() else { return };
    let (n_faults, seed) = (setting("BYGONE_FAULTS", FAULTS), setting("BYGONE_SEED", 1));
    let mut random = Random::new(seed);
    disk.set([("FAULTS_KINDS", kinds)]);
    assert_eq!(disk.run_with(&["repl"], &lines()).code, Some(0));
    let n_calls = disk.n_calls();
    assert!(n_calls > LINES as u64, "{n_calls} calls");
    for _ in 0..n_faults {
        again(&mut disk);
        let at = (1 + random.below(n_calls)).to_string();
        disk.set([("FAULTS_KINDS", kinds), ("FAULTS_AT", &at), ("FAULTS_DO", what), ("FAULTS_ON", how)]);
        let ended = disk.run_with(&["repl"], &lines());
        let place = format!("seed {seed}: {what} at {at} of {n_calls}, {how}: {ended:?}");
        assert!(matches!(ended.code, None | Some(0 | 3)), "{place}");
        let acknowledged = acknowledged(&ended);
        // A process that is killed may be killed again while what it left is opened, and again.
        for depth in 0..random.below(4) {
            if what != "kill" && what != "torn" {
                break;
            }
            let at = (1 + random.below(n_calls / (depth + 1))).to_string();
            disk.set([("FAULTS_KINDS", kinds), ("FAULTS_AT", &at), ("FAULTS_DO", what)]);
            disk.run(&["stats"]);
        }
        if what == "enospc" && how == "once" {
            // Where room is found in between, some of the later ones are there, too.
            for name in acknowledged {
                disk.done(&["cursor", "get", &name]);
            }
            disk.done(&["verify"]);
        } else {
            assert_kept(&mut disk, &acknowledged, &place);
        }
        disk.done(&["cursor", "set", "last", "1"]);
    }
}

const CHANGES: &str = "write sync rename make remove";

#[test]
fn a_process_killed_between_any_two_calls_loses_nothing_acknowledged() {
    fail_anywhere(CHANGES, "kill", "once");
    fail_anywhere("write", "torn", "once");
}

#[test]
fn a_call_that_fails_loses_nothing_acknowledged() {
    fail_anywhere(CHANGES, "eio", "once");
    fail_anywhere(CHANGES, "eio", "on");
    fail_anywhere(CHANGES, "enospc", "once");
    fail_anywhere(CHANGES, "enospc", "on");
}

#[test]
fn what_cannot_be_read_is_told_and_never_guessed() {
    let Some(mut disk) = with_store() else { return };
    let talk = "2024-03-01 10:00:00 Anna: I moved to Lisbon.\n2024-03-02 10:00:00 Ben: I work at Acme.\n";
    let file = disk.root().join("talk.txt");
    fs_err::write(&file, talk).expect("a file");
    disk.done(&["ingest", file.to_str().expect("UTF-8")]);
    disk.done(&["stats"]);
    let expected = disk.done(&["facts", "--json"]);
    disk.set([("FAULTS_KINDS", "read")]);
    disk.run(&["facts", "--json"]);
    let n_calls = disk.n_calls();
    assert!(n_calls > 10, "{n_calls} calls");
    for at in (1..=n_calls).step_by(usize::try_from(n_calls / 8).expect("it is small")) {
        let at = at.to_string();
        disk.set([("FAULTS_KINDS", "read"), ("FAULTS_AT", &at), ("FAULTS_DO", "eio"), ("FAULTS_ON", "on")]);
        let ended = disk.run(&["facts", "--json"]);
        let is_told =
            matches!(ended.code, Some(3 | 4)) && ended.output.is_empty() && !ended.errors.is_empty();
        assert!(is_told || ended.output == expected, "read {at} of {n_calls}: {ended:?}");
    }
    assert_eq!(disk.done(&["facts", "--json"]), expected);
}

/// Where a process that records and indexes ends, by what it does there: kind of call, part of the path, which of them.
const POINTS: [(&str, &str, &str, &str); 14] = [
    ("before the log", "write", ".log", "kill"),
    ("within the log", "write", ".log", "torn"),
    ("after the log, before it is synced", "sync", ".log", "kill"),
    ("before the mark of what is acknowledged", "write", "ACKNOWLEDGED", "kill"),
    ("within the mark of what is acknowledged", "write", "ACKNOWLEDGED", "torn"),
    ("between store and full text", "make", "/text/", "kill"),
    ("within the full text", "write", "/text/", "torn"),
    ("before the full text has its name", "rename", "/text/meta.json", "kill"),
    ("between full text and vectors", "make", "/vectors/", "kill"),
    ("within the vectors", "write", "/vectors/gen", "torn"),
    ("within the vectors' manifest", "write", "/vectors/MANIFEST", "torn"),
    ("before the vectors' manifest has its name", "rename", "/vectors/MANIFEST", "kill"),
    ("within the store's manifest", "write", "/data/MANIFEST", "torn"),
    ("before the store's manifest has its name", "rename", "/data/CURRENT", "kill"),
];

#[test]
fn an_ingest_killed_at_any_of_the_named_points_is_continued_by_running_it_again() {
    let turn =
        |nth| format!("2024-03-01 {:02}:{:02}:00 Anna: I moved to Lisbon, note {nth}.\n", nth / 60, nth % 60);
    let talk: String = (0..1_100).map(turn).collect();
    let Some(mut never_killed) = Disk::new() else { return };
    let put = |disk: &Disk| {
        let file = disk.root().join("talk.txt");
        fs_err::write(&file, &talk).expect("a file");
        file.to_str().expect("UTF-8").to_owned()
    };
    let file = put(&never_killed);
    never_killed.done(&["ingest", &file]);
    let asked: [&[&str]; 2] = [&["export"], &["search", "note 7 Lisbon", "--json", "-k", "5"]];
    let expected = asked.map(|words| never_killed.done(words));
    for (point, kind, name, what) in POINTS {
        let Some(mut disk) = Disk::new() else { return };
        disk.done(&["init"]);
        let file = put(&disk);
        // Twice: the second time while what the first left is opened or gone on with.
        for at in ["1", "2"] {
            disk.set([("FAULTS_KINDS", kind), ("FAULTS_NAME", name), ("FAULTS_AT", at), ("FAULTS_DO", what)]);
            let ended = disk.run(&["ingest", &file]);
            let was_killed = ended.code.is_none();
            assert!(was_killed || at == "2", "{point}: {ended:?}");
        }
        // What the text says of its place is another folder's.
        let again = disk.done(&["ingest", &file]);
        let told = asked.map(|words| disk.done(words));
        let folder = |disk: &Disk| disk.root().to_str().expect("UTF-8").to_owned();
        let (ours, theirs) = (folder(&disk), folder(&never_killed));
        let told = told.map(|text| text.replace(&ours, &theirs));
        assert_eq!(told, expected, "{point}: {again}");
        disk.done(&["verify"]);
    }
}

#[test]
fn a_process_without_file_descriptors_says_so_and_harms_nothing() {
    let Some(mut disk) = with_store() else { return };
    let expected = disk.done(&["cursor", "get", "first", "--json"]);
    let program = disk.command(&["cursor", "get", "first", "--json"]);
    let words: Vec<String> = std::iter::once(program.get_program())
        .chain(program.get_args())
        .map(|word| word.to_str().expect("UTF-8").to_owned())
        .collect();
    let mut n_told = 0;
    for n_files in (4..60).step_by(7) {
        let limited = std::process::Command::new("sh")
            .args(["-c", &format!("ulimit -n {n_files}; exec \"$@\""), "sh"])
            .args(&words)
            .output()
            .expect("there is a shell");
        let (output, errors) =
            (String::from_utf8_lossy(&limited.stdout), String::from_utf8_lossy(&limited.stderr));
        let is_told = limited.status.code() == Some(3) && output.is_empty() && errors.starts_with("bygone: ");
        n_told += u32::from(is_told);
        // With hardly any, the program itself does not start.
        let did_not_start = n_files < 10 && limited.status.code() == Some(127);
        assert!(is_told || did_not_start || output == expected, "{n_files} files: {limited:?}");
    }
    assert!(n_told > 0);
    assert_eq!(disk.done(&["cursor", "get", "first", "--json"]), expected);
    disk.done(&["verify"]);
}
