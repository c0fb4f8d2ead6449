//! What a phrase means that names a repeating time without saying which one ("Friday", "in March", "Christmas"), and
//! how tense, "last", "this" and "next" choose.

use bygone_engine::time::Granularity;
use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, Weekday};

use super::Tense;
use super::holidays::Holiday;
use super::stretch::{Stretch, midnight, monday, plus_days};

/// A time that comes round again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Floating {
    Weekday(Weekday),
    /// "the 5th".
    DayOfMonth(u32),
    /// "Friday the 13th".
    WeekdayOfMonth(Weekday, u32),
    MonthDay(u32, u32),
    Month(u32),
    /// By its first month.
    Season(u32),
    Quarter(u32),
    Holiday(Holiday),
}

impl Floating {
    fn grain(self) -> Granularity {
        match self {
            Floating::Weekday(_)
            | Floating::DayOfMonth(_)
            | Floating::WeekdayOfMonth(..)
            | Floating::MonthDay(..)
            | Floating::Holiday(_) => Granularity::Day,
            Floating::Month(_) => Granularity::Month,
            Floating::Season(_) => Granularity::Season,
            Floating::Quarter(_) => Granularity::Quarter,
        }
    }

    /// Returns the occurrence of a yearly time in the year.
    pub(super) fn in_year(self, year: i32) -> Option<Stretch> {
        let stretch = match self {
            Floating::Weekday(_) | Floating::DayOfMonth(_) | Floating::WeekdayOfMonth(..) => return None,
            Floating::MonthDay(month, day) => Stretch::day(NaiveDate::from_ymd_opt(year, month, day)?)?,
            Floating::Month(month) => Stretch::month(year, month)?,
            Floating::Season(month) => Stretch::months(year, month, 3, Granularity::Season)?.hedged(),
            Floating::Quarter(quarter) => {
                Stretch::months(year, quarter * 3 - 2, 3, Granularity::Quarter)?.spanning()
            }
            Floating::Holiday(holiday) => Stretch::day(holiday.in_year(year)?)?,
        };
        Some(stretch)
    }

    /// Returns the occurrences around a date, in order: enough to hold the one before and the one after it.
    pub(super) fn around(self, near: NaiveDate) -> Vec<Stretch> {
        let by_month = |reach: i32, day: u32| {
            (-reach..=reach).filter_map(move |offset| {
                let first = near.with_day(1)?;
                let months = Months::new(offset.unsigned_abs());
                let month = if offset < 0 {
                    first.checked_sub_months(months)?
                } else {
                    first.checked_add_months(months)?
                };
                month.with_day(day)
            })
        };
        match self {
            Floating::Weekday(weekday) => (-4..=4)
                .filter_map(|week: i64| {
                    let day = i64::from(weekday.num_days_from_monday()) + 7 * week;
                    Stretch::day(plus_days(midnight(monday(near)?), day)?.date())
                })
                .collect(),
            Floating::DayOfMonth(day) => by_month(5, day).filter_map(Stretch::day).collect(),
            Floating::WeekdayOfMonth(weekday, day) => {
                by_month(30, day).filter(|date| date.weekday() == weekday).filter_map(Stretch::day).collect()
            }
            Floating::MonthDay(..)
            | Floating::Month(_)
            | Floating::Season(_)
            | Floating::Quarter(_)
            | Floating::Holiday(_) => {
                (-9..=9).filter_map(|offset| self.in_year(near.year() + offset)).collect()
            }
        }
    }

    fn mark(self, stretch: Stretch) -> Stretch {
        Stretch { floating: Some(self), ..stretch }
    }

    /// Returns the occurrence the tense asks for, with the other one as an alternative.
    ///
    /// Without a tense the past is meant: chats tell more than they plan.
    pub(super) fn by_tense(self, now: NaiveDateTime, tense: Tense) -> Option<Stretch> {
        let today = midnight(now.date());
        let weekday = matches!(self, Floating::Weekday(_));
        let all = self.around(now.date());
        let past =
            all.iter().rfind(|stretch| if weekday { stretch.start < today } else { stretch.start <= now });
        let future =
            all.iter().find(|stretch| if weekday { stretch.start > today } else { stretch.end > now });
        // A weekday with its day of the month comes so rarely that the nearer one is meant.
        let nearer = matches!(self, Floating::WeekdayOfMonth(..)) && tense == Tense::None;
        let ahead = nearer
            && past.zip(future).is_some_and(|(past, future)| future.start - today < today - past.start);
        let (chosen, other) = match tense {
            Tense::None if ahead => (future?, past),
            Tense::Past | Tense::None => (past.or(future)?, future),
            Tense::Present | Tense::Future => (future.or(past)?, past),
        };
        let other = other.map(|stretch| (stretch.start, stretch.end));
        Some(self.mark(chosen.clone().or(other)))
    }

    /// Returns the last one before now: for a weekday the latest before today (or last week's), else the latest over.
    pub(super) fn last(self, now: NaiveDateTime) -> Option<Stretch> {
        self.nth_ago(now, 1)
    }

    /// Returns the nth one before now, counted like [`Floating::last`].
    pub(super) fn nth_ago(self, now: NaiveDateTime, n: usize) -> Option<Stretch> {
        let today = midnight(now.date());
        let all = self.around(now.date());
        let over = all.iter().filter(|stretch| stretch.end <= today).count();
        let chosen = all.get(over.checked_sub(n)?)?.clone();
        let other = match self {
            Floating::Weekday(weekday) if n == 1 => {
                let day = i64::from(weekday.num_days_from_monday()) - 7;
                Stretch::day(plus_days(midnight(monday(now.date())?), day)?.date())
            }
            Floating::Month(_) if n == 1 && chosen.start.year() == now.year() => {
                self.in_year(now.year().checked_sub(1)?)
            }
            _ => None,
        };
        Some(chosen.or(other.map(|stretch| (stretch.start, stretch.end))))
    }

    /// Returns this one: a weekday of this ISO week, else the one going on or of this year.
    pub(super) fn this(self, now: NaiveDateTime, tense: Tense) -> Option<Stretch> {
        if let Floating::Weekday(weekday) = self {
            let offset = i64::from(weekday.num_days_from_monday());
            let day = plus_days(midnight(monday(now.date())?), offset)?;
            let day =
                if tense == Tense::Future && day < midnight(now.date()) { plus_days(day, 7)? } else { day };
            return Stretch::day(day.date());
        }
        let all = self.around(now.date());
        let current = all.iter().find(|stretch| stretch.start <= now && now < stretch.end);
        match current {
            Some(current) => Some(current.clone()),
            None => self.in_year(now.year()),
        }
    }

    /// Returns the next one: a weekday of next ISO week (or the first after today), else the first to start.
    pub(super) fn next(self, now: NaiveDateTime) -> Option<Stretch> {
        let all = self.around(now.date());
        let first = all.iter().find(|stretch| stretch.start > now)?.clone();
        match self {
            Floating::Weekday(weekday) => {
                let day = i64::from(weekday.num_days_from_monday()) + 7;
                let chosen = Stretch::day(plus_days(midnight(monday(now.date())?), day)?.date())?;
                Some(chosen.or(Some((first.start, first.end))))
            }
            Floating::Month(_) if first.start.year() == now.year() => {
                let other = self.in_year(now.year().checked_add(1)?);
                Some(first.or(other.map(|stretch| (stretch.start, stretch.end))))
            }
            _ => Some(first),
        }
    }

    /// Returns the first occurrence that starts within the stretch.
    pub(super) fn within(self, outer: &Stretch) -> Option<Stretch> {
        self.around(outer.start.date())
            .into_iter()
            .find(|stretch| outer.start <= stretch.start && stretch.start < outer.end)
    }

    /// Returns the first occurrence that starts at or after the time.
    pub(super) fn from(self, at: NaiveDateTime) -> Option<Stretch> {
        self.around(at.date()).into_iter().find(|stretch| stretch.start >= at)
    }

    /// Returns the last occurrence that starts before the time.
    pub(super) fn before(self, at: NaiveDateTime) -> Option<Stretch> {
        self.around(at.date()).into_iter().rfind(|stretch| stretch.start < at)
    }

    /// Says whether this comes round more often than the other: a weekday or a day of the month against a yearly date.
    pub(super) fn recurs_faster_than(self, other: Floating) -> bool {
        let rank = |floating| match floating {
            Floating::Weekday(_) => 0,
            Floating::DayOfMonth(_) | Floating::WeekdayOfMonth(..) => 1,
            Floating::MonthDay(..)
            | Floating::Month(_)
            | Floating::Season(_)
            | Floating::Quarter(_)
            | Floating::Holiday(_) => 2,
        };
        rank(self) < rank(other)
    }

    /// Says whether the time is finer than a granularity.
    pub(super) fn is_finer_than(self, grain: Granularity) -> bool {
        self.grain() < grain
    }
}

/// Returns the nth (from 1; from the end where negative) given weekday of a month.
pub(super) fn nth_weekday(year: i32, month: u32, weekday: Weekday, nth: i8) -> Option<NaiveDate> {
    if let Ok(nth) = u8::try_from(nth) {
        return NaiveDate::from_weekday_of_month_opt(year, month, weekday, nth);
    }
    let next = NaiveDate::from_ymd_opt(year, month, 1)?.checked_add_months(Months::new(1))?;
    let back = (next.weekday().num_days_from_monday() + 7 - weekday.num_days_from_monday() - 1) % 7 + 1;
    next.checked_sub_days(Days::new(back.into()))
}
