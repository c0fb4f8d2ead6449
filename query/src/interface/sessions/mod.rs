//! Sessions of the Claude Agent SDK: transcripts that grow entry by entry, each entry kept byte by byte and in order.
//!
//! ```text
//! head      project, session[, subpath] ─▶ streams with how far each counts, mtime      a version for each append
//! entries   stream, position ─▶ what one append brought                                never written again
//! uuids     stream, uuid ─▶ position                                                   what came before is not added again
//! summary   project, session ─▶ what the adapter folded, with the append that it goes with
//! ```
//!
//! An append writes what it brings and a head, so it costs the same however long the session is. A fork is a head that counts
//! in the streams of another, and copies nothing. As of an instant a session is what its head then counts.
//!
//! Modified times are the commit's stamp in milliseconds, and strictly greater than every one before in the space. Where two
//! commits fall into one millisecond the later takes the next, and the clock document says how far that went.
//!
//! Invariants: entries of a stream have the positions from 0 on without gaps; a uuid stands once in what a head counts.
//!
//! Does not know what entries or summaries mean, save for an entry's `uuid`.

mod append;
mod erase;
mod fork;
mod list;
mod load;
mod remove;
mod stream;

use bygone_engine::document::{Collection, DocumentId, Documents};
use bygone_engine::store::{Place, Snapshot};
use bygone_engine::{View, content_digits};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::frame;
use super::name::{document, joined, part, start};
use super::{AsOf, InterfaceError};

pub use append::{Append, Appended, NewSummary, append};
pub use erase::{Erase, erase};
pub use fork::{Fork, Forked, fork};
pub use list::{
    ListSessions, ListSubkeys, Listed, ListedSession, ListedSubkeys, ListedSummaries, list_sessions,
    list_subkeys, list_summaries,
};
pub use load::{History, Load, Loaded, Past, history, load};
pub use remove::{Delete, Deleted, delete};

/// Main transcripts by project and session.
static HEADS: Collection = Collection::fixed("session-store/heads");
/// The transcripts of subagents by project, session and subpath.
static SUBHEADS: Collection = Collection::fixed("session-store/subheads");
/// Entries by stream and position.
static ENTRIES: Collection = Collection::fixed("session-store/entries");
/// Positions by stream and uuid.
static UUIDS: Collection = Collection::fixed("session-store/uuids");
/// Summaries by project and session.
static SUMMARIES: Collection = Collection::fixed("session-store/summaries");
/// The modified time that ran ahead of the commits' stamps.
static CLOCK: Collection = Collection::fixed("session-store/clock");

/// Which transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionKey {
    /// The project.
    pub project_key: String,
    /// The session.
    pub session_id: String,
    /// Which transcript beside the main one; the main one where it is absent or empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subpath: Option<String>,
}

impl SessionKey {
    fn subpath(&self) -> Option<&str> {
        self.subpath.as_deref().filter(|subpath| !subpath.is_empty())
    }

    fn project(&self) -> Result<&str, InterfaceError> {
        part("project_key", &self.project_key)
    }

    fn session(&self) -> Result<&str, InterfaceError> {
        part("session_id", &self.session_id)
    }

    /// Returns the document of the head.
    fn head(&self) -> Result<DocumentId, InterfaceError> {
        let (project, session) = (self.project()?, self.session()?);
        match self.subpath() {
            None => document(&HEADS, joined([project, session])),
            Some(subpath) => document(&SUBHEADS, joined([project, session, part("subpath", subpath)?])),
        }
    }

    /// Returns the document of the summary; only a main transcript has one.
    fn summary(&self) -> Result<DocumentId, InterfaceError> {
        document(&SUMMARIES, joined([self.project()?, self.session()?]))
    }

    /// Returns what the names of all transcripts beside the main one start with.
    fn subpaths(&self) -> Result<Vec<u8>, InterfaceError> {
        Ok(start([self.project()?, self.session()?]))
    }
}

/// What counts of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// The stream that appends go to.
    stream: String,
    /// How many entries of it there are.
    n_own: u64,
    /// What comes before: streams, and how many entries of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    before: Vec<(String, u64)>,
    /// The modified time in milliseconds.
    mtime: i64,
}

impl Head {
    /// Returns how many entries there are.
    fn n_entries(&self) -> u64 {
        self.n_own + self.before.iter().map(|(_, n)| n).sum::<u64>()
    }

    /// Returns all streams, in order, with how many entries of each count.
    fn streams(&self) -> impl DoubleEndedIterator<Item = (&str, u64)> {
        let before = self.before.iter().map(|(stream, n)| (stream.as_str(), *n));
        before.chain([(self.stream.as_str(), self.n_own)])
    }

    fn read(bytes: &[u8]) -> Result<Head, InterfaceError> {
        Ok(frame::read("the head of a session", bytes)?)
    }

    fn in_view(
        snapshot: &Snapshot<'_>,
        key: &SessionKey,
        view: &View,
    ) -> Result<Option<Head>, InterfaceError> {
        let found = snapshot.document_in(&key.head()?, view)?;
        found.map(|document| Head::read(&document.content.bytes)).transpose()
    }
}

/// A summary as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct SummaryRecord {
    mtime: i64,
    data: Box<RawValue>,
}

/// A summary.
#[derive(Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The session.
    pub session_id: String,
    /// When it was written, in milliseconds: the modified time of the append that it goes with.
    pub mtime: i64,
    /// What the adapter folded.
    pub data: Box<RawValue>,
    /// Which version it is: what the next one was folded from.
    pub version: u64,
}

impl Summary {
    fn new(session_id: &str, version: u64, bytes: &[u8]) -> Result<Summary, InterfaceError> {
        let SummaryRecord { mtime, data } = frame::read("the summary of a session", bytes)?;
        Ok(Summary { session_id: session_id.to_owned(), mtime, data, version })
    }
}

/// Which summary is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetSummary {
    /// The session.
    pub key: SessionKey,
    /// As of when.
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

/// Returns the summary of a session; nothing where none was written.
///
/// # Errors
/// [`InterfaceError::Request`] where the key is none; [`InterfaceError::Store`].
pub fn get_summary(snapshot: &Snapshot<'_>, request: &GetSummary) -> Result<Option<Summary>, InterfaceError> {
    let view = super::moment::view(request.as_of.as_ref())?;
    let found = snapshot.document_in(&request.key.summary()?, &view)?;
    found
        .map(|document| Summary::new(&request.key.session_id, document.seq, &document.content.bytes))
        .transpose()
}

/// Names a stream that a transcript begins in a commit: no other of any store has the name.
fn new_stream(key: &SessionKey, place: Place) -> String {
    let (seq, at) = (place.seq.to_string(), place.at.micros().to_string());
    let subpath = key.subpath().unwrap_or_default();
    content_digits("session-stream", [&key.project_key, &key.session_id, subpath, &seq, &at])
}

/// Returns the modified time of what is written in the next commit.
fn next_mtime(
    snapshot: &Snapshot<'_>,
    place: Place,
    documents: &mut Documents,
) -> Result<i64, InterfaceError> {
    let id = document(&CLOCK, Vec::new())?;
    let ahead: Option<i64> = snapshot
        .document(&id)?
        .map(|document| frame::read("the clock of sessions", &document.content.bytes))
        .transpose()?;
    let millis = place.at.micros().div_euclid(1_000);
    let before = snapshot.stamp(place.seq.saturating_sub(1))?.map(|stamp| stamp.micros().div_euclid(1_000));
    // Every modified time before is the millisecond of a commit before, or at most that of the clock.
    match before.max(ahead) {
        Some(last) if last >= millis => {
            documents.put(id, frame::written(&(last + 1))?);
            Ok(last + 1)
        }
        _ => Ok(millis),
    }
}
