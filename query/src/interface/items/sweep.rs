//! Letting go of what ran out, what an item was before, and erasing items.

use bygone_engine::document::{Document, DocumentSet, Documents, Listing, Version};
use bygone_engine::store::{Certificate, Decided, Place, Snapshot, Space, Target};
use bygone_engine::time::Instant;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::InterfaceError;
use super::super::name::document;
use super::{ITEMS, Kept, LIVES, life, named, prefix};

/// How many items are swept at a time.
const MOST: usize = 10_000;

/// A sweep.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {}

/// What a sweep came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swept {
    /// How many items were removed; there may be more where this is 10,000.
    pub swept: u64,
}

/// Decides on removing items that ran out.
///
/// # Errors
/// [`InterfaceError::Store`].
pub fn sweep(snapshot: &Snapshot<'_>, place: Place, _: &Sweep) -> Result<Decided<Swept>, InterfaceError> {
    let mut documents = Documents::default();
    let mut n_swept = 0;
    for found in snapshot.documents(&Listing::new(&LIVES, b"")) {
        let found = found?;
        if life(&found)?.1 <= place.at && n_swept < MOST {
            documents.remove(document(&ITEMS, found.name.clone())?);
            documents.remove(document(&LIVES, found.name)?);
            n_swept += 1;
        }
    }
    Ok(Decided::nothing(Swept { swept: n_swept as u64 }).with_documents(documents))
}

/// Which item's past is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Its namespace.
    pub namespace: Vec<String>,
    /// Its key.
    pub key: String,
}

/// What an item was from a commit on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Past {
    /// The commit, as of which the item can be asked for.
    pub recorded: u64,
    /// When that was known.
    pub known: String,
    /// The value; nothing where the item was removed.
    pub value: Option<Box<RawValue>>,
}

/// Returns what an item was, in order.
///
/// # Errors
/// [`InterfaceError::Request`] where a name is none; [`InterfaceError::Store`].
pub fn history(snapshot: &Snapshot<'_>, request: &History) -> Result<Vec<Past>, InterfaceError> {
    let id = named(&ITEMS, &request.namespace, &request.key)?;
    let mut past = Vec::new();
    for Version { seq, at, content } in snapshot.document_versions(&id)? {
        let value = match content {
            Some(content) => {
                let found = Document { name: id.name().to_vec(), seq, at, content };
                Some(Kept::read(&found)?.value)
            }
            None => None,
        };
        past.push(Past { recorded: seq, known: at.to_rfc3339(), value });
    }
    Ok(past)
}

/// Which items are to be erased.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EraseItems {
    /// The first labels of their namespaces, or, where a key is given, its namespace.
    pub namespace: Vec<String>,
    /// The key; all in the namespace and within it where none is given.
    #[serde(default)]
    pub key: Option<String>,
}

/// Erases items in all their versions.
///
/// # Errors
/// [`InterfaceError::Request`] where a name is none; [`InterfaceError::Store`].
pub fn erase(space: &Space<'_>, now: Instant, request: &EraseItems) -> Result<Certificate, InterfaceError> {
    let mut sets = Vec::new();
    for collection in [&ITEMS, &LIVES] {
        sets.push(match &request.key {
            Some(key) => DocumentSet::One(named(collection, &request.namespace, key)?),
            None => DocumentSet::StartingWith(collection.clone(), prefix(&request.namespace)?),
        });
    }
    Ok(space.erase(&Target::Documents(sets), now)?)
}
