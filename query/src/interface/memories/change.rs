//! Adding memories, changing them, and taking them away.

use std::collections::BTreeSet;

use bygone_engine::document::{Document, Documents};
use bygone_engine::store::{Decided, Place, Snapshot};
use serde_json::{Map, Value};

use super::super::{AsOf, InterfaceError};
use super::{Asked, Filter, Kept, Memory, Whose, bytes, get, id, list, missing};

/// Decides on adding memories under their ids. Where `once` says so, a text that the same ones have already is passed over.
/// Returns the ids of those that were added.
///
/// # Errors
/// [`InterfaceError::Request`] where an id is none; [`InterfaceError::Store`].
pub fn add(
    snapshot: &Snapshot<'_>,
    place: Place,
    memories: &[(String, Kept)],
    once: bool,
) -> Result<Decided<BTreeSet<String>>, InterfaceError> {
    let there = if once { list(snapshot, place.at, &Asked::default())? } else { Vec::new() };
    let mut texts: BTreeSet<(&Whose, &str)> =
        there.iter().map(|memory| (&memory.kept.whose, memory.kept.text.as_str())).collect();
    let (mut changes, mut added) = (Documents::default(), BTreeSet::new());
    for (memory, kept) in memories {
        if texts.insert((&kept.whose, &kept.text)) || !once {
            changes.put(id(memory)?, bytes(kept)?);
            added.insert(memory.clone());
        }
    }
    Ok(Decided::nothing(added).with_documents(changes))
}

/// What becomes of a memory. What is not given stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Update {
    /// Its text, with the turn that says it.
    pub text: Option<(String, String)>,
    /// Its metadata.
    pub metadata: Option<Map<String, Value>>,
    /// The day after which it is not shown, or that there is none.
    pub expiration_date: Option<Option<String>>,
}

/// Decides on changing memories. All are changed, or none.
///
/// # Errors
/// [`InterfaceError::Missing`] where there is none of an id; [`InterfaceError::Store`].
pub fn update(
    snapshot: &Snapshot<'_>,
    place: Place,
    updates: &[(String, Update)],
) -> Result<Decided<Vec<Memory>>, InterfaceError> {
    let (mut changes, mut told) = (Documents::default(), Vec::new());
    for (memory, update) in updates {
        let mut memory = get(snapshot, memory, &AsOf::default())?;
        let before = memory.kept.clone();
        let kept = &mut memory.kept;
        if let Some((text, turn)) = update.text.as_ref().filter(|(text, _)| *text != kept.text) {
            kept.text.clone_from(text);
            kept.turn.clone_from(turn);
        }
        if let Some(metadata) = &update.metadata {
            kept.metadata = Some(metadata.clone());
        }
        if let Some(day) = &update.expiration_date {
            kept.expiration_date.clone_from(day);
        }
        if memory.kept != before {
            changes.put(id(&memory.id)?, bytes(&memory.kept)?);
            memory.updated = place.at;
            memory.recorded = place.seq;
        }
        told.push(memory);
    }
    Ok(Decided::nothing(told).with_documents(changes))
}

/// Which memories are taken away.
#[derive(Clone, Debug)]
pub enum Removed<'a> {
    /// Those of some ids, each of which there has to be.
    Ids(&'a [String]),
    /// Those that have something, also where they ran out.
    Having(&'a Filter),
}

/// Decides on taking memories away, and returns how many.
///
/// # Errors
/// [`InterfaceError::Missing`] where there is none of an id; [`InterfaceError::Store`].
pub fn remove(
    snapshot: &Snapshot<'_>,
    place: Place,
    removed: &Removed<'_>,
) -> Result<Decided<usize>, InterfaceError> {
    let mut changes = Documents::default();
    let n_removed = match removed {
        Removed::Ids(ids) => {
            for memory in *ids {
                let found: Option<Document> = snapshot.document(&id(memory)?)?;
                found.ok_or_else(|| missing(memory))?;
                changes.remove(id(memory)?);
            }
            ids.len()
        }
        Removed::Having(filter) => {
            let asked = Asked { filter: (*filter).clone(), shows_expired: true, as_of: AsOf::default() };
            let found = list(snapshot, place.at, &asked)?;
            for memory in &found {
                changes.remove(id(&memory.id)?);
            }
            found.len()
        }
    };
    Ok(Decided::nothing(n_removed).with_documents(changes))
}
