//! Times by their distance from now: "yesterday", "last week", "next Friday", "the past three months", "recently".

use bygone_engine::time::Granularity;
use chrono::{Datelike, NaiveDateTime};

use super::Tense;
use super::clock::Clock;
use super::floating::Floating;
use super::grammar::{Found, Parser, longest};
use super::lexicon::{Unit, month, part_of_day, season, unit, weekday};
use super::quantities::Quantity;
use super::stretch::{Stretch, after, before, floor, midnight, plus_days};

/// Which way a phrase points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Last,
    This,
    Next,
}

impl Direction {
    /// How many units away from the one going on.
    const fn offset(self) -> i64 {
        match self {
            Direction::Last => -1,
            Direction::This => 0,
            Direction::Next => 1,
        }
    }
}

/// What is chosen for a day, a month or a year, and is the one that runs: "player of the year".
const HONOURS: &[&str] = &[
    "album", "artist", "athlete", "book", "coach", "customer", "employee", "game", "man", "partner",
    "person", "photo", "picture", "player", "quote", "rookie", "song", "team", "tip", "woman", "word",
];

/// How many days "recently" and "the other day" reach back: chosen, untested.
const RECENT_DAYS: i64 = 30;
const OTHER_DAY_DAYS: i64 = 7;

impl Parser<'_> {
    fn today(self) -> NaiveDateTime {
        midnight(self.now.date())
    }

    fn day_from_today(self, days: i64) -> Option<Stretch> {
        Stretch::day(plus_days(self.today(), days)?.date())
    }

    /// Words and fixed phrases that point from now.
    pub(super) fn deictic(self, at: usize) -> Found<Stretch> {
        let day = |end: usize, days: i64| Some((end, self.day_from_today(days)?));
        let now = |end: usize| Some((end, Stretch::granule(self.now, Granularity::Second)?));
        let the = self.skip(at, &["the"]);
        if let Some(end) = self.phrase(the, &["day", "before", "yesterday"]) {
            return day(end, -2);
        }
        if let Some(end) = self.phrase(the, &["day", "after", "tomorrow"]) {
            return day(end, 2);
        }
        if let Some(end) = self.phrase(at, &["the", "other", "day"]) {
            return Some((end, self.lately(OTHER_DAY_DAYS)?));
        }
        if let Some(end) = self.to_date(at) {
            return Some(end);
        }
        if let Some(end) = self.phrase(at, &["on", "this", "day"]).filter(|end| self.stops(*end)) {
            return day(end, 0);
        }
        if let Some(end) = self.phrase(at, &["these", "days"]) {
            return Some((end, self.lately(RECENT_DAYS)?));
        }
        match self.word(at) {
            "today" | "otd" => day(at + 1, 0),
            "yesterday" => day(at + 1, -1),
            "tomorrow" | "tmrw" => day(at + 1, 1),
            "tonight" => Some((at + 1, Clock::part((18, 30)).on(self.now.date())?)),
            "recently" | "lately" | "nowadays" => Some((at + 1, self.lately(RECENT_DAYS)?)),
            "currently" => now(at + 1),
            "right" | "just" if self.word(at + 1) == "now" => now(at + 2),
            "at" => now(self
                .phrase(at, &["at", "the", "moment"])
                .or_else(|| self.phrase(at, &["at", "this", "moment"]))
                .or_else(|| self.phrase(at, &["at", "the", "minute"]))
                .or_else(|| self.phrase(at, &["at", "the", "present", "time"]))
                .or_else(|| self.phrase(at, &["at", "the", "present"]))
                .or_else(|| self.phrase(at, &["at", "present"]))?),
            "eod" => {
                let end = plus_days(self.today(), 1)?;
                let evening = Clock::part((18, 24)).on(self.now.date())?;
                let last = end.checked_sub_signed(chrono::TimeDelta::seconds(1))?;
                let moment = Stretch::new(last, end, Granularity::Second).hedged();
                Some((at + 1, moment.or(Some((evening.start, evening.end)))))
            }
            "now" => {
                // "Now, let's" and "now that" go on with the talk and tell no time.
                let opens = at == 0 || matches!(self.mark(at - 1), Some('.' | '!' | '?' | ','));
                let talk = self.is(at + 1, &["that", "then"])
                    || at > 0 && self.is(at - 1, &["for"])
                    || self.mark(at + 1) == Some(',');
                let alone = at == 0 && self.tokens.len() == 1;
                (alone || !opens && !talk).then(|| now(at + 1)).flatten()
            }
            _ => None,
        }
    }

    /// "year to date", "YTD", "MTD": the running unit up to today.
    fn to_date(self, at: usize) -> Found<Stretch> {
        let next = self.skip(at, &["the"]);
        let (end, grain) = match self.word(next) {
            "ytd" => (next + 1, Granularity::Year),
            "qtd" => (next + 1, Granularity::Quarter),
            "mtd" => (next + 1, Granularity::Month),
            word => {
                let unit = unit(word).filter(|unit| unit.grain() > Granularity::Day && is_singular(word))?;
                (self.phrase(next + 1, &["to", "date"])?, unit.grain())
            }
        };
        let start = floor(grain, self.now)?;
        Some((end, Stretch::new(start, plus_days(self.today(), 1)?, Granularity::Day)))
    }

    /// The last days, today included.
    fn lately(self, days: i64) -> Option<Stretch> {
        let start = plus_days(self.today(), 1 - days)?;
        let end = plus_days(self.today(), 1)?;
        Some(Stretch::new(start, end, Granularity::Day).hedged())
    }

    /// "last week", "this past Friday", "next summer", "the last 48 hours", "the week before last".
    pub(super) fn directed(self, at: usize, licensed: bool) -> Found<Stretch> {
        longest([
            self.last_this_next(at),
            self.last_units(at),
            self.units_counted_first(at),
            self.beyond_last(at),
            self.counted_ago(at),
            self.day_with_part(at),
            self.this_unit(at, licensed),
            self.the_weekend(at, licensed),
            self.this_time(at),
            self.workdays(at),
        ])
    }

    /// Reads the pointing words; the flag says that a whole unit is meant as a rolling one ("the past week").
    fn direction(self, at: usize) -> Option<(usize, Direction, bool)> {
        let next = self.skip(at, &["the"]);
        let article = next > at;
        let two = |second: usize| match self.word(second) {
            "past" => Some((second + 1, Direction::Last, false)),
            "coming" | "upcoming" => Some((second + 1, Direction::Next, false)),
            _ => None,
        };
        match self.word(next) {
            "last" | "previous" if !article || self.word(next) == "last" => {
                Some((next + 1, Direction::Last, false))
            }
            "past" => Some((next + 1, Direction::Last, true)),
            "this" if !article => two(next + 1).or(Some((next + 1, Direction::This, false))),
            "current" => Some((next + 1, Direction::This, false)),
            "next" if !article => Some((next + 1, Direction::Next, false)),
            // "the next week" goes on a story unless the clause looks ahead.
            "next" if self.next_is_ahead(at, next + 1) => Some((next + 1, Direction::Next, false)),
            "coming" | "upcoming" => Some((next + 1, Direction::Next, true)),
            _ => None,
        }
    }

    fn next_is_ahead(self, at: usize, noun: usize) -> bool {
        let coarse = self.is(noun, &["week", "month", "year", "decade"]);
        let within =
            at.checked_sub(1).is_some_and(|before| self.is(before, &["in", "over", "within", "during"]));
        self.is(noun, &["quarter", "fortnight"])
            || coarse && (within || self.tense == Tense::Future) && self.tense != Tense::Past
    }

    fn last_this_next(self, at: usize) -> Found<Stretch> {
        let (next, direction, rolling) = self.direction(at)?;
        let next = next + usize::from(self.word(next) == "calendar" && unit(self.word(next + 1)).is_some());
        let word = self.word(next);
        if let Some(found) = self.working_week(next, direction).or_else(|| self.fiscal_unit(next, direction))
        {
            return Some(found);
        }
        // "this Friday, 5/12" is the date.
        if weekday(word).is_some()
            && let Some(found) = self.dated_day(self.skip_mark(next + 1, ','))
        {
            return Some(found);
        }
        if let Some((end, floating)) = self.directed_floating(next) {
            // "this may be" is a verb.
            if direction == Direction::This
                && matches!(word, "may" | "march" | "sun" | "sat")
                && !self.is_capital(next)
            {
                return None;
            }
            if let (true, Some((_, year))) = (direction == Direction::This, self.year_number(end)) {
                return Some((end + 1, floating.in_year(year)?));
            }
            let coming =
                direction == Direction::Next && (rolling || self.is(next - 1, &["coming", "upcoming"]));
            let stretch = match direction {
                Direction::Last => floating.last(self.now)?,
                Direction::This => floating.this(self.now, self.tense)?,
                Direction::Next if coming => floating.by_tense(self.now, Tense::Future)?,
                Direction::Next => floating.next(self.now)?,
            };
            return Some((end, Stretch { floating: None, ..stretch }));
        }
        let offset = direction.offset();
        if let Some(hours) = part_of_day(word) {
            let day = plus_days(self.today(), if direction == Direction::This { 0 } else { offset })?;
            return Some((next + 1, Clock::part(hours).on(day.date())?));
        }
        if matches!(word, "season") {
            return Some((next + 1, self.unit_from_now(Granularity::Season, offset)?.hedged()));
        }
        let unit = unit(word).filter(|unit| is_singular(word) && *unit != Unit::Second)?;
        let end = next + 1;
        // "in the last year" is the year up to now, "last year" the one before.
        let within =
            at.checked_sub(1).is_some_and(|before| self.is(before, &["in", "over", "within", "during"]));
        let clock = unit.grain() < Granularity::Day;
        let rolling = rolling || clock || within && self.word(at) == "the" && unit != Unit::Quarter;
        if rolling && direction != Direction::This && unit != Unit::Weekend {
            let quantity = Quantity::one(unit)?;
            return Some((end, self.rolling(quantity, direction == Direction::Next)?));
        }
        // "the last day" is one of something else.
        if unit == Unit::Day && (direction != Direction::This || self.word(at) != "this")
            || self.is(end, &["of"]) && self.word(at) == "the"
        {
            return None;
        }
        let stretch = match unit {
            Unit::Weekend if direction == Direction::Next && self.is(next - 1, &["coming", "upcoming"]) => {
                self.weekend(Tense::Future)?
            }
            Unit::Weekend => {
                let day = plus_days(self.today(), 7 * offset)?;
                let weekend = Stretch::weekend(day.date())?;
                let nearer =
                    (direction == Direction::Next).then(|| Stretch::weekend(self.now.date())).flatten();
                weekend.or(nearer.map(|nearer| (nearer.start, nearer.end)))
            }
            Unit::Fortnight => {
                let quantity = Quantity::one(unit)?;
                self.rolling(quantity, direction == Direction::Next)?
            }
            Unit::Century => {
                let first = self.now.year().div_euclid(100).checked_add(i32::try_from(offset).ok()?)?;
                super::absolute::century_from(first.checked_mul(100)?)?
            }
            unit => self.unit_from_now(unit.grain(), offset)?,
        };
        Some((end, if unit == Unit::Quarter { stretch.spanning() } else { stretch }))
    }

    /// "next working week": Monday to Friday.
    fn working_week(self, at: usize, direction: Direction) -> Found<Stretch> {
        let end = self
            .phrase(at, &["workweek"])
            .or_else(|| self.phrase(at, &["work", "week"]))
            .or_else(|| self.phrase(at, &["working", "week"]))
            .or_else(|| self.phrase(at, &["business", "week"]))?;
        let week = self.unit_from_now(Granularity::Week, direction.offset())?;
        Some((end, Stretch::new(week.start, plus_days(week.start, 5)?, Granularity::Day)))
    }

    /// "this fiscal year", "last fiscal year": the one that runs now, moved by whole years.
    fn fiscal_unit(self, at: usize, direction: Direction) -> Found<Stretch> {
        let end = self.phrase(at, &["fiscal", "year"]).or_else(|| self.phrase(at, &["financial", "year"]))?;
        let began = self.now.month() >= self.fiscal_start;
        let year = self.now.year() - i32::from(!began) + i32::try_from(direction.offset()).ok()?;
        Some((end, Stretch::months(year, self.fiscal_start, 12, Granularity::Year)?.spanning()))
    }

    fn directed_floating(self, at: usize) -> Found<Floating> {
        if let Some(found) = self.number_pair(at, '/') {
            return Some(found);
        }
        if let Some(found) = self.holiday_name(at) {
            return Some(found);
        }
        if let Some(day) = weekday(self.word(at)) {
            return Some((at + 1, Floating::Weekday(day)));
        }
        if let Some((end, month)) = self.month_name(at).filter(|_| month(self.word(at)).is_some()) {
            if let Some((end, day)) = self.day_number(end) {
                return Some((end, Floating::MonthDay(month, day)));
            }
            return Some((end, Floating::Month(month)));
        }
        Some((at + 1, Floating::Season(season(self.word(at))?)))
    }

    fn unit_from_now(self, grain: Granularity, offset: i64) -> Option<Stretch> {
        let mut at = floor(grain, self.now)?;
        for _ in 0..offset.unsigned_abs().min(1000) {
            at = if offset < 0 { before(grain, at)? } else { after(grain, at)? };
        }
        Stretch::granule(at, grain)
    }

    /// "the last 48 hours", "the past few weeks", "the next three days".
    fn last_units(self, at: usize) -> Found<Stretch> {
        let next = self.skip(at, &["within", "in", "over", "during", "for"]);
        let next = self.skip(next, &["the"]);
        let later = match self.word(next) {
            "last" | "past" | "previous" => false,
            "next" | "coming" | "following" | "upcoming" => true,
            _ => return None,
        };
        // "it should last two hours": a verb.
        let verb = at.checked_sub(1).is_some_and(|before| {
            self.is(
                before,
                &[
                    "to",
                    "will",
                    "would",
                    "should",
                    "can",
                    "could",
                    "may",
                    "might",
                    "must",
                    "not",
                    "did",
                    "does",
                    "didn't",
                    "doesn't",
                    "won't",
                    "shouldn't",
                    "wouldn't",
                    "can't",
                ],
            )
        });
        if next == at && self.word(next) == "last" && verb {
            return None;
        }
        let (end, quantity) = self.one_quantity(next + 1)?;
        // "the last two weeks of August" is a part of August.
        if self.word(end) == "of" {
            return None;
        }
        Some((end, self.rolling(quantity, later)?))
    }

    /// "the 2 next days", "3 coming weeks", "the 13 last minutes": the count before the pointing word.
    fn units_counted_first(self, at: usize) -> Found<Stretch> {
        let next = self.skip(at, &["within", "in", "over", "during", "for"]);
        let next = self.skip(next, &["the"]);
        let (behind, count) = self.cardinal(next)?;
        let later = match self.word(behind) {
            "last" | "past" | "previous" => false,
            "next" | "coming" | "following" | "upcoming" => true,
            _ => return None,
        };
        let word = self.word(behind + 1);
        let unit = unit(word).filter(|unit| !is_singular(word) && *unit != Unit::Weekend)?;
        let length = super::length::Length::of(unit, i64::try_from(count).ok()?.checked_mul(1000)?)?;
        let quantity = Quantity { low: length, high: length, ..Quantity::one(unit)? };
        (self.word(behind + 2) != "of").then(|| Some((behind + 2, self.rolling(quantity, later)?))).flatten()
    }

    /// The stretch of a length up to now or from now; whole days and coarser are counted in days, today being part of
    /// the past ones.
    fn rolling(self, quantity: Quantity, later: bool) -> Option<Stretch> {
        let grain = quantity.high.grain();
        let stretch = if grain < Granularity::Day {
            let far = quantity.high.shift(self.now, later)?;
            let (start, end) = if later { (self.now, far) } else { (far, self.now) };
            Stretch::new(start, end, grain)
        } else if quantity.unit == Unit::Quarter {
            let edge = floor(Granularity::Quarter, self.now)?;
            let edge = if later { after(Granularity::Quarter, edge)? } else { edge };
            let far = quantity.high.shift(edge, later)?;
            let (start, end) = if later { (edge, far) } else { (far, edge) };
            Stretch::new(start, end, Granularity::Quarter).spanning()
        } else if later {
            let tomorrow = plus_days(self.today(), 1)?;
            Stretch::new(tomorrow, quantity.high.shift(tomorrow, true)?, Granularity::Day)
        } else {
            let tomorrow = plus_days(self.today(), 1)?;
            let start = quantity.high.shift(self.today(), false)?;
            Stretch::new(start, tomorrow, Granularity::Day).or(Some((start, self.today())))
        };
        Some(Stretch { approx: quantity.vague, ..stretch })
    }

    /// "the week before last", "the Friday before last", "the week after next".
    fn beyond_last(self, at: usize) -> Found<Stretch> {
        let next = self.skip(at, &["the"]);
        let (end, offset) = self
            .phrase(next + 1, &["before", "last"])
            .map(|end| (end, -2))
            .or_else(|| self.phrase(next + 1, &["after", "next"]).map(|end| (end, 2)))?;
        if let Some(day) = weekday(self.word(next)) {
            let stretch = if offset < 0 {
                Floating::Weekday(day).nth_ago(self.now, 2)?
            } else {
                let first = Floating::Weekday(day).next(self.now)?;
                Stretch::day(plus_days(first.start, 7)?.date())?
            };
            return Some((end, stretch));
        }
        if let Some(first) = season(self.word(next)).filter(|_| offset < 0) {
            return Some((end, Floating::Season(first).nth_ago(self.now, 2)?));
        }
        let stretch = match unit(self.word(next))? {
            Unit::Weekend => Stretch::weekend(plus_days(self.today(), 7 * offset)?.date())?,
            Unit::Day => {
                let day = plus_days(self.today(), offset)?.date();
                if self.word(next) == "night" { Clock::part((18, 30)).on(day)? } else { Stretch::day(day)? }
            }
            unit @ (Unit::Week | Unit::Month | Unit::Quarter | Unit::Year | Unit::Decade) => {
                self.unit_from_now(unit.grain(), offset)?
            }
            _ => return None,
        };
        Some((end, stretch))
    }

    /// "two Fridays ago", "three weekends ago", "two summers ago".
    fn counted_ago(self, at: usize) -> Found<Stretch> {
        let (next, count) = self
            .phrase(at, &["a", "couple", "of"])
            .map(|next| (next, 2))
            .or_else(|| self.cardinal(at))
            .or_else(|| self.is(at, &["a"]).then_some((at + 1, 1)))?;
        let word = self.word(next);
        if let Some(end) = self.phrase(next + 1, &["from", "now"]) {
            let day = weekday(word.strip_suffix('s').unwrap_or(word))?;
            let first = Floating::Weekday(day).by_tense(self.now, Tense::Future)?;
            let weeks = i64::try_from(count).ok()?.checked_sub(1)?.checked_mul(7)?;
            return Some((end, Stretch::day(plus_days(first.start, weeks)?.date())?));
        }
        let end = (self.word(next + 1) == "ago").then_some(next + 2)?;
        let count = usize::try_from(count).ok().filter(|count| (1..100).contains(count))?;
        if matches!(word, "weekend" | "weekends") {
            let back = -7 * i64::try_from(count).ok()?;
            return Some((end, Stretch::weekend(plus_days(self.today(), back)?.date())?));
        }
        let stem = word.strip_suffix('s').unwrap_or(word);
        let floating = weekday(stem)
            .map(Floating::Weekday)
            .or_else(|| season(stem).map(Floating::Season))
            .or_else(|| month(stem).map(Floating::Month))
            .or_else(|| {
                let christmas = matches!(word, "christmas" | "christmases");
                christmas.then_some(Floating::Holiday(super::holidays::Holiday::Fixed(12, 25)))
            })?;
        Some((end, Stretch { floating: None, ..floating.nth_ago(self.now, count)? }))
    }

    /// "yesterday evening" and "Friday morning" are read behind their day; "last Friday night" too. This reads the
    /// parts that carry a day of their own: "early this morning", "late last night".
    fn day_with_part(self, at: usize) -> Found<Stretch> {
        let next = self.skip(at, &["early", "late", "earlier", "later"]);
        if next == at || !self.is(next, &["this", "last", "tonight"]) {
            return None;
        }
        let (end, stretch) = self.last_this_next(next).or_else(|| self.deictic(next))?;
        (stretch.grain == Granularity::Hour).then_some(())?;
        Some((end, stretch.hedged()))
    }

    /// The weekend before or after now by the tense, the one that runs included.
    fn weekend(self, tense: Tense) -> Option<Stretch> {
        let this = Stretch::weekend(self.now.date())?;
        let last = Stretch::weekend(plus_days(self.today(), -7)?.date())?;
        let begun = this.start <= self.now;
        Some(match tense {
            Tense::Past | Tense::None if begun => this,
            Tense::Past | Tense::None => last.or(Some((this.start, this.end))),
            Tense::Present | Tense::Future => this,
        })
    }

    /// "over the weekend", "at the weekend", "for the weekend".
    fn the_weekend(self, at: usize, licensed: bool) -> Found<Stretch> {
        let end = self.phrase(at, &["the", "weekend"]).filter(|_| licensed && at > 0)?;
        let led = self.is(at - 1, &["over", "at", "on", "during", "for"]);
        (led && self.stops(end) && !self.is(end, &["of", "before", "after"])).then_some(())?;
        // What is planned "for the weekend" lies ahead.
        let tense =
            if self.is(at - 1, &["for"]) && self.tense == Tense::None { Tense::Future } else { self.tense };
        Some((end, self.weekend(tense)?))
    }

    /// "this time last year", "this time tomorrow": as far from now as the unit, and hedged where it is a coarse one.
    fn this_time(self, at: usize) -> Found<Stretch> {
        let next = self.phrase(at, &["this", "time"])?;
        let (later, word, end) = match self.word(next) {
            "tomorrow" => (true, "day", next + 1),
            "yesterday" => (false, "day", next + 1),
            "next" => (true, self.word(next + 1), next + 2),
            "last" => (false, self.word(next + 1), next + 2),
            _ => return None,
        };
        let unit = unit(word).filter(|_| is_singular(word))?;
        let moved = Quantity::one(unit)?.low.shift(self.now, later)?;
        let grain = match unit {
            Unit::Day => Granularity::Minute,
            Unit::Week => Granularity::Day,
            Unit::Month => Granularity::Week,
            Unit::Year => Granularity::Month,
            _ => return None,
        };
        Some((end, Stretch { best: Some(moved), ..Stretch::granule(moved, grain)?.hedged() }))
    }

    /// "the month", "the week": the running one, only where another rule asks for it.
    pub(super) fn this_unit(self, at: usize, licensed: bool) -> Found<Stretch> {
        if !licensed
            || self.word(at) != "the"
            || !self.is(at + 1, &["day", "week", "month", "quarter", "year", "decade"])
        {
            return None;
        }
        if !self.is_running(at) {
            return None;
        }
        self.running_unit(at + 1)
    }

    /// Reads a unit as the one going on.
    pub(super) fn running_unit(self, at: usize) -> Found<Stretch> {
        let unit = unit(self.word(at))?;
        Some((at + 1, self.unit_from_now(unit.grain(), 0)?))
    }

    /// Says whether "the month" stands behind a part of it ("the end of the month").
    fn is_running(self, at: usize) -> bool {
        let parts = [
            "end",
            "beginning",
            "start",
            "middle",
            "half",
            "day",
            "week",
            "rest",
            "remaining",
            "remainder",
            "close",
            "month",
            "quarter",
            "weekend",
        ];
        let before = |back: usize| at.checked_sub(back).is_some_and(|at| self.is(at, &parts));
        // "away for the month", "busy during the week", "employee of the month".
        let long = self.is(at + 1, &["week", "month", "quarter", "year"]);
        let stayed = at >= 1
            && (self.is(at - 1, &["for"]) || long && self.is(at - 1, &["during", "in"]))
            && !self.is(
                at + 2,
                &["of", "before", "after", "that", "when", "to", "following", "ahead", "in", "by"],
            )
            && self.stops(at + 2);
        let honoured = at >= 2 && self.is(at - 1, &["of"]) && self.is(at - 2, HONOURS) && self.stops(at + 2);
        if stayed || honoured {
            return true;
        }
        at >= 2 && self.is(at - 1, &["of", "in"]) && before(2)
            || at >= 2 && self.is(at - 1, &["of"]) && weekday(self.word(at - 2)).is_some()
    }
}

fn is_singular(word: &str) -> bool {
    !word.ends_with('s')
}
