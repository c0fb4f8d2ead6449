//! Which pieces a state consists of, whole or as what differs from another checkpoint's.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Hash;
use crate::id::CheckpointId;

/// How many checkpoints are read at most to tell the pieces of one (chosen, untested).
pub(super) const LONGEST_CHAIN: u32 = 128;

/// The pieces of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Manifest {
    /// Every piece, in order.
    Whole(Vec<Hash>),
    /// Those of another checkpoint, changed.
    Changed {
        /// The other checkpoint.
        base: CheckpointId,
        /// How many checkpoints have to be read, this one included.
        chain: u32,
        /// What to do, in order.
        edits: Vec<Edit>,
    },
}

/// Pieces that come next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Edit {
    /// Some of the base's: from a place on, so many.
    Keep(u32, u32),
    /// Others.
    Put(Vec<Hash>),
}

/// Tells pieces by those of another state.
pub(super) fn edits(before: &[Hash], after: &[Hash]) -> Vec<Edit> {
    let mut places: BTreeMap<&Hash, usize> = BTreeMap::new();
    for (place, hash) in before.iter().enumerate() {
        places.entry(hash).or_insert(place);
    }
    let mut edits: Vec<Edit> = Vec::new();
    // The place that follows what was kept last: most often that is what comes next, also of a piece that stands twice.
    let mut next = 0;
    for hash in after {
        let place = if before.get(next) == Some(hash) { Some(next) } else { places.get(hash).copied() };
        match (place, edits.last_mut()) {
            (Some(place), Some(Edit::Keep(from, n))) if *from as usize + *n as usize == place => *n += 1,
            (Some(place), _) => edits.push(Edit::Keep(number(place), 1)),
            (None, Some(Edit::Put(hashes))) => hashes.push(*hash),
            (None, _) => edits.push(Edit::Put(vec![*hash])),
        }
        if let Some(place) = place {
            next = place + 1;
        }
    }
    edits
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("a state of at most a gigabyte has fewer pieces")
}

/// Returns the pieces that edits make of others; `None` where they keep what is not there.
pub(super) fn edited(before: &[Hash], edits: &[Edit]) -> Option<Vec<Hash>> {
    let mut after = Vec::with_capacity(before.len());
    for edit in edits {
        match edit {
            Edit::Keep(from, n) => {
                let from = *from as usize;
                after.extend_from_slice(before.get(from..from.checked_add(*n as usize)?)?);
            }
            Edit::Put(hashes) => after.extend_from_slice(hashes),
        }
    }
    Some(after)
}

/// Returns, for each piece that edits put first or last of several in a row, the piece that stood there before: it may have
/// much of the new one.
pub(super) fn neighbours<'h>(before: &'h [Hash], edits: &'h [Edit]) -> BTreeMap<&'h Hash, &'h Hash> {
    let mut neighbours = BTreeMap::new();
    for (idx, edit) in edits.iter().enumerate() {
        let Edit::Put(hashes) = edit else { continue };
        let start = match idx.checked_sub(1).map(|before| &edits[before]) {
            Some(Edit::Keep(from, n)) => *from as usize + *n as usize,
            _ => 0,
        };
        let end = match edits.get(idx + 1) {
            Some(Edit::Keep(from, _)) => *from as usize,
            _ => before.len(),
        };
        let Some(replaced) = before.get(start..end).filter(|replaced| !replaced.is_empty()) else { continue };
        if let (Some(first), Some(last)) = (hashes.first(), hashes.last()) {
            neighbours.insert(last, &replaced[replaced.len() - 1]);
            neighbours.insert(first, &replaced[0]);
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn edits_make_the_one_of_the_other(before in proptest::collection::vec(0..9_u8, 0..40), after in proptest::collection::vec(0..12_u8, 0..40)) {
            let hashes = |numbers: &[u8]| numbers.iter().map(|number| [*number; 16]).collect::<Vec<_>>();
            let (before, after) = (hashes(&before), hashes(&after));
            prop_assert_eq!(edited(&before, &edits(&before, &after)), Some(after));
        }
    }

    #[test]
    fn one_piece_more_is_told_in_three_edits() {
        let before: Vec<Hash> = (0..100).map(|n| [n; 16]).collect();
        let mut after = before.clone();
        after.splice(50..51, [[200; 16], [201; 16]]);
        let edits = edits(&before, &after);
        assert_eq!(edits, [Edit::Keep(0, 50), Edit::Put(vec![[200; 16], [201; 16]]), Edit::Keep(51, 49)]);
        let neighbours = neighbours(&before, &edits);
        assert_eq!(neighbours.get(&[200; 16]), Some(&&[50; 16]));
        assert_eq!(neighbours.get(&[201; 16]), Some(&&[50; 16]));
        assert_eq!(edited(&before[..60], &edits), None);
    }
}
