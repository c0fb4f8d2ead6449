//! How the packet comes to fit its budget.

use bygone_query::context::tokens;
use bygone_query::resume::{LeftOut, Packet, Section, fit};
use bygone_query::state::attempt::fail;
use serde_json::json;

use super::super::desk::agent;
use super::transcript::Transcript;
use super::{Desk, packet_of};

/// Forty attempts, forty files, and a compaction.
fn full() -> Packet {
    let desk = Desk::new();
    let mut told = Transcript::new("s1", "a");
    told.user("2026-03-01T09:00:00Z", "Ship it");
    for minute in 1..40 {
        let times = [format!("2026-03-01T09:{minute:02}:00Z"), format!("2026-03-01T09:{minute:02}:01Z")];
        told.did(
            [&times[0], &times[1]],
            "Write",
            &json!({}),
            &[("agent:a", "wrote", "", json!({ "entity": format!("file:/p/module_{minute}.py") }))],
        );
    }
    told.harness("2026-03-01T10:00:00Z", "This session is being continued from a previous conversation.");
    desk.record(told.into_recording(), "2026-03-01T10:01:00Z");
    for minute in 10..50 {
        let now = format!("2026-03-01T11:{minute}:00Z");
        let approach = format!("approach number {minute}");
        desk.act(&now, |snapshot, place| {
            fail(snapshot, place, &agent("a"), &approach, "it did not work", None)
        })
        .expect("told");
    }
    packet_of(&desk, Some("a"), "2026-03-02")
}

#[test]
fn whatever_the_budget_it_is_kept_and_nothing_is_lost_without_a_word() {
    let packet = full();
    let whole = fit(&packet, 1_000_000);
    assert!(whole.left_out.is_empty());
    for budget in [1, 20, 60, 100, 150, 200, 400, 800, 1_500, 2_000, 3_000, 10_000] {
        let fitted = fit(&packet, budget);
        assert_eq!(fitted.tokens, tokens(&fitted.text));
        assert!(fitted.tokens <= budget, "{} of {budget}", fitted.tokens);
        // Every line is one of the whole.
        for line in fitted.text.lines().filter(|line| line.starts_with("- ")) {
            assert!(whole.text.contains(line), "{line}");
        }
        let n_lines = fitted.text.lines().filter(|line| line.starts_with("- ")).count();
        let n_left_out: usize = fitted.left_out.iter().map(|left_out| left_out.n_lines).sum();
        let n_all = whole.text.lines().filter(|line| line.starts_with("- ")).count();
        assert_eq!(n_lines + n_left_out, n_all, "{budget}");
        let json = packet.to_json(&fitted);
        let n_rows: usize =
            Section::ALL.iter().map(|section| json[section.name()].as_array().expect("rows").len()).sum();
        assert_eq!(n_rows, n_lines, "{budget}");
        for LeftOut { n_lines, section, .. } in &fitted.left_out {
            let said = format!("{n_lines} of {}", section.heading().to_lowercase());
            assert!(fitted.text.contains(&said) || n_rows == 0, "{section:?} at {budget}");
        }
    }
}

#[test]
fn the_least_important_goes_first_and_many_lines_do_not_crowd_out_few() {
    let packet = full();
    let kept = |budget: usize| {
        let fitted = fit(&packet, budget);
        [Section::Objective, Section::Attempts, Section::Changes, Section::Compacted]
            .map(|section| fitted.kept(section))
    };
    // Changes are cut down before attempts are touched.
    let [_, attempts, changes, _] = kept(3_000);
    assert_eq!(attempts, 40);
    assert!(changes < 39, "{changes}");
    // At the least each keeps a few, the objective and what was compacted included.
    let [objective, attempts, changes, compacted] = kept(800);
    assert!(objective == 1 && attempts >= 4 && changes == 4 && compacted == 1, "{:?}", kept(800));
    // Then whole sections go, the least important first.
    let mut before = kept(800);
    for budget in (1..800).rev().step_by(20) {
        let now = kept(budget);
        for nth in 0..now.len() {
            assert!(now[nth] <= before[nth], "{budget}");
            if now[nth] < before[nth].min(4) {
                assert!(now[nth + 1..].iter().all(|kept| *kept == 0), "{budget}: {now:?}");
            }
        }
        before = now;
    }
    assert_eq!(kept(1), [0; 4]);
}

#[test]
fn the_same_store_says_the_same_bytes_twice() {
    let (one, other) = (full(), full());
    for budget in [100, 2_000, 1_000_000] {
        let (first, second) = (fit(&one, budget), fit(&other, budget));
        assert_eq!(first.text, second.text);
        assert_eq!(one.to_json(&first).to_string(), other.to_json(&second).to_string());
    }
}
