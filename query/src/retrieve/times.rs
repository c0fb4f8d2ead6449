//! The time a question names, against the time at which a turn was said.
//!
//! ```text
//! nearness(t) = 1 within the period; outside exp(-distance / tolerance), 0 beyond four tolerances
//! tolerance   = half the period, and at least a day: "four weeks ago" is seldom counted
//! ```

use bygone_engine::time::Instant;

use super::question::Asking;

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
