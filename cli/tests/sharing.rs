//! Several processes on one store at once: the first one serves the others, whoever comes next takes over when it ends or
//! is killed, and nothing is lost or done twice.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::support::{Bench, text_of};

/// A shell in a process of its own.
struct Shell {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Shell {
    fn start(bench: &Bench) -> Shell {
        Shell::of(program(bench))
    }

    fn of(mut program: Command) -> Shell {
        let mut process = program
            .arg("repl")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("it is piped"));
        Shell { process, input, output }
    }

    /// Types a line, and returns the row that it answers with.
    fn ask(&mut self, line: &str) -> Value {
        writeln!(self.input.as_mut().expect("it is open"), "{line}").expect("the shell reads");
        let mut row = String::new();
        self.output.read_line(&mut row).expect("the shell answers");
        serde_json::from_str(&row).unwrap_or_else(|error| panic!("{line}: {row:?}: {error}"))
    }

    /// Leaves the shell.
    fn leave(mut self) {
        drop(self.input.take());
        // It ends as the last line did that went wrong.
        assert!(self.process.wait().expect("it was started here").code().is_some());
    }

    /// Kills the process: nothing of it runs any more.
    fn kill(mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it was started here");
    }
}

fn program(bench: &Bench) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bygone"));
    command.args(["--store", &text_of(&bench.store()), "--json", "--quiet"]).current_dir(bench.path("."));
    command
}

/// Runs a command in a process of its own; returns its results and its exit code.
fn run(bench: &Bench, words: &[&str]) -> (String, Option<i32>) {
    let ran = program(bench).args(words).output().expect("the program runs");
    (String::from_utf8(ran.stdout).expect("UTF-8"), ran.status.code())
}

/// Sets a counter to one more, over and over; returns how often it was set by this writer.
fn count_up(bench: &Bench, writer: usize, times: usize) {
    let mut shell = Shell::start(bench);
    let mut held = shell.ask("cursor get counter");
    let mut n_set = 0;
    while n_set < times {
        let number: u64 = held["value"].as_str().expect("a value").parse().expect("a number");
        let next = (number + 1).to_string();
        let line = format!("cursor set counter {next} --expect-seq {} --agent w{writer}", held["seq"]);
        let now = shell.ask(&line);
        let is_ours = now["by"] == format!("w{writer}") && now["value"] == next.as_str();
        n_set += usize::from(is_ours);
        held = now;
    }
    shell.leave();
}

#[test]
fn compare_and_swap_loses_nothing_between_processes() {
    const WRITERS: usize = 4;
    const TIMES: usize = 15;
    let bench = Bench::new();
    run(&bench, &["cursor", "set", "counter", "0"]);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let bench = &bench;
            scope.spawn(move || count_up(bench, writer, TIMES));
        }
    });
    let (row, _) = run(&bench, &["cursor", "get", "counter"]);
    let row: Value = serde_json::from_str(&row).expect("a row");
    assert_eq!(row["value"], (WRITERS * TIMES).to_string());
    assert_eq!(row["seq"], WRITERS * TIMES + 1);
}

#[test]
fn commands_of_others_are_done_in_their_own_folder_with_their_own_input() {
    let bench = Bench::new();
    let mut owner = Shell::start(&bench);
    owner.ask("cursor set a 1");
    // A path that only the other process's folder makes sense of.
    bench.file("here/chat.txt", "2024-03-01 10:00:00 Anna: I moved to Lisbon in March.\n");
    let ran = program(&bench).current_dir(bench.path("here")).args(["ingest", "chat.txt"]).output();
    let receipt: Value = serde_json::from_slice(&ran.expect("the program runs").stdout).expect("a receipt");
    assert_eq!((&receipt["read"], &receipt["episodes"]), (&Value::from(1), &Value::from(1)));
    let mut assert = program(&bench)
        .args(["assert", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let line = r#"{"subject":"person:Bo","predicate":"works_at","object":{"entity":"org:Acme"}}"#;
    writeln!(assert.stdin.take().expect("it is piped"), "{line}").expect("it reads");
    assert!(assert.wait().expect("it was started here").success());
    assert_eq!(owner.ask("facts --subject Bo")["object"]["entity"], "org:Acme");
    assert_eq!(owner.ask("facts --subject Anna")["object"]["entity"], "place:Lisbon");
    // Variables of the environment are the other's, too.
    let set = program(&bench).env("BYGONE_AGENT", "scout").args(["cursor", "set", "a", "2"]).output();
    assert!(set.expect("the program runs").status.success());
    assert_eq!(owner.ask("cursor get a")["by"], "scout");
    // And so are exit codes and what goes wrong.
    assert_eq!(run(&bench, &["cursor", "set", "a", "3", "--expect", "1"]).1, Some(1));
    assert_eq!(run(&bench, &["ask"]).1, Some(2));
    owner.leave();
}

#[test]
fn whoever_comes_next_takes_over_from_one_that_ends_or_is_killed() {
    let bench = Bench::new();
    let mut first = Shell::start(&bench);
    first.ask("cursor set a 1");
    let mut second = Shell::start(&bench);
    let mut third = Shell::start(&bench);
    assert_eq!(second.ask("cursor get a")["value"], "1");
    first.kill();
    assert_eq!(third.ask("cursor set a 2 --expect 1")["value"], "2");
    assert_eq!(second.ask("cursor get a")["value"], "2");
    third.leave();
    assert_eq!(second.ask("cursor set a 3 --expect 2")["value"], "3");
    second.leave();
    assert_eq!(run(&bench, &["verify"]).1, Some(0));
    assert!(!bench.store().join("SOCKET").exists());
}

#[test]
fn killing_who_serves_neither_loses_nor_doubles_a_command() {
    let bench = Bench::new();
    run(&bench, &["cursor", "set", "counter", "0"]);
    for round in 0..6_u64 {
        let mut owner = Shell::start(&bench);
        owner.ask("cursor get counter");
        // The owner is killed while the other's commands are under way.
        let counting = std::thread::scope(|scope| {
            let bench = &bench;
            let counting = scope.spawn(move || count_up(bench, usize::try_from(round).expect("small"), 10));
            std::thread::sleep(std::time::Duration::from_millis(3 + 7 * round));
            owner.kill();
            counting.join()
        });
        counting.expect("it ends");
        let (row, _) = run(&bench, &["cursor", "get", "counter"]);
        let row: Value = serde_json::from_str(&row).expect("a row");
        assert_eq!(row["value"], (10 * (round + 1)).to_string());
        // Each of the commands was recorded once.
        assert_eq!(row["seq"], 10 * (round + 1) + 1);
    }
}

#[test]
fn a_store_that_its_holder_calls_by_a_relative_name_is_worked_on_from_everywhere() {
    let bench = Bench::new();
    fs_err::create_dir_all(bench.path("elsewhere")).expect("a folder");
    fs_err::write(bench.path("elsewhere/log.txt"), "2024-01-01 Anna: I live in Rome.\n").expect("a file");
    let mut relative = Command::new(env!("CARGO_BIN_EXE_bygone"));
    relative.args(["--store", "memory.db", "--json", "--quiet"]).current_dir(bench.path("."));
    let mut holder = Shell::of(relative);
    holder.ask("cursor set a 1");
    let elsewhere = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bygone"));
        command.args(["--json", "--store"]).arg(bench.path("memory.db")).args(words);
        command.current_dir(bench.path("elsewhere")).output().expect("the program runs")
    };
    for words in [
        &["ingest", "log.txt"][..],
        &["backup", "copy"],
        &["erase", "--session", "log"],
        &["reindex"],
        &["verify"],
    ] {
        let ran = elsewhere(words);
        assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    assert_eq!(holder.ask("cursor set a 2")["value"], "2");
    assert!(bench.path("elsewhere/copy").is_dir() && !bench.path("elsewhere/memory.db").exists());
    holder.leave();
}
