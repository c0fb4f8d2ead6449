//! Opening a store whose writer was killed: what it takes to read RocksDB's log again, over many kills.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use bygone_benches::bitemporal::{Shape, events, statement};
use bygone_benches::loaded::{opened, space};
use bygone_benches::random::Random;
use bygone_engine::backend::Rocks;
use bygone_engine::store::Recording;
use bygone_engine::time::Instant;
use serde_json::{Value, json};

use crate::STORE;
use crate::spent::{Spent, quantiles};

/// Kills.
const ROUNDS: u64 = 100;
/// Statements a commit.
const BATCH: usize = 2_000;
/// The most commits of a writer before it is killed: some twelve megabytes of log.
const COMMITS: u64 = 20;

/// Kills writers, one after another, and opens what each left.
pub(crate) fn recover(size: u64, folder: &Path) -> Value {
    let program = std::env::current_exe().expect("this program has a path");
    let mut random = Random::new(3);
    let (mut cpu, mut wall) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let mut writer = Command::new(&program)
            .args(["--step", "write-statements", "--size", &(size + round).to_string(), "--folder"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("a writer starts");
        let committed = BufReader::new(writer.stdout.take().expect("it has an output"));
        let n_commits = 1 + random.below(COMMITS);
        let wanted = usize::try_from(n_commits).expect("a few");
        assert_eq!(committed.lines().take(wanted).count(), wanted, "the writer ended by itself");
        writer.kill().expect("it can be killed");
        writer.wait().expect("it was started here");
        let mut opening = Spent::default();
        let store =
            opening.on(|| opened(Rocks::open(&folder.join(STORE), false, "a measurement").expect("opens")));
        drop(store);
        cpu.push(opening.cpu_ms());
        wall.push(opening.wall_ms());
    }
    json!({ "recovery": { "kills": ROUNDS, "cpu_ms": quantiles(cpu), "ms": quantiles(wall) } })
}

/// Commits statements and says so, until somebody kills it.
pub(crate) fn write(size: u64, folder: &Path) -> Value {
    let store = opened(Rocks::open(&folder.join(STORE), false, "a writer").expect("opens"));
    let entities = u32::try_from(size / 10).expect("a size").max(10);
    let statements = BATCH * (usize::try_from(COMMITS).expect("a few") + 2);
    let said = events(Shape { statements, entities, seed: size });
    let mut output = std::io::stdout();
    for (nth, some) in said.chunks(BATCH).enumerate() {
        let mut recording = Recording::default();
        for (at, event) in (nth * BATCH..).zip(some) {
            let made = statement(event, at);
            recording.episodes.push(made.episode);
            recording.assertions.push(made.assertion);
        }
        let now = Instant::from_micros(some[some.len() - 1].known).expect("an instant of the workload");
        space(&store).record(recording, now).expect("records");
        writeln!(output, "{nth}").and_then(|()| output.flush()).expect("somebody reads");
    }
    json!({})
}
