//! Checking the work-sets of a space: that leaves are what their rows say, and that everybody who is named is known.

use std::collections::BTreeMap;

use super::{Entry, Event, Item, Leaf, SetRecord, leaf_from};
use crate::backend::{Reader, Table};
use crate::codec::decode;
use crate::error::StoreError;
use crate::key::{self, SpaceId};
use crate::origin::Origin;

/// Checks the work-sets of a space, of which no event is of a later commit than the last. Adds what is not as it must be,
/// and returns how many items there are.
pub(crate) fn check(
    reader: &dyn Reader,
    space: SpaceId,
    last_seq: u64,
    faults: &mut Vec<String>,
) -> Result<u64, StoreError> {
    let mut origins: BTreeMap<Vec<u8>, (String, Vec<Option<Origin>>)> = BTreeMap::new();
    for pair in reader.scan_prefix(Table::Work, &key::work_sets(space)) {
        let (row, value) = pair?;
        match decode::<SetRecord>("a work-set", &value) {
            Ok(SetRecord { name, origins: known }) if *row == *key::work_set(space, &name) => {
                origins.insert(key::work_leaves(space, &name).to_vec(), (name, known));
            }
            Ok(SetRecord { name, .. }) => {
                faults.push(format!("work-set {name:?} is kept under another name"));
            }
            Err(error) => faults.push(error.to_string()),
        }
    }
    let mut n_items = 0;
    let mut before: Option<(Vec<u8>, Entry)> = None;
    for pair in reader.scan_prefix(Table::Work, &key::all_work_leaves(space)) {
        let (row, value) = pair?;
        let leaf = match leaf_from(&row, &value) {
            Ok(leaf) => leaf,
            Err(error) => {
                faults.push(error.to_string());
                continue;
            }
        };
        let set = row.get(..key::WORK_PREFIX_BYTES).unwrap_or_default().to_vec();
        let Some((name, known)) = origins.get(&set) else {
            faults.push("a leaf is kept of a work-set that is not kept".to_owned());
            continue;
        };
        n_items += leaf.0.len() as u64;
        let is_known = |event: &Event| {
            event.seq <= last_seq && known.get(event.origin as usize).is_some_and(Option::is_some)
        };
        if Leaf::decode_summary(&value).ok() != Some(leaf.summary()) {
            faults.push(format!("a leaf of work-set {name:?} counts its items wrongly"));
        }
        for entry in leaf.0 {
            if before.as_ref().is_some_and(|(of, before)| *of == set && before.item >= entry.item) {
                faults.push(format!("item {:?} of work-set {name:?} is out of order", entry.item));
            }
            if Item::from_key(entry.item.key()).is_none() {
                faults.push(format!("item {:?} of work-set {name:?} is none", entry.item));
            }
            if entry.events.is_empty() || !entry.events.is_sorted_by(|one, next| one < next) {
                faults.push(format!("events of item {:?} of work-set {name:?} are out of order", entry.item));
            }
            if !entry.events.iter().all(is_known) {
                faults.push(format!("an event of item {:?} of work-set {name:?} is nobody's", entry.item));
            }
            before = Some((set.clone(), entry));
        }
    }
    Ok(n_items)
}
