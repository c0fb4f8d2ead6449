//! What a person tells in a turn, and which statements it amounts to by the contract: a row of the table of section 2 of
//! `docs/semantics.md` each.

use serde_json::{Value, json};

use super::calendar::{Date, Minute};

/// What a turn is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Where somebody works.
    Employment,
    /// Where somebody lives.
    Residence,
    /// Which projects somebody is on; several at a time.
    Project,
}

impl Topic {
    /// Every topic.
    pub const ALL: [Topic; 3] = [Topic::Employment, Topic::Residence, Topic::Project];

    /// Returns the predicate that it is said with.
    pub const fn predicate(self) -> &'static str {
        match self {
            Topic::Employment => "works_at",
            Topic::Residence => "lives_in",
            Topic::Project => "member_of",
        }
    }

    const fn object_type(self) -> &'static str {
        match self {
            Topic::Employment => "org",
            Topic::Residence => "place",
            Topic::Project => "project",
        }
    }
}

/// The form in which something is told; objects are names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// It is so now, nobody said since when.
    Now(String),
    /// It has been so since a date, and still is.
    Since(String, Date),
    /// It came to be so at a date.
    Start(String, Date),
    /// It ceased at a date.
    End(String, Date),
    /// It was so from a date to another, both included.
    Bounded(String, Date, Date),
    /// It is not and never was the one, it is the other.
    Correction {
        /// What was never so.
        wrong: String,
        /// What is so now.
        right: String,
    },
    /// It never was so.
    Retraction(String),
    /// Who tells it is also known by another name.
    Alias(String),
}

impl Form {
    /// Returns the objects it names.
    pub fn objects(&self) -> Vec<&str> {
        match self {
            Form::Now(object)
            | Form::Since(object, _)
            | Form::Start(object, _)
            | Form::End(object, _)
            | Form::Bounded(object, _, _)
            | Form::Retraction(object) => vec![object],
            Form::Correction { wrong, right } => vec![wrong, right],
            Form::Alias(_) => Vec::new(),
        }
    }
}

/// A turn in which somebody tells something of themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    /// When.
    pub time: Minute,
    /// By which name.
    pub speaker: String,
    /// About what; nothing counts on it for [`Form::Alias`].
    pub topic: Topic,
    /// What.
    pub form: Form,
    /// In which session.
    pub session: String,
    /// Which turn of the session it is.
    pub position: u64,
}

impl Telling {
    /// Returns the statements on the wire, without ids.
    pub fn statements(&self) -> Vec<Value> {
        match &self.form {
            Form::Now(object) => vec![self.affirm(object, json!({}))],
            Form::Since(object, date) => {
                vec![self.affirm(object, json!({ "from": date.iso(), "sure_until": self.time.text() }))]
            }
            Form::Start(object, date) => vec![self.affirm(object, json!({ "from": date.iso() }))],
            Form::End(object, date) => vec![self.deny(object, json!({ "from": date.next().iso() }))],
            Form::Bounded(object, from, to) => {
                vec![self.affirm(object, json!({ "from": from.iso(), "to": to.next().iso() }))]
            }
            Form::Correction { wrong, right } => {
                vec![self.deny(wrong, json!({})), self.affirm(right, json!({}))]
            }
            Form::Retraction(object) => vec![self.deny(object, json!({}))],
            Form::Alias(name) => {
                let mut statement = self.said("affirm", json!({}));
                statement["predicate"] = json!("same_as");
                statement["object"] = json!({ "entity": format!("person:{name}") });
                vec![statement]
            }
        }
    }

    fn affirm(&self, object: &str, dates: Value) -> Value {
        self.about(object, self.said("affirm", dates))
    }

    fn deny(&self, object: &str, dates: Value) -> Value {
        self.about(object, self.said("deny", dates))
    }

    fn about(&self, object: &str, mut statement: Value) -> Value {
        statement["object"] = json!({ "entity": format!("{}:{object}", self.topic.object_type()) });
        statement
    }

    /// The statement without its object, with the dates given.
    fn said(&self, polarity: &str, dates: Value) -> Value {
        let mut statement = dates;
        let speaker = format!("person:{}", self.speaker);
        statement["subject"] = json!(speaker);
        statement["asserter"] = json!(speaker);
        statement["predicate"] = json!(self.topic.predicate());
        statement["polarity"] = json!(polarity);
        statement["known_at"] = json!(self.time.text());
        statement["authority"] = json!("user");
        statement["source"] = json!(format!("{}#{}", self.session, self.position));
        statement
    }
}
