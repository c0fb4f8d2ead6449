//! Adding to a group what comes after everything that was said of it: of the group, only its last chunk and its last fact are
//! read, however long its history is.
//!
//! Most of what is recorded comes in the order of time: turn after turn, and the acts of agents. What does not is derived
//! with the whole group (`group`), and comes to the same.

use serde::{Deserialize, Serialize};

use super::{group, history};
use crate::assertion::{Assertion, Polarity};
use crate::backend::{Batch, Reader, Table};
use crate::codec::encode;
use crate::error::StoreError;
use crate::fact::{Fact, row};
use crate::key::{self, GroupId};
use crate::object::{Object, ObjectKey};
use crate::record::{GroupRecord, Recorded};
use crate::semantics::Semantics;
use crate::time::{Bound, Instant, Moment, Validity};

/// How far the statements of a group reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reach {
    /// The last known instant among them.
    known_at: Instant,
    /// No bound that any of them names lies later, its granule included.
    until: Instant,
    /// The highest rank of authority among them.
    authority: u8,
    /// What they have in common.
    alike: Alike,
}

/// What the statements of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Alike {
    /// There are none.
    None,
    /// All of them affirm one object over periods that end: leases, and heartbeats that renew them.
    Bounded(ObjectKey),
    /// Nothing that matters here.
    Nothing,
}

impl Reach {
    /// Returns how far statements reach; of none, they reach nowhere.
    pub(super) fn of<'a>(statements: impl IntoIterator<Item = &'a Assertion>) -> Reach {
        let nowhere = Reach {
            known_at: Instant::DISTANT_PAST,
            until: Instant::DISTANT_PAST,
            authority: 0,
            alike: Alike::None,
        };
        statements.into_iter().fold(nowhere, Reach::with)
    }

    pub(super) fn with(self, statement: &Assertion) -> Reach {
        let named = match statement.validity {
            Validity::Undated => [None, None],
            Validity::Over(period) => [period.from().moment(), period.to().moment()],
        };
        let ends = named.into_iter().chain([statement.sure_until]).flatten().map(Moment::end);
        Reach {
            known_at: self.known_at.max(statement.known_at),
            until: ends.fold(self.until, Instant::max),
            authority: self.authority.max(statement.authority.rank()),
            alike: match (self.alike, bounded(statement)) {
                (Alike::None, Some(object)) => Alike::Bounded(object),
                (Alike::Bounded(before), Some(object)) if before == object => Alike::Bounded(object),
                _ => Alike::Nothing,
            },
        }
    }

    /// Says whether a statement renews what all of them state: it affirms the same, known later, from within the last fact and
    /// until after everything.
    fn is_renewed_by(self, statement: &Assertion, last: &Fact) -> bool {
        let (Validity::Over(period), Validity::Over(before)) = (statement.validity, last.validity) else {
            return false;
        };
        let object = bounded(statement);
        object.is_some_and(|object| self.alike == Alike::Bounded(object) && last.object.key() == object)
            && statement.known_at > self.known_at
            && before.contains(period.start())
            && period.end() >= self.until
    }

    /// Says whether a statement comes after all of them, in precedence and in what it says: an affirm that takes part, known
    /// later, of no lower authority, and so, and vouched for, from a time on that none of them reaches.
    fn is_before(self, statement: &Assertion) -> bool {
        let Validity::Over(period) = statement.validity else { return false };
        let Bound::At(from) = period.from() else { return false };
        statement.counts()
            && statement.polarity == Polarity::Affirm
            && statement.known_at > self.known_at
            && statement.authority.rank() >= self.authority
            && from.at >= self.until
            // What is vouched for by a coarse time can have been vouched for before it began.
            && statement.sure_until.is_none_or(|sure| sure.at >= self.until)
    }
}

/// Returns the object of an affirm over a period that ends, where it takes part.
fn bounded(statement: &Assertion) -> Option<ObjectKey> {
    let Validity::Over(period) = statement.validity else { return None };
    let is_bounded = !period.from().is_open() && !period.to().is_open();
    let takes_part = statement.counts() && statement.polarity == Polarity::Affirm;
    (is_bounded && takes_part).then(|| statement.object.as_ref().map(Object::key)).flatten()
}

/// Adds statements to a group where each comes after everything before it, and says whether they were added; where it
/// returns false nothing is written.
pub(super) fn append(
    reader: &dyn Reader,
    batch: &mut Batch,
    semantics: &dyn Semantics,
    space: &str,
    (group, record): (GroupId, &GroupRecord),
    additions: &[Recorded],
) -> Result<bool, StoreError> {
    let GroupRecord { names, mut reach } = record.clone();
    let mut in_order: Vec<&Recorded> = additions.iter().collect();
    in_order.sort_by_key(|recorded| recorded.assertion.known_at);
    let mut last = group::current_last(reader, group, 1)?.pop();
    let mut changed = Vec::new();
    for Recorded { assertion, .. } in in_order {
        let renewed = last.as_ref().filter(|last| reach.is_renewed_by(assertion, last));
        let appended = match renewed {
            Some(last) => semantics.renew(&names.predicate, last, assertion),
            None if reach.is_before(assertion) => {
                semantics.append(&names.predicate, last.as_ref(), assertion)
            }
            None => None,
        };
        let Some(appended) = appended else { return Ok(false) };
        changed.extend(appended.closed);
        changed.push(appended.added.clone());
        last = Some(appended.added);
        reach = reach.with(assertion);
    }
    for fact in &changed {
        let (object, start) = (fact.object.key(), group::start(fact));
        let id = group::fact_id(space, group, &names, object, start);
        batch.put(Table::Facts, key::fact(group.space, id), group.to_key());
        batch.put(Table::Current, key::current(group, start, object), row::encode(fact));
    }
    batch.put(Table::Groups, group.to_key(), encode(&GroupRecord { names, reach }));
    history::add(reader, batch, group, additions)?;
    Ok(true)
}
