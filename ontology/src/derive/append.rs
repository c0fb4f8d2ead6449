//! What a statement changes that comes after everything that was said of its group.
//!
//! Invariant: it comes to what deriving the whole group does; where that is not plain, nothing is returned.

use bygone_engine::time::{Bound, Period, Validity};
use bygone_engine::{Appended, Assertion, EndedBy, Fact, Segment};

use super::derive;
use crate::definition::{Cardinality, Definition, TemporalKind};

/// Returns what changes where an affirm is known later than all others of the group, is of no lower authority, and starts
/// where no bound of theirs reaches. `last` is the fact that starts last.
///
/// No earlier denial covers it, since who speaks later prevails, and no region that is stated reaches it; so alone it makes
/// the fact that it makes in the group, but for what it meets: an open fact of a state of one value, which it ends. Where the
/// open fact has the same object, the two are one, and where the statement is bounded, the open one goes on after it: both
/// are left to the derivation of the whole, as are states of many values, whose facts can go on from any earlier one.
pub fn append(definition: &Definition, last: Option<&Fact>, statement: &Assertion) -> Option<Appended> {
    let open = last.filter(|fact| fact.validity.period().is_some_and(|period| period.to() == Bound::Open));
    let closed = match (definition.kind, definition.cardinality, open) {
        (TemporalKind::Event, _, _) | (TemporalKind::State, Cardinality::One, None) => None,
        (TemporalKind::State, Cardinality::One, Some(open)) if statement.is_open_affirm() => {
            let is_another = statement.object.as_ref() != Some(&open.object);
            Some(is_another.then(|| ended(open, statement)).flatten()?)
        }
        (TemporalKind::State | TemporalKind::Rigid, _, _) => return None,
    };
    let [added] = <[Fact; 1]>::try_from(derive(definition, &[statement])).ok()?;
    Some(Appended { closed, added })
}

/// Returns what changes where all statements of a group affirm one object over periods that end, and one comes that is known
/// later than all others, starts within the last fact and ends after everything: that fact ends with it.
///
/// Events are left to the derivation: of those that overlap, the finest told counts.
pub fn renew(definition: &Definition, last: &Fact, statement: &Assertion) -> Option<Appended> {
    let Validity::Over(period) = statement.validity else { return None };
    let Validity::Over(before) = last.validity else { return None };
    if definition.kind != TemporalKind::State {
        return None;
    }
    // Of two starts at one instant the granularity of the one that prevails is told.
    if period.start() == before.start() && period.from() != before.from() {
        return None;
    }
    let [segment] = last.segments.as_slice() else { return None };
    let at = last.support.binary_search(&statement.id).err()?;
    let mut support = last.support.clone();
    support.insert(at, statement.id);
    let is_stronger = statement.authority.rank() >= last.authority.rank();
    let added = Fact {
        validity: Validity::Over(Period::new(before.from(), period.to()).ok()?),
        segments: vec![Segment { to: period.end(), ..*segment }],
        known_from: last.known_from.min(statement.known_at),
        last_confirmed: last.last_confirmed.max(statement.known_at),
        authority: if is_stronger { statement.authority } else { last.authority },
        confidence: last.confidence.max(statement.confidence),
        support,
        ..last.clone()
    };
    Some(Appended { closed: None, added })
}

/// Returns an open fact as it is once another object took over.
fn ended(open: &Fact, by: &Assertion) -> Option<Fact> {
    let (Validity::Over(period), Validity::Over(next)) = (open.validity, by.validity) else { return None };
    let from = next.start();
    let mut segments = open.segments.clone();
    segments.retain(|segment| segment.from < from);
    if let Some(last) = segments.last_mut() {
        last.to = from;
    }
    let period = Period::new(period.from(), next.from()).ok()?;
    Some(Fact { validity: Validity::Over(period), segments, ended_by: Some(EndedBy::Change), ..open.clone() })
}
