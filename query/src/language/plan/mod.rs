//! From a query to the steps that answer it.
//!
//! ```text
//! query ─ clocks.rs ─▶ what is seen ─ logical.rs ─▶ what is asked for ─ rules/ ─▶ the same, cheaper ─ order, early ─▶ steps
//! ```
//!
//! Invariant: the rules change how much is looked at and never what is answered.

pub(super) mod clocks;
pub(super) mod logical;
mod rules;
pub(super) mod statistics;
pub(super) mod step;
pub(super) mod term;
#[cfg(test)]
mod tests;

use super::ast::Query;
use super::check::{check, scope};
use super::failed::Failed;
use super::groups::Groups;
use logical::{Logical, Node, Output};
use rules::{RULES, Rule};
use statistics::Statistics;
use step::Step;
use term::Parameters;

use crate::QueryError;

/// How a query is answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// The names of the places in a row.
    pub(super) titles: Vec<Option<String>>,
    /// The nodes, for what they must be wherever a link leads to one.
    pub(super) nodes: Vec<Node>,
    /// What is done for each row, from one that is empty.
    pub(super) steps: Vec<Step>,
    /// What becomes of the rows.
    pub(super) output: Output,
    /// The rules that changed something.
    pub(super) rules: Vec<&'static str>,
}

/// Plans a query in the view that it is asked of.
pub(super) fn plan(query: &Query, groups: &Groups<'_, '_>, parameters: &Parameters) -> Result<Plan, Failed> {
    planned_by(query, groups, parameters, &RULES.iter().collect::<Vec<_>>())
}

fn planned_by(
    query: &Query,
    groups: &Groups<'_, '_>,
    parameters: &Parameters,
    applied: &[&Rule],
) -> Result<Plan, Failed> {
    check(query)?;
    let mut logical = Logical::of(query, &scope(query)?, groups.seen, parameters)?;
    let mut rules: Vec<&'static str> = Vec::new();
    for rule in applied {
        if (rule.apply)(&mut logical) {
            rules.push(rule.name);
        }
    }
    // Where something is known to start at, nothing is walked over to count it.
    let has_start = logical.nodes.iter().any(|node| node.place.is_some())
        || logical.links.iter().any(|link| link.found.is_some());
    let statistics = Statistics::new(groups, !has_start);
    let steps = rules::ordered(&logical, &statistics).map_err(QueryError::from)?;
    if steps.len() > 1 {
        rules.push("fewest first");
    }
    let (steps, is_early) = rules::placed(steps, &logical.conditions);
    if is_early {
        rules.push("conditions early");
    }
    Ok(Plan { titles: logical.titles, nodes: logical.nodes, steps, output: logical.output, rules })
}
