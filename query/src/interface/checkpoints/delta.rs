//! Channels that are kept as what was written to them: all of that since a value was kept.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::View;
use bygone_engine::store::Snapshot;
use serde::{Deserialize, Serialize};

use super::super::InterfaceError;
use super::get::{PendingWrite, found, writes};
use super::{Head, Thread, Typed};

/// Which channels are asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeltaHistory {
    /// The thread.
    pub thread_id: String,
    /// The namespace in it.
    #[serde(default)]
    pub checkpoint_ns: String,
    /// The checkpoint; the latest one where none is named.
    #[serde(default)]
    pub checkpoint_id: Option<String>,
    /// The channels.
    pub channels: Vec<String>,
}

/// What channels come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deltas {
    /// Each channel that was asked for.
    pub channels: BTreeMap<String, ChannelHistory>,
}

/// What a channel comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelHistory {
    /// What was written to it, the oldest first.
    pub writes: Vec<PendingWrite>,
    /// The value before all that; nothing where it started empty.
    pub seed: Option<Typed>,
}

/// Returns what channels of a checkpoint come from: what tasks wrote beside the checkpoints on the way back to the nearest
/// one that has a value of the channel, and that value. Each checkpoint on the way is read once.
///
/// # Errors
/// [`InterfaceError::Request`] where a name is none; [`InterfaceError::Store`].
pub fn delta_history(snapshot: &Snapshot<'_>, request: &DeltaHistory) -> Result<Deltas, InterfaceError> {
    let thread = Thread::new(&request.thread_id, &request.checkpoint_ns)?;
    let mut channels: BTreeMap<String, ChannelHistory> =
        request.channels.iter().map(|channel| (channel.clone(), ChannelHistory::default())).collect();
    let mut left: BTreeSet<String> = channels.keys().cloned().collect();
    let mut met = BTreeSet::new();
    let target = found(snapshot, thread, request.checkpoint_id.as_deref(), &View::LATEST)?;
    let mut parent = match &target {
        Some(target) => Head::read(&target.content.bytes)?.0.parent,
        None => None,
    };
    while let Some(id) = parent.take() {
        if left.is_empty() || !met.insert(id.clone()) {
            break;
        }
        let Some(document) = found(snapshot, thread, Some(&id), &View::LATEST)? else { break };
        let (head, _) = Head::read(&document.content.bytes)?;
        for write in writes(snapshot, thread, &id, &View::LATEST)?.into_iter().rev() {
            if left.contains(&write.channel)
                && let Some(history) = channels.get_mut(&write.channel)
            {
                history.writes.push(write);
            }
        }
        let mut without = BTreeSet::new();
        for channel in left {
            let value = head.channel(&thread, &channel)?.map(|row| snapshot.document(&row)).transpose()?;
            match (value.flatten(), channels.get_mut(&channel)) {
                (Some(value), Some(history)) => {
                    history.seed = Some(Typed::from_value(&value.content.bytes)?);
                }
                (_, _) => drop(without.insert(channel)),
            }
        }
        left = without;
        parent = head.parent;
    }
    for history in channels.values_mut() {
        history.writes.reverse();
    }
    Ok(Deltas { channels })
}
