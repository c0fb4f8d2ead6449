//! A length away from a time: "three weeks ago", "in two days", "two weeks before Christmas", "the Friday before 15 July".

use bygone_engine::time::Granularity;
use chrono::NaiveDateTime;

use super::Tense;
use super::floating::Floating;
use super::grammar::{Found, Parser, longest};
use super::lexicon::{Unit, unit, weekday};
use super::quantities::Quantity;
use super::stretch::{Stretch, after, before, floor, midnight, plus_days};

impl Parser<'_> {
    pub(super) fn shifted(self, at: usize) -> Found<Stretch> {
        longest([
            self.ago_or_from_now(at),
            self.in_a_while(at),
            self.shifted_from_date(at),
            self.neighbour(at),
        ])
    }

    /// "three weeks ago", "a year and a half ago", "three weeks from now", "a week from today".
    fn ago_or_from_now(self, at: usize) -> Found<Stretch> {
        let (next, quantity) = self.quantity(at)?;
        match self.word(next) {
            "ago" | "back" => {
                // "two weeks ago today" is exact.
                if let Some(end) = self.phrase(next, &["ago", "today"]) {
                    let day = quantity.low.shift(midnight(self.now.date()), false)?;
                    return Some((end, Stretch::day(day.date())?));
                }
                let back = self.word(next) == "back"
                    && (quantity.article || self.is(next + 1, &["to", "in", "from", "and"]));
                (!back).then(|| Some((next + 1, distant(quantity, self.now, false)?))).flatten()
            }
            "from" if self.word(next + 1) == "now" => Some((next + 2, distant(quantity, self.now, true)?)),
            // "See you 30 minutes later": a clause that looks ahead has no story to go on with.
            "later" if self.tense == Tense::Future && quantity.low.grain() < Granularity::Day => {
                Some((next + 1, distant(quantity, self.now, true)?))
            }
            "hence" => Some((next + 1, distant(quantity, self.now, true)?)),
            _ => None,
        }
    }

    /// "in two days", "in a couple of weeks"; with a past tense that is how long it took.
    fn in_a_while(self, at: usize) -> Found<Stretch> {
        if self.tense == Tense::Past || !self.is(at, &["in", "within"]) {
            return None;
        }
        let (end, quantity) = self.quantity(at + 1)?;
        if self.is(end, &["of", "or"]) {
            return None;
        }
        let end = self.skip(end, &["time"]);
        if self.word(at) == "within" {
            let stretch = Stretch::new(self.now, quantity.high.shift(self.now, true)?, quantity.high.grain());
            return Some((end, stretch));
        }
        Some((end, distant(quantity, self.now, true)?))
    }

    /// "two weeks before Christmas 2022", "a week from Friday", "three days after yesterday".
    fn shifted_from_date(self, at: usize) -> Found<Stretch> {
        let deeper = self.deeper()?;
        let (next, quantity) = self.quantity(at)?;
        let (next, later) = self.side(next)?;
        let from = self.is(next - 1, &["from"]);
        // "three days from Tuesday" counts from the one to come unless the clause looks back.
        let deeper = if from && self.tense == Tense::None { deeper.in_tense(Tense::Future) } else { deeper };
        let (end, anchor) = deeper.anchor(next)?;
        // "3 minutes from today" has no moment to count from.
        if from && anchor.is_day() && quantity.low.grain() < Granularity::Day {
            return None;
        }
        // "three years from 2015" is how long it went on.
        if self.is(next - 1, &["from"]) && anchor.grain > Granularity::Day {
            return None;
        }
        let far = |from| quantity.low.shift(from, later);
        let start = far(anchor.start)?;
        let grain = anchor.grain;
        let stretch = if grain >= Granularity::Day {
            let start = floor(grain, start)?;
            Stretch::new(start, after(grain, start)?, grain)
        } else {
            Stretch::new(start, far(anchor.end)?, grain.min(quantity.low.grain()))
        };
        let others: Vec<_> =
            anchor.alternatives.iter().filter_map(|(start, end)| Some((far(*start)?, far(*end)?))).collect();
        let approx = quantity.vague || anchor.approx || quantity.low.grain() > Granularity::Day;
        let stretch = others.into_iter().fold(stretch, |stretch, other| stretch.or(Some(other)));
        Some((end, Stretch { approx, ..stretch }))
    }

    /// Reads "before", "after", "from" and their like as whether they lead later.
    fn side(self, at: usize) -> Found<bool> {
        match self.word(at) {
            "before" => Some((at + 1, false)),
            "prior" if self.word(at + 1) == "to" => Some((at + 2, false)),
            "after" | "from" | "following" => Some((at + 1, true)),
            _ => None,
        }
    }

    fn anchor(self, at: usize) -> Found<Stretch> {
        longest([
            self.absolute(at, true),
            self.deictic(at),
            self.directed(at, false),
            self.nth_of(at),
            self.part_of_stretch(at),
            self.neighbour(at),
        ])
    }

    /// "the day after Thanksgiving 2022", "the Friday before 15 July 2023", "the week after next Christmas".
    fn neighbour(self, at: usize) -> Found<Stretch> {
        let deeper = self.deeper()?;
        let next = self.skip(at, &["the"]);
        let word = self.word(next);
        let day = weekday(word);
        let unit = unit(word).filter(|_| !word.ends_with('s'));
        if day.is_none() && (unit.is_none() || next == at) {
            return None;
        }
        let (behind, later) = self.side(next + 1)?;
        if self.word(next + 1) == "from" {
            return None;
        }
        let (end, anchor) = deeper.anchor(behind)?;
        let near = |anchor: &Stretch| -> Option<Stretch> {
            if let Some(day) = day {
                let floating = Floating::Weekday(day);
                return if later { floating.from(anchor.end) } else { floating.before(anchor.start) };
            }
            match unit? {
                Unit::Weekend => {
                    let saturday = Floating::Weekday(chrono::Weekday::Sat);
                    let found = if later { saturday.from(anchor.end) } else { saturday.before(anchor.start) };
                    Stretch::weekend(found?.start.date())
                }
                Unit::Day if word == "night" => {
                    let day = plus_days(floor(Granularity::Day, anchor.start)?, if later { 1 } else { -1 })?;
                    super::clock::Clock::part((18, 30)).on(day.date())
                }
                Unit::Day | Unit::Week | Unit::Month | Unit::Quarter | Unit::Year | Unit::Decade => {
                    let grain = unit?.grain();
                    let at = if later {
                        after(
                            grain,
                            floor(grain, anchor.end.checked_sub_signed(chrono::TimeDelta::microseconds(1))?)?,
                        )?
                    } else {
                        before(grain, floor(grain, anchor.start)?)?
                    };
                    Stretch::granule(at, grain)
                }
                _ => None,
            }
        };
        let mut stretch = near(&anchor)?;
        for (start, end) in &anchor.alternatives {
            let other = near(&Stretch { start: *start, end: *end, ..anchor.clone() });
            stretch = stretch.or(other.map(|other| (other.start, other.end)));
        }
        Some((end, stretch))
    }
}

/// The granule a length away, as coarse as the length's finest unit, with the day or moment itself as the best guess.
fn distant(quantity: Quantity, from: NaiveDateTime, later: bool) -> Option<Stretch> {
    let grain = quantity.low.grain();
    let (near, far) = (quantity.low.shift(from, later)?, quantity.high.shift(from, later)?);
    let (first, last) = if later { (near, far) } else { (far, near) };
    let start = floor(grain, first)?;
    let end = after(grain, floor(grain, last)?)?;
    let best = if grain >= Granularity::Day { midnight(near.date()) } else { near };
    Some(Stretch {
        approx: quantity.vague || grain != Granularity::Day,
        best: (quantity.vague || grain != Granularity::Day).then_some(best),
        ..Stretch::new(start, end, grain)
    })
}
