//! Holds the naive model to the consequences that the contract draws, over random histories.

use std::collections::BTreeSet;

use bygone_engine::View;
use bygone_engine::time::Instant;
use bygone_eval::belief::{Operation, Recorded, believed, definitions, operations, replay, views};

const SEEDS: u64 = 12;
const OPERATIONS: usize = 60;

fn clock(seq: u64) -> Instant {
    Instant::FIRST.plus_micros(i64::try_from(seq).expect("a short history"))
}

#[test]
fn arrival_order_does_not_matter() {
    for seed in 0..SEEDS {
        let operations = operations(seed, OPERATIONS);
        let log = replay(&operations, clock);
        let backwards: Vec<Recorded> = log.iter().rev().cloned().collect();
        for (view, _) in views(seed, 4, &operations) {
            assert_eq!(
                believed(&definitions(), &log, &view),
                believed(&definitions(), &backwards, &view),
                "seed {seed} {view:?}"
            );
        }
    }
}

#[test]
fn a_view_of_what_was_known_is_a_store_that_was_told_no_more() {
    for seed in 0..SEEDS {
        let operations = operations(seed, OPERATIONS);
        let log = replay(&operations, clock);
        for (view, _) in views(seed, 4, &operations) {
            let mut told = log.clone();
            told.retain(|recorded| recorded.assertion.known_at <= view.known);
            let latest = View { known: Instant::DISTANT_FUTURE, ..view.clone() };
            assert_eq!(
                believed(&definitions(), &log, &view),
                believed(&definitions(), &told, &latest),
                "seed {seed} {view:?}"
            );
        }
    }
}

#[test]
fn an_erased_session_was_never_read() {
    for seed in 0..SEEDS {
        let operations = operations(seed, OPERATIONS);
        let erased: BTreeSet<&String> = operations
            .iter()
            .filter_map(|operation| match operation {
                Operation::Erase { session } => Some(session),
                Operation::Assert(_) => None,
            })
            .collect();
        let mut unread = replay(
            &operations
                .iter()
                .filter(|operation| matches!(operation, Operation::Assert(_)))
                .cloned()
                .collect::<Vec<_>>(),
            clock,
        );
        unread.retain(|recorded| !erased.contains(&recorded.assertion.source.session));
        assert_eq!(
            believed(&definitions(), &replay(&operations, clock), &View::LATEST),
            believed(&definitions(), &unread, &View::LATEST),
            "seed {seed}"
        );
    }
}

#[test]
fn histories_hold_something_of_every_kind() {
    let operations: Vec<Operation> = (0..SEEDS).flat_map(|seed| operations(seed, OPERATIONS)).collect();
    let statements: Vec<_> = operations
        .iter()
        .filter_map(|operation| match operation {
            Operation::Assert(statement) => Some(&statement.assertion),
            Operation::Erase { .. } => None,
        })
        .collect();
    let kinds: BTreeSet<(&str, &str, bool)> =
        statements.iter().map(|s| (s.predicate.as_str(), s.key.as_str(), s.object.is_some())).collect();
    for predicate in ["lives_in", "works_at", "likes", "visited", "born_on"] {
        assert!(kinds.contains(&(predicate, "", true)) && kinds.contains(&(predicate, "", false)));
    }
    assert!(kinds.contains(&("works_at", "side", true)) && kinds.contains(&("same_as", "", true)));
    assert!(statements.len() < operations.len(), "some session is erased");
    let ids: BTreeSet<_> = statements.iter().map(|s| s.id).collect();
    assert!(ids.len() < statements.len(), "some statement is repeated");
}
