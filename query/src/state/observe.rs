//! Noting which version a source has, so that what was read from an earlier one is found stale.

use bygone_engine::store::{Decided, Place, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::act::{Act, Actor};
use super::said::{required, text};
use super::stands::stands;

/// The predicate of a source's version.
const VERSION: &str = "source_version";
/// The types of what has versions.
const SOURCES: [&str; 2] = ["file", "url"];

/// A version of a source that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// The source, as `type:Name`.
    pub source: String,
    /// Its version.
    pub version: String,
    /// The version that it had before, where that is another one.
    pub was: Option<String>,
    /// The statement that says so: what is concluded from the source stands on it.
    pub statement: String,
    /// When.
    pub at: Instant,
}

impl Observed {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!({
            "source": self.source,
            "version": self.version,
            "was": self.was,
            "statement": self.statement,
            "at": self.at.to_rfc3339(),
        })
    }
}

/// Decides on noting the version of a source: a file or the address of a page, as `file:PATH` or `url:ADDRESS`.
///
/// # Errors
/// [`StateError::Name`] where it is no source or the version is empty; [`StateError`] where the store cannot be read.
pub fn observe(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    source: &str,
    version: &str,
) -> Result<Decided<Observed>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let entity = EntityRef::parse(source).ok().filter(|entity| SOURCES.contains(&entity.kind()));
    let Some(entity) = entity else {
        return Err(StateError::Name(format!("{source:?} is no source: expected file:PATH or url:ADDRESS")));
    };
    let version = required("the version", version)?;
    let before = stands(&seen, &entity, VERSION, "", place.at)?.filter(|before| !before.has_ended);
    let mut act = Act::new(by, place.at, format!("observed {entity} {version}"));
    let statement = act.affirm(&entity, VERSION, "", text(version));
    let observed = Observed {
        source: entity.to_string(),
        version: version.to_owned(),
        was: before.map(|before| before.text()).filter(|was| was != version),
        statement: statement.to_string(),
        at: place.at,
    };
    Ok(Decided::record(act.into_recording(), observed))
}
