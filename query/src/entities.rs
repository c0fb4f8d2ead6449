//! Which entities a view knows, and by which names.

use std::collections::BTreeSet;

use bygone_engine::identity::{ALIAS, NAME};
use bygone_engine::store::Seen;
use bygone_engine::{EntityRef, Object, StoreError};
use serde_json::{Value, json};

/// An entity with the names it goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The entity, standing for its class.
    pub entity: EntityRef,
    /// The other entities that are the same.
    pub same_as: Vec<EntityRef>,
    /// What else it is or was called.
    pub aliases: Vec<String>,
}

impl Entry {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let same_as: Vec<String> = self.same_as.iter().map(ToString::to_string).collect();
        json!({ "entity": self.entity.to_string(), "same_as": same_as, "aliases": self.aliases })
    }
}

/// Returns the entities that a statement of the view mentions and one of whose names starts with the text, in order;
/// `type:` before it lets only entities of that type through.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn entities(seen: &Seen<'_>, prefix: &str) -> Result<Vec<Entry>, StoreError> {
    let mut classes = BTreeSet::new();
    // A name may hold a colon, too, as long as what stands before it is not a type.
    let (kind, start) = match prefix.split_once(':') {
        Some((kind, start)) if EntityRef::new(kind, "x").is_ok() => (Some(kind), start),
        _ => (None, prefix),
    };
    for entity in seen.snapshot().entities_starting(start)? {
        if kind.is_none_or(|kind| kind == entity.kind()) && seen.mentions(&entity)? {
            classes.insert(seen.identity().representative(&entity).clone());
        }
    }
    classes.iter().map(|entity| entry(seen, entity)).collect()
}

/// Returns an entity with the names it goes by in the view.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn entry(seen: &Seen<'_>, entity: &EntityRef) -> Result<Entry, StoreError> {
    let mut aliases = BTreeSet::new();
    for group in seen.groups_of(entity)? {
        if group.predicate == ALIAS || group.predicate == NAME {
            for fact in seen.facts(&group)? {
                if let Object::Text(name) = fact.object {
                    aliases.insert(name);
                }
            }
        }
    }
    let same_as = seen.identity().members(entity).into_iter().filter(|member| member != entity).collect();
    Ok(Entry { entity: entity.clone(), same_as, aliases: aliases.into_iter().collect() })
}
