//! A writer that acknowledges line by line is killed at random moments, and so are programs that open what the last kill left. What
//! it acknowledged is there, what it was sent after that is there up to some line and not beyond, and the store is sound.
//!
//! What is expected is kept here, outside of the store. Each writer says what it finds before it goes on. `BYGONE_KILLS` makes the
//! run longer, `BYGONE_SEED` another one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::support::random::{Random, setting};
use crate::support::{Bench, text_of};
use serde_json::Value;

/// After whatever the writers' clock says.
const LATER: &str = "2100-01-01T00:00:00Z";
const KILLS: u64 = 200;
/// Lines that may be on their way.
const IN_FLIGHT: u64 = 12;
/// The most lines after whose acknowledgement a writer is killed, and how long after that at most.
const LINES: u64 = 9;
const AFTER: Duration = Duration::from_millis(2);
/// The longest life of a program that opens what a writer left: hardly enough.
const OPENING: Duration = Duration::from_millis(40);
/// How many kills one store takes.
const KILLS_OF_A_STORE: u64 = 100;
/// How many writers come between two full checks.
const WRITERS: u64 = 8;

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

    /// Takes in a row that a program answers.
    fn take(&mut self, row: &Value) {
        let text = |key: &str| row[key].as_str().map(str::to_owned);
        match (text("name").zip(text("value")), text("item"), text("topic").zip(text("choice"))) {
            (Some((cursor, value)), _, _) => drop(self.cursors.insert(cursor, value)),
            (_, Some(item), _) => drop(self.done.insert(item)),
            (_, _, Some((topic, choice))) => drop(self.decisions.insert(topic, choice)),
            (None, None, None) => {}
        }
    }
}

/// Asks for everything that is expected; the answer to the last line has `last` in it.
const QUESTIONS: &str = "cursor get c0 --json\ncursor get c1 --json\ncursor get c2 --json\ncursor get c3 --json\n\
    cursor get c4 --json\nwork list items --json\n\
    decisions --json\ncursor get last --json\n";

fn program(bench: &Bench, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bygone"));
    command.args(["--store", &text_of(&bench.store())]).args(words).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Kills a program: SIGKILL, after which nothing of it runs any more.
fn kill(mut process: Child) {
    process.kill().expect("it can be killed");
    process.wait().expect("it was started here");
}

/// Lets a program open the store until it is killed.
fn open_until_killed(bench: &Bench, life: Duration) {
    let process = program(bench, &["stats"]).spawn().expect("the program starts");
    std::thread::sleep(life);
    kill(process);
}

/// A program that reads lines and answers each.
struct Writer {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Writer {
    fn start(bench: &Bench) -> Writer {
        let mut command = program(bench, &["repl"]);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = process.stdin.take().expect("it has an input");
        let output = BufReader::new(process.stdout.take().expect("it has an output"));
        Writer { process, input, output }
    }

    fn send(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).expect("it reads");
    }

    /// Returns the next row; nothing where its output is at its end. What was cut off while it was written is none.
    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it can be read");
        serde_json::from_str(&line).ok()
    }

    /// Says what the store has.
    fn found(&mut self) -> Expected {
        let mut found = Expected::default();
        self.send(QUESTIONS);
        loop {
            let row = self.next().expect("it answers everything");
            if row["name"] == "last" {
                return found;
            }
            found.take(&row);
        }
    }

    /// Lets it work on lines from one on until it is killed; returns how many were acknowledged and sent.
    fn work_until_killed(mut self, first: u64, random: &mut Random) -> (u64, u64) {
        let n_wanted = random.below(LINES + 1);
        let (mut n_acknowledged, mut n_sent) = (0, 0);
        loop {
            while n_sent < n_acknowledged + IN_FLIGHT {
                self.send(&(line(first + n_sent) + "\n"));
                n_sent += 1;
            }
            if n_acknowledged == n_wanted {
                break;
            }
            self.next().expect("it acknowledges every line");
            n_acknowledged += 1;
        }
        std::thread::sleep(within(random, AFTER));
        self.process.kill().expect("it can be killed");
        while self.next().is_some() {
            n_acknowledged += 1;
        }
        self.process.wait().expect("it was started here");
        (n_acknowledged, n_sent)
    }
}

/// What a store has been told, as far as it is known.
#[derive(Default)]
struct Told {
    expected: Expected,
    /// Lines that are there.
    n_done: u64,
    /// Lines after those that were acknowledged, and sent.
    n_acknowledged: u64,
    n_sent: u64,
}

impl Told {
    /// Holds what was found to what was told: all that was acknowledged, and what was sent after it up to some line.
    fn settle(&mut self, found: &Expected, place: &str) {
        for n_lines in 0..=self.n_sent {
            if n_lines >= self.n_acknowledged && *found == self.expected {
                self.n_done += n_lines;
                (self.n_acknowledged, self.n_sent) = (0, 0);
                return;
            }
            self.expected.then(self.n_done + n_lines);
        }
        let Told { n_done, n_acknowledged, n_sent, .. } = self;
        panic!(
            "{place}: {n_acknowledged} of {n_sent} lines after {n_done} acknowledged, the store has {found:?}"
        );
    }
}

/// Kills programs on one store, so many; returns how many lines are there.
fn kill_on_one_store(n_kills: u64, random: &mut Random, place: &str) -> u64 {
    let mut bench = Bench::new();
    bench.done(&["init"]);
    bench.close();
    let mut told = Told::default();
    let (mut n_killed, mut n_writers) = (0, 0);
    while n_killed < n_kills {
        let mut writer = Writer::start(&bench);
        told.settle(&writer.found(), &format!("{place} + {n_killed}"));
        (told.n_acknowledged, told.n_sent) = writer.work_until_killed(told.n_done, random);
        n_killed += 1;
        n_writers += 1;
        for _ in 0..random.below(5).min(n_kills - n_killed) {
            open_until_killed(&bench, within(random, OPENING));
            n_killed += 1;
        }
        if u64::is_multiple_of(n_writers, WRITERS) || n_killed == n_kills {
            bench.done(&["verify", "--now", LATER]);
            bench.close();
        }
    }
    let mut last = Writer::start(&bench);
    told.settle(&last.found(), &format!("{place} + {n_killed}"));
    kill(last.process);
    told.n_done
}

#[test]
fn nothing_acknowledged_is_lost_however_often_the_writer_is_killed() {
    let (n_kills, seed) = (setting("BYGONE_KILLS", KILLS), setting("BYGONE_SEED", 1));
    let mut random = Random::new(seed);
    let (mut n_killed, mut n_done) = (0, 0);
    while n_killed < n_kills {
        let n_here = KILLS_OF_A_STORE.min(n_kills - n_killed);
        n_done += kill_on_one_store(n_here, &mut random, &format!("seed {seed}, kill {n_killed}"));
        n_killed += n_here;
    }
    assert!(n_done > n_kills, "the writers did something: {n_done} lines");
}
