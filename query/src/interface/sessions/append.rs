//! Adding entries to a transcript.

use std::collections::BTreeSet;

use bygone_engine::document::Documents;
use bygone_engine::store::{Decided, Place, Snapshot};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::{InterfaceError, frame};
use super::{Head, SessionKey, SummaryRecord, new_stream, next_mtime, stream};

/// Entries to add.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Append {
    /// The transcript.
    pub key: SessionKey,
    /// The entries, in order.
    pub entries: Vec<Box<RawValue>>,
    /// The summary with these entries in it; of a main transcript only.
    #[serde(default)]
    pub summary: Option<NewSummary>,
}

/// A summary to write.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSummary {
    /// What was folded.
    pub data: Box<RawValue>,
    /// The version that it was folded from; 0 for none.
    pub folded_from: u64,
}

/// What adding came to.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appended {
    /// How many entries were added.
    pub appended: u64,
    /// How many were there, by their uuid.
    pub duplicates: u64,
    /// How many entries the transcript has.
    pub entries: u64,
    /// When it was modified, in milliseconds; nothing where it was never written.
    pub mtime: Option<i64>,
    /// The version of its summary; 0 where there is none.
    pub summary_version: u64,
}

/// Decides on adding entries. Those whose uuid is there already are passed over; where all are, nothing changes.
///
/// # Errors
/// [`InterfaceError::Conflict`] where the summary was folded from another version than the one that is there;
/// [`InterfaceError::Request`] where the key is none; [`InterfaceError::Store`].
pub fn append(
    snapshot: &Snapshot<'_>,
    place: Place,
    request: &Append,
) -> Result<Decided<Appended>, InterfaceError> {
    let Append { key, entries, summary } = request;
    let head_id = key.head()?;
    let head = snapshot.document(&head_id)?.map(|found| Head::read(&found.content.bytes)).transpose()?;
    if summary.is_some() && key.subpath().is_some() {
        return Err(InterfaceError::Request("a transcript with a subpath has no summary".to_owned()));
    }
    let summary_version = match key.subpath() {
        None => snapshot.document(&key.summary()?)?.map_or(0, |found| found.seq),
        Some(_) => 0,
    };
    let (mut met, mut new, mut n_duplicates) = (BTreeSet::new(), Vec::new(), 0);
    for entry in entries {
        let uuid = stream::uuid_of(entry);
        if let Some(uuid) = &uuid {
            let is_there = match &head {
                Some(head) => stream::has(snapshot, head, uuid)?,
                None => false,
            };
            if is_there || !met.insert(uuid.clone()) {
                n_duplicates += 1;
                continue;
            }
        }
        new.push((entry, uuid));
    }
    if new.is_empty() {
        return Ok(Decided::nothing(Appended {
            appended: 0,
            duplicates: n_duplicates,
            entries: head.as_ref().map_or(0, Head::n_entries),
            mtime: head.map(|head| head.mtime),
            summary_version,
        }));
    }
    if let Some(summary) = summary
        && summary.folded_from != summary_version
    {
        return Err(InterfaceError::Conflict(format!(
            "the summary was folded from version {}, and there is version {summary_version}: fold again from that",
            summary.folded_from
        )));
    }
    let mut documents = Documents::default();
    let mtime = next_mtime(snapshot, place, &mut documents)?;
    let mut head =
        head.unwrap_or_else(|| Head { stream: new_stream(key, place), n_own: 0, before: Vec::new(), mtime });
    for ((_, uuid), position) in new.iter().zip(head.n_own..) {
        if let Some(uuid) = uuid {
            documents.put(stream::uuid(&head.stream, uuid)?, position.to_be_bytes().to_vec());
        }
    }
    let n_new = new.len() as u64;
    let brought: Vec<&RawValue> = new.iter().map(|(entry, _)| &***entry).collect();
    documents.put(stream::entries(&head.stream, head.n_own)?, frame::written(&brought)?);
    head.n_own += n_new;
    head.mtime = mtime;
    documents.put(head_id, frame::written(&head)?);
    let mut appended = Appended {
        appended: n_new,
        duplicates: n_duplicates,
        entries: head.n_entries(),
        mtime: Some(mtime),
        summary_version,
    };
    if let Some(NewSummary { data, .. }) = summary {
        let record = SummaryRecord { mtime, data: data.clone() };
        documents.put(key.summary()?, frame::written(&record)?);
        appended.summary_version = place.seq;
    }
    Ok(Decided::nothing(appended).with_documents(documents))
}
