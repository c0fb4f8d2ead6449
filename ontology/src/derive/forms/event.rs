//! The occurrences of one object, as more and more is told of them.
//!
//! Whoever tells of an occurrence bears on others only through periods that overlap: with each batch only the clusters of
//! affirms are looked at again into which something falls.
//!
//! Invariant: clusters do not overlap, and whatever overlaps is in one cluster.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::{Instant, Validity};
use bygone_engine::{Form, Told};

use super::super::denial::Denials;
use super::super::event::of_affirms;
use super::super::group::{Affirm, Group, Rank};
use super::Follow;

/// Affirms that overlap, each at least one other, from the cluster's key on.
struct Cluster<'g> {
    to: Instant,
    affirms: Vec<&'g Affirm>,
    forms: BTreeMap<Validity, Form>,
}

/// The occurrences of one object, as far as they were followed.
pub(super) struct Event<'g, 'a> {
    group: &'g Group<'a>,
    told: Told,
    denials: Denials,
    clusters: BTreeMap<Instant, Cluster<'g>>,
    closed: Vec<Form>,
}

impl<'g, 'a> Event<'g, 'a> {
    /// Returns an object of which nothing is told yet. The group is about no other.
    pub(super) fn new(group: &'g Group<'a>, told: Told) -> Event<'g, 'a> {
        let denials = Denials::none_of(&group.denies);
        Event { group, told, denials, clusters: BTreeMap::new(), closed: Vec::new() }
    }

    /// Puts an affirm into a cluster, which may bring several together, and returns where it starts.
    fn add(&mut self, affirm: &'g Affirm) -> Instant {
        let (mut from, mut to) = (affirm.from, affirm.stated_to.max(affirm.from.next()));
        let mut joined = Cluster { to, affirms: vec![affirm], forms: BTreeMap::new() };
        for start in self.overlapping(from, to) {
            if let Some(cluster) = self.clusters.remove(&start) {
                (from, to) = (from.min(start), to.max(cluster.to));
                joined.affirms.extend(cluster.affirms);
                joined.forms.extend(cluster.forms);
            }
        }
        self.clusters.insert(from, Cluster { to, ..joined });
        from
    }

    /// Returns the clusters that have an instant of `[from, to)`, by their starts.
    fn overlapping(&self, from: Instant, to: Instant) -> Vec<Instant> {
        let before = self.clusters.range(..from).next_back().filter(|(_, cluster)| cluster.to > from);
        before.into_iter().chain(self.clusters.range(from..to)).map(|(start, _)| *start).collect()
    }
}

impl Follow for Event<'_, '_> {
    fn take(&mut self, batch: usize, said: &[Rank]) {
        let mut touched: BTreeSet<Instant> = BTreeSet::new();
        for &rank in said {
            if let Some(affirm) = self.group.affirm(rank) {
                touched.insert(self.add(affirm));
            }
            if let Some(deny) = self.group.deny(rank) {
                self.denials.set(deny, true);
                touched.extend(self.overlapping(deny.start, deny.end));
            }
        }
        for start in touched {
            // It can have been joined to an earlier one since.
            let Some(cluster) = self.clusters.get_mut(&start) else { continue };
            let facts = of_affirms(self.group, cluster.affirms.clone(), &self.denials);
            let mut before = std::mem::take(&mut cluster.forms);
            for fact in facts {
                let form = match (before.remove(&fact.validity), self.told) {
                    (Some(form), Told::AtFirst) => form,
                    (Some(form), Told::AtLast) => Form { fact, ..form },
                    (None, _) => Form { fact, from: batch, to: None },
                };
                cluster.forms.insert(form.fact.validity, form);
            }
            self.closed.extend(before.into_values().map(|form| Form { to: Some(batch), ..form }));
        }
    }

    fn forms(self) -> Vec<Form> {
        let open = self.clusters.into_values().flat_map(|cluster| cluster.forms.into_values());
        open.chain(self.closed).collect()
    }
}
