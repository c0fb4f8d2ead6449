//! The memory as tools of the Model Context Protocol: a few that an agent uses well (`own`), and the nine of the reference
//! memory server, so that what was made for that one works as it is (`graph`).
//!
//! ```text
//! client ── stdio, or HTTP behind the guard ── handler ── tool ── verbs, one after another ── a session
//! ```
//!
//! A tool is a file's worth of JSON: what it takes, which verbs it has done, and what it makes of their rows. It knows no store.
//! What a model sends wrongly comes back as a result that says so, and not as an error of the protocol: the model can do
//! better then.

mod arguments;
mod call;
mod graph;
mod handler;
mod message;
mod over_http;
mod own;
mod stdio;

use serde_json::{Value, json};

use crate::verb::Scope;
use arguments::Given;
use call::Call;

pub(crate) use message::checked;
pub(crate) use over_http::over_http;
pub(crate) use stdio::over_stdio;

/// What a tool gave, or what whoever called it may do better.
type Told = Result<Gave, String>;

/// What a tool gave.
struct Gave {
    /// For programs.
    structured: Value,
    /// For a model, where it is not the same as JSON.
    text: Option<String>,
}

impl Gave {
    fn json(structured: Value) -> Gave {
        Gave { structured, text: None }
    }
}

/// A tool.
struct Tool {
    name: &'static str,
    about: &'static str,
    /// The properties of what it takes, as JSON Schema, and which of them there must be.
    takes: fn() -> (Value, &'static [&'static str]),
    /// What a key must have.
    scope: Scope,
    run: fn(&mut Given, &Call) -> Told,
}

impl Tool {
    fn schema(&self) -> Value {
        let (properties, required) = (self.takes)();
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}

/// Every tool, in the order in which they are listed.
fn tools() -> impl Iterator<Item = &'static Tool> {
    own::TOOLS.iter().chain(graph::TOOLS)
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn number(about: &str) -> Value {
    json!({ "type": "integer", "minimum": 1, "description": about })
}
