//! Forking a transcript: another one that has the same entries up to some point, and copies none.

use bygone_engine::View;
use bygone_engine::document::{Documents, Listing};
use bygone_engine::store::{Decided, Place, Snapshot};
use serde::{Deserialize, Serialize};

use super::super::name::parted;
use super::super::{AsOf, InterfaceError, frame, moment};
use super::{Head, SUBHEADS, SessionKey, SummaryRecord, new_stream, next_mtime};

/// What is to be forked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// The transcript.
    pub from: SessionKey,
    /// The new one.
    pub to: SessionKey,
    /// How many entries it starts with; all of them where that is not said.
    #[serde(default)]
    pub entries: Option<u64>,
    /// As of when it is forked.
    #[serde(default)]
    pub as_of: Option<AsOf>,
    /// Whether the other transcripts of the session are forked with the main one, each whole.
    #[serde(default)]
    pub subkeys: bool,
}

/// What forking came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forked {
    /// How many entries the new transcript starts with.
    pub entries: u64,
    /// Its modified time in milliseconds.
    pub mtime: i64,
    /// How many other transcripts were forked with it.
    pub subkeys: u64,
}

/// Decides on forking a transcript. The summary goes along where all entries do.
///
/// # Errors
/// [`InterfaceError::Missing`] where there is no such transcript; [`InterfaceError::Conflict`] where the new one is there;
/// [`InterfaceError::Request`] where it has fewer entries, or a key or the time is none; [`InterfaceError::Store`].
pub fn fork(
    snapshot: &Snapshot<'_>,
    place: Place,
    request: &Fork,
) -> Result<Decided<Forked>, InterfaceError> {
    let Fork { from, to, entries, as_of, subkeys } = request;
    let view = moment::view(as_of.as_ref())?;
    let Some(head) = Head::in_view(snapshot, from, &view)? else {
        return Err(InterfaceError::Missing(format!("there is no session {:?} to fork", from.session_id)));
    };
    let n_all = head.n_entries();
    let n_entries = entries.unwrap_or(n_all);
    if n_entries > n_all {
        return Err(InterfaceError::Request(format!(
            "entries is {n_entries}: the session has {n_all}, expected at most that"
        )));
    }
    let mut documents = Documents::default();
    let mtime = next_mtime(snapshot, place, &mut documents)?;
    let mut forking = Forking { snapshot, place, mtime, n_new: 0, documents };
    forking.add(&head, n_entries, to)?;
    let is_main = from.subpath().is_none() && to.subpath().is_none();
    if is_main && n_entries == n_all {
        forking.add_summary(from, to, &view)?;
    }
    if *subkeys && is_main {
        for found in snapshot.documents_in(&Listing::new(&SUBHEADS, &from.subpaths()?), &view)? {
            let found = found?;
            let Some([_, _, subpath]) = parted(&found.name) else { continue };
            let head = Head::read(&found.content.bytes)?;
            let to = SessionKey { subpath: Some(subpath.to_owned()), ..to.clone() };
            forking.add(&head, head.n_entries(), &to)?;
        }
    }
    let forked = Forked { entries: n_entries, mtime, subkeys: forking.n_new - 1 };
    Ok(Decided::nothing(forked).with_documents(forking.documents))
}

struct Forking<'a> {
    snapshot: &'a Snapshot<'a>,
    place: Place,
    mtime: i64,
    n_new: u64,
    documents: Documents,
}

impl Forking<'_> {
    fn add(&mut self, of: &Head, n_entries: u64, to: &SessionKey) -> Result<(), InterfaceError> {
        let id = to.head()?;
        if self.snapshot.document(&id)?.is_some() {
            return Err(InterfaceError::Conflict(format!(
                "session {:?} is there already: expected a new one",
                to.session_id
            )));
        }
        let mut left = n_entries;
        let mut before = Vec::new();
        for (stream, n_counted) in of.streams() {
            let n = n_counted.min(left);
            left -= n;
            if n > 0 {
                before.push((stream.to_owned(), n));
            }
        }
        let stream = new_stream(to, self.place);
        self.n_new += 1;
        let head = Head { stream, n_own: 0, before, mtime: self.mtime };
        self.documents.put(id, frame::written(&head)?);
        Ok(())
    }

    fn add_summary(&mut self, from: &SessionKey, to: &SessionKey, view: &View) -> Result<(), InterfaceError> {
        if let Some(found) = self.snapshot.document_in(&from.summary()?, view)? {
            let record: SummaryRecord = frame::read("the summary of a session", &found.content.bytes)?;
            let record = SummaryRecord { mtime: self.mtime, ..record };
            self.documents.put(to.summary()?, frame::written(&record)?);
        }
        Ok(())
    }
}
