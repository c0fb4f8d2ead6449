//! What a statement says of its subject: another entity, or a value.

use serde::{Deserialize, Serialize};

use crate::entity::EntityRef;
use crate::id::hash_parts;
use crate::time::{Moment, Period};

/// A number that keeps whole values exact.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
pub enum Number {
    /// A whole number.
    Whole(i64),
    /// Any other finite number.
    Real(f64),
}

impl Number {
    /// Makes a number from a float; whole values become [`Number::Whole`], `None` where not finite.
    #[expect(clippy::cast_possible_truncation, reason = "guarded by the exactness check")]
    pub fn from_f64(value: f64) -> Option<Number> {
        /// Up to 2^53 every whole float is exact.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if !value.is_finite() {
            None
        } else if value.fract() == 0.0 && value.abs() <= EXACT {
            Some(Number::Whole(value as i64))
        } else {
            Some(Number::Real(value))
        }
    }
}

/// The object of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Object {
    /// Another entity.
    Entity(EntityRef),
    /// A text, in NFC.
    Text(String),
    /// A number and its unit.
    Number {
        /// The value.
        value: Number,
        /// The unit as given, such as `km`.
        unit: Option<String>,
    },
    /// Yes or no.
    Bool(bool),
    /// A time, with its granularity.
    Instant(Moment),
    /// A stretch of time.
    Period(Period),
    /// Any JSON value, in canonical form (keys sorted, no white space).
    Json(String),
}

/// Names an object within a group: equal keys, equal objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectKey(pub(crate) [u8; 16]);

impl Object {
    /// Returns the entity of an entity object.
    pub const fn entity(&self) -> Option<&EntityRef> {
        match self {
            Object::Entity(entity) => Some(entity),
            _ => None,
        }
    }

    /// Returns the key by which objects are told apart.
    pub fn key(&self) -> ObjectKey {
        // Most objects are entities, and derivation asks for their keys all the time.
        match self {
            Object::Entity(entity) => {
                ObjectKey(hash_parts("entity object", [entity.kind().as_bytes(), entity.name().as_bytes()]))
            }
            other => ObjectKey(hash_parts("object", [other.canonical().as_bytes()])),
        }
    }

    /// Returns the canonical JSON of the wire form: what equality, order and hashes stand on.
    pub fn canonical(&self) -> String {
        serde_json::to_string(&crate::wire::ObjectForm(self)).unwrap_or_default()
    }
}
