//! The times of several phrases, compared.
//!
//! Lengths are counted from the middle of one time to the middle of the other, in the unit that is asked for, to the
//! nearest; they are "about" so long where one of the times is known less finely than the unit. Between facts complete units
//! are counted, as ages are; people who tell of twenty days mean three weeks: counted in complete units, three of 33 right
//! answers on `LongMemEval` are missed. What came first is known
//! only where no two times overlap.

use bygone_engine::StoreError;
use bygone_engine::time::{Granularity, Instant, Period};

use super::super::value::{Length, Value};
use super::phrase::{Asked, Choice};
use super::time::{self, Told};
use super::{Read, period_text, source};
use crate::retrieve::Sought;

/// How well the best turn must fit a phrase: it is shorter than a question, and several have to be found. Chosen in a
/// prototype on half of `LongMemEval`, where .5 left three of 51 questions more without an answer.
const LEAST_FIT: f64 = 0.4;

/// A day, in microseconds.
const DAY: i64 = 86_400_000_000;

/// Reads the answer to a question about the times of some phrases.
///
/// # Errors
/// As [`crate::retrieve::search`].
pub(super) fn answer(
    sought: &Sought<'_>,
    asked: &Asked,
    needed: &[String],
) -> Result<Option<Read>, StoreError> {
    let read = |phrase: &str| time::read(sought, phrase, LEAST_FIT, needed);
    match asked {
        Asked::Ago { unit, phrase } => {
            Ok(read(phrase)?.and_then(|told| ago(told, *unit, phrase, sought.request.now)))
        }
        Asked::Between { unit, phrases: [one, other] } => {
            let (Some(first), Some(second)) = (read(one)?, read(other)?) else { return Ok(None) };
            Ok(between([first, second], *unit, [one, other]))
        }
        Asked::First { is_last, options } => Ok(in_order(options, &read)?.map(|told| {
            let chosen = if *is_last { &told[told.len() - 1] } else { &told[0] };
            let name = chosen.choice.name.clone();
            let (verb, intent) = if *is_last { ("LAST", "last") } else { ("FIRST", "order") };
            let plan = format!("{verb}({})", plan_of(options));
            ordered(&told, &name.clone(), Value::Order(vec![name]), plan, intent)
        })),
        Asked::Order { options } => Ok(in_order(options, &read)?.map(|told| {
            let names: Vec<String> = told.iter().map(|placed| placed.choice.name.clone()).collect();
            let plan = format!("SORT({})", plan_of(options));
            ordered(&told, &names.join(", then "), Value::Order(names), plan, "order")
        })),
    }
}

fn ago(told: Told, unit: Option<Granularity>, phrase: &str, now: Instant) -> Option<Read> {
    let today = Granularity::Day.floor(now);
    if told.period.start() > today {
        return None;
    }
    let length = length(middle(told.period), today, unit, [told.period].iter());
    let text = format!("{length} ago: {}, by {}.", period_text(told.period), source(&told.passage));
    Some(Read {
        text,
        value: Value::Length(length),
        plan: format!("DIFF(READ(time, {phrase:?}), now)"),
        intent: "diff_now",
        passages: vec![told.passage],
    })
}

fn between(mut told: [Told; 2], unit: Option<Granularity>, phrases: [&str; 2]) -> Option<Read> {
    told.sort_by_key(|told| middle(told.period));
    let [one, other] = &told;
    // Two phrases at one time are mostly one thing that was read twice.
    if one.period == other.period {
        return None;
    }
    let (start, end) = (middle(one.period), middle(other.period));
    let length = length(start, end, unit, [one.period, other.period].iter());
    let line = |told: &Told| format!("{}, by {}", period_text(told.period), source(&told.passage));
    let text = format!("{length}: from {}, to {}.", line(one), line(other));
    let [first, second] = phrases;
    Some(Read {
        text,
        value: Value::Length(length),
        plan: format!("DIFF(READ(time, {first:?}), READ(time, {second:?}))"),
        intent: "diff_events",
        passages: told.map(|told| told.passage).into(),
    })
}

/// Returns how long it is from one instant to another. Where no unit is asked for, the coarsest is taken of which there are
/// at least two.
fn length<'p>(
    start: Instant,
    end: Instant,
    unit: Option<Granularity>,
    mut of: impl Iterator<Item = &'p Period>,
) -> Length {
    let micros = end.micros() - start.micros();
    let coarsest = [Granularity::Year, Granularity::Month, Granularity::Week];
    let unit = unit.or_else(|| coarsest.into_iter().find(|unit| micros >= 2 * micros_of(*unit)));
    let unit = unit.unwrap_or(Granularity::Day);
    let each = micros_of(unit);
    let number = (2 * micros + each).div_euclid(2 * each);
    let is_about = of.any(|period| period.end().micros() - period.start().micros() > each);
    Length { number, unit, is_about }
}

/// Returns the length of a unit, the average where it varies.
const fn micros_of(unit: Granularity) -> i64 {
    match unit {
        Granularity::Week => 7 * DAY,
        Granularity::Month => 30 * DAY + 9 * DAY / 20,
        Granularity::Year => 365 * DAY + DAY / 4,
        _ => DAY,
    }
}

/// Returns the day in the middle of a period.
fn middle(period: Period) -> Instant {
    let [start, end] = [period.start().micros(), period.end().micros()];
    let middle = start + (end - start - DAY).max(0) / 2;
    Granularity::Day.floor(Instant::from_micros(middle).unwrap_or(period.start()))
}

/// One of the choices, and when it was.
struct Placed<'c> {
    choice: &'c Choice,
    told: Told,
}

/// Returns the choices by their times; nothing where one was not found, or two cannot be told apart.
fn in_order<'c>(
    options: &'c [Choice],
    read: &dyn Fn(&str) -> Result<Option<Told>, StoreError>,
) -> Result<Option<Vec<Placed<'c>>>, StoreError> {
    let mut told = Vec::new();
    for choice in options {
        let Some(found) = read(&choice.phrase)? else { return Ok(None) };
        told.push(Placed { choice, told: found });
    }
    told.sort_by_key(|placed| (placed.told.period.start(), placed.told.period.end()));
    let are_apart = told.windows(2).all(|pair| pair[0].told.period.end() <= pair[1].told.period.start());
    Ok(are_apart.then_some(told))
}

fn plan_of(options: &[Choice]) -> String {
    let reads: Vec<String> =
        options.iter().map(|choice| format!("READ(time, {:?})", choice.phrase)).collect();
    reads.join(", ")
}

fn ordered(told: &[Placed<'_>], answer: &str, value: Value, plan: String, intent: &'static str) -> Read {
    let line = |placed: &Placed<'_>| {
        let Placed { choice, told } = placed;
        format!("{}: {}, by {}", choice.name, period_text(told.period), source(&told.passage))
    };
    let lines: Vec<String> = told.iter().map(line).collect();
    Read {
        text: format!("{answer} ({}).", lines.join("; ")),
        value,
        plan,
        intent,
        passages: told.iter().map(|placed| placed.told.passage.clone()).collect(),
    }
}
