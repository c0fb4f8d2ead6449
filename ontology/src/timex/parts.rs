//! Parts of a dated stretch: "early June", "the end of the month", "the first Monday of September", "the week of 3 March".

use bygone_engine::time::Granularity;
use chrono::{Datelike, NaiveDateTime};

use super::floating::Floating;
use super::grammar::{Found, Parser, longest};
use super::lexicon::{Unit, unit, weekday};
use super::stretch::{Stretch, after, before, midnight, monday, plus_days};

/// Which part of a stretch is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Early,
    Middle,
    Late,
    FirstHalf,
    SecondHalf,
    Earlier,
    Later,
    /// What is left of it, today included.
    Rest,
    /// Its end: of a day the last moment, else its late third.
    End,
    Whole,
}

impl Parser<'_> {
    /// "early June", "mid-2021", "later this month", "the end of next week", "the first half of 2022".
    pub(super) fn part_of_stretch(self, at: usize) -> Found<Stretch> {
        let deeper = self.deeper()?;
        if let Some(found) = self.end_abbreviated(at) {
            return Some(found);
        }
        let (next, part) = self.part_name(at)?;
        let (end, outer) = match longest([
            deeper.absolute(next, true),
            deeper.directed(next, true),
            deeper.deictic(next),
            deeper.part_of_stretch(next),
            // "the end of the Sunday"
            deeper
                .absolute(next + 1, true)
                .filter(|_| self.word(next) == "the" && weekday(self.word(next + 1)).is_some()),
        ]) {
            Some(found) => found,
            None if matches!(self.word(next.saturating_sub(1)), "of")
                && self.is(next, &["day", "week", "month", "quarter", "year"]) =>
            {
                deeper.running_unit(next)?
            }
            None if part == Part::Early || part == Part::Late || part == Part::Middle => {
                deeper.short_decade(next)?
            }
            None => return None,
        };
        if matches!(part, Part::Earlier | Part::Later) && self.word(next) == "the" {
            return None;
        }
        // "early yesterday morning": the part of the day first, then its part.
        if let Some((end, clock)) = self.day_part(end).filter(|_| outer.is_day()) {
            let cut = |outer: &Stretch| self.cut(&clock.on(outer.start.date())?, part);
            return Some((end, for_each_reading(&outer, cut)?));
        }
        Some((end, for_each_reading(&outer, |outer| self.cut(outer, part))?))
    }

    /// "EOW", "EOM", "EOY": the end of the unit that runs.
    fn end_abbreviated(self, at: usize) -> Found<Stretch> {
        let grain = match self.word(at) {
            "eow" => Granularity::Week,
            "eom" => Granularity::Month,
            "eoq" => Granularity::Quarter,
            "eoy" => Granularity::Year,
            _ => return None,
        };
        Some((at + 1, self.cut(&Stretch::granule(self.now, grain)?, Part::End)?))
    }

    fn part_name(self, at: usize) -> Found<Part> {
        let the = self.skip(at, &["the"]);
        for (words, part) in [
            (&["beginning", "of"][..], Part::Early),
            (&["start", "of"], Part::Early),
            (&["middle", "of"], Part::Middle),
            (&["end", "of"], Part::End),
            (&["close", "of"], Part::End),
            (&["tail", "end", "of"], Part::Late),
            (&["first", "half", "of"], Part::FirstHalf),
            (&["second", "half", "of"], Part::SecondHalf),
            (&["last", "half", "of"], Part::SecondHalf),
            (&["rest", "of"], Part::Rest),
            (&["remainder", "of"], Part::Rest),
            (&["remaining", "of"], Part::Rest),
            (&["remaining", "part", "of"], Part::Rest),
            (&["whole", "of"], Part::Whole),
        ] {
            if let Some(next) = self.phrase(the, words) {
                return Some((next, part));
            }
        }
        let part = match self.word(the) {
            "early" => Part::Early,
            "mid" | "middle" => Part::Middle,
            "late" => Part::Late,
            "earlier" => Part::Earlier,
            "later" => Part::Later,
            "all" if self.is(the + 1, &["of"]) => return Some((the + 2, Part::Whole)),
            _ => return None,
        };
        let next = self.skip_mark(the + 1, '-');
        let next = if matches!(part, Part::Early | Part::Late | Part::Earlier | Part::Later) {
            self.skip(next, &["in", "on"])
        } else {
            next
        };
        Some((next, part))
    }

    /// "next year's first quarter", "this month's second week", behind the possessive.
    pub(super) fn nth_behind(self, at: usize, outer: &Stretch) -> Found<Stretch> {
        at.checked_sub(1).filter(|owner| self.is_possessive(*owner))?;
        let (next, nth) = if self.is(at, &["last", "final"]) {
            (at + 1, None)
        } else {
            let (next, nth) = self.ordinal(at)?;
            (next, Some(usize::try_from(nth).ok().filter(|nth| (1..=366).contains(nth))?))
        };
        let unit = unit(self.word(next)).filter(|_| !self.word(next).ends_with('s'))?;
        let stretch = for_each_reading(outer, |outer| nth_granule_within(outer, unit, nth))?;
        Some((next + 1, if unit == Unit::Quarter { stretch.spanning() } else { stretch }))
    }

    /// "the end of May", "the beginning of next week" as the edge of a bound: what it is an edge of, and whether its end.
    pub(super) fn edge(self, at: usize) -> Found<(Stretch, bool)> {
        let deeper = self.deeper()?;
        let next = self.skip(at, &["the"]);
        let is_end = match self.word(next) {
            "end" | "close" => true,
            "beginning" | "start" => false,
            _ => return None,
        };
        let inner = self.phrase(next + 1, &["of"])?;
        let (end, outer) = longest([
            deeper.absolute(inner, true),
            deeper.directed(inner, true),
            deeper.deictic(inner),
            deeper.running_unit(self.skip(inner, &["the"])).filter(|_| !self.word(inner).ends_with('s')),
        ])?;
        Some((end, (outer, is_end)))
    }

    /// "late 90s" without its article.
    fn short_decade(self, at: usize) -> Found<Stretch> {
        let short = self.digits(at, 2..=2).filter(|short| short % 10 == 0)?;
        let short = i32::try_from(short).ok().filter(|_| self.suffix(at + 1) == "s")?;
        let year = self.now.year().div_euclid(100) * 100 + short;
        let year = if year > self.now.year() { year - 100 } else { year };
        let start = midnight(chrono::NaiveDate::from_ymd_opt(year, 1, 1)?);
        Some((at + 2, Stretch::granule(start, Granularity::Decade)?))
    }

    /// Cuts a part out of a stretch; early, middle and late are thirds in the next finer unit.
    fn cut(self, outer: &Stretch, part: Part) -> Option<Stretch> {
        let days = |count: i64| plus_days(outer.start, count);
        let today = midnight(self.now.date());
        let third = match part {
            Part::Early => 0,
            Part::Middle => 1,
            Part::End if outer.is_day() => {
                let last = outer.end - chrono::TimeDelta::seconds(1);
                let evening = (outer.start + chrono::TimeDelta::hours(18), outer.end);
                let moment = Stretch::new(last, outer.end, Granularity::Second);
                return Some(moment.hedged().or(Some(evening)));
            }
            Part::Late | Part::End => 2,
            Part::Rest => {
                let edge = if outer.grain <= Granularity::Day { self.now } else { today };
                return Some(Stretch::new(outer.start.max(edge), outer.end, finer(outer.grain)));
            }
            Part::Earlier | Part::Later if self.now < outer.start || outer.end <= self.now => {
                let half = if part == Part::Earlier { Part::FirstHalf } else { Part::SecondHalf };
                return Some(self.cut(outer, half)?.hedged());
            }
            Part::Whole => return Some(outer.clone()),
            Part::Earlier => {
                let edge = if outer.grain <= Granularity::Day { self.now } else { today };
                return Some(Stretch::new(outer.start, outer.end.min(edge), finer(outer.grain)));
            }
            Part::Later => {
                let edge = if outer.grain <= Granularity::Day { self.now } else { plus_days(today, 1)? };
                return Some(Stretch::new(outer.start.max(edge), outer.end, finer(outer.grain)));
            }
            Part::FirstHalf | Part::SecondHalf => {
                let middle = match outer.grain {
                    Granularity::Year => add_months(outer.start, 6)?,
                    Granularity::Decade => add_months(outer.start, 60)?,
                    Granularity::Month => days(15)?,
                    // As the days of a week are told: up to Wednesday, from Thursday.
                    Granularity::Week => days(3)?,
                    _ => outer.start + (outer.end - outer.start) / 2,
                };
                let (start, end) =
                    if part == Part::FirstHalf { (outer.start, middle) } else { (middle, outer.end) };
                return Some(Stretch::new(start, end, finer(outer.grain)).spanning());
            }
        };
        let cuts: [NaiveDateTime; 2] = match outer.grain {
            Granularity::Month => [days(10)?, days(20)?],
            Granularity::Year => [add_months(outer.start, 4)?, add_months(outer.start, 8)?],
            Granularity::Quarter | Granularity::Season => {
                [add_months(outer.start, 1)?, add_months(outer.start, 2)?]
            }
            Granularity::Decade if outer.end - outer.start < chrono::TimeDelta::days(4000) => {
                [add_months(outer.start, 48)?, add_months(outer.start, 84)?]
            }
            Granularity::Week => [days(2)?, days(4)?],
            _ => {
                let step = (outer.end - outer.start) / 3;
                [outer.start + step, outer.end - step]
            }
        };
        let edges = [outer.start, cuts[0], cuts[1], outer.end];
        let (start, end) = (*edges.get(third)?, *edges.get(third + 1)?);
        Some(Stretch::new(start, end, finer(outer.grain)).hedged())
    }

    /// "the first Monday of September 2023", "the last day of February", "the first two weeks of May".
    pub(super) fn nth_of(self, at: usize) -> Found<Stretch> {
        let deeper = self.deeper()?;
        let next = self.skip(at, &["the"]);
        let (next, nth) = if self.is(next, &["last", "final"]) {
            (next + 1, None)
        } else {
            let (next, nth) = self.ordinal(next)?;
            (next, Some(usize::try_from(nth).ok().filter(|nth| (1..=366).contains(nth))?))
        };
        let outer_at = |of: usize| {
            // "the third quarter this year"
            let pointed = self.is(of, &["this", "next", "last"]);
            if !pointed && !self.is(of, &["of", "in"]) {
                return None;
            }
            let first = of + usize::from(!pointed);
            longest([
                deeper.absolute(first, true),
                deeper.directed(first, true),
                deeper.part_of_stretch(first),
                deeper.nth_of(first),
            ])
        };
        if let Some(day) = weekday(self.word(next)) {
            let (end, outer) = outer_at(next + 1)?;
            let day = day.num_days_from_monday().into();
            return Some((end, for_each_reading(&outer, |outer| nth_weekday_within(outer, day, 1, nth))?));
        }
        if let Some((of, quantity)) =
            self.quantity(next).filter(|(of, quantity)| self.is(*of, &["of", "in"]) && !quantity.article)
        {
            let (end, outer) = outer_at(of)?;
            // The weeks of a year are numbered; those of a month are counted in days from its edge.
            let numbered = quantity.unit == Unit::Week && outer.grain == Granularity::Year;
            let (start, stop) = match nth {
                Some(1) if numbered => {
                    let first = nth_week_within(&outer, Some(1))?.start;
                    (first, quantity.high.shift(first, true)?)
                }
                None => (quantity.high.shift(outer.end, false)?, outer.end),
                Some(1) => (outer.start, quantity.high.shift(outer.start, true)?),
                Some(_) => return None,
            };
            return Some((end, Stretch::new(start, stop, quantity.high.grain().min(outer.grain))));
        }
        let unit = unit(self.word(next))?;
        let (end, outer) = outer_at(next + 1)?;
        let stretch = for_each_reading(&outer, |outer| nth_granule_within(outer, unit, nth))?;
        Some((end, if unit == Unit::Quarter { stretch.spanning() } else { stretch }))
    }

    /// "the week of 23 August 2023", "the weekend of May 5", "the month of May", "week 3 of 2027".
    pub(super) fn named_granule(self, at: usize) -> Found<Stretch> {
        let deeper = self.deeper()?;
        if let Some(found) = self.week_commencing(at) {
            return Some(found);
        }
        if let Some(found) = self.calendar_week(at) {
            return Some(found);
        }
        let next = self.skip(at, &["the"]);
        if self.word(next) == "week"
            && let Some(week) = self.digits(next + 1, 1..=2)
        {
            let of = self.skip(next + 2, &["of", "in"]);
            let (end, year) = self.year_number(of)?;
            let start = chrono::NaiveDate::from_isoywd_opt(year, week, chrono::Weekday::Mon)?;
            return Some((end, Stretch::granule(midnight(start), Granularity::Week)?.spanning()));
        }
        let beginning = self.is(next + 1, &["beginning", "starting", "commencing"]);
        let unit = unit(self.word(next)).filter(|_| beginning || self.is(next + 1, &["of"]))?;
        if !matches!(unit, Unit::Week | Unit::Weekend | Unit::Month) || self.word(next).ends_with('s') {
            return None;
        }
        let inner = self.skip(next + 2, &["on"]);
        let (end, inner) = longest([
            deeper.absolute(inner, true),
            deeper.directed(inner, false),
            deeper.deictic(inner),
            deeper.nth_of(inner),
            deeper.the_day(inner),
        ])?;
        let stretch = match unit {
            Unit::Week if inner.grain <= Granularity::Week => {
                Stretch::granule(inner.start, Granularity::Week)?
            }
            Unit::Weekend if inner.grain <= Granularity::Day => Stretch::weekend(inner.start.date())?,
            Unit::Month if inner.grain == Granularity::Month => inner.clone(),
            _ => return None,
        };
        let others: Vec<_> = inner
            .alternatives
            .iter()
            .filter_map(|(start, _)| match unit {
                Unit::Week => Stretch::granule(*start, Granularity::Week),
                Unit::Weekend => Stretch::weekend(start.date()),
                _ => None,
            })
            .map(|other| (other.start, other.end))
            .collect();
        let stretch = others.into_iter().fold(stretch, |stretch, other| stretch.or(Some(other)));
        Some((end, stretch))
    }

    /// "calendar week 23", "ISO week 23", "CW 23" of the running year, where none is named.
    fn calendar_week(self, at: usize) -> Found<Stretch> {
        let next = self
            .phrase(at, &["calendar", "week"])
            .or_else(|| self.phrase(at, &["iso", "week"]))
            .or_else(|| self.phrase(at, &["cw"]))?;
        let week = self.digits(next, 1..=2)?;
        let behind = self.skip_mark(self.skip(next + 1, &["of", "in"]), '/');
        let (end, year) = self.year_number(behind).unwrap_or((next + 1, self.now.year()));
        let start = chrono::NaiveDate::from_isoywd_opt(year, week, chrono::Weekday::Mon)?;
        Some((end, Stretch::granule(midnight(start), Granularity::Week)?.spanning()))
    }

    /// "w/c 4 February": the week that commences then.
    fn week_commencing(self, at: usize) -> Found<Stretch> {
        let slash = self.word(at) == "w" && self.mark(at + 1) == Some('/') && self.word(at + 2) == "c";
        let (end, day) = self.deeper()?.dated_day(at + 3).filter(|_| slash)?;
        let week = Stretch::granule(day.start, Granularity::Week)?;
        let others =
            day.alternatives.iter().filter_map(|(start, _)| Stretch::granule(*start, Granularity::Week));
        Some((end, others.fold(week, |week, other| week.or(Some((other.start, other.end))))))
    }

    /// "the 20th" with a licence.
    fn the_day(self, at: usize) -> Found<Stretch> {
        let (end, day) = self.ordinal(self.skip(at, &["the"]))?;
        let day = u32::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
        Some((end, Floating::DayOfMonth(day).by_tense(self.now, self.tense)?))
    }
}

/// Applies a cut to a stretch and to its other readings.
fn for_each_reading(outer: &Stretch, cut: impl Fn(&Stretch) -> Option<Stretch>) -> Option<Stretch> {
    let chosen = cut(outer)?;
    let others = outer.alternatives.iter().filter_map(|(start, end)| {
        let other = Stretch { start: *start, end: *end, alternatives: Vec::new(), ..outer.clone() };
        let cut = cut(&other)?;
        Some((cut.start, cut.end))
    });
    Some(others.fold(chosen, |chosen, other| chosen.or(Some(other))))
}

/// Returns the granularity that the parts of a stretch are told in.
pub(super) fn finer(grain: Granularity) -> Granularity {
    match grain {
        Granularity::Decade => Granularity::Year,
        Granularity::Year | Granularity::Quarter | Granularity::Season => Granularity::Month,
        Granularity::Month | Granularity::Week => Granularity::Day,
        _ => Granularity::Hour,
    }
}

fn add_months(at: NaiveDateTime, months: u32) -> Option<NaiveDateTime> {
    at.checked_add_months(chrono::Months::new(months))
}

/// The nth run of `width` days from a weekday that starts within the stretch; the last where `nth` is `None`.
fn nth_weekday_within(outer: &Stretch, weekday: i64, width: i64, nth: Option<usize>) -> Option<Stretch> {
    let first = plus_days(midnight(monday(outer.start.date())?), weekday)?;
    let first = if first < outer.start { plus_days(first, 7)? } else { first };
    let start = match nth {
        Some(nth) => plus_days(first, 7 * (i64::try_from(nth).ok()? - 1))?,
        None => plus_days(first, (outer.end - first).num_days().checked_sub(1)?.div_euclid(7) * 7)?,
    };
    let inside = outer.start <= start && start < outer.end;
    inside.then_some(())?;
    Some(Stretch::new(start, plus_days(start, width)?, Granularity::Day))
}

fn nth_granule_within(outer: &Stretch, unit: Unit, nth: Option<usize>) -> Option<Stretch> {
    match unit {
        Unit::Weekend => nth_weekday_within(outer, 5, 2, nth),
        Unit::Week => nth_week_within(outer, nth),
        Unit::Day | Unit::Month | Unit::Quarter | Unit::Year | Unit::Decade => {
            nth_unit_within(outer, unit.grain(), nth)
        }
        _ => None,
    }
}

/// The nth ISO week with most of its days in the stretch; the nth seven days from its edge are the other reading.
fn nth_week_within(outer: &Stretch, nth: Option<usize>) -> Option<Stretch> {
    let thursday = nth_weekday_within(outer, 3, 1, nth)?;
    let week = Stretch::granule(thursday.start, Granularity::Week)?;
    let days = match nth {
        Some(nth) => {
            let start = plus_days(outer.start, 7 * (i64::try_from(nth).ok()? - 1))?;
            (start, plus_days(start, 7)?)
        }
        None => (plus_days(outer.end, -7)?, outer.end),
    };
    Some(week.or(Some(days)))
}

fn nth_unit_within(outer: &Stretch, grain: Granularity, nth: Option<usize>) -> Option<Stretch> {
    if grain >= outer.grain && outer.grain != Granularity::Decade {
        return None;
    }
    let start = match nth {
        None => before(grain, outer.end)?,
        Some(nth) => {
            let mut start = outer.start;
            for _ in 1..nth {
                start = after(grain, start)?;
            }
            start
        }
    };
    (start < outer.end).then_some(())?;
    Stretch::granule(start, grain)
}
