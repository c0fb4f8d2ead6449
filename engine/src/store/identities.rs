//! The statements of identity of the space that was asked about last, kept from one view to the next while nothing is recorded.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::StoreError;
use crate::key::SpaceId;
use crate::record::Recorded;

/// What was read last.
#[derive(Default)]
pub(super) struct Identities(Mutex<Option<Kept>>);

struct Kept {
    space: SpaceId,
    /// The last commit of the image they were read from.
    seq: u64,
    statements: Arc<Vec<Recorded>>,
}

impl Identities {
    /// Returns the statements of identity of a space in an image of the store after a commit: those that were read from such
    /// an image, or what is read now.
    pub(super) fn at(
        &self,
        space: SpaceId,
        seq: u64,
        read: impl FnOnce() -> Result<Vec<Recorded>, StoreError>,
    ) -> Result<Arc<Vec<Recorded>>, StoreError> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept().as_ref().filter(|kept| kept.space == space && kept.seq == seq) {
            return Ok(Arc::clone(&kept.statements));
        }
        // Others need not wait while they are read.
        let statements = Arc::new(read()?);
        *kept() = Some(Kept { space, seq, statements: Arc::clone(&statements) });
        Ok(statements)
    }
}
