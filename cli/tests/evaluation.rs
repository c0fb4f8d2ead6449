//! `eval` writes details beside its figures, reads packed files, asks other programs, and touches no store.

use crate::support::service::Service;
use crate::support::{Bench, repository, text_of};
use bygone::Exit;
use serde_json::{Value, json};

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
    assert!(summary["intervals"]["recall@5"].is_array() && summary["tokens@10"].is_number());
    assert_eq!(summary["left_out"]["questions without evidence"]["count"], 2);
    let run = &summary["run"];
    assert_eq!(
        (&run["questions"], &run["seed"], &run["data"]["file"]),
        (&7.into(), &0.into(), &"locomo.json".into())
    );
    assert!(
        ["build", "machine", "version"]
            .iter()
            .all(|key| run[key].as_str().is_some_and(|text| !text.is_empty()))
    );
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

#[test]
fn a_run_is_written_gone_on_with_and_refused_to_another() {
    let mut bench = Bench::new();
    let [run, again] = ["run.jsonl", "again.jsonl"].map(|name| text_of(&bench.path(name)));
    let file = fixture("locomo.json");
    let asked = |out| ["eval", "locomo", file.as_str(), "--system", "ours,bm25", "--json", "--out", out];
    let output = bench.done(&asked(&run)).output;
    assert_eq!(bench.done(&asked(&again)).output, output);
    let whole = fs_err::read_to_string(&run).expect("a run");
    assert_eq!(fs_err::read_to_string(&again).expect("a run"), whole);
    assert_eq!(whole.lines().count(), 1 + 7 * 2);
    fs_err::write(&again, &whole[..whole.len() / 2]).expect("writes");
    assert_eq!(bench.done(&asked(&again)).output, output);
    assert_eq!(fs_err::read_to_string(&again).expect("a run"), whole);
    let other = bench.run(&["eval", "locomo", &file, "--system", "bm25", "--out", &run]);
    let other = other.expect_exit(Exit::BadInput);
    assert!(
        other.errors.contains("run.jsonl is another run") && other.errors.contains("`systems`"),
        "{other:?}"
    );
    for wrong in [["--system", "nobody"], ["--system", "bm25,bm25"]] {
        bench.run(&["eval", "locomo", &file, wrong[0], wrong[1]]).expect_exit(Exit::Usage);
    }
    bench.run(&["eval", "locomo", &file, "--answers", "--out", &run]).expect_exit(Exit::Usage);
}

#[test]
fn runs_are_compared_and_refused_where_they_were_not_asked_the_same() {
    let mut bench = Bench::new();
    let [run, few] = ["run.jsonl", "few.jsonl"].map(|name| text_of(&bench.path(name)));
    let file = fixture("locomo.json");
    bench.done(&["eval", "locomo", &file, "--system", "bm25,bm25-stem", "--out", &run]);
    bench.done(&["eval", "locomo", &file, "--system", "bm25", "--limit", "3", "--out", &few]);
    let rows = bench.done(&["eval", "compare", &run, "--json"]).rows();
    let first = rows.iter().find(|row| row["score"] == "recall@1" && row["type"].is_null()).expect("a row");
    assert_eq!((&first["part"], &first["n"], &first["a"]), (&"turn".into(), &6.into(), &0.0.into()));
    assert!(
        ["b", "difference", "p"].iter().all(|key| first[key].is_number()) && first["interval"].is_array()
    );
    let summary = rows.last().expect("rows");
    assert_eq!((&summary["a"]["system"], &summary["b"]["system"]), (&"bm25".into(), &"bm25-stem".into()));
    let shown =
        bench.done(&["eval", "compare", &run, &run, "--to", "bm25-stem", "--score", "recall@50"]).output;
    assert!(shown.contains("bm25 of run.jsonl (A) and bm25-stem of run.jsonl (B)"), "{shown}");
    assert!(shown.contains("recall@50") && !shown.contains("recall@10"), "{shown}");
    let refused = bench.run(&["eval", "compare", &run, &few]).expect_exit(Exit::BadInput);
    assert!(refused.errors.contains("cannot be compared: `limit` is null in the first and 3"), "{refused:?}");
    bench.run(&["eval", "compare", &run, "--score", "recall@7"]).expect_exit(Exit::Usage);
    bench.run(&["eval", "compare", &file]).expect_exit(Exit::BadInput);
}

#[test]
fn answers_by_a_model_are_recorded_replayed_and_reported_with_their_judge() {
    let mut bench = Bench::new();
    let [run, again, calls] =
        ["run.jsonl", "again.jsonl", "calls.jsonl"].map(|name| text_of(&bench.path(name)));
    // A judge that knows its controls, and takes nothing else for right.
    let right = [
        "You bought a cello.",
        "19 days",
        "live in Lisbon now",
        "evening of chess",
        "not told me about a hamster",
    ];
    let service = Service::start(move |asked| {
        let prompt = asked.body["messages"][0]["content"].as_str().unwrap_or_default();
        let response = prompt.lines().rev().find(|line| line.starts_with("Response:"));
        let said = match response {
            Some(response) if right.iter().any(|words| response.contains(words)) => "yes",
            Some(_) => "no",
            None => "Not mentioned.",
        };
        (200, json!({ "choices": [{ "message": { "content": said }, "finish_reason": "stop" }] }))
    });
    let (file, base) = (fixture("longmemeval.json"), service.url());
    let asked = [
        "eval",
        "longmemeval",
        &file,
        "--reader",
        "small",
        "--judge",
        "large",
        "--endpoint",
        &base,
        "--json",
    ];
    let estimate = bench.done(&[&asked[..], &["--dry-run"]].concat()).row();
    assert_eq!((&estimate["questions"], &estimate["calls"]), (&5.into(), &20.into()));
    assert!(service.asked().is_empty(), "nobody is asked");
    let recorded = ["--calls", &calls, "--price", "1/2"];
    let summary = bench.done(&[&asked[..], &recorded, &["--out", &run]].concat()).row();
    assert_eq!((&summary["system"], &summary["reader"]), (&"bygone".into(), &"small".into()));
    assert_eq!((&summary["judge"], &summary["right"]), (&"large".into(), &0.0.into()));
    assert_eq!((&summary["abstention"]["recall"], &summary["spent"]["calls"]), (&1.0.into(), &20.into()));
    assert_eq!(service.asked().len(), 20);
    let replayed = bench.done(&[&asked[..], &recorded, &["--replay", "--out", &again]].concat()).row();
    assert_eq!((service.asked().len(), &replayed["spent"]["replayed"]), (0, &20.into()));
    let text = |path: &str| fs_err::read_to_string(path).expect("a run");
    assert_eq!(text(&again), text(&run));
    let report = bench.done(&["eval", "report", &run]).output;
    assert!(report.contains("## LongMemEval, answers, judged by large"), "{report}");
    assert!(report.contains("right, as large judges") && report.contains("`bygone + small`"), "{report}");
    for wrong in [
        &["--key-env", "sk-0123"][..],
        &["--key-env", "BYGONE_TESTS_SET_NO_SUCH_KEY"],
        &["--price", "1"],
        &["--temperature", "3"],
        &["--details", "x"],
    ] {
        let ran = bench.run(&[&asked[..], wrong].concat()).expect_exit(Exit::Usage);
        assert!(!ran.errors.contains("sk-0123"), "{ran:?}");
    }
    bench.run(&["eval", "locomo", &file, "--reader", "small"]).expect_exit(Exit::Usage);
    bench.run(&["eval", "locomo", &file, "--judge", "large"]).expect_exit(Exit::Usage);
}

#[test]
fn bygone_ask_answers_without_a_model() {
    let mut bench = Bench::new();
    let file = fixture("locomo.json");
    let summary = bench.done(&["eval", "locomo", &file, "--reader", "ask", "--json"]).row();
    assert_eq!((&summary["reader"], &summary["questions"]), (&"bygone ask".into(), &8.into()));
    assert!(summary["f1"].is_number() && summary["judge"].is_null());
    bench.run(&["eval", "locomo", &file, "--reader", "ask", "--system", "bm25"]).expect_exit(Exit::Usage);
    assert!(!bench.store().exists(), "no store is made");
}

#[test]
fn belief_has_a_row_for_each_system_and_the_summary_last() {
    let mut bench = Bench::new();
    let details = text_of(&bench.path("belief"));
    let ran =
        bench.done(&["eval", "belief", "--seed", "2", "--limit", "20", "--details", &details, "--json"]);
    let rows = ran.rows();
    let told: Vec<(&Value, &Value)> = rows.iter().map(|row| (&row["system"], &row["rendering"])).collect();
    let expected = [
        ("bygone", "chat"),
        ("latest", "assertions"),
        ("rectangles", "assertions"),
        ("bygone", "assertions"),
    ];
    assert!(told.iter().zip(expected).all(|(told, expected)| *told.0 == expected.0 && *told.1 == expected.1));
    let summary = rows.last().expect("rows");
    assert_eq!((&summary["accuracy"], &summary["questions"]), (&Value::from(1.0), &Value::from(20)));
    assert!(
        summary["by_kind"]["valid_time"].is_number() && summary["chat"]["invalidation"]["recall"].is_number()
    );
    let text = fs_err::read_to_string(&details).expect("details");
    let details: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(details.iter().filter(|row| row["kind"] != "closing").count(), 80);
    assert!(!bench.store().exists(), "no store is made");
}

/// Answers every question with nothing.
const SILENT: &str = r#"while IFS= read -r line; do case $line in *'"op":"ask"'*) id=${line#*'"id":'}; \
    echo "{\"id\":${id%%,*},\"objects\":[]}";; esac; done"#;

#[test]
fn belief_asks_a_program_over_its_input_and_output() {
    let mut bench = Bench::new();
    let asked =
        ["eval", "belief", "--seed", "2", "--rendering", "assertions", "--system", "command", "--json"];
    let ran = bench.done(&[&asked[..], &["--command", SILENT]].concat());
    let rows = ran.rows();
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(row["system"], "command");
    assert_eq!(row["by_kind"]["staleness"], 0.0);
    let valid_time = row["by_kind"]["valid_time"].as_f64().expect("a number");
    assert!(valid_time < 0.5, "{valid_time}");
    let ran = bench.run(&[&asked[..], &["--command", "exit 3"]].concat()).expect_exit(Exit::BadInput);
    assert!(ran.errors.contains("the system that is compared"), "{ran:?}");
    bench.run(&asked).expect_exit(Exit::Usage);
    bench.run(&["eval", "belief", "--system", "bygone", "--command", SILENT]).expect_exit(Exit::Usage);
}

#[test]
fn worlds_that_are_none_are_refused() {
    let mut bench = Bench::new();
    for seed in ["", "x", "3..1", "1..", "-1"] {
        bench.run(&["eval", "belief", "--seed", seed]).expect_exit(Exit::Usage);
    }
    bench.run(&["eval", "belief", "--system", "nobody"]).expect_exit(Exit::Usage);
}
