//! What a stretch of valid time is: half-open, never empty, either end possibly open or undated.

use serde::{Deserialize, Serialize};

use super::{Instant, Moment, format_instant};

/// One end of a period.
///
/// Open is not unknown: an open end says that no end was stated, an unknown one (granularity
/// [`Unknown`](super::Granularity::Unknown)) that there is an end which nobody dated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Bound {
    /// No bound: since ever, or going on.
    Open,
    /// A bound at the start of the moment's granule.
    At(Moment),
}

impl Bound {
    /// Returns the moment of a bound that is not open.
    pub const fn moment(self) -> Option<Moment> {
        match self {
            Bound::Open => None,
            Bound::At(moment) => Some(moment),
        }
    }

    /// Says whether the bound is open.
    pub const fn is_open(self) -> bool {
        matches!(self, Bound::Open)
    }
}

/// A half-open stretch of time `[from, to)`.
///
/// Invariant: `start() < end()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Period {
    from: Bound,
    to: Bound,
}

/// Why two bounds make no period.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("period ends at {to}, which is not after its start {from}")]
pub struct PeriodError {
    from: String,
    to: String,
}

impl Period {
    /// All time.
    pub const ALWAYS: Period = Period { from: Bound::Open, to: Bound::Open };

    /// Makes the period `[from, to)`.
    ///
    /// # Errors
    /// [`PeriodError`] where the end is not after the start.
    pub fn new(from: Bound, to: Bound) -> Result<Period, PeriodError> {
        let period = Period { from, to };
        if period.start() < period.end() {
            Ok(period)
        } else {
            Err(PeriodError { from: format_instant(period.start()), to: format_instant(period.end()) })
        }
    }

    /// Returns the lower bound.
    pub const fn from(self) -> Bound {
        self.from
    }

    /// Returns the upper, exclusive bound.
    pub const fn to(self) -> Bound {
        self.to
    }

    /// Returns the first instant, [`Instant::DISTANT_PAST`] where open.
    pub const fn start(self) -> Instant {
        match self.from {
            Bound::Open => Instant::DISTANT_PAST,
            Bound::At(moment) => moment.at,
        }
    }

    /// Returns the first instant after the period, [`Instant::DISTANT_FUTURE`] where open.
    pub const fn end(self) -> Instant {
        match self.to {
            Bound::Open => Instant::DISTANT_FUTURE,
            Bound::At(moment) => moment.at,
        }
    }

    /// Says whether the instant lies in the period.
    pub fn contains(self, instant: Instant) -> bool {
        self.start() <= instant && instant < self.end()
    }

    /// Says whether the two periods share an instant.
    pub fn overlaps(self, other: Period) -> bool {
        self.start() < other.end() && other.start() < self.end()
    }
}

/// When a statement holds: over a period, or at a time nobody dated at either end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Validity {
    /// It was so at some time; neither start nor end is known. It answers "ever", never an as-of.
    Undated,
    /// It was so over the period.
    Over(Period),
}

impl Validity {
    /// Returns the period of a dated validity.
    pub const fn period(self) -> Option<Period> {
        match self {
            Validity::Undated => None,
            Validity::Over(period) => Some(period),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::parse_moment;

    fn period(from: &str, to: &str) -> Period {
        let bound = |text: &str| match text {
            "" => Bound::Open,
            text => Bound::At(parse_moment(text).unwrap()),
        };
        Period::new(bound(from), bound(to)).unwrap()
    }

    #[test]
    fn a_period_has_its_start_and_not_its_end() {
        let at = |text: &str| parse_moment(text).unwrap().at;
        let march = period("2024-03", "2024-04");
        assert!(march.contains(at("2024-03-01")) && march.contains(at("2024-03-31T23:59:59.999999Z")));
        assert!(!march.contains(at("2024-04-01")) && !march.contains(at("2024-02-29T23:59:59.999999Z")));
        assert!(period("", "2024").contains(Instant::DISTANT_PAST));
        assert!(period("2024", "").contains(at("9998")));
    }

    #[test]
    fn periods_that_touch_share_no_instant() {
        let march = period("2024-03", "2024-04");
        assert!(!march.overlaps(period("2024-04", "")) && !march.overlaps(period("", "2024-03")));
        assert!(march.overlaps(period("2024-03-31T23:59:59.999999Z", "")) && march.overlaps(march));
    }
}
