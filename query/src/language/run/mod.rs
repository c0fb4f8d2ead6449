//! Running the steps of a plan: for each row, depth first, so that what is not wanted is not looked up.

mod allen;
mod collect;
mod evaluate;
mod world;

use std::sync::Arc;

use bygone_engine::store::Seen;
use bygone_engine::time::{Period, Validity};
use bygone_ontology::Ontology;

use super::ast::Hops;
use super::failed::Failed;
use super::plan::Plan;
use super::plan::logical::{Known, Link, Node};
use super::plan::step::{Action, Way};
use super::plan::term::Slot;
use super::value::{Path, Value};
use crate::request::Request;
use crate::row::Row;
use collect::Collector;
use evaluate::intersection;
use world::World;

/// What running a plan came to.
pub(super) struct Ran {
    pub(super) rows: Vec<Vec<Value>>,
    /// Rows after each step.
    pub(super) counts: Vec<u64>,
    /// Entities, facts and turns that were looked at.
    pub(super) n_looked_at: u64,
}

/// Runs a plan in the view that it was made for.
pub(super) fn run(
    plan: &Plan,
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
) -> Result<Ran, Failed> {
    let world = World::new(seen, ontology, request);
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

struct Runner<'p, 'a, 's> {
    plan: &'p Plan,
    nodes: Vec<Option<&'p Node>>,
    world: World<'a, 's>,
    counts: Vec<u64>,
    /// What variables are bound to, by place.
    bindings: Vec<Value>,
    collector: Collector<'p>,
}

impl Runner<'_, '_, '_> {
    /// Runs the steps from one on for the row as it is; returns whether more rows are wanted.
    fn step(&mut self, nth: usize) -> Result<bool, Failed> {
        let plan = self.plan;
        if nth > 0 && plan.titles.len() > 1 {
            // Rows that come of combining what was looked at before are work, too.
            self.world.look()?;
        }
        let Some(step) = plan.steps.get(nth) else {
            return self.collector.take(&self.world, &self.bindings);
        };
        match &step.action {
            Action::Keep(condition) => {
                if self.world.truth(&condition.term, &self.bindings)? == Some(true) {
                    return self.next(nth);
                }
                Ok(true)
            }
            Action::LookUp(node) => {
                let values = self.known(node)?;
                self.bind_each(nth, node, values)
            }
            Action::Scan(node) => {
                let values = if node.is_turn {
                    self.world.turns()?.into_iter().map(Value::Turn).collect()
                } else {
                    self.world.entities()?.into_iter().map(Value::Entity).collect()
                };
                self.bind_each(nth, node, values)
            }
            Action::Follow(link, way) => match link.hops {
                None => self.follow(nth, link, *way),
                Some(hops) => self.follow_path(nth, link, hops, *way),
            },
        }
    }

    /// Counts the row and goes on with it.
    fn next(&mut self, nth: usize) -> Result<bool, Failed> {
        self.counts[nth] += 1;
        self.step(nth + 1)
    }

    fn known(&self, node: &Node) -> Result<Vec<Value>, Failed> {
        Ok(match &node.place {
            None => Vec::new(),
            Some(Known::Entities(entities)) => entities.iter().cloned().map(Value::Entity).collect(),
            Some(Known::Found(search)) => {
                // What a search finds was counted when it was found.
                let found = self.world.found(true, search.how, &search.text)?;
                found.records.iter().cloned().map(Value::Turn).collect()
            }
        })
    }

    fn bind_each(&mut self, nth: usize, node: &Node, values: Vec<Value>) -> Result<bool, Failed> {
        for value in values {
            if !self.fits(node, &value) {
                continue;
            }
            self.bindings[node.slot] = value;
            let goes_on = self.next(nth)?;
            self.bindings[node.slot] = Value::Null;
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Says whether a value may be bound to a node: of its types, and one of those that it must be.
    fn fits(&self, node: &Node, value: &Value) -> bool {
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
    fn may_be(&self, slot: Slot, value: &Value) -> bool {
        match &self.bindings[slot] {
            Value::Null => self.nodes[slot].is_none_or(|node| self.fits(node, value)),
            bound => bound == value,
        }
    }

    fn follow(&mut self, nth: usize, link: &Link, way: Way) -> Result<bool, Failed> {
        for (row, from, to) in self.facts(link, way)? {
            if self.is_used(&row) || !self.may_be(link.from, &from) || !self.may_be(link.to, &to) {
                continue;
            }
            if link.from == link.to && from != to {
                continue;
            }
            if !self.bound(nth, link, Value::Fact(row), from, to)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Binds a link and its ends, goes on, and takes back what was not bound before.
    fn bound(
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

    /// Returns the facts that a link may be, with what stands at its two ends.
    fn facts(&self, link: &Link, way: Way) -> Result<Vec<(Arc<Row>, Value, Value)>, Failed> {
        let world = &self.world;
        match way {
            Way::Out => self.around(&self.bindings[link.from], link, true),
            Way::In => self.around(&self.bindings[link.to], link, false),
            Way::All => Ok(both_ways(world.all_facts(&link.predicates)?, link.is_either)),
            Way::Found => {
                let Some(search) = &link.found else { return Ok(Vec::new()) };
                let facts = world.facts_found(search.how, &search.text, &link.predicates)?;
                Ok(both_ways(facts, link.is_either))
            }
        }
    }

    /// Returns the facts around a node that stands at the first end of a link, or at its second one.
    fn around(
        &self,
        node: &Value,
        link: &Link,
        is_from: bool,
    ) -> Result<Vec<(Arc<Row>, Value, Value)>, Failed> {
        let mut around = Vec::new();
        let as_subject = is_from || link.is_either;
        let as_object = !is_from || link.is_either;
        if let Some(entity) = node.entity().filter(|_| as_subject) {
            for row in self.world.facts_of(entity, &link.predicates)? {
                let other = Value::of_object(&row.fact.object);
                around.push((row, node.clone(), other));
            }
        }
        if as_object {
            for row in self.world.facts_about(node, &link.predicates)? {
                let other = Value::Entity(row.group.subject.clone());
                // What an entity says of itself was found already.
                if !(as_subject && other == *node) {
                    around.push((row, node.clone(), other));
                }
            }
        }
        if !is_from {
            for (_, from, to) in &mut around {
                std::mem::swap(from, to);
            }
        }
        Ok(around)
    }

    /// Says whether a fact is part of the row already.
    fn is_used(&self, row: &Row) -> bool {
        self.bindings.iter().any(|bound| match bound {
            Value::Fact(fact) => is_same(fact, row),
            Value::Path(path) => path.facts.iter().any(|fact| is_same(fact, row)),
            _ => false,
        })
    }

    fn follow_path(&mut self, nth: usize, link: &Link, hops: Hops, way: Way) -> Result<bool, Failed> {
        let is_from = way != Way::In;
        let start = self.bindings[if is_from { link.from } else { link.to }].clone();
        let mut trail = Trail { nth, link, hops, is_from, start: start.clone(), facts: Vec::new() };
        self.extend(&mut trail, &start, Validity::Over(Period::ALWAYS))
    }

    /// Goes on with a path that has come to a node: as it is, and by each fact that leads further.
    fn extend(&mut self, trail: &mut Trail<'_>, at: &Value, valid: Validity) -> Result<bool, Failed> {
        let Trail { nth, link, hops, is_from, .. } = *trail;
        let n_facts = u32::try_from(trail.facts.len()).unwrap_or(u32::MAX);
        let end = if is_from { link.to } else { link.from };
        let returns = link.from != link.to || *at == trail.start;
        if n_facts >= hops.least && returns && self.may_be(end, at) {
            let mut facts = trail.facts.clone();
            let (from, to) = if is_from {
                (trail.start.clone(), at.clone())
            } else {
                facts.reverse();
                (at.clone(), trail.start.clone())
            };
            let path = Value::Path(Arc::new(Path { facts, valid }));
            if !self.bound(nth, link, path, from, to)? {
                return Ok(false);
            }
        }
        if n_facts == hops.most {
            return Ok(true);
        }
        for (row, from, to) in self.around(at, link, is_from)? {
            if self.is_used(&row) || trail.facts.iter().any(|fact| is_same(fact, &row)) {
                continue;
            }
            let Some(shared) = intersection(valid, row.fact.validity) else { continue };
            let further = if is_from { to } else { from };
            trail.facts.push(row);
            let goes_on = self.extend(trail, &further, shared)?;
            trail.facts.pop();
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A path that is being followed.
struct Trail<'l> {
    nth: usize,
    link: &'l Link,
    hops: Hops,
    /// Whether it is followed from its first end.
    is_from: bool,
    start: Value,
    facts: Vec<Arc<Row>>,
}

/// Two rows are one fact where they have one id and stand alike: what is planned is not what is so.
fn is_same(one: &Row, other: &Row) -> bool {
    (one.id, one.verdict, one.known_to) == (other.id, other.verdict, other.known_to)
}

fn both_ways(facts: Vec<Arc<Row>>, is_either: bool) -> Vec<(Arc<Row>, Value, Value)> {
    let mut both = Vec::new();
    for row in facts {
        let (from, to) = (Value::Entity(row.group.subject.clone()), Value::of_object(&row.fact.object));
        if is_either && from != to {
            both.push((row.clone(), to.clone(), from.clone()));
        }
        both.push((row, from, to));
    }
    both
}
