//! Stretches told by one end and a length: "two weeks starting May 20th", "tomorrow from 9:30 for 7 hours", and lengths
//! as limits: "less than 3 days after tomorrow".

use bygone_engine::time::Granularity;

use super::Kind;
use super::grammar::{Found, Parser, Reading};
use super::stretch::{Stretch, midnight};

impl Parser<'_> {
    /// "for 2 weeks starting 20 May", "a week beginning tomorrow", "for 1 week, from 20 December".
    pub(super) fn starting_length(self, at: usize) -> Found<Reading> {
        let lead = self.skip(at, &["for"]);
        let (next, quantity) = self.quantity(lead)?;
        let next = self.skip_mark(next, ',');
        let verb = self.is(next, &["starting", "beginning", "commencing"]);
        // "3 days from Tuesday" is a day; only "for 3 days from Tuesday" lasts.
        let from = self.is(next, &["from"]) && lead > at;
        (verb || from).then_some(())?;
        let behind = self.skip(next + 1, &["on", "from", "at"]);
        let (end, first) = self.deeper()?.stretch(behind, true)?;
        (first.grain <= Granularity::Day && first.start != self.now).then_some(())?;
        Some((end, lasting_from(&first, quantity.low.shift(first.start, true)?, quantity.low.grain())))
    }

    /// "on 14 February from 9:30am for 7 hours", "on Friday for two days".
    pub(super) fn length_from_clock(self, at: usize) -> Found<Reading> {
        if !self.comes(at + 1, &["for"]) {
            return None;
        }
        let lead = self.skip(at, &["on", "at", "from", "starting"]);
        let (next, first) = self.stretch(lead, lead > at)?;
        (first.clock && first.grain < Granularity::Day && !first.many).then_some(())?;
        let behind = self.phrase(next, &["for"])?;
        let (end, quantity) = self.quantity(behind).filter(|(_, quantity)| !quantity.article)?;
        Some((end, lasting_from(&first, quantity.low.shift(first.start, true)?, quantity.low.grain())))
    }

    /// "more than 2 weeks before today", "less than 3 days after tomorrow": the length is a limit and not a distance.
    pub(super) fn around_length(self, at: usize) -> Found<Reading> {
        let (next, more) = if let Some(next) = self.phrase(at, &["more", "than"]) {
            (next, true)
        } else {
            (self.phrase(at, &["less", "than"])?, false)
        };
        let (behind, quantity) = self.one_quantity(next)?;
        let later = match self.word(behind) {
            "before" => false,
            "after" | "from" => true,
            _ => return None,
        };
        let (end, anchor) = self.deeper()?.stretch(behind + 1, true)?;
        // "less than a day after noon" has no days to be counted in.
        anchor.is_day().then_some(())?;
        let far = quantity.low.shift(anchor.start, later)?;
        let dated = |start, end| Reading { start, end, ..Reading::undated(Kind::Span, Granularity::Day) };
        let reading = match (more, later) {
            (true, false) => Reading { kind: Kind::Until, ..dated(None, Some(far)) },
            (true, true) => Reading { kind: Kind::Since, ..dated(Some(far), None) },
            (false, false) => dated(Some(far), Some(anchor.start)),
            (false, true) => dated(Some(anchor.start), Some(far)),
        };
        Some((end, reading))
    }
}

fn lasting_from(first: &Stretch, end: chrono::NaiveDateTime, grain: Granularity) -> Reading {
    let start = if first.is_day() { midnight(first.start.date()) } else { first.start };
    let length = end - start;
    let mut stretch = Stretch::new(start, end, first.grain.min(grain)).spanning();
    for (other, _) in &first.alternatives {
        stretch = stretch.or(other.checked_add_signed(length).map(|end| (*other, end)));
    }
    Reading::point(stretch)
}
