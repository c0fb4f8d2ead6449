//! What single words mean: months, weekdays, units, seasons, parts of the day, numbers.

use bygone_engine::time::Granularity;
use chrono::Weekday;

/// A unit of time that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Weekend,
    Week,
    Fortnight,
    Month,
    Quarter,
    Year,
    Decade,
    Century,
}

impl Unit {
    /// Returns the granularity a single unit is said with; a weekend is two days and a century ten decades.
    pub(super) const fn grain(self) -> Granularity {
        match self {
            Unit::Second => Granularity::Second,
            Unit::Minute => Granularity::Minute,
            Unit::Hour => Granularity::Hour,
            Unit::Day | Unit::Weekend => Granularity::Day,
            Unit::Week | Unit::Fortnight => Granularity::Week,
            Unit::Month => Granularity::Month,
            Unit::Quarter => Granularity::Quarter,
            Unit::Year => Granularity::Year,
            Unit::Decade | Unit::Century => Granularity::Decade,
        }
    }
}

/// Reads a unit, in the singular, the plural or a common abbreviation.
pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "second" | "seconds" | "sec" | "secs" => Unit::Second,
        "minute" | "minutes" | "min" | "mins" => Unit::Minute,
        "hour" | "hours" | "hr" | "hrs" => Unit::Hour,
        "day" | "days" | "night" | "nights" => Unit::Day,
        "weekend" | "weekends" => Unit::Weekend,
        "week" | "weeks" | "wk" | "wks" => Unit::Week,
        "fortnight" | "fortnights" => Unit::Fortnight,
        "month" | "months" => Unit::Month,
        "quarter" | "quarters" => Unit::Quarter,
        "year" | "years" | "yr" | "yrs" => Unit::Year,
        "decade" | "decades" => Unit::Decade,
        "century" | "centuries" => Unit::Century,
        _ => return None,
    })
}

/// Reads a month, 1 to 12, in full or abbreviated.
pub(super) fn month(word: &str) -> Option<u32> {
    Some(match word {
        "january" | "jan" => 1,
        "february" | "feb" => 2,
        "march" | "mar" => 3,
        "april" | "apr" => 4,
        "may" => 5,
        "june" | "jun" => 6,
        "july" | "jul" => 7,
        "august" | "aug" => 8,
        "september" | "sep" | "sept" => 9,
        "october" | "oct" => 10,
        "november" | "nov" => 11,
        "december" | "dec" => 12,
        _ => return None,
    })
}

/// Says whether a month or weekday word also means something else (a name, a verb, the sun), so that it needs a
/// preposition or a number beside it.
pub(super) fn is_ambiguous(word: &str) -> bool {
    word.len() <= 4 && !matches!(word, "july" | "sept" | "tues" | "thur" | "oct" | "nov" | "feb")
        || matches!(word, "march" | "april" | "august")
}

/// Reads a weekday, in full or abbreviated, singular.
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mon" => Weekday::Mon,
        "tuesday" | "tue" | "tues" => Weekday::Tue,
        "wednesday" | "wed" | "weds" => Weekday::Wed,
        "thursday" | "thu" | "thur" | "thurs" => Weekday::Thu,
        "friday" | "fri" => Weekday::Fri,
        "saturday" | "sat" => Weekday::Sat,
        "sunday" | "sun" => Weekday::Sun,
        _ => return None,
    })
}

/// Reads a weekday in the plural ("Tuesdays").
pub(super) fn weekdays(word: &str) -> Option<Weekday> {
    word.strip_suffix('s').filter(|stem| stem.len() >= 6).and_then(weekday)
}

/// Reads a meteorological season of the northern hemisphere as its first month.
pub(super) fn season(word: &str) -> Option<u32> {
    Some(match word {
        "spring" | "springtime" => 3,
        "summer" | "summertime" => 6,
        "autumn" | "fall" => 9,
        "winter" | "wintertime" => 12,
        _ => return None,
    })
}

/// Reads a part of the day as hours from midnight; a night runs into the next day.
pub(super) fn part_of_day(word: &str) -> Option<(i64, i64)> {
    Some(match word {
        "morning" => (6, 12),
        "afternoon" => (12, 18),
        "evening" => (18, 24),
        "night" => (18, 30),
        _ => return None,
    })
}

/// Reads a number word below twenty, or a multiple of ten below a hundred.
pub(super) fn small_number(word: &str) -> Option<u64> {
    Some(match word {
        "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "eight" => 8,
        "nine" => 9,
        "ten" => 10,
        "eleven" => 11,
        "twelve" => 12,
        "thirteen" => 13,
        "fourteen" => 14,
        "fifteen" => 15,
        "sixteen" => 16,
        "seventeen" => 17,
        "eighteen" => 18,
        "nineteen" => 19,
        "twenty" => 20,
        "thirty" => 30,
        "forty" => 40,
        "fifty" => 50,
        "sixty" => 60,
        "seventy" => 70,
        "eighty" => 80,
        "ninety" => 90,
        _ => return None,
    })
}

/// Reads an ordinal word up to thirtieth, without the compound ones.
pub(super) fn small_ordinal(word: &str) -> Option<u64> {
    Some(match word {
        "first" => 1,
        "second" => 2,
        "third" => 3,
        "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "seventh" => 7,
        "eighth" => 8,
        "ninth" => 9,
        "tenth" => 10,
        "eleventh" => 11,
        "twelfth" => 12,
        "thirteenth" => 13,
        "fourteenth" => 14,
        "fifteenth" => 15,
        "sixteenth" => 16,
        "seventeenth" => 17,
        "eighteenth" => 18,
        "nineteenth" => 19,
        "twentieth" => 20,
        "thirtieth" => 30,
        _ => return None,
    })
}

/// Reads a decade word ("nineties") as its two digits.
pub(super) fn decade(word: &str) -> Option<i32> {
    Some(match word {
        "twenties" => 20,
        "thirties" => 30,
        "forties" => 40,
        "fifties" => 50,
        "sixties" => 60,
        "seventies" => 70,
        "eighties" => 80,
        "nineties" => 90,
        _ => return None,
    })
}

/// Reads a zone name as its offset from UTC in seconds.
///
/// Names with one meaning in everyday use; a zone that shifts in summer has two names.
pub(super) fn zone(word: &str) -> Option<i64> {
    let hours = match word {
        "z" | "utc" | "gmt" => 0,
        "bst" | "cet" => 1,
        "cest" => 2,
        "jst" => 9,
        "edt" => -4,
        "est" | "cdt" => -5,
        "mdt" => -6,
        "mst" | "pdt" => -7,
        "pst" => -8,
        _ => return None,
    };
    Some(hours * 3600)
}
