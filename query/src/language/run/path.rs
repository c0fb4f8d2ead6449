//! Following paths: facts each of which starts where the one before ends, none of them twice, all of them at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use bygone_engine::time::{Period, Validity};

use super::evaluate::overlap;
use super::runner::{Runner, is_same};
use super::source::is_meant;
use crate::language::ast::Hops;
use crate::language::failed::Failed;
use crate::language::plan::logical::Link;
use crate::language::plan::step::Way;
use crate::language::value::{Ordered, Path, Value};
use crate::row::Row;

/// A path that is being followed.
struct Trail<'l> {
    nth: usize,
    link: &'l Link,
    hops: Hops,
    /// Whether it is followed from its first end.
    is_from: bool,
    start: Value,
    facts: Vec<Arc<Row>>,
    /// Where each of the facts was followed from.
    nodes: Vec<Value>,
}

impl Runner<'_, '_, '_> {
    pub(super) fn follow_path(
        &mut self,
        nth: usize,
        link: &Link,
        hops: Hops,
        way: Way,
    ) -> Result<bool, Failed> {
        let is_from = way != Way::In;
        let starts = match way {
            Way::Out => vec![self.bindings[link.from].clone()],
            Way::In => vec![self.bindings[link.to].clone()],
            Way::All | Way::Found => self.starts(link, hops)?,
        };
        for start in starts {
            if !self.may_be(if is_from { link.from } else { link.to }, &start) {
                continue;
            }
            let start_at = start.clone();
            let mut trail = Trail { nth, link, hops, is_from, start, facts: Vec::new(), nodes: Vec::new() };
            if !self.extend(&mut trail, &start_at, Period::ALWAYS)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the nodes at which a path may start that nothing leads to, in order: what its facts are about, what they
    /// say where they are followed either way, and anything where it may have no facts.
    fn starts(&self, link: &Link, hops: Hops) -> Result<Vec<Value>, Failed> {
        let mut starts = BTreeSet::new();
        if hops.least == 0 {
            self.world.each_entity(|entity| {
                starts.insert(Ordered(Value::Entity(entity)));
                Ok(true)
            })?;
        }
        let is_any = hops.least == 0;
        for group in self.world.all_groups()?.iter().filter(|group| is_any || is_meant(link, group)) {
            for row in self.world.facts(group)?.iter() {
                starts.insert(Ordered(Value::Entity(row.group.subject.clone())));
                if link.is_either || is_any {
                    starts.insert(Ordered(Value::of_object(&row.fact.object)));
                }
            }
        }
        Ok(starts.into_iter().map(|start| start.0).collect())
    }

    /// Goes on with a path that has come to a node: as it is, and by each fact that leads further. `shared` is when all of
    /// its facts hold that are dated; those that are not may have held then.
    fn extend(&mut self, trail: &mut Trail<'_>, at: &Value, shared: Period) -> Result<bool, Failed> {
        let Trail { nth, link, hops, is_from, .. } = *trail;
        let n_facts = u32::try_from(trail.facts.len()).unwrap_or(u32::MAX);
        let end = if is_from { link.to } else { link.from };
        let returns = link.from != link.to || *at == trail.start;
        if n_facts >= hops.least && returns && self.may_be(end, at) {
            let (mut facts, mut nodes) = (trail.facts.clone(), trail.nodes.clone());
            nodes.push(at.clone());
            let (from, to) = if is_from {
                (trail.start.clone(), at.clone())
            } else {
                facts.reverse();
                nodes.reverse();
                (at.clone(), trail.start.clone())
            };
            let is_dated = facts.iter().all(|row| row.fact.validity != Validity::Undated);
            let valid = if is_dated { Validity::Over(shared) } else { Validity::Undated };
            let path = Value::Path(Arc::new(Path { facts, nodes, valid }));
            if !self.bound(nth, link, path, from, to)? {
                return Ok(false);
            }
        }
        if n_facts == hops.most {
            return Ok(true);
        }
        for source in self.around(at, link, is_from)? {
            for group in source.groups.iter().filter(|group| is_meant(link, group)) {
                for row in self.world.facts(group)?.iter() {
                    let Some((from, to)) = self.ends(&source, row)?.pop() else { continue };
                    if self.is_used(row) || trail.facts.iter().any(|fact| is_same(fact, row)) {
                        continue;
                    }
                    let dated = row.fact.validity.period().map_or(Some(shared), |own| overlap(shared, own));
                    let Some(shared) = dated else { continue };
                    trail.facts.push(row.clone());
                    trail.nodes.push(at.clone());
                    let goes_on = self.extend(trail, if is_from { &to } else { &from }, shared)?;
                    trail.facts.pop();
                    trail.nodes.pop();
                    if !goes_on {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}
