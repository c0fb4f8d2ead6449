//! Runs are compared question by question where they were asked the same, and refused where they were not.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bygone_engine::store::VectorMode;
use bygone_eval::dataset::errata::Errata;
use bygone_eval::retrieval::{Plan, SYSTEMS, System, locomo, longmemeval};
use bygone_eval::run::compare::{Difference, Side, compare, summary};
use bygone_eval::run::{Loaded, MadeBy};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
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
        made_by: MadeBy::default(),
    }
}

/// The baselines, which are soon done.
fn baselines() -> Vec<&'static System> {
    SYSTEMS.iter().copied().filter(|system| system.name.starts_with("bm25")).collect()
}

/// Runs LoCoMo, and reads the run.
fn run(errata: Errata, plan: Plan<'_>) -> Loaded {
    locomo::evaluate(&fixture("locomo.json"), errata, plan, &mut |_| ()).expect("runs");
    Loaded::read(plan.out.expect("a path")).expect("reads")
}

/// The difference of one score of all questions.
fn of_all(differences: &[Difference], part: &str, score: &str) -> Difference {
    let mut found = differences.iter().filter(|one| one.part == part && one.score == score);
    found.find(|one| one.kind.is_none()).expect(score).clone()
}

#[test]
fn two_systems_are_compared_question_by_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = run(Errata::default(), plan(&baselines(), &folder.path().join("run.jsonl")));
    let [plain, stems] = ["bm25", "bm25-stem"].map(|system| Side { run: &run, system });
    let differences = compare(plain, stems, 0).expect("compares");
    let first = of_all(&differences, "turn", "recall@1");
    // The six counted questions score 0 each, and 0.5, 1, 0, 0, 1, 0 with stems: 2.5 of 6.
    assert_eq!((first.n_questions, first.means), (6, [0.0, 2.5 / 6.0]));
    assert!((first.difference - 2.5 / 6.0).abs() < 1e-12);
    assert!(first.interval[0] > 0.0 && first.interval[1] < 1.0, "{first:?}");
    // Two of the eight ways to set the signs of three differences reach as far.
    assert!((first.p - 0.25).abs() < 0.02, "{first:?}");
    let kinds: Vec<Option<&str>> =
        differences.iter().filter(|one| one.score == "recall@1").map(|one| one.kind.as_deref()).collect();
    let expected = [
        None,
        Some("adversarial"),
        Some("multi-hop"),
        Some("open-domain"),
        Some("single-hop"),
        Some("temporal"),
    ];
    assert_eq!(kinds, expected);
    let back = of_all(&compare(stems, plain, 0).expect("compares"), "turn", "recall@1");
    assert!((back.difference + first.difference).abs() < 1e-12 && (back.p - first.p).abs() < 1e-12);
    let same = of_all(&compare(plain, plain, 0).expect("compares"), "turn", "recall@1");
    assert!((same.p - 1.0).abs() < 1e-12 && same.interval == [0.0, 0.0], "{same:?}");
    assert_eq!(summary(plain, stems, 0)["b"]["system"], "bm25-stem");
}

#[test]
fn what_was_not_asked_the_same_is_not_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (systems, none) = (baselines(), Errata::default);
    let [bm25, full] =
        ["bm25", "full"].map(|name| SYSTEMS.iter().copied().find(|one| one.name == name).expect(name));
    let whole = run(none(), plan(&[bm25, full], &path("whole")));
    let refused = |run: &Loaded, system: &str| {
        let one = Side { run: &whole, system: "bm25" };
        compare(one, Side { run, system }, 0).expect_err("is refused").to_string()
    };
    assert!(refused(&whole, "nobody").contains("whole has no system \"nobody\", only bm25, full"));
    assert!(refused(&whole, "full").contains("they have no score in common"));
    let few = run(none(), Plan { n_questions: 3, ..plan(&systems, &path("few")) });
    assert!(refused(&few, "bm25").contains("`limit` is null in the first and 3 in the second"));
    let corrected = Errata::read(&fixture("locomo_errata.json")).expect("reads");
    let corrected = run(corrected, plan(&systems, &path("corrected")));
    assert!(refused(&corrected, "bm25").contains("`errata` is null in the first"));
    let other = path("other");
    longmemeval::evaluate(&fixture("longmemeval.json"), plan(&systems, &other), &mut |_| ()).expect("runs");
    let other = Loaded::read(&other).expect("reads");
    assert!(
        refused(&other, "bm25")
            .contains("`dataset` is \"locomo\" in the first and \"longmemeval\" in the second")
    );
    let stopped = path("stopped");
    run(none(), plan(&systems, &stopped));
    let text = fs_err::read_to_string(&stopped).expect("a run");
    let lines: Vec<&str> = text.split_inclusive('\n').take(5).collect();
    fs_err::write(&stopped, lines.concat()).expect("writes");
    let stopped = Loaded::read(&stopped).expect("reads");
    assert!(refused(&stopped, "bm25").contains("stopped has 4 of 14 lines: it was stopped"));
    // The same data under another name, by another version and on another machine, is the same data.
    let mut renamed = whole.clone();
    renamed.header.data.file = "other.json".to_owned();
    (renamed.header.version, renamed.header.machine) = ("0".to_owned(), "other".to_owned());
    assert!(compare(Side { run: &whole, system: "bm25" }, Side { run: &renamed, system: "bm25" }, 0).is_ok());
}
