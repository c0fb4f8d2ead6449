//! Rule 1: which ENDs stand. Who corrects an end date replaces it; a mere repetition does not.

use bygone_engine::time::{Instant, Moment};

use super::group::{Affirm, Deny};

/// Returns the denies without the void ENDs.
///
/// An END is a deny with an open end and a known start. Of two ENDs of one object, with no affirm of it that starts
/// after the smaller and not after the greater, the one earlier in precedence is void, even if the other is void
/// itself. A mere repetition voids none that starts before it, and an END without an object voids none.
pub(super) fn standing(affirms: &[Affirm], denies: &[Deny]) -> Vec<Deny> {
    let is_void = |end: &Deny| {
        is_end(end)
            && denies.iter().any(|by| {
                by.rank > end.rank
                    && is_end(by)
                    && by.object == end.object
                    && end.object.is_some()
                    && !affirmed_between(affirms, end, by)
                    && !(end.start < by.start && merely_repeats(by, end))
            })
    };
    denies.iter().filter(|deny| !is_void(deny)).copied().collect()
}

fn is_end(deny: &Deny) -> bool {
    !deny.from.is_open() && deny.end == Instant::DISTANT_FUTURE
}

fn affirmed_between(affirms: &[Affirm], one: &Deny, other: &Deny) -> bool {
    let (smaller, greater) = (one.start.min(other.start), one.start.max(other.start));
    affirms
        .iter()
        .any(|affirm| Some(affirm.object) == one.object && smaller < affirm.from && affirm.from <= greater)
}

/// An END dated only by being said, or a coarser one, repeats the other rather than correcting it.
fn merely_repeats(by: &Deny, end: &Deny) -> bool {
    let only_said = by.start == by.known_at;
    let coarser = by.from.moment().is_some_and(|Moment { at, grain }| {
        let start = grain.before(at);
        start < end.start && end.start < at
    });
    only_said || coarser
}
