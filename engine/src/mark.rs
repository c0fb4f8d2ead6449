//! What of a statement decides which others it can bear on: how far it reaches, what prevails over it, what it is about.
//!
//! A reader that holds the marks of a stretch of a group's history, and a summary of the rest, can tell which few statements
//! the facts of an instant follow from, without reading any of them (`Semantics::facts_over`).

use crate::assertion::{Assertion, Polarity};
use crate::object::{Object, ObjectKey};
use crate::time::{Bound, Instant, Moment, Validity};

/// What precedence goes by first: the rank of the authority, then the known instant. Of two that are equal, either statement
/// can prevail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Precedence {
    /// The rank of the authority, as [`crate::Authority::rank`] gives it.
    pub authority: u8,
    /// When it came to be known.
    pub known_at: Instant,
}

/// What a dated statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It affirms, over a period that ends.
    Bounded,
    /// It affirms, and vouches until the end of the region; whether it also vouches for no time before its start.
    Open {
        /// Whether what it vouches for last starts no earlier than it does.
        anchors: bool,
    },
    /// It denies an object, or whatever holds.
    Deny,
}

/// How far one dated statement that counts reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The first instant it speaks of.
    pub start: Instant,
    /// The first instant it no longer speaks of by itself, before any other cuts it short; the distant future where open.
    pub end: Instant,
    /// What prevails.
    pub precedence: Precedence,
    /// What it does.
    pub act: Act,
    /// The first eight bytes of its object's key; 0 for whatever holds.
    pub object: u64,
}

impl Mark {
    /// Returns the mark of a statement; `None` for one that takes no part in derivation, or has no dates.
    pub fn of(statement: &Assertion) -> Option<Mark> {
        let Validity::Over(period) = statement.validity else { return None };
        if !statement.counts() {
            return None;
        }
        let sure_until = statement.sure_until.filter(|_| period.to() == Bound::Open);
        let (act, end) = match (statement.polarity, sure_until) {
            (Polarity::Deny, _) => (Act::Deny, period.end()),
            (Polarity::Affirm, None) => (Act::Bounded, period.end()),
            (Polarity::Affirm, Some(sure)) => {
                (Act::Open { anchors: sure.at >= period.start() }, Moment::end(sure))
            }
        };
        let precedence = Precedence { authority: statement.authority.rank(), known_at: statement.known_at };
        let object = statement.object.as_ref().map_or(0, object_mark);
        Some(Mark { start: period.start(), end, precedence, act, object })
    }

    /// Says whether it speaks of nothing after its start, as what is vouched for until before it begins.
    pub fn is_odd(&self) -> bool {
        self.end <= self.start
    }

    /// Says whether it denies without an end.
    pub fn is_endless_denial(&self) -> bool {
        self.act == Act::Deny && self.end == Instant::DISTANT_FUTURE
    }
}

/// Returns what tells objects apart in marks; never 0.
pub(crate) fn object_mark(object: &Object) -> u64 {
    let ObjectKey(key) = object.key();
    let (first, _) = key.split_first_chunk().expect("sixteen bytes");
    u64::from_be_bytes(*first).max(1)
}

/// How many sorts of objects a summary tells apart.
pub const SORTS: usize = 64;

/// Returns the sort of an object, by its mark.
pub fn sort_of(object: u64) -> usize {
    // One byte of a hash is as good as any other.
    usize::from(object.to_le_bytes()[0]) % SORTS
}

/// What is known of the statements before or after a stretch, without reading them. It may tell of more than a view sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Whether there are none.
    pub is_empty: bool,
    /// No affirm and no denial that ends reaches beyond; the distant past where there is none.
    pub reach: Instant,
    /// What prevails most among endless denials, for each sort of object; those of whatever holds count for every sort.
    pub denials: [Option<Precedence>; SORTS],
    /// Whether one of them is odd ([`Mark::is_odd`]).
    pub has_odd: bool,
}

impl Outside {
    /// Where there is nothing.
    pub const NOTHING: Outside =
        Outside { is_empty: true, reach: Instant::DISTANT_PAST, denials: [None; SORTS], has_odd: false };

    /// Takes a statement in.
    pub fn add(&mut self, mark: &Mark) {
        self.is_empty = false;
        self.has_odd |= mark.is_odd();
        if !mark.is_endless_denial() {
            self.reach = self.reach.max(mark.end);
        } else if mark.object == 0 {
            self.deny_every_sort(mark.precedence);
        } else {
            self.deny(sort_of(mark.object), mark.precedence);
        }
    }

    /// Takes an endless denial of whatever holds in.
    pub(crate) fn deny_every_sort(&mut self, precedence: Precedence) {
        for most in &mut self.denials {
            *most = (*most).max(Some(precedence));
        }
    }

    /// Takes an endless denial of a sort of object in.
    pub(crate) fn deny(&mut self, sort: usize, precedence: Precedence) {
        self.denials[sort] = self.denials[sort].max(Some(precedence));
    }
}

/// A stretch of a group's history in the order of [`Mark::start`], and what lies around it.
pub struct Stretch<'a> {
    /// Its dated statements that count and that the view sees.
    pub marks: &'a [Mark],
    /// What starts no later than the first of them.
    pub before: &'a Outside,
    /// What starts no earlier than the last of them.
    pub after: &'a Outside,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(object: u64, act: Act, end: Instant) -> Mark {
        let precedence = Precedence { authority: 2, known_at: Instant::FIRST };
        Mark { start: Instant::FIRST, end, precedence, act, object }
    }

    #[test]
    fn a_summary_tells_how_far_statements_reach_and_what_is_denied_for_good() {
        let mut outside = Outside::NOTHING;
        let end = Instant::FIRST.next().next();
        outside.add(&mark(7, Act::Bounded, end));
        outside.add(&mark(70, Act::Deny, Instant::DISTANT_FUTURE));
        assert!(!outside.is_empty && !outside.has_odd);
        assert_eq!(outside.reach, end, "an endless denial does not count as reaching");
        assert!(outside.denials[sort_of(70)].is_some() && outside.denials[sort_of(7)].is_none());
        outside.add(&mark(0, Act::Deny, Instant::DISTANT_FUTURE));
        assert!(outside.denials.iter().all(Option::is_some), "whatever holds is of every sort");
        outside.add(&mark(7, Act::Open { anchors: false }, Instant::FIRST));
        assert!(outside.has_odd);
    }
}
