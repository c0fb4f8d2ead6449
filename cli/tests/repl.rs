//! The shell: scripts through its input, and a person's session through a pseudo-terminal.

use crate::support::Bench;
use bygone::Exit;
use serde_json::json;

fn lives_in(place: &str, from: &str) -> String {
    let line = json!({
        "subject": "person:Annabel", "predicate": "lives_in", "object": { "entity": format!("place:{place}") },
        "from": from, "known_at": format!("{from}-01T00:00:00Z"),
    });
    line.to_string()
}

fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.assert_lines("default", &[lives_in("Berlin", "2020-01"), lives_in("Lisbon", "2024-03")]);
    bench
}

#[test]
fn a_script_does_what_its_lines_say_with_what_was_set() {
    let script = "# where she lived\n\
        set known 2023\n\
        facts --subject Annabel -q\n\
        facts --subject Annabel -q --known 2025 # the line's own\n\
        set valid 2020\n\
        facts --subject Annabel -q --known latest --recorded latest --valid now\n\
        unset all\n\
        where does Annabel live?\n\
        bygone facts --subject 'person:Annabel' --json\n\
        exit\n\
        frobnicate\n";
    let ran = bench().run_with(&["repl"], script.as_bytes()).expect_exit(Exit::Done);
    let lines: Vec<&str> = ran.output.lines().collect();
    assert!(lines[0].contains("Berlin"), "{ran:?}");
    assert!(lines[1].contains("Lisbon"), "{ran:?}");
    assert!(lines[2].contains("Lisbon"), "the defaults can be said: {ran:?}");
    assert!(lines[3].starts_with("Lisbon, since March 2024"), "{ran:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with('{')), "{ran:?}");
    assert!(!ran.errors.contains("frobnicate"), "nothing runs after the end: {ran:?}");
}

#[test]
fn every_option_that_the_shell_was_given_holds_for_its_lines() {
    let mut bench = bench();
    let graphs = |bench: &Bench| -> Vec<String> {
        let entries = fs_err::read_dir(bench.store().join("vectors")).into_iter().flatten();
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
        names.filter(|name| name.contains(".graph")).collect()
    };
    let lines: Vec<String> =
        (0..600).map(|n| lives_in(&format!("Town{n}"), &format!("{}-01", 1400 + n))).collect();
    bench.assert_lines("default", &lines);
    let ran = bench.run_with(&["--vector-index", "hnsw", "repl"], b"view\nsearch Berlin\n");
    assert!(ran.output.contains("vector-index  hnsw"), "{ran:?}");
    assert!(!graphs(&bench).is_empty(), "the search of the shell makes a graph");
}

#[test]
fn a_script_ends_with_its_first_failure_and_goes_on_after_it() {
    let script = "show Nobody\nset valid soon\nshow \"Annabel\nrepl\nview\n";
    let ran = bench().run_with(&["repl", "--space", "default"], script.as_bytes()).expect_exit(Exit::No);
    for said in
        ["\"Nobody\"", "\"soon\"", "the quote \" at column 6 is not closed", "this is the shell already"]
    {
        assert!(ran.errors.contains(said), "{said}: {ran:?}");
    }
    assert_eq!(ran.output, format!("space  default\nnow    {}\n", crate::support::NOW));
    let ran = bench().run_with(&["repl"], b"set valid soon\nshow Nobody").expect_exit(Exit::Usage);
    assert_eq!(ran.output, "");
    bench().run_with(&["repl"], b"\xff\xfe\n").expect_exit(Exit::BadInput);
    bench().run_with(&["repl"], b"").expect_exit(Exit::Done);
}

#[test]
fn the_shell_starts_with_the_options_it_was_given() {
    let script = b"facts --subject Annabel\nset now 2021\nset space other\nunset all\nview\n";
    let ran = bench().run_with(&["repl", "--json"], script).expect_exit(Exit::Done);
    let rows = ran.rows();
    assert_eq!(rows[0]["subject"], "person:Annabel");
    assert_eq!(rows.last(), Some(&json!({ "json": "on", "now": crate::support::NOW, "space": "default" })));
}

#[test]
fn help_lists_every_command_and_explains_each() {
    let ran = bench().run_with(&["repl"], b"help\nhelp facts\n").expect_exit(Exit::Done);
    for words in ["  timeline ", "  set NAME VALUE", "What can be set: valid, known", "--subject <ENTITY>"] {
        assert!(ran.output.contains(words), "{words}: {ran:?}");
    }
}

#[test]
fn a_timeline_is_drawn_where_it_is_asked_for() {
    let mut bench = bench();
    let drawn = bench.done(&["timeline", "Annabel", "--draw"]).output;
    assert!(drawn.contains("━ stated"), "{drawn}");
    assert!(!bench.done(&["timeline", "Annabel", "--draw", "--list"]).output.contains("━ stated"));
    assert!(bench.done(&["timeline", "Annabel", "--draw", "--json"]).output.starts_with('{'));
}

#[test]
fn a_history_is_drawn_over_both_clocks() {
    let mut bench = bench();
    let moved = lives_in("Porto", "2021-05")
        .replace("\"known_at\":\"2021-05-01T00:00:00Z\"", "\"known_at\":\"2023-01-05\"");
    bench.assert_lines("default", &[moved]);
    let drawn = bench.done(&["history", "Annabel", "lives_in", "--draw"]).output;
    let lines: Vec<&str> = drawn.lines().collect();
    assert_eq!(lines[0], "Annabel lives_in");
    assert!(lines.iter().any(|line| line.starts_with("known from")), "{drawn}");
    assert!(lines.last().is_some_and(|line| line.starts_with("A ") && line.contains("  B ")), "{drawn}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{drawn}");
    assert!(
        !bench.done(&["history", "Annabel", "lives_in", "--draw", "--list"]).output.contains("known from")
    );
}

#[test]
fn a_shell_sets_several_options_tells_times_and_writes_results() {
    let mut bench = bench();
    let (text, rows) = (bench.path("found.txt"), bench.path("found.jsonl"));
    let script = format!(
        ":view valid=2024-06 known=latest\n:timing on\nfacts --subject Annabel\n:export {}\n:export {}\n:export {}\ntiming off\nstats\n",
        text.display(),
        rows.display(),
        text.display()
    );
    let ran = bench.run_with(&["repl"], script.as_bytes());
    assert_eq!(ran.exit, Exit::BadInput, "what is there is not written over: {ran:?}");
    assert_eq!(ran.errors.matches("took ").count(), 1, "{ran:?}");
    assert!(ran.errors.contains("1 line written to"), "{ran:?}");
    assert!(fs_err::read_to_string(text).expect("written").contains("Lisbon"));
    assert!(fs_err::read_to_string(rows).expect("written").starts_with('{'));
    let ran = bench.run_with(&["repl"], b":export x\n").expect_exit(Exit::Usage);
    assert!(ran.errors.contains("nothing that can be shown again"), "{ran:?}");
    let ran = bench.run_with(&["repl"], b":view json=on valid=soon\nview\n").expect_exit(Exit::Usage);
    assert!(!ran.output.contains("json"), "all is set or nothing: {ran:?}");
    // What writes is not run again.
    let ran =
        bench.run_with(&["repl"], b"merge Annabel Lisbon\n:export merged.txt\n").expect_exit(Exit::Usage);
    assert!(ran.errors.contains("nothing that can be shown again"), "{ran:?}");
}

/// Many statements of one group: the history of belief derives it once for each, so that its cost is their square.
fn many_moves(count: usize) -> Vec<String> {
    let step = |number: usize| {
        let minute = format!(
            "2022-{:02}-{:02}T{:02}:{:02}:00Z",
            number / 40_320 % 12 + 1,
            number / 1440 % 28 + 1,
            number / 60 % 24,
            number % 60
        );
        let place = format!("place:Stop {}", number % 7);
        json!({ "subject": "person:Nomad", "predicate": "lives_in", "object": { "entity": place }, "from": minute, "known_at": minute })
    };
    (0..count).map(|number| step(number).to_string()).collect()
}

#[cfg(target_os = "linux")]
mod at_a_terminal {
    use std::io::{Read, Write};
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;

    /// How long the shell may show nothing, on a machine that is busy with other things.
    const PATIENCE: Duration = Duration::from_secs(120);

    /// A shell at a pseudo-terminal, which `script` of util-linux makes.
    struct Terminal {
        child: Child,
        keys: ChildStdin,
        shown: Receiver<Vec<u8>>,
        /// What was shown and not looked at yet.
        unread: String,
    }

    impl Terminal {
        fn start(bench: &Bench) -> Terminal {
            let program = env!("CARGO_BIN_EXE_bygone");
            let store = crate::support::text_of(&bench.store());
            let command = format!("exec '{program}' repl --store '{store}'");
            let mut child = Command::new("script")
                .args(["-qec", &command, "/dev/null"])
                .env("SHELL", "/bin/sh")
                .env("TERM", "xterm")
                .env("LC_ALL", "C.UTF-8")
                .env("XDG_STATE_HOME", bench.path("state"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("script of util-linux runs");
            let keys = child.stdin.take().expect("its input is ours");
            let mut screen = child.stdout.take().expect("its output is ours");
            let (send, shown) = channel();
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = screen.read(&mut bytes) {
                    if send.send(bytes[..count].to_vec()).is_err() {
                        break;
                    }
                }
            });
            Terminal { child, keys, shown, unread: String::new() }
        }

        fn press(&mut self, keys: &str) {
            self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("keys are taken");
        }

        /// Waits until the text is shown; returns what came before it.
        #[track_caller]
        fn expect(&mut self, text: &str) -> String {
            loop {
                if let Some((before, after)) = self.unread.split_once(text) {
                    let before = before.to_owned();
                    self.unread = after.to_owned();
                    return before;
                }
                match self.shown.recv_timeout(PATIENCE) {
                    Ok(bytes) => self.unread.push_str(&String::from_utf8_lossy(&bytes)),
                    Err(error) => panic!("{text:?} is not shown ({error}): {:?}", self.unread),
                }
            }
        }

        /// Waits for a prompt, presses keys that end a line, and waits until the shell has given the terminal back.
        ///
        /// The shell switches bracketed paste on before a prompt and off after a line, which tells when.
        #[track_caller]
        fn enter(&mut self, prompt: &str, keys: &str) {
            self.expect("\u{1b}[?2004h");
            self.expect(prompt);
            self.press(keys);
            self.expect("\u{1b}[?2004l");
        }
    }

    impl Drop for Terminal {
        fn drop(&mut self) {
            // It has ended already, unless the test has failed.
            self.child.kill().unwrap_or_default();
            self.child.wait().map(drop).unwrap_or_default();
        }
    }

    #[test]
    fn a_person_sets_completes_interrupts_and_leaves() {
        let mut bench = bench();
        let mut statements = many_moves(12_000);
        // Her name goes on where the other one ends, with what must be kept from the shell.
        statements.push(lives_in("Porto", "2021-05").replace("person:Annabel", "person:Annabel's daughter"));
        bench.assert_lines("default", &statements);
        bench.close();
        let mut terminal = Terminal::start(&bench);

        let plain = "bygone:default> ";
        terminal.enter(plain, "set valid 2024-06\r");
        terminal.enter("bygone:default [valid June 2024]> ", "set known 2024-06-01\r");
        let set = "bygone:default [valid June 2024; known ≤ 1 June 2024]> ";
        terminal.enter(set, "show person:Annab\t\r");
        terminal.expect("Lisbon");
        terminal.enter(set, "timeline Annabel\r");
        terminal.expect("━ stated");

        // At the prompt Ctrl-C gives the line up.
        terminal.enter(set, "facts --oops\u{3}");
        terminal.enter(set, "history Nomad lives_in\r");
        // Pressed once: the terminal drops what is on its way when the key is pressed, a second time the answer to the first.
        terminal.press("\u{3}");
        let shown = terminal.expect("bygone: interrupted");
        assert!(!shown.contains("believed from"), "it came to its end: {shown}");
        terminal.enter(set, "unset all\r");
        terminal.enter(plain, "stats\r");
        terminal.expect("episodes");
        // A line goes on where it ends in a backslash, and in colours its command is bold.
        terminal.expect(plain);
        terminal.press("show \\\rperson:Annabel\r");
        assert!(terminal.expect("Lisbon").contains("\u{1b}[1mshow\u{1b}[0m"));
        terminal.enter(plain, "\u{4}");
        let status = terminal.child.wait().expect("it ends");
        assert!(status.success(), "{status}");

        let history = bench.path("state").join("bygone").join("history");
        let mode = fs_err::metadata(&history).expect("lines are kept").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let lines = fs_err::read_to_string(&history).expect("it is text");
        assert!(lines.contains("\nset valid 2024-06\n") && lines.contains("\nstats\n"), "{lines}");
    }
}
