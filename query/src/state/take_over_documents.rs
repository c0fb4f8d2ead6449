//! Documents, taken over from another store version by version: with the times at which they were known there, and recorded
//! now. What is there already stays as it is; a document that has another history here keeps that.

use std::collections::BTreeMap;

use bygone_engine::View;
use bygone_engine::document::{DocumentId, ToldDocument};
use bygone_engine::store::{Decided, Place, Recording, Snapshot, Space};
use bygone_engine::time::Instant;
use bygone_engine::wire::DocumentPart;
use serde::{Deserialize, Serialize};

use super::StateError;

/// How many versions are recorded together at most.
const VERSIONS: usize = 512;
/// How many bytes of them at most, unless one version alone has more.
const BYTES: usize = 4 << 20;

/// What came of versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TookDocuments {
    /// How many were not known.
    pub n_taken: u64,
    /// What was refused: by the line, and why.
    pub refused: Vec<(u64, String)>,
}

/// Versions that came, until there are enough for a commit.
#[derive(Debug, Default)]
pub struct ArrivingDocuments {
    whole: Vec<(u64, ToldDocument)>,
    n_bytes: usize,
    /// One of which more pieces are to come, and how many came.
    begun: Option<(ToldDocument, u64)>,
}

impl ArrivingDocuments {
    /// Takes a version, or a piece of one, from a line.
    ///
    /// # Errors
    /// [`StateError::Missing`] where the piece before it did not come.
    pub fn take(&mut self, line: u64, part: DocumentPart) -> Result<(), StateError> {
        let DocumentPart { told, part, of } = part;
        let told = match (self.begun.take(), part) {
            (_, 1) => told,
            (Some((mut begun, n_parts)), _)
                if n_parts + 1 == part && begun.id == told.id && begun.at == told.at =>
            {
                if let (Some(content), Some(more)) = (&mut begun.content, told.content) {
                    content.bytes.extend(more.bytes);
                }
                begun
            }
            (_, _) => {
                return Err(StateError::Missing(format!(
                    "piece {part} of document {} came without the one before it",
                    shown(&told.id)
                )));
            }
        };
        if part == of {
            self.n_bytes += told.content.as_ref().map_or(0, |content| content.bytes.len());
            self.whole.push((line, told));
        } else {
            self.begun = Some((told, part));
        }
        Ok(())
    }

    /// Says whether there are enough for a commit.
    pub fn are_enough(&self) -> bool {
        self.whole.len() >= VERSIONS || self.n_bytes >= BYTES
    }

    /// Records what came.
    ///
    /// # Errors
    /// [`StateError::Store`].
    pub fn take_over(&mut self, space: &Space<'_>, now: Instant) -> Result<TookDocuments, StateError> {
        self.n_bytes = 0;
        let told = std::mem::take(&mut self.whole);
        if told.is_empty() {
            return Ok(TookDocuments::default());
        }
        space.decide(None, now, |snapshot, place| take_over_documents(snapshot, place, told))
    }
}

/// Decides on taking over versions.
fn take_over_documents(
    snapshot: &Snapshot<'_>,
    place: Place,
    told: Vec<(u64, ToldDocument)>,
) -> Result<Decided<TookDocuments>, StateError> {
    let mut took = TookDocuments::default();
    let mut taken = Vec::new();
    // When the last version of each is known, and whether it keeps something.
    let mut last: BTreeMap<DocumentId, Option<(Instant, bool)>> = BTreeMap::new();
    for (line, told) in told {
        let before = if let Some(before) = last.get(&told.id) {
            *before
        } else {
            let version = snapshot.version_in(&told.id, &View::LATEST)?;
            version.map(|version| (version.at, version.content.is_some()))
        };
        let is_known = |told: &ToldDocument| -> Result<bool, StateError> {
            let version = snapshot.version_in(&told.id, &View::known_at(told.at))?;
            Ok(version.is_some_and(|version| version.at == told.at && version.content == told.content))
        };
        let refusal = match before {
            Some((at, _)) if at >= told.at => {
                if is_known(&told)? {
                    continue;
                }
                "has another history here"
            }
            _ if told.at >= place.at => "was known only later than now",
            before if told.content.is_none() && !before.is_some_and(|(_, is_kept)| is_kept) => {
                "was removed where nothing was kept"
            }
            _ => {
                last.insert(told.id.clone(), Some((told.at, told.content.is_some())));
                taken.push(told);
                took.n_taken += 1;
                continue;
            }
        };
        took.refused.push((line, format!("document {} {refusal}", shown(&told.id))));
    }
    Ok(Decided::record(Recording::default(), took).with_told_documents(taken))
}

fn shown(id: &DocumentId) -> String {
    format!("{:?} of {:?}", id.name().escape_ascii().to_string(), id.collection().name())
}
