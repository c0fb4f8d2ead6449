//! What a said time is: the start of a granule, and how wide the granule is.

use serde::{Deserialize, Serialize};

use super::{Granularity, Instant};

/// A time as it was said: the start of a granule, and its granularity.
///
/// The start need not be aligned to UTC: a day in a zone ahead of it starts the evening before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Moment {
    /// The start of the granule.
    pub at: Instant,
    /// How finely it was said.
    pub grain: Granularity,
}

impl Moment {
    /// Makes a moment one microsecond wide.
    pub const fn instant(at: Instant) -> Moment {
        Moment { at, grain: Granularity::Instant }
    }

    /// Makes a moment of the granularity given.
    pub const fn new(at: Instant, grain: Granularity) -> Moment {
        Moment { at, grain }
    }

    /// Returns the exclusive end of the granule.
    pub fn end(self) -> Instant {
        self.grain.after(self.at)
    }
}
