//! How a reader hands on what became of a record, and what was noticed about it.

use super::{Place, Problem, Read, Record, Turn};

/// Whom it is handed to.
pub(super) struct HandOn<'out>(&'out mut dyn FnMut(Read));

impl<'out> HandOn<'out> {
    pub(super) fn new(hand_on: &'out mut dyn FnMut(Read)) -> HandOn<'out> {
        HandOn(hand_on)
    }

    /// Hands on a turn, and behind it what was noticed.
    pub(super) fn turn(&mut self, turn: Turn, problems: Vec<String>) {
        let place = turn.place;
        (self.0)(Read::Record(Record::Turn(Box::new(turn))));
        self.tell_all(place, problems);
    }

    /// Hands on that a record holds no turn.
    pub(super) fn skip(&mut self, place: Place) {
        (self.0)(Read::Record(Record::Skipped(place)));
    }

    /// Sets a record aside.
    pub(super) fn set_aside(&mut self, place: Place, bytes: &[u8], reason: impl Into<String>) {
        let problem = Problem { place, reason: reason.into() };
        (self.0)(Read::Record(Record::set_aside(problem, bytes.to_vec())));
    }

    /// Tells of something that was noticed.
    pub(super) fn tell(&mut self, place: Place, reason: impl Into<String>) {
        (self.0)(Read::Problem(Problem { place, reason: reason.into() }));
    }

    /// Tells of all that was noticed at a place.
    pub(super) fn tell_all(&mut self, place: Place, reasons: Vec<String>) {
        for reason in reasons {
            self.tell(place, reason);
        }
    }
}
