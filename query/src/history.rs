//! The history of belief about an entity, on both axes: what held when, and from when to when it was believed.

use bygone_engine::store::{GroupView, Seen};
use bygone_engine::{EntityRef, StoreError};

use crate::facts::{Belief, beliefs};

/// A form that a fact took, with the group it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// Its subject, predicate and key.
    pub group: GroupView,
    /// The fact as it was believed, and when.
    pub belief: Belief,
}

/// Returns the history of belief about an entity, by predicate and key, then in the order in which it came to be known.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn history(
    seen: &Seen<'_>,
    entity: &EntityRef,
    predicate: Option<&str>,
) -> Result<Vec<Chapter>, StoreError> {
    let mut chapters = Vec::new();
    for group in seen.groups_of(entity)? {
        if predicate.is_some_and(|predicate| predicate != group.predicate) {
            continue;
        }
        for belief in beliefs(seen, &group)? {
            chapters.push(Chapter { group: group.clone(), belief });
        }
    }
    Ok(chapters)
}
