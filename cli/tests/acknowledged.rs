//! A writer that acknowledges line by line is killed at random moments, also while it opens what the last kill left. What it
//! acknowledged is there, what it was sent after that is there up to some line and not beyond, and the store is sound.
//!
//! What is expected is kept here, outside of the store. `BYGONE_KILLS` makes the run longer, `BYGONE_SEED` another one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::support::random::{Random, setting};
use crate::support::{Bench, text_of};
use serde_json::Value;

/// After whatever the writers' clock says.
const LATER: &str = "2100-01-01T00:00:00Z";
const KILLS: u64 = 40;
/// Lines that may be on their way.
const IN_FLIGHT: usize = 12;
/// The longest life of a writer.
const LIFE: Duration = Duration::from_millis(260);
/// The longest life of a program that opens what a writer left: hardly enough.
const OPENING: Duration = Duration::from_millis(50);

fn within(random: &mut Random, longest: Duration) -> Duration {
    Duration::from_micros(random.below(u64::try_from(longest.as_micros()).unwrap_or(u64::MAX)))
}

/// What the store has after some of the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Expected {
    cursors: BTreeMap<String, String>,
    done: BTreeSet<String>,
    decisions: BTreeMap<String, String>,
}

/// The line of a number.
fn line(nth: u64) -> String {
    match nth % 3 {
        0 => format!("cursor set c{} {nth} --json", nth % 5),
        1 => format!("work done items i{nth} --json"),
        _ => format!("decide t{} choice{nth} --because {nth} --json", nth % 7),
    }
}

impl Expected {
    /// Does what a line asks for.
    fn then(&mut self, nth: u64) {
        match nth % 3 {
            0 => drop(self.cursors.insert(format!("c{}", nth % 5), nth.to_string())),
            1 => drop(self.done.insert(format!("i{nth}"))),
            _ => drop(self.decisions.insert(format!("t{}", nth % 7), format!("choice{nth}"))),
        }
    }

    /// Reads what the store has.
    fn of(bench: &mut Bench) -> Expected {
        let text = |row: &Value, key: &str| row[key].as_str().map(str::to_owned);
        let mut found = Expected::default();
        for cursor in (0..5).map(|nth| format!("c{nth}")) {
            let row = bench.run(&["cursor", "get", &cursor, "--json", "--now", LATER]).row();
            if let Some(value) = text(&row, "value") {
                found.cursors.insert(cursor, value);
            }
        }
        let items = bench.run(&["work", "list", "items", "--json", "--now", LATER]).rows();
        found.done = items.iter().filter_map(|row| text(row, "item")).collect();
        for row in bench.run(&["decisions", "--json", "--now", LATER]).rows() {
            if let (Some(topic), Some(choice)) = (text(&row, "topic"), text(&row, "choice")) {
                found.decisions.insert(topic, choice);
            }
        }
        found
    }
}

fn program(bench: &Bench, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bygone"));
    command.args(["--store", &text_of(&bench.store())]).args(words).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Lets a program open the store until it is killed.
fn open_until_killed(bench: &Bench, life: Duration) {
    let mut process = program(bench, &["stats"]).spawn().expect("the program starts");
    std::thread::sleep(life);
    process.kill().expect("it can be killed");
    process.wait().expect("it was started here");
}

/// Lets a writer work on lines from one on until it is killed; returns how many were acknowledged and sent.
fn work_until_killed(bench: &Bench, first: u64, life: Duration) -> (u64, u64) {
    let mut process = program(bench, &["repl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = process.stdin.take().expect("it has an input");
    let output = BufReader::new(process.stdout.take().expect("it has an output"));
    let (acknowledge, acknowledged) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut n_acknowledged = 0;
        for line in output.lines().map_while(Result::ok) {
            // What was cut off while it was written acknowledges nothing.
            if serde_json::from_str::<Value>(&line).is_ok() {
                n_acknowledged += 1;
                acknowledge.send(()).unwrap_or_default();
            }
        }
        n_acknowledged
    });
    let writer = std::thread::spawn(move || {
        let mut n_sent = 0;
        loop {
            if n_sent >= IN_FLIGHT as u64 && acknowledged.recv().is_err() {
                return n_sent;
            }
            n_sent += 1;
            if writeln!(input, "{}", line(first + n_sent - 1)).is_err() {
                return n_sent;
            }
        }
    });
    std::thread::sleep(life);
    // SIGKILL: nothing of the program runs any more.
    process.kill().expect("it can be killed");
    process.wait().expect("it was started here");
    let n_acknowledged = reader.join().expect("it reads to the end");
    (n_acknowledged, writer.join().expect("it ends with the program"))
}

#[test]
fn nothing_acknowledged_is_lost_however_often_the_writer_is_killed() {
    let (n_kills, seed) = (setting("BYGONE_KILLS", KILLS), setting("BYGONE_SEED", 1));
    let mut random = Random::new(seed);
    let mut bench = Bench::new();
    bench.done(&["init"]);
    let mut expected = Expected::default();
    let (mut n_done, mut n_idle) = (0, 0);
    for kill in 0..n_kills {
        bench.close();
        let (n_acknowledged, n_sent) = work_until_killed(&bench, n_done, within(&mut random, LIFE));
        n_idle += u64::from(n_acknowledged == 0);
        for _ in 0..random.below(5) {
            open_until_killed(&bench, within(&mut random, OPENING));
        }
        let found = Expected::of(&mut bench);
        let mut n_there = None;
        for n_lines in 0..=n_sent {
            if n_lines >= n_acknowledged && found == expected {
                n_there = Some(n_lines);
                break;
            }
            expected.then(n_done + n_lines);
        }
        let Some(n_there) = n_there else {
            panic!(
                "seed {seed}, kill {kill}: of lines {n_done} to {}, {n_acknowledged} acknowledged, the store has {found:?}",
                n_done + n_sent
            );
        };
        n_done += n_there;
        bench.done(&["verify", "--now", LATER]);
    }
    assert!(n_done > n_kills, "the writers did something: {n_done} lines");
    assert!(n_idle < n_kills, "not all were killed before they did anything");
}
