//! What decides whether a view sees a document, before it is read: the two clocks and the sessions listened to.

use std::collections::BTreeSet;

use super::document::session_number;
use crate::time::Instant;

/// What a view sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    /// The last known instant.
    pub(super) known: Instant,
    /// The last commit.
    pub(super) last_seq: u64,
    /// The numbers of the sessions; `None` for all.
    pub(super) sessions: Option<BTreeSet<u64>>,
}

impl Sight {
    /// Sees everything.
    pub(super) const ALL: Sight =
        Sight { known: Instant::DISTANT_FUTURE, last_seq: u64::MAX, sessions: None };

    /// Makes one from the clocks of a view and the names of the sessions it listens to, `None` for all.
    pub(crate) fn new(known: Instant, last_seq: u64, sessions: Option<&BTreeSet<String>>) -> Sight {
        let number = |names: &BTreeSet<String>| names.iter().map(|name| session_number(name)).collect();
        Sight { known, last_seq, sessions: sessions.map(number) }
    }

    /// Says whether something of the session is heard.
    pub(super) fn hears(&self, session: u64) -> bool {
        self.sessions.as_ref().is_none_or(|sessions| sessions.contains(&session))
    }
}
