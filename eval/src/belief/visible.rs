//! Which statements of a log a view sees.

use std::collections::BTreeSet;

use bygone_engine::time::Instant;
use bygone_engine::view::RecordedAt;
use bygone_engine::{Assertion, AssertionId, Modality, View};

use super::random::Operation;

/// A statement as a store recorded it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The sequence number it was given.
    pub seq: u64,
    /// The wall clock at that time.
    pub at: Instant,
    /// What was said.
    pub assertion: Assertion,
}

/// Returns the log that a list of operations leaves behind, where the operation at place `n` (from 1) is recorded as
/// sequence number `n` at the instant `clock(n)`.
///
/// A statement that is already there keeps its first record; an erased session leaves nothing.
pub fn replay(operations: &[Operation], clock: impl Fn(u64) -> Instant) -> Vec<Recorded> {
    let mut log: Vec<Recorded> = Vec::new();
    for (seq, operation) in (1..).zip(operations) {
        match operation {
            Operation::Assert(statement) => {
                if !log.iter().any(|other| other.assertion.id == statement.assertion.id) {
                    log.push(Recorded { seq, at: clock(seq), assertion: statement.assertion.clone() });
                }
            }
            Operation::Erase { session } => log.retain(|other| other.assertion.source.session != *session),
        }
    }
    log
}

/// Returns the statements that take part in derivation in a view, each id once.
pub fn visible<'a>(log: &'a [Recorded], view: &View) -> Vec<&'a Assertion> {
    let reached: Vec<&Recorded> = log.iter().filter(|recorded| is_reached(recorded, view)).collect();
    let mut ids: BTreeSet<AssertionId> = BTreeSet::new();
    reached
        .iter()
        .filter(|recorded| takes_part(&recorded.assertion))
        .filter(|recorded| is_listened_to(&reached, recorded, view))
        .map(|recorded| &recorded.assertion)
        .filter(|assertion| ids.insert(assertion.id))
        .collect()
}

/// Known and recorded by the instants the view names.
fn is_reached(recorded: &Recorded, view: &View) -> bool {
    recorded.assertion.known_at <= view.known
        && match view.recorded {
            RecordedAt::Latest => true,
            RecordedAt::Seq(seq) => recorded.seq <= seq,
            RecordedAt::Instant(instant) => recorded.at <= instant,
        }
}

/// Said as a fact, or as somebody else's word.
fn takes_part(assertion: &Assertion) -> bool {
    match assertion.modality {
        Modality::Actual | Modality::Reported => true,
        Modality::Planned | Modality::Hypothetical => false,
    }
}

/// From the session asked for, and from one that the agent and the user asked for took part in, as far as the view
/// reaches: whoever made any statement of the session took part in it, plans and suppositions included.
fn is_listened_to(reached: &[&Recorded], recorded: &Recorded, view: &View) -> bool {
    let session = &recorded.assertion.source.session;
    let of_session =
        || reached.iter().map(|other| &other.assertion.source).filter(|source| source.session == *session);
    let narrowing = &view.narrowing;
    let session_fits = narrowing.session.as_ref().is_none_or(|asked| asked == session);
    let agent_fits = narrowing.agent.is_none() || of_session().any(|source| source.agent == narrowing.agent);
    let user_fits = narrowing.user.is_none() || of_session().any(|source| source.user == narrowing.user);
    session_fits && agent_fits && user_fits
}
