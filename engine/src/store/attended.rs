//! Which agents took part in what a view sees, and which turn of each is the last.

use std::collections::BTreeMap;

use super::Seen;
use crate::backend::Table;
use crate::codec::decode;
use crate::error::StoreError;
use crate::id::EpisodeId;
use crate::key::{self, Part};
use crate::record::{Participation, RecordedEpisode};
use crate::time::Instant;

impl Seen<'_> {
    /// Returns the last turn by an instant of each agent that took part in one, by the agent's name. Every turn of an agent
    /// is looked at, and one of each agent is read.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn last_turns(&self, by: Instant) -> Result<BTreeMap<String, RecordedEpisode>, StoreError> {
        let snapshot = self.snapshot();
        let prefix = key::part_prefix(snapshot.space, Part::Agent);
        let mut last: BTreeMap<Vec<u8>, (Instant, EpisodeId)> = BTreeMap::new();
        for pair in snapshot.reader.scan_prefix(Table::Participants, &prefix) {
            let (row, value) = pair?;
            let participation: Participation = decode("a participation", &value)?;
            let Some((name, id)) = row.split_last_chunk() else {
                return Err(StoreError::corrupt("a participant's key is too short"));
            };
            if participation.known_at > by || !self.sees_participation(&participation) {
                continue;
            }
            let turn = (participation.known_at, EpisodeId(*id));
            let latest = last.entry(name.to_vec()).or_insert(turn);
            *latest = turn.max(*latest);
        }
        let mut turns = BTreeMap::new();
        for (_, id) in last.into_values() {
            let turn = snapshot.episode(id)?;
            let turn = turn
                .ok_or_else(|| StoreError::corrupt(format!("turn {id} has a participant and no record")))?;
            if let Some(agent) = turn.episode.agent.clone() {
                turns.insert(agent, turn);
            }
        }
        Ok(turns)
    }
}
