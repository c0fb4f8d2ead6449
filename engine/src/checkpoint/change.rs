//! Making checkpoints and letting go of them: which rows that comes to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::manifest::{Edit, LONGEST_CHAIN, Manifest, edited, edits, neighbours};
use super::{CheckpointRecord, Hash, NewCheckpoint, State, ToldCheckpoint, blob, state_id};
use crate::backend::{Reader, Table, Write};
use crate::codec::{decode, encode};
use crate::error::StoreError;
use crate::id::{AssertionId, CheckpointId};
use crate::key::{self, SpaceId};
use crate::time::Instant;

/// A change of the checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointChange {
    /// One is made, as a statement says.
    Save(Box<NewCheckpoint>, AssertionId),
    /// Some are let go.
    Prune(BTreeSet<CheckpointId>),
    /// One that was made elsewhere is taken over, with its state unless that was let go.
    TakeOver(Box<ToldCheckpoint>, Option<Box<State>>),
}

/// Returns the rows that a change makes in the commit of a number and a stamp.
pub(crate) fn rows(
    reader: &dyn Reader,
    space: SpaceId,
    (seq, at): (u64, Instant),
    change: &CheckpointChange,
) -> Result<Vec<Write>, StoreError> {
    match change {
        CheckpointChange::Save(new, statement) => save(reader, space, (seq, at), new, *statement),
        CheckpointChange::Prune(ids) => {
            let is_gone =
                |id: CheckpointId, record: &CheckpointRecord| ids.contains(&id) && record.pruned.is_none();
            Ok(rows_without(reader, space, Some(at), is_gone)?.writes)
        }
        CheckpointChange::TakeOver(told, state) => take_over(reader, space, seq, told, state.as_deref()),
    }
}

fn take_over(
    reader: &dyn Reader,
    space: SpaceId,
    seq: u64,
    told: &ToldCheckpoint,
    state: Option<&State>,
) -> Result<Vec<Write>, StoreError> {
    let id = told.id();
    let ToldCheckpoint { state: name, n_bytes, parent, label, reason, origin, statement, at, pruned } =
        told.clone();
    match (state, pruned) {
        (Some(state), None) if state.id == name => {
            let new = NewCheckpoint { state: state.clone(), parent, label, reason, origin };
            save(reader, space, (seq, at), &new, statement)
        }
        (None, Some(_)) => {
            let record = CheckpointRecord {
                state: name,
                n_bytes,
                parent,
                label,
                reason,
                origin,
                statement,
                seq,
                at,
                pruned,
                manifest: None,
            };
            Ok(vec![put(Table::Checkpoints, key::checkpoint(space, id), encode(&record))])
        }
        _ => Err(StoreError::Storage(format!("checkpoint {id} is taken over without its state"))),
    }
}

fn put(table: Table, key: Vec<u8>, value: Vec<u8>) -> Write {
    Write { table, key, value: Some(value) }
}

/// Returns a checkpoint as it is kept.
pub(crate) fn record(
    reader: &dyn Reader,
    space: SpaceId,
    id: CheckpointId,
) -> Result<Option<CheckpointRecord>, StoreError> {
    let bytes = reader.read(Table::Checkpoints, &key::checkpoint(space, id))?;
    bytes.map(|bytes| decode("a checkpoint", &bytes)).transpose()
}

fn save(
    reader: &dyn Reader,
    space: SpaceId,
    (seq, at): (u64, Instant),
    new: &NewCheckpoint,
    statement: AssertionId,
) -> Result<Vec<Write>, StoreError> {
    let NewCheckpoint { state, parent, label, reason, origin } = new.clone();
    let pieces: Vec<Hash> = state.pieces.iter().map(|(hash, _)| *hash).collect();
    let base = match parent {
        Some(parent) => record(reader, space, parent)?.and_then(|record| Some((parent, record.manifest?))),
        None => None,
    };
    let mut before = Vec::new();
    let mut chain = LONGEST_CHAIN;
    if let Some((_, manifest)) = &base {
        before = pieces_of(reader, space, manifest)?;
        chain = manifest.chain();
    }
    let edits = edits(&before, &pieces);
    let mut writes = Vec::new();
    let neighbours = neighbours(&before, &edits);
    let mut met = BTreeSet::new();
    for (hash, range) in &state.pieces {
        let key = key::blob(space, hash);
        if !met.insert(hash) || reader.read(Table::Blobs, &key)?.is_some() {
            continue;
        }
        let bytes = &state.bytes[range.clone()];
        let mut value = None;
        if let Some(neighbour) = neighbours.get(hash) {
            let (base, chain) = blob::read(reader, space, neighbour)?;
            value = blob::by(neighbour, &base, chain, bytes);
        }
        writes.push(put(Table::Blobs, key, value.unwrap_or_else(|| blob::whole(bytes))));
    }
    let manifest = match base {
        Some((base, _)) => Manifest::new(pieces, Some((base, chain, edits))),
        None => Manifest::new(pieces, None),
    };
    let id = new.id(at);
    let record = CheckpointRecord {
        state: state.id,
        n_bytes: state.n_bytes(),
        parent,
        label,
        reason,
        origin,
        statement,
        seq,
        at,
        pruned: None,
        manifest: Some(manifest),
    };
    writes.push(put(Table::Checkpoints, key::checkpoint(space, id), encode(&record)));
    Ok(writes)
}

impl Manifest {
    /// Makes a manifest of pieces, by those of a base where that is shorter and the base's chain is not too long.
    fn new(pieces: Vec<Hash>, base: Option<(CheckpointId, u32, Vec<Edit>)>) -> Manifest {
        if let Some((base, chain, edits)) = base
            && chain < LONGEST_CHAIN
            && edits.iter().map(Edit::weight).sum::<usize>() < pieces.len()
        {
            return Manifest::Changed { base, chain: chain + 1, edits };
        }
        Manifest::Whole(pieces)
    }

    /// Returns how many checkpoints have to be read for the pieces.
    pub(super) fn chain(&self) -> u32 {
        match self {
            Manifest::Whole(_) => 1,
            Manifest::Changed { chain, .. } => *chain,
        }
    }
}

impl Edit {
    /// Returns how many pieces take as many bytes as the edit.
    fn weight(&self) -> usize {
        match self {
            Edit::Keep(..) => 1,
            Edit::Put(hashes) => 1 + hashes.len(),
        }
    }
}

/// Returns the pieces of a state, in order.
fn pieces_of(reader: &dyn Reader, space: SpaceId, manifest: &Manifest) -> Result<Vec<Hash>, StoreError> {
    let damaged = || StoreError::corrupt("a checkpoint's manifest does not decode");
    let mut changes: Vec<Vec<Edit>> = Vec::new();
    let mut at = manifest.clone();
    let mut pieces = loop {
        match at {
            Manifest::Whole(pieces) => break pieces,
            Manifest::Changed { base, edits, .. } => {
                changes.push(edits);
                if changes.len() > LONGEST_CHAIN as usize {
                    return Err(damaged());
                }
                at = record(reader, space, base)?.and_then(|record| record.manifest).ok_or_else(damaged)?;
            }
        }
    };
    for edits in changes.iter().rev() {
        pieces = edited(&pieces, edits).ok_or_else(damaged)?;
    }
    Ok(pieces)
}

/// Returns the state of a checkpoint; nothing where it was pruned.
///
/// # Errors
/// [`StoreError::Corrupt`] where it is not what was saved.
pub(crate) fn restore(
    reader: &dyn Reader,
    space: SpaceId,
    record: &CheckpointRecord,
) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(manifest) = &record.manifest else { return Ok(None) };
    let mut bytes = Vec::new();
    for piece in pieces_of(reader, space, manifest)? {
        bytes.extend(blob::read(reader, space, &piece)?.0);
    }
    if state_id(&bytes) == record.state {
        Ok(Some(bytes))
    } else {
        Err(StoreError::corrupt("a checkpoint's state is not what was saved"))
    }
}

/// What letting go of checkpoints comes to.
#[derive(Default)]
pub(crate) struct Without {
    /// The rows that are left instead.
    pub(crate) writes: Vec<Write>,
    /// How many checkpoints go.
    pub(crate) n_checkpoints: u64,
    /// The pieces that go with them, whole.
    pub(crate) pieces: Vec<Vec<u8>>,
}

/// Returns the rows that are left without some checkpoints: with what is told of them and that they were pruned at an
/// instant, or, where none is given, without a trace.
pub(crate) fn rows_without(
    reader: &dyn Reader,
    space: SpaceId,
    pruned: Option<Instant>,
    is_gone: impl Fn(CheckpointId, &CheckpointRecord) -> bool,
) -> Result<Without, StoreError> {
    let tree = Tree::read(reader, space)?;
    let mut without = Without::default();
    let mut gone = BTreeSet::new();
    for (&id, record) in &tree.records {
        if !is_gone(id, record) {
            continue;
        }
        gone.insert(id);
        let value = pruned.map(|_| encode(&CheckpointRecord { pruned, manifest: None, ..record.clone() }));
        without.writes.push(Write { table: Table::Checkpoints, key: key::checkpoint(space, id), value });
    }
    without.n_checkpoints = gone.len() as u64;
    if gone.is_empty() {
        return Ok(without);
    }
    let mut reached: HashSet<Hash> = HashSet::new();
    tree.walk(&mut |node| {
        if gone.contains(&node.id) {
            return;
        }
        reached.extend(node.pieces);
        let Some(Manifest::Changed { base, .. }) = &node.record.manifest else { return };
        if !gone.contains(base) {
            return;
        }
        // What it was told by goes: the nearest one on the way there that stays takes its place.
        let kept = node.above.iter().rev().find(|(id, _)| !gone.contains(id));
        let base = kept.map(|(id, before)| {
            let chain = tree.records[id].manifest.as_ref().map_or(LONGEST_CHAIN, Manifest::chain);
            (*id, chain, edits(before, node.pieces))
        });
        let manifest = Some(Manifest::new(node.pieces.to_vec(), base));
        let value = encode(&CheckpointRecord { manifest, ..node.record.clone() });
        without.writes.push(put(Table::Checkpoints, key::checkpoint(space, node.id), value));
    })?;
    for pair in reader.scan_prefix(Table::Blobs, &key::space_prefix(space)) {
        let (row, value) = pair?;
        let hash = piece_of(&row)?;
        if !reached.contains(&hash) {
            without.pieces.push(blob::read(reader, space, &hash)?.0);
            without.writes.push(Write { table: Table::Blobs, key: row.into_vec(), value: None });
        } else if let Some(base) = blob::base_of(&value).filter(|base| !reached.contains(base)) {
            let bytes = blob::read(reader, space, &hash)?.0;
            let value = match blob::nearest(reader, space, base, |base| reached.contains(base))? {
                Some((base, base_bytes, chain)) => blob::by(&base, &base_bytes, chain, &bytes),
                None => None,
            };
            let value = value.unwrap_or_else(|| blob::whole(&bytes));
            without.writes.push(put(Table::Blobs, row.into_vec(), value));
        }
    }
    Ok(without)
}

/// Reads the hash of a piece from its row's key.
pub(super) fn piece_of(row: &[u8]) -> Result<Hash, StoreError> {
    let hash = row.get(4..).and_then(|hash| hash.try_into().ok());
    hash.ok_or_else(|| StoreError::corrupt("the key of a piece of a checkpoint has the wrong length"))
}

/// The checkpoints of a space, each below the one by which its pieces are told.
pub(super) struct Tree {
    pub(super) records: BTreeMap<CheckpointId, CheckpointRecord>,
    below: BTreeMap<CheckpointId, Vec<CheckpointId>>,
}

/// A checkpoint that is not pruned, on the way down from one whose manifest is whole.
pub(super) struct Node<'t> {
    pub(super) id: CheckpointId,
    pub(super) record: &'t CheckpointRecord,
    pub(super) pieces: &'t [Hash],
    /// Those above it, with their pieces, from the top.
    above: &'t [(CheckpointId, Vec<Hash>)],
}

impl Tree {
    pub(super) fn read(reader: &dyn Reader, space: SpaceId) -> Result<Tree, StoreError> {
        let mut tree = Tree { records: BTreeMap::new(), below: BTreeMap::new() };
        for pair in reader.scan_prefix(Table::Checkpoints, &key::space_prefix(space)) {
            let (row, value) = pair?;
            let id = row.get(4..).and_then(|id| id.try_into().ok()).map(CheckpointId);
            let id = id.ok_or_else(|| StoreError::corrupt("a checkpoint's key has the wrong length"))?;
            let record: CheckpointRecord = decode("a checkpoint", &value)?;
            if let Some(Manifest::Changed { base, .. }) = record.manifest {
                tree.below.entry(base).or_default().push(id);
            }
            tree.records.insert(id, record);
        }
        Ok(tree)
    }

    /// Shows each checkpoint that is not pruned, those above before those below. Holds the pieces of one way down at a time.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where the pieces of one cannot be told. One whose base is not there is not shown.
    pub(super) fn walk(&self, each: &mut impl FnMut(Node<'_>)) -> Result<(), StoreError> {
        let damaged = || StoreError::corrupt("a checkpoint's manifest does not decode");
        for (&top, record) in &self.records {
            let Some(Manifest::Whole(_)) = record.manifest else { continue };
            let mut above: Vec<(CheckpointId, Vec<Hash>)> = Vec::new();
            let mut left = vec![(0, top)];
            while let Some((depth, id)) = left.pop() {
                above.truncate(depth);
                let Some(record) = self.records.get(&id) else { continue };
                let pieces = match (&record.manifest, above.last()) {
                    (Some(Manifest::Whole(pieces)), _) => pieces.clone(),
                    (Some(Manifest::Changed { edits, .. }), Some((_, before))) => {
                        edited(before, edits).ok_or_else(damaged)?
                    }
                    (_, _) => return Err(damaged()),
                };
                each(Node { id, record, pieces: &pieces, above: &above });
                above.push((id, pieces));
                left.extend(self.below.get(&id).into_iter().flatten().map(|&below| (depth + 1, below)));
            }
        }
        Ok(())
    }
}
