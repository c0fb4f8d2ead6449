//! Between which instants a bound of a fact lies, as far as anybody said.
//!
//! Invariant: an edge is never narrower than what was said. "In May" lies somewhere in May; what is only said to be so
//! began at some time up to then.

use bygone_engine::store::Seen;
use bygone_engine::time::{Bound, Granularity, Instant, Moment};
use bygone_engine::{EndedBy, StoreError};
use bygone_ontology::TemporalKind;

use super::super::wording::is_when_said;
use crate::row::Row;

/// An instant that is known to lie between two others, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask) struct Edge {
    /// The first instant it may be; [`Instant::DISTANT_PAST`] where nothing limits it.
    pub(in crate::ask) lo: Instant,
    /// The last; [`Instant::DISTANT_FUTURE`] where nothing limits it.
    pub(in crate::ask) hi: Instant,
    /// How finely it was said.
    pub(in crate::ask) grain: Granularity,
}

impl Edge {
    /// An instant that is known.
    pub(in crate::ask) const fn at(instant: Instant) -> Edge {
        Edge { lo: instant, hi: instant, grain: Granularity::Instant }
    }

    /// Any instant within a said time.
    pub(in crate::ask) fn of(moment: Moment) -> Edge {
        Edge { lo: moment.at, hi: moment.end().previous(), grain: moment.grain }
    }

    /// Nobody said when.
    pub(in crate::ask) const UNKNOWN: Edge =
        Edge { lo: Instant::DISTANT_PAST, hi: Instant::DISTANT_FUTURE, grain: Granularity::Unknown };

    /// Says whether it lies within a said time.
    pub(in crate::ask) fn is_dated(self) -> bool {
        self.lo.is_ordinary() && self.hi.is_ordinary()
    }
}

/// When a fact begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask) struct Extent {
    /// Its start.
    pub(in crate::ask) start: Edge,
    /// Its last instant.
    pub(in crate::ask) end: Edge,
}

impl Extent {
    /// Says whether it surely holds at some instant of a period given by its first and last instant.
    pub(in crate::ask) fn surely_overlaps(self, (first, last): (Instant, Instant)) -> bool {
        first <= last && self.start.hi <= last && first <= self.end.lo
    }

    /// Says whether it may hold at some instant of a period.
    pub(in crate::ask) fn may_overlap(self, (first, last): (Instant, Instant)) -> bool {
        self.start.lo <= last && first <= self.end.hi
    }

    /// Says whether all of it surely lies in a period.
    pub(in crate::ask) fn lies_in(self, (first, last): (Instant, Instant)) -> bool {
        first <= self.start.lo && self.end.hi <= last
    }
}

/// Returns when a fact begins and ends; `None` where it is undated.
pub(in crate::ask) fn extent(
    seen: &Seen<'_>,
    row: &Row,
    kind: TemporalKind,
) -> Result<Option<Extent>, StoreError> {
    let Some(period) = row.fact.validity.period() else { return Ok(None) };
    let start = match period.from() {
        Bound::Open => Edge { hi: Instant::DISTANT_PAST, ..Edge::UNKNOWN },
        Bound::At(from) if from.grain == Granularity::Unknown => {
            Edge { hi: period.end().previous(), ..Edge::UNKNOWN }
        }
        Bound::At(from) if is_when_said(seen, row, from)? => Edge { hi: from.at, ..Edge::UNKNOWN },
        Bound::At(from) => Edge::of(from),
    };
    let end = match period.to() {
        Bound::Open => Edge { lo: Instant::DISTANT_FUTURE, ..Edge::UNKNOWN },
        Bound::At(to) if to.grain == Granularity::Unknown => Edge { lo: start.lo, ..Edge::UNKNOWN },
        Bound::At(to) if kind == TemporalKind::Event => {
            let is_one_granule = period.from().moment().is_some_and(|from| from.end() == to.at);
            let lo = if is_one_granule { start.lo } else { to.grain.before(to.at).max(start.lo) };
            Edge { lo, hi: to.at.previous(), grain: to.grain }
        }
        Bound::At(to) if is_when_said(seen, row, to)? => {
            Edge { lo: start.lo, hi: to.at, grain: Granularity::Unknown }
        }
        Bound::At(to) if to.grain < Granularity::Day => {
            Edge { grain: to.grain, ..Edge::at(to.at.previous()) }
        }
        // A change lies in its own granule; what was ended lies in the last granule that it still took up.
        Bound::At(to) if row.fact.ended_by == Some(EndedBy::Change) => Edge::of(to),
        Bound::At(to) => {
            Edge { lo: to.grain.before(to.at).max(start.lo), hi: to.at.previous(), grain: to.grain }
        }
    };
    Ok(Some(Extent { start, end }))
}
