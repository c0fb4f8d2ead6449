//! Where each record lives: order-preserving keys, documented one by one in `docs/format.md`.
//!
//! ```text
//! space u32 │ subject 16 │ predicate 8 │ key 8 │ …      a group is the first 36 bytes
//! ```

use serde::{Deserialize, Serialize};

use crate::history::Place;
use crate::id::{AssertionId, CheckpointId, EntityId, EpisodeId, FactId, hash_parts};
use crate::object::ObjectKey;
use crate::time::Instant;

/// The number a store gives a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct SpaceId(pub(crate) u32);

impl SpaceId {
    /// Stands where an entry of the log belongs to the store and to no space.
    pub(crate) const NONE: SpaceId = SpaceId(u32::MAX);
}

/// Names a group: all statements of one subject, predicate and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct GroupId {
    pub(crate) space: SpaceId,
    pub(crate) subject: EntityId,
    predicate: [u8; 8],
    key: [u8; 8],
}

fn short_hash(domain: &str, text: &str) -> [u8; 8] {
    let mut short = [0; 8];
    short.copy_from_slice(&hash_parts(domain, [text.as_bytes()])[..8]);
    short
}

/// Bytes of a group's key.
const GROUP_BYTES: usize = 36;

impl GroupId {
    pub(crate) fn new(space: SpaceId, subject: EntityId, predicate: &str, key: &str) -> GroupId {
        GroupId { space, subject, predicate: predicate_hash(predicate), key: short_hash("key", key) }
    }

    pub(crate) fn to_key(self) -> Vec<u8> {
        concat([&self.space.0.to_be_bytes(), &self.subject.0, &self.predicate, &self.key])
    }

    /// Reads the group from the front of a key.
    pub(crate) fn from_key(key: &[u8]) -> Option<GroupId> {
        let part = |range: std::ops::Range<usize>| key.get(range);
        Some(GroupId {
            space: SpaceId(u32::from_be_bytes(part(0..4)?.try_into().ok()?)),
            subject: EntityId(part(4..20)?.try_into().ok()?),
            predicate: part(20..28)?.try_into().ok()?,
            key: part(28..36)?.try_into().ok()?,
        })
    }
}

fn predicate_hash(predicate: &str) -> [u8; 8] {
    short_hash("predicate", predicate)
}

/// Encodes an instant so that bytes sort as time does.
pub(crate) fn instant_bytes(instant: Instant) -> [u8; 8] {
    (instant.micros().cast_unsigned() ^ (1 << 63)).to_be_bytes()
}

fn instant_from(bytes: [u8; 8]) -> Instant {
    Instant::from_raw((u64::from_be_bytes(bytes) ^ (1 << 63)).cast_signed())
}

pub(crate) fn concat<const N: usize>(parts: [&[u8]; N]) -> Vec<u8> {
    parts.concat()
}

/// The prefix of everything in a space.
pub(crate) fn space_prefix(space: SpaceId) -> Vec<u8> {
    space.0.to_be_bytes().to_vec()
}

/// The prefix of every group of a subject.
pub(crate) fn subject_prefix(space: SpaceId, subject: EntityId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &subject.0])
}

/// A log entry.
pub(crate) fn log(seq: u64) -> Vec<u8> {
    seq.to_be_bytes().to_vec()
}

/// What a row of a group's history is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryRow {
    /// Zones, which tell of chunks.
    Zones = 0,
    /// A chunk of statements.
    Chunk = 1,
}

/// A row of a group's history, by the place of the first statement in it or under it.
pub(crate) fn history(group: GroupId, row: HistoryRow, first: Place) -> Vec<u8> {
    let start = instant_bytes(first.start.unwrap_or(Instant::DISTANT_PAST));
    let is_dated = u8::from(first.start.is_some());
    concat([&group.to_key(), &[row as u8, is_dated], &start, &instant_bytes(first.known_at), &first.id.0])
}

/// The prefix of the rows of one kind of a group's history.
pub(crate) fn history_prefix(group: GroupId, row: HistoryRow) -> Vec<u8> {
    concat([&group.to_key(), &[row as u8]])
}

/// Reads what a row of history is.
pub(crate) fn history_row(row: &[u8]) -> Option<HistoryRow> {
    match row.get(GROUP_BYTES)? {
        0 => Some(HistoryRow::Zones),
        1 => Some(HistoryRow::Chunk),
        _ => None,
    }
}

/// Bytes of a statement's place.
const PLACE_BYTES: usize = GROUP_BYTES + 9;

/// Where a statement is kept: the group and the start of what it speaks of, with which its chunk is found.
pub(crate) fn place(group: GroupId, start: Option<Instant>) -> Vec<u8> {
    let is_dated = u8::from(start.is_some());
    concat([&group.to_key(), &[is_dated], &instant_bytes(start.unwrap_or(Instant::DISTANT_PAST))])
}

/// Where a statement is kept that is the whole of a turn, with the words of the turn.
pub(crate) fn place_with_words(group: GroupId, start: Option<Instant>, words: &str) -> Vec<u8> {
    concat([&place(group, start), &[WORDS], words.as_bytes()])
}

/// Stands between the place of a statement and words.
const WORDS: u8 = 1;

/// Reads where a statement is kept, whether or not words follow.
pub(crate) fn place_from(bytes: &[u8]) -> Option<(GroupId, Option<Instant>)> {
    let (place, words) = bytes.split_at_checked(PLACE_BYTES)?;
    if words.first().is_some_and(|first| *first != WORDS) {
        return None;
    }
    let (group, rest) = place.split_at(GROUP_BYTES);
    let (&is_dated, start) = rest.split_first()?;
    let start = instant_from(start.try_into().ok()?);
    Some((GroupId::from_key(group)?, (is_dated != 0).then_some(start)))
}

/// Reads the words of the turn that a statement is the whole of; `None` where it is not.
pub(crate) fn words_from(bytes: &[u8]) -> Option<&[u8]> {
    let (&first, words) = bytes.get(PLACE_BYTES..)?.split_first()?;
    (first == WORDS).then_some(words)
}

/// A current fact: the group, a byte that is 0 for undated facts, the start, the object.
pub(crate) fn current(group: GroupId, start: Option<Instant>, object: ObjectKey) -> Vec<u8> {
    let at = instant_bytes(start.unwrap_or(Instant::DISTANT_PAST));
    concat([&group.to_key(), &[u8::from(start.is_some())], &at, &object.0])
}

/// The prefix of the assertions that stand on a premise.
pub(crate) fn premise_prefix(space: SpaceId, premise: AssertionId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &premise.0])
}

/// A row that says which assertion stands on which premise.
pub(crate) fn premise(space: SpaceId, premise: AssertionId, conclusion: AssertionId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &premise.0, &conclusion.0])
}

/// An assertion by its id.
pub(crate) fn assertion(space: SpaceId, id: AssertionId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &id.0])
}

/// A fact by its id.
pub(crate) fn fact(space: SpaceId, id: FactId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &id.0])
}

/// An episode by its id.
pub(crate) fn episode(space: SpaceId, id: EpisodeId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &id.0])
}

/// A statement an episode makes.
pub(crate) fn episode_assertion(space: SpaceId, episode: EpisodeId, id: AssertionId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &episode.0, &id.0])
}

/// The prefix of a session's episodes.
pub(crate) fn session_prefix(space: SpaceId, session: &str) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &session_hash(session)])
}

/// An episode of a session, by position.
pub(crate) fn session_episode(space: SpaceId, session: &str, position: u64, id: EpisodeId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &session_hash(session), &position.to_be_bytes(), &id.0])
}

/// Names a session in keys.
pub(crate) fn session_hash(session: &str) -> [u8; 16] {
    hash_parts("session", [session.as_bytes()])
}

/// Who can take part in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Agent,
    User,
}

/// The prefix of the episodes somebody took part in.
pub(crate) fn participant_prefix(space: SpaceId, part: Part, name: &str) -> Vec<u8> {
    concat([&part_prefix(space, part), &hash_parts("participant", [name.as_bytes()])])
}

/// The prefix of the episodes that anybody took part in, as an agent or as a user.
pub(crate) fn part_prefix(space: SpaceId, part: Part) -> Vec<u8> {
    let part_byte = match part {
        Part::Agent => 0,
        Part::User => 1,
    };
    concat([&space.0.to_be_bytes(), &[part_byte]])
}

/// An episode somebody took part in, by when it was said.
pub(crate) fn participant(space: SpaceId, part: Part, name: &str, at: Instant, id: EpisodeId) -> Vec<u8> {
    concat([&participant_prefix(space, part, name), &instant_bytes(at), &id.0])
}

/// Reads whose row it is, as the prefix of all of theirs, and the instant and the episode, from a participant's key.
pub(crate) fn participant_from(row: &[u8]) -> Option<(&[u8], Instant, EpisodeId)> {
    let (rest, id) = row.split_last_chunk()?;
    let (prefix, at) = rest.split_last_chunk()?;
    Some((prefix, instant_from(*at), EpisodeId(*id)))
}

/// The prefix of the groups that mention an entity as object.
pub(crate) fn object_prefix(space: SpaceId, object: EntityId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &object.0])
}

/// A group that mentions an entity as object.
pub(crate) fn object_group(group: GroupId, object: EntityId) -> Vec<u8> {
    concat([&object_prefix(group.space, object), &group.to_key()])
}

/// An entity by its id.
pub(crate) fn entity(space: SpaceId, id: EntityId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &id.0])
}

/// A name of an entity: the folded text, a NUL, the entity.
pub(crate) fn name(space: SpaceId, folded: &str, id: EntityId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), folded.as_bytes(), &[0], &id.0])
}

/// Reads the folded text and the entity from a name's key.
pub(crate) fn name_from_key(key: &[u8]) -> Option<(&[u8], EntityId)> {
    let body = key.get(4..)?;
    let (text, id) = body.split_at_checked(body.len().checked_sub(17)?)?;
    Some((text, EntityId(id.get(1..)?.try_into().ok()?)))
}

/// The first episode that bears an id of its source.
pub(crate) fn native(space: SpaceId, native_id: &str) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &hash_parts("native", [native_id.as_bytes()])])
}

/// The prefix of what was set aside at a place of a document.
pub(crate) fn quarantine_prefix(space: SpaceId, document: &str, offset: u64) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &hash_parts("document", [document.as_bytes()]), &offset.to_be_bytes()])
}

/// A record that could not be read: by its bytes, too, since documents of one name may differ.
pub(crate) fn quarantine(space: SpaceId, document: &str, offset: u64, raw: &[u8]) -> Vec<u8> {
    concat([&quarantine_prefix(space, document, offset), &hash_parts("raw", [raw])])
}

/// What an operation came to, by its key.
pub(crate) fn operation(space: SpaceId, operation: &str) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &[0], &hash_parts("operation", [operation.as_bytes()])])
}

/// The operation that a commit did.
pub(crate) fn operation_in(space: SpaceId, seq: u64) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &[1], &seq.to_be_bytes()])
}

/// Bytes in front of the item in the key of a leaf of a work-set.
pub(crate) const WORK_PREFIX_BYTES: usize = 21;

fn work(space: SpaceId, part: u8, set: &str) -> [u8; WORK_PREFIX_BYTES] {
    let mut key = [0; WORK_PREFIX_BYTES];
    key[..4].copy_from_slice(&space.0.to_be_bytes());
    key[4] = part;
    key[5..].copy_from_slice(&hash_parts("work-set", [set.as_bytes()]));
    key
}

/// The prefix of the work-sets of a space.
pub(crate) fn work_sets(space: SpaceId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &[0]])
}

/// A work-set.
pub(crate) fn work_set(space: SpaceId, set: &str) -> Vec<u8> {
    work(space, 0, set).to_vec()
}

/// The prefix of the leaves of a work-set; the first item of a leaf follows.
pub(crate) fn work_leaves(space: SpaceId, set: &str) -> [u8; WORK_PREFIX_BYTES] {
    work(space, 1, set)
}

/// The prefix of the leaves of every work-set of a space.
pub(crate) fn all_work_leaves(space: SpaceId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &[1]])
}

/// A checkpoint.
pub(crate) fn checkpoint(space: SpaceId, id: CheckpointId) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &id.0])
}

/// A piece of the state of checkpoints.
pub(crate) fn blob(space: SpaceId, hash: &[u8; 16]) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), hash])
}

/// The most bytes of the name of a collection of documents.
pub(crate) const MAX_COLLECTION_BYTES: usize = 64;

/// Which versions of documents a row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentPart {
    /// What counts now.
    Current = 0,
    /// What counted before.
    Past = 1,
}

/// What a name's zero byte is written as, so that what ends a name sorts before whatever may follow in a longer one.
const ZERO: [u8; 2] = [0, u8::MAX];
/// Ends a name.
const NAME_END: [u8; 2] = [0, 0];

/// What names a document in keys: the collection after its length, the name, and its end.
pub(crate) fn document_tail(collection: &str, name: &[u8]) -> Vec<u8> {
    [document_tail_start(collection, name).as_slice(), &NAME_END].concat()
}

/// What the tails of all documents start with whose names start with some bytes.
pub(crate) fn document_tail_start(collection: &str, prefix: &[u8]) -> Vec<u8> {
    let mut tail = Vec::with_capacity(1 + collection.len() + prefix.len() + NAME_END.len());
    tail.push(u8::try_from(collection.len()).unwrap_or(u8::MAX));
    tail.extend_from_slice(collection.as_bytes());
    for &byte in prefix {
        match byte {
            0 => tail.extend_from_slice(&ZERO),
            _ => tail.push(byte),
        }
    }
    tail
}

/// A row of a document, or the prefix of its rows: what counts now, or, by the known instant behind it, what counted before.
pub(crate) fn document(space: SpaceId, part: DocumentPart, tail: &[u8]) -> Vec<u8> {
    concat([&space.0.to_be_bytes(), &[part as u8], tail])
}

/// The prefix of what counts now of the documents of a space.
pub(crate) fn current_documents(space: SpaceId) -> Vec<u8> {
    document(space, DocumentPart::Current, &[])
}

/// A version of a document that counted before.
pub(crate) fn document_version(space: SpaceId, tail: &[u8], at: Instant) -> Vec<u8> {
    concat([&document(space, DocumentPart::Past, tail), &instant_bytes(at)])
}

/// Reads the part, the tail and, of what counted before, the known instant from a document's key.
pub(crate) fn document_from(row: &[u8]) -> Option<(DocumentPart, &[u8], Option<Instant>)> {
    let (&part, rest) = row.get(4..)?.split_first()?;
    match part {
        0 => document_named(rest).map(|_| (DocumentPart::Current, rest, None)),
        1 => {
            let (tail, at) = rest.split_last_chunk()?;
            document_named(tail).map(|_| (DocumentPart::Past, tail, Some(instant_from(*at))))
        }
        _ => None,
    }
}

/// Reads the collection and the name from a document's tail.
pub(crate) fn document_named(tail: &[u8]) -> Option<(&str, Vec<u8>)> {
    let (&length, rest) = tail.split_first()?;
    let (collection, mut rest) = rest.split_at_checked(length.into())?;
    let mut name = Vec::with_capacity(rest.len());
    loop {
        match rest {
            [0, 0] => return Some((std::str::from_utf8(collection).ok()?, name)),
            [0, u8::MAX, after @ ..] => {
                name.push(0);
                rest = after;
            }
            [0, ..] | [] => return None,
            [byte, after @ ..] => {
                name.push(*byte);
                rest = after;
            }
        }
    }
}

/// The least key that is greater than every key with the prefix; `None` where there is none.
pub(crate) fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn instants_sort_as_their_bytes(one: i64, other: i64) {
            let (one, other) = (Instant::from_raw(one), Instant::from_raw(other));
            prop_assert_eq!(one.cmp(&other), instant_bytes(one).cmp(&instant_bytes(other)));
            }

        #[test]
        fn documents_sort_by_their_names_and_read_back(
            one in proptest::collection::vec(0_u8..3, 0..6),
            other in proptest::collection::vec(0_u8..3, 0..6),
            at: i64,
        ) {
            let (space, at) = (SpaceId(7), Instant::from_raw(at));
            let row = |name: &[u8]| document(space, DocumentPart::Current, &document_tail("c", name));
            prop_assert_eq!(one.cmp(&other), row(&one).cmp(&row(&other)));
            let tail = document_tail("c", &one);
            prop_assert_eq!(other.starts_with(&one), document_tail("c", &other).starts_with(&document_tail_start("c", &one)));
            prop_assert_eq!(document_named(&tail), Some(("c", one)));
            let past = document_version(space, &tail, at);
            prop_assert_eq!(document_from(&past), Some((DocumentPart::Past, tail.as_slice(), Some(at))));
            // What a document's rows start with, no other's do.
            let is_other = document_tail("c", &other) != tail;
            prop_assert!(!(is_other && document_tail("c", &other).starts_with(&tail)));
        }

        #[test]
        fn whatever_the_bytes_of_a_document_s_key_nothing_panics(bytes: Vec<u8>) {
            prop_assert!(document_from(&bytes).is_none_or(|(_, tail, _)| document_named(tail).is_some()));
        }

        #[test]
        fn the_end_of_a_prefix_bounds_exactly_its_keys(prefix: Vec<u8>, key: Vec<u8>) {
            let inside = key.starts_with(&prefix);
            let below_end = after_prefix(&prefix).is_none_or(|end| key < end);
            prop_assert_eq!(inside, key >= prefix && below_end);
        }
    }

    #[test]
    fn a_group_reads_back_from_its_key() {
        let group = GroupId::new(SpaceId(7), EntityId([3; 16]), "works_at", "side");
        let first = Place { start: None, known_at: Instant::FIRST, id: AssertionId([1; 16]) };
        let key = history(group, HistoryRow::Chunk, first);
        assert_eq!(GroupId::from_key(&key), Some(group));
        assert_eq!(GroupId::from_key(&key[..35]), None);
        assert_eq!(history_row(&key), Some(HistoryRow::Chunk));
        for start in [None, Some(Instant::FIRST)] {
            assert_eq!(place_from(&place(group, start)), Some((group, start)));
            assert_eq!(words_from(&place(group, start)), None);
            for words in ["", "words"] {
                let with_words = place_with_words(group, start, words);
                assert_eq!(place_from(&with_words), Some((group, start)));
                assert_eq!(words_from(&with_words), Some(words.as_bytes()));
            }
            assert_eq!(place_from(&[place(group, start), vec![7]].concat()), None);
        }
    }
}
