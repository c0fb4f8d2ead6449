//! What a dated phrase amounts to on the time line: a half-open stretch with the granularity it was said with.

use bygone_engine::time::{Granularity, Instant};
use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::floating::Floating;

/// A stretch of time a phrase names, `[start, end)` in UTC.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    pub(super) start: NaiveDateTime,
    pub(super) end: NaiveDateTime,
    pub(super) grain: Granularity,
    /// Whether it was hedged or rests on a rounded length.
    pub(super) approx: bool,
    pub(super) best: Option<NaiveDateTime>,
    pub(super) alternatives: Vec<(NaiveDateTime, NaiveDateTime)>,
    /// Whether it is a run of granules and not a time within one.
    pub(super) many: bool,
    /// What repeats, where the phrase left the year or the week open.
    pub(super) floating: Option<Floating>,
    /// Whether it was said by the clock, so that a bound at it means its first moment.
    pub(super) clock: bool,
}

impl Stretch {
    pub(super) fn new(start: NaiveDateTime, end: NaiveDateTime, grain: Granularity) -> Stretch {
        Stretch {
            start,
            end,
            grain,
            approx: false,
            best: None,
            alternatives: Vec::new(),
            many: false,
            floating: None,
            clock: false,
        }
    }

    /// Makes the granule that holds the time.
    pub(super) fn granule(at: NaiveDateTime, grain: Granularity) -> Option<Stretch> {
        let start = floor(grain, at)?;
        Some(Stretch::new(start, after(grain, start)?, grain))
    }

    pub(super) fn day(date: NaiveDate) -> Option<Stretch> {
        Stretch::granule(midnight(date), Granularity::Day)
    }

    pub(super) fn month(year: i32, month: u32) -> Option<Stretch> {
        Stretch::granule(midnight(NaiveDate::from_ymd_opt(year, month, 1)?), Granularity::Month)
    }

    pub(super) fn year(year: i32) -> Option<Stretch> {
        Stretch::granule(midnight(NaiveDate::from_ymd_opt(year, 1, 1)?), Granularity::Year)
    }

    /// Makes the stretch of some months from the first of one.
    pub(super) fn months(year: i32, month: u32, count: u32, grain: Granularity) -> Option<Stretch> {
        let start = NaiveDate::from_ymd_opt(year, month, 1)?;
        let end = start.checked_add_months(chrono::Months::new(count))?;
        Some(Stretch::new(midnight(start), midnight(end), grain))
    }

    pub(super) fn weekend(week: NaiveDate) -> Option<Stretch> {
        let saturday = monday(week)?.checked_add_days(Days::new(5))?;
        let end = saturday.checked_add_days(Days::new(2))?;
        Some(Stretch::new(midnight(saturday), midnight(end), Granularity::Day))
    }

    #[must_use]
    pub(super) fn hedged(self) -> Stretch {
        Stretch { approx: true, ..self }
    }

    #[must_use]
    pub(super) fn spanning(self) -> Stretch {
        Stretch { many: true, ..self }
    }

    #[must_use]
    pub(super) fn or(mut self, other: Option<(NaiveDateTime, NaiveDateTime)>) -> Stretch {
        self.alternatives.extend(other.filter(|other| *other != (self.start, self.end)));
        self
    }

    /// Returns what repeats, unless a clock was joined to it.
    pub(super) fn free(&self) -> Option<Floating> {
        self.floating.filter(|_| self.grain >= Granularity::Day)
    }

    /// Says whether the stretch is exactly one civil day.
    pub(super) fn is_day(&self) -> bool {
        self.grain == Granularity::Day && self.end - self.start == TimeDelta::days(1)
    }

    /// Widens a hedged stretch ("around Easter") by a week either side of a day, else by one granule; a clock time
    /// stays as wide as it was.
    pub(super) fn widened(self) -> Option<Stretch> {
        let best = Some(self.start);
        let by = |grain: Granularity| -> Option<(NaiveDateTime, NaiveDateTime)> {
            Some((before(grain, self.start)?, after(grain, self.end)?))
        };
        let (start, end) = match self.grain {
            Granularity::Day if !self.clock => by(Granularity::Week)?,
            grain if grain > Granularity::Day => by(grain)?,
            _ => (self.start, self.end),
        };
        Some(Stretch { start, end, approx: true, best, ..self })
    }
}

pub(super) fn midnight(date: NaiveDate) -> NaiveDateTime {
    date.and_time(NaiveTime::MIN)
}

/// Returns the Monday of the ISO week that holds the date.
pub(super) fn monday(date: NaiveDate) -> Option<NaiveDate> {
    date.checked_sub_days(Days::new(date.weekday().num_days_from_monday().into()))
}

pub(super) fn plus_days(at: NaiveDateTime, days: i64) -> Option<NaiveDateTime> {
    at.checked_add_signed(TimeDelta::try_days(days)?)
}

pub(super) fn floor(grain: Granularity, at: NaiveDateTime) -> Option<NaiveDateTime> {
    Some(grain.floor(instant(at)?).to_chrono().naive_utc())
}

pub(super) fn after(grain: Granularity, at: NaiveDateTime) -> Option<NaiveDateTime> {
    let end = grain.after(instant(at)?);
    end.is_ordinary().then(|| end.to_chrono().naive_utc())
}

pub(super) fn before(grain: Granularity, at: NaiveDateTime) -> Option<NaiveDateTime> {
    Some(grain.before(instant(at)?).to_chrono().naive_utc())
}

pub(super) fn instant(at: NaiveDateTime) -> Option<Instant> {
    Instant::from_chrono(at.and_utc())
}
