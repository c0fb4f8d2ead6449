//! Adding to a group what comes after everything that was said of it: of the group, only its last chunk and its last fact are
//! read, however long its history is.
//!
//! Most of what is recorded comes in the order of time: turn after turn, and the acts of agents. What does not is derived
//! with the whole group (`group`), and comes to the same.

use std::ops::Bound as Limit;

use serde::{Deserialize, Serialize};

use super::group;
use crate::assertion::{Assertion, Polarity};
use crate::backend::{Batch, Reader, Table};
use crate::codec::{decode, encode};
use crate::error::StoreError;
use crate::key::{self, GroupId};
use crate::record::{Chunk, GroupRecord, Recorded};
use crate::semantics::Semantics;
use crate::time::{Bound, Instant, Validity};

/// How far the statements of a group reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reach {
    /// The last known instant among them.
    known_at: Instant,
    /// No bound that any of them names lies later, its granule included.
    until: Instant,
    /// The highest rank of authority among them.
    authority: u8,
}

impl Reach {
    /// Returns how far statements reach; of none, they reach nowhere.
    pub(super) fn of<'a>(statements: impl IntoIterator<Item = &'a Assertion>) -> Reach {
        let nowhere = Reach { known_at: Instant::DISTANT_PAST, until: Instant::DISTANT_PAST, authority: 0 };
        statements.into_iter().fold(nowhere, Reach::with)
    }

    fn with(self, statement: &Assertion) -> Reach {
        let named = match statement.validity {
            Validity::Undated => [None, None],
            Validity::Over(period) => [period.from().moment(), period.to().moment()],
        };
        let ends = named.into_iter().chain([statement.sure_until]).flatten().map(|moment| moment.end());
        Reach {
            known_at: self.known_at.max(statement.known_at),
            until: ends.fold(self.until, Instant::max),
            authority: self.authority.max(statement.authority.rank()),
        }
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

/// Adds statements to a group where each comes after everything before it, and says whether they were added; where it
/// returns false nothing is written.
pub(super) fn append(
    reader: &dyn Reader,
    batch: &mut Batch,
    semantics: &dyn Semantics,
    space: &str,
    group: GroupId,
    additions: &[Recorded],
) -> Result<bool, StoreError> {
    let Some(bytes) = reader.read(Table::Groups, &group.to_key())? else { return Ok(false) };
    let GroupRecord { names, mut reach } = decode("a group's names", &bytes)?;
    let mut additions: Vec<&Recorded> = additions.iter().collect();
    additions.sort_by_key(|recorded| recorded.assertion.known_at);
    let mut last = group::current_last(reader, group, 1)?.pop();
    let mut changed = Vec::new();
    for Recorded { assertion, .. } in &additions {
        if !reach.is_before(assertion) {
            return Ok(false);
        }
        let Some(appended) = semantics.append(&names.predicate, last.as_ref(), assertion) else {
            return Ok(false);
        };
        changed.extend(appended.closed);
        changed.push(appended.added.clone());
        last = Some(appended.added);
        reach = reach.with(assertion);
    }
    for fact in &changed {
        let id = group::fact_id(space, &names, fact);
        batch.put(Table::Facts, key::fact(group.space, id), group.to_key());
        batch.put(Table::Current, key::current(group, group::start(fact), fact.object.key()), encode(fact));
    }
    batch.put(Table::Groups, group.to_key(), encode(&GroupRecord { names, reach }));
    append_history(reader, batch, group, &additions)?;
    Ok(true)
}

fn append_history(
    reader: &dyn Reader,
    batch: &mut Batch,
    group: GroupId,
    additions: &[&Recorded],
) -> Result<(), StoreError> {
    let first = group.to_key();
    let end = key::after_prefix(&first);
    let to = end.as_deref().map_or(Limit::Unbounded, Limit::Excluded);
    let mut statements = match reader.last(Table::History, Limit::Included(&first), to)? {
        Some((_, value)) => decode::<Chunk>("a chunk of history", &value)?.0,
        None => Vec::new(),
    };
    let n_before = statements.len();
    statements.extend(additions.iter().map(|&recorded| recorded.clone()));
    for (at, chunk) in statements.chunks(group::CHUNK).enumerate() {
        // A full chunk that nothing was added to stays as it is.
        if (at + 1) * group::CHUNK > n_before {
            let first = &chunk[0].assertion;
            let row = key::chunk(group, first.known_at, first.id);
            batch.put(Table::History, row, encode(&Chunk(chunk.to_vec())));
        }
    }
    Ok(())
}
