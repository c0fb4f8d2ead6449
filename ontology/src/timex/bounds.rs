//! One-sided times: "since 2018", "until last Friday", "by the end of next month", "before June", "after 2019".

use super::grammar::{Found, Parser, Reading, longest};
use super::parts::finer;
use super::stretch::Stretch;
use super::{Kind, Tense};

/// Where a bound lies in the stretch it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    FromStart,
    FromEnd,
    ToStart,
    ToEnd,
    /// To the end too, but looking ahead: "by".
    Deadline,
}

impl Parser<'_> {
    pub(super) fn bound(self, at: usize) -> Found<Reading> {
        longest([
            self.bound_before(at),
            self.onwards(at),
            self.bound_on_day(at),
            self.or_later(at),
            self.until_date(at),
        ])
    }

    /// "Thursday before 5pm", "1/1/2015 after 2:00": a clock bound on a day.
    fn bound_on_day(self, at: usize) -> Found<Reading> {
        let sides =
            ["before", "after", "until", "till", "since", "by", "prior", "through", "no", "later", "earlier"];
        if !self.comes(at + 1, &sides) {
            return None;
        }
        let next = self.skip(at, &["on"]);
        let (next, day) = self.stretch(next, next > at).filter(|(_, day)| day.is_day())?;
        let (next, side) = self.bound_word(next)?;
        let (end, clock) = self.clock(next, true, true)?;
        Some((end, bounded(side, &clock.on(day.start.date())?)))
    }

    fn bound_before(self, at: usize) -> Found<Reading> {
        let (next, side) = self.bound_word(at)?;
        let hedge =
            self.skip(next, &["around", "about", "roughly", "approximately", "sometime", "on", "in", "at"]);
        let grounded = self.in_tense(self.bound_tense(side));
        if let Some((end, (outer, is_end))) = grounded.edge(hedge).filter(|_| side != Side::FromStart) {
            return Some((end, at_edge(side, &outer, is_end)));
        }
        let (end, stretch) = grounded.stretch(hedge, true)?;
        let hedged = self.is(next, &["around", "about", "roughly", "approximately", "sometime"]);
        Some((end, bounded(side, &if hedged { stretch.hedged() } else { stretch })))
    }

    fn bound_word(self, at: usize) -> Found<Side> {
        for (words, side) in [
            (&["ever", "since"][..], Side::FromStart),
            (&["since"], Side::FromStart),
            (&["as", "of"], Side::FromStart),
            (&["as", "from"], Side::FromStart),
            (&["as", "early", "as"], Side::FromStart),
            (&["as", "late", "as"], Side::ToEnd),
            (&["on", "or", "after"], Side::FromStart),
            (&["after", "or", "on"], Side::FromStart),
            (&["not", "before"], Side::FromStart),
            (&["no", "earlier", "than"], Side::FromStart),
            (&["on", "or", "before"], Side::ToEnd),
            (&["before", "or", "on"], Side::ToEnd),
            (&["starting"], Side::FromStart),
            (&["beginning"], Side::FromStart),
            (&["effective"], Side::FromStart),
            (&["from"], Side::FromStart),
            (&["after"], Side::FromEnd),
            (&["later", "than"], Side::FromEnd),
            (&["up", "until"], Side::ToEnd),
            (&["up", "to"], Side::ToEnd),
            (&["up", "till"], Side::ToEnd),
            (&["until"], Side::ToEnd),
            (&["till"], Side::ToEnd),
            (&["til"], Side::ToEnd),
            (&["through"], Side::ToEnd),
            (&["thru"], Side::ToEnd),
            (&["by"], Side::Deadline),
            (&["no", "later", "than"], Side::Deadline),
            (&["not", "later", "than"], Side::Deadline),
            (&["before"], Side::ToStart),
            (&["prior", "to"], Side::ToStart),
            (&["earlier", "than"], Side::ToStart),
        ] {
            if let Some(next) = self.phrase(at, words) {
                // A plain "from" needs "on" behind its date.
                // "What have you been up to lately?" asks for no bound.
                let idle =
                    self.is(next, &["now", "lately", "recently", "today", "these"]) && words == ["up", "to"];
                return (words != ["from"] && !idle).then_some((next, side));
            }
        }
        None
    }

    /// What a start was is past; a deadline lies ahead unless the clause looks back.
    fn bound_tense(self, side: Side) -> Tense {
        match (side, self.tense) {
            (Side::FromStart, Tense::Past | Tense::Present | Tense::None) => Tense::Past,
            (Side::Deadline, Tense::Present | Tense::None) => Tense::Future,
            (_, tense) => tense,
        }
    }

    /// "2016 or later", "May 2020 and after", "2010 or earlier".
    fn or_later(self, at: usize) -> Found<Reading> {
        if !self.comes(
            at,
            &[
                "later", "after", "greater", "beyond", "onward", "onwards", "newer", "earlier", "before",
                "older",
            ],
        ) || !self.comes(at, &["and", "or"])
        {
            return None;
        }
        let next = self.skip(at, &["from", "in", "on", "about"]);
        let (next, stretch) = self.stretch(next, true)?;
        let behind = self.is(next, &["and", "or"]).then_some(next + 1)?;
        let side = match self.word(behind) {
            "later" | "after" | "greater" | "beyond" | "onward" | "onwards" | "newer" => Side::FromStart,
            "earlier" | "before" | "older" => Side::ToEnd,
            _ => return None,
        };
        let closed = self.mark(behind + 1).is_some() || self.stops(behind + 1);
        // "in 2016 and after that" goes on.
        let over = !self.is(behind + 1, &["that", "the", "a", "i", "we", "he", "she", "they", "you", "it"]);
        (closed && over).then(|| (behind + 1, bounded(side, &stretch)))
    }

    /// "till date", "to date": up to today, where the phrase ends the sentence and names no outing.
    fn until_date(self, at: usize) -> Found<Reading> {
        let end = self
            .phrase(at, &["till", "date"])
            .or_else(|| self.phrase(at, &["until", "date"]))
            .or_else(|| self.phrase(at, &["to", "date"]))?;
        let outing = at.checked_sub(1).is_some_and(|before| {
            self.is(
                before,
                &[
                    "want", "wants", "wanted", "going", "like", "likes", "love", "how", "ready", "someone",
                    "up", "it", "this", "back", "used", "started", "try", "trying", "not", "anyone",
                    "people", "women", "men",
                ],
            )
        });
        let last = self.token_count() == end || self.mark(end).is_some();
        if at == 0 || outing || self.is(at, &["to"]) && !last {
            return None;
        }
        let today = Stretch::day(self.now.date())?;
        Some((end, bounded(Side::ToEnd, &today)))
    }

    /// "from 2019 on", "from next Monday onwards".
    fn onwards(self, at: usize) -> Found<Reading> {
        let next = self.phrase(at, &["from"])?;
        if !self.comes(next, &["on", "onward", "onwards", "forward", "forwards"]) {
            return None;
        }
        let (end, stretch) = self.stretch(next, true)?;
        let onwards = self.is(end, &["onward", "onwards", "forward", "forwards"]);
        let on = self.is(end, &["on"]) && self.word(end + 1).is_empty() && self.number(end + 1).is_none();
        (onwards || on).then(|| (end + 1, bounded(Side::FromStart, &stretch)))
    }
}

/// A bound at the edge of a stretch: "before the end of May", "after the beginning of 2020".
fn at_edge(side: Side, outer: &Stretch, is_end: bool) -> Reading {
    let edge = if is_end { outer.end } else { outer.start };
    let moved = |(start, end): &(chrono::NaiveDateTime, chrono::NaiveDateTime)| {
        let edge = if is_end { *end } else { *start };
        (edge, edge.checked_add_signed(*end - *start).unwrap_or(*end))
    };
    let alternatives: Vec<_> = outer.alternatives.iter().map(moved).collect();
    match side {
        Side::FromStart | Side::FromEnd => Reading {
            start: Some(edge),
            alternatives,
            approx: true,
            ..Reading::undated(Kind::Since, finer(outer.grain))
        },
        Side::ToEnd | Side::Deadline | Side::ToStart => {
            Reading { end: Some(edge), alternatives, ..Reading::undated(Kind::Until, finer(outer.grain)) }
        }
    }
}

fn bounded(side: Side, stretch: &Stretch) -> Reading {
    let clock = stretch.clock;
    // The other readings of a bound are bounds too; they are listed as the stretches they come from.
    let reading = |kind| Reading::dated(kind, stretch.clone());
    match side {
        Side::FromStart => Reading { end: None, ..reading(Kind::Since) },
        Side::FromEnd => Reading {
            start: Some(if clock { stretch.start } else { stretch.end }),
            end: None,
            best: None,
            ..reading(Kind::Since)
        },
        Side::ToEnd | Side::Deadline => Reading {
            start: None,
            end: Some(if clock { stretch.start } else { stretch.end }),
            best: None,
            ..reading(Kind::Until)
        },
        Side::ToStart => {
            Reading { start: None, end: Some(stretch.start), best: None, ..reading(Kind::Until) }
        }
    }
}
