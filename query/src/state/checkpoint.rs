//! Checkpoints of an agent's state: saved, listed, restored, pruned.
//!
//! That a checkpoint was made is a statement, `checkpointed`, so the state of an agent as of an instant is the last one that it
//! was said to have made by then. The state itself is kept beside the statements, and so is that it was pruned.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::checkpoint::{CheckpointChange, NewCheckpoint, State};
use bygone_engine::store::{Checkpoint, Decided, Place, Seen, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{CheckpointId, EntityRef, Object, Origin, StateId, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::act::{Act, Actor};
use super::stands::stands;

/// The predicate of what an agent saved.
const CHECKPOINTED: &str = "checkpointed";
/// The predicate of what was let go.
const PRUNED: &str = "pruned_checkpoints";
/// The fewest digits by which a checkpoint may be called.
const FEWEST_DIGITS: usize = 4;

/// A state to save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saving<'a> {
    /// The state.
    pub state: State,
    /// The checkpoint that it goes on from, as it was named; the last one of who acts where none is.
    pub parent: Option<&'a str>,
    /// A name for it.
    pub label: Option<&'a str>,
    /// Why it is saved.
    pub reason: Option<&'a str>,
}

/// What saving a state came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// The checkpoint.
    pub id: CheckpointId,
    /// Whether it was there: the last one has the same state, label and reason.
    pub is_unchanged: bool,
}

/// Which checkpoints are to be let go. One is, if everything says so that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruning<'a> {
    /// These, as they were named; of all where there are none.
    pub ids: &'a [String],
    /// All but the last so many of each agent.
    pub keep: Option<usize>,
    /// Those older than so many microseconds.
    pub older_than_micros: Option<i64>,
    /// Only those of this agent.
    pub agent: Option<&'a str>,
}

/// What pruning came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// How many were let go.
    pub pruned: u64,
    /// How many are left.
    pub kept: u64,
}

/// Returns the checkpoint that somebody made last by an instant; nothing where they made none.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn last(seen: &Seen<'_>, who: &EntityRef, at: Instant) -> Result<Option<Checkpoint>, StateError> {
    let Some(standing) = stands(seen, who, CHECKPOINTED, "", at)? else { return Ok(None) };
    let Object::Json(told) = &standing.object else { return Ok(None) };
    let told: Value = serde_json::from_str(told).unwrap_or_default();
    let id = told["checkpoint"].as_str().and_then(CheckpointId::parse);
    Ok(id.map(|id| seen.snapshot().checkpoint(id)).transpose()?.flatten())
}

/// Returns the checkpoint that a text names: its id, or the first digits of it where no other starts with them, with or
/// without `c:`.
///
/// # Errors
/// [`StateError::Missing`] where the view sees none, or several.
pub fn named(seen: &Seen<'_>, text: &str) -> Result<Checkpoint, StateError> {
    if let Some(id) = CheckpointId::parse(text) {
        let found = seen.snapshot().checkpoint(id)?.filter(|checkpoint| seen.sees_checkpoint(checkpoint));
        return found.ok_or_else(|| none_named(text));
    }
    let digits = text.strip_prefix("c:").unwrap_or(text);
    if digits.len() < FEWEST_DIGITS || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(StateError::Name(format!(
            "{text:?} is no checkpoint: expected c: and at least {FEWEST_DIGITS} digits of one, as `bygone checkpoint list` shows"
        )));
    }
    let start = format!("c:{}", digits.to_ascii_lowercase());
    let mut found = seen.checkpoints()?;
    found.retain(|checkpoint| checkpoint.id.to_string().starts_with(&start));
    match found.len() {
        0 => Err(none_named(text)),
        1 => Ok(found.remove(0)),
        n => Err(StateError::Missing(format!("{text} may be any of {n} checkpoints: give more digits"))),
    }
}

fn none_named(text: &str) -> StateError {
    StateError::Missing(format!("there is no checkpoint {text} in this view"))
}

/// Returns the state of a checkpoint.
///
/// # Errors
/// [`StateError::Missing`] where it was pruned; [`StateError::Store`] where it is not what was saved.
pub fn restore(seen: &Seen<'_>, checkpoint: &Checkpoint) -> Result<Vec<u8>, StateError> {
    if let Some(state) = seen.snapshot().restore(checkpoint.id)? {
        return Ok(state);
    }
    let pruned = checkpoint.pruned.map_or_else(String::new, |at| format!(" on {}", at.to_rfc3339()));
    Err(StateError::Missing(format!("checkpoint {} was pruned{pruned}: its state is gone", checkpoint.id)))
}

/// Decides on saving a state.
///
/// # Errors
/// [`StateError::Missing`] where the parent is none, or the store cannot be read.
pub fn save(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    saving: &Saving<'_>,
) -> Result<Decided<Saved>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let who = who(by)?;
    let parent = match saving.parent {
        Some(parent) => Some(named(&seen, parent)?),
        None => last(&seen, &who, place.at)?,
    };
    let is_same = |last: &Checkpoint| {
        let same = |asked: Option<&str>, has: &Option<String>| asked.is_none() || asked == has.as_deref();
        last.state == saving.state.id()
            && last.pruned.is_none()
            && last.origin.session == by.session()
            && same(saving.label, &last.label)
            && same(saving.reason, &last.reason)
    };
    if let Some(last) = parent.as_ref().filter(|last| is_same(last)) {
        return Ok(Decided::nothing(Saved { id: last.id, is_unchanged: true }));
    }
    let new = NewCheckpoint {
        state: saving.state.clone(),
        parent: parent.map(|parent| parent.id),
        label: saving.label.map(str::to_owned),
        reason: saving.reason.map(str::to_owned),
        origin: Origin { session: by.session(), agent: by.agent.clone(), user: by.user.clone() },
    };
    let id = new.id(place.at);
    let mut act = Act::new(by, place.at, words(saving));
    let statement =
        act.happen(&who, CHECKPOINTED, "", Object::Json(told(id, saving.state.id(), &new).to_string()));
    let change = CheckpointChange::Save(Box::new(new), statement);
    let saved = Saved { id, is_unchanged: false };
    Ok(Decided::record(act.into_recording(), saved).with_checkpoints(change))
}

/// Says a saving in words, by which the statement is found.
fn words(saving: &Saving<'_>) -> String {
    let texts = ["checkpoint save"].into_iter().chain(saving.label).chain(saving.reason);
    texts.collect::<Vec<_>>().join(" ")
}

/// Returns what the statement says; what is not told is left out.
fn told(id: CheckpointId, state: StateId, new: &NewCheckpoint) -> Value {
    let mut told = json!({
        "checkpoint": id.to_string(),
        "state": state.to_string(),
        "bytes": new.state.n_bytes(),
    });
    let rest = [
        ("parent", new.parent.map(|parent| parent.to_string())),
        ("label", new.label.clone()),
        ("reason", new.reason.clone()),
    ];
    for (key, value) in rest {
        if let Some(value) = value {
            told[key] = Value::String(value);
        }
    }
    told
}

fn who(by: &Actor) -> Result<EntityRef, StateError> {
    by.entity().ok_or_else(|| StateError::Name("who acts has a name that nobody can have".to_owned()))
}

/// Decides on letting checkpoints go. What one that stays reaches stays, too.
///
/// # Errors
/// [`StateError::Missing`] where one that was named is none; [`StateError::Name`] where nothing is said of which;
/// [`StateError::Store`].
pub fn prune(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    pruning: &Pruning<'_>,
) -> Result<Decided<Pruned>, StateError> {
    if pruning.ids.is_empty() && pruning.keep.is_none() && pruning.older_than_micros.is_none() {
        return Err(StateError::Name(
            "which checkpoints are to go was not said: expected ids, --keep or --older-than".to_owned(),
        ));
    }
    let seen = snapshot.seen(&View::LATEST)?;
    let mut named_ids = BTreeSet::new();
    for text in pruning.ids {
        named_ids.insert(named(&seen, text)?.id);
    }
    let mut live = seen.checkpoints()?;
    live.retain(|checkpoint| checkpoint.pruned.is_none());
    let before = pruning.older_than_micros.map(|micros| place.at.plus_micros(-micros));
    let mut n_after: BTreeMap<(Option<&String>, Option<&String>), usize> = BTreeMap::new();
    let mut gone = BTreeSet::new();
    for checkpoint in live.iter().rev() {
        let Origin { agent, user, .. } = &checkpoint.origin;
        // Those of persons are counted by person.
        let n_later = n_after.entry((agent.as_ref(), user.as_ref().filter(|_| agent.is_none()))).or_default();
        let is_wanted = pruning.keep.is_some_and(|keep| *n_later < keep);
        *n_later += 1;
        let is_meant = named_ids.is_empty() || named_ids.contains(&checkpoint.id);
        let is_theirs = pruning.agent.is_none_or(|meant| agent.as_deref() == Some(meant));
        if !is_wanted && is_meant && is_theirs && before.is_none_or(|before| checkpoint.at < before) {
            gone.insert(checkpoint.id);
        }
    }
    let (n_gone, n_live) = (gone.len() as u64, live.len() as u64);
    let pruned = Pruned { pruned: n_gone, kept: n_live - n_gone };
    if gone.is_empty() {
        return Ok(Decided::nothing(pruned));
    }
    let mut act = Act::new(by, place.at, "checkpoint prune");
    let told = json!({ "pruned": pruned.pruned, "kept": pruned.kept });
    act.happen(&who(by)?, PRUNED, "", Object::Json(told.to_string()));
    Ok(Decided::record(act.into_recording(), pruned).with_checkpoints(CheckpointChange::Prune(gone)))
}
