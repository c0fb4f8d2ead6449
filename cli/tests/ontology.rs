//! Declarations of a store's own: what is accepted holds for what is stored, as if it had held from the start, and views
//! of the recorded past answer as they did.

use crate::support::Bench;
use bygone::Exit;
use serde_json::Value;

/// Who mentors whom, several after one another, and two at a time never.
const STATEMENTS: &str = r#"
{"subject":"person:Ada","predicate":"mentored_by","object":{"entity":"person:Grace"},"from":"2020","known_at":"2024-01-01","source":"notes#1"}
{"subject":"person:Ada","predicate":"mentored_by","object":{"entity":"person:Mary"},"from":"2022","known_at":"2024-01-02","source":"notes#2"}
{"subject":"person:Bob","predicate":"mentored_by","object":{"entity":"person:Grace"},"from":"2021","known_at":"2024-01-03","source":"notes#3"}
{"subject":"person:Bob","predicate":"climbs","object":{"entity":"peak:Eiger"},"from":"2023-05-01","to":"2023-05-02","known_at":"2024-01-04","source":"notes#4"}
"#;

fn bench() -> Bench {
    let mut bench = Bench::new();
    let file = bench.file("statements.jsonl", STATEMENTS.trim_start());
    bench.done(&["assert", &file]);
    bench
}

fn facts(bench: &mut Bench, more: &[&str]) -> String {
    let words = [&["facts", "--json", "--valid", "all"], more].concat();
    bench.done(&words).output
}

#[test]
fn what_is_accepted_holds_as_if_it_had_held_from_the_start() {
    let mut bench = bench();
    let open = facts(&mut bench, &[]);
    let text = bench.done(&["ontology", "suggest", "--toml"]).output;
    bench.done(&["ontology", "accept", "mentored_by", "climbs"]);
    let accepted = facts(&mut bench, &[]);
    assert_ne!(accepted, open, "Mary took over from Grace");

    let mut fresh = Bench::new();
    let toml = fresh.file("own.toml", text);
    fresh.done(&["ontology", "accept", "--file", &toml]);
    let file = fresh.file("statements.jsonl", STATEMENTS.trim_start());
    fresh.done(&["assert", &file]);
    assert_eq!(facts(&mut fresh, &[]), accepted);
    for bench in [&mut bench, &mut fresh] {
        bench.done(&["verify"]);
        bench.close();
        assert_eq!(facts(bench, &[]), accepted, "it is so when the store is opened again");
    }
}

#[test]
fn a_view_of_the_recorded_past_answers_as_it_did() {
    let mut bench = bench();
    let before = facts(&mut bench, &["--history"]);
    let accepted = bench.done(&["ontology", "accept", "mentored_by", "--json"]).row();
    assert_eq!(accepted["seq"], 2);
    assert_ne!(facts(&mut bench, &["--history"]), before);
    assert_eq!(facts(&mut bench, &["--history", "--recorded", "1"]), before);
    let shown = bench.run(&["ontology", "show", "mentored_by", "--recorded", "1"]);
    assert_eq!(shown.exit, Exit::No);
    bench.done(&["ontology", "withdraw", "mentored_by"]);
    assert_eq!(facts(&mut bench, &["--history"]), before, "it is open again");
}

#[test]
fn accepting_the_same_again_changes_nothing() {
    let mut bench = bench();
    let text = bench.done(&["ontology", "suggest", "--toml"]).output;
    bench.run_with(&["ontology", "accept", "--file", "-"], text.as_bytes()).expect_exit(Exit::Done);
    let again = bench.run_with(&["ontology", "accept", "--file", "-", "--json"], text.as_bytes());
    assert_eq!(again.expect_exit(Exit::Done).row()["seq"], Value::Null);
    let left = bench.done(&["ontology", "suggest", "--json"]);
    assert_eq!(left.output, "", "nothing is left to suggest");
}

#[test]
fn what_cannot_be_declared_says_why() {
    let mut bench = bench();
    let unknown = bench.run(&["ontology", "accept", "works_at"]).expect_exit(Exit::Usage);
    assert!(unknown.errors.contains("\"works_at\" is not among what the data suggests"), "{unknown:?}");
    let again = b"[[predicate]]\nid = \"works_at\"\ndomain = [\"any\"]\nrange = [\"any\"]\nkind = \"state\"\ncardinality = \"many\"\n";
    let refused = bench.run_with(&["ontology", "accept", "--file", "-"], again).expect_exit(Exit::BadInput);
    assert!(refused.errors.contains("-:2:6: \"works_at\" is already declared"), "{refused:?}");
    bench.run(&["ontology", "withdraw", "works_at"]).expect_exit(Exit::Usage);
    bench.run(&["ontology", "accept"]).expect_exit(Exit::Usage);
    bench.done(&["ontology", "accept", "climbs"]);
    let needed = bench.run(&["ontology", "withdraw", "peak"]).expect_exit(Exit::Usage);
    assert!(needed.errors.contains("unknown type \"peak\""), "{needed:?}");
    let no_store = Bench::new().run(&["ontology", "accept", "climbs"]);
    assert_eq!(no_store.exit, Exit::BadInput);
}

#[test]
fn statements_and_files_are_checked_against_what_is_in_force() {
    let mut bench = bench();
    let misfits = bench.run(&["ontology", "check", "--json"]).expect_exit(Exit::No);
    assert_eq!(misfits.rows().len(), 2, "{misfits:?}");
    bench.done(&["ontology", "accept", "mentored_by", "climbs"]);
    bench.done(&["ontology", "check"]);
    let text = b"[types]\nvalley = { parent = \"peak\" }\n";
    bench.run_with(&["ontology", "check", "-"], text).expect_exit(Exit::Done);
    let wrong =
        bench.run_with(&["ontology", "check", "-", "--json"], b"[types]\nvalley = { parent = \"moon\" }\n");
    let row = wrong.expect_exit(Exit::BadInput).row();
    assert_eq!((&row["line"], &row["column"]), (&Value::from(2), &Value::from(21)), "{row}");
}

#[test]
fn the_shell_knows_what_an_earlier_line_declared() {
    let mut bench = bench();
    let script = b"ontology accept climbs\nontology show climbs\nfacts --predicate climbs --valid all\n";
    let ran = bench.run_with(&["repl"], script).expect_exit(Exit::Done);
    assert!(ran.output.contains("event, many"), "{ran:?}");
}
