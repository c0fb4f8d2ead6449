//! Evaluations of retrieval over small files in the shapes of the data sets: ranks, populations, and what is left out.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bygone_engine::StoreError;
use bygone_engine::store::VectorMode;
use bygone_eval::EvalError;
use bygone_eval::dataset::errata::Errata;
use bygone_eval::dataset::longmemeval::Sides;
use bygone_eval::retrieval::{Plan, SYSTEMS, locomo, longmemeval};
use bygone_eval::run::MadeBy;
use serde_json::{Value, json};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn plan(n_questions: usize, jobs: usize) -> Plan<'static> {
    Plan {
        n_questions,
        systems: SYSTEMS,
        vectors: VectorMode::Auto,
        seed: 0,
        jobs: NonZeroUsize::new(jobs).expect("some"),
        stop: None,
        out: None,
        made_by: MadeBy::default(),
    }
}

fn evaluate_locomo(plan: Plan<'_>) -> locomo::Report {
    locomo::evaluate(&fixture("locomo.json"), Errata::default(), plan, &mut |_| ()).expect("evaluates")
}

fn evaluate_longmemeval(plan: Plan<'_>) -> longmemeval::Report {
    longmemeval::evaluate(&fixture("longmemeval.json"), plan, &mut |_| ()).expect("evaluates")
}

fn noted(ledger: &bygone_eval::dataset::Ledger) -> Vec<(&'static str, usize)> {
    ledger.entries().map(|(reason, which)| (reason, which.len())).collect()
}

#[test]
fn locomo_counts_what_it_asks_and_what_it_leaves_out() {
    let report = evaluate_locomo(plan(usize::MAX, 1));
    assert_eq!((report.n_samples, report.n_turns, report.n_questions), (2, 11, 9));
    assert_eq!(report.answered.len(), 7);
    assert_eq!(report.scores(0, locomo::COUNTED).n_questions(), 6);
    let expected = [
        ("evidence ids that are joined or have a slip", 3),
        ("evidence ids that name no turn", 1),
        ("questions without evidence", 2),
    ];
    assert_eq!(noted(&report.ledger), expected);
}

#[test]
fn every_system_ranks_the_evidence_of_locomo() {
    let report = evaluate_locomo(plan(1, 1));
    let details: Vec<Value> = report.details().collect();
    // "market" stands in one turn alone, where it is "market." to those who leave punctuation in place.
    let ranks =
        json!({ "bygone": [1], "bm25": [2], "bm25-stem": [1], "dense": [1], "rrf": [1], "full": [5] });
    let expected = json!({
        "dataset": "locomo", "sample": "conv-1", "index": 0, "question": "What did Bo sell at the market?",
        "category": "single-hop", "evidence": ["D2:1"], "ranks": ranks,
    });
    assert_eq!(details, [expected]);
}

#[test]
fn errata_replace_evidence_and_are_counted() {
    let errata = Errata::read(&fixture("locomo_errata.json")).expect("reads");
    let report = locomo::evaluate(&fixture("locomo.json"), errata, plan(usize::MAX, 1), &mut |_| ());
    let report = report.expect("evaluates");
    let evidence = |index: usize| -> Vec<&str> {
        let mut answered = report.answered.iter();
        let answered = answered.find(|one| one.sample == "conv-1" && one.question.index == index);
        answered.into_iter().flat_map(|one| one.question.evidence.iter()).map(|unit| &*unit.label).collect()
    };
    assert_eq!((evidence(5), evidence(4)), (vec!["D1:4"], vec!["D1:1", "D2:2"]));
    let noted = noted(&report.ledger);
    assert!(noted.contains(&("questions with the evidence of the errata", 2)), "{noted:?}");
    assert!(noted.contains(&("errata of no question that was read", 1)), "{noted:?}");
}

#[test]
fn longmemeval_has_two_populations() {
    let report = evaluate_longmemeval(plan(usize::MAX, 1));
    let n_questions =
        |population| report.scores(population, longmemeval::Level::Session, 0, None).n_questions();
    assert_eq!((n_questions(Sides::User), n_questions(Sides::Both)), (2, 3));
    let expected = [
        ("questions without an answer (_abs)", 1),
        ("questions without evidence", 1),
        ("questions without evidence in the user's turns, counted for both sides alone", 1),
        ("sessions after the day of the question, which it does not see", 1),
        ("sessions whose id stands twice in a haystack", 1),
    ];
    assert_eq!(noted(&report.ledger), expected);
}

#[test]
fn what_was_said_after_the_question_on_its_day_is_found_and_what_was_said_later_is_not() {
    let report = evaluate_longmemeval(plan(1, 1));
    let details: Vec<Value> = report.details().collect();
    // The session after the day has the question's very words.
    assert_eq!(details[0]["user_turns"]["turn"]["evidence"], json!(["answer_1_1"]));
    assert_eq!(details[0]["user_turns"]["turn"]["ranks"]["bygone"], json!([1]));
    assert_eq!(details[0]["user_turns"]["session"]["ranks"]["bygone"], json!([1]));
}

#[test]
fn a_session_that_stands_twice_is_found_once() {
    let report = evaluate_longmemeval(plan(2, 1));
    let details: Vec<Value> = report.details().collect();
    assert_eq!(details[1]["user_turns"], Value::Null);
    let both = &details[1]["both_sides"];
    assert_eq!(both["session"]["evidence"], json!(["answer_2"]));
    assert_eq!(both["turn"]["ranks"]["bygone"], json!([1]));
    assert_eq!(both["session"]["ranks"]["bygone"], json!([1]));
}

#[test]
fn figures_do_not_depend_on_the_number_of_workers() {
    let rows =
        |jobs| (evaluate_locomo(plan(usize::MAX, jobs)).rows(), evaluate_longmemeval(plan(4, jobs)).rows());
    assert_eq!(rows(1), rows(3));
}

#[test]
fn the_last_row_is_that_of_the_system_evaluated() {
    let rows = evaluate_locomo(plan(usize::MAX, 1)).rows();
    assert_eq!(rows.len(), SYSTEMS.len());
    let last = rows.last().expect("rows");
    assert_eq!((&last["system"], &last["dataset"]), (&json!("bygone"), &json!("locomo")));
    assert!(last["recall@10"].is_number() && last["by_category"]["temporal"]["recall@10"].is_number());
    let rows = evaluate_longmemeval(plan(usize::MAX, 1)).rows();
    let last = rows.last().expect("rows");
    assert_eq!((&last["system"], &last["dataset"]), (&json!("bygone"), &json!("longmemeval")));
    for level in ["session", "turn"] {
        for measure in ["any@5", "all@5", "r@1", "ndcg_any@10"] {
            assert!(last[level][measure].is_number(), "{level} {measure}");
            assert!(last["both_sides"][level][measure].is_number(), "{level} {measure}");
        }
    }
    assert_eq!(last["preferences"][0]["question_id"], "q4");
}

#[test]
fn packed_files_are_read_as_plain_ones() {
    use std::io::Write;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("packed.json");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&fs_err::read(fixture("locomo.json")).expect("a fixture")).expect("packs");
    fs_err::write(&path, packed.finish().expect("packs")).expect("writes");
    let report = locomo::evaluate(&path, Errata::default(), plan(1, 1), &mut |_| ()).expect("evaluates");
    let plain = evaluate_locomo(plan(1, 1));
    assert_eq!(report.header.data.hash, plain.header.data.hash);
    assert!(report.details().eq(plain.details()), "the questions and their ranks are the same");
}

#[test]
fn a_raised_flag_stops_it() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let plan = Plan { stop: Some(&stop), ..plan(usize::MAX, 2) };
    let locomo = locomo::evaluate(&fixture("locomo.json"), Errata::default(), plan, &mut |_| ());
    assert!(matches!(locomo, Err(EvalError::Store(StoreError::Interrupted))), "{locomo:?}");
    let longmemeval = longmemeval::evaluate(&fixture("longmemeval.json"), plan, &mut |_| ());
    assert!(matches!(longmemeval, Err(EvalError::Store(StoreError::Interrupted))), "{longmemeval:?}");
}

#[test]
fn what_is_no_data_set_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refusal = |text: &str| -> String {
        let path = folder.path().join("file.json");
        fs_err::write(&path, text).expect("writes");
        let of = |error: EvalError| error.to_string().replace(&path.display().to_string(), "FILE");
        let locomo = locomo::evaluate(&path, Errata::default(), plan(9, 2), &mut |_| ()).map_err(of).err();
        let longmemeval = longmemeval::evaluate(&path, plan(9, 2), &mut |_| ()).map_err(of).err();
        format!("{}\n{}", locomo.unwrap_or_default(), longmemeval.unwrap_or_default())
    };
    let both = |reason: &str| format!("FILE: {reason}\nFILE: {reason}");
    assert_eq!(refusal(""), both("EOF while parsing a value at line 1 column 0"));
    assert_eq!(refusal("{}"), both("invalid type: map, expected a JSON list at line 1 column 1"));
    assert_eq!(
        refusal("[{}]"),
        "FILE: element 0: there is no `sample_id`\nFILE: element 0: there is no `question_id`"
    );
    assert_eq!(refusal("[] x"), both("trailing characters at line 1 column 4"));
    let missing =
        locomo::evaluate(&folder.path().join("none.json"), Errata::default(), plan(9, 2), &mut |_| ());
    assert!(matches!(missing, Err(EvalError::Unreadable(_))), "{missing:?}");
}
