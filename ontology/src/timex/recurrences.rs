//! Repetitions as RFC 5545 rules: "every Tuesday", "twice a week", "on weekends", "the 15th of every month".

use bygone_engine::time::Granularity;
use chrono::Weekday;

use super::Kind;
use super::grammar::{Found, Parser, Reading, longest};
use super::lexicon::{Unit, month, part_of_day, season, unit, weekday, weekdays};

/// A repetition before it is written out.
#[derive(Clone, Debug)]
struct Rule {
    frequency: &'static str,
    interval: u64,
    by: String,
    grain: Granularity,
}

impl Rule {
    fn new(frequency: &'static str, grain: Granularity) -> Rule {
        Rule { frequency, interval: 1, by: String::new(), grain }
    }

    fn every(self, interval: u64) -> Option<Rule> {
        let interval = self.interval.checked_mul(interval).filter(|count| (1..10_000).contains(count))?;
        Some(Rule { interval, ..self })
    }

    fn by(mut self, part: &str) -> Rule {
        self.by.push(';');
        self.by.push_str(part);
        self
    }

    fn of(unit: Unit) -> Option<Rule> {
        Some(match unit {
            Unit::Second => Rule::new("SECONDLY", Granularity::Second),
            Unit::Minute => Rule::new("MINUTELY", Granularity::Minute),
            Unit::Hour => Rule::new("HOURLY", Granularity::Hour),
            Unit::Day => Rule::new("DAILY", Granularity::Day),
            Unit::Weekend => Rule::new("WEEKLY", Granularity::Day).by("BYDAY=SA,SU"),
            Unit::Week => Rule::new("WEEKLY", Granularity::Week),
            Unit::Fortnight => Rule::new("WEEKLY", Granularity::Week).every(2)?,
            Unit::Month => Rule::new("MONTHLY", Granularity::Month),
            Unit::Quarter => Rule::new("MONTHLY", Granularity::Quarter).every(3)?,
            Unit::Year => Rule::new("YEARLY", Granularity::Year),
            Unit::Decade => Rule::new("YEARLY", Granularity::Decade).every(10)?,
            Unit::Century => Rule::new("YEARLY", Granularity::Decade).every(100)?,
        })
    }

    fn text(&self) -> String {
        let interval =
            if self.interval == 1 { String::new() } else { format!(";INTERVAL={}", self.interval) };
        format!("FREQ={}{interval}{}", self.frequency, self.by)
    }
}

const fn code(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Mon => "MO",
        Weekday::Tue => "TU",
        Weekday::Wed => "WE",
        Weekday::Thu => "TH",
        Weekday::Fri => "FR",
        Weekday::Sat => "SA",
        Weekday::Sun => "SU",
    }
}

impl Parser<'_> {
    pub(super) fn recurrence(self, at: usize) -> Found<Reading> {
        let (end, rule) = longest([
            self.every(at),
            self.plural_days(at),
            self.adverb(at),
            self.times_per(at),
            self.day_of_every_month(at),
        ])?;
        let (end, rule) = self.at_hour(end, rule);
        let reading = Reading { rrule: Some(rule.text()), ..Reading::undated(Kind::Recurrence, rule.grain) };
        Some((end, reading))
    }

    fn every(self, at: usize) -> Found<Rule> {
        if self.is(at, &["everyday"]) {
            return Some((at + 1, Rule::of(Unit::Day)?));
        }
        if !self.is(at, &["every", "each"]) {
            return None;
        }
        let mut next = self.skip(at + 1, &["single"]);
        let mut interval = 1;
        if self.is(next, &["other"]) {
            (next, interval) = (next + 1, 2);
        } else if let Some((after, nth)) = self.ordinal(next).filter(|_| self.word(next + 1) != "of") {
            if let Some(day) = weekday(self.word(after))
                .filter(|_| self.phrase(after + 1, &["of", "the", "month"]).is_some())
            {
                let part = format!("BYDAY={nth}{}", code(day));
                return Some((after + 4, Rule::of(Unit::Month)?.by(&part)));
            }
            if let Some(end) = self.phrase(after, &["of", "the", "month"]) {
                return Some((end, Rule::of(Unit::Month)?.by(&format!("BYMONTHDAY={nth}"))));
            }
            (next, interval) = (after, nth);
        } else if let Some((after, quantity)) = self.cardinal(next) {
            (next, interval) = (after, quantity);
        } else if self.is(next, &["few", "couple"]) {
            let count = if self.word(next) == "few" { 3 } else { 2 };
            (next, interval) = (self.skip(next + 1, &["of"]), count);
        }
        let (end, rule) = self.repeated(next)?;
        Some((end, rule.every(interval)?))
    }

    /// Reads what is repeated: a unit, weekdays, a part of the day, a month, a season, a holiday.
    fn repeated(self, at: usize) -> Found<Rule> {
        if let Some((end, days)) = self.weekday_list(at, weekday) {
            // "every Tuesday morning" names its day already.
            let end = end + usize::from(part_of_day(self.word(end)).is_some());
            return Some((end, Rule::new("WEEKLY", Granularity::Day).by(&format!("BYDAY={days}"))));
        }
        let word = self.word(at);
        if part_of_day(word).is_some() {
            return Some((at + 1, Rule::new("DAILY", Granularity::Hour)));
        }
        if matches!(word, "weekday" | "workday") {
            return Some((at + 1, Rule::new("WEEKLY", Granularity::Day).by("BYDAY=MO,TU,WE,TH,FR")));
        }
        if let Some(unit) = unit(word) {
            return Some((at + 1, Rule::of(unit)?));
        }
        if let Some((end, month)) = self.month_name(at).filter(|_| month(word).is_some()) {
            let rule = Rule::of(Unit::Year)?.by(&format!("BYMONTH={month}"));
            return match self.day_number(end) {
                Some((end, day)) => Some((end, rule.by(&format!("BYMONTHDAY={day}")))),
                None => Some((end, rule)),
            };
        }
        if let Some(first) = season(word) {
            return Some((at + 1, Rule::new("YEARLY", Granularity::Season).by(&format!("BYMONTH={first}"))));
        }
        let (end, holiday) = self.holiday_name(at)?;
        let super::floating::Floating::Holiday(super::holidays::Holiday::Fixed(month, day)) = holiday else {
            return Some((end, Rule::of(Unit::Year)?));
        };
        Some((end, Rule::of(Unit::Year)?.by(&format!("BYMONTH={month};BYMONTHDAY={day}"))))
    }

    /// "Monday, Wednesday and Friday" as "MO,WE,FR".
    fn weekday_list(self, at: usize, read: fn(&str) -> Option<Weekday>) -> Found<String> {
        let mut days = code(read(self.word(at))?).to_owned();
        let mut end = at + 1;
        for _ in 0..6 {
            let next = self.skip_mark(end, ',');
            let next = self.skip(next, &["and", "or"]);
            let next = self.skip_mark(next, '&');
            let next = self.skip(next, &["every", "each"]);
            match read(self.word(next)).filter(|_| next > end) {
                Some(day) => {
                    days.push(',');
                    days.push_str(code(day));
                    end = next + 1;
                }
                None => break,
            }
        }
        Some((end, days))
    }

    /// "on Tuesdays", "Mondays and Fridays", "on weekends", "in the mornings".
    fn plural_days(self, at: usize) -> Found<Rule> {
        let next = self.skip(at, &["on", "in", "during", "over", "at"]);
        let next = self.skip(next, &["the"]);
        if let Some((end, days)) = self.weekday_list(next, weekdays) {
            return (self.word(end) != "ago")
                .then(|| (end, Rule::new("WEEKLY", Granularity::Day).by(&format!("BYDAY={days}"))));
        }
        if let Some(day) = weekday(self.word(next))
            .filter(|_| self.is(next + 1, &["mornings", "afternoons", "evenings", "nights"]))
        {
            let part = format!("BYDAY={}", code(day));
            return Some((next + 2, Rule::new("WEEKLY", Granularity::Day).by(&part)));
        }
        let placed = next > at;
        match self.word(next) {
            "weekends" if placed => Some((next + 1, Rule::of(Unit::Weekend)?)),
            "weekdays" if placed => {
                Some((next + 1, Rule::new("WEEKLY", Granularity::Day).by("BYDAY=MO,TU,WE,TH,FR")))
            }
            "mornings" | "afternoons" | "evenings" => Some((next + 1, Rule::new("DAILY", Granularity::Hour))),
            _ => None,
        }
    }

    fn adverb(self, at: usize) -> Found<Rule> {
        let bi = usize::from(self.is(at, &["bi"]) && self.mark(at + 1) == Some('-')) * 2;
        let next = at + bi;
        let rule = match self.word(next) {
            "hourly" => Rule::of(Unit::Hour)?,
            "daily" | "nightly" => Rule::of(Unit::Day)?,
            "weekly" => Rule::of(Unit::Week)?,
            "biweekly" | "fortnightly" => Rule::of(Unit::Fortnight)?,
            "monthly" => Rule::of(Unit::Month)?,
            "bimonthly" => Rule::of(Unit::Month)?.every(2)?,
            "quarterly" => Rule::of(Unit::Quarter)?,
            "yearly" | "annually" => Rule::of(Unit::Year)?,
            _ => return None,
        };
        Some((next + 1, rule.every(if bi > 0 { 2 } else { 1 })?))
    }

    /// "twice a week", "three times per month", "two days a week", "once every two years".
    fn times_per(self, at: usize) -> Found<Rule> {
        let next = if self.is(at, &["once", "twice", "thrice"]) {
            at + 1
        } else {
            let next = self
                .phrase(at, &["several"])
                .or_else(|| self.phrase(at, &["a", "few"]))
                .or_else(|| self.phrase(at, &["a", "couple", "of"]))
                .or_else(|| self.quantity_count(at))?;
            self.is(next, &["times", "time", "days", "nights", "hours"]).then_some(next + 1)?
        };
        if self.is(next, &["every", "each"]) {
            return self.every(next);
        }
        if !self.is(next, &["a", "an", "per"]) {
            return None;
        }
        let unit = unit(self.word(next + 1)).filter(|_| !self.word(next + 1).ends_with('s'))?;
        Some((next + 2, Rule::of(unit)?))
    }

    fn quantity_count(self, at: usize) -> Option<usize> {
        let (end, _) = self.cardinal(at)?;
        let range = self.is(end, &["or", "to"]) || self.mark(end) == Some('-');
        Some(if range { self.cardinal(end + 1).map_or(end, |(end, _)| end) } else { end })
    }

    /// "the 15th of every month", "the first Monday of each month", "19th of every month".
    fn day_of_every_month(self, at: usize) -> Found<Rule> {
        let next = self.skip(at, &["on"]);
        let next = self.skip(next, &["the"]);
        let (next, nth) = if self.is(next, &["last"]) {
            (next + 1, -1)
        } else {
            let (next, nth) = self.ordinal(next)?;
            (next, i64::try_from(nth).ok()?)
        };
        let day = weekday(self.word(next));
        let next = next + usize::from(day.is_some() || self.is(next, &["day"]));
        let next = self.skip(next, &["of"]);
        let end = self.phrase(next, &["every", "month"]).or_else(|| self.phrase(next, &["each", "month"]))?;
        let part = match day {
            Some(day) => format!("BYDAY={nth}{}", code(day)),
            None => format!("BYMONTHDAY={nth}"),
        };
        Some((end, Rule::of(Unit::Month)?.by(&part)))
    }

    /// "every Monday at 4pm": the clock goes into the rule.
    fn at_hour(self, end: usize, rule: Rule) -> (usize, Rule) {
        let next = self.skip(end, &["at"]);
        let found = self.clock(next, next > end, next > end).and_then(|(after, clock)| {
            let day = clock.on(self.now.date())?;
            Some((after, day.start))
        });
        match found {
            Some((after, start)) if rule.grain >= Granularity::Hour => {
                use chrono::Timelike;
                let minute =
                    if start.minute() == 0 { String::new() } else { format!(";BYMINUTE={}", start.minute()) };
                let part = format!("BYHOUR={}{minute}", start.hour());
                (after, rule.by(&part))
            }
            _ => (end, rule),
        }
    }
}
