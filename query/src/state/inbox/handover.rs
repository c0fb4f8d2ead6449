//! The parts of a hand-over: what somebody else needs to go on, and why they are to.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::StateError;
use super::super::said::field;

/// What is handed over. Invariant of one that was sent: no part is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOver {
    /// Why it is handed over.
    pub why: String,
    /// What is to be reached.
    pub objective: String,
    /// What is done.
    pub done: String,
    /// Where things stand.
    pub state: String,
    /// The next step.
    pub next: String,
    /// Open questions.
    pub open: String,
    /// Pitfalls.
    pub pitfalls: String,
    /// Where things are.
    #[serde(rename = "where")]
    pub places: String,
}

impl HandOver {
    /// Returns the parts with their names on the wire, in the order in which they are read.
    pub fn parts(&self) -> [(&'static str, &str); 8] {
        [
            ("why", &self.why),
            ("objective", &self.objective),
            ("done", &self.done),
            ("state", &self.state),
            ("next", &self.next),
            ("open", &self.open),
            ("pitfalls", &self.pitfalls),
            ("where", &self.places),
        ]
    }

    /// Checks that it is whole.
    ///
    /// # Errors
    /// [`StateError::Name`] with the names of all parts that are empty.
    pub(super) fn check(&self) -> Result<(), StateError> {
        let parts = self.parts().into_iter();
        let missing: Vec<&str> =
            parts.filter(|(_, text)| text.trim().is_empty()).map(|(name, _)| name).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(StateError::Name(format!(
            "the hand-over says nothing of: {}; all eight parts are required",
            missing.join(", ")
        )))
    }

    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!(self)
    }

    pub(super) fn from_json(value: &Value) -> HandOver {
        HandOver {
            why: field(value, "why"),
            objective: field(value, "objective"),
            done: field(value, "done"),
            state: field(value, "state"),
            next: field(value, "next"),
            open: field(value, "open"),
            pitfalls: field(value, "pitfalls"),
            places: field(value, "where"),
        }
    }
}
