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
use crate::facts::{group_rows, judge};
use crate::row::Row;
use crate::why::{Bearing, with_turn};

/// Statements whose facts are looked for, at the least, and for each fact that is wanted: where most of the best statements
/// are of facts that hold no longer, what comes after them is hardly what is asked for.
const LEAST_RANKED: usize = 200;
const RANKED_EACH: usize = 20;

/// Statements that are read together at first; later as many as were read already.
const FIRST_READ: usize = 32;

/// Returns the best facts that rest on some statements.
pub(super) fn of(sought: &Sought<'_>, statements: &Statements) -> Result<Vec<Found>, StoreError> {
    let seen = sought.seen;
    let mut told: BTreeSet<FactId> = BTreeSet::new();
    let mut rows = Rows::default();
    // Many statements may say one thing again: it is looked at once.
    let mut looked_at: BTreeSet<[u8; 16]> = BTreeSet::new();
    let of_row = statements.corpus.rows();
    let n_ranked = LEAST_RANKED.max(sought.n_wanted.saturating_mul(RANKED_EACH));
    let mut ranked = statements.ranked().take(n_ranked);
    let mut found = Vec::new();
    let mut n_read = 0;
    while found.len() < sought.n_wanted {
        let is_new = |(at, _): &(usize, f32)| !looked_at.contains(&of_row[*at].id);
        let next: Vec<(usize, f32)> = ranked.by_ref().filter(is_new).take(FIRST_READ.max(n_read)).collect();
        if next.is_empty() {
            break;
        }
        n_read += next.len();
        let read = seen.statements_in(next.iter().map(|(at, _)| &of_row[*at]))?;
        for ((at, score), recorded) in next.into_iter().zip(read) {
            let Some(recorded) = recorded.filter(|_| found.len() < sought.n_wanted) else { continue };
            let id = recorded.assertion.id;
            if looked_at.contains(&id.bytes()) {
                continue;
            }
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
    }
    Ok(found)
}

/// Rows that were read, since many statements are of one group.
#[derive(Default)]
struct Rows {
    /// By subject.
    groups: BTreeMap<EntityRef, Vec<GroupView>>,
    /// Those of groups that have to be derived, or of which more than current facts are asked for.
    whole: BTreeMap<GroupView, Vec<Row>>,
    by_object: BTreeMap<(GroupView, ObjectKey), Vec<Row>>,
}

impl Rows {
    /// Returns the facts with the object of a statement, of the group that it belongs to in the view.
    fn with(&mut self, sought: &Sought<'_>, recorded: &Recorded) -> Result<&[Row], StoreError> {
        let Sought { seen, ontology, request, .. } = *sought;
        let assertion = &recorded.assertion;
        let Some(object) = &assertion.object else { return Ok(&[]) };
        let object = match object {
            Object::Entity(entity) => Object::Entity(seen.identity().representative(entity).clone()).key(),
            other => other.key(),
        };
        let subject = seen.identity().representative(&assertion.subject).clone();
        let groups = match self.groups.entry(subject) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(unread) => {
                let groups = seen.groups_of(unread.key())?;
                unread.insert(groups)
            }
        };
        let is_asked =
            |group: &&GroupView| (&group.predicate, &group.key) == (&assertion.predicate, &assertion.key);
        let Some(group) = groups.iter().find(is_asked) else { return Ok(&[]) };
        let unread = match self.by_object.entry((group.clone(), object)) {
            Entry::Occupied(read) => return Ok(read.into_mut()),
            Entry::Vacant(unread) => unread,
        };
        let rows = if seen.keeps(group) && !request.history && !request.planned {
            let facts = seen.facts_of(group, object)?.into_iter();
            facts.map(|fact| judge(seen, ontology, request, group, fact)).collect::<Result<_, _>>()?
        } else {
            let whole = match self.whole.entry(group.clone()) {
                Entry::Occupied(read) => read.into_mut(),
                Entry::Vacant(unread) => unread.insert(group_rows(seen, ontology, request, group)?),
            };
            whole.iter().filter(|row| row.fact.object.key() == object).cloned().collect()
        };
        Ok(unread.insert(rows))
    }
}
