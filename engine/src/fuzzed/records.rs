//! What holds of records: bytes that are none are told, and what is read of bytes is written so that it reads the same.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::backend::{Backend, Batch, Memory, Table};
use crate::checkpoint::{CheckpointRecord, blob};
use crate::codec::{decode, encode};
use crate::fact::row;
use crate::history::chunk::{self, Chunk};
use crate::history::{marks, zone};
use crate::key::{self, SpaceId};
use crate::record::{
    Declared, EntityRecord, GroupRecord, LogEntry, Participation, Quarantined, Recorded, RecordedEpisode,
};
use crate::store::decide::Outcome;
use crate::store::meta::Counters;
use crate::vector::{ModelName, manifest_again};
use crate::work::{Leaf, SetRecord};

/// Reads bytes as a record of one kind.
type Check = fn(&[u8]);

/// Every kind of record, by the letter that stands before its bytes.
const KINDS: [(u8, Check); 18] = [
    (b'l', plain::<LogEntry>),
    (b'e', plain::<RecordedEpisode>),
    (b'a', plain::<Recorded>),
    (b'g', plain::<GroupRecord>),
    (b'p', plain::<Participation>),
    (b'n', plain::<EntityRecord>),
    (b'q', plain::<Quarantined>),
    (b'd', plain::<Declared>),
    (b's', plain::<SetRecord>),
    (b'c', plain::<CheckpointRecord>),
    (b'o', plain::<Outcome>),
    (b'm', plain::<ModelName>),
    (b'k', plain::<Counters>),
    (b'h', chunks),
    (b'z', zones),
    (b'f', facts),
    (b'w', leaves),
    (b'b', pieces),
];

/// Reads the bytes as a record of the kind that the first of them names, or else as the manifest of the vectors.
///
/// # Panics
/// Where a law of records does not hold.
pub fn check_record(bytes: &[u8]) {
    let Some((letter, body)) = bytes.split_first() else { return };
    match KINDS.iter().find(|(kind, _)| kind == letter) {
        Some((_, check)) => check(body),
        None => manifests(body),
    }
}

/// What was read, as text: what is no number is equal to itself there.
fn shown(read: &impl Debug) -> String {
    format!("{read:?}")
}

fn plain<T: Serialize + DeserializeOwned + Debug>(bytes: &[u8]) {
    let Ok(record) = decode::<T>("a record", bytes) else { return };
    let again = encode(&record);
    let read = decode::<T>("a record", &again).expect("what was written reads");
    assert_eq!(shown(&read), shown(&record));
    assert_eq!(encode(&read), again);
}

fn chunks(bytes: &[u8]) {
    let Ok(chunk) = Chunk::read(bytes) else { return };
    for at in 0..chunk.len() {
        drop((chunk.place(at), chunk.mark(at)));
    }
    drop(chunk.zone());
    let Ok(statements) = chunk.statements() else { return };
    let again = chunk::encode(&statements, &marks(&statements));
    let read = Chunk::read(&again).and_then(|chunk| chunk.statements()).expect("what was written reads");
    assert_eq!(shown(&read), shown(&statements));
    if let Ok(Some(taken)) = chunk::with(&chunk, &[]) {
        let read =
            Chunk::read(&taken).and_then(|chunk| chunk.statements()).expect("what was taken over reads");
        assert_eq!(shown(&read), shown(&statements));
    }
}

fn zones(bytes: &[u8]) {
    let Ok(zones) = zone::decode(bytes) else { return };
    assert_eq!(zone::decode(&zone::encode(&zones)).expect("what was written reads"), zones);
}

fn facts(bytes: &[u8]) {
    let Ok(fact) = row::decode(bytes) else { return };
    let again = row::encode(&fact);
    let read = row::decode(&again).expect("what was written reads");
    assert_eq!(shown(&read), shown(&fact));
    assert_eq!(row::encode(&read), again);
}

fn leaves(bytes: &[u8]) {
    drop(Leaf::decode_summary(bytes));
    let Ok(leaf) = Leaf::decode(bytes) else { return };
    let again = leaf.encode();
    assert_eq!(Leaf::decode(&again).expect("what was written reads"), leaf);
    assert_eq!(Leaf::decode_summary(&again).expect("what was written reads"), leaf.summary());
}

/// The first half of the bytes is a piece, and the second one is told by it, or is a row's value as it stands.
fn pieces(bytes: &[u8]) {
    const SPACE: SpaceId = SpaceId(7);
    let (base, piece) = bytes.split_at(bytes.len() / 2);
    // A piece is never told by itself.
    let by = blob::by(&blob::hash(base), base, 0, piece).filter(|_| base != piece);
    let is_told = by.is_some();
    let memory = Memory::new();
    let mut batch = Batch::default();
    let mut put = |name: &[u8; 16], value: Vec<u8>| batch.put(Table::Blobs, key::blob(SPACE, name), value);
    put(&blob::hash(base), blob::whole(base));
    put(&blob::hash(piece), by.unwrap_or_else(|| blob::whole(piece)));
    put(&[0; 16], piece.to_vec());
    memory.commit(&batch).expect("memory takes it");
    let snapshot = memory.snapshot();
    let read = blob::read(&*snapshot, SPACE, &blob::hash(piece)).expect("what was written reads");
    assert_eq!(read, (piece.to_vec(), u8::from(is_told)));
    assert!(blob::read(&*snapshot, SPACE, &[0; 16]).is_err(), "bytes that nobody hashed are a piece");
}

fn manifests(bytes: &[u8]) {
    if let Some(again) = manifest_again(bytes) {
        let (body, _) = again.split_last_chunk::<32>().expect("a hash ends it");
        assert_eq!(manifest_again(body).as_ref(), Some(&again));
    }
}
