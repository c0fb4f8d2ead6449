//! Finding documents and their versions.
//!
//! A row's key is the space, a part, and the **tail**, which names the document in both parts alike: what counts now is in one
//! part, what counted before in the other, with the known instant behind the tail.

use std::ops::Bound;

use super::{Collection, DocumentId, Listing, Order, Row, Version};
use crate::backend::{Reader, Table};
use crate::error::StoreError;
use crate::key::{self, DocumentPart, SpaceId};
use crate::time::Instant;

/// What names a document in keys.
pub(crate) type Tail = Vec<u8>;

/// Up to where versions are seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    /// The last known instant.
    pub(crate) known: Instant,
    /// The last commit.
    pub(crate) seq: u64,
}

impl Until {
    fn sees(&self, version: &Version) -> bool {
        version.at <= self.known && version.seq <= self.seq
    }
}

/// Returns what counts now of a document; nothing where it is not there.
pub(crate) fn current(
    reader: &dyn Reader,
    space: SpaceId,
    tail: &[u8],
) -> Result<Option<Version>, StoreError> {
    let row = reader.read(Table::Documents, &key::document(space, DocumentPart::Current, tail))?;
    row.map(|row| Row::decode(&row)).transpose()
}

/// Returns the last version of a document that is seen, a removal too.
pub(crate) fn version_at(
    reader: &dyn Reader,
    space: SpaceId,
    tail: &[u8],
    until: Until,
) -> Result<Option<Version>, StoreError> {
    if let Some(version) = current(reader, space, tail)?
        && until.sees(&version)
    {
        return Ok(Some(version));
    }
    let from = key::document(space, DocumentPart::Past, tail);
    let to = key::document_version(space, tail, until.known);
    for pair in reader.scan_back(Table::Documents, Bound::Included(&from), Bound::Included(&to)) {
        let version = Row::decode(&pair?.1)?;
        if until.sees(&version) {
            return Ok(Some(version));
        }
    }
    Ok(None)
}

/// Returns the last version of a document, a removal too.
pub(crate) fn last(reader: &dyn Reader, space: SpaceId, tail: &[u8]) -> Result<Option<Version>, StoreError> {
    version_at(reader, space, tail, Until { known: Instant::DISTANT_FUTURE, seq: u64::MAX })
}

/// Returns the versions of a document, in order.
pub(crate) fn versions(reader: &dyn Reader, space: SpaceId, tail: &[u8]) -> Result<Vec<Version>, StoreError> {
    let past = reader.scan_prefix(Table::Documents, &key::document(space, DocumentPart::Past, tail));
    let mut versions = past.map(|pair| Row::decode(&pair?.1)).collect::<Result<Vec<_>, _>>()?;
    versions.extend(current(reader, space, tail)?);
    Ok(versions)
}

/// Walks the documents of a range of tails, by what counts now or did before.
pub(crate) struct Walk<'r> {
    reader: &'r dyn Reader,
    space: SpaceId,
    /// Tails from the first one, included, to the second one, excluded.
    range: (Tail, Tail),
    order: Order,
}

impl<'r> Walk<'r> {
    /// Walks the documents of a list.
    pub(crate) fn of(reader: &'r dyn Reader, space: SpaceId, listing: &Listing<'_>) -> Walk<'r> {
        Walk { reader, space, range: range(listing), order: listing.order }
    }

    /// Walks all documents of a space.
    pub(crate) fn all(reader: &'r dyn Reader, space: SpaceId) -> Walk<'r> {
        // A tail starts with the length of the collection's name.
        Walk { reader, space, range: (Vec::new(), vec![u8::MAX]), order: Order::Ascending }
    }

    /// Returns what counts now of the documents that are there.
    pub(crate) fn current(self) -> impl Iterator<Item = Result<(Tail, Version), StoreError>> + 'r {
        let (from, to) = self.keys(DocumentPart::Current);
        let (from, to) = (Bound::Included(from.as_slice()), Bound::Excluded(to.as_slice()));
        let rows = if from == to || self.range.0 >= self.range.1 {
            Box::new(std::iter::empty())
        } else {
            match self.order {
                Order::Ascending => self.reader.scan(Table::Documents, from, to),
                Order::Descending => self.reader.scan_back(Table::Documents, from, to),
            }
        };
        rows.map(|pair| {
            let (row, value) = pair?;
            Ok((tail_of(&row)?, Row::decode(&value)?))
        })
    }

    fn keys(&self, part: DocumentPart) -> (Vec<u8>, Vec<u8>) {
        (key::document(self.space, part, &self.range.0), key::document(self.space, part, &self.range.1))
    }

    fn step(&mut self) -> Result<Option<Tail>, StoreError> {
        if self.range.0 >= self.range.1 {
            return Ok(None);
        }
        let mut nearest: Option<Tail> = None;
        for part in [DocumentPart::Current, DocumentPart::Past] {
            let (from, to) = self.keys(part);
            let (from, to) = (Bound::Included(from.as_slice()), Bound::Excluded(to.as_slice()));
            let row = match self.order {
                Order::Ascending => self.reader.scan(Table::Documents, from, to).next(),
                Order::Descending => self.reader.scan_back(Table::Documents, from, to).next(),
            };
            let Some((row, _)) = row.transpose()? else { continue };
            let tail = tail_of(&row)?;
            nearest = Some(match (nearest, self.order) {
                (None, _) => tail,
                (Some(other), Order::Ascending) => other.min(tail),
                (Some(other), Order::Descending) => other.max(tail),
            });
        }
        if let Some(tail) = &nearest {
            match self.order {
                Order::Ascending => {
                    self.range.0 = key::after_prefix(tail).unwrap_or_else(|| self.range.1.clone());
                }
                Order::Descending => self.range.1.clone_from(tail),
            }
        }
        Ok(nearest)
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Tail, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

/// Returns the tails of a list, from the first one, included, to the second one, excluded.
fn range(listing: &Listing<'_>) -> (Tail, Tail) {
    let Listing { collection, prefix, after, order } = listing;
    let start = key::document_tail_start(collection.name(), prefix);
    let end = key::after_prefix(&start).unwrap_or_else(|| vec![u8::MAX]);
    let Some(after) = after else { return (start, end) };
    let cursor = key::document_tail(collection.name(), after);
    match order {
        // A name that does not start with the prefix is a cursor, too: nothing outside the prefix is shown.
        Order::Ascending => (key::after_prefix(&cursor).unwrap_or(cursor).max(start), end),
        Order::Descending => (start, cursor.min(end)),
    }
}

/// Reads the tail from a row's key.
fn tail_of(row: &[u8]) -> Result<Tail, StoreError> {
    let tail = key::document_from(row).map(|(_, tail, _)| tail.to_vec());
    tail.ok_or_else(|| StoreError::corrupt("the key of a document does not decode"))
}

/// Reads which document a tail names.
pub(super) fn id_of(tail: &[u8]) -> Result<DocumentId, StoreError> {
    let id = key::document_named(tail).and_then(|(collection, name)| {
        let collection = Collection::new(collection).ok()?;
        DocumentId::new(&collection, name).ok()
    });
    id.ok_or_else(|| StoreError::corrupt("the key of a document names none"))
}

impl DocumentId {
    /// Returns what names the document in keys.
    pub(crate) fn tail(&self) -> Tail {
        key::document_tail(self.collection.name(), &self.name)
    }

    /// Reads which document a tail names.
    pub(crate) fn from_tail(tail: &[u8]) -> Result<DocumentId, StoreError> {
        id_of(tail)
    }
}
