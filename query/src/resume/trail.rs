//! What an agent did last: its last session, the turns at its end, and the results of its tools before.
//!
//! Rows of who took part are walked backwards, and few turns are read: how long the store is does not matter.

use std::collections::BTreeMap;

use bygone_engine::record::{Recorded, RecordedEpisode};
use bygone_engine::store::{Attendance, Seen};
use bygone_engine::time::Instant;
use bygone_engine::{AssertionId, EpisodeId, Role};

use crate::state::StateError;

/// Rows of who took part that are walked at most, and how many in search of a compaction alone.
const MOST_ROWS: usize = 20_000;
const ROWS_FOR_COMPACTION: usize = 2_000;
/// Turns at the end of the last session that are read, and how many bytes of them.
const MOST_AT_END: usize = 120;
const MOST_BYTES: usize = 2 << 20;
/// Results of tools, of whatever session, whose statements are looked at.
const MOST_RESULTS: usize = 200;
/// Sessions that are looked at.
const MOST_SESSIONS: usize = 3;
/// Turns of the harness that are read to find the last compaction.
const MOST_OF_HARNESS: usize = 60;

/// What an agent did last.
pub(super) struct Trail {
    /// The session that it spoke in last.
    pub(super) session: Option<LastSession>,
    /// The sessions that it took part in last, that one first.
    pub(super) sessions: Vec<String>,
    /// The last turns of the last session, in order.
    pub(super) end: Vec<RecordedEpisode>,
    /// The last turn in which a person speaks in that session.
    pub(super) request: Option<RecordedEpisode>,
    /// The last turns of the harness in that session, in order.
    pub(super) of_harness: Vec<RecordedEpisode>,
    /// What the results of its tools state, in the order of known time.
    pub(super) results: Vec<Recorded>,
}

/// The session that an agent spoke in last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSession {
    /// Its name.
    pub name: String,
    /// When its last turn was said.
    pub last_at: Instant,
}

impl Trail {
    /// Follows an agent back from an instant.
    pub(super) fn of(seen: &Seen<'_>, agent: &str, at: Instant) -> Result<Trail, StateError> {
        let mut rows = Rows::default();
        for attendance in seen.turns_of(agent, at).take(MOST_ROWS) {
            rows.take(attendance?);
            if rows.are_enough() {
                break;
            }
        }
        let mut end = Vec::new();
        let mut n_bytes = 0;
        for attendance in &rows.end {
            let Some(turn) = seen.snapshot().episode(attendance.turn)? else { continue };
            n_bytes += turn.episode.text.len() + turn.episode.raw.as_ref().map_or(0, Vec::len);
            if n_bytes > MOST_BYTES && !end.is_empty() {
                break;
            }
            end.push(turn);
        }
        let read = |attendances: &[Attendance]| -> Result<Vec<RecordedEpisode>, StateError> {
            let turns = attendances.iter().map(|attendance| seen.snapshot().episode(attendance.turn));
            let mut turns: Vec<RecordedEpisode> =
                turns.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
            in_order(&mut turns);
            Ok(turns)
        };
        in_order(&mut end);
        Ok(Trail {
            request: read(&rows.requests)?.pop(),
            of_harness: read(&rows.of_harness)?,
            results: seen.statements_made_in(rows.results)?,
            session: rows
                .end
                .first()
                .map(|last| LastSession { name: last.session.clone(), last_at: last.at }),
            sessions: rows.sessions,
            end,
        })
    }

    /// Returns the name of the last session.
    pub(super) fn session_name(&self) -> Option<&str> {
        self.session.as_ref().map(|session| session.name.as_str())
    }
}

/// Brings turns into the order in which they were said.
fn in_order(turns: &mut [RecordedEpisode]) {
    turns.sort_by(|one, other| {
        let key =
            |record: &RecordedEpisode| (record.episode.time, record.episode.position, record.episode.id);
        key(one).cmp(&key(other))
    });
}

/// Rows that were walked, the last one first.
#[derive(Default)]
struct Rows {
    n_walked: usize,
    sessions: Vec<String>,
    end: Vec<Attendance>,
    requests: Vec<Attendance>,
    of_harness: Vec<Attendance>,
    results: Vec<EpisodeId>,
}

impl Rows {
    fn take(&mut self, attendance: Attendance) {
        self.n_walked += 1;
        match attendance.role {
            // What came as data is nobody's turn.
            Role::Statement => return,
            // A person may speak in the turn that has a tool's result.
            Role::Tool | Role::User if self.results.len() < MOST_RESULTS => {
                self.results.push(attendance.turn);
            }
            Role::Tool | Role::User | Role::Agent | Role::System => {}
        }
        if self.sessions.len() < MOST_SESSIONS && !self.sessions.contains(&attendance.session) {
            self.sessions.push(attendance.session.clone());
        }
        if self.sessions.first() != Some(&attendance.session) {
            return;
        }
        match attendance.role {
            // Several of one instant are put in order later.
            Role::User if self.requests.first().is_none_or(|last| last.at == attendance.at) => {
                self.requests.push(attendance.clone());
            }
            Role::System if self.of_harness.len() < MOST_OF_HARNESS => {
                self.of_harness.push(attendance.clone());
            }
            Role::User | Role::System | Role::Agent | Role::Tool | Role::Statement => {}
        }
        if self.end.len() < MOST_AT_END {
            self.end.push(attendance);
        }
    }

    fn are_enough(&self) -> bool {
        self.results.len() >= MOST_RESULTS
            && self.end.len() >= MOST_AT_END
            && !self.requests.is_empty()
            && (self.n_walked >= ROWS_FOR_COMPACTION || self.of_harness.len() >= MOST_OF_HARNESS)
    }
}

/// Statements that the facts shown rest on, by id.
pub(super) fn supports(
    seen: &Seen<'_>,
    ids: impl IntoIterator<Item = AssertionId>,
) -> Result<BTreeMap<AssertionId, Recorded>, StateError> {
    let ids: Vec<AssertionId> = ids.into_iter().collect();
    let said = seen.statements_by_id(&ids)?;
    Ok(said.into_iter().map(|recorded| (recorded.assertion.id, recorded)).collect())
}
