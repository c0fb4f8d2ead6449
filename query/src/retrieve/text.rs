//! The full-text channel: turns and facts that have the words.

use std::collections::BTreeSet;

use bygone_engine::StoreError;
use bygone_engine::record::Recorded;
use bygone_engine::store::GroupView;

use super::found::Item;
use super::{Channel, Kind, Scored, Sought};
use crate::facts::group_rows;
use crate::row::Row;
use crate::why::{Bearing, with_turn};

/// The channel.
pub(super) const CHANNEL: Channel = Channel { name: "text", find };

fn find(sought: &Sought<'_>) -> Result<Vec<Scored>, StoreError> {
    let mut found = Vec::new();
    for kind in sought.kinds {
        match kind {
            Kind::Turn => {
                for hit in sought.seen.search_turns(sought.text)?.take(sought.n_wanted) {
                    let hit = hit?;
                    found.push((Item::Turn(Box::new(hit.found)), hit.score));
                }
            }
            Kind::Fact => {
                found.extend(facts(sought, false)?);
                if sought.request.planned {
                    found.extend(facts(sought, true)?);
                }
            }
        }
    }
    Ok(found)
}

/// Finds statements, and returns the facts of the view that rest on them.
fn facts(sought: &Sought<'_>, plans: bool) -> Result<Vec<Scored>, StoreError> {
    let seen = sought.seen;
    let mut told: BTreeSet<bygone_engine::FactId> = BTreeSet::new();
    let mut groups: Vec<(GroupView, Vec<Row>)> = Vec::new();
    let mut found = Vec::new();
    for hit in seen.search_statements(sought.text, plans)? {
        if found.len() >= sought.n_wanted {
            break;
        }
        let hit = hit?;
        let Some(rows) = rows_of(sought, &mut groups, &hit.found)? else { continue };
        let id = hit.found.assertion.id;
        for row in rows.iter().filter(|row| row.fact.support.contains(&id)) {
            if sought.request.valid.selects(row.fact.validity) && told.insert(row.id) {
                let evidence = with_turn(seen, Bearing::Supports, hit.found.clone())?;
                found.push((Item::Fact(Box::new(row.clone()), Box::new(evidence)), hit.score));
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
