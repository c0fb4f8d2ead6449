//! Spans of time, brought together where they meet.

use bygone_engine::time::Instant;

/// Spans from one instant up to another. One that is empty still touches what starts or ends there.
#[derive(Default)]
pub(super) struct Spans(Vec<(Instant, Instant)>);

impl Spans {
    /// Adds a span; it may start where it ends, but not later.
    pub(super) fn add(&mut self, from: Instant, to: Instant) {
        debug_assert!(from <= to, "a span ends no earlier than it starts");
        self.0.push((from, to));
    }

    /// Returns the same spans in order, of which no two meet.
    pub(super) fn apart(mut self) -> Vec<(Instant, Instant)> {
        self.0.sort_unstable();
        let mut apart: Vec<(Instant, Instant)> = Vec::new();
        for (from, to) in self.0 {
            match apart.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => apart.push((from, to)),
            }
        }
        apart
    }
}
