//! The fence: what a run that is over still sends is refused, and that it was sent is recorded.
//!
//! A refusal that is recorded cannot be a failure, since of a failed decision nothing is kept. So the decision that was
//! asked for is made and thrown away, and another one takes its place: a late write. Whoever waits for the first is told of
//! the second, and it is made a failure again outside, once it is recorded.
//!
//! Invariant: every write of tool state goes through [`decide`], so none can go around the fence.

use std::fmt;

use bygone_engine::store::{Decided, Operation, Place, Seen, Snapshot, Space};
use bygone_engine::time::Instant;
use bygone_engine::{Object, View};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::StateError;
use super::act::{Act, Actor};
use super::incarnation::{Incarnation, signs};
use super::liveness::{Heard, Signs, judge};

/// The predicate of writes that came too late.
const LATE_WRITE: &str = "late_write";

/// A write of a run that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Late {
    /// The run.
    pub run: Incarnation,
    /// Why it may not write, in words.
    pub because: String,
    /// The last epoch of its agent, where that is a later one.
    pub by_epoch: Option<u64>,
    /// What it would have written, in words; nothing where that was nothing.
    pub refused: Option<String>,
}

impl fmt::Display for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} may not write: {}", self.run, self.because)
    }
}

/// What a write came to that had to pass the fence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Admitted<T> {
    /// It was decided.
    Done(T),
    /// It came too late.
    Late(Late),
}

/// Decides on a write, and records what was decided before anybody else writes; the only way in which tool state changes.
///
/// # Errors
/// [`StateError::Refused`] where the run that acts has ended or was fenced, and that it wrote late is recorded then; what
/// `decide` fails of, and nothing is recorded; as [`Space::decide`].
pub fn decide<T: Serialize + DeserializeOwned>(
    space: &Space<'_>,
    by: &Actor,
    operation: Option<Operation<'_>>,
    now: Instant,
    decide: impl FnOnce(&Snapshot<'_>, Place) -> Result<Decided<T>, StateError>,
) -> Result<T, StateError> {
    // What a run did while it could is no leave to do it again: it is told that it is over.
    let operation = match (operation, by.incarnation()) {
        (Some(_), Some(run)) if is_barred(space, &run, now)? => None,
        (operation, _) => operation,
    };
    match space.decide(operation, now, |snapshot, place| admit(snapshot, place, by, decide))? {
        Admitted::Done(told) => Ok(told),
        Admitted::Late(late) => Err(StateError::Refused(late.to_string())),
    }
}

/// Decides on a write where the run that acts may still write, and else that it came too late.
///
/// # Errors
/// [`StateError::Missing`] where the run never started; what `decide` fails of.
pub fn admit<T>(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    decide: impl FnOnce(&Snapshot<'_>, Place) -> Result<Decided<T>, StateError>,
) -> Result<Decided<Admitted<T>>, StateError> {
    let Some(run) = by.incarnation() else { return Ok(decide(snapshot, place)?.map(Admitted::Done)) };
    let Some(late) = barred(&snapshot.seen(&View::LATEST)?, &run, place.at)? else {
        return Ok(decide(snapshot, place)?.map(Admitted::Done));
    };
    let refused = match decide(snapshot, place) {
        Ok(decided) => words(&decided),
        Err(StateError::Store(error)) => return Err(error.into()),
        Err(_) => None,
    };
    let Some(refused) = refused else { return Ok(Decided::nothing(Admitted::Late(late))) };
    let told = json!({ "because": late.because, "by_epoch": late.by_epoch, "refused": refused });
    let mut act = Act::new(by, place.at, format!("late write of {run} refused: {refused}"));
    act.happen(&run.entity()?, LATE_WRITE, "", Object::Json(told.to_string()));
    Ok(Decided::record(act.into_recording(), Admitted::Late(Late { refused: Some(refused), ..late })))
}

/// Says whether a run may write no more. One that never started is told so where it is decided.
fn is_barred(space: &Space<'_>, run: &Incarnation, now: Instant) -> Result<bool, StateError> {
    let snapshot = space.snapshot();
    match barred(&snapshot.seen(&View::LATEST)?, run, snapshot.present(now)?) {
        Err(StateError::Missing(_)) => Ok(false),
        late => Ok(late?.is_some()),
    }
}

/// Returns why a run may not write, where it may not: it ended or was fenced, or dies with one that did. One whose lease
/// has only run out may: nobody has taken its place, and a heartbeat brings it back.
fn barred(seen: &Seen<'_>, run: &Incarnation, at: Instant) -> Result<Option<Late>, StateError> {
    let of = |run: &Incarnation| signs(seen, run, at);
    let (Some(Signs { fenced_by, .. }), Some(judged)) = (of(run)?, judge(run, at, &Heard::new(), of)?) else {
        return Err(StateError::Missing(format!(
            "{run} never started: `bygone lease start {}` gives out an epoch",
            run.agent
        )));
    };
    let late = Late { run: run.clone(), because: judged.basis, by_epoch: fenced_by, refused: None };
    Ok(judged.is_final.then_some(late))
}

/// Returns what a decision would record, in words.
fn words<T>(decided: &Decided<T>) -> Option<String> {
    if decided.is_nothing() {
        return None;
    }
    let first = decided.recording().episodes.first();
    Some(first.map_or_else(|| "a write".to_owned(), |episode| episode.text.clone()))
}
