//! Erasing a transcript: physically, in all views.

use std::collections::BTreeSet;

use bygone_engine::document::{Collection, DocumentId, DocumentSet, Listing};
use bygone_engine::store::{Certificate, Snapshot, Space, Target};
use bygone_engine::time::Instant;
use serde::{Deserialize, Serialize};

use super::super::InterfaceError;
use super::super::name::document;
use super::{ENTRIES, HEADS, Head, SUBHEADS, SessionKey, UUIDS};

/// What is to be erased.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Erase {
    /// The transcript; a main one with all others of its session.
    pub key: SessionKey,
}

/// Erases a transcript in all its versions, and with a main one all others of its session. Entries that a fork counts stay.
///
/// # Errors
/// [`InterfaceError::Request`] where the key is none; [`InterfaceError::Store`].
pub fn erase(space: &Space<'_>, now: Instant, request: &Erase) -> Result<Certificate, InterfaceError> {
    let target = Target::Documents(sets(&space.snapshot(), &request.key)?);
    Ok(space.erase(&target, now)?)
}

fn sets(snapshot: &Snapshot<'_>, key: &SessionKey) -> Result<Vec<DocumentSet>, InterfaceError> {
    let mut gone = BTreeSet::from([key.head()?]);
    if key.subpath().is_none() {
        for name in snapshot.document_names(&Listing::new(&SUBHEADS, &key.subpaths()?)) {
            gone.insert(document(&SUBHEADS, name?)?);
        }
    }
    let mut streams = BTreeSet::new();
    for id in &gone {
        streams.extend(streams_of(snapshot, id)?);
    }
    for collection in [&HEADS, &SUBHEADS] {
        for id in ids(snapshot, collection)? {
            if !gone.contains(&id) {
                for stream in streams_of(snapshot, &id)? {
                    streams.remove(&stream);
                }
            }
        }
    }
    let mut sets: Vec<DocumentSet> = gone.into_iter().map(DocumentSet::One).collect();
    if key.subpath().is_none() {
        sets.push(DocumentSet::One(key.summary()?));
    }
    for stream in streams {
        for collection in [&ENTRIES, &UUIDS] {
            sets.push(DocumentSet::StartingWith(collection.clone(), stream.clone().into_bytes()));
        }
    }
    Ok(sets)
}

fn ids(snapshot: &Snapshot<'_>, collection: &Collection) -> Result<Vec<DocumentId>, InterfaceError> {
    let names = snapshot.document_names(&Listing::new(collection, b""));
    names.map(|name| document(collection, name?)).collect()
}

/// Returns the streams that any version of a head counts.
fn streams_of(snapshot: &Snapshot<'_>, id: &DocumentId) -> Result<BTreeSet<String>, InterfaceError> {
    let mut streams = BTreeSet::new();
    for version in snapshot.document_versions(id)? {
        if let Some(content) = version.content {
            let head = Head::read(&content.bytes)?;
            streams.extend(head.streams().map(|(stream, _)| stream.to_owned()));
        }
    }
    Ok(streams)
}
