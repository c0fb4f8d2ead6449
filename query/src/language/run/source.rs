//! Where the facts are found that a link may be, and what stands at their ends.

use std::sync::Arc;

use bygone_engine::store::GroupView;

use super::runner::Runner;
use crate::language::failed::Failed;
use crate::language::plan::logical::Link;
use crate::language::plan::step::Way;
use crate::language::plan::term::Search;
use crate::language::value::Value;
use crate::row::Row;

/// Where facts are found that a link may be.
pub(super) struct Source {
    pub(super) groups: Arc<[GroupView]>,
    pub(super) ends: Ends,
    /// The search that has to find them.
    pub(super) filter: Option<Search>,
}

/// What stands at the ends of a link.
pub(super) enum Ends {
    /// The subject and the object, or the two exchanged.
    All { is_either: bool },
    /// A node that is the subject, or the object, and what is at the other end.
    Around { node: Value, is_subject: bool, is_from: bool, is_either: bool },
}

/// Says whether a link may be a fact of the group.
pub(super) fn is_meant(link: &Link, group: &GroupView) -> bool {
    link.predicates.is_empty() || link.predicates.contains(&group.predicate)
}

impl Runner<'_, '_, '_> {
    /// Returns where the facts that a link may be are found.
    pub(super) fn sources(&self, link: &Link, way: Way) -> Result<Vec<Source>, Failed> {
        let all =
            |groups, filter| vec![Source { groups, ends: Ends::All { is_either: link.is_either }, filter }];
        match (way, &link.found) {
            (Way::Out, _) => self.around(&self.bindings[link.from], link, true),
            (Way::In, _) => self.around(&self.bindings[link.to], link, false),
            (Way::Found, Some(search)) => {
                let groups = self.world.groups_found(search.how, &search.text)?;
                Ok(all(groups, Some(search.clone())))
            }
            (Way::All | Way::Found, _) => Ok(all(self.world.all_groups()?, None)),
        }
    }

    /// Returns where the facts around a node are found that stands at the first end of a link, or at its second one.
    pub(super) fn around(&self, node: &Value, link: &Link, is_from: bool) -> Result<Vec<Source>, Failed> {
        let mut sources = Vec::new();
        let mut add = |groups, is_subject| {
            let ends = Ends::Around { node: node.clone(), is_subject, is_from, is_either: link.is_either };
            sources.push(Source { groups, ends, filter: None });
        };
        if is_from || link.is_either {
            add(self.world.groups_of(node)?, true);
        }
        if !is_from || link.is_either {
            add(self.world.groups_about(node)?, false);
        }
        Ok(sources)
    }

    /// Returns what stands at the two ends of a link that is a fact: nothing where it is none of the source, and two pairs
    /// where it may run either way.
    pub(super) fn ends(&self, source: &Source, row: &Row) -> Result<Vec<(Value, Value)>, Failed> {
        if let Some(search) = &source.filter
            && self.world.fit(row, search.how, &search.text)?.is_none()
        {
            return Ok(Vec::new());
        }
        let (subject, object) =
            (Value::Entity(row.group.subject.clone()), Value::of_object(&row.fact.object));
        Ok(match &source.ends {
            Ends::All { is_either: true } if subject != object => {
                vec![(subject.clone(), object.clone()), (object, subject)]
            }
            Ends::All { .. } => vec![(subject, object)],
            Ends::Around { node, is_subject, is_from, is_either } => {
                let (own, other) = if *is_subject { (subject, object) } else { (object, subject) };
                // What an entity says of itself is found as its subject already.
                let is_again = *is_either && !*is_subject && own == other;
                match (own == *node && !is_again, *is_from) {
                    (false, _) => Vec::new(),
                    (true, true) => vec![(own, other)],
                    (true, false) => vec![(other, own)],
                }
            }
        })
    }
}
