//! Concluding something from statements, on which it stands from then on.

use std::collections::BTreeSet;

use bygone_engine::store::{Decided, Place, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{AssertionId, Authority, EntityRef, FactId, Object, View};
use bygone_ontology::Ontology;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::act::{Act, Actor};
use crate::request::Request;
use crate::why::find;

/// What something is concluded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// A statement.
    Statement(AssertionId),
    /// A fact: every statement that supports it.
    Fact(FactId),
}

impl Ground {
    /// Reads the printed form of an id: `a:…` or `f:…`.
    pub fn parse(text: &str) -> Option<Ground> {
        let statement = AssertionId::parse(text).map(Ground::Statement);
        statement.or_else(|| FactId::parse(text).map(Ground::Fact))
    }
}

/// A conclusion to record.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion<'a> {
    /// What it is about.
    pub subject: EntityRef,
    /// The predicate's id.
    pub predicate: &'a str,
    /// Which of several parallel values; usually empty.
    pub key: &'a str,
    /// What it says.
    pub object: Object,
    /// What it is concluded from.
    pub from: Vec<Ground>,
}

/// A conclusion that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concluded {
    /// The statement, which others may be concluded from.
    pub statement: String,
    /// The statements that it stands on.
    pub premises: Vec<String>,
    /// When.
    pub at: Instant,
}

impl Concluded {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!({ "statement": self.statement, "premises": self.premises, "at": self.at.to_rfc3339() })
    }
}

/// Decides on recording a conclusion: that something is so from now on, inferred from what is in the latest view.
///
/// # Errors
/// [`StateError::Name`] where it has no premise or the predicate is none; [`StateError::Missing`] where a premise is not
/// there; [`StateError`] where the store cannot be read.
pub fn conclude(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    ontology: &Ontology,
    conclusion: &Conclusion<'_>,
) -> Result<Decided<Concluded>, StateError> {
    let Conclusion { subject, predicate, key, object, from } = conclusion;
    if from.is_empty() {
        return Err(StateError::Name(
            "the conclusion stands on nothing: expected a statement or a fact that it is concluded from"
                .to_owned(),
        ));
    }
    if predicate.is_empty() || predicate.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(StateError::Name(format!(
            "{predicate:?} is no predicate: expected its id, such as works_at"
        )));
    }
    let seen = snapshot.seen(&View::LATEST)?;
    let request = Request::present(place.at);
    let mut premises: BTreeSet<AssertionId> = BTreeSet::new();
    for ground in from {
        match *ground {
            Ground::Statement(id) => {
                if snapshot.assertion(id)?.is_none() {
                    return Err(StateError::Missing(format!("there is no statement {id} in this space")));
                }
                premises.insert(id);
            }
            Ground::Fact(id) => {
                let missing = || StateError::Missing(format!("there is no fact {id} in this view"));
                let row = find(&seen, ontology, &request, id)?.ok_or_else(missing)?;
                premises.extend(row.fact.support);
            }
        }
    }
    let words = format!("concluded: {subject} {predicate} {}", crate::say::object_text(object));
    let mut act = Act::new(by, place.at, words).with_authority(Authority::Inferred);
    let premises: Vec<AssertionId> = premises.into_iter().collect();
    let statement = act.affirm_from(subject, predicate, key, object.clone(), premises.clone(), None);
    let concluded = Concluded {
        statement: statement.to_string(),
        premises: premises.iter().map(ToString::to_string).collect(),
        at: place.at,
    };
    Ok(Decided::record(act.into_recording(), concluded))
}
