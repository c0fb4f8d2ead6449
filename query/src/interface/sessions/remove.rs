//! Deleting a transcript: it is there no more, and stays what it was as of every commit before.

use bygone_engine::document::{Documents, Listing};
use bygone_engine::store::{Decided, Snapshot};
use serde::{Deserialize, Serialize};

use super::super::InterfaceError;
use super::super::name::document;
use super::{SUBHEADS, SessionKey};

/// What is to be deleted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delete {
    /// The transcript; a main one with all others of its session.
    pub key: SessionKey,
}

/// What deleting came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deleted {
    /// How many transcripts were deleted.
    pub deleted: u64,
}

/// Decides on deleting a transcript, and with a main one all others of its session, and its summary. Costs what there are of
/// them, however long they are. Forks of it stay whole.
///
/// # Errors
/// [`InterfaceError::Request`] where the key is none; [`InterfaceError::Store`].
pub fn delete(snapshot: &Snapshot<'_>, request: &Delete) -> Result<Decided<Deleted>, InterfaceError> {
    let key = &request.key;
    let mut ids = vec![key.head()?];
    if key.subpath().is_none() {
        for found in snapshot.documents(&Listing::new(&SUBHEADS, &key.subpaths()?)) {
            ids.push(document(&SUBHEADS, found?.name)?);
        }
    }
    let mut documents = Documents::default();
    let mut n_deleted = 0;
    for id in ids {
        if snapshot.document(&id)?.is_some() {
            documents.remove(id);
            n_deleted += 1;
        }
    }
    if key.subpath().is_none() {
        documents.remove(key.summary()?);
    }
    Ok(Decided::nothing(Deleted { deleted: n_deleted }).with_documents(documents))
}
