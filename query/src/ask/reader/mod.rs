//! Answers read from what was said, where no fact has them: when something was, how long ago, how long between two things,
//! and which of several came first.
//!
//! ```text
//! question ─ the phrases that it compares (`phrase.rs`) ─ the time of each (`time.rs`) ─ compared (`compare.rs`)
//! ```
//!
//! Does not understand what is said: a time is taken from the sentence that has most of a phrase. Invariant: every time
//! that an answer rests on is quoted with it, and where two phrases have one time nothing is answered.

mod compare;
mod phrase;
mod time;

use bygone_engine::EndedBy;
use bygone_engine::StoreError;
use bygone_engine::time::{Granularity, Moment, Validity, format_moment};

use super::answer::Passage;
use super::value::Value;
use crate::retrieve::{Sought, asks_when};
use crate::say::validity_text;
use time::LEAST_FIT;

/// An answer that was read.
pub(super) struct Read {
    /// In words.
    pub(super) text: String,
    /// For programs.
    pub(super) value: Value,
    /// The sentences that it rests on.
    pub(super) passages: Vec<Passage>,
    /// What was looked for, as in a plan.
    pub(super) plan: String,
    /// The kind of question.
    pub(super) intent: &'static str,
}

/// Says whether a question compares times of what it names.
pub(super) fn compares(question: &str) -> bool {
    phrase::find(question).is_some()
}

/// Reads the answer to a question, from turns that have one of some words; any turns where none are given.
///
/// # Errors
/// As [`crate::retrieve::search`].
pub(super) fn read(sought: &Sought<'_>, needed: &[String]) -> Result<Option<Read>, StoreError> {
    if let Some(asked) = phrase::find(sought.text) {
        return compare::answer(sought, &asked, needed);
    }
    if !asks_when(sought.text) {
        return Ok(None);
    }
    let told = time::read(sought, sought.text, LEAST_FIT, needed)?;
    Ok(told.map(|time::Told { period, passage, .. }| Read {
        text: format!("{}, by {}.", period_text(period), source(&passage)),
        value: Value::Period(period),
        plan: format!("READ(time, {:?})", sought.text),
        intent: "when",
        passages: vec![passage],
    }))
}

fn period_text(period: bygone_engine::time::Period) -> String {
    validity_text(Validity::Over(period), Some(EndedBy::Bound))
}

/// Says who said something, and on which day.
fn source(passage: &Passage) -> String {
    let turn = &passage.record.episode;
    let day = format_moment(Moment::new(Granularity::Day.floor(turn.time), Granularity::Day));
    match &turn.speaker {
        Some(speaker) => format!("what {} said on {day}", speaker.name()),
        None => format!("what was said on {day}"),
    }
}
