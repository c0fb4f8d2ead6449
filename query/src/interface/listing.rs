//! Pages of lists.

use bygone_engine::document::{Document, Listing};
use bygone_engine::store::Snapshot;
use bygone_engine::{StoreError, View};

use super::InterfaceError;

/// How many rows a page has where nobody says it (chosen, untested).
const DEFAULT_LIMIT: usize = 1_000;
/// How many rows a page has at most (chosen, untested).
const MOST: usize = 10_000;
/// How many bytes a page has before it ends (chosen, untested).
pub(super) const PAGE_BYTES: usize = 8 << 20;

/// Returns how many rows a page has.
///
/// # Errors
/// [`InterfaceError::Request`] for none.
pub(super) fn limit(asked: Option<usize>) -> Result<usize, InterfaceError> {
    match asked {
        Some(0) => Err(InterfaceError::Request("limit is 0: expected a number from 1 on".to_owned())),
        asked => Ok(asked.unwrap_or(DEFAULT_LIMIT).min(MOST)),
    }
}

/// Documents, one after another.
pub(super) type Found<'a> = Box<dyn Iterator<Item = Result<Document, StoreError>> + 'a>;

/// Lists documents as a view has them; as they are where it is the latest one, which needs no search among versions.
pub(super) fn documents<'a>(
    snapshot: &'a Snapshot<'_>,
    listing: &Listing<'_>,
    view: &View,
) -> Result<Found<'a>, StoreError> {
    if *view == View::LATEST {
        return Ok(Box::new(snapshot.documents(listing)));
    }
    Ok(Box::new(snapshot.documents_in(listing, view)?))
}

/// Returns documents as a view has them, up to a page's end, and whether there are more.
pub(super) fn page(
    snapshot: &Snapshot<'_>,
    listing: &Listing<'_>,
    view: &View,
    limit: usize,
) -> Result<(Vec<Document>, bool), InterfaceError> {
    let mut found = documents(snapshot, listing, view)?;
    let (mut documents, mut n_bytes) = (Vec::new(), 0);
    for document in found.by_ref() {
        let document = document?;
        n_bytes += document.content.bytes.len();
        documents.push(document);
        if documents.len() == limit || n_bytes >= PAGE_BYTES {
            let has_more = found.next().transpose()?.is_some();
            return Ok((documents, has_more));
        }
    }
    Ok((documents, false))
}
