//! Reading a transcript, as it is or as it was.

use bygone_engine::store::Snapshot;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::listing::PAGE_BYTES;
use super::super::{AsOf, InterfaceError, moment};
use super::{Head, SessionKey, stream};

/// Which transcript is asked for, and which part of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// The transcript.
    pub key: SessionKey,
    /// As of when.
    #[serde(default)]
    pub as_of: Option<AsOf>,
    /// The entry that the answer starts with, from 0.
    #[serde(default)]
    pub from: u64,
    /// The most entries of an answer. Very long ones end before that.
    #[serde(default)]
    pub limit: Option<u64>,
}

/// A transcript, or a part of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Loaded {
    /// The entries, byte by byte as they came.
    pub entries: Vec<Box<RawValue>>,
    /// How many the transcript has.
    pub n_entries: u64,
    /// The entry that the next part starts with; nothing where this is the last.
    pub next: Option<u64>,
    /// When the transcript was modified, in milliseconds.
    pub mtime: i64,
    /// The last commit that this rests on: asked for as of it, the next part is of the same transcript.
    pub recorded: u64,
}

/// Returns a transcript; nothing where it was not written by then, or was deleted.
///
/// # Errors
/// [`InterfaceError::Request`] where key or time is none; [`InterfaceError::Store`].
pub fn load(snapshot: &Snapshot<'_>, request: &Load) -> Result<Option<Loaded>, InterfaceError> {
    let view = moment::view(request.as_of.as_ref())?;
    let Some(head) = Head::in_view(snapshot, &request.key, &view)? else { return Ok(None) };
    let n_entries = head.n_entries();
    if request.limit == Some(0) {
        return Err(InterfaceError::Request("limit is 0: expected a number from 1 on".to_owned()));
    }
    let end = request.from.saturating_add(request.limit.unwrap_or(u64::MAX)).min(n_entries);
    let (mut entries, mut n_bytes) = (Vec::new(), 0);
    let mut begin = 0;
    for (stream, n_counted) in head.streams() {
        let range = (request.from.saturating_sub(begin), end.saturating_sub(begin).min(n_counted));
        begin += n_counted;
        let is_enough = stream::read(snapshot, stream, range, &mut |entry| {
            n_bytes += entry.get().len();
            entries.push(entry);
            n_bytes >= PAGE_BYTES
        })?;
        if is_enough {
            break;
        }
    }
    let next = request.from + entries.len() as u64;
    Ok(Some(Loaded {
        next: (next < n_entries && !entries.is_empty()).then_some(next),
        entries,
        n_entries,
        mtime: head.mtime,
        recorded: request.as_of.as_ref().and_then(|as_of| as_of.recorded).unwrap_or(snapshot.last_seq()?),
    }))
}

/// Which transcript's past is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The transcript.
    pub key: SessionKey,
}

/// What a transcript was from a commit on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    /// The commit, as of which the transcript can be loaded.
    pub recorded: u64,
    /// When that was known.
    pub known: String,
    /// How many entries it had; nothing where it was deleted.
    pub entries: Option<u64>,
    /// When it was modified, in milliseconds.
    pub mtime: Option<i64>,
}

/// Returns what a transcript was, in order.
///
/// # Errors
/// [`InterfaceError::Request`] where the key is none; [`InterfaceError::Store`].
pub fn history(snapshot: &Snapshot<'_>, request: &History) -> Result<Vec<Past>, InterfaceError> {
    let versions = snapshot.document_versions(&request.key.head()?)?;
    let past = versions.into_iter().map(|version| {
        let head = version.content.map(|content| Head::read(&content.bytes)).transpose()?;
        Ok(Past {
            recorded: version.seq,
            known: version.at.to_rfc3339(),
            entries: head.as_ref().map(Head::n_entries),
            mtime: head.map(|head| head.mtime),
        })
    });
    past.collect()
}
