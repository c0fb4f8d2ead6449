//! Running the steps of a plan: for each row, depth first, so that what is not wanted is not looked up.

mod allen;
mod collect;
mod evaluate;
mod world;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use bygone_engine::store::GroupView;
use bygone_engine::time::{Period, Validity};
use bygone_ontology::Ontology;

use super::ast::Hops;
use super::failed::Failed;
use super::groups::Groups;
use super::plan::Plan;
use super::plan::logical::{Known, Link, Node};
use super::plan::step::{Action, Step, Way};
use super::plan::term::{Search, Slot};
use super::value::{Ordered, Path, Value};
use crate::request::Request;
use crate::row::Row;
use collect::Collector;
use evaluate::overlap;
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

struct Runner<'p, 'a, 's> {
    plan: &'p Plan,
    nodes: Vec<Option<&'p Node>>,
    world: Rc<World<'a, 's>>,
    counts: Vec<u64>,
    /// What variables are bound to, by place.
    bindings: Vec<Value>,
    collector: Collector<'p>,
}

impl Runner<'_, '_, '_> {
    /// Runs the steps from one on for the row as it is; returns whether more rows are wanted.
    fn step(&mut self, mut nth: usize) -> Result<bool, Failed> {
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
    fn next(&mut self, nth: usize) -> Result<bool, Failed> {
        self.counts[nth] += 1;
        self.step(nth + 1)
    }

    fn known(&self, node: &Node) -> Result<Vec<Value>, Failed> {
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

    fn scan(&mut self, nth: usize, node: &Node) -> Result<bool, Failed> {
        let world = Rc::clone(&self.world);
        if node.is_turn {
            world.each_turn(|turn| self.bind(nth, node, Value::Turn(Arc::new(turn))))
        } else {
            world.each_entity(|entity| self.bind(nth, node, Value::Entity(entity)))
        }
    }

    /// Binds a node, where the value may be it, and goes on.
    fn bind(&mut self, nth: usize, node: &Node, value: Value) -> Result<bool, Failed> {
        if !self.fits(node, &value) {
            return Ok(true);
        }
        self.bindings[node.slot] = value;
        let goes_on = self.next(nth)?;
        self.bindings[node.slot] = Value::Null;
        Ok(goes_on)
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

    /// Returns where the facts that a link may be are found.
    fn sources(&self, link: &Link, way: Way) -> Result<Vec<Source>, Failed> {
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
    fn around(&self, node: &Value, link: &Link, is_from: bool) -> Result<Vec<Source>, Failed> {
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
    fn ends(&self, source: &Source, row: &Row) -> Result<Vec<(Value, Value)>, Failed> {
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

/// Where facts are found that a link may be.
struct Source {
    groups: Arc<[GroupView]>,
    ends: Ends,
    /// The search that has to find them.
    filter: Option<Search>,
}

/// What stands at the ends of a link.
enum Ends {
    /// The subject and the object, or the two exchanged.
    All { is_either: bool },
    /// A node that is the subject, or the object, and what is at the other end.
    Around { node: Value, is_subject: bool, is_from: bool, is_either: bool },
}

/// Says whether a link may be a fact of the group.
fn is_meant(link: &Link, group: &GroupView) -> bool {
    link.predicates.is_empty() || link.predicates.contains(&group.predicate)
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
    /// Where each of the facts was followed from.
    nodes: Vec<Value>,
}

/// Two rows are one fact where they have one id and stand alike: what is planned is not what is so.
fn is_same(one: &Row, other: &Row) -> bool {
    (one.id, one.verdict, one.known_to) == (other.id, other.verdict, other.known_to)
}
