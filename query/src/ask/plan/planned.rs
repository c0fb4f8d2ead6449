//! LIST of plans: what somebody means to do within a window, without what was called off since or has come about.

use bygone_engine::store::GroupView;
use bygone_engine::time::Bound;
use bygone_engine::{EntityRef, Polarity, StoreError, ValidTime};
use bygone_ontology::{TemporalKind, Verdict};

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::anchor::nothing;
use super::extent::Extent;
use super::list::placed;
use super::selection::{Part, deed_lines, extent_of, sort, unique};
use super::window::{Inside, Relation, Window};
use crate::facts::group_rows;
use crate::request::Request;
use crate::row::Row;

/// Answers with the plans of somebody, or of anybody, within a window; of some predicates only, where any are given.
pub(super) fn answer(
    sight: Sight<'_>,
    who: Option<&EntityRef>,
    predicates: &[&str],
    window: &Window,
) -> Result<Response, StoreError> {
    let request = Request { valid: ValidTime::All, planned: true, ..sight.request.clone() };
    let groups = match who {
        Some(who) => sight.seen.groups_of(who)?,
        None => sight.seen.groups()?,
    };
    let (mut sure, mut perhaps) = (Vec::new(), Vec::new());
    let is_asked =
        |group: &GroupView| predicates.is_empty() || predicates.contains(&group.predicate.as_str());
    for group in groups.into_iter().filter(is_asked) {
        let rows = group_rows(sight.seen, sight.ontology, &request, &group)?;
        let kind = sight.ontology.get_or_open(&group.predicate).kind;
        let happens = |row: &Row| {
            rows.iter().any(|other| {
                other.verdict != Verdict::Planned
                    && other.fact.object.key() == row.fact.object.key()
                    && match (other.fact.validity.period(), row.fact.validity.period()) {
                        (Some(one), Some(two)) => one.overlaps(two),
                        _ => false,
                    }
            })
        };
        for row in &rows {
            let is_ahead =
                row.fact.validity.period().is_some_and(|period| period.start() > sight.request.now);
            let is_plan = row.verdict == Verdict::Planned || group.predicate == "planned" || is_ahead;
            let is_off =
                row.verdict == Verdict::Planned && (happens(row) || is_called_off(sight, &group, row)?);
            if !is_plan || is_off || kind == TemporalKind::Rigid {
                continue;
            }
            let found = Found { row: row.clone(), value: row.fact.object.clone(), kind };
            match place(sight, &found, window)? {
                Inside::Yes => sure.push(found),
                Inside::Perhaps => perhaps.push(found),
                Inside::No => {}
            }
        }
    }
    sort(&mut sure);
    let with_subject = who.is_none();
    let unsure = deed_lines(sight, &perhaps, with_subject)?;
    let rows = unique(sure.iter().chain(&perhaps).cloned().collect());
    if sure.is_empty() {
        let of = who.map_or_else(String::new, |who| format!(" of {}", who.name()));
        let mut text = format!("Not known: no plan{of} is known {}.", placed(window));
        if perhaps.is_empty() {
            return Ok(nothing(text));
        }
        let more = format!(" Planned, but not said for when: {unsure}.");
        text.push_str(&more);
        return sight.respond(text, false, rows);
    }
    let mut text = format!("{}.", deed_lines(sight, &sure, with_subject)?);
    if !perhaps.is_empty() {
        let more = format!(" Whether this is planned for then cannot be told: {unsure}.");
        text.push_str(&more);
    }
    sight.respond(text, true, rows)
}

/// A state that is planned to go on without end is planned for when it begins.
fn place(sight: Sight<'_>, found: &Found, window: &Window) -> Result<Inside, StoreError> {
    let is_open = found.row.fact.validity.period().is_some_and(|period| period.to() == Bound::Open);
    let part = if is_open { Part::Start } else { Part::Whole };
    let extent: Option<Extent> = extent_of(sight.seen, found, part)?;
    if window.relation == Relation::Always {
        return Ok(Inside::Yes);
    }
    let Some(extent) = extent else { return Ok(Inside::Perhaps) };
    let overlaps = window.spans.iter().any(|span| extent.may_overlap(span.sure));
    Ok(match window.holds(Some(&extent)) {
        Inside::No if overlaps => Inside::Yes,
        inside => inside,
    })
}

/// Says whether somebody said after a plan that nothing will come of it.
fn is_called_off(sight: Sight<'_>, group: &GroupView, row: &Row) -> Result<bool, StoreError> {
    let Some(planned) = row.fact.validity.period() else {
        return Ok(sight.seen.statements(group)?.iter().any(|recorded| {
            let assertion = &recorded.assertion;
            let is_meant =
                assertion.object.as_ref().is_none_or(|object| object.key() == row.fact.object.key());
            assertion.polarity == Polarity::Deny && is_meant && assertion.known_at > row.fact.last_confirmed
        }));
    };
    Ok(sight.seen.statements(group)?.iter().any(|recorded| {
        let assertion = &recorded.assertion;
        let is_meant = assertion.object.as_ref().is_none_or(|object| object.key() == row.fact.object.key());
        let is_then = assertion.validity.period().is_some_and(|period| period.overlaps(planned));
        let is_denial = assertion.counts() && assertion.polarity == Polarity::Deny;
        is_denial && is_meant && is_then && assertion.known_at > row.fact.last_confirmed
    }))
}
