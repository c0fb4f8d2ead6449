//! Which agents took part in what a view sees, in which turns, and what those say.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::{Seen, history, turn};
use crate::backend::{Pair, Table};
use crate::codec::decode;
use crate::episode::Role;
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId};
use crate::key::{self, Part};
use crate::record::{Participation, Recorded, RecordedEpisode};
use crate::time::Instant;

/// That an agent took part in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attendance {
    /// The turn.
    pub turn: EpisodeId,
    /// When it was said.
    pub at: Instant,
    /// The session it belongs to.
    pub session: String,
    /// Its voice.
    pub role: Role,
}

/// Reads a row of who took part: when, in which turn.
pub(super) fn row((row, value): &Pair) -> Result<(Instant, EpisodeId, Participation), StoreError> {
    let (_, at, id) = key::participant_from(row).ok_or_else(too_short)?;
    Ok((at, id, decode("a participation", value)?))
}

fn too_short() -> StoreError {
    StoreError::corrupt("a participant's key is too short")
}

impl Seen<'_> {
    /// Walks the turns that an agent took part in by an instant, the last one first. Those of one instant come in no order
    /// that means anything. Each step reads one small row, and no turn.
    pub fn turns_of(&self, agent: &str, by: Instant) -> impl Iterator<Item = Result<Attendance, StoreError>> {
        self.turns_below(&key::participant_prefix(self.snapshot().space, Part::Agent, agent), by)
    }

    /// Walks the turns whose rows have the prefix of one participant.
    fn turns_below(
        &self,
        prefix: &[u8],
        by: Instant,
    ) -> impl Iterator<Item = Result<Attendance, StoreError>> + use<'_> {
        let last = [prefix, &key::instant_bytes(by), &[u8::MAX; 16]].concat();
        let pairs = self.snapshot().reader.scan_back(
            Table::Participants,
            Bound::Included(prefix),
            Bound::Included(&last),
        );
        pairs.filter_map(|pair| {
            let read = pair.and_then(|pair| row(&pair));
            match read {
                Ok((at, turn, of)) if self.sees_participation(at, &of) => {
                    Some(Ok(Attendance { turn, at, session: of.session, role: of.role }))
                }
                Ok(_) => None,
                Err(error) => Some(Err(error)),
            }
        })
    }

    /// Returns the last turn by an instant of each agent that took part in one, by the agent's name. One turn of each agent
    /// is read.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn last_turns(&self, by: Instant) -> Result<BTreeMap<String, RecordedEpisode>, StoreError> {
        let mut turns = BTreeMap::new();
        for attendance in self.last_attendances(by)? {
            let turn = self.attended_turn(attendance.turn)?;
            if let Some(agent) = turn.episode.agent.clone() {
                turns.insert(agent, turn);
            }
        }
        Ok(turns)
    }

    /// Returns the last turn by an instant that any agent took part in. One row of each agent is looked at, and one turn is
    /// read.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn last_turn(&self, by: Instant) -> Result<Option<RecordedEpisode>, StoreError> {
        let last = self.last_attendances(by)?;
        let last = last.iter().max_by_key(|attendance| (attendance.at, attendance.turn));
        last.map(|attendance| self.attended_turn(attendance.turn)).transpose()
    }

    /// Returns where each agent took part last by an instant, in no order that means anything.
    fn last_attendances(&self, by: Instant) -> Result<Vec<Attendance>, StoreError> {
        let snapshot = self.snapshot();
        let prefix = key::part_prefix(snapshot.space, Part::Agent);
        let end = key::after_prefix(&prefix);
        let end = end.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let mut from = prefix.clone();
        let mut last = Vec::new();
        // From the first row of one agent to the first row of the next.
        while let Some(pair) = snapshot.reader.scan(Table::Participants, Bound::Included(&from), end).next() {
            let (row, _) = pair?;
            let (agent, ..) = key::participant_from(&row).ok_or_else(too_short)?;
            last.extend(self.turns_below(agent, by).next().transpose()?);
            match key::after_prefix(agent) {
                Some(next) => from = next,
                None => break,
            }
        }
        Ok(last)
    }

    fn attended_turn(&self, id: EpisodeId) -> Result<RecordedEpisode, StoreError> {
        let turn = self.snapshot().episode(id)?;
        turn.ok_or_else(|| StoreError::corrupt(format!("turn {id} has a participant and no record")))
    }

    /// Returns the statements that turns make and the view sees, in the order of known time, then id.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn statements_made_in(
        &self,
        turns: impl IntoIterator<Item = EpisodeId>,
    ) -> Result<Vec<Recorded>, StoreError> {
        let snapshot = self.snapshot();
        let mut ids = Vec::new();
        for turn in turns {
            if turn::is_statement(&*snapshot.reader, snapshot.space, turn)? {
                ids.push((AssertionId(turn.0), turn));
            }
            let prefix = key::episode(snapshot.space, turn);
            for pair in snapshot.reader.scan_prefix(Table::Statements, &prefix) {
                let (row, _) = pair?;
                let id = row.split_last_chunk().map(|(_, id)| (AssertionId(*id), turn));
                ids.push(id.ok_or_else(|| StoreError::corrupt("a statement's key is too short"))?);
            }
        }
        ids.sort_unstable();
        let wanted: Vec<AssertionId> = ids.iter().map(|(id, _)| *id).collect();
        let mut said = self.statements_by_id(&wanted)?;
        // Turns whose words a statement repeats list it, too.
        said.retain(|recorded| {
            let Recorded { assertion, .. } = recorded;
            ids.binary_search(&(assertion.id, assertion.source.episode)).is_ok()
        });
        Ok(said)
    }

    /// Returns statements by their ids, those of them that the view sees, in the order of known time, then id.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn statements_by_id(&self, ids: &[AssertionId]) -> Result<Vec<Recorded>, StoreError> {
        let snapshot = self.snapshot();
        let mut said = history::find_by_id(&*snapshot.reader, snapshot.space, ids)?;
        said.retain(|recorded| self.sees(recorded));
        said.sort_by_key(|recorded| (recorded.assertion.known_at, recorded.assertion.id));
        Ok(said)
    }
}
