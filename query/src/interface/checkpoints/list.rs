//! Lists of checkpoints, the latest first.

use bygone_engine::View;
use bygone_engine::document::{Document, Listing};
use bygone_engine::store::Snapshot;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::listing::{PAGE_BYTES, documents, limit};
use super::super::name::{joined, part, start};
use super::super::{AsOf, InterfaceError, moment};
use super::get::{CheckpointTuple, named, tuple};
use super::{CHECKPOINTS, Head, Thread};

/// Which checkpoints are asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// The thread; all where none is named.
    #[serde(default)]
    pub thread_id: Option<String>,
    /// The namespace; all where none is named.
    #[serde(default)]
    pub checkpoint_ns: Option<String>,
    /// The checkpoint; all where none is named.
    #[serde(default)]
    pub checkpoint_id: Option<String>,
    /// Only checkpoints made before this one.
    #[serde(default)]
    pub before: Option<String>,
    /// What their metadata has.
    #[serde(default)]
    pub filter: Option<Map<String, Value>>,
    /// The most rows.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Behind which the list goes on.
    #[serde(default)]
    pub after: Option<Cursor>,
    /// As of when.
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

/// A checkpoint behind which a list goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cursor {
    /// The thread.
    pub thread_id: String,
    /// The namespace.
    pub checkpoint_ns: String,
    /// The checkpoint.
    pub checkpoint_id: String,
}

/// Checkpoints: by their ids, the greatest first; then by thread and namespace.
#[derive(Debug, Serialize, Deserialize)]
pub struct Listed {
    /// The checkpoints.
    pub checkpoints: Vec<CheckpointTuple>,
    /// What the next page comes after; nothing where this is the last.
    pub next: Option<Cursor>,
}

/// Lists checkpoints. In one namespace of one thread this reads what it shows; else everything that may be shown.
///
/// # Errors
/// [`InterfaceError::Request`] where a name or the time is none; [`InterfaceError::Store`].
pub fn list(snapshot: &Snapshot<'_>, request: &List) -> Result<Listed, InterfaceError> {
    let view = moment::view(request.as_of.as_ref())?;
    let most = limit(request.limit)?;
    let thread = match (&request.thread_id, &request.checkpoint_ns) {
        (Some(thread), Some(namespace)) => Some(Thread::new(thread, namespace)?),
        (_, _) => None,
    };
    let mut listed = Listed { checkpoints: Vec::new(), next: None };
    let mut n_bytes = 0;
    let mut last: Option<Cursor> = None;
    for document in candidates(snapshot, request, thread, &view)? {
        let document = document?;
        if !is_asked(request, &document)? {
            continue;
        }
        if listed.checkpoints.len() == most || n_bytes >= PAGE_BYTES {
            listed.next = last;
            break;
        }
        let tuple = tuple(snapshot, &document, &view)?;
        n_bytes += tuple.checkpoint.base64.len();
        n_bytes += tuple.values.iter().map(|value| value.value.base64.len()).sum::<usize>();
        n_bytes += tuple.writes.iter().map(|write| write.value.base64.len()).sum::<usize>();
        last = Some(Cursor {
            thread_id: tuple.thread_id.clone(),
            checkpoint_ns: tuple.checkpoint_ns.clone(),
            checkpoint_id: tuple.checkpoint_id.clone(),
        });
        listed.checkpoints.push(tuple);
    }
    Ok(listed)
}

type Found<'a> = Box<dyn Iterator<Item = Result<Document, InterfaceError>> + 'a>;

/// Returns what may be shown, in order, from the cursor on.
fn candidates<'a>(
    snapshot: &'a Snapshot<'_>,
    request: &List,
    thread: Option<Thread<'_>>,
    view: &View,
) -> Result<Found<'a>, InterfaceError> {
    if let Some(thread) = thread {
        let prefix = thread.start();
        let after = request.after.as_ref().map(|cursor| &cursor.checkpoint_id);
        let bound = [after, request.before.as_ref()].into_iter().flatten().min();
        let cursor = bound.map(|id| joined([thread.thread, thread.namespace, id]));
        let listing = Listing::new(&CHECKPOINTS, &prefix).backwards().after(cursor.as_deref());
        let found = documents(snapshot, &listing, view)?;
        return Ok(Box::new(found.map(|document| Ok(document?))));
    }
    let prefix = match &request.thread_id {
        Some(thread) => start([part("thread_id", thread)?]),
        None => Vec::new(),
    };
    let mut found = Vec::new();
    for document in documents(snapshot, &Listing::new(&CHECKPOINTS, &prefix), view)? {
        let document = document?;
        let (of, id) = named(&document)?;
        let place = (std::cmp::Reverse(id.to_owned()), of.thread.to_owned(), of.namespace.to_owned());
        let is_behind = request.after.as_ref().is_none_or(|cursor| {
            let Cursor { thread_id, checkpoint_ns, checkpoint_id } = cursor.clone();
            place > (std::cmp::Reverse(checkpoint_id), thread_id, checkpoint_ns)
        });
        if is_behind {
            found.push((place, document));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(Box::new(found.into_iter().map(|(_, document)| Ok(document))))
}

fn is_asked(request: &List, document: &Document) -> Result<bool, InterfaceError> {
    let (thread, id) = named(document)?;
    let is_it = |asked: &Option<String>, has: &str| asked.as_ref().is_none_or(|asked| asked == has);
    if !is_it(&request.checkpoint_ns, thread.namespace)
        || !is_it(&request.checkpoint_id, id)
        || request.before.as_ref().is_some_and(|before| id >= before.as_str())
    {
        return Ok(false);
    }
    let Some(filter) = request.filter.as_ref().filter(|filter| !filter.is_empty()) else { return Ok(true) };
    let metadata = Head::read(&document.content.bytes)?.0.metadata()?;
    // What is not there is as good as nothing.
    let has = |(key, asked): (&String, &Value)| equals(metadata.get(key).unwrap_or(&Value::Null), asked);
    Ok(filter.iter().all(has))
}

/// Says whether two values are equal: numbers are by what they amount to.
fn equals(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equals(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| equals(one, other)))
        }
        (one, other) => one == other,
    }
}
