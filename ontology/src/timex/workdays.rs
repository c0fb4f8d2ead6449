//! Days that are counted without the weekends: "the last 3 business days", "in two working days", "5 workdays ago".

use bygone_engine::time::Granularity;
use chrono::{Datelike, NaiveDateTime, Weekday};

use super::grammar::{Found, Parser};
use super::stretch::{Stretch, midnight, plus_days};

/// More than this many are no matter of days; a bound on the work.
const MOST: u64 = 1_000;

impl Parser<'_> {
    /// Reads a count of working days up to now, from now, or away from it.
    pub(super) fn workdays(self, at: usize) -> Found<Stretch> {
        let today = midnight(self.now.date());
        let tomorrow = plus_days(today, 1)?;
        let next = self.skip(at, &["in", "within", "over", "during", "for"]);
        let next = self.skip(next, &["the"]);
        let later = match self.word(next) {
            "last" | "past" | "previous" => Some(false),
            "next" | "coming" | "following" | "upcoming" => Some(true),
            _ => None,
        };
        if let Some(later) = later {
            let (end, count) = self.counted_workdays(next + 1)?;
            let far = workday_away(today, count, later)?;
            return Some((
                end,
                if later {
                    Stretch::new(tomorrow, plus_days(far, 1)?, Granularity::Day)
                } else {
                    Stretch::new(far, tomorrow, Granularity::Day).or(Some((far, today)))
                },
            ));
        }
        if self.is(at, &["in"]) {
            let (end, count) = self.counted_workdays(at + 1)?;
            return Some((end, Stretch::day(workday_away(today, count, true)?.date())?));
        }
        let (end, count) = self.counted_workdays(at)?;
        let (end, later) = match self.word(end) {
            "ago" => (end + 1, false),
            "hence" => (end + 1, true),
            "from" if self.is(end + 1, &["now", "today"]) => (end + 2, true),
            _ => return None,
        };
        Some((end, Stretch::day(workday_away(today, count, later)?.date())?))
    }

    fn counted_workdays(self, at: usize) -> Found<u64> {
        let (next, count) = self.cardinal(at).filter(|(_, count)| (1..=MOST).contains(count))?;
        let end = if self.is(next, &["workday", "workdays", "weekdays"]) {
            next + 1
        } else {
            (self.is(next, &["business", "working", "work"]) && self.is(next + 1, &["day", "days"]))
                .then_some(next + 2)?
        };
        Some((end, count))
    }
}

/// The nth day from a day that is no Saturday or Sunday.
fn workday_away(from: NaiveDateTime, count: u64, later: bool) -> Option<NaiveDateTime> {
    let mut at = from;
    let mut left = count;
    while left > 0 {
        at = plus_days(at, if later { 1 } else { -1 })?;
        if !matches!(at.weekday(), Weekday::Sat | Weekday::Sun) {
            left -= 1;
        }
    }
    Some(at)
}
