//! What a time is here: instants, the granularity they were said with, periods and how periods relate.
//!
//! Everything inside the engine is UTC microseconds; chrono appears only where a calendar is needed.
//! Nothing in this module reads a clock.

mod allen;
mod granularity;
mod instant;
mod moment;
mod period;
mod text;

pub use allen::Allen;
pub use granularity::Granularity;
pub use instant::Instant;
pub use moment::Moment;
pub use period::{Bound, Period, PeriodError, Validity};
pub use text::{TimeError, format_instant, format_moment, parse_moment};
