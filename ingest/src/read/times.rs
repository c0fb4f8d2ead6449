//! When a turn was said that does not tell: at the time of the turn before it, else of the next one that tells, else of
//! the file; in a tree, at the time of the turn above it, else when the conversation began, else of the file.

use std::io;

use bygone_engine::time::Instant;

use super::stamp::Stamp;

/// The times of a file's records so far.
#[derive(Default)]
pub(super) struct Times {
    last: Option<Instant>,
    /// The first time in the file, where it was looked for and there is one.
    first: Option<Instant>,
    is_looked_for: bool,
    is_lack_told: bool,
}

/// A turn's time.
pub(super) struct Timed {
    pub(super) at: Instant,
    pub(super) zone: Option<String>,
    /// Whether it was not told.
    pub(super) is_inferred: bool,
}

impl Times {
    /// Notes the time of a record that is no turn: what follows and tells none is of that time.
    pub(super) fn note(&mut self, at: Instant) {
        self.last = Some(at);
    }

    /// Returns the time of a turn. `given` is what it tells, or why that is no time; `first` looks for the first time in
    /// the file, and is asked once at most. That turns tell none is reported once a file; a time that is none, each time.
    pub(super) fn of(
        &mut self,
        given: Option<Result<Stamp, String>>,
        modified: Instant,
        problems: &mut Vec<String>,
        first: impl FnOnce() -> io::Result<Option<Instant>>,
    ) -> io::Result<Timed> {
        let wrong = match given {
            Some(Ok(Stamp { at, zone, assumed })) => {
                problems.extend(assumed.map(|assumed| format!("the time has {assumed}")));
                self.last = Some(at);
                return Ok(Timed { at, zone, is_inferred: false });
            }
            Some(Err(reason)) => Some(reason),
            None => None,
        };
        if self.last.is_none() && !std::mem::replace(&mut self.is_looked_for, true) {
            self.first = first()?;
        }
        let (at, whence) = match (self.last, self.first) {
            (Some(at), _) => (at, "the record before"),
            (None, Some(at)) => (at, "the next record that has one"),
            (None, None) => (modified, "the file"),
        };
        match wrong {
            Some(reason) => problems.push(format!("{reason}; the time is taken from {whence}")),
            None if !std::mem::replace(&mut self.is_lack_told, true) => {
                problems.push(format!("records without a time, this one first; it is taken from {whence}"));
            }
            None => {}
        }
        Ok(Timed { at, zone: None, is_inferred: true })
    }
}

/// The times of a conversation that is a tree.
pub(super) struct TimesOfTree {
    /// When it began, where it says so.
    pub(super) began: Option<Instant>,
    /// When the file was last modified.
    pub(super) modified: Instant,
    is_lack_told: bool,
}

impl TimesOfTree {
    pub(super) fn new(began: Option<Instant>, modified: Instant) -> TimesOfTree {
        TimesOfTree { began, modified, is_lack_told: false }
    }

    /// Returns the time of a turn. `given` is what it tells, or why that is no time; `above` is the time of the turn above
    /// it. That turns tell none is reported once a conversation; a time that is none, each time.
    pub(super) fn of(
        &mut self,
        given: Option<Result<Stamp, String>>,
        above: Option<Instant>,
        problems: &mut Vec<String>,
    ) -> Timed {
        let wrong = match given {
            Some(Ok(Stamp { at, zone, assumed })) => {
                problems.extend(assumed.map(|assumed| format!("the time has {assumed}")));
                return Timed { at, zone, is_inferred: false };
            }
            Some(Err(reason)) => Some(reason),
            None => None,
        };
        let (at, whence) = match (above, self.began) {
            (Some(at), _) => (at, "the message above"),
            (None, Some(at)) => (at, "the conversation"),
            (None, None) => (self.modified, "the file"),
        };
        match wrong {
            Some(reason) => problems.push(format!("{reason}; the time is taken from {whence}")),
            None if !std::mem::replace(&mut self.is_lack_told, true) => {
                problems.push(format!("messages without a time, this one first; it is taken from {whence}"));
            }
            None => {}
        }
        Timed { at, zone: None, is_inferred: true }
    }
}
