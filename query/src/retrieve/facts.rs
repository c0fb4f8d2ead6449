//! How facts are ranked: by the statements they rest on.
//!
//! Statements are found as turns are, by words and by meaning. What is handed out are the facts of the view that rest on
//! them, so that a statement whose fact no longer holds takes nobody's place.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::object::ObjectKey;
use bygone_engine::record::Recorded;
use bygone_engine::store::GroupView;
use bygone_engine::{EntityRef, FactId, Object, StoreError};

use super::Sought;
use super::channel::OF_STATEMENTS;
use super::found::{Found, Item};
use super::ranking::shares;
use super::statements::Statements;
use crate::facts::object_rows;
use crate::row::Row;
use crate::why::{Bearing, with_turn};

/// Statements whose facts are looked for, at the least, and for each fact that is wanted: where most of the best statements
/// are of facts that hold no longer, what comes after them is hardly what is asked for.
const LEAST_RANKED: usize = 1000;
const RANKED_EACH: usize = 20;

/// Returns the best facts that rest on some statements.
pub(super) fn of(sought: &Sought<'_>, statements: &Statements) -> Result<Vec<Found>, StoreError> {
    let seen = sought.seen;
    let mut told: BTreeSet<FactId> = BTreeSet::new();
    let mut rows = Rows::default();
    // Many statements may say one thing again: it is looked at once.
    let mut looked_at: BTreeSet<[u8; 16]> = BTreeSet::new();
    let n_ranked = LEAST_RANKED.max(sought.n_wanted.saturating_mul(RANKED_EACH));
    let mut found = Vec::new();
    for (at, score) in statements.ranked().take(n_ranked) {
        if found.len() >= sought.n_wanted {
            break;
        }
        let statement = &statements.corpus.rows()[at];
        if looked_at.contains(&statement.id) {
            continue;
        }
        let Some(recorded) = seen.statement(statement)? else { continue };
        let id = recorded.assertion.id;
        for row in rows.with(sought, &recorded)?.iter().filter(|row| row.fact.support.contains(&id)) {
            looked_at.extend(row.fact.support.iter().map(|id| id.bytes()));
            if sought.request.valid.selects(row.fact.validity) && told.insert(row.id) {
                let evidence = with_turn(seen, Bearing::Supports, recorded.clone())?;
                let item = Item::Fact(Box::new(row.clone()), Box::new(evidence));
                let channels = shares(&OF_STATEMENTS, &statements.parts[at], score);
                found.push(Found { item, score: f64::from(score), channels });
            }
        }
    }
    Ok(found)
}

/// Rows that were read, since many statements are of one group.
#[derive(Default)]
struct Rows {
    /// By subject.
    groups: BTreeMap<EntityRef, Vec<GroupView>>,
    rows: BTreeMap<(GroupView, ObjectKey), Vec<Row>>,
}

impl Rows {
    /// Returns the facts with the object of a statement, of the group that it belongs to in the view.
    fn with(&mut self, sought: &Sought<'_>, recorded: &Recorded) -> Result<&[Row], StoreError> {
        let assertion = &recorded.assertion;
        let Some(object) = &assertion.object else { return Ok(&[]) };
        let object = match object {
            Object::Entity(entity) => {
                Object::Entity(sought.seen.identity().representative(entity).clone()).key()
            }
            other => other.key(),
        };
        let subject = sought.seen.identity().representative(&assertion.subject).clone();
        let groups = match self.groups.entry(subject) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(unread) => {
                let groups = sought.seen.groups_of(unread.key())?;
                unread.insert(groups)
            }
        };
        let is_asked =
            |group: &&GroupView| (&group.predicate, &group.key) == (&assertion.predicate, &assertion.key);
        let Some(group) = groups.iter().find(is_asked) else { return Ok(&[]) };
        match self.rows.entry((group.clone(), object)) {
            Entry::Occupied(read) => Ok(read.into_mut()),
            Entry::Vacant(unread) => {
                let rows = object_rows(sought.seen, sought.ontology, sought.request, group, object)?;
                Ok(unread.insert(rows))
            }
        }
    }
}
