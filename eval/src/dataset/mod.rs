//! Which conversations and questions are there, and which of their turns hold the answers?
//!
//! ```text
//! file ── file.rs ──> elements ── locomo.rs, longmemeval.rs ──> conversations and questions with their evidence
//! ```
//!
//! A conversation carries two forms of the same turns: the bytes that `bygone ingest` reads, and the turns as the
//! baselines read them. Neither form holds a question, an answer or a mark of what is evidence.
//! Invariant: what is left out of a measurement, or set right in it, stands in a [`Ledger`].

pub mod errata;
pub mod file;
pub mod locomo;
pub mod longmemeval;

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::Instant;
use serde_json::{Map, Value, json};

/// A conversation to find turns in.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    /// Whose it is, for messages.
    pub name: String,
    /// The format of its bytes, by the name of its reader.
    pub format: &'static str,
    /// What is ingested.
    pub bytes: Vec<u8>,
    /// The same turns, in order.
    pub turns: Vec<Turn>,
    /// How many sessions it has, empty ones included.
    pub n_sessions: usize,
}

/// A turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Which of the conversation's sessions, from 0.
    pub session: usize,
    /// What the store calls the session.
    pub session_name: String,
    /// Where the store has it in the session, from 1.
    pub position: u64,
    /// Who says it.
    pub speaker: String,
    /// What is said, with the captions of pictures.
    pub text: String,
    /// When.
    pub time: Instant,
}

/// One piece of evidence and the documents that hold it: more than one where a document stands twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What the data set calls it.
    pub label: String,
    /// Indices of turns, or of sessions.
    pub documents: Vec<usize>,
}

/// What was left out of a measurement or set right in it: why, and which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger(BTreeMap<&'static str, Vec<String>>);

impl Ledger {
    /// Adds one thing under its reason.
    pub fn note(&mut self, reason: &'static str, which: impl Into<String>) {
        self.0.entry(reason).or_default().push(which.into());
    }

    /// Adds what another ledger holds.
    pub fn extend(&mut self, other: Ledger) {
        for (reason, which) in other.0 {
            self.0.entry(reason).or_default().extend(which);
        }
    }

    /// Returns the reasons in order, each with what falls under it.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        self.0.iter().map(|(reason, which)| (*reason, which.as_slice()))
    }

    /// Returns the JSON form: a count and a list for each reason.
    pub fn to_json(&self) -> Value {
        let entries = self.entries();
        let entry = |which: &[String]| json!({ "count": which.len(), "which": which });
        Value::Object(entries.map(|(reason, which)| (reason.to_owned(), entry(which))).collect())
    }
}

/// Tells labels of documents that stand more than once apart: the second "D1:3" is "D1:3#2".
fn told_apart(labels: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut told = Vec::new();
    for label in labels {
        let numbered = (2..).map(|number| format!("{label}#{number}"));
        let free = std::iter::once(label.clone()).chain(numbered).find(|one| taken.insert(one.clone()));
        told.extend(free);
    }
    told
}

/// Returns a member that is a text, or says what is there instead.
fn text_of<'v>(map: &'v Map<String, Value>, key: &str) -> Result<&'v str, String> {
    match map.get(key) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(format!("`{key}` is no text")),
        None => Err(format!("there is no `{key}`")),
    }
}

/// Returns a member that is a list, or says what is there instead.
fn list_of<'v>(map: &'v Map<String, Value>, key: &str) -> Result<&'v [Value], String> {
    match map.get(key) {
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(format!("`{key}` is no list")),
        None => Err(format!("there is no `{key}`")),
    }
}

fn object<'v>(value: &'v Value, what: &str) -> Result<&'v Map<String, Value>, String> {
    value.as_object().ok_or_else(|| format!("{what} is an object, and this is none"))
}
