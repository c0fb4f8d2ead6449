//! Turns by id. A statement that came as data is the whole of its turn: such a turn has no row of its own. The statement's row
//! in `assertions` says so, and has its words; everything else in it follows from the statement.

use super::history;
use crate::assertion::Assertion;
use crate::backend::{Reader, Table};
use crate::codec::decode;
use crate::episode::{Episode, Role};
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId};
use crate::key::{self, SpaceId};
use crate::record::{Recorded, RecordedEpisode};

/// Returns a turn.
pub(crate) fn read(
    reader: &dyn Reader,
    space: SpaceId,
    id: EpisodeId,
) -> Result<Option<RecordedEpisode>, StoreError> {
    if let Some(bytes) = reader.read(Table::Episodes, &key::episode(space, id))? {
        return decode("an episode", &bytes).map(Some);
    }
    let statement = AssertionId(id.0);
    let Some(listed) = listed(reader, space, statement)? else { return Ok(None) };
    let Some(words) = key::words_from(&listed).map(words) else { return Ok(None) };
    Ok(Some(made(history::find(reader, &listed, statement)?, words?)))
}

/// Says whether a turn is recorded.
pub(crate) fn exists(reader: &dyn Reader, space: SpaceId, id: EpisodeId) -> Result<bool, StoreError> {
    Ok(reader.read(Table::Episodes, &key::episode(space, id))?.is_some() || is_statement(reader, space, id)?)
}

/// Says whether a turn is nothing but a statement, and follows from it.
pub(crate) fn is_statement(reader: &dyn Reader, space: SpaceId, id: EpisodeId) -> Result<bool, StoreError> {
    let listed = listed(reader, space, AssertionId(id.0))?;
    Ok(listed.is_some_and(|listed| key::words_from(&listed).is_some()))
}

fn listed(reader: &dyn Reader, space: SpaceId, id: AssertionId) -> Result<Option<Vec<u8>>, StoreError> {
    reader.read(Table::Assertions, &key::assertion(space, id))
}

fn words(bytes: &[u8]) -> Result<String, StoreError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| StoreError::corrupt("the words of a statement are no text"))
}

/// Says whether a turn is nothing but a statement and follows from it, save for its words: [`made`] gives it back.
pub(super) fn follows(turn: &Episode, statement: &Assertion) -> bool {
    let Episode { id, session, position, role, speaker, agent, user, time, time_inferred, zone, .. } = turn;
    let source = &statement.source;
    id.0 == statement.id.0
        && *id == source.episode
        && *role == Role::Statement
        && *session == source.session
        && *position == source.position
        && *speaker == source.asserter
        && *agent == source.agent
        && *user == source.user
        && *time == statement.known_at
        && !time_inferred
        && *zone == source.zone
        && turn.raw.is_none()
        && turn.native_id.as_deref().and_then(AssertionId::parse) == Some(statement.id)
}

/// Returns the turn that a statement is the whole of.
fn made(Recorded { assertion, seq, at }: Recorded, text: String) -> RecordedEpisode {
    let source = assertion.source;
    let episode = Episode {
        id: source.episode,
        session: source.session,
        position: source.position,
        role: Role::Statement,
        speaker: source.asserter,
        agent: source.agent,
        user: source.user,
        time: assertion.known_at,
        time_inferred: false,
        zone: source.zone,
        native_id: Some(assertion.id.to_string()),
        text,
        raw: None,
    };
    RecordedEpisode { episode, seq, at }
}
