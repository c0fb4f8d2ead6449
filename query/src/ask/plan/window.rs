//! The time that a question limits itself to: a date, or what lies before, during or after something else.
//!
//! Where what it goes by is known only to a granule, so is the window: there are instants that surely lie in it, and
//! instants that may.

use bygone_engine::time::{Granularity, Instant};
use bygone_engine::{StoreError, ValidTime};

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::anchor::{Anchor, Timeless};
use super::extent::{Edge, Extent};
use super::length::Unit;

/// How a window lies to what it goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask) enum Relation {
    /// There is no limit.
    Always,
    /// It is a date.
    Dated,
    /// What lies before.
    Before,
    /// What lies after.
    After,
    /// While it lasts.
    During,
    /// A granule at some distance from it: "two weeks after the surgery".
    Offset,
    /// The day or other granule that it falls on: "on her birthday in 2022".
    On,
}

/// A stretch of time, by its first and last instant.
type Stretch = (Instant, Instant);

/// The instants that surely lie in a window, and those that may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask) struct Span {
    /// Surely.
    pub(in crate::ask) sure: Stretch,
    /// Perhaps.
    pub(in crate::ask) may: Stretch,
}

/// A limit in time.
#[derive(Clone, Debug)]
pub(in crate::ask) struct Window {
    /// How it lies to what it goes by.
    pub(in crate::ask) relation: Relation,
    /// The limit in words.
    pub(in crate::ask) text: String,
    /// Its stretches.
    pub(in crate::ask) spans: Vec<Span>,
    /// The facts it goes by.
    pub(in crate::ask) inputs: Vec<Found>,
    /// The valid time of a date.
    pub(in crate::ask) valid: Option<ValidTime>,
    /// What it goes by.
    pub(in crate::ask) anchor: Option<Anchor>,
}

/// Whether something lies in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask) enum Inside {
    Yes,
    Perhaps,
    No,
}

impl Window {
    /// No limit.
    pub(in crate::ask) fn always() -> Window {
        let all = (Instant::DISTANT_PAST, Instant::DISTANT_FUTURE);
        Window {
            relation: Relation::Always,
            text: "all time".to_owned(),
            spans: vec![Span { sure: all, may: all }],
            inputs: Vec::new(),
            valid: None,
            anchor: None,
        }
    }

    /// A date.
    pub(in crate::ask) fn dated(valid: ValidTime, text: String) -> Window {
        let stretch = match valid {
            ValidTime::At(instant) => (instant, instant),
            ValidTime::During(period) => (period.start(), period.end().previous()),
            ValidTime::All => (Instant::DISTANT_PAST, Instant::DISTANT_FUTURE),
        };
        let spans = vec![Span { sure: stretch, may: stretch }];
        Window { relation: Relation::Dated, text, spans, valid: Some(valid), ..Window::always() }
    }

    /// What lies before or after something, or while it lasts.
    ///
    /// # Errors
    /// The answer that there is no one such time.
    pub(in crate::ask) fn around(
        sight: Sight<'_>,
        relation: Relation,
        text: String,
        anchor: Anchor,
    ) -> Result<Result<Window, Response>, StoreError> {
        if relation == Relation::During {
            let spans: Vec<Span> = anchor.occasions.iter().map(|(_, extent)| during(extent)).collect();
            if spans.is_empty() {
                return Ok(Err(anchor.refuse(sight, &Timeless::Undated)?));
            }
            let inputs = anchor.occasions.iter().map(|(found, _)| found.clone()).collect();
            return Ok(Ok(Window {
                relation,
                text,
                spans,
                inputs,
                anchor: Some(anchor),
                ..Window::always()
            }));
        }
        let extent = match anchor.only() {
            Ok((_, extent)) => *extent,
            Err(why) => return Ok(Err(anchor.refuse(sight, &why)?)),
        };
        let span = match relation {
            Relation::Before => Span {
                sure: (Instant::DISTANT_PAST, extent.start.lo.previous()),
                may: (Instant::DISTANT_PAST, extent.start.hi),
            },
            Relation::After => Span {
                sure: (extent.end.hi.next(), Instant::DISTANT_FUTURE),
                may: (extent.end.lo, Instant::DISTANT_FUTURE),
            },
            Relation::Always | Relation::Dated | Relation::During | Relation::Offset | Relation::On => {
                during(&extent)
            }
        };
        let inputs = anchor.inputs();
        Ok(Ok(Window { relation, text, spans: vec![span], inputs, anchor: Some(anchor), ..Window::always() }))
    }

    /// The granule that lies some units before or after something: of days the day, of weeks the week.
    pub(in crate::ask) fn offset(
        sight: Sight<'_>,
        text: String,
        anchor: Anchor,
        (n, unit): (i64, Unit),
    ) -> Result<Result<Window, Response>, StoreError> {
        let extent = match anchor.only() {
            Ok((_, extent)) => *extent,
            Err(why) => return Ok(Err(anchor.refuse(sight, &why)?)),
        };
        let grain = unit.grain();
        let from = if n < 0 { extent.start } else { extent.end };
        let granule = |at: Instant| {
            let start = grain.floor(shift(at, n, unit));
            (start, grain.after(start).previous())
        };
        let (first, last) = (granule(from.lo), granule(from.hi));
        let sure = if first == last { first } else { (Instant::DISTANT_FUTURE, Instant::DISTANT_PAST) };
        let span = Span { sure, may: (first.0, last.1) };
        let inputs = anchor.inputs();
        let relation = Relation::Offset;
        Ok(Ok(Window { relation, text, spans: vec![span], inputs, anchor: Some(anchor), ..Window::always() }))
    }

    /// A granule that a fact gives: the day of a birthday.
    pub(in crate::ask) fn on(text: String, edge: Edge, inputs: Vec<Found>) -> Window {
        let stretch = (edge.lo, edge.hi);
        let spans = vec![Span { sure: stretch, may: stretch }];
        Window { relation: Relation::On, text, spans, inputs, ..Window::always() }
    }

    /// Says what the noun that the window goes by was taken for; empty where it goes by a clause or a date.
    pub(in crate::ask) fn note(&self, sight: Sight<'_>) -> Result<String, StoreError> {
        let by_noun = self.anchor.as_ref().is_some_and(|anchor| anchor.selection.patterns.is_empty());
        if !by_noun || self.inputs.is_empty() {
            return Ok(String::new());
        }
        let mut lines = Vec::new();
        for input in &self.inputs {
            lines.push(super::selection::dated_deed(sight, input, true)?);
        }
        let said = self.anchor.as_ref().map_or("", |anchor| anchor.selection.said.as_str());
        Ok(format!(" ({said}: {}.)", super::super::wording::join(&lines)))
    }

    /// Says whether all of something lies in the window, as an event has to.
    pub(in crate::ask) fn holds(&self, extent: Option<&Extent>) -> Inside {
        let Some(extent) = extent else {
            return if self.relation == Relation::Always { Inside::Yes } else { Inside::Perhaps };
        };
        if self.spans.iter().any(|span| extent.lies_in(span.sure)) {
            Inside::Yes
        } else if self.spans.iter().any(|span| extent.may_overlap(span.may)) {
            Inside::Perhaps
        } else {
            Inside::No
        }
    }

    /// Says whether something shares time with the window, as a state has to.
    pub(in crate::ask) fn meets(&self, extent: Option<&Extent>) -> Inside {
        let Some(extent) = extent else {
            return if self.relation == Relation::Always { Inside::Yes } else { Inside::Perhaps };
        };
        if self.spans.iter().any(|span| extent.surely_overlaps(span.sure)) {
            Inside::Yes
        } else if self.spans.iter().any(|span| extent.may_overlap(span.may)) {
            Inside::Perhaps
        } else {
            Inside::No
        }
    }
}

fn during(extent: &Extent) -> Span {
    let is_point = extent.start == extent.end;
    // What happens within a granule is told by that granule.
    let sure = if is_point { (extent.start.lo, extent.end.hi) } else { (extent.start.hi, extent.end.lo) };
    Span { sure, may: (extent.start.lo, extent.end.hi) }
}

/// Moves an instant by units, in civil time.
fn shift(at: Instant, n: i64, unit: Unit) -> Instant {
    let grain: Granularity = unit.grain();
    (0..n.abs()).fold(at, |at, _| if n < 0 { grain.before(at) } else { grain.after(at) })
}
