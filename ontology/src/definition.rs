//! What is declared of a predicate.

use serde::{Deserialize, Serialize};

/// How a predicate behaves in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TemporalKind {
    /// Holds over a period and is presumed to go on.
    State,
    /// Happens, and is over.
    Event,
    /// Does not change.
    Rigid,
}

/// How many objects hold at one time within one subject, predicate and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cardinality {
    /// One; another displaces it.
    One,
    /// Many, independent of each other.
    Many,
}

/// The declaration of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The predicate's id, such as `works_at`.
    pub id: String,
    /// The types a subject may have; `any` stands for all.
    pub domain: Vec<String>,
    /// The types of entity, or kinds of value, an object may have.
    pub range: Vec<String>,
    /// How it behaves in time.
    pub kind: TemporalKind,
    /// How many objects hold at a time.
    pub cardinality: Cardinality,
    /// What the key of a statement means; absent where the key is always empty.
    pub key: Option<String>,
    /// The predicate that says the same from the object's side.
    pub inverse: Option<String>,
    /// Whether subject and object may be exchanged.
    pub symmetric: bool,
    /// After how many days of presumption a fact counts as ageing; `None`: never.
    pub half_life_days: Option<u32>,
    /// Words that state it.
    pub cues: Vec<String>,
    /// Words that end it.
    pub end_cues: Vec<String>,
    /// The schema.org property, where verified.
    pub schema: Option<String>,
    /// The Wikidata property, where verified.
    pub wikidata: Option<String>,
    /// What else a reader should know.
    pub note: Option<String>,
}
