//! Packed files, archives and standard input are read as the files that are in them.

use crate::support::{Bench, balance, list, repository};
use bygone::Exit;
use serde_json::Value;

fn fixture(name: &str) -> String {
    repository(&format!("ingest/tests/fixtures/packed/{name}"))
}

/// Reads a path into a space and returns the receipt.
#[track_caller]
fn ingest(bench: &mut Bench, space: &str, path: &str, input: &[u8]) -> Value {
    let ran = bench.run_with(&["ingest", path, "--space", space, "--json"], input);
    let receipt = ran.expect_exit(Exit::Done).row();
    balance(&receipt);
    receipt
}

/// Shows what was reported of which file of the folder.
fn problems(receipt: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let folder = fixture("");
    let told = list(&receipt["problems"]).iter();
    told.map(|told| (text(&told["file"]).replace(&folder, ""), text(&told["reason"]))).collect()
}

#[test]
fn a_packed_file_is_the_file_that_is_in_it() {
    let mut bench = Bench::new();
    let bytes = fs_err::read(fixture("log.txt.gz")).expect("a fixture");
    assert_eq!(ingest(&mut bench, "default", &fixture("log.txt.gz"), b"")["episodes"], 2);
    // The name without the ending is the session, so that each turn is the same one.
    assert_eq!(ingest(&mut bench, "default", &fixture("log.txt.zst"), b"")["duplicates"], 2);
    // It is not the name that tells.
    let renamed = bench.file("log.md", &bytes);
    assert_eq!(ingest(&mut bench, "default", &renamed, b"")["duplicates"], 2);
    assert_eq!(bench.done(&["search", "Lisbon", "--json"]).rows()[0]["session"], "log");
}

#[test]
fn the_entries_of_an_archive_are_files_of_a_folder() {
    let mut bench = Bench::new();
    ingest(&mut bench, "default", &fixture("log.txt.gz"), b"");
    let receipt = ingest(&mut bench, "default", &fixture("logs.zip"), b"");
    assert_eq!((&receipt["files"], &receipt["read"]), (&2.into(), &3.into()));
    assert_eq!((&receipt["episodes"], &receipt["duplicates"]), (&1.into(), &2.into()));
    let told = problems(&receipt);
    let of = |name: &str| &told.iter().find(|(file, _)| file == name).expect("it is told").1;
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(of("logs.zip/chats/photo.jpg").contains("no transcript of a known format"));
    assert!(of("logs.zip/chats/inside.txt.gz").contains("packed twice"));
}

#[test]
fn standard_input_is_read_packed_or_not() {
    let mut bench = Bench::new();
    let plain =
        b"2024-03-01 09:30 Anna: I moved to Lisbon in March.\n2024-03-01 09:31 Ben: I work at Acme.\n";
    assert_eq!(ingest(&mut bench, "default", "-", plain)["episodes"], 2);
    let packed = |name: &str| fs_err::read(fixture(name)).expect("a fixture");
    assert_eq!(ingest(&mut bench, "default", "-", &packed("log.txt.gz"))["duplicates"], 2);
    assert_eq!(ingest(&mut bench, "default", "-", &packed("log.txt.zst"))["duplicates"], 2);
    assert_eq!(bench.done(&["search", "Lisbon", "--json"]).rows()[0]["session"], "stdin");
    let receipt = ingest(&mut bench, "archive", "-", &packed("logs.zip"));
    assert_eq!((&receipt["files"], &receipt["episodes"]), (&2.into(), &3.into()));
    let unknown = bench.run_with(&["ingest", "-"], b"nothing that is known");
    assert!(unknown.expect_exit(Exit::BadInput).errors.contains("stdin: no transcript"));
}

#[test]
fn what_is_damaged_costs_no_other_file() {
    let mut bench = Bench::new();
    let good = fixture("log.txt.gz");
    for name in ["log.txt.gz", "log.txt.zst", "logs.zip"] {
        let whole = fs_err::read(fixture(name)).expect("a fixture");
        let cut = bench.file(name, &whole[..whole.len() - 9]);
        let ran = bench.run(&["ingest", &cut, &good, "--space", name, "--json"]);
        let ran = ran.expect_exit(Exit::BadInput);
        assert!(ran.errors.contains(&format!("{cut}: cannot be read")), "{}", ran.errors);
        let receipt = ran.row();
        balance(&receipt);
        let n_turns =
            receipt["episodes"].as_u64().expect("a count") + receipt["quarantined"].as_u64().unwrap_or(0);
        assert!(n_turns >= 2, "{receipt}");
    }
}
