//! How finely a time was said, and where the granule around an instant starts and ends.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Timelike, Utc};
use serde::{Deserialize, Serialize};

use super::Instant;

/// How finely a time was said, from the finest to the coarsest.
///
/// `Unknown` marks a bound that must exist although nobody said when; the instant beside it is the engine's assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Granularity {
    /// One microsecond.
    Instant,
    /// A clock second.
    Second,
    /// A clock minute.
    Minute,
    /// A clock hour.
    Hour,
    /// A civil day.
    Day,
    /// An ISO week, Monday to Sunday.
    Week,
    /// A calendar month.
    Month,
    /// A calendar quarter.
    Quarter,
    /// A meteorological season: three months from 1 March, June, September or December.
    Season,
    /// A calendar year.
    Year,
    /// Ten calendar years from one divisible by ten.
    Decade,
    /// A bound that exists although nobody said when.
    Unknown,
}

impl Granularity {
    /// Every granularity, finest first.
    pub const ALL: [Granularity; 12] = [
        Granularity::Instant,
        Granularity::Second,
        Granularity::Minute,
        Granularity::Hour,
        Granularity::Day,
        Granularity::Week,
        Granularity::Month,
        Granularity::Quarter,
        Granularity::Season,
        Granularity::Year,
        Granularity::Decade,
        Granularity::Unknown,
    ];

    /// Returns the lower-case name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Granularity::Instant => "instant",
            Granularity::Second => "second",
            Granularity::Minute => "minute",
            Granularity::Hour => "hour",
            Granularity::Day => "day",
            Granularity::Week => "week",
            Granularity::Month => "month",
            Granularity::Quarter => "quarter",
            Granularity::Season => "season",
            Granularity::Year => "year",
            Granularity::Decade => "decade",
            Granularity::Unknown => "unknown",
        }
    }

    /// Finds a granularity by its wire name.
    pub fn from_name(name: &str) -> Option<Granularity> {
        Granularity::ALL.into_iter().find(|grain| grain.name() == name)
    }

    /// Returns the instant one granule after `start`, in civil time: a month after 31 January is the last of February.
    /// `Instant` and `Unknown` are one microsecond wide. Kept within the ordinary years.
    #[must_use]
    pub fn after(self, start: Instant) -> Instant {
        self.shift(start, true)
    }

    /// Returns the instant one granule before `end`: the start of the granule that ends there.
    #[must_use]
    pub fn before(self, end: Instant) -> Instant {
        self.shift(end, false)
    }

    fn shift(self, instant: Instant, later: bool) -> Instant {
        let fixed = |micros: i64| instant.plus_micros(if later { micros } else { -micros });
        match self {
            Granularity::Instant | Granularity::Unknown => fixed(1),
            Granularity::Second => fixed(1_000_000),
            Granularity::Minute => fixed(60_000_000),
            Granularity::Hour => fixed(3_600_000_000),
            Granularity::Day => fixed(86_400_000_000),
            Granularity::Week => fixed(7 * 86_400_000_000),
            Granularity::Month => shift_months(instant, 1, later),
            Granularity::Quarter | Granularity::Season => shift_months(instant, 3, later),
            Granularity::Year => shift_months(instant, 12, later),
            Granularity::Decade => shift_months(instant, 120, later),
        }
    }

    /// Returns the start of the granule that contains `instant`, in UTC.
    #[must_use]
    pub fn floor(self, instant: Instant) -> Instant {
        if !instant.is_ordinary() {
            return instant;
        }
        let time = instant.to_chrono();
        let date = time.date_naive();
        let start = match self {
            Granularity::Instant | Granularity::Unknown => return instant,
            Granularity::Second => time.with_nanosecond(0),
            Granularity::Minute => time.with_nanosecond(0).and_then(|t| t.with_second(0)),
            Granularity::Hour => {
                time.with_nanosecond(0).and_then(|t| t.with_second(0)).and_then(|t| t.with_minute(0))
            }
            Granularity::Day => midnight(Some(date)),
            Granularity::Week => {
                midnight(date.checked_sub_days(Days::new(date.weekday().num_days_from_monday().into())))
            }
            Granularity::Month => midnight(date.with_day(1)),
            Granularity::Quarter => {
                midnight(NaiveDate::from_ymd_opt(date.year(), date.month0() / 3 * 3 + 1, 1))
            }
            Granularity::Season => {
                let (year, month) = match date.month() {
                    1 | 2 => (date.year() - 1, 12),
                    month => (date.year(), month / 3 * 3),
                };
                midnight(NaiveDate::from_ymd_opt(year, month, 1))
            }
            Granularity::Year => midnight(NaiveDate::from_ymd_opt(date.year(), 1, 1)),
            Granularity::Decade => midnight(NaiveDate::from_ymd_opt(date.year().div_euclid(10) * 10, 1, 1)),
        };
        start.and_then(Instant::from_chrono).unwrap_or(Instant::FIRST)
    }
}

fn midnight(date: Option<NaiveDate>) -> Option<DateTime<Utc>> {
    date.and_then(|date| date.and_hms_opt(0, 0, 0)).map(|time| time.and_utc())
}

fn shift_months(instant: Instant, months: u32, later: bool) -> Instant {
    if instant == Instant::DISTANT_PAST || instant == Instant::DISTANT_FUTURE {
        return instant;
    }
    let time = instant.to_chrono();
    let months = Months::new(months);
    let shifted = if later { time.checked_add_months(months) } else { time.checked_sub_months(months) };
    let edge = if later { Instant::LAST.next() } else { Instant::FIRST };
    shifted.and_then(Instant::from_chrono).unwrap_or(edge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{format_instant, parse_moment};

    fn at(text: &str) -> Instant {
        parse_moment(text).expect("a date").at
    }

    #[track_caller]
    fn check(grain: Granularity, inside: &str, start: &str, end: &str) {
        let floor = grain.floor(at(inside));
        assert_eq!(format_instant(floor), start, "start of the {} around {inside}", grain.name());
        assert_eq!(format_instant(grain.after(floor)), end, "end of the {} around {inside}", grain.name());
        assert_eq!(grain.before(grain.after(floor)), floor, "{} back from its end", grain.name());
    }

    #[test]
    fn granules_follow_the_calendar() {
        check(Granularity::Day, "2024-02-29T23:59:59Z", "2024-02-29", "2024-03-01");
        check(Granularity::Week, "2024-03-03", "2024-02-26", "2024-03-04");
        check(Granularity::Month, "2024-02-10", "2024-02-01", "2024-03-01");
        check(Granularity::Quarter, "2024-05-31", "2024-04-01", "2024-07-01");
        check(Granularity::Season, "2024-01-15", "2023-12-01", "2024-03-01");
        check(Granularity::Season, "2024-11-30", "2024-09-01", "2024-12-01");
        check(Granularity::Year, "2024-07-01", "2024-01-01", "2025-01-01");
        check(Granularity::Decade, "2024-07-01", "2020-01-01", "2030-01-01");
        check(Granularity::Decade, "-0044-03-15", "-0050-01-01", "-0040-01-01");
        check(Granularity::Minute, "2024-07-01T10:11:12.5Z", "2024-07-01T10:11:00Z", "2024-07-01T10:12:00Z");
    }

    #[test]
    fn the_last_year_ends_one_microsecond_after_the_last_instant() {
        let year = Granularity::Year.floor(Instant::LAST);
        assert_eq!(Granularity::Year.after(year), Instant::LAST.next());
    }

    #[test]
    fn names_round_trip() {
        for grain in Granularity::ALL {
            assert_eq!(Granularity::from_name(grain.name()), Some(grain));
        }
    }
}
