//! The time of something that a question names instead of a date: "the wedding", "she joined Acme".
//!
//! Invariant: of several things that may be meant and differ in time none is chosen; the answer says which there are.

use bygone_engine::StoreError;

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::super::wording::join;
use super::extent::Extent;
use super::selection::{Selection, deed_line, extent_of, unique};

/// Something with a time.
#[derive(Clone, Debug)]
pub(in crate::ask) struct Anchor {
    /// What it was selected by.
    pub(in crate::ask) selection: Selection,
    /// The facts that are dated, each with its time.
    pub(in crate::ask) occasions: Vec<(Found, Extent)>,
}

/// Why something has no one time.
#[derive(Clone, Debug)]
pub(in crate::ask) enum Timeless {
    /// Nobody said when it was, or it has not ended.
    Undated,
    /// Several things may be meant.
    Several,
}

impl Anchor {
    /// Dates what is selected.
    pub(in crate::ask) fn new(sight: Sight<'_>, selection: Selection) -> Result<Anchor, StoreError> {
        let mut occasions: Vec<(Found, Extent)> = Vec::new();
        for found in unique(selection.found.clone()) {
            let Some(extent) = extent_of(sight.seen, &found, selection.part)? else { continue };
            // One wedding is told by each of its guests.
            let is_same = |(other, when): &(Found, Extent)| {
                *when == extent && other.row.fact.object.key() == found.row.fact.object.key()
            };
            if !occasions.iter().any(is_same) {
                occasions.push((found, extent));
            }
        }
        Ok(Anchor { selection, occasions })
    }

    /// Returns the one occasion that is meant. One that lies within another is the same, told more exactly.
    pub(in crate::ask) fn only(&self) -> Result<&(Found, Extent), Timeless> {
        let dated =
            self.occasions.iter().filter(|(_, extent)| extent.start.is_dated() || extent.end.is_dated());
        let lies_in = |inner: &Extent, outer: &Extent| inner.lies_in((outer.start.lo, outer.end.hi));
        let mut best: Option<&(Found, Extent)> = None;
        for occasion in dated {
            best = match best {
                None => Some(occasion),
                Some(other) if lies_in(&occasion.1, &other.1) && occasion.1 != other.1 => Some(occasion),
                Some(other) if lies_in(&other.1, &occasion.1) => Some(other),
                Some(_) => return Err(Timeless::Several),
            };
        }
        best.ok_or(Timeless::Undated)
    }

    /// Returns the facts that a time of it rests on.
    pub(in crate::ask) fn inputs(&self) -> Vec<Found> {
        self.only().map_or_else(|_| self.selection.found.clone(), |(found, _)| vec![found.clone()])
    }

    /// Answers that it has no one time.
    pub(in crate::ask) fn refuse(&self, sight: Sight<'_>, why: &Timeless) -> Result<Response, StoreError> {
        let said = &self.selection.said;
        let found = unique(self.selection.found.clone());
        let lines: Vec<String> =
            found.iter().map(|found| deed_line(sight, found, true)).collect::<Result<_, _>>()?;
        let text = match why {
            _ if found.is_empty() => return Ok(nothing(self.selection.missing())),
            Timeless::Undated => format!("Not known when {said:?} was: {}.", join(&lines)),
            Timeless::Several => {
                format!("Not known: {said:?} may be several things: {}; say which.", join(&lines))
            }
        };
        sight.respond(text, false, found)
    }
}

/// Answers that nothing is known.
pub(in crate::ask) fn nothing(text: String) -> Response {
    Response { text, ..Response::default() }
}

/// How one time lies to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask) enum Order {
    /// The first is over before the second begins.
    Before,
    /// The other way round.
    After,
    /// They are known to share time.
    Overlapping,
    /// What is known does not say.
    Untold,
}

/// Says how one time lies to another.
pub(in crate::ask) fn order(one: &Extent, other: &Extent) -> Order {
    if one.end.hi < other.start.lo {
        Order::Before
    } else if other.end.hi < one.start.lo {
        Order::After
    } else if one.surely_overlaps((other.start.hi, other.end.lo)) && one.start.hi < one.end.lo {
        Order::Overlapping
    } else {
        Order::Untold
    }
}
