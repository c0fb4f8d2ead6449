//! The commands of tool state: what they print for programs has the documented keys, and their exit codes say how it went.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::{Bench, Ran};
use bygone::Exit;

/// Runs a line of words without quotes.
fn run(bench: &mut Bench, line: &str) -> Ran {
    bench.run(&line.split(' ').collect::<Vec<_>>())
}

/// Runs a line that must do what it is asked, and returns its rows.
fn rows(bench: &mut Bench, line: &str) -> Vec<Value> {
    run(bench, &format!("{line} --json")).expect_exit(Exit::Done).rows()
}

/// Checks that the first row of a line has these keys and no others.
#[track_caller]
fn check(bench: &mut Bench, line: &str, keys: &str) -> Value {
    let row = rows(bench, line).into_iter().next().unwrap_or_else(|| panic!("{line}: nothing"));
    let found: Vec<&str> = row.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut expected: Vec<&str> = keys.split(' ').collect();
    expected.sort_unstable();
    assert_eq!(found, expected, "{line}");
    row
}

const CURSOR: &str = "name value seq at by until expired source_version";

#[test]
fn cursors_are_set_by_who_has_seen_the_last_value() {
    let mut bench = Bench::new();
    let set = check(&mut bench, "cursor set pages 17 --agent scout --source-version v1", CURSOR);
    assert_eq!((&set["value"], &set["seq"], &set["by"]), (&"17".into(), &1.into(), &"scout".into()));
    run(&mut bench, "cursor set pages 18 --expect 17").expect_exit(Exit::Done);
    let lost = run(&mut bench, "cursor set pages 19 --expect 17 --json").expect_exit(Exit::No);
    assert_eq!(lost.rows()[0]["value"], "18");
    run(&mut bench, "cursor set pages 19 --expect-seq 1").expect_exit(Exit::No);
    run(&mut bench, "cursor set pages 19 --expect-seq 2").expect_exit(Exit::Done);
    run(&mut bench, "cursor set fresh 1 --expect-seq 0").expect_exit(Exit::Done);
    // What it held in each commit, and what was known in each.
    for (seq, value) in [(1, "17"), (2, "18"), (3, "19")] {
        let then = check(&mut bench, &format!("cursor get pages --recorded {seq}"), CURSOR);
        assert_eq!(then["value"], value);
        let known = then["at"].as_str().expect("a time");
        assert_eq!(rows(&mut bench, &format!("cursor get pages --known {known}"))[0]["value"], value);
    }
    let none = run(&mut bench, "cursor get nothing --json").expect_exit(Exit::No);
    assert_eq!(none.rows()[0]["value"], Value::Null);
}

#[test]
fn a_cursor_runs_out() {
    let mut bench = Bench::new();
    run(&mut bench, "cursor set lock me --ttl 1h").expect_exit(Exit::Done);
    let get = |bench: &mut Bench, now: &str| run(bench, &format!("cursor get lock --now {now} --json"));
    assert_eq!(get(&mut bench, "2025-12-01T00:59:59Z").expect_exit(Exit::Done).rows()[0]["value"], "me");
    let late = get(&mut bench, "2025-12-01T01:00:01Z").expect_exit(Exit::No).rows()[0].clone();
    assert_eq!((&late["value"], &late["expired"]), (&Value::Null, &true.into()));
    // What it held before does not come back.
    run(&mut bench, "cursor set lock old --now 2025-12-01T01:30:00Z").expect_exit(Exit::Done);
    run(&mut bench, "cursor set lock new --ttl 1m --now 2025-12-01T01:31:00Z").expect_exit(Exit::Done);
    assert_eq!(get(&mut bench, "2025-12-01T01:31:59Z").expect_exit(Exit::Done).rows()[0]["value"], "new");
    assert_eq!(get(&mut bench, "2025-12-01T01:32:01Z").expect_exit(Exit::No).rows()[0]["value"], Value::Null);
    // What has run out is as good as unset.
    run(&mut bench, "cursor set lock you --now 2025-12-01T02:00:00Z --expect=").expect_exit(Exit::Done);
}

#[test]
fn a_request_under_one_key_is_done_once() {
    let mut bench = Bench::new();
    let line = "cursor set a 1 --idempotency-key k --json";
    let first = run(&mut bench, line).expect_exit(Exit::Done).output;
    run(&mut bench, "cursor set a 2").expect_exit(Exit::Done);
    assert_eq!(run(&mut bench, line).expect_exit(Exit::Done).output, first);
    assert_eq!(rows(&mut bench, "cursor get a")[0]["value"], "2");
    let other = run(&mut bench, "cursor set a 3 --idempotency-key k").expect_exit(Exit::BadInput);
    assert!(other.errors.contains("\"k\""), "{}", other.errors);
}

#[test]
fn the_rows_of_each_command_have_the_documented_keys() {
    let mut bench = Bench::new();
    let lease = "agent epoch incarnation at until fences";
    check(&mut bench, "lease start builder --role builds --ttl 60s", lease);
    check(&mut bench, "lease beat builder --epoch 1 --progress half", lease);
    let agent = "agent epoch incarnation role liveness basis last_seen age_seconds since until progress last_words \
                 parent lifetime";
    assert_eq!(check(&mut bench, "agents", agent)["liveness"], "alive");
    let call = "key tool input input_digest retry state basis attempt by started_at at seq result error \
                retry_is_safe advice from turn result_turn";
    let began =
        check(&mut bench, "call begin fetch --key k1 --agent builder --epoch 1", &format!("{call} answer"));
    assert_eq!(began["answer"], "run");
    check(&mut bench, "call show k1", call);
    check(
        &mut bench,
        "call succeed k1 --result ok --agent builder --epoch 1",
        &format!("{call} was_settled"),
    );
    let replay = check(&mut bench, "call begin fetch --key k1 --agent builder", &format!("{call} answer"));
    assert_eq!((&replay["answer"], &replay["result"]), (&"replay".into(), &"ok".into()));

    check(&mut bench, "work add pages 9 10 8", "set status items changed seq");
    check(&mut bench, "work failed pages 9 --reason slow", "set status items changed seq");
    let item = "item status attempts reason at seq by";
    check(&mut bench, "work list pages", item);
    let missing = rows(&mut bench, "work missing pages");
    assert_eq!(missing.iter().map(|row| &row["item"]).collect::<Vec<_>>(), ["8", "9", "10"]);
    check(&mut bench, "work count pages", "set queued done failed items");

    let checkpoint = "checkpoint state bytes parent label reason at seq by session pruned";
    let saved = bench.run_with(&["checkpoint", "save", "-", "--json"], b"a state").expect_exit(Exit::Done);
    let id = saved.rows()[0]["checkpoint"].as_str().expect("an id").to_owned();
    check(&mut bench, "checkpoint list", checkpoint);
    assert_eq!(run(&mut bench, &format!("checkpoint restore {id}")).output, "a state");
    check(&mut bench, "artifact set report.md --missing tables", "path hash missing complete at seq by");

    let message = "id kind subject body handover from to cc sent_at status status_at status_by priority due overdue \
                   reply_to read_by";
    check(&mut bench, "inbox send --to tester --subject hello --body look --agent builder", message);
    check(&mut bench, "inbox list --agent tester", message);
    let decision = "topic choice because over by authority at statement in_force superseded_by proposed";
    check(&mut bench, "decide database postgres --because known --agent builder", decision);
    check(&mut bench, "decisions", decision);
    let promise = "id text by to at due state state_at state_by overdue";
    check(&mut bench, "promise ship --to Anna --due 2025-11-01 --agent builder", promise);
    assert_eq!(check(&mut bench, "promises --overdue", promise)["overdue"], true);
    let attempt = "approach because topic by at statement";
    check(&mut bench, "attempt regexes --because slow --on parsing --agent builder", attempt);
    check(&mut bench, "attempts", attempt);
    check(&mut bench, "task set --objective release --next test --agent builder", "of objective doing next");
    check(&mut bench, "task show --agent builder", "of objective doing next");

    let observed = check(&mut bench, "observe file:/a/b.py v1", "source version was statement at");
    let stood_on = observed["statement"].as_str().expect("an id").to_owned();
    let conclude = format!("conclude file:/a/b.py noted good --from {stood_on}");
    check(&mut bench, &conclude, "statement premises at");
    assert_eq!(rows(&mut bench, "stale").len(), 0);
    run(&mut bench, "observe file:/a/b.py v2").expect_exit(Exit::Done);
    let stale = &rows(&mut bench, "stale")[0];
    assert_eq!(stale["verdict"], "stale_premise");
    // From the conclusion down to what fell.
    let path = stale["premise"]["path"].as_array().expect("a path");
    assert_eq!(path.last().expect("its end")["assertion"], stood_on);
    run(&mut bench, "verify").expect_exit(Exit::Done);
}

#[test]
fn a_run_that_is_over_writes_nothing_more() {
    let mut bench = Bench::new();
    run(&mut bench, "lease start builder").expect_exit(Exit::Done);
    run(&mut bench, "cursor set a 1 --agent builder --epoch 1").expect_exit(Exit::Done);
    run(&mut bench, "lease start builder").expect_exit(Exit::Done);
    for line in [
        "cursor set a 2",
        "work done s x",
        "decide t c --because r",
        "task set --next n",
        "call begin t --key k",
    ] {
        let refused = run(&mut bench, &format!("{line} --agent builder --epoch 1")).expect_exit(Exit::No);
        assert!(refused.errors.contains("builder#1 may not write"), "{line}: {}", refused.errors);
    }
    assert_eq!(rows(&mut bench, "cursor get a")[0]["value"], "1");
    let late = rows(&mut bench, "facts --predicate late_write --valid all");
    assert_eq!(late.len(), 5);
}

#[test]
fn what_two_sessions_say_stands_by_the_other_where_one_is_erased() {
    let mut bench = Bench::new();
    bench.file("report", "a state");
    let report = crate::support::text_of(&bench.path("report"));
    for session in ["s1", "s2"] {
        for line in ["work done pages 1", "artifact set report.md --complete"] {
            run(&mut bench, &format!("{line} --session {session}")).expect_exit(Exit::Done);
        }
        let words = ["checkpoint", "save", &report, "--agent", "scout", "--session", session];
        bench.run(&words).expect_exit(Exit::Done);
    }
    assert_eq!(rows(&mut bench, "work list pages")[0]["attempts"], 1);
    run(&mut bench, "erase --session s1").expect_exit(Exit::Done);
    for line in ["work list pages", "artifact list", "checkpoint list"] {
        assert_eq!(rows(&mut bench, line).len(), 1, "{line}");
    }
    run(&mut bench, "erase --session s2").expect_exit(Exit::Done);
    assert_eq!(rows(&mut bench, "work list pages").len(), 0);
}

#[test]
fn what_was_answered_to_a_request_is_no_leave_once_things_have_gone_on() {
    let mut bench = Bench::new();
    run(&mut bench, "lease start a").expect_exit(Exit::Done);
    let begin = "call begin t --key k --agent a --epoch 1 --idempotency-key i --json";
    assert_eq!(run(&mut bench, begin).expect_exit(Exit::Done).rows()[0]["answer"], "run");
    // Sent twice because nobody knows whether it was done.
    assert_eq!(run(&mut bench, begin).expect_exit(Exit::Done).rows()[0]["answer"], "run");
    run(&mut bench, "call succeed k --result 7 --agent a --epoch 1").expect_exit(Exit::Done);
    assert_eq!(run(&mut bench, begin).expect_exit(Exit::Done).rows()[0]["answer"], "replay");
    run(&mut bench, "lease start a").expect_exit(Exit::Done);
    let refused = run(&mut bench, begin).expect_exit(Exit::No);
    assert!(refused.errors.contains("a#1 may not write"), "{}", refused.errors);
    run(&mut bench, "cursor set c 1 --agent a#1").expect_exit(Exit::No);
    run(&mut bench, "cursor set c 1 --agent a#2").expect_exit(Exit::Done);
    run(&mut bench, "cursor set c 1 --agent a#2 --epoch 1").expect_exit(Exit::Usage);
}

#[test]
fn secrets_in_tool_state_are_masked_and_counted_unless_they_are_to_be_kept() {
    let mut bench = Bench::new();
    let token = ["ghp", "x7Kq2mVt9RbLw4ZpYc8JnHd5SfGa3Xe6Uv1T"].join("_");
    let stars = "*".repeat(token.len());
    let set = rows(&mut bench, &format!("cursor set key {token}")).remove(0);
    assert_eq!((&set["value"], &set["redacted"]), (&stars.as_str().into(), &1.into()));
    run(&mut bench, &format!("cursor set key {token} --expect {token}")).expect_exit(Exit::Done);
    for line in [
        "work add set @",
        "work failed set 7 --reason @",
        "decide topic @ --because @",
        "attempt @ --because no",
        "task set --next @ --agent a",
        "observe file:/a @",
        "inbox send --to b --subject @ --body @ --agent a",
        "call begin tool --key k --input \"@\" --agent a",
        "call fail k --error @ --agent a",
    ] {
        let row = rows(&mut bench, &line.replace('@', &token)).remove(0);
        let n_secrets = line.matches('@').count();
        assert_eq!(row["redacted"], n_secrets, "{line}");
        assert!(!row.to_string().contains(&token), "{line}: {row}");
    }
    let missing = rows(&mut bench, &format!("work missing set {token}"));
    assert_eq!((&missing[0]["item"], &missing[0]["status"]), (&stars.as_str().into(), &"queued".into()));
    let kept = rows(&mut bench, &format!("cursor set kept {token} --keep-secrets")).remove(0);
    assert_eq!((&kept["value"], kept.get("redacted")), (&token.as_str().into(), None));
    let plain = rows(&mut bench, "cursor set plain 17").remove(0);
    assert_eq!(plain.get("redacted"), None);
}

#[test]
fn an_export_is_imported_elsewhere_with_work_sets_and_checkpoints() {
    let mut bench = Bench::new();
    run(&mut bench, "work add pages 1 2 x --agent a").expect_exit(Exit::Done);
    run(&mut bench, "work failed pages 2 --reason late --agent b").expect_exit(Exit::Done);
    let state = bench.file("state", "where I am");
    let saved = rows(&mut bench, &format!("checkpoint save {state} --agent a")).remove(0);
    let exported = bench.export("default");
    let file = bench.file("export.jsonl", &exported);
    let told = rows(&mut bench, &format!("import {file} --space copy"));
    assert_eq!(
        (&told[1]["work"], &told[1]["checkpoints"], &told[1]["refused"]),
        (&4.into(), &1.into(), &0.into())
    );
    assert_eq!(bench.export("copy"), exported);
    // Packed or not, all of it is read.
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(exported.as_bytes()).expect("is packed");
    let packed = bench.file("export.jsonl.gz", gzip.finish().expect("is packed"));
    let told = rows(&mut bench, &format!("import {packed} --space unpacked"));
    assert_eq!((&told[1]["work"], &told[1]["checkpoints"]), (&4.into(), &1.into()));
    assert_eq!(bench.export("unpacked"), exported);
    let items = |bench: &mut Bench, space: &str| -> Vec<Value> {
        let mut items = rows(bench, &format!("work list pages --space {space}"));
        for item in &mut items {
            item["seq"] = Value::Null;
        }
        items
    };
    assert_eq!(items(&mut bench, "copy"), items(&mut bench, "default"));
    let id = saved["checkpoint"].as_str().or(saved["id"].as_str()).expect("an id");
    let restored = run(&mut bench, &format!("checkpoint restore {id} --space copy")).expect_exit(Exit::Done);
    assert_eq!(restored.output, "where I am");
    let again = rows(&mut bench, &format!("import {file} --space copy"));
    assert_eq!((&again[1]["work"], &again[1]["checkpoints"]), (&0.into(), &0.into()));
    // Who reads statements alone passes over the rest.
    let asserted = rows(&mut bench, &format!("assert {file} --space statements")).remove(0);
    assert_eq!((&asserted["skipped"], &asserted["quarantined"]), (&4.into(), &0.into()));
    let statements = run(&mut bench, "export --statements").expect_exit(Exit::Done).output;
    assert!(exported.starts_with(&statements) && !statements.contains("work_set"), "{statements}");
    run(&mut bench, "verify --space copy").expect_exit(Exit::Done);
}
