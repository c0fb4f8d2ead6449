//! What a verb takes, as JSON Schema.

use clap::{Arg, ArgAction, Command};
use serde_json::{Map, Value, json};

use super::{Input, Verb};

/// Options of the command line that other protocols say otherwise, or not at all.
const SAID_OTHERWISE: [&str; 8] =
    ["store", "space", "json", "quiet", "vector_index", "config", "now", "help"];

/// Returns the arguments of a verb's command that are offered.
pub(super) fn arguments(verb: &Verb, definition: &Command) -> Vec<Arg> {
    let input = match verb.input {
        Input::Needed(id) | Input::Possible(id) => Some(id),
        Input::None => None,
    };
    let mut arguments: Vec<Arg> = definition
        .get_arguments()
        .filter(|arg| {
            let id = arg.get_id().as_str();
            !(SAID_OTHERWISE.contains(&id)
                || id == "version"
                || verb.without.contains(&id)
                || input == Some(id))
        })
        .cloned()
        .collect();
    arguments.sort_by_key(|arg| (arg.is_positional(), arg.get_index()));
    arguments
}

/// Returns what a verb does, in a sentence or a few.
pub(crate) fn about(verb: &Verb) -> String {
    let definition = verb.definition();
    let about = definition.get_long_about().or(definition.get_about());
    about.map(ToString::to_string).unwrap_or_default()
}

/// Returns what an argument is called in JSON: its long name, or else its short one; and where it has none, what the command
/// line calls its value.
pub(super) fn property(arg: &Arg) -> String {
    if let Some(long) = arg.get_long() {
        return long.replace('-', "_");
    }
    if let Some(short) = arg.get_short() {
        return short.to_string();
    }
    let shown = arg
        .get_value_names()
        .and_then(|names| names.first())
        .map(|name| name.to_lowercase().replace('-', "_"));
    shown
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'))
        .unwrap_or_else(|| arg.get_id().to_string())
}

/// Says whether an argument may be given several times.
pub(super) fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append) || arg.get_num_args().is_some_and(|n| n.max_values() > 1)
}

/// Says whether an argument is given or not, and has no value.
pub(super) fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Returns the schema of an argument's value.
fn schema(arg: &Arg) -> Value {
    let one = if is_flag(arg) {
        json!({ "type": "boolean" })
    } else {
        let values: Vec<String> =
            arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        if values.is_empty() {
            json!({ "type": ["string", "number", "object"] })
        } else {
            json!({ "type": "string", "enum": values })
        }
    };
    let mut schema = if is_list(arg) { json!({ "type": "array", "items": one }) } else { one };
    if let Some(help) = arg.get_long_help().or(arg.get_help()) {
        schema["description"] = help.to_string().into();
    }
    schema
}

/// Returns the properties of the object that a verb takes, and which of them there must be.
pub(crate) fn properties(verb: &Verb) -> (Map<String, Value>, Vec<String>) {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for arg in verb.arguments() {
        let name = property(arg);
        if arg.is_required_set() {
            required.push(name.clone());
        }
        properties.insert(name, schema(arg));
    }
    if verb.input != Input::None {
        // It may also be the whole body.
        let about = match verb.path {
            ["ingest"] => "What is read: a transcript in any of the formats.",
            ["checkpoint", "save"] => "The state.",
            _ => "What is read, as JSON Lines or in the form that the command reads from its standard input.",
        };
        properties.insert("input".to_owned(), json!({ "type": "string", "description": about }));
    }
    (properties, required)
}
