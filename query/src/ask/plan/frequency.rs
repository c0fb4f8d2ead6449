//! FREQUENCY: how often something happens, by what is said of the habit, or else by how often it is known to have happened.

use bygone_engine::StoreError;
use bygone_engine::time::{Granularity, Moment, format_moment};
use bygone_ontology::TemporalKind;
use bygone_ontology::timex::{self, Context, Kind, Tense};

use super::super::find::{Found, evidence};
use super::super::respond::{Response, Sight};
use super::anchor::nothing;
use super::extent::extent;
use super::list::placed;
use super::selection::{Part, Selection, extent_of, unique, value_line, value_lines};
use super::window::{Inside, Relation, Window};

/// Answers how often something happens; that of a habit nobody said how often it is, is told beside how often it happened.
pub(super) fn answer(
    sight: Sight<'_>,
    of: &Selection,
    is_habit: bool,
    window: &Window,
) -> Result<Response, StoreError> {
    let (mut habits, mut vague, mut events) = (Vec::new(), Vec::new(), Vec::new());
    for found in unique(of.found.clone()) {
        let whole = extent_of(sight.seen, &found, Part::Whole)?;
        if found.kind == TemporalKind::Event {
            if window.relation == Relation::Always || window.holds(whole.as_ref()) == Inside::Yes {
                events.push(found);
            }
            continue;
        }
        let is_asked = match window.relation {
            Relation::Always => {
                found.row.fact.validity.period().is_some_and(|p| p.contains(sight.request.now))
            }
            _ => window.meets(whole.as_ref()) == Inside::Yes,
        };
        match recurrence(sight, &found)? {
            _ if !is_asked => {}
            Some(rule) => habits.push((rule, found)),
            None => vague.push(found),
        }
    }
    if !habits.is_empty() {
        let mut lines = Vec::new();
        for (rule, found) in &habits {
            lines.push(format!("{rule} ({})", value_line(sight, found)?));
        }
        let rows = habits.into_iter().map(|(_, found)| found).collect();
        return sight.respond(format!("{}.", lines.join("; ")), true, rows);
    }
    let mut days = Vec::new();
    for found in &events {
        if let Some(extent) = extent(sight.seen, &found.row, found.kind)? {
            days.push((extent.start.lo, extent.end.hi));
        }
    }
    let rows = || unique(events.iter().chain(&vague).cloned().collect());
    if events.is_empty() {
        if vague.is_empty() {
            return Ok(nothing(format!("Not known: nothing is known of {:?} {}.", of.said, placed(window))));
        }
        return sight.respond(format!("Not known how often: {}.", value_lines(sight, &vague)?), false, vague);
    }
    let day = |at| format_moment(Moment::new(Granularity::Day.floor(at), Granularity::Day));
    let over = match (days.iter().map(|day| day.0).min(), days.iter().map(|day| day.1).max()) {
        _ if window.relation != Relation::Always => window.text.clone(),
        (Some(first), Some(last)) if events.len() > 1 => format!("from {} to {}", day(first), day(last)),
        _ => String::new(),
    };
    let n = events.len();
    let times = if n == 1 { "once".to_owned() } else { format!("{n} times") };
    let over = if over.is_empty() { over } else { format!(", {over}") };
    let mut text = format!("{times} that is known of{over}: {}.", value_lines(sight, &events)?);
    if is_habit && !vague.is_empty() {
        let more = format!(" How often it is done is not said: {}.", value_lines(sight, &vague)?);
        text.push_str(&more);
    }
    sight.respond(text, true, rows())
}

/// Finds the repetition that a habit is said to have: in its own words, or in those of the turns it rests on.
fn recurrence(sight: Sight<'_>, found: &Found) -> Result<Option<String>, StoreError> {
    let context = Context { now: sight.request.now, tense: Tense::Present, fiscal_start: 1 };
    let supports = evidence(sight.seen, std::slice::from_ref(&found.row))?;
    let own = [crate::say::object_text(&found.value), found.row.group.key.clone()];
    let quotes = supports.iter().rev().map(|item| item.quote().to_owned());
    Ok(own.into_iter().chain(quotes).find_map(|text| {
        let times = timex::find(&text, &context);
        let rule = times.into_iter().find(|time| time.kind == Kind::Recurrence)?;
        text.get(rule.span).map(str::to_owned)
    }))
}
