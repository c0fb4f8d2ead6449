//! Batches of operations on items.

use bygone_engine::View;
use bygone_engine::document::{Content, DocumentId, Documents};
use bygone_engine::store::{Decided, Place, Snapshot};
use bygone_engine::time::Instant;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::super::name::document;
use super::super::{AsOf, InterfaceError, frame};
use super::namespace::{ListNamespaces, list};
use super::search::{Search, search};
use super::{Head, ITEMS, Index, Item, Kept, LIVES, Life, Name, end, life_of, named, view};

/// Operations, in order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// The operations.
    pub ops: Vec<Op>,
}

/// An operation.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// Returns an item.
    Get(Get),
    /// Returns items.
    Search(Search),
    /// Returns namespaces.
    ListNamespaces(ListNamespaces),
    /// Puts an item, or removes it.
    Put(Put),
}

/// Which item is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Get {
    /// Its namespace.
    pub namespace: Vec<String>,
    /// Its key.
    pub key: String,
    /// Whether it lives on.
    #[serde(default = "yes")]
    pub refresh_ttl: bool,
    /// As of when; then what has run out since is shown, too.
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

fn yes() -> bool {
    true
}

/// What is to be put.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Put {
    /// The namespace.
    pub namespace: Vec<String>,
    /// The key.
    pub key: String,
    /// The value, an object; the item is removed where it is nothing.
    pub value: Option<Box<RawValue>>,
    /// Which parts of it are searched; all of it where that is not said.
    #[serde(default)]
    pub index: Option<Index>,
    /// How many minutes it lives after it was last asked for or put; for ever where that is not said.
    #[serde(default)]
    pub ttl: Option<f64>,
}

/// What an operation came to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// Namespaces that were listed.
    Namespaces(Vec<Vec<String>>),
    /// Items that were found.
    Items(Vec<Item>),
    /// An item; nothing where there is none, and for what was put.
    Item(Option<Box<Item>>),
}

impl Batch {
    /// Says whether anything is put.
    pub fn writes(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Put(_)))
    }
}

/// Does a batch on what is there, and returns what it came to and what is to be written.
///
/// # Errors
/// [`InterfaceError::Request`] where a name, a value, a filter or a time is none; [`InterfaceError::TooLarge`] where more
/// texts are to be searched than that; [`InterfaceError::Store`].
pub fn batch(
    snapshot: &Snapshot<'_>,
    now: Instant,
    request: &Batch,
) -> Result<(Vec<Answer>, Documents), InterfaceError> {
    let mut documents = Documents::default();
    let mut answers = Vec::with_capacity(request.ops.len());
    for op in &request.ops {
        answers.push(match op {
            Op::Get(op) => Answer::Item(get(snapshot, now, op, &mut documents)?.map(Box::new)),
            Op::Search(op) => Answer::Items(search(snapshot, now, op, &mut documents)?),
            Op::ListNamespaces(op) => Answer::Namespaces(list(snapshot, now, op)?),
            Op::Put(_) => Answer::Item(None),
        });
    }
    // What is put counts, whatever was to live on.
    for op in &request.ops {
        if let Op::Put(op) = op {
            put(snapshot, now, op, &mut documents)?;
        }
    }
    Ok((answers, documents))
}

/// Decides on a batch that writes.
///
/// # Errors
/// As [`batch`].
pub fn decide(
    snapshot: &Snapshot<'_>,
    place: Place,
    request: &Batch,
) -> Result<Decided<Vec<Answer>>, InterfaceError> {
    let (answers, documents) = batch(snapshot, place.at, request)?;
    Ok(Decided::nothing(answers).with_documents(documents))
}

/// Does a batch that only reads; nothing lives on for it.
///
/// # Errors
/// [`InterfaceError::Request`] where it puts something; as [`batch`].
pub fn read(snapshot: &Snapshot<'_>, now: Instant, request: &Batch) -> Result<Vec<Answer>, InterfaceError> {
    if request.writes() {
        return Err(InterfaceError::Request(
            "ops put something: expected a batch that only reads".to_owned(),
        ));
    }
    Ok(batch(snapshot, now, request)?.0)
}

fn get(
    snapshot: &Snapshot<'_>,
    now: Instant,
    op: &Get,
    documents: &mut Documents,
) -> Result<Option<Item>, InterfaceError> {
    if op.namespace.is_empty() {
        // Nothing was ever put there.
        return Ok(None);
    }
    let id = named(&ITEMS, &op.namespace, &op.key)?;
    let view = view(op.as_of.as_ref())?;
    let Some(found) = snapshot.document_in(&id, &view)? else { return Ok(None) };
    if view == View::LATEST
        && let Some((life, end)) = life_of(snapshot, &op.namespace, &op.key)?
    {
        if end <= now {
            return Ok(None);
        }
        if op.refresh_ttl {
            live_on(documents, id.name(), life, now)?;
        }
    }
    let kept = Kept::read(&found)?;
    Ok(Name::read(&found.name).map(|name| kept.into_item(&name)))
}

/// Lets an item live on from now.
pub(super) fn live_on(
    documents: &mut Documents,
    name: &[u8],
    life: Life,
    now: Instant,
) -> Result<(), InterfaceError> {
    put_life(documents, document(&LIVES, name.to_vec())?, life, now)
}

fn put_life(
    documents: &mut Documents,
    id: DocumentId,
    life: Life,
    now: Instant,
) -> Result<(), InterfaceError> {
    let content = Content { bytes: frame::written(&life)?, expires: Some(end(life, now)?) };
    documents.put(id, content);
    Ok(())
}

fn put(
    snapshot: &Snapshot<'_>,
    now: Instant,
    op: &Put,
    documents: &mut Documents,
) -> Result<(), InterfaceError> {
    let Put { namespace, key, value, index, ttl } = op;
    if namespace.is_empty() && value.is_none() {
        return Ok(());
    }
    let (id, life_id) = (named(&ITEMS, namespace, key)?, named(&LIVES, namespace, key)?);
    let Some(value) = value else {
        documents.remove(id);
        documents.remove(life_id);
        return Ok(());
    };
    // It has to be one that filters can look into: not too deep, and with numbers that there are.
    if let Err(error) = serde_json::from_str::<Map<String, Value>>(value.get()) {
        return Err(InterfaceError::Request(format!("the value of {key:?} is no object: {error}")));
    }
    // What ran out is gone, whether or not it was swept.
    let is_over = life_of(snapshot, namespace, key)?.is_some_and(|(_, end)| end <= now);
    let before = snapshot.document(&id)?.filter(|_| !is_over);
    let before = before.map(|document| Kept::read(&document)).transpose()?;
    let created = before.map_or(now.micros(), |kept| kept.head.created);
    let index = index.clone().unwrap_or_default();
    documents.put(id, Kept::write(&Head { created, index }, value)?);
    match ttl {
        Some(minutes) => put_life(documents, life_id, Life { minutes: *minutes }, now)?,
        None => documents.remove(life_id),
    }
    Ok(())
}
