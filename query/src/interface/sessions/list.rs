//! Lists of sessions, of their summaries and of their subpaths.

use bygone_engine::View;
use bygone_engine::document::{Collection, Document, Listing};
use bygone_engine::store::Snapshot;
use serde::{Deserialize, Serialize};

use super::super::listing::{limit, page};
use super::super::name::{part, part_or_none, parted, start};
use super::super::{AsOf, InterfaceError, moment};
use super::{HEADS, Head, SUBHEADS, SUMMARIES, SessionKey, Summary};

/// Which sessions are asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSessions {
    /// The project.
    pub project_key: String,
    /// The session behind which the list goes on.
    #[serde(default)]
    pub after: Option<String>,
    /// The most rows.
    #[serde(default)]
    pub limit: Option<usize>,
    /// As of when.
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

/// A session of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedSession {
    /// The session.
    pub session_id: String,
    /// When its main transcript was modified, in milliseconds.
    pub mtime: i64,
    /// How many entries that has.
    pub entries: u64,
}

/// Sessions, by their ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// The sessions.
    pub sessions: Vec<ListedSession>,
    /// What the next page comes after; nothing where this is the last.
    pub next: Option<String>,
}

/// Summaries, by the ids of their sessions.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListedSummaries {
    /// The summaries.
    pub summaries: Vec<Summary>,
    /// What the next page comes after; nothing where this is the last.
    pub next: Option<String>,
}

/// Which subpaths are asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSubkeys {
    /// The session.
    pub key: SessionKey,
    /// The subpath behind which the list goes on.
    #[serde(default)]
    pub after: Option<String>,
    /// The most rows.
    #[serde(default)]
    pub limit: Option<usize>,
    /// As of when.
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

/// Subpaths, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedSubkeys {
    /// The subpaths.
    pub subpaths: Vec<String>,
    /// What the next page comes after; nothing where this is the last.
    pub next: Option<String>,
}

/// Lists the sessions of a project that have a main transcript.
///
/// # Errors
/// [`InterfaceError::Request`] where the project, the cursor or the time is none; [`InterfaceError::Store`].
pub fn list_sessions(snapshot: &Snapshot<'_>, request: &ListSessions) -> Result<Listed, InterfaceError> {
    let (found, has_more) = of_project(snapshot, &HEADS, request)?;
    let mut sessions = Vec::with_capacity(found.len());
    for document in &found {
        let Some([_, session_id]) = parted(&document.name) else { continue };
        let head = Head::read(&document.content.bytes)?;
        sessions.push(ListedSession {
            session_id: session_id.to_owned(),
            mtime: head.mtime,
            entries: head.n_entries(),
        });
    }
    let last = sessions.last().map(|session| session.session_id.clone());
    Ok(Listed { sessions, next: last.filter(|_| has_more) })
}

/// Lists the summaries of a project.
///
/// # Errors
/// As [`list_sessions`].
pub fn list_summaries(
    snapshot: &Snapshot<'_>,
    request: &ListSessions,
) -> Result<ListedSummaries, InterfaceError> {
    let (found, has_more) = of_project(snapshot, &SUMMARIES, request)?;
    let mut summaries = Vec::with_capacity(found.len());
    for document in &found {
        let Some([_, session_id]) = parted(&document.name) else { continue };
        summaries.push(Summary::new(session_id, document.seq, &document.content.bytes)?);
    }
    let last = summaries.last().map(|summary| summary.session_id.clone());
    Ok(ListedSummaries { summaries, next: last.filter(|_| has_more) })
}

/// Lists the subpaths of a session.
///
/// # Errors
/// As [`list_sessions`].
pub fn list_subkeys(snapshot: &Snapshot<'_>, request: &ListSubkeys) -> Result<ListedSubkeys, InterfaceError> {
    let prefix = request.key.subpaths()?;
    let view = moment::view(request.as_of.as_ref())?;
    let (found, has_more) =
        after(snapshot, (&SUBHEADS, &prefix), request.after.as_deref(), request.limit, &view)?;
    let subpath = |document: &Document| parted(&document.name).map(|[_, _, subpath]| subpath.to_owned());
    let subpaths: Vec<String> = found.iter().filter_map(subpath).collect();
    let last = subpaths.last().cloned();
    Ok(ListedSubkeys { subpaths, next: last.filter(|_| has_more) })
}

fn of_project(
    snapshot: &Snapshot<'_>,
    collection: &Collection,
    request: &ListSessions,
) -> Result<(Vec<Document>, bool), InterfaceError> {
    let prefix = start([part("project_key", &request.project_key)?]);
    let view = moment::view(request.as_of.as_ref())?;
    after(snapshot, (collection, &prefix), request.after.as_deref(), request.limit, &view)
}

/// Returns a page of documents whose names start alike, behind the one whose name ends with a cursor.
fn after(
    snapshot: &Snapshot<'_>,
    (collection, prefix): (&Collection, &[u8]),
    cursor: Option<&str>,
    asked: Option<usize>,
    view: &View,
) -> Result<(Vec<Document>, bool), InterfaceError> {
    let cursor = cursor.map(|cursor| part_or_none("after", cursor)).transpose()?;
    let name = cursor.map(|cursor| [prefix, cursor.as_bytes()].concat());
    page(snapshot, &Listing::new(collection, prefix).after(name.as_deref()), view, limit(asked)?)
}
