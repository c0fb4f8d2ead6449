//! The date of something, a part of it, and the age that somebody had then. A weekday is told only where the day is known.

use bygone_engine::time::{Bound, Granularity, Instant, format_moment};
use bygone_engine::{EntityRef, Object, StoreError, ValidTime};

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::super::wording::{dates, join};
use super::Calendar;
use super::anchor::{Anchor, Timeless};
use super::extent::{Edge, extent};
use super::length::years;
use super::selection::{dated_deed, deed, unique, value_line};
use super::window::{Relation, Window};
use crate::facts::{Filter, facts};
use crate::request::Request;

/// Answers when something was, each time.
pub(super) fn time_of(sight: Sight<'_>, of: &Anchor) -> Result<Response, StoreError> {
    let mut lines = Vec::new();
    for (found, extent) in &of.occasions {
        if extent.start.is_dated() {
            lines.push(format!("{} ({})", dates(sight.seen, &found.row)?, deed(found, true)));
        }
    }
    if lines.is_empty() {
        return of.refuse(sight, &Timeless::Undated);
    }
    let rows = unique(of.occasions.iter().map(|(found, _)| found.clone()).collect());
    sight.respond(format!("{}.", join(&lines)), true, rows)
}

/// Answers with a part of the date of something, each time.
pub(super) fn part(sight: Sight<'_>, part: Calendar, of: &Anchor) -> Result<Response, StoreError> {
    let (mut known, mut vague) = (Vec::new(), Vec::new());
    for (found, extent) in &of.occasions {
        let line = dated_deed(sight, found, true)?;
        match said(part, extent.start) {
            Some(said) => known.push(format!("{said} ({line})")),
            None => vague.push(line),
        }
    }
    if of.occasions.is_empty() {
        return of.refuse(sight, &Timeless::Undated);
    }
    let rows = unique(of.occasions.iter().map(|(found, _)| found.clone()).collect());
    if known.is_empty() {
        return sight.respond(
            format!("Not known: it is not dated so finely: {}.", join(&vague)),
            false,
            rows,
        );
    }
    known.extend(vague);
    sight.respond(format!("{}.", join(&known)), true, rows)
}

fn said(part: Calendar, edge: Edge) -> Option<String> {
    let grain = match part {
        Calendar::Weekday | Calendar::Date => Granularity::Day,
        Calendar::Month => Granularity::Month,
        Calendar::Year => Granularity::Year,
    };
    if !edge.is_dated() || grain.floor(edge.lo) != grain.floor(edge.hi) {
        return None;
    }
    let granule = bygone_engine::time::Moment::new(grain.floor(edge.lo), grain);
    Some(match part {
        Calendar::Weekday => edge.lo.to_chrono().format("%A").to_string(),
        Calendar::Date | Calendar::Month | Calendar::Year => format_moment(granule),
    })
}

/// Returns when somebody was born, as far as known: by the date, or by an age told at some time.
pub(super) fn birth(sight: Sight<'_>, who: &EntityRef) -> Result<Option<(Edge, Found)>, StoreError> {
    let request = Request { valid: ValidTime::All, ..sight.request.clone() };
    let of = |predicate: &str| {
        let filter =
            Filter { subject: Some(who.clone()), predicate: Some(predicate.to_owned()), object: None };
        facts(sight.seen, sight.ontology, &request, &filter)
    };
    for row in of("born_on")? {
        let edge = match &row.fact.object {
            Object::Instant(moment) => Some(Edge::of(*moment)),
            Object::Period(period) => match (period.from(), period.to()) {
                (Bound::At(from), Bound::At(to)) => {
                    Some(Edge { lo: from.at, hi: to.at.previous(), grain: from.grain })
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(edge) = edge {
            let kind = sight.ontology.get_or_open("born_on").kind;
            return Ok(Some((edge, Found { value: row.fact.object.clone(), row, kind })));
        }
    }
    for row in of("age")? {
        let kind = sight.ontology.get_or_open("age").kind;
        let Object::Number { value: bygone_engine::object::Number::Whole(age), .. } = &row.fact.object else {
            continue;
        };
        let (Some(extent), Ok(age)) = (extent(sight.seen, &row, kind)?, u32::try_from(*age)) else {
            continue;
        };
        let back = |at: Instant, n: u32| (0..n).fold(at, |at, _| Granularity::Year.before(at));
        if !extent.start.hi.is_ordinary() || age > 150 {
            continue;
        }
        let lo = if extent.start.lo.is_ordinary() { extent.start.lo } else { extent.start.hi };
        let edge =
            Edge { lo: back(lo, age + 1).next(), hi: back(extent.start.hi, age), grain: Granularity::Year };
        return Ok(Some((edge, Found { value: row.fact.object.clone(), row, kind })));
    }
    Ok(None)
}

/// Answers how old somebody was within a window.
pub(super) fn age(sight: Sight<'_>, who: &EntityRef, window: &Window) -> Result<Response, StoreError> {
    let Some((born, found)) = birth(sight, who)? else {
        let text = format!("Not known: nobody said when {} was born.", who.name());
        return sight.respond(text, false, unique(window.inputs.clone()));
    };
    let now = sight.request.now;
    let Some(span) = window.spans.first() else { return Ok(Response::default()) };
    let at = if window.relation == Relation::Always {
        Edge::at(now)
    } else {
        let hi = if span.may.1.is_ordinary() { span.may.1 } else { now.max(span.may.0) };
        Edge { lo: span.may.0, hi, grain: Granularity::Day }
    };
    let rows = unique(std::iter::once(found.clone()).chain(window.inputs.clone()).collect());
    let mut said =
        vec![format!("{} {}", found.row.group.predicate.replace('_', " "), value_line(sight, &found)?)];
    for input in &window.inputs {
        said.push(dated_deed(sight, input, true)?);
    }
    let said = said.join("; ");
    match years(born, at) {
        Some((_, high)) if high < 0 => sight.respond(format!("Not born then ({said})."), true, rows),
        Some((low, high)) if low == high => {
            sight.respond(format!("{low} year{} old ({said}).", if low == 1 { "" } else { "s" }), true, rows)
        }
        Some((low, high)) => {
            sight.respond(format!("between {low} and {high} years old ({said})."), true, rows)
        }
        None => sight.respond(format!("Not known: it is not dated ({said})."), false, rows),
    }
}
