//! When the holidays of the English-speaking calendars fall.

use chrono::{Days, NaiveDate, Weekday};

use super::floating::nth_weekday;

/// A holiday by its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holiday {
    /// The same month and day every year.
    Fixed(u32, u32),
    /// The nth weekday of a month, from the end where negative, and some days on.
    Nth(u32, Weekday, i8, u8),
    /// Days after Easter Sunday.
    Easter(i8),
}

/// The names in the order of their words, of which the longest counts; possessives are cut off by the tokenizer.
const NAMES: &[(&[&str], Holiday)] = &[
    (&["all", "saints", "day"], Holiday::Fixed(11, 1)),
    (&["all", "souls", "day"], Holiday::Fixed(11, 2)),
    (&["anzac", "day"], Holiday::Fixed(4, 25)),
    (&["april", "fool", "day"], Holiday::Fixed(4, 1)),
    (&["april", "fools"], Holiday::Fixed(4, 1)),
    (&["april", "fools", "day"], Holiday::Fixed(4, 1)),
    (&["armistice", "day"], Holiday::Fixed(11, 11)),
    (&["ascension", "day"], Holiday::Easter(39)),
    (&["ash", "wednesday"], Holiday::Easter(-46)),
    (&["australia", "day"], Holiday::Fixed(1, 26)),
    (&["bastille", "day"], Holiday::Fixed(7, 14)),
    (&["black", "friday"], Holiday::Nth(11, Weekday::Thu, 4, 1)),
    (&["bonfire", "night"], Holiday::Fixed(11, 5)),
    (&["boxing", "day"], Holiday::Fixed(12, 26)),
    (&["canada", "day"], Holiday::Fixed(7, 1)),
    (&["christmas"], Holiday::Fixed(12, 25)),
    (&["christmas", "day"], Holiday::Fixed(12, 25)),
    (&["christmas", "eve"], Holiday::Fixed(12, 24)),
    (&["cinco", "de", "mayo"], Holiday::Fixed(5, 5)),
    (&["columbus", "day"], Holiday::Nth(10, Weekday::Mon, 2, 0)),
    (&["cyber", "monday"], Holiday::Nth(11, Weekday::Thu, 4, 4)),
    (&["earth", "day"], Holiday::Fixed(4, 22)),
    (&["easter"], Holiday::Easter(0)),
    (&["easter", "day"], Holiday::Easter(0)),
    (&["easter", "monday"], Holiday::Easter(1)),
    (&["easter", "sunday"], Holiday::Easter(0)),
    (&["fat", "tuesday"], Holiday::Easter(-47)),
    (&["father", "day"], Holiday::Nth(6, Weekday::Sun, 3, 0)),
    (&["fathers", "day"], Holiday::Nth(6, Weekday::Sun, 3, 0)),
    (&["flag", "day"], Holiday::Fixed(6, 14)),
    (&["freedom", "day"], Holiday::Fixed(6, 19)),
    (&["giving", "tuesday"], Holiday::Nth(11, Weekday::Thu, 4, 5)),
    (&["good", "friday"], Holiday::Easter(-2)),
    (&["groundhog", "day"], Holiday::Fixed(2, 2)),
    (&["groundhogs", "day"], Holiday::Fixed(2, 2)),
    (&["guy", "fawkes"], Holiday::Fixed(11, 5)),
    (&["halloween"], Holiday::Fixed(10, 31)),
    (&["holy", "saturday"], Holiday::Easter(-1)),
    (&["holy", "thursday"], Holiday::Easter(-3)),
    (&["independence", "day"], Holiday::Fixed(7, 4)),
    (&["indigenous", "peoples", "day"], Holiday::Nth(10, Weekday::Mon, 2, 0)),
    (&["international", "women", "day"], Holiday::Fixed(3, 8)),
    (&["jubilee", "day"], Holiday::Fixed(6, 19)),
    (&["juneteenth"], Holiday::Fixed(6, 19)),
    (&["labor", "day"], Holiday::Nth(9, Weekday::Mon, 1, 0)),
    (&["labour", "day"], Holiday::Nth(9, Weekday::Mon, 1, 0)),
    (&["mardi", "gras"], Holiday::Easter(-47)),
    (&["martin", "luther", "king", "day"], Holiday::Nth(1, Weekday::Mon, 3, 0)),
    (&["maundy", "thursday"], Holiday::Easter(-3)),
    (&["may", "day"], Holiday::Fixed(5, 1)),
    (&["memorial", "day"], Holiday::Nth(5, Weekday::Mon, -1, 0)),
    (&["mlk", "day"], Holiday::Nth(1, Weekday::Mon, 3, 0)),
    (&["mother", "day"], Holiday::Nth(5, Weekday::Sun, 2, 0)),
    (&["mothers", "day"], Holiday::Nth(5, Weekday::Sun, 2, 0)),
    (&["new", "year", "day"], Holiday::Fixed(1, 1)),
    (&["new", "year", "eve"], Holiday::Fixed(12, 31)),
    (&["new", "years", "day"], Holiday::Fixed(1, 1)),
    (&["new", "years", "eve"], Holiday::Fixed(12, 31)),
    (&["palm", "sunday"], Holiday::Easter(-7)),
    (&["patriots", "day"], Holiday::Nth(4, Weekday::Mon, 3, 0)),
    (&["pentecost"], Holiday::Easter(49)),
    (&["pi", "day"], Holiday::Fixed(3, 14)),
    (&["president", "day"], Holiday::Nth(2, Weekday::Mon, 3, 0)),
    (&["presidents", "day"], Holiday::Nth(2, Weekday::Mon, 3, 0)),
    (&["remembrance", "day"], Holiday::Fixed(11, 11)),
    (&["saint", "patrick"], Holiday::Fixed(3, 17)),
    (&["saint", "patrick", "day"], Holiday::Fixed(3, 17)),
    (&["shrove", "tuesday"], Holiday::Easter(-47)),
    (&["small", "business", "saturday"], Holiday::Nth(11, Weekday::Thu, 4, 2)),
    (&["st", "patrick"], Holiday::Fixed(3, 17)),
    (&["st", "patrick", "day"], Holiday::Fixed(3, 17)),
    (&["st", "patricks", "day"], Holiday::Fixed(3, 17)),
    (&["thanksgiving"], Holiday::Nth(11, Weekday::Thu, 4, 0)),
    (&["thanksgiving", "day"], Holiday::Nth(11, Weekday::Thu, 4, 0)),
    (&["valentine", "day"], Holiday::Fixed(2, 14)),
    (&["valentines", "day"], Holiday::Fixed(2, 14)),
    (&["veteran", "day"], Holiday::Fixed(11, 11)),
    (&["veterans", "day"], Holiday::Fixed(11, 11)),
    (&["washington", "birthday"], Holiday::Nth(2, Weekday::Mon, 3, 0)),
    (&["whit", "monday"], Holiday::Easter(50)),
    (&["whit", "sunday"], Holiday::Easter(49)),
    (&["women", "day"], Holiday::Fixed(3, 8)),
    (&["xmas"], Holiday::Fixed(12, 25)),
    (&["xmas", "eve"], Holiday::Fixed(12, 24)),
];

/// Returns the names that start with a word.
pub(super) fn names_from(word: &str) -> impl Iterator<Item = &'static (&'static [&'static str], Holiday)> {
    let start = NAMES.partition_point(|(words, _)| words[0] < word);
    NAMES[start..].iter().take_while(move |(words, _)| words[0] == word)
}

impl Holiday {
    /// Returns the day it falls on in a year.
    pub(super) fn in_year(self, year: i32) -> Option<NaiveDate> {
        match self {
            Holiday::Fixed(month, day) => NaiveDate::from_ymd_opt(year, month, day),
            Holiday::Nth(month, weekday, nth, on) => {
                nth_weekday(year, month, weekday, nth)?.checked_add_days(Days::new(on.into()))
            }
            Holiday::Easter(days) => {
                easter(year)?.checked_add_signed(chrono::TimeDelta::try_days(days.into())?)
            }
        }
    }
}

/// Western Easter Sunday by the anonymous Gregorian algorithm (Meeus 1991, "Astronomical Algorithms", chapter 8).
fn easter(year: i32) -> Option<NaiveDate> {
    let golden = year.rem_euclid(19);
    let century = year.div_euclid(100);
    let rest = year.rem_euclid(100);
    let skipped = (8 * century + 13).div_euclid(25);
    let epact = (19 * golden + century - century.div_euclid(4) - skipped + 15).rem_euclid(30);
    let weekday =
        (32 + 2 * century.rem_euclid(4) + 2 * rest.div_euclid(4) - epact - rest.rem_euclid(4)).rem_euclid(7);
    let late = (golden + 11 * epact + 22 * weekday).div_euclid(451);
    let sum = epact + weekday - 7 * late + 114;
    let (month, day) = (sum / 31, sum % 31 + 1);
    NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn moving_feasts_fall_where_the_calendars_have_them() {
        let on = |holiday: Holiday, year| holiday.in_year(year).expect("ordinary year").to_string();
        assert_eq!(on(Holiday::Easter(0), 2023), "2023-04-09");
        assert_eq!(on(Holiday::Easter(0), 2024), "2024-03-31");
        assert_eq!(on(Holiday::Easter(0), 2000), "2000-04-23");
        assert_eq!(on(Holiday::Nth(11, Weekday::Thu, 4, 0), 2022), "2022-11-24");
        assert_eq!(on(Holiday::Nth(5, Weekday::Mon, -1, 0), 2023), "2023-05-29");
        assert_eq!(on(Holiday::Nth(9, Weekday::Mon, 1, 0), 2022), "2022-09-05");
    }
}
