//! Whether a statement fits what is declared of its predicate.
//!
//! A statement that does not is kept all the same: it was said. What is found goes to the report of the ingest.

use std::fmt;

use bygone_engine::{Assertion, EntityRef, Object};

use crate::definition::Definition;
use crate::ontology::{ANY, Ontology, VALUE_KINDS};
use crate::wording::expected;

/// What does not fit between a statement and its predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// The predicate is not declared, and counts as open.
    Undeclared {
        /// The predicate.
        predicate: String,
    },
    /// The subject is of none of the predicate's types.
    Domain {
        /// The predicate.
        predicate: String,
        /// The subject.
        subject: EntityRef,
        /// The types it may have.
        expects: Vec<String>,
    },
    /// The object is an entity of none of the predicate's types.
    RangeType {
        /// The predicate.
        predicate: String,
        /// The object.
        object: EntityRef,
        /// The types and kinds of value it may have.
        expects: Vec<String>,
    },
    /// The object is a value of another kind than the predicate's.
    RangeValue {
        /// The predicate.
        predicate: String,
        /// The kind of value it is.
        found: &'static str,
        /// The types and kinds of value it may have.
        expects: Vec<String>,
    },
    /// The statement has a key and its predicate has none.
    Key {
        /// The predicate.
        predicate: String,
        /// The key.
        key: String,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Undeclared { predicate } => {
                write!(f, "predicate {predicate:?} is not declared: expected one of the ontology's")
            }
            Remark::Domain { predicate, subject, expects } => {
                write!(f, "subject {subject} of {predicate}: {}", expected(expects))
            }
            Remark::RangeType { predicate, object, expects } => {
                write!(f, "object {object} of {predicate}: {}", expected(expects))
            }
            Remark::RangeValue { predicate, found, expects } => {
                write!(f, "object of {predicate} is {found}: {}", expected(expects))
            }
            Remark::Key { predicate, key } => write!(f, "key {key:?} of {predicate}: expected no key"),
        }
    }
}

/// Returns what does not fit between a statement and its predicate: subject first, then object, then key.
pub fn validate(ontology: &Ontology, assertion: &Assertion) -> Vec<Remark> {
    let predicate = || assertion.predicate.clone();
    let Some(definition) = ontology.definition(&assertion.predicate) else {
        return vec![Remark::Undeclared { predicate: predicate() }];
    };
    let mut remarks = Vec::new();
    if !accepts_type(ontology, &definition.domain, assertion.subject.kind()) {
        remarks.push(Remark::Domain {
            predicate: predicate(),
            subject: assertion.subject.clone(),
            expects: definition.domain.clone(),
        });
    }
    if let Some(object) = &assertion.object {
        remarks.extend(misfit(ontology, definition, object));
    }
    if definition.key.is_none() && !assertion.key.is_empty() {
        remarks.push(Remark::Key { predicate: predicate(), key: assertion.key.clone() });
    }
    remarks
}

/// Returns why an object does not fit its predicate's range.
fn misfit(ontology: &Ontology, definition: &Definition, object: &Object) -> Option<Remark> {
    let expects = &definition.range;
    let Some(found) = value_kind(object) else {
        let object = object.entity()?;
        return (!accepts_type(ontology, expects, object.kind())).then(|| Remark::RangeType {
            predicate: definition.id.clone(),
            object: object.clone(),
            expects: expects.clone(),
        });
    };
    let fits = expects.iter().any(|name| name == ANY || name == found);
    (!fits).then(|| Remark::RangeValue { predicate: definition.id.clone(), found, expects: expects.clone() })
}

/// Returns the kind of value that an object is, as a range names it; `None` for an entity.
pub(crate) const fn value_kind(object: &Object) -> Option<&'static str> {
    match object {
        Object::Entity(_) => None,
        Object::Text(_) => Some("text"),
        Object::Number { .. } => Some("number"),
        Object::Bool(_) => Some("bool"),
        Object::Instant(_) => Some("time"),
        Object::Period(_) => Some("period"),
        Object::Json(_) => Some("json"),
    }
}

/// Says whether entities of a type are among those declared. An entity `text:Iliad` is no text.
fn accepts_type(ontology: &Ontology, declared: &[String], kind: &str) -> bool {
    declared.iter().filter(|name| !VALUE_KINDS.contains(&name.as_str())).any(|name| ontology.is_a(kind, name))
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::Instant;
    use bygone_engine::wire::{Defaults, read_statement};

    use super::*;

    fn remarks(statement: &str) -> Vec<String> {
        let defaults = Defaults { now: Instant::FIRST, document: "doc".to_owned(), position: 0 };
        let statement = read_statement(statement, &defaults).expect("a statement");
        validate(&Ontology::core(), &statement.assertion).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_misfit_is_named_with_what_was_expected() {
        let cases: &[(&str, &str, &str, &[&str])] = &[
            // Subject, predicate and key; object; remarks.
            ("person:Alice works_at", "", r#"{"entity":"org:Acme"}"#, &[]),
            ("person:Alice works_at", "side", r#"{"entity":"org:Acme"}"#, &[]),
            ("person:Alice owns", "", r#"{"entity":"animal:Rex"}"#, &[]),
            ("person:Alice likes", "", r#"{"text":"tea"}"#, &[]),
            ("person:Alice likes", "", r#"{"entity":"wizard:Merlin"}"#, &[]),
            ("person:Alice born_on", "", r#"{"instant":"1990-05"}"#, &[]),
            ("agent:main alive", "", r#"{"bool":true}"#, &[]),
            ("agent:main ran", "", r#"{"json":{"exit":0}}"#, &[]),
            ("service:api config_value", "port", r#"{"number":8080}"#, &[]),
            ("issue:7 assigned_to", "", r#"{"entity":"person:Alice"}"#, &[]),
            ("person:Alice works_at", "", "null", &[]),
            (
                "place:Rome works_at",
                "",
                r#"{"entity":"org:Acme"}"#,
                &["subject place:Rome of works_at: expected person"],
            ),
            (
                "person:Alice lives_in",
                "",
                r#"{"entity":"person:Bob"}"#,
                &["object person:Bob of lives_in: expected place"],
            ),
            (
                "person:Alice lives_in",
                "",
                r#"{"text":"Rome"}"#,
                &["object of lives_in is text: expected place"],
            ),
            (
                "person:Alice gender",
                "",
                r#"{"entity":"text:woman"}"#,
                &["object text:woman of gender: expected text"],
            ),
            (
                "person:Alice graduated",
                "",
                r#"{"period":["2010","2012"]}"#,
                &["object of graduated is period: expected one of org, degree"],
            ),
            (
                "person:Alice born_on",
                "first",
                r#"{"instant":"1990-05"}"#,
                &[r#"key "first" of born_on: expected no key"#],
            ),
            (
                "place:Rome alive",
                "x",
                r#"{"number":1}"#,
                &[
                    "subject place:Rome of alive: expected one of agent, incarnation",
                    "object of alive is number: expected bool",
                    r#"key "x" of alive: expected no key"#,
                ],
            ),
            (
                "place:Rome wroks_at",
                "x",
                r#"{"number":1}"#,
                &[r#"predicate "wroks_at" is not declared: expected one of the ontology's"#],
            ),
        ];
        for (about, key, object, expected) in cases {
            let (subject, predicate) = about.split_once(' ').expect("a subject and a predicate");
            let polarity = if *object == "null" { "deny" } else { "affirm" };
            let object = match *object {
                "null" => String::new(),
                object => format!(r#""object":{object},"#),
            };
            let statement = format!(
                r#"{{"subject":"{subject}","predicate":"{predicate}","key":"{key}",{object}"polarity":"{polarity}","from":"2020","known_at":"2024-01-01","authority":"user","source":"doc#1"}}"#
            );
            assert_eq!(remarks(&statement), *expected, "{statement}");
        }
    }
}
