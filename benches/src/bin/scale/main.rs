//! How costs grow with what a store holds: stores of 10^4 to 10^7 statements and of 10^3 to 10^6 turns are made, one after
//! another, and asked; what that takes goes to a file of JSON, and as curves to an SVG.
//!
//! ```text
//! scale [--statements 10000,100000,…] [--turns 1000,10000,…] [--json FILE] [--svg FILE]
//!   for each size: one process loads a store ── what that took
//!                  one process compacts it    ── bytes, before and after
//!                  one process opens it       ── time, memory, answers
//!                  of statements, a hundred are killed while they write more, and what each left is opened ── time
//! ```
//!
//! Corpus: seeded statements (`bygone_benches::bitemporal`) of a tenth as many subjects; and a log of which a tenth are
//! turns in which two friends tell of themselves, and the rest small talk. Caveats: one worker; processor time of all
//! threads of the process, RocksDB's too; what a statement is made from is made before the clock runs; the disk's cache is
//! as warm as writing left it, and what is read was compacted, as it is in a store some time after it was loaded.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a command of the benches, which measures times"
)]

mod facts;
mod options;
mod plot;
mod recovered;
mod settled;
mod spent;
mod turns;

/// The folder of the store, in that of the measurement.
const STORE: &str = "store";

use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::{Map, Value, json};

use options::{Options, Step};

fn main() -> ExitCode {
    match Options::read().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    if let Some(Step { name, size, folder }) = &options.step {
        let report = match name.as_str() {
            "settle-statements" | "settle-turns" => settled::settle(name, *size, folder),
            "load-statements" => facts::load(*size, folder),
            "ask-statements" => facts::ask(folder),
            "recover-statements" => recovered::recover(*size, folder),
            "write-statements" => recovered::write(*size, folder),
            "load-turns" => turns::load(*size, folder),
            "ask-turns" => turns::ask(folder),
            _ => return Err(format!("{name} is no step")),
        };
        println!("{report}");
        return Ok(());
    }
    if let Some(report) = &options.plot_only {
        let text =
            std::fs::read_to_string(report).map_err(|error| format!("{}: {error}", report.display()))?;
        let report = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        return write(options.svg.as_deref(), &plot::svg(&report));
    }
    let statements = of_sizes("statements", &options.statements)?;
    let turns = of_sizes("turns", &options.turns)?;
    let report = json!({ "statements": statements, "turns": turns });
    let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())? + "\n";
    match &options.json {
        Some(file) => write(Some(file), &text)?,
        None => print!("{text}"),
    }
    write(options.svg.as_deref(), &plot::svg(&report))
}

fn write(file: Option<&Path>, text: &str) -> Result<(), String> {
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Measures each size; a row each.
fn of_sizes(what: &str, sizes: &[u64]) -> Result<Vec<Value>, String> {
    let mut rows = Vec::new();
    for size in sizes {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut row = Map::from_iter([(what.to_owned(), json!(size))]);
        for step in ["load", "settle", "ask"].into_iter().chain((what == "statements").then_some("recover")) {
            eprintln!("{step} {size} {what}");
            row.append(&mut step_alone(&format!("{step}-{what}"), *size, folder.path())?);
        }
        rows.push(Value::Object(row));
    }
    Ok(rows)
}

/// Runs a step in a process of its own, so that its memory is its own.
fn step_alone(name: &str, size: u64, folder: &Path) -> Result<Map<String, Value>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(["--step", name, "--size", &size.to_string(), "--folder"]).arg(folder);
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{name} {size} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{name} {size}: {error}"))
}
