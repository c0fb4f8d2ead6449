//! How dates, clocks and coarser dates join into one: "1:56 pm on 8 May, 2023", "Friday of next week", "last year in June".

use bygone_engine::time::Granularity;

use super::grammar::{Found, Parser, longest};
use super::stretch::{Stretch, midnight};

impl Parser<'_> {
    /// Reads the longest dated phrase at the token; `licensed` as in [`Parser::absolute`].
    pub(super) fn stretch(self, at: usize, licensed: bool) -> Found<Stretch> {
        let deeper = self.deeper()?;
        longest([
            deeper.base(at, licensed).map(|(end, stretch)| deeper.extended(end, stretch)),
            deeper.clock_first(at, licensed),
            deeper.clock_alone(at, licensed),
        ])
    }

    fn base(self, at: usize, licensed: bool) -> Found<Stretch> {
        longest([
            self.absolute(at, licensed),
            self.deictic(at),
            self.directed(at, licensed),
            self.shifted(at),
            self.part_of_stretch(at),
            self.nth_of(at),
            self.named_granule(at),
        ])
    }

    /// "3:45 pm tomorrow", "noon on Friday", "the morning of 5 May", "4pm, 5 May".
    fn clock_first(self, at: usize, licensed: bool) -> Found<Stretch> {
        if let Some(found) = self.half_of_named_day(at) {
            return Some(found);
        }
        let article = self.skip(at, &["the"]);
        let (next, clock) = longest([self.clock(at, licensed, true), self.day_part(article)])?;
        let next = self.skip_mark(next, ',');
        let next = self.skip(next, &["on", "of"]);
        let (end, day) = self.base(next, true)?;
        if day.grain == Granularity::Hour && day.approx && !day.clock {
            // "at 21:00 tonight"
            return Some((end, clock.within(&day)?));
        }
        day.is_day().then_some(())?;
        // "five-thirty tomorrow evening"
        if let Some((after, part)) = self.day_part(end) {
            let stretch = clock.in_half_of(part).on(day.start.date())?;
            return Some((after, with_other_days(stretch, &day)));
        }
        let stretch = clock.on(day.start.date())?;
        Some((end, with_other_days(stretch, &day)))
    }

    /// "early in the day on Wednesday", "late in the day yesterday": the halves of a day.
    fn half_of_named_day(self, at: usize) -> Found<Stretch> {
        let early = match self.word(at) {
            "early" | "earlier" => true,
            "late" | "later" => false,
            _ => return None,
        };
        let next = self.phrase(at + 1, &["in", "the", "day"])?;
        let (end, day) = self.base(self.skip(next, &["on"]), true).filter(|(_, day)| day.is_day())?;
        let noon = day.start.checked_add_signed(chrono::TimeDelta::hours(12))?;
        let (from, to) = if early { (day.start, noon) } else { (noon, day.end) };
        Some((end, with_other_days(Stretch::new(from, to, Granularity::Hour).hedged(), &day)))
    }

    /// Adds what stands behind a date: a weekday in brackets, a clock, a coarser or a finer date.
    fn extended(self, end: usize, stretch: Stretch) -> (usize, Stretch) {
        let (mut end, mut stretch) = (end, stretch);
        for _ in 0..4 {
            let Some((next, more)) = longest([
                self.bracketed_weekday(end).map(|next| (next, stretch.clone())),
                self.clock_behind(end, &stretch),
                self.weekend_behind(end, &stretch),
                self.clock_within(end, &stretch),
                self.coarser_behind(end, &stretch),
                self.finer_behind(end, &stretch),
                self.nth_behind(end, &stretch),
                self.weekday_near(end, &stretch),
            ]) else {
                break;
            };
            (end, stretch) = (next, more);
        }
        (end, stretch)
    }

    /// "(Tue)" counts only with something behind it.
    fn bracketed_weekday(self, at: usize) -> Option<usize> {
        let inside = self.mark(at) == Some('(') && self.mark(at + 2) == Some(')');
        super::lexicon::weekday(self.word(at + 1)).filter(|_| inside)?;
        Some(at + 3)
    }

    fn clock_behind(self, at: usize, day: &Stretch) -> Found<Stretch> {
        if !day.is_day() {
            return None;
        }
        // "for 8:00am" and "-11:30" need a clock that is one by itself; "from 9:30" a length behind it.
        let dashed = self.mark(at) == Some('-') && self.is_glued(at) && self.is_glued(at + 1);
        if dashed || self.is(at, &["for"]) {
            let (end, clock) =
                self.clock(at + 1, dashed, false).filter(|_| self.mark(at + 2) == Some(':'))?;
            return Some((end, with_other_days(clock.on(day.start.date())?, day)));
        }
        if self.is(at, &["from"])
            && let Some((end, clock)) = self.one_clock(at + 1, true, true)
            && self.is(end, &["for"])
            && self.quantity(end + 1).is_some()
        {
            return Some((end, with_other_days(clock.on(day.start.date())?, day)));
        }
        let iso = self.is_glued(at) && self.suffix(at) == "t";
        let comma = self.skip_mark(at, ',');
        let next = if iso { at + 1 } else { self.skip(self.skip(comma, &["at"]), &["around", "about"]) };
        let next = next + usize::from(next == comma && self.mark(next) == Some('@'));
        // A bare hour needs "at"; hours and minutes are enough behind a date.
        let at_word = next > comma || iso || self.is(next, &["from", "between"]);
        let spelled = at_word || self.mark(next + 1) == Some(':') && !self.is_glued(at);
        let (end, clock) = longest([
            self.clock(next, at_word || spelled, true),
            self.day_part(next).filter(|_| next == comma && comma == at),
        ])?;
        Some((end, with_other_days(clock.on(day.start.date())?, day)))
    }

    /// "last night at 8", "tomorrow morning from 9 to 10".
    fn clock_within(self, at: usize, part: &Stretch) -> Found<Stretch> {
        if part.grain != Granularity::Hour || part.clock || !part.approx {
            return None;
        }
        let next = self.skip(self.skip(at, &["at"]), &["around", "about"]);
        let led = next > at || self.is(at, &["from", "between"]);
        let (end, clock) = self.clock(next, next > at, true).filter(|(_, clock)| led || clock.is_range())?;
        let mut stretch = clock.within(part)?;
        stretch.floating = part.floating;
        Some((end, stretch))
    }

    /// "Friday of next week", "May 5 next year", "in June last year".
    fn coarser_behind(self, at: usize, stretch: &Stretch) -> Found<Stretch> {
        let floating = stretch.floating?;
        let next = self.skip_mark(at, ',');
        let next = self.skip(next, &["of", "in", "on"]);
        let (end, outer) = self.coarse(next)?;
        if outer.floating.is_some() || !floating.is_finer_than(outer.grain) {
            return None;
        }
        let found = floating.within(&outer)?;
        if stretch.grain >= Granularity::Day {
            return Some((end, found));
        }
        // "Sunday night last week": the part of the day moves with its day.
        let moved = found.start - midnight(stretch.start.date());
        let moved = Stretch {
            start: stretch.start.checked_add_signed(moved)?,
            end: stretch.end.checked_add_signed(moved)?,
            alternatives: Vec::new(),
            floating: None,
            ..stretch.clone()
        };
        Some((end, moved))
    }

    /// "next week on Tuesday", "last year in June".
    fn finer_behind(self, at: usize, outer: &Stretch) -> Found<Stretch> {
        if outer.floating.is_some() || outer.grain <= Granularity::Day {
            return None;
        }
        let next = self.skip_mark(at, ',');
        let next = self.skip(next, &["on", "in"]);
        let (end, inner) = self.absolute(next, next > at)?;
        let floating = inner.floating?;
        if !floating.is_finer_than(outer.grain) {
            return None;
        }
        Some((end, floating.within(outer)?))
    }

    /// "in 3 days on Friday": a day that was counted and is then named is the nearest of that name.
    fn weekday_near(self, at: usize, day: &Stretch) -> Found<Stretch> {
        let counted = day.is_day() && !day.clock && day.floating.is_none() && self.counts_days_before(at);
        let name = self.phrase(at, &["on"]).filter(|_| counted)?;
        let weekday = super::lexicon::weekday(self.word(name))?;
        let floating = super::floating::Floating::Weekday(weekday);
        let (after, before) = (floating.from(day.start)?, floating.before(day.start)?);
        let nearer = if after.start - day.start <= day.start - before.start { after } else { before };
        Some((name + 1, nearer))
    }

    /// Says whether the words before the token counted days: "in 3 days", "two weeks from today".
    fn counts_days_before(self, at: usize) -> bool {
        (1..4).any(|back| {
            at.checked_sub(back).is_some_and(|at| {
                self.is(at, &["days", "weeks", "months"])
                    && at.checked_sub(1).is_some_and(|at| self.cardinal(at).is_some())
            })
        })
    }

    fn coarse(self, at: usize) -> Found<Stretch> {
        let (end, stretch) = longest([self.directed(at, true), self.shifted(at), self.absolute(at, true)])?;
        (stretch.grain > Granularity::Day).then_some((end, stretch))
    }
}

/// Carries a day's other readings over to a clock time on it.
fn with_other_days(stretch: Stretch, day: &Stretch) -> Stretch {
    let mut stretch = stretch;
    for (other, _) in &day.alternatives {
        let moved = *other - day.start;
        if let (Some(start), Some(end)) =
            (stretch.start.checked_add_signed(moved), stretch.end.checked_add_signed(moved))
        {
            stretch.alternatives.push((start, end));
        }
    }
    stretch.approx |= day.approx;
    stretch.floating = day.floating;
    stretch
}
