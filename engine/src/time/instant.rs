//! What one point on the time line is: microseconds since 1970-01-01T00:00:00Z, in an `i64`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A point on the time line, in UTC microseconds since the Unix epoch.
///
/// Ordinary instants lie within the years -9999 to 9999. Two values beyond them stand for "before all time" and
/// "after all time", so that half-open periods with open ends compare like any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Instant(i64);

impl Instant {
    /// Before every ordinary instant: the start of a period that is open towards the past.
    pub const DISTANT_PAST: Instant = Instant(i64::MIN);
    /// After every ordinary instant: the end of a period that is open towards the future.
    pub const DISTANT_FUTURE: Instant = Instant(i64::MAX);
    /// The first ordinary instant, -9999-01-01T00:00:00Z.
    pub const FIRST: Instant = Instant(-377_705_116_800_000_000);
    /// The last ordinary instant, 9999-12-31T23:59:59.999999Z.
    pub const LAST: Instant = Instant(253_402_300_799_999_999);

    /// Makes an instant from microseconds since the epoch; `None` outside the years -9999 to 9999.
    pub fn from_micros(micros: i64) -> Option<Instant> {
        let instant = Instant(micros);
        (Instant::FIRST..=Instant::LAST).contains(&instant).then_some(instant)
    }

    /// Makes an instant from a chrono time; `None` outside the years -9999 to 9999.
    pub fn from_chrono(time: DateTime<Utc>) -> Option<Instant> {
        Instant::from_micros(time.timestamp_micros())
    }

    /// Rebuilds an instant, distant ones included, from what [`Instant::micros`] gave.
    pub(crate) const fn from_raw(micros: i64) -> Instant {
        Instant(micros)
    }

    /// Returns the microseconds since the epoch; the distant instants give the ends of `i64`.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Says whether this is an ordinary instant and not one of the two distant ones.
    pub fn is_ordinary(self) -> bool {
        (Instant::FIRST..=Instant::LAST).contains(&self)
    }

    /// Returns the chrono time; distant instants give the first or last ordinary one.
    pub fn to_chrono(self) -> DateTime<Utc> {
        let ordinary = self.clamp(Instant::FIRST, Instant::LAST);
        DateTime::from_timestamp_micros(ordinary.0).expect("an ordinary instant is within chrono's range")
    }

    /// Returns the instant one microsecond later; distant instants stay where they are.
    #[must_use]
    pub fn next(self) -> Instant {
        self.plus_micros(1)
    }

    /// Returns the instant one microsecond earlier; distant instants stay where they are.
    #[must_use]
    pub fn previous(self) -> Instant {
        self.plus_micros(-1)
    }

    /// Returns the instant `micros` later (earlier where negative), kept within the ordinary years plus one instant
    /// beyond the last, which is the exclusive end of the year 9999.
    #[must_use]
    pub fn plus_micros(self, micros: i64) -> Instant {
        if self == Instant::DISTANT_PAST || self == Instant::DISTANT_FUTURE {
            return self;
        }
        Instant(self.0.saturating_add(micros).clamp(Instant::FIRST.0, Instant::LAST.0 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_years_end_at_9999() {
        assert_eq!(Instant::FIRST.to_chrono().to_rfc3339(), "-9999-01-01T00:00:00+00:00");
        assert_eq!(Instant::LAST.to_chrono().to_rfc3339(), "9999-12-31T23:59:59.999999+00:00");
        assert_eq!(Instant::from_micros(Instant::LAST.micros() + 1), None);
        assert_eq!(Instant::from_micros(Instant::FIRST.micros() - 1), None);
    }

    #[test]
    fn distant_instants_do_not_move() {
        assert_eq!(Instant::DISTANT_FUTURE.previous(), Instant::DISTANT_FUTURE);
        assert_eq!(Instant::DISTANT_PAST.next(), Instant::DISTANT_PAST);
    }
}
