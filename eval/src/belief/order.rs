//! Which of two statements is the later one, read afresh from the order of precedence.

use std::cmp::Ordering;

use bygone_engine::{Assertion, Authority};

/// Returns the weight of an authority: inferred, then agent, then user and tool alike.
pub fn weight(authority: Authority) -> u8 {
    match authority {
        Authority::Inferred => 0,
        Authority::Agent => 1,
        Authority::User | Authority::Tool => 2,
    }
}

/// Compares two statements by authority, known time, file, session, turn, span and id, in that order.
pub fn order(one: &Assertion, other: &Assertion) -> Ordering {
    let by_authority = weight(one.authority).cmp(&weight(other.authority));
    let by_known = one.known_at.cmp(&other.known_at);
    let by_file = one.source.document.cmp(&other.source.document);
    let by_session = one.source.session.cmp(&other.source.session);
    let by_turn = one.source.position.cmp(&other.source.position);
    let by_span = one.source.span.cmp(&other.source.span);
    let by_id = one.id.cmp(&other.id);
    by_authority.then(by_known).then(by_file).then(by_session).then(by_turn).then(by_span).then(by_id)
}

/// Says whether the first statement is later than the second.
pub fn is_later(one: &Assertion, other: &Assertion) -> bool {
    order(one, other) == Ordering::Greater
}

/// Returns the latest of some statements.
pub fn latest<'a>(statements: impl IntoIterator<Item = &'a Assertion>) -> Option<&'a Assertion> {
    statements.into_iter().max_by(|one, other| order(one, other))
}
