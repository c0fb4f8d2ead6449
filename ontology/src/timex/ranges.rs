//! Stretches from one date to another: "from 2015 to 2018", "between March and May", "June 3-5".

use bygone_engine::time::Granularity;
use chrono::{Datelike, NaiveDate};

use super::floating::Floating;
use super::grammar::{Found, Parser, Reading, longest};
use super::stretch::Stretch;
use super::{Kind, Tense};

impl Parser<'_> {
    pub(super) fn range(self, at: usize) -> Found<Reading> {
        longest([
            self.two_ends(at),
            self.days_of_month(at),
            self.days_before_month(at),
            self.days_of_directed_month(at),
            self.short_years(at),
            self.starting_length(at),
            self.length_from_clock(at),
            self.around_length(at),
        ])
    }

    /// Reads the word or mark between the ends; "and" only after "between".
    fn separator(self, at: usize, between: bool) -> Option<usize> {
        if let Some(next) = self.phrase(at, &["up", "to"]) {
            return Some(next);
        }
        let word = self.is(at, &["to", "through", "thru", "until", "till", "til"])
            || between && self.is(at, &["and"]);
        let mark = matches!(self.mark(at), Some('-' | '–' | '—' | '→' | '~'));
        (word || mark).then_some(at + 1)
    }

    fn two_ends(self, at: usize) -> Found<Reading> {
        let between = self.is(at, &["between"]);
        if !(at + 1..at + 12)
            .any(|ahead| self.separator(ahead, between).is_some() || self.mark(ahead) == Some('/'))
        {
            return None;
        }
        let next = self.skip(at, &["from", "between", "starting", "on", "in", "during", "for", "of"]);
        let between = self.word(at) == "between";
        let next = if between { next } else { self.skip(next, &["around", "about"]) };
        let led = next > at;
        let (next, first) = self.range_start(next, led)?;
        // ISO 8601 writes an interval with a slash.
        let interval = self.mark(next) == Some('/')
            && first.is_day()
            && self.is_glued(next + 1)
            && self.digits(next + 1, 4..=4).is_some();
        let behind = if interval { next + 1 } else { self.separator(next, between)? };
        let open = ["now", "present", "today"];
        let the = self.skip(behind, &["the"]);
        // "between January and now" has both its ends, and so has "1 August to today".
        let closed = between && self.is(the, &["now", "today"]) || self.is(the, &["today"]) && first.is_day();
        if closed {
            let first = match first.floating {
                Some(floating) => floating.by_tense(self.now, Tense::Past)?,
                None => first,
            };
            return Some((the + 1, self.joined(first, Stretch::day(self.now.date())?)?));
        }
        if self.is(the, &open) && first.floating.is_none_or(|_| led) {
            let first = match first.floating {
                Some(floating) => floating.by_tense(self.now, Tense::Past)?,
                None => first,
            };
            let since = Reading { end: None, ..Reading::dated(Kind::Since, first) };
            return Some((self.skip(the + 1, &["day"]), since));
        }
        let behind = self.skip(behind, &["around", "about", "on"]);
        // "from now until 3 days later"
        if let Some((end, quantity)) = self.quantity(behind).filter(|(end, _)| self.is(*end, &["later"])) {
            let stop = quantity.low.shift(first.start, true)?;
            let grain = first.grain.min(quantity.low.grain());
            return Some((end + 1, Reading::point(Stretch::new(first.start, stop, grain).spanning())));
        }
        if between
            && let Some((_, (outer, true))) = self.edge(self.skip(at + 1, &["around", "about"]))
            && let Some((end, (last, is_end))) = self.edge(behind)
        {
            let stop = if is_end { last.end } else { last.start };
            (outer.end < stop).then_some(())?;
            let stretch = Stretch::new(outer.end, stop, outer.grain.min(last.grain));
            return Some((end, Reading::point(stretch.hedged().spanning())));
        }
        let (end, last) = self.stretch(behind, true)?;
        Some((end, self.joined(first, last)?))
    }

    /// The start must stand before a separator; a clock range is read by the clock rules instead.
    fn range_start(self, at: usize, led: bool) -> Found<Stretch> {
        if let Some(found) = self.stretch(at, led) {
            return Some(found);
        }
        // "4/22 to 4/26": each makes the other a date.
        if let Some((end, _)) = self.number_pair(at, '/') {
            let next = self.separator(end, false).filter(|next| self.mark(next - 1).is_none())?;
            self.number_pair(next, '/')?;
            return self.stretch(at, true);
        }
        // "May to July": a capital and a second month make the first a month.
        if let Some((end, stretch)) = self.stretch(at, true).filter(|_| self.is_capital(at)) {
            let month = |stretch: &Stretch| matches!(stretch.free(), Some(Floating::Month(_)));
            let next = self.separator(end, false)?;
            let (_, last) = self.stretch(next, true)?;
            return (month(&stretch) && last.grain == Granularity::Month).then_some((end, stretch));
        }
        // Without "from", two whole years still make a range: 2015–2018.
        let (end, year) = self.year_number(at).filter(|(_, year)| (1800..2200).contains(year))?;
        let behind = self.separator(end, false)?;
        let (_, last) = self.year_number(behind).filter(|(_, year)| (1800..2200).contains(year))?;
        (year < last).then(|| Some((end, Stretch::year(year)?))).flatten()
    }

    /// Joins two ends; an end whose year or week was left open takes it from the other.
    fn joined(self, first: Stretch, last: Stretch) -> Option<Reading> {
        let earlier = |floating: Option<Floating>, last: &Stretch| {
            floating.and_then(|floating| floating.before(last.end))
        };
        // "3pm - this week" is no range.
        if first.clock && last.grain > Granularity::Day {
            return None;
        }
        // "between now and eight o'clock": the half of the day that comes after the start.
        let last = match last.alternatives.iter().find(|(start, _)| *start > first.start) {
            Some((start, end)) if last.clock && last.start <= first.start => {
                Stretch { start: *start, end: *end, ..last }
            }
            _ => last,
        };
        // A range is as fine as its coarser end: "between now and 21 May" begins with today.
        let first = if first.grain == Granularity::Second && first.start == self.now && last.is_day() {
            Stretch::day(self.now.date())?
        } else {
            first
        };
        let (first, last) = match (first.free(), last.free()) {
            (None, Some(floating)) => {
                let last = floating.from(first.start).or_else(|| floating.within(&first)).unwrap_or(last);
                (first, last)
            }
            (Some(start), Some(floating))
                if matches!(self.tense, Tense::Present | Tense::Future)
                    || floating.recurs_faster_than(start) =>
            {
                let last = floating.from(first.start).unwrap_or(last);
                (first, last)
            }
            (Some(_), _) => (earlier(first.free(), &last).unwrap_or(first), last),
            (None, None) => (first, last),
        };
        let end = if last.clock { last.start } else { last.end };
        (first.start < end).then_some(())?;
        let stretch = Stretch {
            approx: first.approx || last.approx,
            many: true,
            ..Stretch::new(first.start, end, first.grain.min(last.grain))
        };
        Some(Reading::point(stretch))
    }

    /// "June 3-5", "May 28 to 31, 2022".
    fn days_of_month(self, at: usize) -> Found<Reading> {
        let lead = self.skip(at, &["from", "between"]);
        let (next, month) = self.month_name(lead)?;
        let next = self.skip(next, &["the"]);
        let (next, first) = self.day_number(next)?;
        let next = self.separator(next, self.word(at) == "between")?;
        let next = self.skip(next, &["the"]);
        let (end, last) = self.day_number(next)?;
        let comma = self.skip_mark(end, ',');
        let (end, year) = match self.year_number(comma) {
            Some((end, year)) => (end, Some(year)),
            None => (end, None),
        };
        Some((end, self.days(month, first, last, year)?))
    }

    /// "3-5 June 2022", "from 3 to 5 June", "between the 3rd and the 5th of June".
    fn days_before_month(self, at: usize) -> Found<Reading> {
        let lead = self.skip(at, &["from", "between"]);
        let next = self.skip(lead, &["the"]);
        let (next, first) = self.day_number(next)?;
        let next = self.separator(next, self.word(at) == "between")?;
        let next = self.skip(next, &["the"]);
        let (next, last) = self.day_number(next)?;
        let next = self.skip(next, &["of"]);
        let (end, month) = self.month_name(next)?;
        let comma = self.skip_mark(end, ',');
        let (end, year) = match self.year_number(comma) {
            Some((end, year)) => (end, Some(year)),
            None => (end, None),
        };
        Some((end, self.days(month, first, last, year)?))
    }

    /// "from 4-23 in next month", "between the 3rd and the 5th of this month".
    fn days_of_directed_month(self, at: usize) -> Found<Reading> {
        let next = self.skip(self.skip(at, &["from", "between"]), &["the"]);
        let (next, first) = self.day_number(next)?;
        let next = self.separator(next, self.word(at) == "between")?;
        let (next, last) = self.day_number(self.skip(next, &["the"]))?;
        let scored =
            at.checked_sub(1).is_some_and(|before| self.is(before, &["won", "lost", "beat", "score", "by"]));
        let of = self.skip(next, &["of", "in"]);
        (of > next || !scored && self.is(of, &["this", "next", "last"])).then_some(())?;
        let (end, month) = self.directed(of, true).filter(|(_, month)| month.grain == Granularity::Month)?;
        let (year, number) = (month.start.year(), month.start.month());
        Some((end, self.days(number, first, last, Some(year))?))
    }

    fn days(self, month: u32, first: u32, last: u32, year: Option<i32>) -> Option<Reading> {
        let day = |day: u32| -> Option<Stretch> {
            match year {
                Some(year) => Stretch::day(NaiveDate::from_ymd_opt(year, month, day)?),
                None => Floating::MonthDay(month, day).by_tense(self.now, self.tense),
            }
        };
        (first < last).then_some(())?;
        let mut reading = self.joined(day(first)?, day(last)?)?;
        reading.grain = Granularity::Day;
        Some(reading)
    }

    /// "2015-18", behind a preposition.
    fn short_years(self, at: usize) -> Found<Reading> {
        let lead = self.skip(at, &["from", "in", "during"]);
        let (next, year) = self.year_number(lead).filter(|_| lead > at)?;
        let dash = matches!(self.mark(next), Some('-' | '–' | '/'))
            && self.is_glued(next)
            && self.is_glued(next + 1);
        let short = i32::try_from(self.digits(next + 1, 2..=2).filter(|_| dash)?).ok()?;
        let last = year.div_euclid(100) * 100 + short;
        (year < last && short > 12).then_some(())?;
        Some((next + 2, self.joined(Stretch::year(year)?, Stretch::year(last)?)?))
    }
}
