//! Items of LangGraph's `BaseStore`: JSON objects by key in namespaces, filtered, searched by meaning, with a time to live.
//!
//! ```text
//! item   labels of the namespace, nothing, key ─▶ when it was made, what is searched │ the value, byte by byte
//! life   the same                              ─▶ how long it lives, with when it runs out
//! ```
//!
//! What ran out is not shown, and stays until somebody sweeps. Reading may make an item live on, which writes only how long.
//! A value that is there already makes no version, so an item was updated when its value last changed.
//!
//! Operations come in batches: all read what was there before, and what is put is put in one commit.

mod batch;
mod filter;
mod namespace;
mod path;
mod search;
mod sweep;

use bygone_engine::View;
use bygone_engine::document::{Collection, Document, DocumentId, Listing};
use bygone_engine::store::Snapshot;
use bygone_engine::time::Instant;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::frame::{framed, unframed};
use super::name::{document, part_or_none};
use super::{AsOf, InterfaceError};

pub use batch::{Answer, Batch, Get, Op, Put, batch, decide, read};
pub use namespace::{ListNamespaces, MatchCondition, MatchType};
pub use search::Search;
pub use sweep::{EraseItems, History, Past, Sweep, Swept, erase, history, sweep};

static ITEMS: Collection = Collection::fixed("langgraph/items");
static LIVES: Collection = Collection::fixed("langgraph/lives");

/// An item.
#[derive(Debug, Serialize, Deserialize)]
pub struct Item {
    /// The labels of its namespace.
    pub namespace: Vec<String>,
    /// Its key.
    pub key: String,
    /// Its value, byte by byte as it came.
    pub value: Box<RawValue>,
    /// When it was made.
    pub created_at: String,
    /// When its value last changed.
    pub updated_at: String,
    /// How like in meaning it is to what was searched; nothing where that was not asked or its texts are not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
}

/// Which parts of an item are searched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Index {
    /// All of it.
    #[default]
    Whole,
    /// Nothing where it is `false`, and else all of it.
    Only(bool),
    /// What stands at these paths.
    Paths(Vec<String>),
}

/// What is kept of an item before its value.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    created: i64,
    #[serde(default)]
    index: Index,
}

/// An item as it is kept.
struct Kept {
    head: Head,
    value: Box<RawValue>,
    at: Instant,
}

impl Kept {
    fn read(document: &Document) -> Result<Kept, InterfaceError> {
        let (head, value) = unframed("an item", &document.content.bytes)?;
        let value = super::frame::read("the value of an item", value)?;
        Ok(Kept { head, value, at: document.at })
    }

    fn write(head: &Head, value: &RawValue) -> Result<Vec<u8>, InterfaceError> {
        Ok(framed(head, value.get().as_bytes())?)
    }

    fn into_item(self, name: &Name<'_>) -> Item {
        let created = Instant::FIRST.plus_micros(self.head.created.saturating_sub(Instant::FIRST.micros()));
        Item {
            namespace: name.namespace.iter().map(|label| (*label).to_owned()).collect(),
            key: name.key.to_owned(),
            value: self.value,
            created_at: created.to_rfc3339(),
            updated_at: self.at.to_rfc3339(),
            score: None,
        }
    }
}

/// How long an item lives.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Life {
    /// How many minutes after it was last asked for or put.
    minutes: f64,
}

/// What the name of an item's document says.
struct Name<'a> {
    namespace: Vec<&'a str>,
    key: &'a str,
}

impl Name<'_> {
    /// Reads a name: labels, each with a zero byte behind it, another one, and the key.
    fn read(name: &[u8]) -> Option<Name<'_>> {
        let end = name.windows(2).position(|pair| pair == [0, 0])?;
        let namespace: Option<Vec<&str>> =
            name[..end].split(|byte| *byte == 0).map(|label| std::str::from_utf8(label).ok()).collect();
        Some(Name { namespace: namespace?, key: std::str::from_utf8(&name[end + 2..]).ok()? })
    }
}

/// Returns what the names of all items start with that are in a namespace or one within it.
fn prefix(namespace: &[String]) -> Result<Vec<u8>, InterfaceError> {
    let mut prefix = Vec::new();
    for label in namespace {
        if label.is_empty() || label.contains('.') || label.contains('\0') {
            return Err(InterfaceError::Request(format!(
                "the label {label:?} of a namespace is none: expected a text without dots and zero bytes"
            )));
        }
        prefix.extend_from_slice(label.as_bytes());
        prefix.push(0);
    }
    Ok(prefix)
}

fn named(collection: &Collection, namespace: &[String], key: &str) -> Result<DocumentId, InterfaceError> {
    if namespace.is_empty() {
        return Err(InterfaceError::Request("namespace is empty: expected at least one label".to_owned()));
    }
    let mut name = prefix(namespace)?;
    name.push(0);
    name.extend_from_slice(part_or_none("key", key)?.as_bytes());
    document(collection, name)
}

/// Returns the life of an item, with when it ends; nothing for one that lives on.
fn life_of(
    snapshot: &Snapshot<'_>,
    namespace: &[String],
    key: &str,
) -> Result<Option<(Life, Instant)>, InterfaceError> {
    let found = snapshot.document(&named(&LIVES, namespace, key)?)?;
    found.map(|document| life(&document)).transpose()
}

fn life(document: &Document) -> Result<(Life, Instant), InterfaceError> {
    let life = super::frame::read("the life of an item", &document.content.bytes)?;
    Ok((life, document.content.expires.unwrap_or(Instant::DISTANT_FUTURE)))
}

/// Returns the names of items that have a life, with it, of those whose names start with some bytes.
fn lives(
    snapshot: &Snapshot<'_>,
    prefix: &[u8],
) -> Result<std::collections::BTreeMap<Vec<u8>, (Life, Instant)>, InterfaceError> {
    let mut lives = std::collections::BTreeMap::new();
    for found in snapshot.documents(&Listing::new(&LIVES, prefix)) {
        let found = found?;
        lives.insert(found.name.clone(), life(&found)?);
    }
    Ok(lives)
}

/// Returns when a life of so many minutes ends that begins now: at the end of a second, so that what is read often is not
/// written each time.
fn end(life: Life, now: Instant) -> Result<Instant, InterfaceError> {
    let micros = life.minutes * 60_000_000.0;
    if !(micros > 0.0 && micros < 9e18 / 1e3) {
        return Err(InterfaceError::Request(format!(
            "ttl is {}: expected minutes, more than none and less than 200 years' worth",
            life.minutes
        )));
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
    let end = now.micros().saturating_add(micros.ceil() as i64);
    let whole = end.div_euclid(1_000_000).saturating_add(1).saturating_mul(1_000_000);
    Ok(now.plus_micros(whole - now.micros()))
}

/// Returns the view of an optional moment, of what is there now where none is given.
fn view(as_of: Option<&AsOf>) -> Result<View, InterfaceError> {
    super::moment::view(as_of)
}
