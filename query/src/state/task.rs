//! What somebody works towards, what they are doing, and the exact next step: what they need to go on after a break.

use bygone_engine::store::{Decided, Place, Seen, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::act::{Act, Actor};
use super::said::text;
use super::stands::stands;

/// The predicate of what somebody works towards.
pub(crate) const OBJECTIVE: &str = "objective";
/// The predicate of what they are doing.
pub(crate) const DOING: &str = "current_task";
/// The predicate of what they will do next.
pub(crate) const NEXT: &str = "next_step";

/// A note of somebody's work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What it says.
    pub text: String,
    /// Since when.
    pub since: Instant,
    /// Who said so last, as `type:Name`.
    pub by: Option<String>,
}

/// The notes of somebody's work as they stand at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Whose work it is, as `type:Name`.
    pub of: String,
    /// What they work towards.
    pub objective: Option<Note>,
    /// What they are doing.
    pub doing: Option<Note>,
    /// What they will do next.
    pub next: Option<Note>,
}

impl Task {
    /// Says whether nothing is noted.
    pub const fn is_empty(&self) -> bool {
        self.objective.is_none() && self.doing.is_none() && self.next.is_none()
    }

    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let note = |note: &Option<Note>| {
            let said =
                |note: &Note| json!({ "text": note.text, "since": note.since.to_rfc3339(), "by": note.by });
            note.as_ref().map(said)
        };
        json!({
            "of": self.of,
            "objective": note(&self.objective),
            "doing": note(&self.doing),
            "next": note(&self.next),
        })
    }
}

/// Notes to take; an empty text ends one, and what is not there stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes<'a> {
    /// What one works towards.
    pub objective: Option<&'a str>,
    /// What one is doing.
    pub doing: Option<&'a str>,
    /// What one will do next.
    pub next: Option<&'a str>,
}

/// Decides on taking notes of one's own work.
///
/// # Errors
/// [`StateError::Name`] where there is nothing to note; [`StateError`] where the store cannot be read.
pub fn set(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    notes: Notes<'_>,
) -> Result<Decided<Task>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let own = by.named()?;
    let mut task = get(&seen, &own, place.at)?;
    let given = [
        (OBJECTIVE, "objective", notes.objective, &mut task.objective),
        (DOING, "doing", notes.doing, &mut task.doing),
        (NEXT, "next", notes.next, &mut task.next),
    ];
    let said: Vec<String> = given
        .iter()
        .filter_map(|(_, word, said, _)| Some(format!("{word}: {}", said.as_ref()?.trim())))
        .collect();
    if said.is_empty() {
        return Err(StateError::Name(
            "there is nothing to note: expected an objective, a task or a next step".to_owned(),
        ));
    }
    let mut act = Act::new(by, place.at, said.join("; ")).with_authority(by.authority());
    for (predicate, _, said, note) in given {
        let Some(said) = said.map(str::trim) else { continue };
        if said.is_empty() {
            if note.take().is_some() {
                act.deny(&own, predicate, "", None);
            }
            continue;
        }
        act.affirm(&own, predicate, "", text(said));
        let since = note.as_ref().filter(|note| note.text == said).map_or(place.at, |note| note.since);
        *note = Some(Note { text: said.to_owned(), since, by: Some(own.to_string()) });
    }
    Ok(Decided::record(act.into_recording(), task))
}

/// Returns the notes of somebody's work as they stand at an instant.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn get(seen: &Seen<'_>, of: &EntityRef, at: Instant) -> Result<Task, StateError> {
    let note = |predicate: &str| -> Result<Option<Note>, StateError> {
        let standing = stands(seen, of, predicate, "", at)?.filter(|standing| !standing.has_ended);
        Ok(standing.map(|standing| Note { text: standing.text(), since: standing.since, by: standing.by() }))
    };
    Ok(Task {
        of: seen.identity().representative(of).to_string(),
        objective: note(OBJECTIVE)?,
        doing: note(DOING)?,
        next: note(NEXT)?,
    })
}
