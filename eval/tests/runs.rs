//! Runs as files: written in order, gone on with where they were stopped, read again, compared, and refused.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bygone_engine::StoreError;
use bygone_engine::store::VectorMode;
use bygone_eval::EvalError;
use bygone_eval::dataset::errata::Errata;
use bygone_eval::retrieval::{Asked, Gives, Plan, Ranker, Ranking, SYSTEMS, System, locomo, longmemeval};
use bygone_eval::run::{Loaded, MadeBy};
use serde_json::{Value, json};
use tempfile::TempDir;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A folder for runs.
struct Runs(TempDir);

impl Runs {
    fn new() -> Runs {
        Runs(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn plan<'a>(systems: &'a [&'static System], out: &'a Path) -> Plan<'a> {
    Plan {
        n_questions: usize::MAX,
        systems,
        vectors: VectorMode::Auto,
        seed: 0,
        jobs: NonZeroUsize::MIN,
        stop: None,
        out: Some(out),
        made_by: MadeBy { build: "b", machine: "m" },
    }
}

/// The baselines, which are soon done.
fn baselines() -> Vec<&'static System> {
    SYSTEMS.iter().copied().filter(|system| system.name.starts_with("bm25")).collect()
}

fn run_locomo(plan: Plan<'_>) -> Result<locomo::Report, EvalError> {
    locomo::evaluate(&fixture("locomo.json"), Errata::default(), plan, &mut |_| ())
}

fn run_longmemeval(plan: Plan<'_>) -> Result<longmemeval::Report, EvalError> {
    longmemeval::evaluate(&fixture("longmemeval.json"), plan, &mut |_| ())
}

fn text(path: &Path) -> String {
    fs_err::read_to_string(path).expect("a run")
}

fn rows(path: &Path) -> Vec<Value> {
    text(path).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn refusal(result: Result<impl Sized, EvalError>, path: &Path) -> String {
    let Err(error) = result else { panic!("it is not refused") };
    error.to_string().replace(&path.display().to_string(), "RUN")
}

#[test]
fn a_run_says_what_was_measured_and_what_came_of_each_question() {
    let runs = Runs::new();
    let path = runs.path("run.jsonl");
    run_locomo(plan(SYSTEMS, &path)).expect("runs");
    let rows = rows(&path);
    let header = &rows[0];
    for (key, expected) in [
        ("run", json!(1)),
        ("task", json!("retrieval")),
        ("dataset", json!("locomo")),
        ("questions", json!(7)),
        ("limit", json!(null)),
        ("counted", json!(["multi-hop", "temporal", "open-domain", "single-hop"])),
        ("k", json!([1, 5, 10, 20, 50])),
        ("systems", json!(["bygone", "bm25", "bm25-stem", "dense", "rrf", "full"])),
        ("settings", json!({ "vector_index": "auto" })),
        ("seed", json!(0)),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("build", json!("b")),
        ("machine", json!("m")),
    ] {
        assert_eq!(header[key], expected, "{key}");
    }
    let bytes = fs_err::read(fixture("locomo.json")).expect("a fixture");
    assert_eq!(header["data"]["hash"], blake3::hash(&bytes).to_hex().as_str());
    assert_eq!(header["parts"]["turn"]["granularity"], "turn");
    assert_eq!(rows.len(), 1 + 7 * SYSTEMS.len());
    // "market" stands in one turn alone, where it is "market." to those who leave punctuation in place.
    let found = |system: &str| {
        let line = rows.iter().find(|row| row["id"] == "conv-1#0" && row["system"] == system).expect(system);
        assert_eq!(
            (&line["type"], &line["question"]),
            (&json!("single-hop"), &json!("What did Bo sell at the market?"))
        );
        line["parts"]["turn"].clone()
    };
    for (system, rank) in [("bygone", 1), ("bm25", 2)] {
        let part = found(system);
        assert_eq!((&part["needed"], &part["ranks"]), (&json!([["D2:1"]]), &json!([[rank]])), "{system}");
        assert_eq!(part["ranked"][rank - 1], "D2:1", "{system}");
        assert_eq!(part["scores"]["recall@1"], f64::from(rank == 1), "{system}");
        assert_eq!(part["scores"]["recall@5"], 1.0, "{system}");
    }
    let whole = found("full");
    assert_eq!(whole["ranked"], json!([]), "what has no order has no ranking");
    // 121 tokens are those of all nine turns.
    assert_eq!(whole["scores"], json!({ "recall@all": 1.0, "tokens@all": 121.0 }));
}

#[test]
fn longmemeval_has_four_parts_and_a_session_that_stands_twice_is_told_apart() {
    let runs = Runs::new();
    let path = runs.path("run.jsonl");
    run_longmemeval(plan(&baselines(), &path)).expect("runs");
    let rows = rows(&path);
    assert_eq!(rows[0]["questions"], 3);
    assert_eq!(rows[0]["parts"]["session"]["roles"], json!(["user"]));
    assert_eq!(rows[0]["parts"]["both_sides.turn"]["roles"], json!(["user", "assistant"]));
    let parts = |id: &str| {
        let line = rows.iter().find(|row| row["id"] == id).expect(id);
        line["parts"].as_object().expect("parts").clone()
    };
    assert_eq!(
        parts("q1").keys().collect::<Vec<_>>(),
        ["both_sides.session", "both_sides.turn", "session", "turn"]
    );
    let q2 = parts("q2");
    assert_eq!(q2.keys().collect::<Vec<_>>(), ["both_sides.session", "both_sides.turn"]);
    assert_eq!(q2["both_sides.session"]["needed"], json!([["answer_2", "answer_2#2"]]));
    assert_eq!(q2["both_sides.turn"]["needed"], json!([["answer_2_2", "answer_2_2#2"]]));
}

#[test]
fn runs_are_the_same_to_the_byte_whatever_the_number_of_workers() {
    let runs = Runs::new();
    let [one, again, three] = ["one", "again", "three"].map(|name| runs.path(name));
    for (path, jobs) in [(&one, 1), (&again, 1), (&three, 3)] {
        let jobs = NonZeroUsize::new(jobs).expect("some");
        run_longmemeval(Plan { jobs, ..plan(SYSTEMS, path) }).expect("runs");
    }
    assert_eq!(text(&one), text(&again));
    assert_eq!(text(&one), text(&three));
}

#[test]
fn what_is_there_is_kept_and_not_done_again() {
    let runs = Runs::new();
    let (path, systems) = (runs.path("run.jsonl"), baselines());
    let whole_report = run_locomo(plan(&systems, &path)).expect("runs");
    let whole = text(&path);
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    // Stopped in the header, behind it, in the middle of a question, in the middle of a line, and at the end.
    for end in [0, 40, ends[0], ends[3], ends[4] + 17, ends[8] - 1, whole.len()] {
        fs_err::write(&path, &whole[..end]).expect("writes");
        let report = run_locomo(plan(&systems, &path)).expect("goes on");
        assert!(text(&path) == whole, "stopped at {end}");
        assert_eq!(report.rows(), whole_report.rows(), "stopped at {end}");
    }
    // A line that is there is believed: nobody is asked again.
    let forged = whole.replacen("What did Bo sell", "What (as it was) did Bo sell", 1);
    assert_ne!(forged, whole);
    fs_err::write(&path, &forged).expect("writes");
    run_locomo(plan(&systems, &path)).expect("goes on");
    assert!(text(&path) == forged);
}

/// How often [`STOPPING`] has read a conversation, and whether it asks to stop.
static READ: AtomicUsize = AtomicUsize::new(0);
static STOP: AtomicBool = AtomicBool::new(false);
/// Ranks the first turn, and asks to stop when it reads a conversation for the third time.
static STOPPING: System = System {
    name: "stopping",
    about: "the first turn",
    gives: Gives::Ranking,
    open: |_, _| {
        STOP.store(READ.fetch_add(1, Ordering::SeqCst) == 2, Ordering::SeqCst);
        Ok(Box::new(First))
    },
};

struct First;

impl Ranker for First {
    fn rank(&self, _: &Asked<'_>) -> Result<Ranking, EvalError> {
        Ok(Ranking { turns: vec![0], sessions: vec![0] })
    }
}

#[test]
fn who_is_stopped_has_the_first_part_of_the_run() {
    let runs = Runs::new();
    let path = runs.path("run.jsonl");
    let stopped = run_longmemeval(Plan { stop: Some(&STOP), ..plan(&[&STOPPING], &path) });
    assert!(matches!(stopped, Err(EvalError::Store(StoreError::Interrupted))), "{stopped:?}");
    // The first question has two populations, and the second one; what comes behind it was not begun.
    let ids: Vec<Value> = rows(&path).iter().skip(1).map(|row| row["id"].clone()).collect();
    assert_eq!(ids, ["q1", "q2"]);
    let first = text(&path);
    STOP.store(false, Ordering::SeqCst);
    let n_read = READ.load(Ordering::SeqCst);
    run_longmemeval(plan(&[&STOPPING], &path)).expect("goes on");
    assert!(text(&path).starts_with(&first) && rows(&path).len() == 1 + 3);
    assert_eq!(
        READ.load(Ordering::SeqCst) - n_read,
        2,
        "only the last question is asked, in two populations"
    );
}

#[test]
fn the_file_of_another_run_is_refused_and_left_as_it_is() {
    let runs = Runs::new();
    let (path, systems) = (runs.path("run.jsonl"), baselines());
    run_locomo(plan(&systems, &path)).expect("runs");
    let before = text(&path);
    let other = Plan { n_questions: 3, seed: 9, ..plan(&systems[..1], &path) };
    assert_eq!(
        refusal(run_locomo(other), &path),
        "RUN is another run, and is left as it is: `limit` is null there and 3 here, `questions` is 7 there and 3 here, \
         `seed` is 0 there and 9 here, `systems` is [\"bm25\",\"bm25-stem\"] there and [\"bm25\"] here"
    );
    let errata = Errata::read(&fixture("locomo_errata.json")).expect("reads");
    let corrected = locomo::evaluate(&fixture("locomo.json"), errata, plan(&systems, &path), &mut |_| ());
    assert!(refusal(corrected, &path).contains("`errata` is null there and {"));
    assert!(refusal(run_longmemeval(plan(&systems, &path)), &path).contains("`dataset` is \"locomo\" there"));
    assert!(text(&path) == before);
}

#[test]
fn what_is_no_run_is_refused_and_left_as_it_is() {
    let runs = Runs::new();
    let (path, systems) = (runs.path("run.jsonl"), baselines());
    run_locomo(plan(&systems, &path)).expect("runs");
    let whole = text(&path);
    let (head, lines) = whole.split_once('\n').expect("a header");
    let first = lines.lines().next().expect("a line");
    let mut changed: Value = serde_json::from_str(first).expect("JSON");
    let mut change = |pointer: &str, value: Value| {
        let before = std::mem::replace(changed.pointer_mut(pointer).expect(pointer), value);
        let text = format!("{head}\n{changed}\n");
        *changed.pointer_mut(pointer).expect(pointer) = before;
        text
    };
    let cases = [
        ("my notes".to_owned(), "RUN is no run file, and is left as it is"),
        ("{}\n".to_owned(), "RUN is no run file: expected a header in line 1"),
        (whole.replacen("\"run\":1", "\"run\":7", 1), "RUN is of version 7 of run files, and 1 is read here"),
        (format!("{head}\nx\n"), "RUN line 2: expected value"),
        (format!("{head}\n{first}\n{first}\n"), "RUN line 3: \"conv-1#0\" by \"bm25\" stands twice"),
        (change("/system", json!("other")), "RUN line 2: the run has no system \"other\""),
        (change("/parts/turn/scores/recall@1", json!(1.0)), "recall@1 is 1, and 0 by the ranks"),
        (
            change("/parts/turn/ranks", json!([[1]])),
            "\"D2:1\" stands at Some(2) of `ranked`, and its rank is Some(1)",
        ),
        (change("/parts/turn/ranks", json!([])), "`ranks` has not a rank for each document of `needed`"),
        (change("/parts/turn/scores", json!({ "recall@2": 1.0 })), "`scores` are to be"),
    ];
    for (text_of_file, expected) in cases {
        fs_err::write(&path, &text_of_file).expect("writes");
        let refused = refusal(run_locomo(plan(&systems, &path)), &path);
        assert!(refused.contains(expected), "{refused} has no {expected}");
        assert!(text(&path) == text_of_file, "it is left as it is: {expected}");
        assert!(Loaded::read(&path).is_err(), "{expected}");
    }
    // Lines in another order are not those of the run.
    let mut swapped: Vec<&str> = whole.lines().collect();
    swapped.swap(1, 2);
    fs_err::write(&path, format!("{}\n", swapped.join("\n"))).expect("writes");
    let refused = refusal(run_locomo(plan(&systems, &path)), &path);
    assert!(refused.contains("line 2 is that of \"conv-1#0\" by \"bm25-stem\", where"), "{refused}");
}
