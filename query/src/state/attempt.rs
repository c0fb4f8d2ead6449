//! Attempts that failed: what was tried on a topic, and why it did not work, so that nobody tries it again unaware.

use bygone_engine::record::Recorded;
use bygone_engine::store::{Decided, Place, Seen, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{Object, Polarity};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::act::{Act, Actor};
use super::said::{everybody, field, json_object, json_of, required, topic};

/// The predicate of an attempt that failed.
const FAILED: &str = "failed_attempt";

/// An attempt that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// What was tried.
    pub approach: String,
    /// Why it did not work.
    pub because: String,
    /// What it was about; nothing where nobody said.
    pub topic: Option<String>,
    /// Who tried, as `type:Name`.
    pub by: Option<String>,
    /// When it was told.
    pub at: Instant,
    /// The statement that says so.
    pub statement: String,
}

impl Attempt {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!({
            "approach": self.approach,
            "because": self.because,
            "topic": self.topic,
            "by": self.by,
            "at": self.at.to_rfc3339(),
            "statement": self.statement,
        })
    }
}

/// Decides on telling of an attempt that failed.
///
/// # Errors
/// [`StateError::Name`] where the approach, the reason or the topic is empty.
pub fn fail(
    _snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    approach: &str,
    because: &str,
    on: Option<&str>,
) -> Result<Decided<Attempt>, StateError> {
    let approach = required("the approach", approach)?;
    let because = required("the reason", because)?;
    let topic = on.map(topic).transpose()?;
    let own = by.named()?;
    let words = format!("tried {approach}: failed, because {because}");
    let mut act = Act::new(by, place.at, words).with_authority(by.authority());
    let content = json_object(&json!({ "approach": approach, "because": because }));
    let statement = act.happen(&everybody(), FAILED, topic.as_deref().unwrap_or_default(), content);
    let attempt = Attempt {
        approach: approach.to_owned(),
        because: because.to_owned(),
        topic,
        by: Some(own.to_string()),
        at: place.at,
        statement: statement.to_string(),
    };
    Ok(Decided::record(act.into_recording(), attempt))
}

/// Returns the attempts that failed by an instant, the last one first: on one topic, or on all of them.
///
/// # Errors
/// [`StateError`] where the topic is none, or the store cannot be read.
pub fn attempts(seen: &Seen<'_>, on: Option<&str>, at: Instant) -> Result<Vec<Attempt>, StateError> {
    let everybody = everybody();
    let groups = match on {
        Some(on) => seen.group(&everybody, FAILED, &topic(on)?)?.into_iter().collect(),
        None => seen.groups_of(&everybody)?,
    };
    let mut attempts = Vec::new();
    for group in groups.iter().filter(|group| group.predicate == FAILED) {
        // What was taken back is no occurrence any more.
        let facts = seen.facts(group)?;
        for Recorded { assertion, .. } in seen.statements(group)? {
            let stands = facts.iter().any(|fact| fact.support.binary_search(&assertion.id).is_ok());
            if assertion.polarity == Polarity::Deny || assertion.known_at > at || !stands {
                continue;
            }
            let content = assertion.object.as_ref().map(json_of).unwrap_or_default();
            let words = || assertion.object.as_ref().map(Object::canonical).unwrap_or_default();
            let approach = field(&content, "approach");
            attempts.push(Attempt {
                approach: if approach.is_empty() { words() } else { approach },
                because: field(&content, "because"),
                topic: Some(group.key.clone()).filter(|topic| !topic.is_empty()),
                by: assertion.source.asserter.as_ref().map(ToString::to_string),
                at: assertion.known_at,
                statement: assertion.id.to_string(),
            });
        }
    }
    attempts.sort_by(|one, other| {
        other
            .at
            .cmp(&one.at)
            .then_with(|| (&one.topic, &one.statement).cmp(&(&other.topic, &other.statement)))
    });
    Ok(attempts)
}
