//! Promises: what somebody said they would do, for whom, by when, and whether they did.
//!
//! A promise is an entity, `promise:ID`. That one is overdue is told at reading.
//!
//! ```text
//!        keep, break (either of the two)
//! open ─────────────────────────────────▶ kept, broken
//!   └─── withdraw (who promised) ───────▶ withdrawn
//! ```

use std::collections::BTreeSet;

use bygone_engine::store::{Decided, Place, Seen, Snapshot};
use bygone_engine::time::{Instant, Moment};
use bygone_engine::wire::valid_text;
use bygone_engine::{EntityRef, Object, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::act::{Act, Actor};
use super::said::{required, text};
use super::short::{named, unused};
use super::stands::stands;
use super::{StateError, party};

/// The type of a promise.
const PROMISE: &str = "promise";
/// The predicate of what is promised.
const PROMISED: &str = "promised";
/// The predicate of who promised.
const PROMISED_BY: &str = "promised_by";
/// The predicate of whom it was promised to.
const PROMISED_TO: &str = "promised_to";
/// The predicate of what became of it.
const STATE: &str = "promise_state";
/// The predicate of when it is to be done.
const DUE: &str = "due";

/// What became of a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Nothing yet.
    Open,
    /// It was done.
    Kept,
    /// It was not done, and will not be.
    Broken,
    /// Who made it took it back.
    Withdrawn,
}

impl Fate {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Fate::Open => "open",
            Fate::Kept => "kept",
            Fate::Broken => "broken",
            Fate::Withdrawn => "withdrawn",
        }
    }

    fn from_name(name: &str) -> Option<Fate> {
        [Fate::Open, Fate::Kept, Fate::Broken, Fate::Withdrawn].into_iter().find(|fate| fate.name() == name)
    }
}

/// A promise as it stands at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// Its short name.
    pub id: String,
    /// What is promised.
    pub text: String,
    /// Who promised, as `type:Name`.
    pub by: String,
    /// Whom it was promised to, as `type:Name`.
    pub to: String,
    /// When it was promised.
    pub at: Instant,
    /// When it is to be done.
    pub due: Option<Moment>,
    /// What became of it.
    pub fate: Fate,
    /// Since when.
    pub fate_at: Instant,
    /// Who said so, as `type:Name`.
    pub fate_by: Option<String>,
    /// Whether it is open and was to be done by now.
    pub is_overdue: bool,
}

impl Promise {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "text": self.text,
            "by": self.by,
            "to": self.to,
            "at": self.at.to_rfc3339(),
            "due": self.due.map(valid_text),
            "state": self.fate.name(),
            "state_at": self.fate_at.to_rfc3339(),
            "state_by": self.fate_by,
            "overdue": self.is_overdue,
        })
    }
}

/// A promise to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vow<'a> {
    /// What is promised.
    pub text: &'a str,
    /// Whom to: the name of an agent, or `type:Name`.
    pub to: &'a str,
    /// When it is to be done.
    pub due: Option<Moment>,
}

/// Decides on making a promise.
///
/// # Errors
/// [`StateError::Name`] where it says nothing, or is made to nobody; [`StateError`] where the store cannot be read.
pub fn promise(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    vow: &Vow<'_>,
) -> Result<Decided<Promise>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let promised = required("the promise", vow.text)?;
    let (from, to) = (by.named()?, party(vow.to)?);
    let (maker, receiver, made_at) = (from.to_string(), to.to_string(), place.at.to_rfc3339());
    let entity = unused(&seen, PROMISE, PROMISED, [maker.as_str(), &receiver, &made_at, promised])?;
    let mut act = Act::new(by, place.at, format!("promised {receiver}: {promised}"));
    act.affirm(&entity, PROMISED, "", text(promised));
    act.affirm(&entity, PROMISED_BY, "", Object::Entity(from));
    act.affirm(&entity, PROMISED_TO, "", Object::Entity(to));
    act.affirm(&entity, STATE, "", text(Fate::Open.name()));
    if let Some(due) = vow.due {
        act.affirm(&entity, DUE, "", Object::Instant(due));
    }
    let made = Promise {
        id: entity.name().to_owned(),
        text: promised.to_owned(),
        by: maker.clone(),
        to: receiver,
        at: place.at,
        due: vow.due,
        fate: Fate::Open,
        fate_at: place.at,
        fate_by: Some(maker),
        is_overdue: vow.due.is_some_and(|due| due.end() <= place.at),
    };
    Ok(Decided::record(act.into_recording(), made))
}

/// Decides on saying what became of a promise. One of which that is said already stays as it is.
///
/// # Errors
/// [`StateError::Missing`] where there is no such promise; [`StateError::Refused`] where something else became of it, or
/// the one who acts neither made it nor was promised it, or would withdraw what others promised; [`StateError`] where the
/// store cannot be read.
pub fn settle(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    id: &str,
    fate: Fate,
) -> Result<Decided<Promise>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let missing = || StateError::Missing(format!("there is no promise {id:?}"));
    let mut promise = get(&seen, id, place.at)?.ok_or_else(missing)?;
    let own = representative(&seen, &by.named()?);
    let may = match fate {
        Fate::Withdrawn => vec![promise.by.clone()],
        Fate::Open | Fate::Kept | Fate::Broken => vec![promise.by.clone(), promise.to.clone()],
    };
    if !may.contains(&own) {
        let (id, may) = (&promise.id, may.join(" or "));
        return Err(StateError::Refused(format!(
            "the promise {id} is between {} and {}: only {may} may say that it is {}, not {own}",
            promise.by,
            promise.to,
            fate.name()
        )));
    }
    if promise.fate == fate {
        return Ok(Decided::nothing(promise));
    }
    if promise.fate != Fate::Open {
        let (id, since) = (&promise.id, promise.fate_at.to_rfc3339());
        return Err(StateError::Refused(format!(
            "the promise {id} is {} since {since}",
            promise.fate.name()
        )));
    }
    let mut act = Act::new(by, place.at, format!("promise {} {}", promise.id, fate.name()));
    act.affirm(&named(PROMISE, &promise.id)?, STATE, "", text(fate.name()));
    promise.fate = fate;
    promise.fate_at = place.at;
    promise.fate_by = Some(own);
    promise.is_overdue = false;
    Ok(Decided::record(act.into_recording(), promise))
}

/// Returns a promise as it stands at an instant; nothing where it was not made by then.
///
/// # Errors
/// [`StateError`] where the id is no name, or the store cannot be read.
pub fn get(seen: &Seen<'_>, id: &str, at: Instant) -> Result<Option<Promise>, StateError> {
    of(seen, &named(PROMISE, id)?, at)
}

/// Returns the promises that somebody made or was made, or all of the space where nobody is named, as they stand at an
/// instant: the open ones first, then by when they are due, and those made earlier first.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn promises(
    seen: &Seen<'_>,
    somebody: Option<&EntityRef>,
    at: Instant,
) -> Result<Vec<Promise>, StateError> {
    let groups = match somebody {
        Some(somebody) => seen.groups_about(somebody)?,
        None => seen.groups()?,
    };
    let of_promises = groups
        .into_iter()
        .filter(|group| matches!(group.predicate.as_str(), PROMISED_BY | PROMISED_TO))
        .map(|group| group.subject)
        .filter(|subject| subject.kind() == PROMISE);
    let mut promises = Vec::new();
    for entity in &of_promises.collect::<BTreeSet<EntityRef>>() {
        promises.extend(of(seen, entity, at)?);
    }
    promises.sort_by_cached_key(|promise| {
        let due = promise.due.map_or(Instant::LAST, Moment::end);
        (promise.fate != Fate::Open, due, promise.at, promise.id.clone())
    });
    Ok(promises)
}

fn of(seen: &Seen<'_>, entity: &EntityRef, at: Instant) -> Result<Option<Promise>, StateError> {
    let one = |predicate: &str| stands(seen, entity, predicate, "", at);
    let (Some(promised), Some(by), Some(to)) = (one(PROMISED)?, one(PROMISED_BY)?, one(PROMISED_TO)?) else {
        return Ok(None);
    };
    let state = one(STATE)?;
    let fate = state.as_ref().and_then(|state| Fate::from_name(&state.text())).unwrap_or(Fate::Open);
    let due = one(DUE)?.and_then(|due| match due.object {
        Object::Instant(moment) => Some(moment),
        _ => None,
    });
    let name = |object: &Object| object.entity().map_or_else(|| object.canonical(), ToString::to_string);
    Ok(Some(Promise {
        id: entity.name().to_owned(),
        text: promised.text(),
        by: name(&by.object),
        to: name(&to.object),
        at: promised.since,
        due,
        fate,
        fate_at: state.as_ref().map_or(promised.since, |state| state.since),
        fate_by: state.and_then(|state| state.asserter).map(|by| representative(seen, &by)),
        is_overdue: fate == Fate::Open && due.is_some_and(|due| due.end() <= at),
    }))
}

fn representative(seen: &Seen<'_>, somebody: &EntityRef) -> String {
    seen.identity().representative(somebody).to_string()
}
