//! VALUE within a window: what held while, before or after something else held or happened.

use bygone_engine::StoreError;
use bygone_engine::time::Instant;
use bygone_ontology::TemporalKind;

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::selection::{Part, Selection, extent_of, is_day, unique, value_lines};
use super::window::{Inside, Relation, Window};

/// Answers which values of a selection lie in a window.
pub(super) fn answer(sight: Sight<'_>, of: &Selection, window: &Window) -> Result<Response, StoreError> {
    let (sure, perhaps) = within(sight, of, window, true)?;
    if sure.is_empty() && perhaps.is_empty() {
        let text = format!("Not known: nothing is known of {:?} {}.", of.said, window.text);
        return sight.respond(text, false, unique(window.inputs.clone()));
    }
    let inputs = || unique(sure.iter().chain(&perhaps).chain(&window.inputs).cloned().collect());
    let unsure = value_lines(sight, &perhaps)?;
    if sure.is_empty() {
        let text = format!("Not known: whether {} it was {unsure} cannot be told.", window.text);
        return sight.respond(text, false, inputs());
    }
    let mut text = format!("{}.", value_lines(sight, &sure)?);
    if !perhaps.is_empty() {
        let more = format!(" Perhaps also: {unsure}.");
        text.push_str(&more);
    }
    text.push_str(&window.note(sight)?);
    sight.respond(text, true, inputs())
}

/// Splits facts by whether they surely or perhaps lie in a window: events within it, states at some time of it. Where
/// only the nearest are asked for, states count before and after something only where they border on it.
pub(super) fn within(
    sight: Sight<'_>,
    of: &Selection,
    window: &Window,
    nearest: bool,
) -> Result<(Vec<Found>, Vec<Found>), StoreError> {
    let (mut sure, mut perhaps) = (Vec::new(), Vec::new());
    for item in &of.found {
        let extent = extent_of(sight.seen, item, of.part)?;
        let inside = match (item.kind, window.relation) {
            (TemporalKind::Rigid, _) if !is_day(item) => Inside::Yes,
            (TemporalKind::Event | TemporalKind::Rigid, _) => window.holds(extent.as_ref()),
            // What held just before is what is asked for, not all that ever was before.
            // That a state began or ended is an event.
            (TemporalKind::State, _) if of.part != Part::Whole => window.holds(extent.as_ref()),
            (TemporalKind::State, Relation::Before | Relation::After) if nearest => {
                let edge = |(first, last): (Instant, Instant)| match window.relation {
                    Relation::Before => (last, last),
                    _ => (first, first),
                };
                let mut near = window.clone();
                for span in &mut near.spans {
                    (span.sure, span.may) = (edge(span.sure), edge(span.may));
                    span.may = (span.sure.0.min(span.may.0), span.sure.1.max(span.may.1));
                }
                near.meets(extent.as_ref())
            }
            (TemporalKind::State, _) => window.meets(extent.as_ref()),
        };
        match inside {
            Inside::Yes => sure.push(item.clone()),
            Inside::Perhaps => perhaps.push(item.clone()),
            Inside::No => {}
        }
    }
    if window.relation == Relation::Before {
        sure.reverse();
    }
    Ok((sure, perhaps))
}
