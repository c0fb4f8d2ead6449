//! From a JSON object to the words of a command line.
//!
//! A value cannot become an option: options carry their values in the same word, and positional values come after `--`.

use std::ffi::OsString;

use clap::Arg;
use serde_json::{Map, Value};

use super::schema::{is_flag, is_list, property};
use super::{Input, Verb};

/// Why an object is not what a verb takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Wrong(pub(crate) String);

/// Takes the input of a verb out of an object, where it is there.
///
/// # Errors
/// It is no text.
pub(super) fn input(verb: &Verb, given: &mut Map<String, Value>) -> Result<Option<String>, Wrong> {
    if verb.input == Input::None {
        return Ok(None);
    }
    match given.remove("input") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Wrong("input: expected a string".to_owned())),
    }
}

/// Returns the words of a verb with what an object gives it, and with standard input in the place of a file where there is
/// input. What is said of the space, the store and the form of the output is the caller's to add.
///
/// # Errors
/// A property that the verb does not have, a value of another type, an argument that is missing, or input that is.
pub(super) fn words(
    verb: &Verb,
    given: &Map<String, Value>,
    has_input: bool,
) -> Result<Vec<OsString>, Wrong> {
    let arguments = verb.arguments();
    if let Some(key) = given.keys().find(|key| arguments.iter().all(|arg| property(arg) != **key)) {
        let known: Vec<String> = arguments.iter().map(property).collect();
        return Err(Wrong(format!(
            "{key:?} is no property of {}: expected one of {}",
            verb.name(),
            known.join(", ")
        )));
    }
    let mut words: Vec<OsString> = verb.path.iter().map(Into::into).collect();
    let mut positional: Vec<OsString> = Vec::new();
    let mut missing: Option<String> = None;
    for arg in arguments {
        let name = property(arg);
        let values = match given.get(&name) {
            None | Some(Value::Null) if arg.is_required_set() => {
                return Err(Wrong(format!("{name} is missing")));
            }
            None | Some(Value::Null) => {
                if arg.is_positional() {
                    missing.get_or_insert(name);
                }
                continue;
            }
            Some(value) => values(arg, value)?,
        };
        if !arg.is_positional() {
            words.extend(values.into_iter().map(|value| option(arg, &value)));
            continue;
        }
        if let Some(missing) = &missing {
            return Err(Wrong(format!("{name} is given without {missing}: expected both")));
        }
        positional.extend(values.into_iter().map(OsString::from));
    }
    match (verb.input, has_input) {
        (Input::Needed(_), false) => {
            let expected = "expected what is to be read, as `input` or as the body";
            return Err(Wrong(format!("input is missing: {expected}")));
        }
        (Input::Needed(id) | Input::Possible(id), true) => {
            if verb.definition().get_positionals().any(|arg| arg.get_id() == id) {
                positional.push("-".into());
            } else {
                words.push(format!("--{id}=-").into());
            }
        }
        (Input::Possible(_), false) | (Input::None, _) => {}
    }
    words.push("--".into());
    words.extend(positional);
    Ok(words)
}

/// Returns the texts of a property's value; none for a flag that is not set.
fn values(arg: &Arg, value: &Value) -> Result<Vec<String>, Wrong> {
    let id = property(arg);
    if is_flag(arg) {
        return match value {
            Value::Bool(is_set) => Ok(if *is_set { vec![String::new()] } else { Vec::new() }),
            // As in the query part of an address.
            Value::String(text) if text == "true" || text.is_empty() => Ok(vec![String::new()]),
            Value::String(text) if text == "false" => Ok(Vec::new()),
            _ => Err(Wrong(format!("{id}: expected true or false"))),
        };
    }
    let text = |value: &Value| match value {
        Value::String(text) if text.contains('\0') => {
            Err(Wrong(format!("{id}: a text with a zero byte cannot be an argument")))
        }
        Value::String(text) if text == "-" => Err(Wrong(format!(
            "{id}: \"-\" stands for standard input on the command line: expected another text"
        ))),
        Value::String(text) => Ok(text.clone()),
        Value::Null => Err(Wrong(format!("{id}: expected a value in place of null"))),
        other => Ok(other.to_string()),
    };
    match value {
        Value::Array(values) if is_list(arg) => values.iter().map(text).collect(),
        value => Ok(vec![text(value)?]),
    }
}

fn option(arg: &Arg, value: &str) -> OsString {
    let name = match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => unreachable!("an argument that is not positional has a name"),
    };
    if is_flag(arg) { name.into() } else { format!("{name}={value}").into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{VERBS, verb};
    use super::*;

    fn said(name: &str, given: &Value) -> Result<String, Wrong> {
        let (verb, mut given) = (verb(name).unwrap(), given.as_object().unwrap().clone());
        let input = input(verb, &mut given)?;
        let words = words(verb, &given, input.is_some())?;
        Ok(words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn options_keep_their_values_and_positions_come_last() {
        assert_eq!(
            said("facts", &json!({ "subject": "--history", "object": { "number": 3 }, "history": true })),
            Ok(r#"facts --subject=--history --object={"number":3} --history --"#.to_owned())
        );
        assert_eq!(said("search", &json!({ "text": "-k", "k": 3 })), Ok("search -k=3 -- -k".to_owned()));
        assert_eq!(
            said("decide", &json!({ "topic": "t", "choice": "c", "because": "b", "over": ["x", "y"] })),
            Ok("decide --because=b --over=x --over=y -- t c".to_owned())
        );
    }

    #[test]
    fn what_a_file_would_name_is_the_input() {
        assert_eq!(said("assert", &json!({ "input": "{}" })), Ok("assert -- -".to_owned()));
        assert_eq!(
            said("ontology/accept", &json!({ "input": "x" })),
            Ok("ontology accept --file=- --".to_owned())
        );
        assert_eq!(said("ontology/check", &json!({ "input": "x" })), Ok("ontology check -- -".to_owned()));
        assert_eq!(said("ontology/check", &json!({})), Ok("ontology check --".to_owned()));
        assert!(said("assert", &json!({})).is_err());
        let error = said("assert", &json!({ "file": "/etc/passwd" })).unwrap_err();
        assert!(error.0.starts_with("\"file\" is no property of assert"), "{error}");
        assert!(said("checkpoint/restore", &json!({ "output": "/tmp/x" })).is_err());
        assert!(said("facts", &json!({ "config": "/etc/passwd" })).is_err());
        assert!(said("facts", &json!({ "store": "/" })).is_err());
        assert!(said("work/add", &json!({ "set": "q", "items": ["-", "b"] })).is_err());
    }

    #[test]
    fn what_there_must_be_is_asked_for_by_its_name() {
        let error = said("learned", &json!({ "entity": "anna", "object": "Bern" })).unwrap_err();
        assert_eq!(error.0, "predicate is missing");
    }

    #[test]
    fn every_verb_is_a_command_and_takes_no_path() {
        for verb in VERBS {
            for arg in verb.arguments() {
                let named = arg.get_value_names().unwrap_or_default();
                let is_path = named.iter().any(|name| ["FILE", "DIR", "FOLDER"].contains(&name.as_str()));
                assert!(!is_path, "{} {}", verb.name(), arg.get_id());
            }
        }
    }
}
