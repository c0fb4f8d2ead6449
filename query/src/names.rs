//! Which entity a name means: `type:Name` exactly, else a name or an alias.
//!
//! Invariant: what no statement of the view mentions has no name in it, so that a view gives away nothing that it does not
//! know.

use std::collections::BTreeSet;

use bygone_engine::entity::fold_name;
use bygone_engine::identity::{ALIAS, NAME};
use bygone_engine::store::Seen;
use bygone_engine::{EntityRef, Object};

use crate::error::QueryError;

/// Returns the entity that a name means in a view, standing for its class.
///
/// `type:Name` means just that entity. Any other text is compared with names and aliases, letter case and spacing
/// aside; an entity counts only where the view has seen it mentioned, and an alias where it has seen that given.
///
/// # Errors
/// [`QueryError::NoEntity`], or [`QueryError::Ambiguous`] where several entities bear the name.
pub fn resolve(seen: &Seen<'_>, text: &str) -> Result<EntityRef, QueryError> {
    one_of(text, candidates(seen, text)?)
}

/// Returns the entities that a name may mean in a view, each standing for its class, in order.
///
/// # Errors
/// [`QueryError::Store`] where the store cannot be read.
pub fn candidates(seen: &Seen<'_>, text: &str) -> Result<Vec<EntityRef>, QueryError> {
    let bearers = bearers(seen, text)?;
    let classes: BTreeSet<EntityRef> =
        bearers.iter().map(|entity| seen.identity().representative(entity).clone()).collect();
    Ok(classes.into_iter().collect())
}

/// Returns the one entity that bears a name, itself and not its class.
///
/// # Errors
/// As [`resolve`].
pub fn bearer(seen: &Seen<'_>, text: &str) -> Result<EntityRef, QueryError> {
    one_of(text, bearers(seen, text)?)
}

/// Returns the entities that bear a name, in order.
fn bearers(seen: &Seen<'_>, text: &str) -> Result<Vec<EntityRef>, QueryError> {
    if let Ok(entity) = EntityRef::parse(text)
        && seen.mentions(&entity)?
    {
        return Ok(vec![entity]);
    }
    let (kind, name) = match text.split_once(':') {
        Some((kind, name)) if EntityRef::new(kind, "x").is_ok() => (Some(kind), name),
        _ => (None, text),
    };
    let mut found = Vec::new();
    for entity in seen.snapshot().entities_named(name)? {
        let of_kind = kind.is_none_or(|kind| kind == entity.kind());
        let is_called = fold_name(entity.name()) == fold_name(name) || is_called(seen, &entity, name)?;
        if of_kind && is_called && seen.mentions(&entity)? {
            found.push(entity);
        }
    }
    Ok(found)
}

/// Returns those of some entities that facts of the subject have as their object, of one predicate or of any.
///
/// # Errors
/// [`QueryError::Store`] where the store cannot be read.
pub fn said_of(
    seen: &Seen<'_>,
    subject: &EntityRef,
    predicate: Option<&str>,
    mut entities: Vec<EntityRef>,
) -> Result<Vec<EntityRef>, QueryError> {
    let mut said = BTreeSet::new();
    for group in seen.groups_of(subject)? {
        if predicate.is_none_or(|predicate| predicate == group.predicate) {
            said.extend(seen.facts(&group)?.iter().filter_map(|fact| fact.object.entity().cloned()));
        }
    }
    entities.retain(|entity| said.contains(entity));
    Ok(entities)
}

fn one_of(text: &str, found: Vec<EntityRef>) -> Result<EntityRef, QueryError> {
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (None, _) => Err(QueryError::NoEntity(text.to_owned())),
        (Some(entity), None) => Ok(entity),
        (Some(first), Some(second)) => {
            let candidates =
                [first, second].into_iter().chain(found).map(|entity| entity.to_string()).collect();
            Err(QueryError::Ambiguous { name: text.to_owned(), candidates })
        }
    }
}

/// Says whether the view has seen the entity given this name, at any valid time.
fn is_called(seen: &Seen<'_>, entity: &EntityRef, name: &str) -> Result<bool, QueryError> {
    let folded = fold_name(name);
    for group in seen.groups_of(entity)? {
        if group.predicate != ALIAS && group.predicate != NAME {
            continue;
        }
        for fact in seen.facts(&group)? {
            if matches!(&fact.object, Object::Text(text) if fold_name(text) == folded) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
