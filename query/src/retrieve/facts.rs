//! How facts are ranked: by the statements they rest on.
//!
//! Statements are found as turns are, by words and by meaning. What is handed out are the facts of the view that rest on
//! them, so that a statement whose fact no longer holds takes nobody's place.

use std::collections::BTreeSet;

use bygone_engine::record::Recorded;
use bygone_engine::store::GroupView;
use bygone_engine::{FactId, StoreError};

use super::Sought;
use super::channel::OF_STATEMENTS;
use super::found::{Found, Item};
use super::ranking::shares;
use super::statements::Statements;
use crate::facts::group_rows;
use crate::row::Row;
use crate::why::{Bearing, with_turn};

/// Returns the best facts that rest on some statements.
pub(super) fn of(sought: &Sought<'_>, statements: &Statements) -> Result<Vec<Found>, StoreError> {
    let seen = sought.seen;
    let mut told: BTreeSet<FactId> = BTreeSet::new();
    let mut groups: Vec<(GroupView, Vec<Row>)> = Vec::new();
    let mut found = Vec::new();
    for (at, score) in statements.ranked() {
        if found.len() >= sought.n_wanted {
            break;
        }
        let Some(recorded) = seen.statement(&statements.corpus.rows()[at])? else { continue };
        let Some(group_rows) = rows_of(sought, &mut groups, &recorded)? else { continue };
        let id = recorded.assertion.id;
        for row in group_rows.iter().filter(|row| row.fact.support.contains(&id)) {
            if sought.request.valid.selects(row.fact.validity) && told.insert(row.id) {
                let evidence = with_turn(seen, Bearing::Supports, recorded.clone())?;
                let item = Item::Fact(Box::new(row.clone()), Box::new(evidence));
                let channels = shares(&OF_STATEMENTS, &statements.parts[at], score);
                found.push(Found { item, score: f64::from(score), channels });
            }
        }
    }
    Ok(found)
}

/// Returns the facts of the group that a statement belongs to in the view.
fn rows_of<'g>(
    sought: &Sought<'_>,
    groups: &'g mut Vec<(GroupView, Vec<Row>)>,
    recorded: &Recorded,
) -> Result<Option<&'g [Row]>, StoreError> {
    let assertion = &recorded.assertion;
    let subject = sought.seen.identity().representative(&assertion.subject).clone();
    let is_asked = |group: &GroupView| {
        group.subject == subject && group.predicate == assertion.predicate && group.key == assertion.key
    };
    if let Some(idx) = groups.iter().position(|(group, _)| is_asked(group)) {
        return Ok(Some(&groups[idx].1));
    }
    let Some(group) = sought.seen.groups_of(&assertion.subject)?.into_iter().find(is_asked) else {
        return Ok(None);
    };
    let rows = group_rows(sought.seen, sought.ontology, sought.request, &group)?;
    groups.push((group, rows));
    Ok(groups.last().map(|(_, rows)| rows.as_slice()))
}
