//! Deleting and pruning checkpoints, with what tasks wrote beside them and the values that no other one has.

use std::collections::BTreeSet;

use bygone_engine::View;
use bygone_engine::document::{Document, DocumentId, Documents, Listing};
use bygone_engine::store::{Decided, Snapshot};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::InterfaceError;
use super::super::name::{document, part, parted, start};
use super::get::named;
use super::{CHECKPOINTS, Head, VALUES, WRITES};

/// Which thread is to be deleted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeleteThread {
    /// The thread.
    pub thread_id: String,
}

/// The checkpoints of which runs are to be deleted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeleteForRuns {
    /// The runs.
    pub run_ids: Vec<String>,
}

/// Which threads are to be pruned, and how.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prune {
    /// The threads.
    pub thread_ids: Vec<String>,
    /// What is left of them.
    #[serde(default)]
    pub strategy: Strategy,
}

/// What pruning leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The latest checkpoint of each namespace, and those before it that its channels are made from.
    #[default]
    KeepLatest,
    /// Nothing.
    Delete,
}

/// What deleting came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// How many checkpoints were deleted.
    pub removed: u64,
}

/// Decides on deleting a thread.
///
/// # Errors
/// [`InterfaceError::Request`] where the name is none; [`InterfaceError::Store`].
pub fn delete_thread(
    snapshot: &Snapshot<'_>,
    request: &DeleteThread,
) -> Result<Decided<Removed>, InterfaceError> {
    let mut removing = Removing::new(snapshot);
    removing.thread(&request.thread_id)?;
    Ok(removing.decided())
}

/// Decides on deleting the checkpoints of runs, in whatever thread.
///
/// # Errors
/// As [`delete_thread`].
pub fn delete_for_runs(
    snapshot: &Snapshot<'_>,
    request: &DeleteForRuns,
) -> Result<Decided<Removed>, InterfaceError> {
    let mut removing = Removing::new(snapshot);
    let mut gone: BTreeSet<Vec<u8>> = BTreeSet::new();
    for run in &request.run_ids {
        for found in snapshot.documents(&Listing::new(&super::RUNS, &start([part("run_id", run)?]))) {
            let name = found?.name;
            let Some([_, thread, namespace, id]) = parted(&name) else { continue };
            gone.insert(super::super::name::joined([thread, namespace, id]));
        }
    }
    let mut namespaces: BTreeSet<Vec<u8>> = BTreeSet::new();
    for name in &gone {
        let found = snapshot.document(&document(&CHECKPOINTS, name.clone())?)?;
        let Some(found) = found else { continue };
        removing.checkpoint(&found)?;
        namespaces.insert(named(&found)?.0.start());
    }
    for namespace in namespaces {
        removing.values_without_one(&namespace, |name| gone.contains(name))?;
    }
    Ok(removing.decided())
}

/// Decides on pruning threads.
///
/// # Errors
/// As [`delete_thread`].
pub fn prune(snapshot: &Snapshot<'_>, request: &Prune) -> Result<Decided<Removed>, InterfaceError> {
    let mut removing = Removing::new(snapshot);
    let threads: BTreeSet<&String> = request.thread_ids.iter().collect();
    for thread in threads {
        match request.strategy {
            Strategy::Delete => removing.thread(thread)?,
            Strategy::KeepLatest => removing.all_but_latest(thread)?,
        }
    }
    Ok(removing.decided())
}

struct Removing<'a> {
    snapshot: &'a Snapshot<'a>,
    documents: Documents,
    n_removed: u64,
}

impl<'a> Removing<'a> {
    fn new(snapshot: &'a Snapshot<'a>) -> Removing<'a> {
        Removing { snapshot, documents: Documents::default(), n_removed: 0 }
    }

    fn decided(self) -> Decided<Removed> {
        Decided::nothing(Removed { removed: self.n_removed }).with_documents(self.documents)
    }

    /// Removes all of a thread.
    fn thread(&mut self, thread: &str) -> Result<(), InterfaceError> {
        let prefix = start([part("thread_id", thread)?]);
        for found in self.snapshot.documents(&Listing::new(&CHECKPOINTS, &prefix)) {
            self.checkpoint(&found?)?;
        }
        // Tasks may have written beside a checkpoint that was never put.
        for collection in [&VALUES, &WRITES] {
            for found in self.snapshot.documents(&Listing::new(collection, &prefix)) {
                self.documents.remove(document(collection, found?.name)?);
            }
        }
        Ok(())
    }

    /// Removes a checkpoint, and what tasks wrote beside it.
    fn checkpoint(&mut self, found: &Document) -> Result<(), InterfaceError> {
        let (thread, id) = named(found)?;
        if let Some(run) = Head::read(&found.content.bytes)?.0.run()? {
            self.documents.remove(thread.run(&run, id)?);
        }
        for write in self.snapshot.documents(&Listing::new(&WRITES, &thread.writes(id))) {
            self.documents.remove(document(&WRITES, write?.name)?);
        }
        self.documents.remove(document(&CHECKPOINTS, found.name.clone())?);
        self.n_removed += 1;
        Ok(())
    }

    /// Removes the values of a namespace that no checkpoint has which stays.
    fn values_without_one(
        &mut self,
        namespace: &[u8],
        is_gone: impl Fn(&[u8]) -> bool,
    ) -> Result<(), InterfaceError> {
        let mut used: BTreeSet<DocumentId> = BTreeSet::new();
        for found in self.snapshot.documents(&Listing::new(&CHECKPOINTS, namespace)) {
            let found = found?;
            if is_gone(&found.name) {
                continue;
            }
            let (thread, _) = named(&found)?;
            let (head, _) = Head::read(&found.content.bytes)?;
            for channel in head.versions.keys() {
                used.extend(head.channel(&thread, channel)?);
            }
        }
        for found in self.snapshot.documents(&Listing::new(&VALUES, namespace)) {
            let id = document(&VALUES, found?.name)?;
            if !used.contains(&id) {
                self.documents.remove(id);
            }
        }
        Ok(())
    }

    /// Removes the checkpoints of a thread but for the latest of each namespace and those that it is made from.
    fn all_but_latest(&mut self, thread: &str) -> Result<(), InterfaceError> {
        let prefix = start([part("thread_id", thread)?]);
        let mut rows: Vec<Document> = Vec::new();
        for found in self.snapshot.documents(&Listing::new(&CHECKPOINTS, &prefix)) {
            rows.push(found?);
        }
        for rows in rows.chunk_by(|one, other| namespace_of(one) == namespace_of(other)) {
            let Some(latest) = rows.last() else { continue };
            let kept = self.needed(latest)?;
            for found in rows.iter().filter(|found| !kept.contains(&found.name)) {
                self.checkpoint(found)?;
            }
            let (thread, _) = named(latest)?;
            self.values_without_one(&thread.start(), |name| !kept.contains(name))?;
        }
        Ok(())
    }

    /// Returns the names of a checkpoint and of those before it that channels are made from which are kept as what was written
    /// to them: up to the one that has a value of each.
    fn needed(&self, latest: &Document) -> Result<BTreeSet<Vec<u8>>, InterfaceError> {
        let (thread, _) = named(latest)?;
        let mut needed = BTreeSet::from([latest.name.clone()]);
        let (mut head, _) = Head::read(&latest.content.bytes)?;
        let mut channels = delta_channels(&head)?;
        loop {
            let mut without = BTreeSet::new();
            for channel in channels {
                let value =
                    head.channel(&thread, &channel)?.map(|row| self.snapshot.document(&row)).transpose()?;
                if value.flatten().is_none() {
                    without.insert(channel);
                }
            }
            channels = without;
            let Some(parent) = head.parent.filter(|_| !channels.is_empty()) else { return Ok(needed) };
            let found = super::get::found(self.snapshot, thread, Some(&parent), &View::LATEST)?;
            let Some(found) = found.filter(|found| needed.insert(found.name.clone())) else {
                return Ok(needed);
            };
            head = Head::read(&found.content.bytes)?.0;
        }
    }
}

fn namespace_of(document: &Document) -> Option<Vec<u8>> {
    named(document).ok().map(|(thread, _)| thread.start())
}

/// Returns the channels that are kept as what was written to them: the metadata counts what that is.
fn delta_channels(head: &Head) -> Result<BTreeSet<String>, InterfaceError> {
    match head.metadata()?.remove("counters_since_delta_snapshot") {
        Some(Value::Object(counters)) => Ok(counters.into_iter().map(|(channel, _)| channel).collect()),
        _ => Ok(BTreeSet::new()),
    }
}
