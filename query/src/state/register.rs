//! Registers: named values that are set one after another, and only by who has seen the last one where that is asked.
//!
//! A register is an entity, `register:NAME`; that it holds a value is a statement, so its history stands on both clocks.

use bygone_engine::store::{Decided, Place, Seen, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Object, View};
use serde::{Deserialize, Serialize};

use super::StateError;
use super::act::{Act, Actor};
use super::incarnation::{INSTANCE_OF, type_of};
use super::stands::stands;

/// The predicate of what a register holds.
const HOLDS: &str = "holds";
/// The predicate of the version of the source that its value came from.
const SOURCE_VERSION: &str = "source_version";

/// A register's value as a view has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// The register.
    pub name: String,
    /// What it holds.
    pub value: String,
    /// The commit that set it.
    pub seq: u64,
    /// When that was known.
    pub at: Instant,
    /// When it runs out; nothing where it does not.
    pub until: Option<Instant>,
    /// Whether it has run out.
    pub has_expired: bool,
    /// The version of the source that it was read from, where that was said.
    pub source_version: Option<String>,
    /// The agent that set it.
    pub by: Option<String>,
}

/// What must be so for a register to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Nothing.
    None,
    /// It holds nothing.
    Unset,
    /// It holds this value.
    Value(String),
    /// This commit was the last to set it.
    Seq(u64),
}

/// A value to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<'a> {
    /// The register.
    pub name: &'a str,
    /// What it is to hold.
    pub value: &'a str,
    /// What it must hold before.
    pub expected: Expectation,
    /// After how many microseconds it runs out; nothing where it does not.
    pub ttl_micros: Option<i64>,
    /// The version of the source that the value was read from.
    pub source_version: Option<&'a str>,
}

/// What setting a register came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Set {
    /// It holds the new value.
    Done(Value),
    /// It holds something else than was expected, and is as it was.
    Lost(Option<Value>),
}

/// Returns the register that a name means.
///
/// # Errors
/// [`StateError::Name`].
pub fn register(name: &str) -> Result<EntityRef, StateError> {
    EntityRef::new("register", name).map_err(|error| StateError::Name(error.to_string()))
}

/// Returns what a register holds at an instant, or held last where that has run out; nothing where it held nothing by then.
///
/// # Errors
/// [`StateError`] where the name is none, or the store cannot be read.
pub fn get(seen: &Seen<'_>, name: &str, at: Instant) -> Result<Option<Value>, StateError> {
    let register = register(name)?;
    let Some(held) = stands(seen, &register, HOLDS, "", at)? else { return Ok(None) };
    let version = stands(seen, &register, SOURCE_VERSION, "", at)?.filter(|version| version.at == held.at);
    Ok(Some(Value {
        name: register.name().to_owned(),
        value: held.text(),
        seq: held.seq,
        at: held.at,
        until: held.until,
        has_expired: held.has_ended,
        source_version: version.map(|version| version.text()),
        by: held.agent,
    }))
}

/// Returns the registers that held something by an instant, by name.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn registers(seen: &Seen<'_>, at: Instant) -> Result<Vec<Value>, StateError> {
    let mut values = Vec::new();
    for register in seen.subjects_with(INSTANCE_OF, &type_of("register"))? {
        values.extend(get(seen, register.name(), at)?);
    }
    Ok(values)
}

/// Decides on setting a register.
///
/// # Errors
/// [`StateError`] where the name is none, or the store cannot be read.
pub fn set(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    setting: &Setting<'_>,
) -> Result<Decided<Set>, StateError> {
    let register = register(setting.name)?;
    let seen = snapshot.seen(&View::LATEST)?;
    let before = get(&seen, setting.name, place.at)?;
    let held = before.as_ref().filter(|value| !value.has_expired);
    let is_met = match &setting.expected {
        Expectation::None => true,
        Expectation::Unset => held.is_none(),
        Expectation::Value(expected) => held.is_some_and(|value| value.value == *expected),
        Expectation::Seq(expected) => before.as_ref().map_or(0, |value| value.seq) == *expected,
    };
    if !is_met {
        return Ok(Decided::nothing(Set::Lost(before)));
    }
    let words = format!("cursor set {} {}", setting.name, setting.value);
    let until = setting.ttl_micros.map(|micros| place.at.plus_micros(micros));
    let mut act = Act::new(by, place.at, words);
    // What runs out leaves nothing: what it held before does not come back.
    if until.is_some() && before.is_some() {
        act.deny(&register, HOLDS, "", None);
    }
    if before.is_none() {
        // What all registers have in common, so that they can be listed.
        act.affirm(&register, INSTANCE_OF, "", Object::Entity(type_of("register")));
    }
    act.affirm_until(&register, HOLDS, "", Object::Text(setting.value.to_owned()), until);
    if let Some(version) = setting.source_version {
        act.affirm_until(&register, SOURCE_VERSION, "", Object::Text(version.to_owned()), until);
    }
    let value = Value {
        name: register.name().to_owned(),
        value: setting.value.to_owned(),
        seq: place.seq,
        at: place.at,
        until,
        has_expired: false,
        source_version: setting.source_version.map(str::to_owned),
        by: by.agent.clone(),
    };
    Ok(Decided::record(act.into_recording(), Set::Done(value)))
}
