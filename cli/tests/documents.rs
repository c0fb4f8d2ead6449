//! What stands in the documents for people to type is run, and prints what stands there.
//!
//! Commands are the lines after `$ ` in blocks marked `console`. What a command prints is its results and then its
//! remarks; `…` in a line stands for whatever varies there. `BLESS=1` writes down what was printed instead.

#![allow(clippy::disallowed_methods, reason = "the environment asks for expectations to be written anew")]

use crate::support::{Bench, repository};

/// The documents that are run, each in a store of its own.
const DOCUMENTS: [&str; 2] = ["README.md", "docs/tour.md"];

#[test]
fn every_command_in_a_document_prints_what_stands_there() {
    for document in DOCUMENTS {
        let path = repository(document);
        let written = fs_err::read_to_string(&path).expect("the document");
        let run = run(&written);
        if std::env::var_os("BLESS").is_some() {
            fs_err::write(&path, &run.text).expect("the document is written");
            continue;
        }
        assert!(run.n_commands > 3, "{document} has commands to run");
        for (written, printed) in written.lines().zip(run.text.lines()) {
            assert_eq!(written, printed, "{document}: the first line that differs");
        }
        assert_eq!(written.lines().count(), run.text.lines().count(), "{document} ends elsewhere");
    }
}

struct Run {
    /// The document, with what its commands printed.
    text: String,
    n_commands: usize,
}

/// Runs the commands of a document, in order, in one store.
fn run(document: &str) -> Run {
    let mut bench = Bench::new();
    let mut now = String::new();
    let mut lines: Vec<String> = Vec::new();
    let mut n_commands = 0;
    let mut rest = document.lines().peekable();
    let mut in_console = false;
    while let Some(line) = rest.next() {
        lines.push(line.to_owned());
        if line.starts_with("```") {
            in_console = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| in_console) else { continue };
        n_commands += 1;
        let mut expected = Vec::new();
        while let Some(line) = rest.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```")) {
            expected.push(line.to_owned());
        }
        let spaced = expected.last().is_some_and(String::is_empty);
        let mut printed: Vec<String> =
            type_in(command, &mut bench, &mut now).lines().map(str::to_owned).collect();
        for (nth, printed) in printed.iter_mut().enumerate() {
            if let Some(expected) = expected.get(nth).filter(|expected| varies_as(expected, printed)) {
                printed.clone_from(expected);
            }
        }
        lines.extend(printed);
        if spaced {
            lines.push(String::new());
        }
    }
    Run { text: lines.join("\n") + "\n", n_commands }
}

/// Runs what is typed and returns what it prints.
fn type_in(line: &str, bench: &mut Bench, now: &mut String) -> String {
    if let Some(exports) = line.strip_prefix("export ") {
        if let Some((_, set)) = exports.split_once("BYGONE_NOW=") {
            set.split(' ').next().unwrap_or_default().clone_into(now);
        }
        return String::new();
    }
    let (input, command) = match line.split_once(" | ") {
        None => (String::new(), line),
        Some((source, command)) => {
            let words = words(source);
            let [program, text] = words.as_slice() else { panic!("{source:?} is no `echo` or `printf`") };
            assert!(["echo", "printf"].contains(&program.as_str()), "{source:?} is no `echo` or `printf`");
            (text.replace("\\n", "\n"), command)
        }
    };
    let mut words = words(command);
    assert_eq!(words.remove(0), "bygone", "{line:?} runs something else");
    for word in &mut words {
        if word.starts_with("samples/") {
            *word = repository(word);
        }
    }
    if !now.is_empty() && !words.iter().any(|word| word == "--now") {
        words.extend(["--now".to_owned(), now.clone()]);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = bench.run_with(&words, input.as_bytes());
    (ran.output + &ran.errors).replace(&repository(""), "")
}

/// Splits a line at spaces outside quotation marks.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ' ') => words.push(std::mem::take(&mut word)),
            (_, c) => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Says whether a written line stands for a printed one: its parts between `…` stand in it in this order.
fn varies_as(written: &str, printed: &str) -> bool {
    let Some((start, rest)) = written.split_once('…') else { return false };
    let Some(mut left) = printed.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('…').unwrap_or(("", rest));
    for part in middle.split('…') {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(end)
}

#[test]
fn lines_that_vary_are_told_from_lines_that_differ() {
    assert!(varies_as("Searched … records and … files: none.", "Searched 5 records and 20 files: none."));
    assert!(!varies_as("Searched … records and … files: none.", "Searched 5 records and 20 files: one."));
    assert!(!varies_as("Searched 5 records", "Searched 6 records"));
}
