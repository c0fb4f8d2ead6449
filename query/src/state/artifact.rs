//! Half-finished artifacts: files that are being made, with what is missing.
//!
//! An artifact is a file, `file:PATH`, that has a state; that it is an artifact is a statement of its own, by which all of
//! them are found.

use bygone_engine::store::{Decided, Place, Seen, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Object, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::act::{Act, Actor};
use super::stands::stands;

/// The predicate of how far an artifact has come.
const STATE: &str = "artifact_state";
/// The predicate by which artifacts are told from other files.
const INSTANCE_OF: &str = "instance_of";

/// How an artifact stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// Its path.
    pub path: String,
    /// The hash of its content, where that was said.
    pub hash: Option<String>,
    /// What is missing, where that was said.
    pub missing: Option<String>,
    /// Whether it is complete.
    pub complete: bool,
    /// When that was known.
    pub at: Instant,
    /// The commit that said so.
    pub seq: u64,
    /// The agent that said so.
    pub by: Option<String>,
}

/// How an artifact is to stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<'a> {
    /// Its path.
    pub path: &'a str,
    /// The hash of its content.
    pub hash: Option<&'a str>,
    /// What is missing.
    pub missing: Option<&'a str>,
    /// Whether it is complete.
    pub complete: bool,
}

fn file(path: &str) -> Result<EntityRef, StateError> {
    EntityRef::new("file", path).map_err(|error| StateError::Name(error.to_string()))
}

/// Returns what artifacts are instances of.
fn kind() -> Result<EntityRef, StateError> {
    EntityRef::new("type", "artifact").map_err(|error| StateError::Name(error.to_string()))
}

/// Returns how an artifact stands at an instant; nothing where the view knows of none.
///
/// # Errors
/// [`StateError`] where the path is none, or the store cannot be read.
pub fn get(seen: &Seen<'_>, path: &str, at: Instant) -> Result<Option<Artifact>, StateError> {
    let file = file(path)?;
    let Some(standing) = stands(seen, &file, STATE, "", at)?.filter(|standing| !standing.has_ended) else {
        return Ok(None);
    };
    let Object::Json(told) = &standing.object else { return Ok(None) };
    let told: Value = serde_json::from_str(told).unwrap_or_default();
    let text = |key: &str| told[key].as_str().map(str::to_owned);
    Ok(Some(Artifact {
        path: file.name().to_owned(),
        hash: text("hash"),
        missing: text("missing"),
        complete: told["complete"] == true,
        at: standing.at,
        seq: standing.seq,
        by: standing.agent,
    }))
}

/// Returns the artifacts that a view knows of, by path.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn list(seen: &Seen<'_>, at: Instant) -> Result<Vec<Artifact>, StateError> {
    let mut artifacts = Vec::new();
    for group in seen.groups_about(&kind()?)? {
        if group.predicate == INSTANCE_OF && group.subject.kind() == "file" {
            artifacts.extend(get(seen, group.subject.name(), at)?);
        }
    }
    artifacts.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(artifacts)
}

/// Decides on saying how an artifact stands.
///
/// # Errors
/// [`StateError`] where the path is none, something is missing of what is complete, or the store cannot be read.
pub fn set(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    setting: &Setting<'_>,
) -> Result<Decided<Artifact>, StateError> {
    let Setting { path, hash, missing, complete } = *setting;
    let file = file(path)?;
    if complete == missing.is_some() {
        return Err(StateError::Name(format!(
            "an artifact is complete or something is missing: expected either, of {path}"
        )));
    }
    let seen = snapshot.seen(&View::LATEST)?;
    let before = get(&seen, path, place.at)?;
    let artifact = Artifact {
        path: file.name().to_owned(),
        hash: hash.map(str::to_owned),
        missing: missing.map(str::to_owned),
        complete,
        at: place.at,
        seq: place.seq,
        by: by.agent.clone(),
    };
    let is_same = |before: &Artifact| {
        (before.hash.as_deref(), before.missing.as_deref(), before.complete) == (hash, missing, complete)
    };
    // Another session's word stands beside the first one.
    let said_in = stands(&seen, &file, STATE, "", place.at)?.map(|standing| standing.session);
    if let Some(before) = before.clone().filter(is_same)
        && said_in == Some(by.session())
    {
        return Ok(Decided::nothing(before));
    }
    let words = match missing {
        Some(missing) => format!("artifact {path} is missing {missing}"),
        None => format!("artifact {path} is complete"),
    };
    let mut act = Act::new(by, place.at, words);
    if before.is_none() || said_in != Some(by.session()) {
        act.affirm(&file, INSTANCE_OF, "", Object::Entity(kind()?));
    }
    let told = json!({ "complete": complete, "hash": hash, "missing": missing });
    act.affirm(&file, STATE, "", Object::Json(told.to_string()));
    Ok(Decided::record(act.into_recording(), artifact))
}
