//! Which turns a place in a session means, `SESSION#N` or `SESSION#A..B`, and what they say.

use bygone_engine::StoreError;
use bygone_engine::record::RecordedEpisode;
use bygone_engine::store::Seen;
use serde_json::{Value, json};

/// The most positions that a range may have; more are not looked at.
const MOST_POSITIONS: usize = 1_000;

/// Returns the turns of a view that stand at a place, in the order of their positions; several may stand at one, where a
/// session is in several files. Nothing where the text is no place, or nothing the view sees stands there.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn turns(seen: &Seen<'_>, place: &str) -> Result<Vec<RecordedEpisode>, StoreError> {
    let Some((session, positions)) = place.rsplit_once('#') else { return Ok(Vec::new()) };
    let (from, to) = positions.split_once("..").unwrap_or((positions, positions));
    let (Ok(from), Ok(to)) = (from.parse::<u64>(), to.parse::<u64>()) else { return Ok(Vec::new()) };
    let mut turns = Vec::new();
    for position in (from..=to).take(MOST_POSITIONS) {
        let mut here = Vec::new();
        for id in seen.snapshot().episodes_at(session, position)? {
            here.extend(seen.snapshot().episode(id)?.filter(|turn| seen.sees_turn(turn)));
        }
        here.sort_by_key(|turn| (turn.episode.time, turn.episode.id));
        turns.extend(here);
    }
    Ok(turns)
}

/// Returns the JSON form of a turn, keys sorted.
pub fn turn_json(record: &RecordedEpisode) -> Value {
    let turn = &record.episode;
    json!({
        "id": turn.id.to_string(),
        "session": turn.session,
        "turn": turn.position,
        "role": turn.role,
        "speaker": turn.speaker.as_ref().map(ToString::to_string),
        "agent": turn.agent,
        "user": turn.user,
        "time": turn.time.to_rfc3339(),
        "text": turn.text,
    })
}
