//! Work-sets: which of very many items are to be done, were done, or failed.
//!
//! What is said of items is kept in leaves beside the statements; that somebody worked on a set is a statement, made when a
//! session first writes into it, so that the set is found and a view can listen to those sessions alone.
//!
//! Adding an item that is there, and doing one that is done, changes nothing. A failure is an attempt more each time.

use bygone_engine::store::{Decided, Place, Seen, Snapshot, WorkItem};
use bygone_engine::time::Instant;
use bygone_engine::work::{Item, Items, Status, WorkChange, WorkCount};
use bygone_engine::{EntityRef, Object, Origin, View};
use serde::{Deserialize, Serialize};

use super::StateError;
use super::act::{Act, Actor};

/// The predicate of who works on a set.
const WORKED_ON: &str = "worked_on";
/// The longest reason, in bytes.
pub(super) const MAX_REASON_BYTES: usize = 16 << 10;

/// Items of a set, and how they are to stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marking<'a> {
    /// The set.
    pub set: &'a str,
    /// The items.
    pub items: Items,
    /// How they are to stand.
    pub status: Status,
    /// Why.
    pub reason: Option<&'a str>,
}

/// What marking items came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marked {
    /// The set.
    pub set: String,
    /// How they were to stand.
    pub status: Status,
    /// How many different items were named.
    pub items: u64,
    /// How many of them did not stand so before, failures among them.
    pub changed: u64,
    /// The commit; nothing where nothing changed.
    pub seq: Option<u64>,
}

/// Returns the work-set that a name means.
///
/// # Errors
/// [`StateError::Name`].
pub fn work_set(name: &str) -> Result<EntityRef, StateError> {
    EntityRef::new("workset", name).map_err(|error| StateError::Name(error.to_string()))
}

/// Makes items of texts.
///
/// # Errors
/// [`StateError::Name`] for the first text that is none.
pub fn items<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Vec<Item>, StateError> {
    let item = |text| Item::new(text).map_err(|error| StateError::Name(error.to_string()));
    texts.into_iter().map(item).collect()
}

/// Decides on marking items.
///
/// # Errors
/// [`StateError`] where the name is none, the reason is too long, or the store cannot be read.
pub fn mark(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    marking: &Marking<'_>,
) -> Result<Decided<Marked>, StateError> {
    let set = work_set(marking.set)?;
    if let Some(reason) = marking.reason.filter(|reason| reason.len() > MAX_REASON_BYTES) {
        let n_bytes = reason.len();
        return Err(StateError::Name(format!(
            "a reason of {n_bytes} bytes is longer than {MAX_REASON_BYTES}"
        )));
    }
    let seen = snapshot.seen(&View::LATEST)?;
    let stand = seen.work(set.name(), place.at)?.look_up(marking.items.as_slice())?;
    let is_news = |now: &Option<WorkItem>| match (marking.status, now) {
        (Status::Queued, now) => now.is_none(),
        (Status::Done, now) => now.as_ref().is_none_or(|now| now.status != Status::Done),
        (Status::Failed, _) => true,
    };
    let session = by.session();
    // What another session says again changes nothing, and stands by its word where the first one is erased.
    let is_said_elsewhere = |now: &Option<WorkItem>| {
        let is_same = |now: &&WorkItem| now.status == marking.status && now.status != Status::Failed;
        now.as_ref().filter(is_same).is_some_and(|now| !now.sessions.contains(&session))
    };
    let items = || marking.items.as_slice().iter().zip(&stand);
    let n_changed = items().filter(|(_, now)| is_news(now)).count() as u64;
    let said = items().filter(|(_, now)| is_news(now) || is_said_elsewhere(now));
    let said: Items = said.map(|(item, _)| item.clone()).collect();
    let marked = Marked {
        set: set.name().to_owned(),
        status: marking.status,
        items: marking.items.len() as u64,
        changed: n_changed,
        seq: (!said.is_empty()).then_some(place.seq),
    };
    if said.is_empty() {
        return Ok(Decided::nothing(marked));
    }
    let origin = Origin { session: by.session(), agent: by.agent.clone(), user: by.user.clone() };
    let mut act = Act::new(by, place.at, format!("work on {}", set.name()));
    if !snapshot.has_worked(set.name(), &origin)?
        && let Some(who) = by.entity()
    {
        act.happen(&who, WORKED_ON, "", Object::Entity(set.clone()));
    }
    let change = WorkChange {
        set: set.name().to_owned(),
        items: said,
        status: marking.status,
        reason: marking.reason.map(str::to_owned),
        origin,
        said_at: None,
    };
    Ok(Decided::record(act.into_recording(), marked).with_work(change))
}

/// Shows how the items of a set stand at an instant, one after another in order; those of one status where one is given.
///
/// # Errors
/// What `each` fails of; [`StateError`] where the name is none, or the store cannot be read.
pub fn list<E: From<StateError>>(
    seen: &Seen<'_>,
    set: &str,
    status: Option<Status>,
    at: Instant,
    mut each: impl FnMut(WorkItem) -> Result<(), E>,
) -> Result<(), E> {
    let set = work_set(set)?;
    let work = seen.work(set.name(), at).map_err(StateError::from)?;
    for item in work.items() {
        let item = item.map_err(StateError::from)?;
        if status.is_none_or(|status| item.status == status) {
            each(item)?;
        }
    }
    Ok(())
}

/// Returns those of some items that are not done at an instant, in the order in which they were given, each once, with how
/// they stand; nothing of one that was never named.
///
/// # Errors
/// [`StateError`] where the name is none, or the store cannot be read.
pub fn missing_of(
    seen: &Seen<'_>,
    set: &str,
    asked: &[Item],
    at: Instant,
) -> Result<Vec<(Item, Option<WorkItem>)>, StateError> {
    let set = work_set(set)?;
    let sorted: Items = asked.iter().cloned().collect();
    let stand = seen.work(set.name(), at)?.look_up(sorted.as_slice())?;
    let mut stand: std::collections::BTreeMap<&Item, Option<WorkItem>> =
        sorted.as_slice().iter().zip(stand).collect();
    let is_missing = |now: &Option<WorkItem>| now.as_ref().is_none_or(|now| now.status != Status::Done);
    let missing = asked.iter().filter_map(|item| Some((item.clone(), stand.remove(item)?)));
    Ok(missing.filter(|(_, now)| is_missing(now)).collect())
}

/// Counts the items of a set by how they stand at an instant.
///
/// # Errors
/// [`StateError`] where the name is none, or the store cannot be read.
pub fn count(seen: &Seen<'_>, set: &str, at: Instant) -> Result<WorkCount, StateError> {
    let set = work_set(set)?;
    Ok(seen.work(set.name(), at)?.count()?)
}
