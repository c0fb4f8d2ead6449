//! One fact as a line of signs.

use bygone_engine::time::{Bound, Granularity, Instant, Validity};
use bygone_engine::{Basis, Fact};

use super::scale::Scale;
use crate::screen::Signs;

/// What a column of a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Nothing,
    /// It is stated that it was so.
    Stated,
    /// It is presumed.
    Presumed,
    /// It was so before all that is shown.
    FromBefore,
    /// It goes on.
    GoesOn,
    /// It happened.
    Event,
    /// Nobody said when.
    Unknown,
    /// Now, on an empty part of a line.
    Now,
    /// An end of the valid time asked about, on an empty part of a line.
    Asked,
}

impl Mark {
    pub(super) const fn sign(self, signs: Signs) -> char {
        let (unicode, ascii) = match self {
            Mark::Nothing => (' ', ' '),
            Mark::Stated => ('━', '='),
            Mark::Presumed => ('╌', '-'),
            Mark::FromBefore => ('◂', '<'),
            Mark::GoesOn => ('▸', '>'),
            Mark::Event => ('●', '*'),
            Mark::Unknown => ('?', '?'),
            Mark::Now => ('┊', ':'),
            Mark::Asked => ('│', '|'),
        };
        match signs {
            Signs::Unicode => unicode,
            Signs::Ascii => ascii,
        }
    }
}

/// Lays a fact over the columns of a scale.
pub(super) fn marks(fact: &Fact, is_event: bool, scale: &Scale) -> Vec<Mark> {
    let mut marks = vec![Mark::Nothing; scale.columns()];
    let Validity::Over(period) = fact.validity else {
        marks[0] = Mark::Unknown;
        return marks;
    };
    let (first, last) = (scale.column(period.start()), scale.column(period.end().previous()));
    if is_event {
        marks[usize::midpoint(first, last)] = Mark::Event;
        return marks;
    }
    marks[first..=last].fill(Mark::Presumed);
    // A stated stretch is seen however short it is.
    for segment in fact.segments.iter().filter(|segment| segment.basis == Basis::Stated) {
        let (from, to) = (scale.column(segment.from), scale.column(segment.to.previous()));
        marks[from..=to].fill(Mark::Stated);
    }
    let is_undated = |bound: Bound| bound.moment().is_some_and(|moment| moment.grain == Granularity::Unknown);
    if is_undated(period.from()) {
        marks[first] = Mark::Unknown;
    } else if period.start() == Instant::DISTANT_PAST {
        marks[first] = Mark::FromBefore;
    }
    if is_undated(period.to()) {
        marks[last] = Mark::Unknown;
    } else if period.end() == Instant::DISTANT_FUTURE {
        marks[last] = Mark::GoesOn;
    }
    marks
}
