//! Which ids repeat in a file.
//!
//! Only hashes are held. Should two of them meet by chance, a remark is wrong or missing, and where the first record of an
//! id counts a turn may be set aside; its bytes are kept there.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Turn;

/// Hashes a value for the time of one reading.
pub(super) fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The ids that were seen, and what was said first under each of them.
#[derive(Default)]
pub(super) struct Repeats(BTreeMap<u64, u64>);

impl Repeats {
    /// Takes an id and what is said under it; says whether something else was said first.
    pub(super) fn is_conflict(&mut self, id: &str, content: u64) -> bool {
        *self.0.entry(hash_of(id)).or_insert(content) != content
    }

    /// Takes a turn of a format in which both turns of an id are kept: notes where other words stand above under its id.
    pub(super) fn note(&mut self, turn: &Turn, problems: &mut Vec<String>) {
        let episode = &turn.episode;
        if let Some(id) = &episode.native_id
            && self.is_conflict(id, hash_of(&(episode.role as u8, &episode.text)))
        {
            problems.push(format!("id {id:?} stands above with other content; both are kept"));
        }
    }

    /// Takes a turn of a format in which the first turn of an id counts: returns why it does not.
    pub(super) fn refusal(&mut self, turn: &Turn) -> Option<String> {
        let id = turn.episode.native_id.as_ref()?;
        let is_conflict = self.is_conflict(id, hash_of(&turn.episode.id));
        is_conflict.then(|| format!("the id {id:?} stands above with other content; the first one counts"))
    }
}
