//! In which order the parts of the patterns are looked up: from what is known to be one of few, along the links that lead to
//! the fewest facts.
//!
//! Greedy, one step at a time: patterns are small, and an order that looks cheapest at each step is seldom far from the best.
//! Ties are broken by the order in which the query says things.

use std::collections::BTreeSet;

use bygone_engine::StoreError;

use crate::language::limits::MOST_FOUND;
use crate::language::plan::logical::{Link, Logical, Node};
use crate::language::plan::statistics::{Statistics, count, known};
use crate::language::plan::step::{Action, Step, Way};
use crate::language::plan::term::Slot;

/// Puts the parts of the patterns in order.
pub(in crate::language::plan) fn ordered(
    logical: &Logical,
    statistics: &Statistics<'_, '_>,
) -> Result<Vec<Step>, StoreError> {
    let mut bound: BTreeSet<Slot> = BTreeSet::new();
    let mut links: Vec<&Link> = logical.links.iter().collect();
    let mut nodes: Vec<&Node> = logical.nodes.iter().collect();
    let mut steps = Vec::new();
    let mut n_rows = 1.0_f64;
    while !links.is_empty() || nodes.iter().any(|node| !bound.contains(&node.slot)) {
        nodes.retain(|node| !bound.contains(&node.slot));
        let mut best: Option<(f64, Step)> = None;
        let mut offer = |n_looked_at: f64, n_after: f64, action: Action| {
            let cost = n_rows * n_looked_at;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, Step { action, n_expected: n_rows * n_after }));
            }
        };
        for link in &links {
            for (n_looked_at, n_after, way) in ways(logical, link, &bound, statistics)? {
                offer(n_looked_at, n_after, Action::Follow((*link).clone(), way));
            }
        }
        for node in &nodes {
            let is_alone = links.iter().all(|link| link.from != node.slot && link.to != node.slot);
            if let Some(n_known) = known(node) {
                offer(n_known, n_known, Action::LookUp((*node).clone()));
            } else if is_alone {
                let n_all = statistics.entities()?;
                offer(n_all, n_all, Action::Scan((*node).clone()));
            }
        }
        let Some((_, step)) = best else { break };
        match &step.action {
            Action::Follow(link, _) => {
                bound.extend([link.slot, link.from, link.to]);
                links.retain(|other| other.slot != link.slot);
            }
            Action::LookUp(node) | Action::Scan(node) => {
                bound.insert(node.slot);
            }
            Action::Keep(_) => {}
        }
        n_rows = step.n_expected;
        steps.push(step);
    }
    Ok(steps)
}

/// Returns the ways in which a link can be followed from what is bound: how many facts each looks at for a row, and how many
/// rows it makes of one.
fn ways(
    logical: &Logical,
    link: &Link,
    bound: &BTreeSet<Slot>,
    statistics: &Statistics<'_, '_>,
) -> Result<Vec<(f64, f64, Way)>, StoreError> {
    let fan_out = |slot: Slot, is_out| match logical.node(slot) {
        Some(node) => statistics.fan_out(node, link, is_out),
        None => Ok(1.0),
    };
    let has = |slot| bound.contains(&slot);
    Ok(match (has(link.from), has(link.to)) {
        (true, true) => {
            let n_out = fan_out(link.from, true)?;
            vec![(n_out, 0.5, Way::Out)]
        }
        (true, false) => {
            let n_out = fan_out(link.from, true)?;
            vec![(n_out, n_out, Way::Out)]
        }
        (false, true) => {
            let n_in = fan_out(link.to, false)?;
            vec![(n_in, n_in, Way::In)]
        }
        (false, false) => {
            let n_all = statistics.facts(&link.predicates)?;
            let n_paths = link.hops.map_or(1.0, |hops| f64::from(hops.most));
            let mut ways = vec![(n_all * n_paths, n_all * n_paths, Way::All)];
            if link.found.is_some() {
                ways.insert(0, (count(MOST_FOUND), count(MOST_FOUND), Way::Found));
            }
            ways
        }
    })
}
