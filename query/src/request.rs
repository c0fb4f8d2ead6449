//! What every reading command is asked with: the view, the valid time, and how much to show.

use bygone_engine::time::Instant;
use bygone_engine::{ValidTime, View};

/// The view of a question and what it selects from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What part of the log is seen.
    pub view: View,
    /// Which valid time is asked about.
    pub valid: ValidTime,
    /// Whether facts that are no longer believed are shown too.
    pub history: bool,
    /// Whether plans are shown too.
    pub planned: bool,
    /// The present.
    pub now: Instant,
}

impl Request {
    /// Asks what holds now, as far as known and recorded.
    pub const fn present(now: Instant) -> Request {
        Request { view: View::LATEST, valid: ValidTime::At(now), history: false, planned: false, now }
    }
}
