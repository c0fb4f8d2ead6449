//! Dates written out: ISO 8601, numbers with slashes, month names, years, quarters, decades, seasons, holidays.
//!
//! `licensed` says that a preposition or the like stands before, without which a bare year or an ambiguous word is none.

use bygone_engine::time::Granularity;
use chrono::{DateTime, Datelike, NaiveDate, Weekday};

use super::Kind;
use super::floating::Floating;
use super::grammar::{Found, Parser, Reading, longest};
use super::holidays::names_from;
use super::lexicon::{decade, is_ambiguous, month, part_of_day, season, weekday};
use super::stretch::{Stretch, midnight};

/// Things that a holiday has every year, so that its name before them is none of a day.
const CUSTOMS: &[&str] = &[
    "album",
    "albums",
    "candy",
    "card",
    "cards",
    "carol",
    "carols",
    "cookie",
    "cookies",
    "costume",
    "costumes",
    "decor",
    "decoration",
    "decorations",
    "lights",
    "movie",
    "movies",
    "music",
    "ornament",
    "ornaments",
    "song",
    "songs",
    "spirit",
    "sweater",
    "tradition",
    "traditions",
    "tree",
    "trees",
    "vibe",
    "vibes",
];

impl Parser<'_> {
    /// Reads an absolute or floating date, with a weekday before it where one stands there.
    pub(super) fn absolute(self, at: usize, licensed: bool) -> Found<Stretch> {
        longest([
            self.with_weekday(at),
            self.numeric_date(at, licensed),
            self.named_date(at, licensed),
            self.day_of_month(at, licensed),
            self.day_of_list(at),
            self.quarter_or_half(at, licensed),
            self.fiscal_year(at),
            self.season_date(at, licensed),
            self.decade_date(at),
            self.holiday(at),
            self.bare_weekday(at, licensed),
            self.bare_year(at, licensed),
        ])
    }

    /// Reads a Unix time where it is the whole text or the value of a key that names a time.
    pub(super) fn epoch(self, at: usize) -> Found<Reading> {
        let keys = ["ts", "time", "timestamp", "epoch", "date", "at"];
        let mut next = at;
        if self.is(at, &keys) {
            next += 1;
            while matches!(self.mark(next), Some('"' | '\'' | ':' | '=')) {
                next += 1;
            }
            if next == at + 1 && self.word(at) != "epoch" {
                return None;
            }
        } else if at != 0 || self.tokens.len() != 1 {
            return None;
        }
        let (value, digits) = self.number(next)?;
        let seconds = i64::try_from(value).ok()?;
        let seconds = match digits {
            10 => seconds,
            13 => seconds / 1000,
            _ => return None,
        };
        let start = DateTime::from_timestamp(seconds, 0)?.naive_utc();
        Some((next + 1, Reading::dated(Kind::Point, Stretch::granule(start, Granularity::Second)?)))
    }

    /// Reads a year of four digits, or an apostrophe and two.
    pub(super) fn year_number(&self, at: usize) -> Found<i32> {
        if matches!(self.mark(at), Some('\'' | '\u{2019}')) && self.is_glued(at + 1) {
            let short = self.digits(at + 1, 2..=2)?;
            return (self.suffix(at + 2) != "s").then_some((at + 2, self.century_of(short)?));
        }
        if self.number(at).is_none() {
            return self.spoken_year(at);
        }
        let year = i32::try_from(self.digits(at, 4..=4)?).ok()?;
        let plausible = (1000..3000).contains(&year);
        (plausible && self.suffix(at + 1).is_empty()).then_some((at + 1, year))
    }

    /// Reads two digits as the year of this century, up to twenty years ahead, else of the last.
    fn century_of(self, short: u32) -> Option<i32> {
        let short = i32::try_from(short).ok()?;
        let century = self.now.year().div_euclid(100) * 100;
        let year = century + short;
        Some(if year > self.now.year() + 20 { year - 100 } else { year })
    }

    fn floating(self, floating: Floating) -> Option<Stretch> {
        floating.by_tense(self.now, self.tense)
    }

    /// "Friday, 5 May 2023", "Friday the 13th", "Tue 2023-05-30".
    fn with_weekday(self, at: usize) -> Found<Stretch> {
        let day = weekday(self.word(at))?;
        let mut next = self.skip_mark(at + 1, '.');
        next = self.skip_mark(next, ',');
        next = self.skip(next, &["the"]);
        if let Some(found) = self.dated_day(next) {
            return Some(found);
        }
        if let Some((end, floating)) = self.number_pair(next, '.') {
            return Some((end, self.floating(floating)?));
        }
        // "Sunday 31": up to twelve it may as well be an hour.
        let bare = self.digits(next, 2..=2).filter(|day| *day > 12 && self.stops(next + 1));
        let (end, number) = self.ordinal(next).or_else(|| Some((next + 1, bare?.into())))?;
        let number = u32::try_from(number).ok().filter(|day| (1..=31).contains(day))?;
        Some((end, self.floating(Floating::WeekdayOfMonth(day, number))?))
    }

    fn numeric_date(self, at: usize, licensed: bool) -> Found<Stretch> {
        let (first, digits) = self.number(at)?;
        if digits == 8 {
            return self.compact_date(at, first);
        }
        let separator = self.mark(at + 1)?;
        if !self.is_glued(at + 1) || !self.is_glued(at + 2) {
            return None;
        }
        if digits == 4 {
            let year = i32::try_from(first).ok()?;
            return match separator {
                '-' | '/' | '.' => self.year_first(at, year, separator),
                _ => None,
            };
        }
        if digits > 2 || !matches!(separator, '/' | '-' | '.') {
            return None;
        }
        let first = u32::try_from(first).ok()?;
        // "12/2019"
        if let Some(year) =
            self.digits(at + 2, 4..=4).filter(|year| separator == '/' && (1900..2100).contains(year))
        {
            return Some((at + 3, Stretch::month(i32::try_from(year).ok()?, first)?));
        }
        let second = self.digits(at + 2, 1..=2)?;
        let third = self.mark(at + 3) == Some(separator)
            && self.is_glued(at + 3)
            && self.is_glued(at + 4)
            && self.number(at + 4).is_some();
        if !third {
            // 24/7 is no date.
            let plain = separator == '/'
                && (licensed || self.dates_go_on(at + 3))
                && (first, second) != (24, 7)
                && !self.is(at + 3, &["of", "cup", "cups"]);
            let (month, day) = if first <= 12 { (first, second) } else { (second, first) };
            NaiveDate::from_ymd_opt(2000, month, day).filter(|_| plain)?;
            return Some((at + 3, self.floating(Floating::MonthDay(month, day))?));
        }
        let year = match self.number(at + 4)? {
            (year, 4) => i32::try_from(year).ok()?,
            (year, 2) if separator == '/' || licensed && digits == 2 => {
                self.century_of(u32::try_from(year).ok()?)?
            }
            _ => return None,
        };
        let day = |month, day| NaiveDate::from_ymd_opt(year, month, day).and_then(Stretch::day);
        let (month_first, day_first) = (day(first, second), day(second, first));
        let (chosen, other) = if separator == '.' { (day_first, None) } else { (month_first, day_first) };
        let other_pair = other.as_ref().map(|other| (other.start, other.end));
        Some((at + 5, chosen.or(other)?.or(other_pair)))
    }

    /// Says whether what follows makes a bare "11/20" a date: another date in a list, or a bound by the clock.
    fn dates_go_on(self, at: usize) -> bool {
        let comma = self.skip_mark(at, ',');
        let next = self.skip(comma, &["and", "or"]);
        let listed = next > at && self.day_and_month(next).is_some();
        let bounded = self.is(at, &["before", "after", "until"]) && self.clock(at + 1, true, true).is_some();
        listed || bounded
    }

    /// "20230507", ISO 8601's basic form, where it is a day of the last or this century.
    fn compact_date(self, at: usize, value: u64) -> Found<Stretch> {
        let value = u32::try_from(value).ok()?;
        let year = i32::try_from(value / 10_000).ok().filter(|year| (1900..2100).contains(year))?;
        let day = NaiveDate::from_ymd_opt(year, value / 100 % 100, value % 100)?;
        (self.suffix(at + 1) != "_").then_some(())?;
        Some((at + 1, Stretch::day(day)?))
    }

    /// A month and a day as two numbers, either first where only one order is a date.
    pub(super) fn number_pair(self, at: usize, separator: char) -> Found<Floating> {
        let first = self.digits(at, 1..=2)?;
        let joined = self.mark(at + 1) == Some(separator) && self.is_glued(at + 1) && self.is_glued(at + 2);
        let second = self.digits(at + 2, 1..=2).filter(|_| joined && self.stops(at + 3))?;
        let (month, day) = if first <= 12 { (first, second) } else { (second, first) };
        NaiveDate::from_ymd_opt(2000, month, day)?;
        Some((at + 3, Floating::MonthDay(month, day)))
    }

    /// A date of any form that names its month, without a weekday before it.
    pub(super) fn dated_day(self, at: usize) -> Found<Stretch> {
        longest([self.numeric_date(at, true), self.day_and_month(at)])
    }

    /// "2023-05-07", "2023-05", "2023-W23", "2023/05/07".
    fn year_first(self, at: usize, year: i32, separator: char) -> Found<Stretch> {
        if separator == '-' && self.suffix(at + 2) == "w" {
            let week = self.digits(at + 3, 1..=2).filter(|_| self.is_glued(at + 3))?;
            let monday = NaiveDate::from_isoywd_opt(year, week, Weekday::Mon)?;
            if self.mark(at + 4) == Some('-') && self.is_glued(at + 5) {
                let day = u8::try_from(self.digits(at + 5, 1..=1)?).ok()?.checked_sub(1)?;
                let day = NaiveDate::from_isoywd_opt(year, week, Weekday::try_from(day).ok()?)?;
                return Some((at + 6, Stretch::day(day)?));
            }
            let week = Stretch::granule(midnight(monday), Granularity::Week)?;
            return Some((at + 4, week.spanning()));
        }
        let month = month(self.word(at + 2)).or_else(|| self.digits(at + 2, 1..=2))?;
        if self.mark(at + 3) == Some(separator) && self.is_glued(at + 3) && self.is_glued(at + 4) {
            let day = self.digits(at + 4, 1..=2)?;
            return Some((at + 5, Stretch::day(NaiveDate::from_ymd_opt(year, month, day)?)?));
        }
        let month = (separator == '-' && (1000..3000).contains(&year))
            .then(|| Stretch::month(year, month))
            .flatten()?;
        Some((at + 3, month))
    }

    fn named_date(self, at: usize, licensed: bool) -> Found<Stretch> {
        longest([self.day_and_month(at), self.month_and_year(at), self.bare_month(at, licensed)])
    }

    /// A day of the month as a number, with or without its ending, or as an ordinal word.
    pub(super) fn day_number(self, at: usize) -> Found<u32> {
        let found = self.ordinal(at).or_else(|| {
            let day = self.digits(at, 1..=2)?;
            let closed = self.suffix(at + 1).is_empty()
                && !matches!(self.mark(at + 1), Some(':') if self.is_glued(at + 2));
            closed.then_some((at + 1, day.into()))
        })?;
        let day = u32::try_from(found.1).ok().filter(|day| (1..=31).contains(day))?;
        Some((found.0, day))
    }

    /// A day of the month as a cardinal in words, which only a month behind it makes one.
    fn spoken_day(self, at: usize) -> Found<u32> {
        self.number(at).is_none().then_some(())?;
        let (end, day) = self.cardinal(at)?;
        let day = u32::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
        Some((end, day))
    }

    /// A month's name with the full stop of an abbreviation.
    pub(super) fn month_name(self, at: usize) -> Found<u32> {
        let month = month(self.word(at))?;
        let whole = self.is(at, &["may", "june", "july"]);
        let stop = !whole && self.word(at).len() <= 4 && self.is_glued(at + 1);
        Some((if stop { self.skip_mark(at + 1, '.') } else { at + 1 }, month))
    }

    /// "5 May 2023", "the 5th of May", "May 5th, 2023", "May 5".
    fn day_and_month(self, at: usize) -> Found<Stretch> {
        let (mut end, month, day) = if let Some((next, month)) = self.month_name(at) {
            let next = self.skip(next, &["the"]);
            let slashed = self.mark(next) == Some('/');
            let dashed = self.is_glued(next)
                && self.is_glued(next + 1)
                && (slashed || self.digits(next + 3, 4..=4).is_some());
            let next = if dashed { self.skip_mark(self.skip_mark(next, '-'), '/') } else { next };
            let (end, day) = self.day_number(next)?;
            let verb = matches!(self.word(at), "may" | "march") && !self.is_capital(at);
            if verb && self.ordinal(next).is_none() && self.year_behind(end).is_none() {
                return None;
            }
            (end, month, day)
        } else {
            let next = self.skip(at, &["the"]);
            let (next, day) = self.day_number(next).or_else(|| self.spoken_day(next))?;
            let next = self.skip_mark(self.skip_mark(next, '-'), '/');
            let next = self.skip(next, &["of", "day"]);
            let next = self.skip(next, &["of"]);
            let (end, month) = self.month_name(next)?;
            if is_ambiguous(self.word(next))
                && !self.is_capital(next)
                && self.ordinal(at).is_none()
                && (month == 5 || month == 3 && self.number(at).is_none())
            {
                self.year_behind(end)?;
            }
            (end, month, day)
        };
        if let Some((after, year)) = self.year_behind(end) {
            end = after;
            return Some((end, Stretch::day(NaiveDate::from_ymd_opt(year, month, day)?)?));
        }
        NaiveDate::from_ymd_opt(2000, month, day)?;
        Some((end, self.floating(Floating::MonthDay(month, day))?))
    }

    fn year_behind(self, at: usize) -> Found<i32> {
        let comma = self.skip_mark(at, ',');
        let glued = comma == at && self.is_glued(at) && self.is_glued(at + 1);
        let dash = if glued { self.skip_mark(self.skip_mark(at, '-'), '/') } else { comma };
        let next = self.skip(dash, &["of", "in"]);
        // "April of 87"
        if let Some(short) = self.digits(next, 2..=2).filter(|_| self.is(at, &["of"]) && self.stops(next + 1))
        {
            return Some((next + 1, self.century_of(short)?));
        }
        self.year_number(next).filter(|(end, _)| {
            // "May 5, 2000 people came" keeps its year only where no counted thing follows a comma.
            !(self.mark(*end) == Some(':') && self.is_glued(end + 1))
        })
    }

    /// Says whether a day stands before a month; where the two are no date ("30 February"), the month is none either.
    fn follows_day(self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| self.digits(before, 1..=2).is_some_and(|day| day > 0))
    }

    /// "March 2021", "March of 2021", "March '21".
    fn month_and_year(self, at: usize) -> Found<Stretch> {
        let (next, month) = self.month_name(at).filter(|_| !self.follows_day(at))?;
        let (end, year) = self.year_behind(next)?;
        Some((end, Stretch::month(year, month)?))
    }

    fn bare_month(self, at: usize, licensed: bool) -> Found<Stretch> {
        let (end, month) = self.month_name(at).filter(|_| !self.follows_day(at))?;
        let word = self.word(at);
        let sure = !is_ambiguous(word) || licensed && (self.is_capital(at) || word != "mar");
        if !sure || self.number(end).is_some() || self.is_glued(end) && self.number(end + 1).is_some() {
            return None;
        }
        Some((end, self.floating(Floating::Month(month))?))
    }

    /// The first of "18 and 19 June": a day whose month stands behind the last of the list.
    fn day_of_list(self, at: usize) -> Found<Stretch> {
        let (end, day) = self.day_number(self.skip(at, &["the"]))?;
        let mut next = end;
        for _ in 0..8 {
            let behind = self.skip(self.skip_mark(next, ','), &["and", "or"]);
            let behind = self.skip(self.skip_mark(behind, '&'), &["the"]);
            (behind > next).then_some(())?;
            if let Some((_, last)) = self.day_and_month(behind).filter(|_| self.number(behind).is_some()) {
                let Some(Floating::MonthDay(month, _)) = last.floating else {
                    let day = NaiveDate::from_ymd_opt(last.start.year(), last.start.month(), day)?;
                    return Some((end, Stretch::day(day)?));
                };
                NaiveDate::from_ymd_opt(2000, month, day)?;
                return Some((end, self.floating(Floating::MonthDay(month, day))?));
            }
            (next, _) = self.day_number(behind)?;
        }
        None
    }

    /// "the 5th" behind a preposition, where no noun follows ("the 5th floor").
    fn day_of_month(self, at: usize, licensed: bool) -> Found<Stretch> {
        // "in the 4th" is a grade or a quarter of a game.
        let inside = at > 0 && self.is(at - 1, &["in"]);
        if !licensed || inside || self.word(at) != "the" {
            return None;
        }
        let by_clock = |end: usize| {
            at > 0
                && self.is(at - 1, &["on"])
                && self.is(end, &["from", "at", "between"])
                && self.clock(self.skip(end, &["at"]), true, true).is_some()
        };
        let bare = self.digits(at + 1, 1..=2).filter(|_| by_clock(at + 2));
        let (end, day) = self.ordinal(at + 1).or_else(|| Some((at + 2, bare?.into())))?;
        let day = u32::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
        let range_end = at > 0
            && (self.is(at - 1, &["till", "until"])
                || self.is(at - 1, &["to"]) && !(at > 1 && self.is(at - 2, &["up"])));
        if self.number(at + 1).is_none() && self.word(end) != "of" && !range_end {
            return None;
        }
        let follows = [
            "", "and", "or", "but", "at", "of", "to", "in", "for", "with", "because", "so", "when", "i",
            "we", "he", "she", "they", "it", "was", "is", "will", "through", "until", "till", "from", "on",
            "as", "after", "before", "by", "that", "which", "around", "about",
        ];
        if !follows.contains(&self.word(end)) {
            return None;
        }
        let end = self
            .phrase(end, &["of", "the", "month"])
            .or_else(|| self.phrase(end, &["of", "this", "month"]))
            .unwrap_or(end);
        Some((end, self.floating(Floating::DayOfMonth(day))?))
    }

    /// Reads a number that counts quarters or halves: "Q3", "H1".
    fn letter_and_digit(&self, at: usize, letter: &str, most: u32) -> Found<u32> {
        if self.word(at) != letter || !self.is_glued(at + 1) {
            return None;
        }
        let number = self.digits(at + 1, 1..=1).filter(|number| (1..=most).contains(number))?;
        self.suffix(at + 2).is_empty().then_some((at + 2, number))
    }

    fn quarter_or_half(self, at: usize, licensed: bool) -> Found<Stretch> {
        let part = |at| {
            self.letter_and_digit(at, "q", 4)
                .map(|(end, number)| (end, number, 3))
                .or_else(|| self.letter_and_digit(at, "h", 2).map(|(end, number)| (end, number, 6)))
        };
        let make = |year: i32, fiscal: bool, number: u32, months: u32| -> Option<Stretch> {
            let grain = if months == 3 { Granularity::Quarter } else { Granularity::Month };
            let start =
                if fiscal { self.fiscal_start_of(year)? } else { NaiveDate::from_ymd_opt(year, 1, 1)? };
            let start = start.checked_add_months(chrono::Months::new((number - 1) * months))?;
            Some(Stretch::months(start.year(), start.month(), months, grain)?.spanning())
        };
        if let Some((end, number, months)) = part(at) {
            let next = self.skip_mark(end, ',');
            let next = self.skip_mark(next, '-');
            let next = self.skip(next, &["of", "in"]);
            if let Some((end, year)) = self.fiscal_name(next) {
                return Some((end, make(year, true, number, months)?));
            }
            if let Some((end, year)) = self.year_number(next) {
                return Some((end, make(year, false, number, months)?));
            }
            // "q1 and q2" are no two questions.
            let pair = part(self.skip(end, &["and", "or", "to"])).is_some_and(|(after, ..)| after > end + 2);
            let whole = months == 3 && (licensed || self.is_capital(at) || pair);
            return whole.then(|| Some((end, self.floating(Floating::Quarter(number))?))).flatten();
        }
        let named = self.fiscal_name(at);
        let fiscal = named.is_some();
        let (next, year) = named.or_else(|| self.year_number(at))?;
        let next = self.skip_mark(next, '-');
        let next = self.skip_mark(next, ',');
        let (end, number, months) = part(next)?;
        Some((end, make(year, fiscal, number, months)?))
    }

    /// "FY2023", "FY 23", "fiscal year 2023".
    fn fiscal_name(self, at: usize) -> Found<i32> {
        let next = self
            .phrase(at, &["fiscal", "year"])
            .or_else(|| self.phrase(at, &["fiscal"]))
            .or_else(|| self.phrase(at, &["fy"]))?;
        self.year_number(next).or_else(|| {
            let short = self.digits(next, 2..=2)?;
            Some((next + 1, self.century_of(short)?))
        })
    }

    fn fiscal_start_of(self, year: i32) -> Option<NaiveDate> {
        let first = if self.fiscal_start == 1 { year } else { year.checked_sub(1)? };
        NaiveDate::from_ymd_opt(first, self.fiscal_start, 1)
    }

    fn fiscal_year(self, at: usize) -> Found<Stretch> {
        let (end, year) = self.fiscal_name(at)?;
        let start = self.fiscal_start_of(year)?;
        let stretch = Stretch::months(start.year(), start.month(), 12, Granularity::Year)?;
        Some((end, stretch.spanning()))
    }

    /// "summer 2022", "the summer of 2022"; "in the summer" behind a preposition.
    fn season_date(self, at: usize, licensed: bool) -> Found<Stretch> {
        let next = self.skip(at, &["the"]);
        let first = season(self.word(next))?;
        let end = next + 1;
        let behind = self.skip(end, &["of", "in"]);
        let behind = self.skip_mark(behind, ',');
        if let Some((end, year)) = self.year_number(behind) {
            // "winter 2022/23" is named by both its years.
            let both = matches!(self.mark(end), Some('/' | '-' | '–'))
                && self.is_glued(end)
                && self.is_glued(end + 1);
            let second = self.number(end + 1).and_then(|(value, _)| i64::try_from(value).ok());
            let next_year = i64::from(year) + 1;
            let both = both && second.is_some_and(|second| second == next_year || second == next_year % 100);
            return Some((if both { end + 2 } else { end }, Floating::Season(first).in_year(year)?));
        }
        let placed = licensed && (next > at || self.word(next) != "fall");
        let noun = self.word(end).ends_with("ing")
            || self.is(end, &["break", "school", "camp", "and", "or", "semester", "term"]);
        if !placed || self.mark(end).is_some_and(|mark| mark == '-') || noun {
            return None;
        }
        Some((end, self.floating(Floating::Season(first))?))
    }

    /// "the 1990s", "the '90s", "the nineties", "the 19th century".
    fn decade_date(self, at: usize) -> Found<Stretch> {
        let next = self.skip(at, &["the"]);
        let named = next > at;
        if let Some(number) = self.digits(next, 4..=4).filter(|_| self.suffix(next + 1) == "s") {
            let year = i32::try_from(number).ok().filter(|year| year % 10 == 0)?;
            let decade = decade_from(year)?;
            if year % 100 == 0 && year < 2000 {
                // "the 1800s" are a century, or at times its first ten years.
                return Some((next + 2, century_from(year)?.or(Some((decade.start, decade.end)))));
            }
            return Some((next + 2, decade));
        }
        if let Some((end, number)) = self.ordinal(next).filter(|(end, _)| self.word(*end) == "century") {
            let first = i32::try_from(number).ok()?.checked_sub(1)?.checked_mul(100)?;
            return Some((end + 1, century_from(first)?));
        }
        let marked = matches!(self.mark(next), Some('\'' | '\u{2019}'));
        let digits = next + usize::from(marked);
        if let Some(short) = self.digits(digits, 2..=2).filter(|_| self.suffix(digits + 1) == "s") {
            let short = i32::try_from(short).ok().filter(|short| short % 10 == 0 && (named || marked))?;
            return Some((digits + 2, self.recent_decade(short)?));
        }
        // "the nineteen-twenties"
        let century =
            super::lexicon::small_number(self.word(next)).filter(|century| (11..=20).contains(century));
        let tens = self.skip_mark(next + 1, '-');
        if let Some((century, tens_of)) = century.zip(decade(self.word(tens))) {
            return Some((tens + 1, decade_from(i32::try_from(century).ok()? * 100 + tens_of)?));
        }
        if let Some(end) = self.phrase(next, &["two", "thousands"]).filter(|_| named) {
            return Some((end, decade_from(2000)?));
        }
        let middle = at.checked_sub(1).is_some_and(|before| self.is(before, &["early", "mid", "late"]));
        let short = decade(self.word(next)).filter(|_| named || middle)?;
        Some((next + 1, self.recent_decade(short)?))
    }

    /// The latest decade with these digits that has begun.
    fn recent_decade(self, short: i32) -> Option<Stretch> {
        let year = self.now.year().div_euclid(100) * 100 + short;
        decade_from(if year > self.now.year() { year - 100 } else { year })
    }

    /// Reads the name of a holiday without its year.
    pub(super) fn holiday_name(&self, at: usize) -> Found<Floating> {
        let named = longest(
            names_from(self.word(at))
                .map(|(words, holiday)| Some((self.name(at, words)?, Floating::Holiday(*holiday)))),
        );
        named.or_else(|| {
            // "New Year's", in capitals and possessive, is the day.
            let new_year = self.word(at) == "new" && self.is(at + 1, &["year", "years"]);
            let sure = self.is_capital(at)
                && self.is_capital(at + 1)
                && (self.is_possessive(at + 1) || self.word(at + 1) == "years");
            let day = Floating::Holiday(super::holidays::Holiday::Fixed(1, 1));
            let the = at.checked_sub(1).map(|before| if self.is(before, &["the"]) { before } else { at });
            let led = the.and_then(|the| the.checked_sub(1)).is_some_and(|before| {
                self.is(before, &["before", "after", "since", "until", "till", "by", "around"])
            });
            let led = led && self.word(at + 1) == "year" && self.stops(at + 2);
            (new_year && (sure || led)).then_some((at + 2, day))
        })
    }

    /// Steps over a name, and over the apostrophe behind a plural in it ("Presidents' Day").
    fn name(&self, at: usize, words: &[&str]) -> Option<usize> {
        words.iter().enumerate().try_fold(at, |at, (place, word)| {
            let owner = place > 0 && self.is_glued(at) && matches!(self.mark(at), Some('\'' | '\u{2019}'));
            let at = at + usize::from(owner);
            (self.word(at) == *word).then_some(at + 1)
        })
    }

    fn holiday(self, at: usize) -> Found<Stretch> {
        let (end, floating) = self.holiday_name(at)?;
        let next = self.skip_mark(end, ',');
        let next = self.skip(next, &["of", "in"]);
        if let Some((end, year)) = self.year_number(next) {
            let day = floating.in_year(year)?;
            if self.word(end) == "weekend" {
                return Some((end + 1, holiday_weekend(day.start.date())?));
            }
            return Some((end, day));
        }
        // "Thanksgiving traditions" are of no year.
        if self.is(end, CUSTOMS) && !self.is_possessive(end - 1) {
            return None;
        }
        Some((end, self.floating(floating)?))
    }

    fn bare_weekday(self, at: usize, licensed: bool) -> Found<Stretch> {
        let word = self.word(at);
        let day = weekday(word)?;
        let sure = !is_ambiguous(word)
            || part_of_day(self.word(at + 1)).is_some()
            || licensed && (self.is_capital(at) || !matches!(word, "sun" | "sat" | "wed"));
        if !sure {
            return None;
        }
        let stop = word.len() <= 5
            && self.is_glued(at + 1)
            && !self.word(at + 2).is_empty()
            && !self.is_capital(at + 2);
        let end = if stop { self.skip_mark(at + 1, '.') } else { at + 1 };
        Some((end, self.floating(Floating::Weekday(day))?))
    }

    fn bare_year(self, at: usize, licensed: bool) -> Found<Stretch> {
        let named = self
            .phrase(at, &["the", "year"])
            .or_else(|| self.phrase(at, &["year"]))
            .or_else(|| self.phrase(at, &["calendar", "year"]))
            .or_else(|| self.phrase(at, &["cy"]));
        if let Some(short) = named.and_then(|next| self.digits(next, 2..=2)).filter(|_| self.word(at) == "cy")
        {
            return Some((at + 2, Stretch::year(self.century_of(short)?)?));
        }
        let next = named.unwrap_or(at);
        let licensed = licensed || at > 1 && self.is(at - 1, &["to"]) && self.is(at - 2, &["back"]);
        if named.is_none() && !licensed {
            return None;
        }
        let (end, year) = self.year_number(next)?;
        let plausible = named.is_some() || (1200..2200).contains(&year);
        if !plausible || self.mark(end) == Some(':') && self.is_glued(end + 1) {
            return None;
        }
        Some((end, Stretch::year(year)?))
    }
}

impl Parser<'_> {
    /// "Labor Day weekend", "the 4th of July weekend 2022", behind the day.
    pub(super) fn weekend_behind(self, at: usize, day: &Stretch) -> Found<Stretch> {
        let floating = day
            .floating
            .filter(|floating| matches!(floating, Floating::Holiday(_) | Floating::MonthDay(..)))?;
        if self.word(at) != "weekend" || !day.is_day() {
            return None;
        }
        let (end, day) = match self.year_number(at + 1) {
            Some((end, year)) => (end, floating.in_year(year)?),
            None => (at + 1, day.clone()),
        };
        let weekend = holiday_weekend(day.start.date())?;
        let others = day.alternatives.iter().filter_map(|(start, _)| holiday_weekend(start.date()));
        Some((end, others.fold(weekend, |weekend, other| weekend.or(Some((other.start, other.end))))))
    }
}

/// The weekend a holiday makes long: a Monday goes with the two days before, a Thursday or Friday with the days after.
fn holiday_weekend(day: NaiveDate) -> Option<Stretch> {
    let weekend = Stretch::weekend(day)?;
    let monday = day.weekday() == Weekday::Mon;
    let weekend = match day.weekday() {
        Weekday::Mon => Stretch::weekend(day.pred_opt()?)?,
        _ => weekend,
    };
    let start = weekend.start.min(midnight(day));
    let far = midnight(day) < weekend.start && !matches!(day.weekday(), Weekday::Thu | Weekday::Fri);
    let end = if monday { midnight(day.succ_opt()?) } else { weekend.end };
    Some(Stretch::new(if far { weekend.start } else { start }, end, Granularity::Day))
}

fn decade_from(year: i32) -> Option<Stretch> {
    Stretch::granule(midnight(NaiveDate::from_ymd_opt(year, 1, 1)?), Granularity::Decade)
}

/// The hundred years from one.
pub(super) fn century_from(year: i32) -> Option<Stretch> {
    let start = NaiveDate::from_ymd_opt(year, 1, 1)?;
    let stop = NaiveDate::from_ymd_opt(year.checked_add(100)?, 1, 1)?;
    Some(Stretch::new(midnight(start), midnight(stop), Granularity::Decade).spanning())
}
