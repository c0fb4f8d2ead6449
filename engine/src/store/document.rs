//! Reading documents: as they are, as a view has them, and what they were.

use super::{Seen, Snapshot};
use crate::document::{
    Document, DocumentId, Listing, ToldDocument, Until, Version, Walk, current, version_at, versions,
};
use crate::error::StoreError;
use crate::time::Instant;
use crate::view::View;

impl Snapshot<'_> {
    /// Returns a document as it is.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn document(&self, id: &DocumentId) -> Result<Option<Document>, StoreError> {
        let version = current(&*self.reader, self.space, &id.tail())?;
        Ok(version.and_then(|version| Document::new(id.name().to_vec(), version)))
    }

    /// Returns a document as a view has it: as of a known instant, a commit, or both. Documents stand in no session, and
    /// what a view listens to does not matter.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn document_in(&self, id: &DocumentId, view: &View) -> Result<Option<Document>, StoreError> {
        let version = version_at(&*self.reader, self.space, &id.tail(), self.until(view)?)?;
        Ok(version.and_then(|version| Document::new(id.name().to_vec(), version)))
    }

    /// Lists documents as they are.
    pub fn documents(
        &self,
        listing: &Listing<'_>,
    ) -> impl Iterator<Item = Result<Document, StoreError>> + '_ {
        let walk = Walk::of(&*self.reader, self.space, listing);
        walk.current()
            .filter_map(|found| found.and_then(|(tail, version)| document(&tail, version)).transpose())
    }

    /// Lists documents as a view has them. Each costs a search among its versions.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn documents_in(
        &self,
        listing: &Listing<'_>,
        view: &View,
    ) -> Result<impl Iterator<Item = Result<Document, StoreError>> + '_, StoreError> {
        let until = self.until(view)?;
        let walk = Walk::of(&*self.reader, self.space, listing);
        Ok(walk.filter_map(move |tail| {
            let found = tail.and_then(|tail| match version_at(&*self.reader, self.space, &tail, until)? {
                Some(version) => document(&tail, version),
                None => Ok(None),
            });
            found.transpose()
        }))
    }

    /// Lists the names of documents that are there, or were.
    pub fn document_names(
        &self,
        listing: &Listing<'_>,
    ) -> impl Iterator<Item = Result<Vec<u8>, StoreError>> + '_ {
        let walk = Walk::of(&*self.reader, self.space, listing);
        walk.map(|tail| Ok(DocumentId::from_tail(&tail?)?.name().to_vec()))
    }

    /// Returns the versions of a document, in order, the removals among them.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn document_versions(&self, id: &DocumentId) -> Result<Vec<Version>, StoreError> {
        versions(&*self.reader, self.space, &id.tail())
    }

    /// Returns the last version of a document that a view has, also where that is its removal.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn version_in(&self, id: &DocumentId, view: &View) -> Result<Option<Version>, StoreError> {
        version_at(&*self.reader, self.space, &id.tail(), self.until(view)?)
    }

    /// Tells every version of every document, as another store can take it over: by collection and name, then in order.
    pub fn told_documents(&self) -> impl Iterator<Item = Result<ToldDocument, StoreError>> + '_ {
        Walk::all(&*self.reader, self.space).flat_map(|tail| {
            let told = tail.and_then(|tail| {
                let id = DocumentId::from_tail(&tail)?;
                let told = |Version { at, content, .. }| ToldDocument { id: id.clone(), at, content };
                Ok(versions(&*self.reader, self.space, &tail)?.into_iter().map(told).collect::<Vec<_>>())
            });
            let (told, error) = match told {
                Ok(told) => (told, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            told.into_iter().map(Ok).chain(error)
        })
    }

    fn until(&self, view: &View) -> Result<Until, StoreError> {
        let seq = self.last_seen(view.recorded)?;
        // What a commit made was known by then, so a search among versions starts where the commit is.
        let stamp = if seq == self.last_seq()? {
            Instant::DISTANT_FUTURE
        } else {
            self.stamp(seq)?.unwrap_or(Instant::DISTANT_PAST)
        };
        Ok(Until { known: view.known.min(stamp), seq })
    }
}

impl Seen<'_> {
    /// Returns a document as the view has it.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn document(&self, id: &DocumentId) -> Result<Option<Document>, StoreError> {
        self.snapshot().document_in(id, self.view())
    }
}

fn document(tail: &[u8], version: Version) -> Result<Option<Document>, StoreError> {
    Ok(Document::new(DocumentId::from_tail(tail)?.name().to_vec(), version))
}
