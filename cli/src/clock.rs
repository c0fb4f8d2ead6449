//! Where "now" comes from.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bygone_engine::time::Instant;

/// A source of the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The system's clock.
    System,
    /// Always the same instant.
    Fixed(Instant),
}

impl Clock {
    /// Returns the present.
    pub fn now(self) -> Instant {
        match self {
            Clock::System => from_system(SystemTime::now()),
            Clock::Fixed(instant) => instant,
        }
    }
}

/// Brings a system time into ours; beyond the ordinary years it is the nearest ordinary instant.
pub(crate) fn from_system(time: SystemTime) -> Instant {
    let micros = |length: Duration| i64::try_from(length.as_micros()).unwrap_or(i64::MAX);
    let micros = match time.duration_since(UNIX_EPOCH) {
        Ok(since) => micros(since),
        Err(before) => -micros(before.duration()),
    };
    let edge = if micros < 0 { Instant::FIRST } else { Instant::LAST };
    Instant::from_micros(micros).unwrap_or(edge)
}
