//! LIST: what somebody did, or what happened, within a window; nearest first where it lies before or after something.

use bygone_engine::time::Period;
use bygone_engine::{EntityRef, StoreError};
use bygone_ontology::TemporalKind;

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::Listed;
use super::selection::{Part, deed_lines, everything, extent_of, is_attitude, unique};
use super::window::{Inside, Relation, Window};

/// Answers with the events of somebody, or of anybody, within a window, and with their states where asked for.
///
/// That a state began in the window is told, too, where no event is: who moved did something.
pub(super) fn answer(
    sight: Sight<'_>,
    who: Option<&EntityRef>,
    what: Listed,
    window: &Window,
) -> Result<Response, StoreError> {
    let (mut sure, mut perhaps, mut began) = (Vec::new(), Vec::new(), Vec::new());
    let mut states = Vec::new();
    let by = |found: &Found| window.inputs.iter().any(|input| input.row.id == found.row.id);
    for found in everything(sight, who)?.into_iter().filter(|found| !by(found)) {
        if found.kind == TemporalKind::Rigid || found.row.group.predicate == "planned" {
            continue;
        }
        let extent = extent_of(sight.seen, &found, Part::Whole)?;
        if found.kind == TemporalKind::Event {
            match window.holds(extent.as_ref()) {
                Inside::Yes => sure.push(found),
                Inside::Perhaps if extent.as_ref().is_some_and(|extent| is_near(extent, window)) => {
                    perhaps.push(found);
                }
                Inside::Perhaps | Inside::No => {}
            }
            continue;
        }
        if what == Listed::Doings && holds_state(&found, window, extent.as_ref()) {
            states.push(found);
        } else if !is_attitude(&found)
            && let Some(start) = extent_of(sight.seen, &found, Part::Start)?
            && window.holds(Some(&start)) == Inside::Yes
            && start.start.is_dated()
        {
            began.push(found);
        }
    }
    // What somebody was doing within a few days is what they did, where that is known.
    let is_short = window.spans.iter().all(|span| days(span.may) <= FEW_DAYS);
    if !is_short || sure.is_empty() {
        sure.extend(states);
    }
    let tells_changes = match what {
        Listed::Happenings => true,
        Listed::Deeds | Listed::Doings => sure.is_empty(),
        Listed::Events => false,
    };
    if tells_changes {
        sure.extend(began);
    }
    let period = |found: &Found| found.row.fact.validity.period();
    let whole = (bygone_engine::time::Instant::DISTANT_PAST, bygone_engine::time::Instant::DISTANT_PAST);
    let bounds = |found: &Found| period(found).map_or(whole, |period: Period| (period.start(), period.end()));
    if window.relation == Relation::Before {
        sure.sort_by_key(|found| std::cmp::Reverse((bounds(found).1, bounds(found).0)));
    } else {
        sure.sort_by_key(bounds);
    }
    let with_subject = who.is_none();
    let rows = unique(sure.iter().chain(&perhaps).chain(&window.inputs).cloned().collect());
    let unsure = deed_lines(sight, &perhaps, with_subject)?;
    if sure.is_empty() {
        let of = who.map_or_else(String::new, |who| format!(" of {}", who.name()));
        let mut text = format!("Not known: nothing{of} is known {}.", placed(window));
        if !perhaps.is_empty() {
            let more = format!(" Whether this was then cannot be told: {unsure}.");
            text.push_str(&more);
        }
        return sight.respond(text, false, rows);
    }
    let mut text = format!("{}.", deed_lines(sight, &sure, with_subject)?);
    if !perhaps.is_empty() {
        let more = format!(" Whether this was then, too, cannot be told: {unsure}.");
        text.push_str(&more);
    }
    text.push_str(&window.note(sight)?);
    sight.respond(text, true, rows)
}

/// So many days are few. Chosen, untested.
const FEW_DAYS: i64 = 10;

/// Returns the whole days between two instants.
fn days((first, last): (bygone_engine::time::Instant, bygone_engine::time::Instant)) -> i64 {
    last.micros().saturating_sub(first.micros()) / (24 * 60 * 60 * 1_000_000)
}

/// How many times longer than a window a granule may be that is still told beside it. Chosen, untested.
const MOST_LONGER: i64 = 60;

/// What is only known to a year is not worth telling of a day.
fn is_near(extent: &super::extent::Extent, window: &Window) -> bool {
    let length = |first: bygone_engine::time::Instant, last: bygone_engine::time::Instant| {
        last.micros().saturating_sub(first.micros())
    };
    let granule = length(extent.start.lo, extent.end.hi);
    window.spans.iter().any(|span| granule / MOST_LONGER <= length(span.may.0, span.may.1))
}

/// Before something, a state counts that was over by then or went on until then; else one that shares time.
fn holds_state(found: &Found, window: &Window, extent: Option<&super::extent::Extent>) -> bool {
    let Some(period) = found.row.fact.validity.period() else { return false };
    match window.relation {
        Relation::Before => window.spans.iter().any(|span| period.end() <= span.sure.1.next()),
        Relation::After => window.spans.iter().any(|span| span.sure.0 <= period.start()),
        _ => window.meets(extent) == Inside::Yes,
    }
}

/// Says where a window lies, as a part of a sentence.
pub(super) fn placed(window: &Window) -> String {
    match window.relation {
        Relation::Always => "at any time".to_owned(),
        Relation::Dated | Relation::On => format!("as of {}", window.text),
        Relation::Before | Relation::After | Relation::During | Relation::Offset => window.text.clone(),
    }
}
