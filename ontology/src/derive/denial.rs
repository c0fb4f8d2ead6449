//! Whether a statement is denied: by a later deny that covers the instant for its object.

use bygone_engine::time::Instant;

use super::group::{Deny, ObjectIdx, Rank};

/// Says whether something said with `rank` about `object` is denied at `instant`.
pub(super) fn is_denied(denies: &[Deny], rank: Rank, object: ObjectIdx, instant: Instant) -> bool {
    denies.iter().any(|deny| deny.rank > rank && deny.concerns(object) && deny.covers(instant))
}

/// Says whether later denies together cover all of `[from, to)` for the object.
pub(super) fn is_wholly_denied(
    denies: &[Deny],
    rank: Rank,
    object: ObjectIdx,
    (from, to): (Instant, Instant),
) -> bool {
    let mut at = from;
    while at < to {
        let later = denies.iter().filter(|deny| deny.rank > rank && deny.concerns(object) && deny.covers(at));
        match later.map(|deny| deny.end).max() {
            Some(end) => at = end,
            None => return false,
        }
    }
    true
}

/// Returns the last instant before `instant` at which it is not denied.
pub(super) fn last_undenied_before(
    denies: &[Deny],
    rank: Rank,
    object: ObjectIdx,
    instant: Instant,
) -> Instant {
    let mut at = instant;
    loop {
        let before = at.previous();
        let covering = denies
            .iter()
            .filter(|deny| deny.rank > rank && deny.concerns(object) && deny.covers(before))
            .map(|deny| deny.start)
            .min();
        match covering {
            Some(start) if start < at => at = start,
            _ => return before,
        }
    }
}
