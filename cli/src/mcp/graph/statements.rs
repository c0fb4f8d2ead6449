//! What the tools record: statements in the form of the graph, with an agent's word.

use bygone_engine::EntityRef;
use serde_json::{Value, json};

use super::state::{CLASS, Edge, OBSERVATION};
use crate::mcp::call::Call;

/// Statements that are to be made together.
#[derive(Default)]
pub(super) struct Statements(String);

impl Statements {
    pub(super) fn say(&mut self, mut statement: Value, denies: bool) {
        if denies {
            statement["polarity"] = "deny".into();
        }
        statement["authority"] = "agent".into();
        self.0.push_str(&statement.to_string());
        self.0.push('\n');
    }

    pub(super) fn class(&mut self, of: &str, class: &str, denies: bool) {
        self.say(
            json!({ "subject": of, "predicate": CLASS, "object": { "entity": format!("type:{class}") } }),
            denies,
        );
    }

    pub(super) fn observation(&mut self, of: &str, text: &str, denies: bool) {
        self.say(json!({ "subject": of, "predicate": OBSERVATION, "object": { "text": text } }), denies);
    }

    pub(super) fn edge(&mut self, from: &str, to: &str, edge: &Edge, denies: bool) {
        self.say(
            json!({ "subject": from, "predicate": edge.predicate, "key": edge.key, "object": { "entity": to } }),
            denies,
        );
    }

    pub(super) fn record(self, call: &Call) -> Result<(), String> {
        if self.0.is_empty() {
            return Ok(());
        }
        call.rows("assert", json!({}), Some(self.0)).map(drop)
    }
}

/// Returns the entity of a name in the store, of the type that fits what it is said to be.
pub(super) fn reference(name: &str, class: &str) -> Result<String, String> {
    let kind = bygone_ingest::extract::tool::noted_type(class);
    EntityRef::new(kind, name).map(|entity| entity.to_string()).map_err(|error| format!("{name:?}: {error}"))
}
