//! The program is killed while it records and indexes. Whenever that was, the store is sound, the command is continued by
//! running it again, and searches find what they find in a store that nobody killed.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Bench, NOW, text_of};
use bygone::Exit;

/// Enough for the indexes to be written to disk.
const N_TURNS: usize = 1_400;
const QUESTIONS: [&str; 2] = ["Where did the otter swim?", "Anna takes the train to Lisbon"];
const WORDS: [&str; 16] = [
    "otter", "badger", "heron", "river", "swim", "jazz", "piano", "guitar", "invoice", "bank", "lamp",
    "kitchen", "bread", "train", "ticket", "Lisbon",
];

/// How long a command first lives; each time after that it lives a third longer.
const FIRST: Duration = Duration::from_millis(10);

/// A log of turns, a few of which state something.
fn log() -> String {
    let turn = |number: usize| {
        let word = |nth: usize| WORDS[(number * (nth * 2 + 1) + number / 16 * nth) % WORDS.len()];
        let words = match number % 40 {
            7 => "I moved to Lisbon.".to_owned(),
            21 => "I work at Acme.".to_owned(),
            _ => format!("Note {number}: {} and {}, then the {}.", word(1), word(2), word(3)),
        };
        let speaker = if number.is_multiple_of(3) { "Ben" } else { "Anna" };
        format!(
            "2024-03-01 {:02}:{:02}:{:02} {speaker}: {words}\n",
            number / 3600,
            number / 60 % 60,
            number % 60
        )
    };
    (0..N_TURNS).map(turn).collect()
}

/// Runs a command in a process of its own and kills it after a while; says whether it had ended before.
fn ends_within(bench: &Bench, words: &[&str], life: Duration) -> bool {
    let mut process = Command::new(env!("CARGO_BIN_EXE_bygone"))
        .args(["--store", &text_of(&bench.store()), "--now", NOW])
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(life);
    if let Some(status) = process.try_wait().expect("it was started here") {
        assert!(status.success(), "{words:?} ended with {status}");
        return true;
    }
    // SIGKILL: nothing of the program runs any more.
    process.kill().expect("it can be killed");
    process.wait().expect("it was started here");
    false
}

/// Kills a command again and again, each time later, until it ends by itself; looks at the store in between.
fn kill_until_it_ends(bench: &mut Bench, words: &[&str], mut look: impl FnMut(&mut Bench)) -> usize {
    let mut n_kills = 0;
    let mut life = FIRST;
    loop {
        bench.close();
        if ends_within(bench, words, life) {
            return n_kills;
        }
        n_kills += 1;
        life = life * 4 / 3;
        look(bench);
    }
}

fn found(bench: &mut Bench, mode: &str) -> Vec<String> {
    let search =
        |question| bench.done(&["search", question, "--json", "-k", "50", "--vector-index", mode]).output;
    QUESTIONS.into_iter().map(search).collect()
}

#[track_caller]
fn assert_sound(bench: &mut Bench, mode: &str) {
    let ran = bench.run(&["verify", "--vector-index", mode]);
    let is_not_made = ran.errors.contains("there is no store");
    assert!(ran.exit == Exit::Done || is_not_made, "{ran:?}");
}

fn check(mode: &str) {
    let mut never_killed = Bench::new();
    let file = never_killed.file("talk.txt", log());
    never_killed.done(&["ingest", &file, "--vector-index", mode]);
    let expected = found(&mut never_killed, mode);
    let exported = never_killed.export("default");

    let mut bench = Bench::new();
    let ingest = ["ingest", &file, "--vector-index", mode];
    let n_kills = kill_until_it_ends(&mut bench, &ingest, |bench| assert_sound(bench, mode));
    assert!(n_kills > 0, "it lives longer than {FIRST:?}");
    assert_eq!(bench.export("default"), exported);
    assert_eq!(found(&mut bench, mode), expected, "after {n_kills} kills");
    assert_sound(&mut bench, mode);

    let n_kills = kill_until_it_ends(&mut bench, &["reindex", "--vector-index", mode], |bench| {
        assert_eq!(found(bench, mode), expected, "reindexing was killed");
    });
    assert!(n_kills > 0, "it lives longer than {FIRST:?}");
    assert_sound(&mut bench, mode);

    for index in ["text", "vectors"] {
        bench.close();
        fs_err::remove_dir_all(bench.store().join(index)).expect("it is there");
    }
    // What one search indexed the next one goes on with.
    kill_until_it_ends(&mut bench, &["search", QUESTIONS[0], "--vector-index", mode], |_| {});
    assert_eq!(found(&mut bench, mode), expected, "a search was killed");
    assert_sound(&mut bench, mode);
}

#[test]
fn a_killed_process_leaves_a_sound_store() {
    check("exact");
}

#[test]
fn so_it_does_where_it_makes_graphs() {
    check("hnsw");
}
