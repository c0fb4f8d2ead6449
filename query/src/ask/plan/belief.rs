//! What was believed first, and when something was learned: answers by known time.

use bygone_engine::StoreError;
use bygone_engine::store::GroupView;
use bygone_engine::time::{Moment, format_moment};

use super::super::find::{endings, evidence};
use super::super::reading::Plan;
use super::super::respond::{self, Response, Sight, day, said_in};
use super::super::wording;
use super::anchor::nothing;
use super::selection::{Part, Selection, value_lines};
use crate::facts::{Belief, beliefs, believed, group_rows};
use crate::learned::learned as first_believed;
use crate::request::Request;
use crate::row::Row;
use crate::say::object_text;

/// Returns the groups that a selection speaks of, also those in which nothing is believed any more.
fn groups(sight: Sight<'_>, of: &Selection) -> Result<Vec<GroupView>, StoreError> {
    let mut groups: Vec<GroupView> = of.found.iter().map(|found| found.row.group.clone()).collect();
    for Plan { subject, predicate, key, .. } in &of.patterns {
        let Some(subject) = subject else { continue };
        groups.extend(sight.seen.groups_of(subject)?.into_iter().filter(|group| {
            let is_key = key.as_ref().is_none_or(|key| bygone_engine::entity::fold_name(&group.key) == *key);
            group.predicate == *predicate && is_key
        }));
    }
    groups.sort();
    groups.dedup();
    Ok(groups)
}

/// Answers what was believed of something first, what has been corrected since included.
pub(super) fn original(sight: Sight<'_>, of: &Selection) -> Result<Response, StoreError> {
    let mut first: Option<(GroupView, Belief)> = None;
    for group in groups(sight, of)? {
        for belief in beliefs(sight.seen, sight.ontology, &group)? {
            if first.as_ref().is_none_or(|(_, other)| belief.known_from < other.known_from) {
                first = Some((group.clone(), belief));
            }
        }
    }
    let Some((group, belief)) = first else {
        return Ok(nothing(of.missing()));
    };
    let request = Request { valid: bygone_engine::ValidTime::All, ..sight.request.clone() };
    let now = group_rows(sight.seen, sight.ontology, &request, &group)?;
    let known_from = belief.known_from;
    let then = believed(sight.seen, &group, belief);
    let row = now.iter().find(|row| row.id == then.id).cloned().unwrap_or(then);
    let mut supports = evidence(sight.seen, std::slice::from_ref(&row))?;
    supports.retain(|item| item.recorded.assertion.known_at <= known_from);
    let from = supports.first().map_or_else(String::new, said_in);
    let dates = wording::dates(sight.seen, &row)?;
    let kept = if now.iter().any(|other| other.id == row.id) { "" } else { " It is believed no more." };
    let text =
        format!("{}, {dates}, said on {}{from}.{kept}", object_text(&row.fact.object), day(known_from));
    Ok(Response { text, known: true, rows: vec![row], evidence: supports, value: None })
}

/// Answers when something was first believed; of what names no value, when each value was.
pub(super) fn learned(sight: Sight<'_>, of: &Selection) -> Result<Response, StoreError> {
    if of.part == Part::End {
        return end_learned(sight, of);
    }
    let request = Request { valid: bygone_engine::ValidTime::All, ..sight.request.clone() };
    let sight = Sight { request: &request, ..sight };
    if of.patterns.iter().any(|pattern| pattern.object.is_some()) {
        let response = respond::learned(sight, &of.patterns)?;
        return Ok(if response.text.is_empty() { nothing(of.missing()) } else { response });
    }
    let mut all = Vec::new();
    for group in groups(sight, of)? {
        let of_group =
            first_believed(sight.seen, sight.ontology, &request, &group.subject, &group.predicate, None)?;
        let meant = of_group.into_iter().filter(|item| {
            item.row.group.key == group.key
                && (!of.patterns.is_empty()
                    || of.found.iter().any(|found| found.row.fact.object.key() == item.row.fact.object.key()))
        });
        all.extend(meant);
    }
    all.sort_by_key(|item| item.known_from);
    if all.is_empty() {
        return Ok(nothing(of.missing()));
    }
    let mut response = Response { known: true, ..Response::default() };
    let mut lines = Vec::new();
    for item in all {
        let at = format_moment(Moment::instant(item.known_from));
        let note = if item.until.is_some() && item.again.is_none() { ", believed no more" } else { "" };
        lines.push(format!("{at}{}: {}{note}", said_in(&item.evidence), object_text(&item.row.fact.object)));
        response.rows.push(item.row);
        response.add([item.evidence]);
    }
    response.rows.sort_by_cached_key(Row::order);
    response.text = format!("{}.", wording::join(&lines));
    Ok(response)
}

fn end_learned(sight: Sight<'_>, of: &Selection) -> Result<Response, StoreError> {
    let ended: Vec<_> = of.found.iter().filter(|found| found.row.fact.ended_by.is_some()).cloned().collect();
    let rows: Vec<Row> = ended.iter().map(|found| found.row.clone()).collect();
    let mut ends = endings(sight.seen, &rows)?;
    ends.sort_by_key(|item| (item.recorded.assertion.known_at, item.recorded.assertion.id));
    let Some(first) = ends.first() else {
        return Ok(nothing(format!("Not known: nothing says that it ended ({:?}).", of.said)));
    };
    let at = format_moment(Moment::instant(first.recorded.assertion.known_at));
    let text = format!("{at}{} ({}).", said_in(first), value_lines(sight, &ended)?);
    let mut response = sight.respond(text, true, ended)?;
    response.add(ends);
    Ok(response)
}
