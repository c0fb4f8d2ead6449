//! Whether a subject holds one object at a time, by what was vouched for together.
//!
//! One displaces the other where subjects had several objects and next to none had two at once; two are had at once where
//! the stretches vouched for overlap, and where the first is told again after the second. That one was told of after the
//! other says little where the change has no date: who drinks tea today and water tomorrow may well drink both.

use std::collections::BTreeSet;

use bygone_engine::object::ObjectKey;
use bygone_engine::time::Instant;

use super::survey::{Holding, Usage};
use crate::definition::{Cardinality, TemporalKind};

/// One subject in so many may hold two at once where others never do. Chosen, untested: room for a slip of the tongue.
const ONE_SLIP_IN: usize = 20;
/// Subjects that had several objects one after another without a dated change, for one to be likely.
const ENOUGH_UNDATED: usize = 3;
/// Subjects that were told about again and again without ever another object, for one to be likely.
const ENOUGH_STEADY: usize = 5;

/// Returns the cardinality that the statements amount to, and why.
pub(super) fn propose(kind: TemporalKind, usage: &Usage) -> (Cardinality, String) {
    if kind == TemporalKind::Event {
        return (Cardinality::Many, "what happens does not displace what happened".to_owned());
    }
    let mut n_together = 0;
    let mut n_in_turn = 0;
    let mut n_dated = 0;
    let mut n_steady = 0;
    for holdings in usage.holdings.values() {
        let objects: BTreeSet<ObjectKey> = holdings.iter().map(|holding| holding.object).collect();
        let told: BTreeSet<Instant> = holdings.iter().map(|holding| holding.known_at).collect();
        match objects.len() {
            0 | 1 => n_steady += usize::from(told.len() > 1),
            _ if holds_two_at_once(holdings) => n_together += 1,
            _ => {
                n_in_turn += 1;
                n_dated += usize::from(holdings.iter().any(|holding| holding.start != holding.known_at));
            }
        }
    }
    let n = usage.holdings.len();
    let subjects = if n == 1 { "1 subject".to_owned() } else { format!("{n} subjects") };
    if (n_dated > 0 || n_in_turn >= ENOUGH_UNDATED) && n_together * ONE_SLIP_IN <= n {
        let slips = if n_together == 0 { "none".to_owned() } else { n_together.to_string() };
        return (
            Cardinality::One,
            format!("of {subjects} {n_in_turn} had several objects one after another, {slips} two at once"),
        );
    }
    if n_together == 0 && n_steady >= ENOUGH_STEADY {
        return (
            Cardinality::One,
            format!("of {subjects} {n_steady} were told of again, none with another object"),
        );
    }
    let because = match (n_together, n_in_turn) {
        (0, 0) => format!("of {subjects} none had several objects, which shows nothing"),
        (0, _) => format!("of {subjects} {n_in_turn} had several objects, without a dated change"),
        _ => format!("of {subjects} {n_together} had two objects at once"),
    };
    (Cardinality::Many, because)
}

fn holds_two_at_once(holdings: &[Holding]) -> bool {
    let mut holdings = holdings.to_vec();
    holdings.sort_unstable();
    let mut ended: BTreeSet<ObjectKey> = BTreeSet::new();
    let mut current: Option<Holding> = None;
    for holding in holdings {
        match &mut current {
            Some(current) if current.object == holding.object => current.end = current.end.max(holding.end),
            Some(before) if holding.start < before.end => return true,
            _ => {
                if ended.contains(&holding.object) {
                    return true;
                }
                ended.extend(current.map(|before| before.object));
                current = Some(holding);
            }
        }
    }
    false
}
