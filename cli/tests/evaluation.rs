//! `eval` writes details beside its figures, reads packed files, and touches no store.

use crate::support::{Bench, repository, text_of};
use bygone::Exit;
use serde_json::Value;

fn fixture(name: &str) -> String {
    repository(&format!("eval/tests/fixtures/{name}"))
}

#[test]
fn details_have_a_row_for_each_question_that_is_counted() {
    let mut bench = Bench::new();
    for (dataset, n_questions) in [("locomo", 7), ("longmemeval", 3)] {
        let details = text_of(&bench.path(dataset));
        let file = fixture(&format!("{dataset}.json"));
        let plain = bench.done(&["eval", dataset, &file, "--json"]);
        let ran = bench.done(&["eval", dataset, &file, "--json", "--details", &details, "--jobs", "3"]);
        assert_eq!(ran.output, plain.output, "the figures are the same");
        let text = fs_err::read_to_string(&details).expect("details");
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        assert_eq!(rows.len(), n_questions, "{text}");
        assert!(rows.iter().all(|row| row["dataset"] == dataset), "{text}");
    }
    assert!(!bench.store().exists(), "no store is made");
}

#[test]
fn the_summary_comes_last_and_is_that_of_bygone() {
    let mut bench = Bench::new();
    let rows = bench.done(&["eval", "locomo", &fixture("locomo.json"), "--json"]).rows();
    let summary = rows.last().expect("rows");
    assert_eq!(summary["system"], "bygone");
    assert!(["recall@1", "recall@5", "recall@10", "recall@20"].iter().all(|key| summary[key].is_number()));
    assert_eq!(summary["left_out"]["questions without evidence"]["count"], 2);
    let rows = bench.done(&["eval", "longmemeval", &fixture("longmemeval.json"), "--json"]).rows();
    let summary = rows.last().expect("rows");
    assert_eq!(summary["system"], "bygone");
    for level in ["session", "turn"] {
        assert!(["any@5", "all@5", "r@1"].iter().all(|key| summary[level][key].is_number()), "{level}");
    }
}

#[test]
fn details_that_cannot_be_written_are_told() {
    let mut bench = Bench::new();
    let nowhere = text_of(&bench.path("none/details.jsonl"));
    let ran = bench.run(&["eval", "locomo", &fixture("locomo.json"), "--details", &nowhere]);
    let ran = ran.expect_exit(Exit::BadInput);
    assert!(ran.errors.contains("none/details.jsonl"), "{ran:?}");
}

#[test]
fn details_are_replaced_by_new_ones_and_by_nothing_else() {
    let mut bench = Bench::new();
    let details = bench.file("details.jsonl", "x".repeat(1_000_000));
    let size = |path: &str| fs_err::metadata(path).expect("the file").len();
    bench.run(&["eval", "locomo", &details, "--details", &details]).expect_exit(Exit::BadInput);
    assert_eq!(size(&details), 1_000_000);
    bench.done(&["eval", "locomo", &fixture("locomo.json"), "--details", &details]);
    assert!(size(&details) < 10_000);
}
