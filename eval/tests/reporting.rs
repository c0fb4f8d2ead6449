//! Runs as a document: its tables, what stands with them, and what is refused.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bygone_engine::store::VectorMode;
use bygone_eval::dataset::errata::Errata;
use bygone_eval::retrieval::{Plan, SYSTEMS, System, locomo, longmemeval};
use bygone_eval::run::report::markdown;
use bygone_eval::run::{Loaded, MadeBy};
use serde_json::json;
use tempfile::TempDir;

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
        made_by: MadeBy { build: "b", machine: "a machine | another" },
    }
}

fn named(names: &[&str]) -> Vec<&'static System> {
    names.iter().map(|name| *SYSTEMS.iter().find(|system| system.name == *name).expect(name)).collect()
}

fn locomo_run(folder: &TempDir, name: &str, systems: &[&str]) -> Loaded {
    let out = folder.path().join(name);
    let (systems, errata) = (named(systems), Errata::default());
    locomo::evaluate(&fixture("locomo.json"), errata, plan(&systems, &out), &mut |_| ()).expect("runs");
    Loaded::read(&out).expect("reads")
}

fn longmemeval_run(folder: &TempDir, name: &str) -> Loaded {
    let out = folder.path().join(name);
    let systems = named(&["bm25-stem", "bm25"]);
    longmemeval::evaluate(&fixture("longmemeval.json"), plan(&systems, &out), &mut |_| ()).expect("runs");
    Loaded::read(&out).expect("reads")
}

#[test]
fn a_document_has_a_section_for_each_data_set_with_runs_hashes_and_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = locomo_run(&folder, "stems.jsonl", &["bm25-stem", "full"]);
    let second = locomo_run(&folder, "my words.jsonl", &["bm25"]);
    let runs = [first, longmemeval_run(&folder, "longmemeval.jsonl"), second];
    let text = markdown(&runs).expect("a document");
    assert_eq!(text, markdown(&runs).expect("a document"), "the same runs give the same bytes");
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let expected = [
        "# Results",
        "## LoCoMo, retrieval",
        "### Turns",
        "### Runs",
        "## LongMemEval, retrieval",
        "### Sessions, of both sides",
        "### Turns, of both sides",
        "### Sessions",
        "### Turns",
        "### Runs",
    ];
    assert_eq!(headings, expected);
    let [stems, longmemeval, words] = &runs;
    for run in [stems, longmemeval, words] {
        assert!(text.contains(&run.hash[..16]) && text.contains(&run.lines_hash[..16]), "{}", run.name);
        assert!(text.contains(&run.header.data.hash), "{}", run.name);
    }
    for line in [
        "bygone eval locomo locomo.json --system bm25-stem,full --out stems.jsonl",
        "bygone eval locomo locomo.json --system bm25 --out 'my words.jsonl'",
        "bygone eval longmemeval longmemeval.json --system bm25-stem,bm25 --out longmemeval.jsonl",
        "Counted together: multi-hop, temporal, open-domain, single-hop.",
        "| system | run | questions | recall@1 | recall@5 | recall@10 | recall@20 | tokens@10 |",
        // Six questions: 0, 0.5, 1, 0, 0 and 1 at the first place.
        "| `bm25-stem` | `stems.jsonl` | 6 | 0.417 (0.083–0.750) | 1.000 (1.000–1.000) |",
        "| `full` | `stems.jsonl` | 6 | – | – | – | – | – |",
        "| type | questions | `bm25-stem`, `stems.jsonl` | `bm25`, `my words.jsonl` |",
        "| multi-hop | 2 | 1.000 | 1.000 |",
        "recall@10 of `bm25-stem` less that of others, question by question:",
        "| `bm25`, `my words.jsonl` | 6 | +0.000 | +0.000 to +0.000 | 1.0000 |",
        "a machine \\| another",
    ] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
    assert!(!text.contains("right, as"), "nobody judged");
}

#[test]
fn a_share_of_right_answers_stands_with_its_judge_and_another_judge_is_another_section() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("answers.jsonl");
    let judged = |judge: &str, name: &str| {
        let header = json!({
            "run": 1, "task": "answers", "dataset": "locomo",
            "data": { "file": "l.json", "hash": "0".repeat(64), "bytes": 1 }, "errata": null, "limit": null,
            "questions": 2, "counted": null, "k": [], "systems": ["bygone"], "settings": { "context_tokens": 900 },
            "parts": { "answer": { "granularity": "turn", "roles": ["both speakers"], "population": "all" } },
            "reader": { "model": "small", "base": "http://r", "temperature": 0.0, "seed": null, "max_tokens": 9,
                        "prompts": {}, "price": [0.0, 0.0] },
            "judge": { "model": judge, "base": "http://j", "temperature": 0.0, "seed": null, "max_tokens": 9,
                       "prompts": {}, "price": [0.0, 0.0] },
            "seed": 0, "version": "0.1.0", "build": "b", "machine": "m",
        });
        let line = |id: &str, is_right: bool| {
            let scores = json!({ "right": f64::from(is_right), "f1": 0.5, "context_tokens": 40.0 });
            json!({
                "id": id, "system": "bygone", "type": "temporal", "question": "When?",
                "parts": { "answer": { "needed": [], "ranked": [], "ranks": [], "scores": scores } },
                "answered": { "right": "May", "said": "May", "abstains": false, "unanswerable": false,
                              "judged_by": judge, "verdict": is_right, "judge_said": "yes", "reader": null, "judge": null },
            })
        };
        let text = format!("{header}\n{}\n{}\n", line("a", true), line("b", false));
        let path = out.with_file_name(name);
        fs_err::write(&path, text).expect("writes");
        Loaded::read(&path).expect("reads")
    };
    let text = markdown(&[judged("strict", "one.jsonl"), judged("kind", "two.jsonl")]).expect("a document");
    for line in [
        "## LoCoMo, answers, judged by strict",
        "## LoCoMo, answers, judged by kind",
        "| system | run | questions | right, as strict judges | f1 | context_tokens |",
        "| `bygone + small` | `one.jsonl` | 2 | 0.500 (0.000–1.000) | 0.500 (0.500–0.500) | 40 (40–40) |",
        "bygone eval locomo l.json --system bygone --reader small --endpoint http://r --context 900 --judge strict \
         --judge-endpoint http://j --temperature 0.0 --max-tokens 9 --out one.jsonl",
    ] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
    // A verdict that was changed by hand is refused.
    let forged = fs_err::read_to_string(out.with_file_name("one.jsonl")).expect("a run");
    let forged = forged.replacen("\"verdict\":false", "\"verdict\":true", 1);
    fs_err::write(&out, forged).expect("writes");
    let refused = Loaded::read(&out).expect_err("is refused").to_string();
    assert!(refused.contains("line 3: answer: `right` does not follow from the verdict"), "{refused}");
}

#[test]
fn a_run_that_was_stopped_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = locomo_run(&folder, "run.jsonl", &["bm25"]);
    run.lines.pop();
    let refused = markdown(&[run]).expect_err("is refused").to_string();
    assert!(refused.contains("run.jsonl was stopped, and can be gone on with"), "{refused}");
}
