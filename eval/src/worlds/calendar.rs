//! The calendar of a world: minutes on its clock, and dates as people say them.
//!
//! It is computed here, and not by the engine, so that a fault of the engine's calendar shows.

use bygone_engine::time::{Instant, Moment, parse_moment};

use crate::belief::splitmix::Random;

/// Minutes of a day.
const DAY: i64 = 24 * 60;

/// A minute, counted from the start of 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Minute(i64);

impl Minute {
    /// Returns a minute of a day that is counted from 1 January 1970.
    pub const fn of_day(day: i64, minute: i64) -> Minute {
        Minute(day * DAY + minute)
    }

    /// Returns its day.
    pub const fn day(self) -> i64 {
        self.0.div_euclid(DAY)
    }

    /// Returns the minute so many later.
    #[must_use]
    pub const fn plus(self, minutes: i64) -> Minute {
        Minute(self.0 + minutes)
    }

    /// Writes it as RFC 3339.
    pub fn text(self) -> String {
        let minute = self.0.rem_euclid(DAY);
        format!("{}T{:02}:{:02}:00Z", Date::of_day(self.day()).iso(), minute / 60, minute % 60)
    }

    /// Returns the instant at which it starts.
    pub fn instant(self) -> Instant {
        moment(&self.text()).at
    }
}

/// How much of the calendar a date names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// A day.
    Day,
    /// A month.
    Month,
    /// A year.
    Year,
}

/// A year, a month or a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    grain: Grain,
    year: i64,
    month: i64,
    day: i64,
}

impl Date {
    /// Returns the day that is so many after 1 January 1970.
    ///
    /// H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    pub const fn of_day(day: i64) -> Date {
        let shifted = day + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year_of_era + era * 400 + (month <= 2) as i64;
        Date { grain: Grain::Day, year, month, day: day_of_year - (153 * shifted_month + 2) / 5 + 1 }
    }

    /// Returns the year, month or day that a day lies in.
    #[must_use]
    pub const fn coarser(self, grain: Grain) -> Date {
        match grain {
            Grain::Day => self,
            Grain::Month => Date { grain, day: 1, ..self },
            Grain::Year => Date { grain, month: 1, day: 1, ..self },
        }
    }

    /// Returns the day it starts with, counted from 1 January 1970.
    ///
    /// Hinnant, `days_from_civil`.
    pub const fn first_day(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let shifted_month = if self.month > 2 { self.month - 3 } else { self.month + 9 };
        let day_of_year = (153 * shifted_month + 2) / 5 + self.day - 1;
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
    }

    /// Returns the date of the same grain behind it, at which a period ends that includes it.
    #[must_use]
    pub const fn next(self) -> Date {
        match self.grain {
            Grain::Day => Date::of_day(self.first_day() + 1),
            Grain::Month if self.month == 12 => Date { year: self.year + 1, month: 1, ..self },
            Grain::Month => Date { month: self.month + 1, ..self },
            Grain::Year => Date { year: self.year + 1, ..self },
        }
    }

    /// Writes it as the wire does: `2024`, `2024-03`, `2024-03-01`.
    pub fn iso(self) -> String {
        let Date { grain, year, month, day } = self;
        match grain {
            Grain::Day => format!("{year:04}-{month:02}-{day:02}"),
            Grain::Month => format!("{year:04}-{month:02}"),
            Grain::Year => format!("{year:04}"),
        }
    }

    /// Writes it in one of the ways in which people do: "March 2024", "3 March 2024", "March 3, 2024".
    pub fn words(self, random: &mut Random) -> String {
        let Date { grain, year, month, day } = self;
        let month = MONTHS[usize::try_from(month - 1).unwrap_or_default()];
        match grain {
            Grain::Day if random.chance(50) => format!("{day} {month} {year}"),
            Grain::Day => format!("{month} {day}, {year}"),
            Grain::Month => format!("{month} {year}"),
            Grain::Year => format!("{year}"),
        }
    }

    /// Returns how it is called from a day shortly after it: "yesterday", "last month", "last year".
    pub fn seen_from(self, today: i64) -> Option<&'static str> {
        let today = Date::of_day(today).coarser(self.grain);
        let is_last = self.next() == today;
        is_last.then_some(match self.grain {
            Grain::Day => "yesterday",
            Grain::Month => "last month",
            Grain::Year => "last year",
        })
    }

    /// Says whether it is a day.
    pub const fn is_day(self) -> bool {
        matches!(self.grain, Grain::Day)
    }

    /// Returns the word that stands before it where something happened then.
    pub const fn preposition(self) -> &'static str {
        match self.grain {
            Grain::Day => "on",
            Grain::Month | Grain::Year => "in",
        }
    }

    /// Returns a date that lies wholly from one day up to and without another; a day where nothing coarser fits.
    ///
    /// # Panics
    /// Where there is no day in between.
    pub fn within(random: &mut Random, from: i64, to: i64) -> Date {
        let grain = *random.one_of(&[Grain::Day, Grain::Day, Grain::Month, Grain::Month, Grain::Year]);
        let day = Date::of_day(day_within(random, from, to));
        let date = day.coarser(grain);
        if date.first_day() >= from && date.next().first_day() <= to {
            return date;
        }
        let month = day.coarser(Grain::Month);
        let fits = month.first_day() >= from && month.next().first_day() <= to;
        if grain == Grain::Year && fits { month } else { day }
    }

    /// Returns two dates of one grain, the first before the second, both wholly from one day up to and without another.
    ///
    /// # Panics
    /// Where there are fewer than two days in between.
    pub fn pair_within(random: &mut Random, from: i64, to: i64) -> (Date, Date) {
        let middle = from + (to - from) / 2;
        let first = Date::of_day(day_within(random, from, middle));
        let last = Date::of_day(day_within(random, middle, to));
        let grain = *random.one_of(&[Grain::Day, Grain::Month, Grain::Month, Grain::Year]);
        let (early, late) = (first.coarser(grain), last.coarser(grain));
        let fits = early.first_day() >= from && late.next().first_day() <= to && early != late;
        if fits { (early, late) } else { (first, last) }
    }
}

/// Returns a day from one up to and without another.
pub fn day_within(random: &mut Random, from: i64, to: i64) -> i64 {
    let width = u64::try_from(to - from).expect("a stretch of days goes forward");
    from + i64::try_from(random.below(width)).expect("below a number of days")
}

/// Reads a time that this file wrote.
///
/// # Panics
/// Where the engine does not read it.
pub fn moment(text: &str) -> Moment {
    parse_moment(text).expect("a date of the calendar is a time on the wire")
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_each_others_inverse() {
        assert_eq!(Date::of_day(0).iso(), "1970-01-01");
        assert_eq!(Date::of_day(19_782).iso(), "2024-02-29");
        for day in 10_000..25_000 {
            assert_eq!(Date::of_day(day).first_day(), day);
        }
    }

    #[test]
    fn a_date_ends_where_the_next_of_its_grain_starts() {
        let leap = Date::of_day(19_782);
        assert_eq!(leap.next().iso(), "2024-03-01");
        assert_eq!(leap.coarser(Grain::Month).next().iso(), "2024-03");
        assert_eq!(Date::of_day(19_722).coarser(Grain::Month).next().iso(), "2024-01");
        assert_eq!(leap.coarser(Grain::Year).next().iso(), "2025");
    }

    #[test]
    fn dates_within_a_stretch_do_not_reach_out_of_it() {
        let mut random = Random::new(7);
        for _ in 0..2_000 {
            let from = day_within(&mut random, 15_000, 19_000);
            let to = from + 2 + day_within(&mut random, 0, 900);
            let date = Date::within(&mut random, from, to);
            assert!(from <= date.first_day() && date.next().first_day() <= to, "{date:?}");
            let (first, last) = Date::pair_within(&mut random, from, to);
            assert!(from <= first.first_day() && last.next().first_day() <= to, "{first:?} {last:?}");
            assert!(first.first_day() < last.first_day(), "{first:?} {last:?}");
        }
    }
}
