//! How much is expected of each way of looking something up.
//!
//! What starts at an entity is counted exactly: its groups lie together. How many groups a predicate has costs a walk over
//! all of them, which is made only where a query names no entity to start at, and would walk there anyway.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bygone_engine::{EntityRef, StoreError};

use super::logical::{Known, Link, Node};
use crate::language::groups::Groups;
use crate::language::limits::MOST_FOUND;

/// Facts that one entity has, and facts that name one, where nothing was counted. Chosen, untested.
const FACTS_OF: f64 = 4.0;
const FACTS_ABOUT: f64 = 8.0;
/// The part of what was found that a condition lets through. The classic guess (Selinger et al. 1979, table 1, for a range).
pub(super) const KEPT: f64 = 1.0 / 3.0;

/// What is known of how much there is.
pub(in crate::language) struct Statistics<'a, 's> {
    groups: &'a Groups<'a, 's>,
    counted: OnceCell<Counted>,
    /// By entity, and whether it is the subject: the predicates of its groups.
    around: RefCell<BTreeMap<(EntityRef, bool), Vec<String>>>,
    /// Whether a walk over all groups is worth it.
    counts: bool,
}

#[derive(Default)]
struct Counted {
    of_predicate: BTreeMap<String, f64>,
    groups: f64,
    subjects: f64,
}

impl<'a, 's> Statistics<'a, 's> {
    /// Prepares statistics; `counts` says whether all groups may be walked over.
    pub(in crate::language) fn new(groups: &'a Groups<'a, 's>, counts: bool) -> Statistics<'a, 's> {
        Statistics { groups, counted: OnceCell::new(), around: RefCell::default(), counts }
    }

    fn counted(&self) -> Result<&Counted, StoreError> {
        if let Some(counted) = self.counted.get() {
            return Ok(counted);
        }
        let mut counted = Counted::default();
        let mut last = None;
        for group in self.groups.all()?.iter() {
            *counted.of_predicate.entry(group.predicate.clone()).or_default() += 1.0;
            counted.groups += 1.0;
            if last != Some(&group.subject) {
                counted.subjects += 1.0;
                last = Some(&group.subject);
            }
        }
        Ok(self.counted.get_or_init(|| counted))
    }

    /// Returns how many facts of some predicates are expected; of all where there are none.
    pub(super) fn facts(&self, predicates: &[String]) -> Result<f64, StoreError> {
        if !self.counts {
            return Ok(f64::from(u32::MAX));
        }
        let counted = self.counted()?;
        if predicates.is_empty() {
            return Ok(counted.groups);
        }
        Ok(predicates.iter().filter_map(|predicate| counted.of_predicate.get(predicate)).sum())
    }

    /// Returns how many entities are expected.
    pub(super) fn entities(&self) -> Result<f64, StoreError> {
        if self.counts { Ok(self.counted()?.subjects) } else { Ok(f64::from(u32::MAX)) }
    }

    /// Returns how many facts are expected that lead from one node along a link: out of its subject, or into its object.
    pub(super) fn fan_out(&self, node: &Node, link: &Link, is_out: bool) -> Result<f64, StoreError> {
        let one = match &node.place {
            Some(Known::Entities(entities)) => {
                let mut n_groups = 0.0;
                for entity in entities {
                    n_groups += count(self.n_groups(entity, link, is_out)?);
                }
                n_groups / count(entities.len()).max(1.0)
            }
            Some(Known::Found(_)) | None if self.counts => {
                let counted = self.counted()?;
                self.facts(&link.predicates)? / counted.subjects.max(1.0)
            }
            Some(Known::Found(_)) | None => {
                if is_out {
                    FACTS_OF
                } else {
                    FACTS_ABOUT
                }
            }
        };
        let both = if link.is_either { 2.0 * one } else { one };
        Ok(link.hops.map_or(both, |hops| both.max(1.0).powi(i32::try_from(hops.most).unwrap_or(1))))
    }

    fn n_groups(&self, entity: &EntityRef, link: &Link, is_out: bool) -> Result<usize, StoreError> {
        let mut read = self.around.borrow_mut();
        let predicates = match read.entry((entity.clone(), is_out)) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(unread) => {
                let seen = self.groups.seen;
                let groups = if is_out { seen.groups_of(entity)? } else { seen.groups_about(entity)? };
                unread.insert(groups.into_iter().map(|group| group.predicate).collect())
            }
        };
        let is_wanted =
            |predicate: &&String| link.predicates.is_empty() || link.predicates.contains(predicate);
        Ok(predicates.iter().filter(is_wanted).count())
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn count(number: usize) -> f64 {
    number as f64
}

/// Returns how many nodes are expected at a place that is known; `None` where none is.
pub(super) fn known(node: &Node) -> Option<f64> {
    node.place.as_ref().map(|place| match place {
        Known::Entities(entities) => count(entities.len()),
        Known::Found(_) => count(MOST_FOUND),
    })
}
