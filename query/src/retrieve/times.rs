//! The time a question names or asks for, against the time at which a turn was said and the times that it tells of.
//!
//! ```text
//! nearness(t) = 1 within the period; outside exp(-distance / tolerance), 0 beyond four tolerances
//! tolerance   = half the period, and at least a day: "four weeks ago" is seldom counted
//! ```
//!
//! Times raise a turn and never shut one out: a turn of April may tell of March, and what a question remembers of the time
//! may be wrong. What must not be seen is the view's business.

use bygone_engine::Episode;
use bygone_engine::time::Instant;
use bygone_ontology::timex::{self, Context, Kind, Tense};

use super::question::{Asking, FISCAL_START, Question};
use super::weights::{TIME, WHEN};

/// A day, in microseconds.
const DAY: f64 = 86_400e6;
/// Tolerances beyond which nothing is near.
const FARTHEST: f64 = 4.0;

/// Returns how near an instant lies to any of some periods, 0 to 1.
pub(super) fn nearness(at: Instant, times: &[Asking]) -> f32 {
    times.iter().map(|time| near(at, time)).fold(0.0, f32::max)
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "days need no microseconds")]
fn near(at: Instant, &Asking { start, end }: &Asking) -> f32 {
    let [at, start, end] = [at, start, end].map(|instant| instant.micros() as f64);
    let tolerance = ((end - start) / 2.0).max(DAY);
    let distance = (start - at).max(at - end).max(0.0) / tolerance;
    if distance > FARTHEST { 0.0 } else { (-distance).exp() as f32 }
}

/// Says whether the times that turns tell of matter to a question.
pub(super) fn matter(question: &Question) -> bool {
    question.asks_when || !question.times.is_empty()
}

/// Returns what a turn gets for the time: for when it was said or what it tells of, where the question names a time, and
/// for telling of any time, where the question asks for one.
pub(super) fn part(episode: &Episode, question: &Question) -> f32 {
    let context = Context { now: episode.time, tense: Tense::None, fiscal_start: FISCAL_START };
    let told = timex::find(&episode.text, &context);
    let tells_a_time = told.iter().any(|time| time.start.is_some() || time.end.is_some());
    let mut periods = told.iter().filter_map(|time| match (time.kind, time.start, time.end) {
        (Kind::Point | Kind::Span, Some(start), Some(end)) => Some((start, end)),
        _ => None,
    });
    let overlaps = |(start, end): (Instant, Instant)| {
        question.times.iter().any(|asked| start < asked.end && asked.start < end)
    };
    let near = if periods.any(overlaps) { 1.0 } else { nearness(episode.time, &question.times) };
    TIME * near + if question.asks_when && tells_a_time { WHEN } else { 0.0 }
}
