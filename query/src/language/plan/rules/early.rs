//! Each condition is looked at as soon as what it needs is bound, so that nothing further is looked up for rows that it does
//! not let through.

use std::collections::BTreeSet;

use crate::language::plan::logical::Condition;
use crate::language::plan::statistics::KEPT;
use crate::language::plan::step::{Action, Step};
use crate::language::plan::term::Slot;

/// Puts conditions between steps; says whether any comes before the last of these.
pub(in crate::language::plan) fn placed(steps: Vec<Step>, conditions: &[Condition]) -> (Vec<Step>, bool) {
    let mut waiting: Vec<&Condition> = conditions.iter().collect();
    let mut bound: BTreeSet<Slot> = BTreeSet::new();
    let mut placed = Vec::new();
    let mut kept = 1.0;
    let mut is_early = false;
    let n_steps = steps.len();
    let mut put = |bound: &BTreeSet<Slot>, placed: &mut Vec<Step>, n_rows: f64, is_last: bool| {
        waiting.retain(|condition| {
            if !condition.term.needs().is_subset(bound) {
                return true;
            }
            kept *= KEPT;
            is_early |= !is_last;
            placed.push(Step { action: Action::Keep((*condition).clone()), n_expected: n_rows * kept });
            false
        });
        kept
    };
    put(&bound, &mut placed, 1.0, steps.is_empty());
    for (nth, mut step) in steps.into_iter().enumerate() {
        match &step.action {
            Action::Follow(link, _) => bound.extend([link.slot, link.from, link.to]),
            Action::LookUp(node) | Action::Scan(node) => {
                bound.insert(node.slot);
            }
            Action::Keep(_) => {}
        }
        let n_rows = step.n_expected;
        step.n_expected *= put(&BTreeSet::new(), &mut Vec::new(), 0.0, true);
        placed.push(step);
        put(&bound, &mut placed, n_rows, nth + 1 == n_steps);
    }
    (placed, is_early)
}
