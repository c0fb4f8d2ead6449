//! How facts are said: the value, its dates at the granularity they were given with, and what they rest on.

use std::collections::BTreeSet;

use bygone_engine::store::Seen;
use bygone_engine::time::{Bound, Granularity, Instant, Moment, Validity, format_moment};
use bygone_engine::{Authority, Basis, EndedBy, StoreError, ValidTime};
use bygone_ontology::{TemporalKind, Verdict};

use crate::row::Row;
use crate::say::{object_text, validity_text};

/// The most values a text lists; the rows have the rest.
const LONGEST_LIST: usize = 20;

/// A bound of a fact as it is said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// The date.
    pub(super) text: String,
    /// Whether it is only when somebody said that it was so already, or no longer.
    pub(super) is_latest: bool,
}

/// Returns when a fact starts, as far as anybody said; `None` where nobody did.
///
/// A state that is only said to be so at an instant starts no later than then.
pub(super) fn start(seen: &Seen<'_>, row: &Row) -> Result<Option<Said>, StoreError> {
    let Some(period) = row.fact.validity.period() else {
        return Ok(None);
    };
    bound(seen, row, period.from(), false)
}

/// Returns when a fact ended, as far as anybody said; `None` where it did not, or nobody said when.
pub(super) fn end(seen: &Seen<'_>, row: &Row) -> Result<Option<Said>, StoreError> {
    let Some(period) = row.fact.validity.period() else {
        return Ok(None);
    };
    bound(seen, row, period.to(), true)
}

fn bound(seen: &Seen<'_>, row: &Row, bound: Bound, is_end: bool) -> Result<Option<Said>, StoreError> {
    let Bound::At(moment) = bound else { return Ok(None) };
    if moment.grain == Granularity::Unknown {
        return Ok(None);
    }
    if is_when_said(seen, row, moment)? {
        let day = Moment::new(Granularity::Day.floor(moment.at), Granularity::Day);
        return Ok(Some(Said { text: format_moment(day), is_latest: true }));
    }
    let shown = if is_end { last_granule(row, moment) } else { moment };
    Ok(Some(Said { text: format_moment(shown), is_latest: false }))
}

/// An exclusive end is told by the last granule before it ("left in March" ends with March), but a change by its own:
/// who moved in March lived elsewhere until March.
fn last_granule(row: &Row, to: Moment) -> Moment {
    if to.grain >= Granularity::Day && row.fact.ended_by != Some(EndedBy::Change) {
        Moment::new(to.grain.before(to.at), to.grain)
    } else {
        to
    }
}

/// What a tool reports is so from the report on; what a person says is so may have been so for long.
pub(super) fn is_when_said(seen: &Seen<'_>, row: &Row, moment: Moment) -> Result<bool, StoreError> {
    if moment.grain != Granularity::Instant || is_event(row) {
        return Ok(false);
    }
    let statements = seen.statements(&row.group)?;
    Ok(statements
        .iter()
        .any(|r| r.assertion.known_at == moment.at && r.assertion.authority != Authority::Tool))
}

/// An occurrence is no longer than it was said to be: bounded, and stated throughout.
fn is_event(row: &Row) -> bool {
    let bounds = row.fact.validity.period().map(|period| (period.from(), period.to()));
    matches!(bounds, Some((Bound::At(from), Bound::At(to))) if from.end() == to.at)
}

/// Says when a fact holds.
pub(super) fn dates(seen: &Seen<'_>, row: &Row) -> Result<String, StoreError> {
    let Validity::Over(period) = row.fact.validity else {
        return Ok("at some time, nobody said when".to_owned());
    };
    let (start, end) = (start(seen, row)?, end(seen, row)?);
    let is_latest = |said: &Option<Said>| said.as_ref().is_some_and(|said| said.is_latest);
    let is_changed = row.fact.ended_by == Some(EndedBy::Change);
    let is_like = |from: Moment, to: Moment| from.grain == to.grain && !is_changed || from.end() == to.at;
    match (period.from(), period.to()) {
        _ if is_latest(&start) || is_latest(&end) => {}
        (Bound::At(from), Bound::At(to)) if !is_like(from, to) => {}
        (Bound::Open, Bound::At(_)) => {}
        (Bound::At(_), Bound::At(_)) | (_, Bound::Open) => {
            return Ok(validity_text(row.fact.validity, row.fact.ended_by));
        }
    }
    let say = |said: &Said| format!("{}{}", said.text, if said.is_latest { " at the latest" } else { "" });
    let to = match (period.to(), &end) {
        (Bound::Open, _) => None,
        (Bound::At(_), None) => Some("until some time".to_owned()),
        (Bound::At(_), Some(said)) => Some(format!("until {}", say(said))),
    };
    let from = start.as_ref().map(|said| match &to {
        Some(_) => format!("from {}", say(said)),
        None => format!("since {}", say(said)),
    });
    let parts: Vec<String> = from.into_iter().chain(to).collect();
    Ok(parts.join(" "))
}

/// Says what a fact rests on over the time asked about: stated, presumed, and whatever speaks against it.
pub(super) fn basis(row: &Row, kind: TemporalKind, valid: ValidTime) -> Option<String> {
    if kind == TemporalKind::Rigid && row.fact.rivals.is_empty() {
        return None;
    }
    // What is planned rests on nothing yet.
    if row.verdict == Verdict::Planned {
        return Some("planned".to_owned());
    }
    let fact = &row.fact;
    let asked = |from: Instant, to: Instant| match valid {
        ValidTime::At(instant) => from <= instant && instant < to,
        ValidTime::During(period) => from < period.end() && period.start() < to,
        ValidTime::All => true,
    };
    let segments = fact.segments.iter().filter(|segment| asked(segment.from, segment.to));
    let bases: BTreeSet<Basis> = segments.map(|segment| segment.basis).collect();
    let confirmed = || {
        let at = Moment::new(Granularity::Day.floor(fact.last_confirmed), Granularity::Day);
        format!("; last confirmed {}", format_moment(at))
    };
    let mut text = match (bases.contains(&Basis::Stated), bases.contains(&Basis::Presumed)) {
        (false, false) => String::new(),
        (true, false) if kind == TemporalKind::Event => String::new(),
        (true, false) => "stated".to_owned(),
        (false, true) => format!("presumed{}", confirmed()),
        (true, true) => format!("stated, then presumed{}", confirmed()),
    };
    let note = match row.verdict {
        Verdict::Contested => {
            let rivals: Vec<String> = fact.rivals.iter().map(|rival| object_text(&rival.object)).collect();
            format!("contested: others say {}", rivals.join(" and "))
        }
        Verdict::StalePremise => "what it was concluded from no longer holds".to_owned(),
        Verdict::Aging => "longer ago than such things tend to last".to_owned(),
        Verdict::Superseded => "no longer believed".to_owned(),
        Verdict::Planned => "planned".to_owned(),
        Verdict::Ended | Verdict::Presumed | Verdict::Stated => String::new(),
    };
    if !text.is_empty() && !note.is_empty() {
        text.push_str("; ");
    }
    text.push_str(&note);
    (!text.is_empty()).then_some(text)
}

/// Says a value with its dates and its basis.
pub(super) fn line(
    seen: &Seen<'_>,
    row: &Row,
    value: &str,
    kind: TemporalKind,
    valid: ValidTime,
) -> Result<String, StoreError> {
    let dates = dates(seen, row)?;
    let dates =
        if kind == TemporalKind::Rigid && dates == "always" { String::new() } else { format!(", {dates}") };
    let basis = basis(row, kind, valid).map_or_else(String::new, |basis| format!(" ({basis})"));
    Ok(format!("{value}{dates}{basis}"))
}

/// Joins lines into one text, without repeating one and without end.
pub(super) fn join(lines: &[String]) -> String {
    let mut unique: Vec<&str> = Vec::new();
    for line in lines {
        if !unique.contains(&line.as_str()) {
            unique.push(line);
        }
    }
    let n_left = unique.len().saturating_sub(LONGEST_LIST);
    unique.truncate(LONGEST_LIST);
    let rest = if n_left > 0 { format!("; and {n_left} more") } else { String::new() };
    format!("{}{rest}", unique.join("; "))
}
