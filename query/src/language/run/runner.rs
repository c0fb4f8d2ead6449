//! What is done for a row, step after step: nodes are bound, facts followed, conditions looked at.

use std::rc::Rc;
use std::sync::Arc;

use bygone_ontology::Ontology;

use super::collect::Collector;
use super::source::is_meant;
use super::world::World;
use crate::language::failed::Failed;
use crate::language::groups::Groups;
use crate::language::plan::Plan;
use crate::language::plan::logical::{Known, Link, Node};
use crate::language::plan::step::{Action, Step, Way};
use crate::language::plan::term::Slot;
use crate::language::value::Value;
use crate::request::Request;
use crate::row::Row;

/// What running a plan came to.
pub(in crate::language) struct Ran {
    pub(in crate::language) rows: Vec<Vec<Value>>,
    /// Rows after each step.
    pub(in crate::language) counts: Vec<u64>,
    /// Entities, facts and turns that were looked at.
    pub(in crate::language) n_looked_at: u64,
}

/// Runs a plan in the view that it was made for.
pub(in crate::language) fn run(
    plan: &Plan,
    groups: &Groups<'_, '_>,
    ontology: &Ontology,
    request: &Request,
) -> Result<Ran, Failed> {
    let world = Rc::new(World::new(groups, ontology, request));
    let mut runner = Runner {
        plan,
        nodes: nodes(plan),
        world,
        counts: vec![0; plan.steps.len()],
        bindings: vec![Value::Null; plan.titles.len()],
        collector: Collector::new(&plan.output),
    };
    runner.step(0)?;
    let Runner { world, counts, collector, .. } = runner;
    Ok(Ran { rows: collector.finish()?, counts, n_looked_at: world.n_looked_at() })
}

/// Returns the node at each place, where one is.
fn nodes(plan: &Plan) -> Vec<Option<&Node>> {
    let find = |slot: Slot| plan.nodes.iter().find(|node| node.slot == slot);
    (0..plan.titles.len()).map(find).collect()
}

/// A row while it is put together.
pub(super) struct Runner<'p, 'a, 's> {
    plan: &'p Plan,
    nodes: Vec<Option<&'p Node>>,
    pub(super) world: Rc<World<'a, 's>>,
    counts: Vec<u64>,
    /// What variables are bound to, by place.
    pub(super) bindings: Vec<Value>,
    collector: Collector<'p>,
}

impl Runner<'_, '_, '_> {
    /// Runs the steps from one on for the row as it is; returns whether more rows are wanted.
    pub(super) fn step(&mut self, mut nth: usize) -> Result<bool, Failed> {
        let plan = self.plan;
        // Conditions are looked at one after another, since there may be very many.
        while let Some(Step { action: Action::Keep(condition), .. }) = plan.steps.get(nth) {
            if self.world.truth(&condition.term, &self.bindings)? != Some(true) {
                return Ok(true);
            }
            self.counts[nth] += 1;
            nth += 1;
        }
        let Some(step) = plan.steps.get(nth) else {
            return self.collector.take(&self.world, &self.bindings);
        };
        match &step.action {
            // There is none left here.
            Action::Keep(_) => Ok(true),
            Action::LookUp(node) => {
                for value in self.known(node)? {
                    self.world.look()?;
                    if !self.bind(nth, node, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Action::Scan(node) => self.scan(nth, node),
            Action::Follow(link, way) => match link.hops {
                None => self.follow(nth, link, *way),
                Some(hops) => self.follow_path(nth, link, hops, *way),
            },
        }
    }

    /// Counts the row and goes on with it.
    pub(super) fn next(&mut self, nth: usize) -> Result<bool, Failed> {
        self.counts[nth] += 1;
        self.step(nth + 1)
    }

    pub(super) fn known(&self, node: &Node) -> Result<Vec<Value>, Failed> {
        Ok(match &node.place {
            None => Vec::new(),
            Some(Known::Entities(entities)) => entities.iter().cloned().map(Value::Entity).collect(),
            Some(Known::Found(search)) => {
                if !node.is_turn {
                    let found = self.world.entities_found(search.how, &search.text)?;
                    return Ok(found.keys().cloned().map(Value::Entity).collect());
                }
                let found = self.world.found(true, search.how, &search.text)?;
                found.records.iter().cloned().map(Value::Turn).collect()
            }
        })
    }

    pub(super) fn scan(&mut self, nth: usize, node: &Node) -> Result<bool, Failed> {
        let world = Rc::clone(&self.world);
        if node.is_turn {
            world.each_turn(|turn| self.bind(nth, node, Value::Turn(Arc::new(turn))))
        } else {
            world.each_entity(|entity| self.bind(nth, node, Value::Entity(entity)))
        }
    }

    /// Binds a node, where the value may be it, and goes on.
    pub(super) fn bind(&mut self, nth: usize, node: &Node, value: Value) -> Result<bool, Failed> {
        if !self.fits(node, &value) {
            return Ok(true);
        }
        self.bindings[node.slot] = value;
        let goes_on = self.next(nth)?;
        self.bindings[node.slot] = Value::Null;
        Ok(goes_on)
    }

    /// Says whether a value may be bound to a node: of its types, and one of those that it must be.
    pub(super) fn fits(&self, node: &Node, value: &Value) -> bool {
        if node.is_turn {
            return matches!(value, Value::Turn(_));
        }
        let ontology = self.world.ontology;
        let name = value.type_name().unwrap_or_default();
        let is_of = |types: &Vec<String>| types.iter().any(|wanted| ontology.is_a(name, wanted));
        let is_one = match &node.place {
            Some(Known::Entities(entities)) => value.entity().is_some_and(|entity| entities.contains(entity)),
            Some(Known::Found(_)) | None => true,
        };
        is_one && node.types.iter().all(is_of)
    }

    /// Says whether a node may be at a place: it is there already, or nothing is and it fits.
    pub(super) fn may_be(&self, slot: Slot, value: &Value) -> bool {
        match &self.bindings[slot] {
            Value::Null => self.nodes[slot].is_none_or(|node| self.fits(node, value)),
            bound => bound == value,
        }
    }

    pub(super) fn follow(&mut self, nth: usize, link: &Link, way: Way) -> Result<bool, Failed> {
        for source in self.sources(link, way)? {
            for group in source.groups.iter().filter(|group| is_meant(link, group)) {
                for row in self.world.facts(group)?.iter() {
                    for (from, to) in self.ends(&source, row)? {
                        let fits = self.may_be(link.from, &from) && self.may_be(link.to, &to);
                        if !fits || self.is_used(row) || (link.from == link.to && from != to) {
                            continue;
                        }
                        if !self.bound(nth, link, Value::Fact(row.clone()), from, to)? {
                            return Ok(false);
                        }
                    }
                }
            }
        }
        Ok(true)
    }

    /// Binds a link and its ends, goes on, and takes back what was not bound before.
    pub(super) fn bound(
        &mut self,
        nth: usize,
        link: &Link,
        value: Value,
        from: Value,
        to: Value,
    ) -> Result<bool, Failed> {
        let before = [link.from, link.to, link.slot].map(|slot| (slot, self.bindings[slot].clone()));
        self.bindings[link.from] = from;
        self.bindings[link.to] = to;
        self.bindings[link.slot] = value;
        let goes_on = self.next(nth)?;
        for (slot, value) in before {
            self.bindings[slot] = value;
        }
        Ok(goes_on)
    }

    /// Says whether a fact is part of the row already.
    pub(super) fn is_used(&self, row: &Row) -> bool {
        self.bindings.iter().any(|bound| match bound {
            Value::Fact(fact) => is_same(fact, row),
            Value::Path(path) => path.facts.iter().any(|fact| is_same(fact, row)),
            _ => false,
        })
    }
}

/// Two rows are one fact where they have one id and stand alike: what is planned is not what is so.
pub(super) fn is_same(one: &Row, other: &Row) -> bool {
    (one.id, one.verdict, one.known_to) == (other.id, other.verdict, other.known_to)
}
