//! What part of the log a question sees: up to when known, up to when recorded, from which sources.

use crate::time::{Instant, Period, Validity};

/// A position in recorded time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedAt {
    /// Everything recorded so far.
    Latest,
    /// Up to and including this sequence number.
    Seq(u64),
    /// Up to and including this wall-clock instant.
    Instant(Instant),
}

/// Which sources a view listens to; an absent limit lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// Only sessions this agent took part in.
    pub agent: Option<String>,
    /// Only sessions this user took part in.
    pub user: Option<String>,
    /// Only this session.
    pub session: Option<String>,
}

impl Narrowing {
    /// Says whether nothing is narrowed.
    pub const fn is_none(&self) -> bool {
        self.agent.is_none() && self.user.is_none() && self.session.is_none()
    }
}

/// What part of the log a question sees. Valid time is not in it: that selects among the facts derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The last known instant that is visible; [`Instant::DISTANT_FUTURE`] for the latest.
    pub known: Instant,
    /// The last recorded position that is visible.
    pub recorded: RecordedAt,
    /// The sources listened to.
    pub narrowing: Narrowing,
}

impl View {
    /// Everything known and recorded, from every source.
    pub const LATEST: View = View {
        known: Instant::DISTANT_FUTURE,
        recorded: RecordedAt::Latest,
        narrowing: Narrowing { agent: None, user: None, session: None },
    };

    /// Returns the view of what was known up to and including an instant.
    pub const fn known_at(known: Instant) -> View {
        View { known, ..View::LATEST }
    }
}

/// Why a view does not see something that was said. Of several reasons the first is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hiding {
    /// It became known later than the view looks.
    KnownLater,
    /// It was recorded later than the view looks.
    RecordedLater,
    /// It was said in a session that the view does not listen to.
    NotHeard,
}

impl Hiding {
    /// Says what hides something, if anything does.
    pub(crate) const fn of(is_known: bool, is_recorded: bool, is_heard: bool) -> Option<Hiding> {
        match (is_known, is_recorded, is_heard) {
            (false, _, _) => Some(Hiding::KnownLater),
            (true, false, _) => Some(Hiding::RecordedLater),
            (true, true, false) => Some(Hiding::NotHeard),
            (true, true, true) => None,
        }
    }

    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Hiding::KnownLater => "known_later",
            Hiding::RecordedLater => "recorded_later",
            Hiding::NotHeard => "not_heard",
        }
    }
}

/// Which valid time a question asks about. It selects among the facts a view derives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidTime {
    /// What holds at an instant.
    At(Instant),
    /// What holds at some time within a period.
    During(Period),
    /// What held, holds or will hold at any time, undated facts included.
    All,
}

impl ValidTime {
    /// Says whether something of this validity is asked for.
    pub fn selects(self, validity: Validity) -> bool {
        match (self, validity) {
            (ValidTime::All, _) => true,
            (ValidTime::At(_) | ValidTime::During(_), Validity::Undated) => false,
            (ValidTime::At(instant), Validity::Over(period)) => period.contains(instant),
            (ValidTime::During(asked), Validity::Over(period)) => period.overlaps(asked),
        }
    }
}
