//! When a turn was said that does not tell: at the time of the turn before it, else of the next one that tells, else of
//! the file; in a tree, at the time of the turn above it, else when the conversation began, else of the file.

use std::collections::BTreeSet;

use bygone_engine::time::Instant;

use super::stamp::Stamp;

/// A turn's time.
pub(super) struct Timed {
    pub(super) at: Instant,
    pub(super) zone: Option<String>,
    /// Whether it was not told.
    pub(super) is_inferred: bool,
}

/// The times of a file's records so far.
pub(super) struct Times {
    report: Report,
    last: Option<Instant>,
    /// The first time in the file, where it was looked for and there is one.
    first: Option<Instant>,
    is_looked_for: bool,
}

impl Times {
    /// Of records that have their times as a rule: what one of them lacks is told of each.
    pub(super) fn of_records() -> Times {
        Times::new(Report::new("record", Lacking::Each))
    }

    /// Of turns whose format leaves times, or their zones, out as a rule: that is told of the first.
    pub(super) fn of_turns() -> Times {
        Times::new(Report::new("turn", Lacking::First))
    }

    fn new(report: Report) -> Times {
        Times { report, last: None, first: None, is_looked_for: false }
    }

    /// Notes the time of a record that is no turn: what follows and tells none is of that time.
    pub(super) fn note(&mut self, at: Instant) {
        self.last = Some(at);
    }

    /// Notes that what follows stands apart, so that its first time is another one.
    pub(super) fn look_again(&mut self) {
        (self.first, self.is_looked_for) = (None, false);
    }

    /// Returns the time of a turn. `given` is what it tells, or why that is no time; `first` looks for the first time in
    /// the file, and is asked once at most. That turns tell none is reported once a file; a time that is none, each time.
    pub(super) fn of<E>(
        &mut self,
        given: Option<Result<Stamp, String>>,
        modified: Instant,
        problems: &mut Vec<String>,
        first: impl FnOnce() -> Result<Option<Instant>, E>,
    ) -> Result<Timed, E> {
        let noun = self.report.noun;
        if !matches!(given, Some(Ok(_)))
            && self.last.is_none()
            && !std::mem::replace(&mut self.is_looked_for, true)
        {
            self.first = first()?;
        }
        let (at, whence) = match (self.last, self.first) {
            (Some(at), _) => (at, format!("the {noun} before")),
            (None, Some(at)) => (at, format!("the next {noun} that has one")),
            (None, None) => (modified, "the file".to_owned()),
        };
        let timed = self.report.timed(given, (at, &whence), problems);
        if !timed.is_inferred {
            self.last = Some(timed.at);
        }
        Ok(timed)
    }
}

/// The times of a conversation that is a tree.
pub(super) struct TimesOfTree {
    report: Report,
    /// When it began, where it says so.
    began: Option<Instant>,
    /// When the file was last modified.
    modified: Instant,
}

impl TimesOfTree {
    pub(super) fn new(began: Option<Instant>, modified: Instant) -> TimesOfTree {
        TimesOfTree { report: Report::new("message", Lacking::Each), began, modified }
    }

    /// Returns the time of a turn. `given` is what it tells, or why that is no time; `above` is the time of the turn above
    /// it. That turns tell none is reported once a conversation; a time that is none, each time.
    pub(super) fn of(
        &mut self,
        given: Option<Result<Stamp, String>>,
        above: Option<Instant>,
        problems: &mut Vec<String>,
    ) -> Timed {
        let otherwise = match (above, self.began) {
            (Some(at), _) => (at, "the message above"),
            (None, Some(at)) => (at, "the conversation"),
            (None, None) => (self.modified, "the file"),
        };
        self.report.timed(given, otherwise, problems)
    }
}

/// Of which turns it is told that their times lack a zone or a time of day.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lacking {
    Each,
    First,
}

/// What is told of times, and what of it was told.
struct Report {
    /// What has a time.
    noun: &'static str,
    lacking: Lacking,
    /// Whether it was told that some have none.
    is_lack_told: bool,
    /// What was assumed to read times, as far as it was told.
    assumed: BTreeSet<&'static str>,
}

impl Report {
    fn new(noun: &'static str, lacking: Lacking) -> Report {
        Report { noun, lacking, is_lack_told: false, assumed: BTreeSet::new() }
    }

    /// Returns the time that is given, or the other one, with where that is taken from; tells what is to be told.
    fn timed(
        &mut self,
        given: Option<Result<Stamp, String>>,
        (at, whence): (Instant, &str),
        problems: &mut Vec<String>,
    ) -> Timed {
        match given {
            Some(Ok(Stamp { at, zone, assumed })) => {
                problems.extend(assumed.and_then(|assumed| self.assumption(assumed)));
                return Timed { at, zone, is_inferred: false };
            }
            Some(Err(reason)) => problems.push(format!("{reason}; the time is taken from {whence}")),
            None if !std::mem::replace(&mut self.is_lack_told, true) => {
                let noun = self.noun;
                problems.push(format!("{noun}s without a time, this one first; it is taken from {whence}"));
            }
            None => {}
        }
        Timed { at, zone: None, is_inferred: true }
    }

    fn assumption(&mut self, assumed: &'static str) -> Option<String> {
        match self.lacking {
            Lacking::Each => Some(format!("the time has {assumed}")),
            Lacking::First => {
                let is_first = self.assumed.insert(assumed);
                is_first.then(|| format!("times have {assumed}, this one first"))
            }
        }
    }
}
