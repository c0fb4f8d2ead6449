//! Facts without dates, as more and more is said.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::{Form, Told};

use super::super::denial::Denials;
use super::super::facts::{ALL_TIME, undated_of};
use super::super::group::{Group, ObjectIdx, Rank};
use super::Follow;

/// The undated affirms of a group, as far as they were followed.
pub(super) struct Undated<'g, 'a> {
    group: &'g Group<'a>,
    told: Told,
    objects: BTreeMap<Rank, ObjectIdx>,
    denials: Denials,
    /// Who affirms each object.
    affirms: BTreeMap<ObjectIdx, Vec<Rank>>,
    open: BTreeMap<ObjectIdx, Form>,
    closed: Vec<Form>,
}

impl<'g, 'a> Undated<'g, 'a> {
    /// Returns a group of which nothing is said yet.
    pub(super) fn new(group: &'g Group<'a>, told: Told) -> Undated<'g, 'a> {
        Undated {
            group,
            told,
            objects: group.undated.iter().map(|undated| (undated.rank, undated.object)).collect(),
            denials: Denials::none_of(&group.denies),
            affirms: BTreeMap::new(),
            open: BTreeMap::new(),
            closed: Vec::new(),
        }
    }

    fn look_at(&mut self, batch: usize, object: ObjectIdx) {
        let Some(affirms) = self.affirms.get(&object) else { return };
        let stands = |rank: &&Rank| !self.denials.deny_all_of(**rank, object, ALL_TIME);
        let mut support: Vec<Rank> = affirms.iter().filter(stands).copied().collect();
        support.sort_unstable();
        let before = self.open.remove(&object);
        if support.is_empty() {
            self.closed.extend(before.map(|form| Form { to: Some(batch), ..form }));
            return;
        }
        let form = match (before, self.told) {
            (Some(form), Told::AtFirst) => form,
            (before, _) => {
                let from = before.map_or(batch, |form| form.from);
                Form { fact: undated_of(self.group, object, &support), from, to: None }
            }
        };
        self.open.insert(object, form);
    }
}

impl Follow for Undated<'_, '_> {
    fn take(&mut self, batch: usize, said: &[Rank]) {
        let mut touched: BTreeSet<ObjectIdx> = BTreeSet::new();
        for &rank in said {
            if let Some(&object) = self.objects.get(&rank) {
                self.affirms.entry(object).or_default().push(rank);
                touched.insert(object);
            }
            if let Some(deny) = self.group.deny(rank) {
                self.denials.set(deny, true);
                match deny.object {
                    Some(object) => touched.extend([object]),
                    None => touched.extend(self.affirms.keys()),
                }
            }
        }
        for object in touched {
            self.look_at(batch, object);
        }
    }

    fn forms(self) -> Vec<Form> {
        self.open.into_values().chain(self.closed).collect()
    }
}
