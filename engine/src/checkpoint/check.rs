//! Checking the checkpoints of a space: that each can be restored, and that nothing is kept that none of them reaches.

use std::collections::HashMap;

use super::change::{Tree, piece_of};
use super::{Hash, blob};
use crate::backend::{Reader, Table};
use crate::error::StoreError;
use crate::key::{self, SpaceId};

/// Checks the checkpoints of a space. Adds what is not as it must be, and returns how many there are that are not pruned.
pub(crate) fn check(
    reader: &dyn Reader,
    space: SpaceId,
    faults: &mut Vec<String>,
) -> Result<u64, StoreError> {
    // How long each piece is, and whether a checkpoint reaches it.
    let mut pieces: HashMap<Hash, (u64, bool)> = HashMap::new();
    let mut bases = Vec::new();
    for pair in reader.scan_prefix(Table::Blobs, &key::space_prefix(space)) {
        let (row, value) = pair?;
        let hash = piece_of(&row)?;
        match blob::read(reader, space, &hash) {
            Ok((bytes, _)) => {
                pieces.insert(hash, (bytes.len() as u64, false));
                bases.extend(blob::base_of(&value));
            }
            Err(error) => faults.push(error.to_string()),
        }
    }
    let mut n_checkpoints = 0;
    let mut n_shown = 0;
    let tree = match Tree::read(reader, space) {
        Ok(tree) => tree,
        Err(error) => {
            faults.push(error.to_string());
            return Ok(0);
        }
    };
    for (id, record) in &tree.records {
        n_checkpoints += u64::from(record.manifest.is_some());
        if record.manifest.is_some() == record.pruned.is_some() {
            faults.push(format!("checkpoint {id} is neither kept nor pruned"));
        }
        if reader.read(Table::Assertions, &key::assertion(space, record.statement))?.is_none() {
            faults.push(format!("checkpoint {id} is one that nobody said was made"));
        }
    }
    let walked = tree.walk(&mut |node| {
        n_shown += 1;
        let mut n_bytes = 0;
        for piece in node.pieces {
            match pieces.get_mut(piece) {
                Some((length, is_reached)) => {
                    n_bytes += *length;
                    *is_reached = true;
                }
                None => faults.push(format!("a piece of checkpoint {} is missing", node.id)),
            }
        }
        if n_bytes != node.record.n_bytes {
            let expected = node.record.n_bytes;
            faults.push(format!("checkpoint {} has {n_bytes} bytes, expected {expected}", node.id));
        }
    });
    if let Err(error) = walked {
        faults.push(error.to_string());
    } else if n_shown != n_checkpoints {
        faults.push("a checkpoint is told by one that is not kept".to_owned());
    } else {
        let is_reached = |piece: &Hash| pieces.get(piece).is_some_and(|(_, is_reached)| *is_reached);
        for pair in reader.scan_prefix(Table::Blobs, &key::space_prefix(space)) {
            if !is_reached(&piece_of(&pair?.0)?) {
                faults.push("a piece is kept that no checkpoint reaches".to_owned());
            }
        }
        if !bases.iter().all(is_reached) {
            faults.push("a piece is told by one that no checkpoint reaches".to_owned());
        }
    }
    Ok(n_checkpoints)
}
