//! One-sided times: "since 2018", "until last Friday", "by the end of next month", "before June", "after 2019".

use super::grammar::{Found, Parser, Reading, longest};
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
        longest([self.bound_before(at), self.onwards(at), self.bound_on_day(at)])
    }

    /// "Thursday before 5pm", "1/1/2015 after 2:00": a clock bound on a day.
    fn bound_on_day(self, at: usize) -> Found<Reading> {
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
        let (end, stretch) = self.in_tense(self.bound_tense(side)).stretch(hedge, true)?;
        let hedged = self.is(next, &["around", "about", "roughly", "approximately", "sometime"]);
        Some((end, bounded(side, &if hedged { stretch.hedged() } else { stretch })))
    }

    fn bound_word(self, at: usize) -> Found<Side> {
        for (words, side) in [
            (&["ever", "since"][..], Side::FromStart),
            (&["since"], Side::FromStart),
            (&["as", "of"], Side::FromStart),
            (&["as", "from"], Side::FromStart),
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

    /// "from 2019 on", "from next Monday onwards".
    fn onwards(self, at: usize) -> Found<Reading> {
        let next = self.phrase(at, &["from"])?;
        let (end, stretch) = self.stretch(next, true)?;
        let onwards = self.is(end, &["onward", "onwards", "forward", "forwards"]);
        let on = self.is(end, &["on"]) && self.word(end + 1).is_empty() && self.number(end + 1).is_none();
        (onwards || on).then(|| (end + 1, bounded(Side::FromStart, &stretch)))
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
