//! How long it is from one time to another, in the unit asked for, and no more exactly than the times are known.
//!
//! Lengths are complete units, as ages are: from 1 May 2020 to 30 April 2022 is one year. Where a time is known only to a
//! granule, the least and the greatest length are said.

use bygone_engine::time::{Granularity, Instant};
use chrono::{Datelike, Timelike};

use super::super::value::{Length, Value};
use super::extent::Edge;

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ask) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

use Unit::{Day, Hour, Minute, Month, Second, Week, Year};

impl Unit {
    /// Finds the unit that a word names.
    pub(in crate::ask) fn named(word: &str) -> Option<Unit> {
        Some(match word.strip_suffix('s').unwrap_or(word) {
            "second" => Second,
            "minute" => Minute,
            "hour" => Hour,
            "day" => Day,
            "week" => Week,
            "month" => Month,
            "year" => Year,
            _ => return None,
        })
    }

    /// Returns the granule of the unit.
    pub(in crate::ask) const fn grain(self) -> Granularity {
        match self {
            Second => Granularity::Second,
            Minute => Granularity::Minute,
            Hour => Granularity::Hour,
            Day => Granularity::Day,
            Week => Granularity::Week,
            Month => Granularity::Month,
            Year => Granularity::Year,
        }
    }

    pub(in crate::ask) const fn name(self) -> &'static str {
        match self {
            Second => "second",
            Minute => "minute",
            Hour => "hour",
            Day => "day",
            Week => "week",
            Month => "month",
            Year => "year",
        }
    }

    /// Counts the complete units between two instants.
    fn between(self, from: Instant, to: Instant) -> i64 {
        let micros = to.micros().saturating_sub(from.micros());
        match self {
            Second => micros / 1_000_000,
            Minute => micros / 60_000_000,
            Hour => micros / 3_600_000_000,
            Day => micros / 86_400_000_000,
            Week => micros / (7 * 86_400_000_000),
            Month => months(from, to),
            Year => months(from, to) / 12,
        }
    }
}

fn months(from: Instant, to: Instant) -> i64 {
    if to < from {
        return -months(to, from);
    }
    let (first, last) = (from.to_chrono(), to.to_chrono());
    let whole =
        i64::from(last.year() - first.year()) * 12 + i64::from(last.month()) - i64::from(first.month());
    let clock = |time: chrono::DateTime<chrono::Utc>| {
        (time.day(), time.num_seconds_from_midnight(), time.nanosecond())
    };
    whole - i64::from(clock(last) < clock(first))
}

/// Says how long it is from one edge to another; `None` where nothing limits it from below or above.
pub(in crate::ask) fn length(from: Edge, to: Edge, unit: Option<Unit>) -> Option<String> {
    let by_day = unit.is_some_and(|unit| unit >= Day)
        || from.grain >= Granularity::Day
        || to.grain >= Granularity::Day;
    let instant = |at: Instant| if by_day { Granularity::Day.floor(at) } else { at };
    let known = |from: Instant, to: Instant| {
        (from.is_ordinary() && to.is_ordinary()).then(|| (instant(from), instant(to.max(from))))
    };
    let (least, most) = (known(from.hi, to.lo), known(from.lo, to.hi));
    // Where the earlier one may come last, the length may be none at all.
    let least = if from.hi.is_ordinary() && to.lo.is_ordinary() && to.lo < from.hi { None } else { least };
    let say = |(from, to): (Instant, Instant)| match unit {
        Some(unit) => in_unit(unit, from, to),
        None => naturally(from, to, coarsest(from, to, by_day)),
    };
    match (least, most) {
        (None, None) => None,
        (Some(least), None) => Some(format!("at least {}", say(least))),
        (None, Some(most)) => Some(format!("at most {}", say(most))),
        (Some(least), Some(most)) if least == most => Some(say(least)),
        (Some(least), Some(most)) => Some(range(least, most, unit, from.grain.max(to.grain))),
    }
}

/// Returns how long it is as one number, in the unit asked for or the coarsest that fits; the middle where it is a range.
pub(in crate::ask) fn value(from: Edge, to: Edge, unit: Option<Unit>) -> Option<Value> {
    let edges = [from.lo, from.hi, to.lo, to.hi];
    if edges.iter().any(|at| !at.is_ordinary()) {
        return None;
    }
    let [first, start, end, last] = edges.map(|at| Granularity::Day.floor(at));
    let unit = unit.filter(|unit| *unit >= Day).unwrap_or_else(|| coarsest(first, last, true));
    let shortest = unit.between(start, end.max(start));
    let longest = unit.between(first, last.max(first));
    let number = i64::midpoint(shortest, longest);
    Some(Value::Length(Length { number, unit: unit.grain(), is_about: first != start || end != last }))
}

fn in_unit(unit: Unit, from: Instant, to: Instant) -> String {
    let whole = n_of(unit.between(from, to), unit);
    let days = Day.between(from, to);
    let is_even = unit <= Day || unit == Week && days % 7 == 0;
    if is_even { whole } else { format!("{whole} ({})", n_of(days, Day)) }
}

fn coarsest(from: Instant, to: Instant, by_day: bool) -> Unit {
    [Year, Month, Day].into_iter().find(|unit| unit.between(from, to) > 0).unwrap_or(if by_day {
        Day
    } else {
        Hour
    })
}

/// Says an exact length in the two units that fit it, and in days.
fn naturally(from: Instant, to: Instant, coarsest: Unit) -> String {
    let days = Day.between(from, to);
    match coarsest {
        Year | Month => {
            let all = months(from, to);
            let text = years_and_months(all);
            let mut shifted = from;
            for _ in 0..all {
                shifted = Granularity::Month.after(shifted);
            }
            let rest = Day.between(shifted, to).max(0);
            let with_days = coarsest == Month && rest > 0;
            let text = if with_days { format!("{text} and {}", n_of(rest, Day)) } else { text };
            format!("{text} ({})", n_of(days, Day))
        }
        Day | Week => n_of(days, Day),
        Hour | Minute | Second => {
            let minutes = Minute.between(from, to);
            match (minutes / 60, minutes % 60) {
                (0, 0) => n_of(Second.between(from, to), Second),
                (0, minutes) => n_of(minutes, Minute),
                (hours, 0) => n_of(hours, Hour),
                (hours, minutes) => format!("{} and {}", n_of(hours, Hour), n_of(minutes, Minute)),
            }
        }
    }
}

fn range(
    least: (Instant, Instant),
    most: (Instant, Instant),
    unit: Option<Unit>,
    grain: Granularity,
) -> String {
    let by_grain = match grain {
        Granularity::Instant | Granularity::Second | Granularity::Minute => Minute,
        Granularity::Hour => Hour,
        Granularity::Day => Day,
        Granularity::Week if Month.between(most.0, most.1) < 3 => Week,
        Granularity::Week | Granularity::Month | Granularity::Quarter | Granularity::Season => Month,
        Granularity::Year | Granularity::Decade | Granularity::Unknown => Year,
    };
    let mut counted = unit.unwrap_or(by_grain);
    if unit.is_none() && counted == Year && Year.between(most.0, most.1) == 0 {
        counted = Month;
    }
    let (low, high) = (counted.between(least.0, least.1), counted.between(most.0, most.1));
    if low == high {
        return format!("about {}", n_of(low, counted));
    }
    if counted == Month && unit.is_none() && low >= 24 {
        return format!("between {} and {}", years_and_months(low), years_and_months(high));
    }
    if low == 0 {
        return format!("less than {}", n_of(high + 1, counted));
    }
    format!("between {low} and {}", n_of(high, counted))
}

fn years_and_months(months: i64) -> String {
    match (months / 12, months % 12) {
        (0, months) => n_of(months, Month),
        (years, 0) => n_of(years, Year),
        (years, months) => format!("{} and {}", n_of(years, Year), n_of(months, Month)),
    }
}

/// Says a number of units.
pub(in crate::ask) fn n_of(n: i64, unit: Unit) -> String {
    format!("{n} {}{}", unit.name(), if n == 1 { "" } else { "s" })
}

/// Returns the least and greatest number of complete years between two edges; `None` where one is not dated.
pub(in crate::ask) fn years(from: Edge, to: Edge) -> Option<(i64, i64)> {
    let is_dated = from.is_dated() && to.is_dated();
    is_dated
        .then(|| (Year.between(Granularity::Day.floor(from.hi), to.lo).max(0), Year.between(from.lo, to.hi)))
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::parse_moment;

    use super::*;

    #[track_caller]
    fn check(from: &str, to: &str, unit: Option<Unit>, expected: &str) {
        let edge = |text: &str| Edge::of(parse_moment(text).expect(text));
        assert_eq!(length(edge(from), edge(to), unit).as_deref(), Some(expected), "{from} to {to}");
    }

    #[test]
    fn a_length_is_as_exact_as_its_ends() {
        check("2023-05-03", "2023-05-10", Some(Day), "7 days");
        check("2023-05-03", "2023-05-10", None, "7 days");
        check("2023-05-03", "2023-05-20", Some(Week), "2 weeks (17 days)");
        check("2020-05-01", "2022-07-02", None, "2 years and 2 months (792 days)");
        check("2023-01-30", "2023-03-02", None, "1 month and 2 days (31 days)");
        check("2018", "2023-06-14", None, "between 4 and 5 years");
        check("2021-03", "2023-06-14", None, "between 2 years and 2 months and 2 years and 3 months");
        check("2023-03", "2023-06-14", None, "between 2 and 3 months");
        check("2023-06-14T10:00:00Z", "2023-06-14T12:30:00Z", None, "2 hours and 30 minutes");
        check("2023", "2023-06-14", None, "at most 5 months and 13 days (164 days)");
    }

    #[test]
    fn what_nothing_limits_has_no_length() {
        let day = Edge::of(parse_moment("2023-05-03").expect("a day"));
        assert_eq!(length(Edge::UNKNOWN, day, None), None);
        let by_then = Edge { hi: day.lo, ..Edge::UNKNOWN };
        let later = Edge::of(parse_moment("2025-05-03").expect("a day"));
        assert_eq!(length(by_then, later, None).as_deref(), Some("at least 2 years (731 days)"));
    }
}
