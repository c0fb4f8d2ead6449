//! `DIFF_STATE`: what changed about somebody over a stretch of time: what began, what ended, what was corrected.

use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, StoreError, View};
use bygone_ontology::TemporalKind;

use super::super::find::evidence;
use super::super::respond::{Response, Sight};
use super::super::wording::join;
use super::anchor::nothing;
use super::selection::everything;
use super::window::Window;
use crate::diff::{self, Change, Difference};
use crate::request::Request;
use crate::row::Row;
use crate::say::{fact_text, object_text};

/// Answers what changed about somebody within a window.
pub(super) fn answer(sight: Sight<'_>, who: &EntityRef, window: &Window) -> Result<Response, StoreError> {
    let now = sight.request.now;
    let Some(span) = window.spans.first() else { return Ok(Response::default()) };
    let from = span.sure.0;
    let to = span.sure.1.min(now).max(from);
    let mut differences =
        diff::valid(sight.seen, sight.ontology, sight.request, (from.previous(), to), Some(who))?;
    let is_event = |row: &Row| sight.ontology.get_or_open(&row.group.predicate).kind == TemporalKind::Event;
    differences.retain(|difference| !is_event(difference.row()));
    let (mut lines, mut rows): (Vec<String>, Vec<Row>) = (Vec::new(), Vec::new());
    let mut tell = |line: String, told: Vec<Row>, rows: &mut Vec<Row>| {
        lines.push(line);
        rows.extend(told);
    };
    for difference in &differences {
        let told: Vec<Row> = [&difference.fact, &difference.was].into_iter().flatten().cloned().collect();
        tell(text(difference), told, &mut rows);
    }
    // What both began and ended in between shows at neither end.
    for found in everything(sight, Some(who))? {
        let within = found.row.fact.validity.period().is_some_and(|p| from <= p.start() && p.end() <= to);
        if within && found.kind == TemporalKind::State && rows.iter().all(|row| row.id != found.row.id) {
            tell(format!("began and ended: {}", fact_text(&found.row)), vec![found.row], &mut rows);
        }
    }
    for difference in corrected(sight, who, from)? {
        let told: Vec<Row> = difference.fact.iter().cloned().collect();
        tell(text(&difference), told, &mut rows);
        rows.extend(
            difference
                .was
                .clone()
                .filter(|was| difference.fact.is_none() || was.id != rows[rows.len() - 1].id),
        );
    }
    if lines.is_empty() {
        return Ok(nothing(format!("Not known: no change of {} is known {}.", who.name(), window.text)));
    }
    let mut once: Vec<Row> = Vec::new();
    for row in rows {
        if once.iter().all(|other| other.id != row.id) {
            once.push(row);
        }
    }
    once.sort_by_cached_key(Row::order);
    let evidence = evidence(sight.seen, &once)?;
    Ok(Response { text: format!("{}.", join(&lines)), known: true, rows: once, evidence, value: None })
}

/// Returns what was believed at the start of the window and was corrected since.
fn corrected(sight: Sight<'_>, who: &EntityRef, from: Instant) -> Result<Vec<Difference>, StoreError> {
    if !from.is_ordinary() || from >= sight.seen.view().known {
        return Ok(Vec::new());
    }
    let view = View { known: from.previous(), ..sight.seen.view().clone() };
    let before = sight.seen.snapshot().seen(&view)?;
    let asked = Request { view, ..sight.request.clone() };
    let mut all = diff::known((&before, &asked), (sight.seen, sight.request), sight.ontology, Some(who))?;
    let is_event = |row: &Row| sight.ontology.get_or_open(&row.group.predicate).kind == TemporalKind::Event;
    all.retain(|difference| difference.change == Change::Corrected && !is_event(difference.row()));
    Ok(all)
}

fn text(difference: &Difference) -> String {
    let now = difference.fact.as_ref().map(fact_text);
    let was = difference.was.as_ref().map(|was| object_text(&was.fact.object));
    match (difference.change, now, was) {
        (Change::Learned | Change::Reopened, Some(now), _) => format!("began: {now}"),
        (Change::Changed, Some(now), Some(was)) => format!("changed: {now}, before that {was}"),
        (Change::Ended, Some(now), _) => format!("ended: {now}"),
        (Change::Corrected, Some(now), Some(was)) => format!("corrected: {now}, not {was}"),
        (Change::Corrected, None, _) => {
            format!("corrected: not {}", difference.was.as_ref().map(fact_text).unwrap_or_default())
        }
        (change, now, was) => format!("{}: {}", change.name(), now.or(was).unwrap_or_default()),
    }
}
