//! What is computed from facts to answer a question: one operator each, over selections of facts, anchors and windows.
//!
//! ```text
//! words ─ family (reads) ─▶ Operation ─ operator (answers) ─▶ Response: text, the facts it went by, their statements
//! ```
//!
//! Invariants: an operator reads the facts of one view and nothing else; every fact that a computed value went by is in
//! the response; what the facts do not say is "not known".

pub(super) mod anchor;
pub(super) mod extent;
pub(super) mod length;
pub(super) mod memory;
pub(super) mod selection;
pub(super) mod weekday;
pub(super) mod window;

mod belief;
mod calendar;
mod changed;
mod count;
mod duration;
mod extreme;
mod frequency;
mod held;
mod history;
mod joined;
mod list;
mod neighbour;
mod order;
mod planned;
mod suite;

use bygone_engine::EntityRef;

use super::respond::{Response, Sight};
use crate::error::QueryError;
use anchor::Anchor;
use length::Unit;
use selection::{Part, Selection};
use window::{Relation, Window};

/// Which end of a series is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extremity {
    First,
    Last,
}

/// Which neighbour of a value is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Previous,
    Next,
}

/// Which part of the calendar is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calendar {
    Weekday,
    Date,
    Month,
    Year,
}

/// What is asked of whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Whether it was so at some time in a window.
    Within,
    /// Whether it was never otherwise.
    Always,
    /// Whether it is still so.
    Still,
    /// Whether it was so and is over.
    NoLonger,
    /// Whether it was ever told.
    Told,
}

/// That the first of two things came before or after the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Before,
    After,
}

/// What a list is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    /// What somebody did; that a state began only where they did nothing else.
    Deeds,
    /// What happened, and what began.
    Happenings,
    /// What happened.
    Events,
    /// What somebody did, and how they were.
    Doings,
}

/// What two lengths of time lie between.
#[derive(Clone, Debug)]
pub(super) enum Until {
    Now,
    Another(Anchor),
}

/// A plan: what is computed.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    /// The value beside another in the same group; beside the present one where none is named.
    Neighbour { side: Side, of: Selection, than: Vec<super::find::Found>, than_said: String, is_keyed: bool },
    /// What held within a window.
    Joined { of: Selection, window: Window },
    /// When something was.
    TimeOf { of: Anchor },
    /// How long something held.
    Duration { of: Selection, unit: Option<Unit>, is_open: bool },
    /// How long it is from one thing to another.
    Difference { from: Anchor, to: Until, unit: Option<Unit> },
    /// How long it took to finish something.
    Taken { started: Selection, finished: Selection, unit: Option<Unit> },
    /// What somebody did, and how they were.
    List { who: Option<EntityRef>, what: Listed, window: Window },
    /// Whether something holds.
    Held { manner: Manner, of: Selection, window: Window },
    /// How often something happened.
    Times { of: Selection, window: Window },
    /// How many different things there are.
    Distinct { of: Selection, noun: String, window: Window },
    /// The first or last of several.
    Extreme { end: Extremity, of: Selection, noun: Option<String>, asks_time: bool, window: Window },
    /// Which came first, or in which order several came.
    Order { of: Vec<Anchor>, all: bool, claim: Option<Claim> },
    /// A part of the date of something.
    Calendar { part: Calendar, of: Anchor },
    /// Whether something fell on a day of the week.
    OnDay { of: Anchor, days: weekday::Days },
    /// How old somebody was.
    Age { who: EntityRef, window: Window },
    /// How often something happens.
    Frequency { of: Selection, is_habit: bool, window: Window },
    /// What changed about somebody.
    Changed { who: EntityRef, window: Window },
    /// What was said of something first.
    Original { of: Selection },
    /// When something was learned.
    Learned { of: Selection },
    /// Everything that held, in order.
    History { of: Selection },
    /// What is planned.
    Planned { who: Option<EntityRef>, predicates: Vec<&'static str>, window: Window },
    /// Whether tests passed.
    Suite { wanted: &'static str, window: Window },
}

impl Operation {
    /// Returns the kind of question that it answers.
    pub(super) fn intent(&self) -> &'static str {
        match self {
            Operation::Neighbour { is_keyed: true, side: Side::Previous, .. } => "prev_value",
            Operation::Neighbour { side: Side::Previous, .. } => "before_state",
            Operation::Neighbour { side: Side::Next, .. } => "after_state",
            Operation::Joined { window, .. } => match window.relation {
                Relation::Before => "before_event",
                Relation::After => "after_event",
                Relation::Offset => "event_offset",
                Relation::On => "event_relative",
                Relation::Always => "ever",
                Relation::Dated if window.text == "now" => "current",
                Relation::Dated => "as_of_valid",
                Relation::During => "during_state",
            },
            Operation::TimeOf { of } if of.selection.part != Part::Whole => "time_of_change",
            Operation::TimeOf { .. } => "when",
            Operation::Duration { is_open: true, .. } => "duration_open",
            Operation::Duration { .. } => "duration_closed",
            Operation::Difference { to: Until::Now, .. } => "diff_now",
            Operation::Difference { .. } => "diff_events",
            Operation::Taken { .. } => "duration_between_events",
            Operation::List { window, .. } => match window.relation {
                Relation::Before => "before_event",
                Relation::After => "after_event",
                Relation::Offset => "event_offset",
                Relation::On => "event_relative",
                Relation::Always | Relation::Dated => "events_in_window",
                Relation::During => "during_state",
            },
            Operation::Held { manner, window, .. } => match manner {
                Manner::Within if window.relation == Relation::Always => "ever",
                Manner::Within if window.text == "now" => "current",
                Manner::Within if window.relation == Relation::Dated => "as_of_valid",
                Manner::Within => "exists_during",
                Manner::Always => "always",
                Manner::Still => "still",
                Manner::NoLonger => "no_longer",
                Manner::Told => "abstain_check",
            },
            Operation::Times { .. } => "count",
            Operation::Distinct { window, .. } => match window.relation {
                Relation::Always => "count_distinct",
                _ if window.valid.is_some_and(|valid| matches!(valid, bygone_engine::ValidTime::At(_))) => {
                    "count_as_of"
                }
                _ => "count",
            },
            Operation::Extreme { end: Extremity::First, .. } => "first",
            Operation::Extreme { .. } => "last",
            Operation::Order { .. } => "order",
            Operation::Calendar { .. } | Operation::OnDay { .. } => "calendar_part",
            Operation::Age { .. } => "age_at",
            Operation::Frequency { .. } => "frequency",
            Operation::Changed { .. } => "diff_states",
            Operation::Original { .. } => "original",
            Operation::Learned { .. } => "when_learned",
            Operation::History { .. } => "history",
            Operation::Planned { .. } => "planned",
            Operation::Suite { window, .. } if window.relation == Relation::Dated => "tool_state",
            Operation::Suite { .. } => "tool_state_at_event",
        }
    }

    /// Says what is computed.
    pub(super) fn text(&self) -> String {
        let unit = |unit: &Option<Unit>| unit.map_or_else(String::new, |unit| format!("{}, ", unit.name()));
        match self {
            Operation::Neighbour { side, of, than_said, .. } => {
                let name = if *side == Side::Previous { "PREV" } else { "NEXT" };
                format!("{name}({}, {than_said})", of.text)
            }
            Operation::Joined { of, window } => format!("VALUE({}){}", of.text, within(window)),
            Operation::TimeOf { of } => time_of(of),
            Operation::Duration { of, unit: asked, is_open } => {
                let end = if *is_open { "now" } else { "end" };
                format!("DURATION({}start of ({}), {end})", unit(asked), of.text)
            }
            Operation::Difference { from, to: Until::Now, unit: asked } => {
                format!("DIFF({}{}, now)", unit(asked), time_of(from))
            }
            Operation::Difference { from, to: Until::Another(to), unit: asked } => {
                format!("DIFF({}{}, {})", unit(asked), time_of(from), time_of(to))
            }
            Operation::Taken { started, finished, unit: asked } => {
                format!("DIFF({}TIMEOF({}), TIMEOF({}))", unit(asked), started.text, finished.text)
            }
            Operation::List { who, what, window } => {
                let what = if *what == Listed::Doings { "events, states" } else { "events" };
                let nearest = match window.relation {
                    Relation::Before | Relation::After => " nearest first",
                    _ => "",
                };
                format!("LIST({what}{}){}{nearest}", of_whom(who.as_ref()), within(window))
            }
            Operation::Held { manner, of, window } => match manner {
                Manner::Within | Manner::Told => format!("EXISTS({}){}", of.text, within(window)),
                Manner::Always => format!("NOT EXISTS(other than ({})){}", of.text, within(window)),
                Manner::Still => format!("EXISTS({}) at now and before", of.text),
                Manner::NoLonger => format!("EXISTS({}) ended by now", of.text),
            },
            Operation::Times { of, window } => format!("COUNT({}){}", of.text, within(window)),
            Operation::Distinct { of, noun, window } => {
                format!("COUNT_DISTINCT({}, {noun}){}", of.text, within(window))
            }
            Operation::Extreme { end, of, noun, asks_time, window } => {
                let name = if *end == Extremity::First { "FIRST" } else { "LAST" };
                let noun = noun.as_ref().map_or_else(String::new, |noun| format!(", type = {noun}"));
                let part = if *asks_time { ".time" } else { "" };
                format!("{name}({}{noun}){part}{}", of.text, within(window))
            }
            Operation::Order { of, all, .. } => {
                let times: Vec<String> = of.iter().map(time_of).collect();
                format!("{}({})", if *all { "SORT" } else { "ARGMIN" }, times.join(", "))
            }
            Operation::Calendar { part, of } => {
                let name = match part {
                    Calendar::Weekday => "WEEKDAY",
                    Calendar::Date => "DATE",
                    Calendar::Month => "MONTH",
                    Calendar::Year => "YEAR",
                };
                format!("{name}({})", time_of(of))
            }
            Operation::OnDay { of, days } => format!("WEEKDAY({}) = {}", time_of(of), days.said),
            Operation::Age { who, window } => format!("DIFF(year, born_on of {who}, {})", window.text),
            Operation::Frequency { of, window, .. } => format!("FREQUENCY({}){}", of.text, within(window)),
            Operation::Changed { who, window } => format!("DIFF_STATE({who}, {})", window.text),
            Operation::Original { of } => format!("FIRST_KNOWN({})", of.text),
            Operation::Learned { of } => format!("TIMEOF_KNOWN(first of ({}))", of.text),
            Operation::History { of } => format!("HISTORY({})", of.text),
            Operation::Planned { who, predicates, window } => {
                let of = predicates.join(" | ");
                let of = if of.is_empty() { of } else { format!(", {of}") };
                format!("LIST(planned{}{of}){} not cancelled", of_whom(who.as_ref()), within(window))
            }
            Operation::Suite { wanted, window } => {
                format!("VALUE(suite, test_status) = {wanted}{}", within(window))
            }
        }
    }

    /// Returns the valid time that it asks about, in words.
    pub(super) fn valid(&self) -> String {
        match self {
            Operation::Joined { window, .. }
            | Operation::List { window, .. }
            | Operation::Held { manner: Manner::Within | Manner::Always, window, .. }
            | Operation::Times { window, .. }
            | Operation::Distinct { window, .. }
            | Operation::Extreme { window, .. }
            | Operation::Age { window, .. }
            | Operation::Frequency { window, .. }
            | Operation::Changed { window, .. }
            | Operation::Planned { window, .. }
            | Operation::Suite { window, .. } => window.text.clone(),
            Operation::Held { manner: Manner::Still | Manner::NoLonger, .. } => "now".to_owned(),
            Operation::Held { manner: Manner::Told, .. }
            | Operation::Neighbour { .. }
            | Operation::TimeOf { .. }
            | Operation::Duration { .. }
            | Operation::Difference { .. }
            | Operation::Taken { .. }
            | Operation::Order { .. }
            | Operation::Calendar { .. }
            | Operation::OnDay { .. }
            | Operation::Original { .. }
            | Operation::Learned { .. }
            | Operation::History { .. } => "all time".to_owned(),
        }
    }

    /// Computes it.
    ///
    /// # Errors
    /// [`QueryError`] where the store cannot be read.
    pub(super) fn answer(&self, sight: Sight<'_>) -> Result<Response, QueryError> {
        Ok(match self {
            Operation::Neighbour { side, of, than, than_said, .. } => {
                neighbour::answer(sight, *side, of, than, than_said)?
            }
            Operation::Joined { of, window } => joined::answer(sight, of, window)?,
            Operation::TimeOf { of } => calendar::time_of(sight, of)?,
            Operation::Duration { of, unit, is_open } => duration::held(sight, of, *unit, *is_open)?,
            Operation::Difference { from, to, unit } => duration::difference(sight, from, to, *unit)?,
            Operation::Taken { started, finished, unit } => duration::taken(sight, started, finished, *unit)?,
            Operation::List { who, what, window } => list::answer(sight, who.as_ref(), *what, window)?,
            Operation::Held { manner, of, window } => held::answer(sight, *manner, of, window)?,
            Operation::Times { of, window } => count::times(sight, of, window)?,
            Operation::Distinct { of, noun, window } => count::distinct(sight, of, noun, window)?,
            Operation::Extreme { end, of, noun, asks_time, window } => {
                extreme::answer(sight, *end, of, noun.as_deref(), *asks_time, window)?
            }
            Operation::Order { of, all, claim } => order::answer(sight, of, *all, *claim)?,
            Operation::Calendar { part, of } => calendar::part(sight, *part, of)?,
            Operation::OnDay { of, days } => weekday::answer(sight, of, days)?,
            Operation::Age { who, window } => calendar::age(sight, who, window)?,
            Operation::Frequency { of, is_habit, window } => frequency::answer(sight, of, *is_habit, window)?,
            Operation::Changed { who, window } => changed::answer(sight, who, window)?,
            Operation::Original { of } => belief::original(sight, of)?,
            Operation::Learned { of } => belief::learned(sight, of)?,
            Operation::History { of } => history::answer(sight, of)?,
            Operation::Planned { who, predicates, window } => {
                planned::answer(sight, who.as_ref(), predicates, window)?
            }
            Operation::Suite { wanted, window } => suite::answer(sight, wanted, window)?,
        })
    }
}

fn time_of(anchor: &Anchor) -> String {
    let part = match anchor.selection.part {
        Part::Whole => "",
        Part::Start => "start of ",
        Part::End => "end of ",
    };
    format!("TIMEOF({part}({}))", anchor.selection.text)
}

fn of_whom(who: Option<&EntityRef>) -> String {
    who.map_or_else(String::new, |who| format!(" of {who}"))
}

fn within(window: &Window) -> String {
    let anchor = window.anchor.as_ref().map(time_of).unwrap_or_default();
    match window.relation {
        Relation::Always => String::new(),
        Relation::Before => format!(" BEFORE({anchor})"),
        Relation::After => format!(" AFTER({anchor})"),
        Relation::During => format!(" OVERLAPS({anchor})"),
        Relation::Dated | Relation::Offset | Relation::On => format!(" WITHIN({})", window.text),
    }
}
