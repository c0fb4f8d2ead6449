//! Times by the clock: "3pm", "15:30", "half past five", "noon", "from 2 to 4pm", and the parts of a day.

use bygone_engine::time::Granularity;
use chrono::{NaiveDate, TimeDelta};

use super::Tense;
use super::grammar::{Found, Parser, longest};
use super::lexicon::{part_of_day, small_number, zone};
use super::stretch::{Stretch, midnight, plus_days};

/// A stretch of a day, in seconds from its midnight; it may run into the next day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    start: i64,
    end: i64,
    grain: Granularity,
    approx: bool,
    /// The other half of the day, where the words leave it open.
    other: Option<i64>,
    many: bool,
}

impl Clock {
    fn at(start: i64, grain: Granularity) -> Clock {
        let width = match grain {
            Granularity::Second => 1,
            Granularity::Minute => 60,
            _ => 3600,
        };
        Clock { start, end: start + width, grain, approx: false, other: None, many: false }
    }

    /// Makes a part of the day from its hours.
    pub(super) fn part((from, to): (i64, i64)) -> Clock {
        Clock { start: from * 3600, end: to * 3600, approx: true, ..Clock::at(0, Granularity::Hour) }
    }

    /// Says whether two ends were named.
    pub(super) fn is_range(self) -> bool {
        self.many
    }

    /// Returns the clock in the half of the day that a part of it lies in: "five-thirty in the evening".
    pub(super) fn in_half_of(self, part: Clock) -> Clock {
        let late = part.start >= 12 * 3600;
        match self.other {
            Some(shift) if (self.start >= 12 * 3600) != late => {
                Clock { start: self.start + shift, end: self.end + shift, other: None, ..self }
            }
            // "7:30 tomorrow night"
            None if late && (3600..12 * 3600).contains(&self.start) && !self.many => {
                Clock { start: self.start + 12 * 3600, end: self.end + 12 * 3600, ..self }
            }
            _ => Clock { other: None, ..self },
        }
    }

    /// Moves the clock by half days until it starts within a part of a day ("last night at 8").
    pub(super) fn within(self, part: &Stretch) -> Option<Stretch> {
        (0..4).find_map(|half| {
            let moved = Clock {
                start: self.start.rem_euclid(12 * 3600) + half * 12 * 3600,
                end: self.start.rem_euclid(12 * 3600) + half * 12 * 3600 + (self.end - self.start),
                other: None,
                ..self
            };
            let stretch = moved.on(part.start.date())?;
            (part.start <= stretch.start && stretch.start < part.end).then_some(stretch)
        })
    }

    /// Places the clock on a day.
    pub(super) fn on(self, day: NaiveDate) -> Option<Stretch> {
        let seconds = |count| midnight(day).checked_add_signed(TimeDelta::try_seconds(count)?);
        let stretch = Stretch {
            approx: self.approx,
            clock: !self.approx,
            many: self.many,
            ..Stretch::new(seconds(self.start)?, seconds(self.end)?, self.grain)
        };
        let other =
            self.other.and_then(|shift| Some((seconds(self.start + shift)?, seconds(self.end + shift)?)));
        Some(stretch.or(other))
    }
}

impl Parser<'_> {
    /// Reads a clock time or a range of them; bare hours ("at 5") only where `licensed` and a date stands beside.
    pub(super) fn clock(self, at: usize, licensed: bool, beside_date: bool) -> Found<Clock> {
        longest([self.clock_range(at, licensed, beside_date), self.one_clock(at, licensed, beside_date)])
    }

    pub(super) fn one_clock(self, at: usize, licensed: bool, beside_date: bool) -> Found<Clock> {
        let (end, clock) = longest([
            self.named_hour(at),
            self.spoken_clock(at),
            self.hour_and_minute_words(at, beside_date),
            self.hour_in_words(at, licensed && beside_date),
            self.written_clock(at, licensed, beside_date),
        ])?;
        Some(self.with_zone(end, clock))
    }

    /// A clock standing for itself is grounded on the day its tense asks for.
    pub(super) fn clock_alone(self, at: usize, licensed: bool) -> Found<Stretch> {
        let (end, clock) = self.clock(at, licensed, false)?;
        let today = clock.on(self.now.date())?;
        let day = match self.tense {
            Tense::Past if today.start > self.now => -1,
            Tense::Future if today.end <= self.now => 1,
            _ => 0,
        };
        Some((end, clock.on(plus_days(midnight(self.now.date()), day)?.date())?))
    }

    fn named_hour(self, at: usize) -> Found<Clock> {
        let hour = match self.word(at) {
            "noon" | "midday" => 12,
            "midnight" => 0,
            _ => return None,
        };
        Some((at + 1, Clock::at(hour * 3600, Granularity::Hour)))
    }

    fn hour_word(self, at: usize) -> Found<i64> {
        if let Some(hour) = small_number(self.word(at)).filter(|hour| *hour <= 12) {
            return Some((at + 1, i64::try_from(hour).ok()?));
        }
        let hour = self.digits(at, 1..=2).filter(|hour| (1..=12).contains(hour))?;
        Some((at + 1, hour.into()))
    }

    /// "five o'clock", "half past five", "quarter to six", "ten past nine".
    fn spoken_clock(self, at: usize) -> Found<Clock> {
        let (mut end, hour, minute) = if let Some(next) = self.phrase(at, &["half", "past"]) {
            let (end, hour) = self.hour_word(next)?;
            (end, hour, 30)
        } else if let Some((next, hour)) =
            self.hour_word(at).filter(|(next, _)| self.is(*next, &["o'clock", "oclock"]))
        {
            return Some(self.half_of_day(next + 1, hour));
        } else {
            let (next, minutes) = if self.is(at, &["quarter"]) {
                (at + 1, 15)
            } else {
                let number = small_number(self.word(at)).or_else(|| self.digits(at, 1..=2).map(u64::from))?;
                let next = self.skip(at + 1, &["minutes", "minute", "min"]);
                // "2 to 4pm" is a range; minutes are named, or are a round number in words.
                let round = self.number(at).is_none() && number % 10 == 0;
                if next == at + 1 && !round && self.word(next) != "past" {
                    return None;
                }
                (next, i64::try_from(number).ok()?)
            };
            let (end, hour) = self.hour_word(next + 1)?;
            let marked = minutes == 15 && self.is(at, &["quarter"])
                || self.half_marker(self.skip(end, &["o'clock"])).is_some();
            match self.word(next) {
                "past" | "after" if marked => (end, hour, minutes),
                "to" | "before" if marked => (end, hour - 1, 60 - minutes),
                _ => return None,
            }
        };
        if !(0..60).contains(&minute) {
            return None;
        }
        end = self.skip(end, &["o'clock"]);
        let (end, clock) = self.half_of_day(end, hour);
        let clock = Clock {
            start: clock.start + minute * 60,
            end: clock.start + minute * 60 + 60,
            grain: Granularity::Minute,
            ..clock
        };
        Some((end, clock))
    }

    /// "nine am"; "at seven" beside a date.
    fn hour_in_words(self, at: usize, licensed: bool) -> Found<Clock> {
        self.number(at).is_none().then_some(())?;
        let (end, hour) = self.hour_word(at)?;
        let marked = self.half_marker(end).is_some();
        (marked || licensed && self.stops(end)).then(|| self.half_of_day(end, hour))
    }

    /// "nine thirty", "five-thirty pm", "nine oh five": two numbers in words, beside a date or with the half of the day.
    fn hour_and_minute_words(self, at: usize, licensed: bool) -> Found<Clock> {
        self.number(at).is_none().then_some(())?;
        let (next, hour) = self.hour_word(at)?;
        let next = self.skip_mark(next, '-');
        let (end, minute) = if self.is(next, &["oh", "o"]) {
            self.cardinal(next + 1).filter(|(_, minute)| *minute < 10)?
        } else {
            self.cardinal(next)
                .filter(|(_, minute)| self.number(next).is_none() && (10..60).contains(minute))?
        };
        (licensed && self.stops(end) || self.half_marker(end).is_some()).then_some(())?;
        let minute = i64::try_from(minute).ok()? * 60;
        let (end, clock) = self.half_of_day(end, hour);
        let start = clock.start + minute;
        Some((end, Clock { start, end: start + 60, grain: Granularity::Minute, ..clock }))
    }

    /// Reads "am", "p.m.", "in the evening" as whether the second half of the day is meant.
    fn half_marker(self, at: usize) -> Found<bool> {
        let (end, late) = match self.word(at) {
            "am" => (at + 1, false),
            "pm" => (at + 1, true),
            "a" | "p"
                if self.mark(at + 1) == Some('.') && self.is_glued(at + 1) && self.suffix(at + 2) == "m" =>
            {
                // The last full stop may end the sentence, and is left outside where nothing follows it.
                let stop =
                    self.mark(at + 3) == Some('.') && self.is_glued(at + 3) && at + 4 < self.tokens.len();
                (at + 3 + usize::from(stop), self.word(at) == "p")
            }
            "a" | "p" if self.word(at + 1) == "m" => (at + 2, self.word(at) == "p"),
            "a" | "p" if self.is_glued(at) => (at + 1, self.word(at) == "p"),
            "in" => {
                let next = self.skip(at + 1, &["the"]);
                match self.word(next) {
                    "morning" => (next + 1, false),
                    "afternoon" | "evening" => (next + 1, true),
                    _ => return None,
                }
            }
            "at" if self.word(at + 1) == "night" => (at + 2, true),
            _ => return None,
        };
        Some((end, late))
    }

    /// Grounds an hour of twelve: by its marker, else the waking one, with the other as an alternative.
    fn half_of_day(self, at: usize, hour: i64) -> (usize, Clock) {
        if let Some((end, late)) = self.half_marker(at) {
            let start = (hour % 12 + if late { 12 } else { 0 }) * 3600;
            return (end, Clock::at(start, Granularity::Hour));
        }
        let late = (1..7).contains(&hour) || hour == 12;
        let start = (hour % 12 + if late { 12 } else { 0 }) * 3600;
        let clock = Clock {
            other: Some(if late { -12 * 3600 } else { 12 * 3600 }),
            ..Clock::at(start, Granularity::Hour)
        };
        (at, clock)
    }

    fn written_clock(self, at: usize, licensed: bool, beside_date: bool) -> Found<Clock> {
        let hour: i64 = self.digits(at, 1..=2)?.into();
        let mut end = at + 1;
        let (mut seconds, mut grain) = (0, Granularity::Hour);
        let mut take = |end: &mut usize, separator: char, unit: i64, finer: Granularity| -> bool {
            let glued = self.mark(*end) == Some(separator) && self.is_glued(*end) && self.is_glued(*end + 1);
            match self.digits(*end + 1, 2..=2).filter(|part| glued && *part < 60) {
                Some(part) => {
                    seconds += i64::from(part) * unit;
                    grain = finer;
                    *end += 2;
                    true
                }
                None => false,
            }
        };
        // "8.30pm" is a time only with its marker, or beside a date: "Monday at 8.30".
        let dotted = self.mark(end) == Some('.')
            && (self.half_marker(end + 2).is_some() || licensed && beside_date && self.stops(end + 2));
        let with_minutes = take(&mut end, if dotted { '.' } else { ':' }, 60, Granularity::Minute);
        let with_seconds = with_minutes && take(&mut end, ':', 1, Granularity::Second);
        if with_seconds
            && self.mark(end) == Some('.')
            && self.is_glued(end + 1)
            && self.number(end + 1).is_some()
        {
            end += 2;
        }
        let shifted = |clock: Clock| Clock {
            start: clock.start + seconds,
            end: Clock::at(clock.start + seconds, grain).end,
            grain,
            ..clock
        };
        if let Some((after, _)) = self.half_marker(end).filter(|_| hour <= 12) {
            let glued_letter = matches!(self.word(end), "a" | "p") && after == end + 1;
            let in_the = self.word(end) == "in" || self.word(end) == "at";
            if (1..=12).contains(&hour)
                && (!glued_letter || beside_date || licensed)
                && (!in_the || !self.is_glued(end))
            {
                let (after, clock) = self.half_of_day(end, hour);
                return Some((after, shifted(clock)));
            }
        }
        if hour > 24 || hour == 24 && seconds > 0 {
            return None;
        }
        let zoned = zone(self.word(end)).is_some() && (self.word(end) != "z" || self.is_glued(end));
        if with_minutes && (licensed || beside_date || zoned) {
            return Some((end, shifted(Clock::at(hour * 3600, grain))));
        }
        if self.suffix(end) == "ish" && (licensed || beside_date) && hour <= 12 {
            let (end, clock) = self.half_of_day(end + 1, hour);
            return Some((end, Clock { approx: true, ..clock }));
        }
        let whole = !self.is_glued(end) || self.mark(end).is_some() && self.stops(end);
        let bare = licensed && beside_date && (1..=12).contains(&hour) && whole;
        bare.then(|| self.half_of_day(end, hour))
    }

    /// Reads a zone behind a clock and moves it to UTC.
    fn with_zone(self, at: usize, clock: Clock) -> (usize, Clock) {
        let moved = |offset: i64| Clock { start: clock.start - offset, end: clock.end - offset, ..clock };
        if let Some(offset) = zone(self.word(at)).filter(|_| self.word(at) != "z" || self.is_glued(at)) {
            return (at + 1, moved(offset));
        }
        // "10:00-11:30" is a range; an offset behind a minus needs seconds or the T of ISO 8601 before.
        let iso =
            clock.grain == Granularity::Second || at.checked_sub(4).is_some_and(|at| self.word(at) == "t");
        let spaced = self.digits(at + 1, 4..=4).is_some() && clock.grain == Granularity::Second;
        let offset = self.is_glued(at + 1) && (self.is_glued(at) || spaced);
        let sign = match self.mark(at).filter(|_| offset) {
            Some('+') => 1,
            Some('-') if iso => -1,
            _ => return (at, clock),
        };
        let colon = self.mark(at + 2) == Some(':') && self.is_glued(at + 2) && self.is_glued(at + 3);
        let offset =
            match (self.digits(at + 1, 2..=2), self.digits(at + 3, 2..=2), self.digits(at + 1, 4..=4)) {
                (Some(hours), Some(minutes), _) if colon => Some((at + 4, hours * 60 + minutes)),
                (_, _, Some(both)) => Some((at + 2, both / 100 * 60 + both % 100)),
                _ => None,
            };
        match offset {
            Some((end, minutes)) if minutes <= 18 * 60 => (end, moved(sign * 60 * i64::from(minutes))),
            _ => (at, clock),
        }
    }

    /// "from 2 to 4pm", "2-4pm", "between 10:00 and 11:30", "9am–5pm".
    fn clock_range(self, at: usize, licensed: bool, beside_date: bool) -> Found<Clock> {
        let start = self.skip(at, &["from", "between"]);
        let introduced = start > at;
        let (mut next, first) = self
            .one_clock(start, licensed || introduced, beside_date && self.mark(start + 1) == Some(':'))
            .map(|(end, clock)| (end, Some(clock)))
            .or_else(|| self.hour_word(start).map(|(end, _)| (end, None)))?;
        next = if self.is(next, &["to", "until", "till", "and", "through"])
            || matches!(self.mark(next), Some('-' | '–' | '—'))
        {
            next + 1
        } else {
            return None;
        };
        if self.is(next - 1, &["and"]) && self.word(at) != "between" {
            return None;
        }
        let (end, mut last) = self.one_clock(next, licensed || introduced || beside_date, true)?;
        let mut other = None;
        let first = match first {
            Some(first) if first.other.is_none() => first,
            _ => {
                let (_, hour) = self.hour_word(start)?;
                let marked = last.other.is_none();
                // "won 3-5 yesterday" is a score.
                let scored = at.checked_sub(1).is_some_and(|before| {
                    self.is(
                        before,
                        &["won", "win", "lost", "lose", "beat", "score", "scored", "tied", "by", "drew"],
                    )
                });
                let grounded = marked || beside_date && (introduced || !scored);
                if !grounded {
                    return None;
                }
                let minutes = first.map_or(0, |first| first.start % 3600);
                let early = Clock {
                    start: hour % 12 * 3600 + minutes,
                    ..first.unwrap_or(Clock::at(0, Granularity::Hour))
                };
                let late = Clock { start: early.start + 12 * 3600, ..early };
                if marked {
                    if late.start < last.start { late } else { early }
                } else {
                    // Two bare hours: the first is the waking one, and the last the next of its name.
                    let (_, waking) = self.half_of_day(self.tokens.len(), hour);
                    let start = if waking.start >= 12 * 3600 { late } else { early };
                    other = waking.other;
                    let run = (last.start - start.start).rem_euclid(12 * 3600);
                    last.start = start.start + if run == 0 { 12 * 3600 } else { run };
                    start
                }
            }
        };
        let last_start = if last.start <= first.start { last.start + 86_400 } else { last.start };
        let clock = Clock {
            start: first.start,
            end: last_start,
            grain: first.grain.min(last.grain),
            approx: first.approx || last.approx,
            other,
            many: true,
        };
        Some((end, clock))
    }

    /// "in the morning", "morning", "at night", behind or before a date.
    pub(super) fn day_part(self, at: usize) -> Found<Clock> {
        if let Some(end) = self.phrase(at, &["at", "night"]) {
            return Some((end, Clock::part((18, 30))));
        }
        let next = self.skip(at, &["in", "during"]);
        let next = self.skip(next, &["the"]);
        let third = match self.word(next) {
            "early" => Some(0),
            "late" => Some(2),
            _ => None,
        };
        let next = next + usize::from(third.is_some());
        let (from, to) = part_of_day(self.word(next))?;
        let step = (to - from) / 3;
        let hours = match third {
            Some(0) => (from, from + step),
            Some(_) => (to - step, to),
            None => (from, to),
        };
        Some((next + 1, Clock::part(hours)))
    }
}
