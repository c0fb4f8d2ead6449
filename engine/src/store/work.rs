//! Reading work-sets as a view sees them.
//!
//! How an item stands is what the last event says that the view sees, among those known by the instant asked about.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Seen, Snapshot};
use crate::backend::Table;
use crate::codec::decode;
use crate::error::StoreError;
use crate::key;
use crate::origin::Origin;
use crate::time::Instant;
use crate::work::{
    Entry, Event, Item, Items, Leaf, Leaves, SetRecord, Status, Summary, WorkChange, WorkCount, leaf_from,
    set,
};

/// An item as a view has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkItem {
    /// The item.
    pub item: String,
    /// How it stands.
    pub status: Status,
    /// How often it was tried: done, or failed.
    pub attempts: u64,
    /// Why it stands so, where that was said.
    pub reason: Option<String>,
    /// When that was known.
    pub at: Instant,
    /// The commit that said so.
    pub seq: u64,
    /// The agent that said so.
    pub by: Option<String>,
    /// The sessions in which it was said that it is queued or done, in order; none for a failure.
    pub sessions: Vec<String>,
}

/// A work-set as a view sees it at an instant.
pub struct Work<'s> {
    leaves: Leaves<'s>,
    origins: Vec<Option<Origin>>,
    /// Which origins the view listens to, by their places.
    heard: Vec<bool>,
    last_known: Instant,
    last_seq: u64,
}

impl Snapshot<'_> {
    /// Says whether somebody wrote into a work-set.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn has_worked(&self, name: &str, origin: &Origin) -> Result<bool, StoreError> {
        let record = set(&*self.reader, self.space, name)?;
        Ok(record.is_some_and(|record| record.origins.iter().flatten().any(|known| known == origin)))
    }

    /// Returns the names of the work-sets, in order.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn work_sets(&self) -> Result<Vec<String>, StoreError> {
        let mut names = Vec::new();
        for pair in self.reader.scan_prefix(Table::Work, &key::work_sets(self.space)) {
            names.push(decode::<SetRecord>("a work-set", &pair?.1)?.name);
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Returns all that was ever said of the items of a work-set, in known order: what was said at once of many is one.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn work_said(&self, name: &str) -> Result<Vec<WorkChange>, StoreError> {
        let Some(SetRecord { origins, .. }) = set(&*self.reader, self.space, name)? else {
            return Ok(Vec::new());
        };
        // What came from elsewhere has the numbers of commits of its own; they say nothing of what it is.
        let mut said: BTreeMap<(Instant, Status, Option<String>, &Origin), Vec<Item>> = BTreeMap::new();
        for pair in Leaves::new(&*self.reader, self.space, name).rows() {
            let (row, value) = pair?;
            for Entry { item, events } in leaf_from(&row, &value)?.0 {
                for event in events {
                    let Some(Some(origin)) = origins.get(event.origin as usize) else { continue };
                    let reason = event.reason.as_deref().map(str::to_owned);
                    let of = (event.known_at, event.status, reason, origin);
                    said.entry(of).or_default().push(item.clone());
                }
            }
        }
        let change =
            |((known_at, status, reason, origin), items): ((_, _, _, &Origin), Vec<Item>)| WorkChange {
                set: name.to_owned(),
                items: items.into_iter().collect(),
                status,
                reason,
                origin: origin.clone(),
                said_at: Some(known_at),
            };
        Ok(said.into_iter().map(change).collect())
    }

    /// Returns those items of a change of which it was not said before: at that time, by that one, with that reason.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn work_news(&self, change: &WorkChange) -> Result<Items, StoreError> {
        let origins =
            set(&*self.reader, self.space, &change.set)?.map_or_else(Vec::new, |record| record.origins);
        let is_it = |event: &Event| {
            Some(event.known_at) == change.said_at
                && event.status == change.status
                && event.reason.as_deref() == change.reason.as_deref()
                && origins.get(event.origin as usize).and_then(Option::as_ref) == Some(&change.origin)
        };
        let leaves = Leaves::new(&*self.reader, self.space, &change.set);
        let mut news = Vec::new();
        let mut left = change.items.as_slice();
        while let Some(first) = left.first() {
            let around = leaves.around(first)?;
            let n_here = left.partition_point(|item| around.holds(item)).max(1);
            let (here, rest) = left.split_at(n_here);
            let entries = around.into_entries();
            news.extend(here.iter().filter(|item| {
                let entry = entries.binary_search_by(|entry| entry.item.cmp(item));
                !entry.is_ok_and(|idx| entries[idx].events.iter().any(is_it))
            }));
            left = rest;
        }
        Ok(news.into_iter().cloned().collect())
    }
}

impl Seen<'_> {
    /// Returns a work-set as the view sees it at an instant; nothing was seen of one that has no items.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn work(&self, name: &str, at: Instant) -> Result<Work<'_>, StoreError> {
        let snapshot = self.snapshot();
        let record = set(&*snapshot.reader, snapshot.space, name)?;
        Ok(self.work_of(name, record.map_or_else(Vec::new, |record| record.origins), at))
    }

    /// Returns the work-sets of which the view sees an item at an instant, by name, and how their items stand.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn work_counts(&self, at: Instant) -> Result<Vec<(String, WorkCount)>, StoreError> {
        let snapshot = self.snapshot();
        let mut counts = Vec::new();
        for pair in snapshot.reader.scan_prefix(Table::Work, &key::work_sets(snapshot.space)) {
            let SetRecord { name, origins } = decode("a work-set", &pair?.1)?;
            let count = self.work_of(&name, origins, at).count()?;
            if count.items() > 0 {
                counts.push((name, count));
            }
        }
        counts.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(counts)
    }

    fn work_of(&self, name: &str, origins: Vec<Option<Origin>>, at: Instant) -> Work<'_> {
        let is_heard = |origin: &Option<Origin>| {
            let session = origin.as_ref().map(|origin| &origin.session);
            session.is_some_and(|session| self.sessions().is_none_or(|heard| heard.contains(session)))
        };
        let snapshot = self.snapshot();
        Work {
            leaves: Leaves::new(&*snapshot.reader, snapshot.space, name),
            heard: origins.iter().map(is_heard).collect(),
            origins,
            last_known: self.view().known.min(at),
            last_seq: self.last_seq(),
        }
    }
}

impl Work<'_> {
    /// Walks the items, in order.
    pub fn items(&self) -> impl Iterator<Item = Result<WorkItem, StoreError>> + '_ {
        self.leaves.rows().flat_map(|pair| {
            let leaf = pair.and_then(|(row, value)| leaf_from(&row, &value));
            let (items, error) = match leaf {
                Ok(Leaf(entries)) => (entries.iter().filter_map(|entry| self.stands(entry)).collect(), None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            items.into_iter().map(Ok).chain(error)
        })
    }

    /// Returns how each of some items stands, given in order; nothing for one of which the view sees nothing.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn look_up(&self, items: &[Item]) -> Result<Vec<Option<WorkItem>>, StoreError> {
        let mut found = Vec::with_capacity(items.len());
        let mut left = items;
        while let Some(first) = left.first() {
            let around = self.leaves.around(first)?;
            let n_here = left.partition_point(|item| around.holds(item)).max(1);
            let (here, rest) = left.split_at(n_here);
            let entries = around.into_entries();
            for item in here {
                let entry = entries.binary_search_by(|entry| entry.item.cmp(item));
                found.push(entry.ok().and_then(|idx| self.stands(&entries[idx])));
            }
            left = rest;
        }
        Ok(found)
    }

    /// Counts the items by how they stand. A leaf that the view sees whole is not read.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn count(&self) -> Result<WorkCount, StoreError> {
        let mut total = WorkCount::default();
        // No event is of an origin that was erased.
        let hears_all =
            self.origins.iter().zip(&self.heard).all(|(origin, heard)| *heard || origin.is_none());
        for pair in self.leaves.rows() {
            let (row, value) = pair?;
            let Summary { count, last_known, last_seq } = Leaf::decode_summary(&value)?;
            if hears_all && last_known <= self.last_known && last_seq <= self.last_seq {
                total += count;
                continue;
            }
            for entry in &leaf_from(&row, &value)?.0 {
                if let Some(last) = self.seen(entry).last() {
                    total.add(last.status);
                }
            }
        }
        Ok(total)
    }

    fn seen<'e>(&'e self, entry: &'e Entry) -> impl DoubleEndedIterator<Item = &'e Event> {
        entry.events.iter().filter(|event| {
            let is_heard = self.heard.get(event.origin as usize).copied().unwrap_or(false);
            event.known_at <= self.last_known && event.seq <= self.last_seq && is_heard
        })
    }

    fn stands(&self, entry: &Entry) -> Option<WorkItem> {
        let last = self.seen(entry).next_back()?;
        // That it is queued or done may be said again elsewhere: it stands so since the first word.
        let is_same = |event: &&Event| event.status == last.status && last.status != Status::Failed;
        let first = self.seen(entry).rev().take_while(is_same).last().unwrap_or(last);
        let origin_of = |event: &Event| self.origins.get(event.origin as usize).and_then(Option::as_ref);
        let origin = origin_of(first);
        let said = self.seen(entry).rev().take_while(is_same).filter_map(origin_of);
        let mut sessions: Vec<String> = said.map(|origin| origin.session.clone()).collect();
        sessions.sort_unstable();
        sessions.dedup();
        // It was not done again for that.
        let mut before = None;
        let is_attempt = |event: &Event| {
            let was_done = before.replace(event.status) == Some(Status::Done);
            event.status == Status::Failed || (event.status == Status::Done && !was_done)
        };
        let attempts = self.seen(entry).map(is_attempt).filter(|is_attempt| *is_attempt).count() as u64;
        Some(WorkItem {
            item: entry.item.text().into_owned(),
            status: last.status,
            attempts,
            reason: first.reason.as_deref().map(str::to_owned),
            at: first.known_at,
            seq: first.seq,
            by: origin.and_then(|origin| origin.agent.clone()),
            sessions,
        })
    }
}
