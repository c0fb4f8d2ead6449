//! The graph channel: what is tied to the entities that a question names, in the view.
//!
//! ```text
//! named entity ─ fact ─ entity ─ fact        two steps out, over the facts that the view derives and selects
//! ```
//!
//! A walker starts at a named entity, goes on at random along facts, and now and then starts again; where it is found how
//! often says how closely a fact is tied to what is named. So a question about all that somebody does gathers facts that
//! no single turn says together. Formula: personalised `PageRank`, Page et al., "The `PageRank` Citation Ranking" (1999),
//! section 6; every edge may be walked both ways.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::store::GroupView;
use bygone_engine::{AssertionId, EntityRef, Fact, Object, StoreError};
use petgraph::graph::{NodeIndex, UnGraph};

use super::Sought;

/// How likely the walker is to go on rather than to start again. The usual value.
const GOES_ON: f32 = 0.85;
/// Steps after which the walk has settled: what is left to move is less than .85^20, a twenty-fifth.
const N_STEPS: usize = 20;
/// Steps from one entity to the next that the graph reaches.
const N_HOPS: usize = 2;
/// Groups that are looked at, at most, so that a hub costs no more than this. With 400, and 64 facts of each, a search in
/// 100,000 turns took three times as long, and recall on `LoCoMo` was the same.
const MOST_GROUPS: usize = 60;

/// Facts of one group that are looked at, at most, the last to start: of what is tied to a hub in thousands of ways, no one
/// way is close.
const MOST_FACTS: usize = 8;

/// What a node stands for.
enum Node {
    Entity,
    Fact(Box<Fact>),
}

/// The part of the graph around some entities.
struct Around<'a> {
    sought: &'a Sought<'a>,
    graph: UnGraph<Node, ()>,
    entities: BTreeMap<EntityRef, NodeIndex>,
    groups: BTreeSet<GroupView>,
}

/// Returns the statements under the facts around some entities, each with how closely it is tied to them: the closest
/// has 1.
pub(super) fn ties(
    sought: &Sought<'_>,
    named: &[EntityRef],
) -> Result<BTreeMap<AssertionId, f32>, StoreError> {
    let mut around =
        Around { sought, graph: UnGraph::default(), entities: BTreeMap::new(), groups: BTreeSet::new() };
    let seeds: Vec<NodeIndex> = named.iter().map(|entity| around.entity(entity)).collect();
    let mut frontier: Vec<EntityRef> = named.to_vec();
    for _ in 0..N_HOPS {
        let mut reached = Vec::new();
        for entity in frontier {
            reached.extend(around.expand(&entity)?);
        }
        reached.sort();
        reached.dedup();
        frontier = reached;
    }
    let ranks = walk(&around.graph, &seeds);
    let mut ties: BTreeMap<AssertionId, f32> = BTreeMap::new();
    for (node, rank) in around.graph.node_indices().zip(ranks) {
        if let Node::Fact(fact) = &around.graph[node] {
            for id in &fact.support {
                let tie = ties.entry(*id).or_default();
                *tie = tie.max(rank);
            }
        }
    }
    let greatest = ties.values().copied().fold(0.0, f32::max);
    for tie in ties.values_mut() {
        *tie /= greatest;
    }
    Ok(ties)
}

impl Around<'_> {
    fn entity(&mut self, entity: &EntityRef) -> NodeIndex {
        if let Some(node) = self.entities.get(entity) {
            return *node;
        }
        let node = self.graph.add_node(Node::Entity);
        self.entities.insert(entity.clone(), node);
        node
    }

    /// Adds the facts that have an entity as subject or object, and returns the entities at their other ends.
    fn expand(&mut self, entity: &EntityRef) -> Result<Vec<EntityRef>, StoreError> {
        let seen = self.sought.seen;
        let mut reached = Vec::new();
        let mut groups = seen.groups_of(entity)?;
        if self.groups.len() + groups.len() < MOST_GROUPS {
            groups.extend(seen.groups_about(entity)?);
        }
        for group in groups {
            if self.groups.len() == MOST_GROUPS {
                break;
            }
            if !self.groups.insert(group.clone()) {
                continue;
            }
            for fact in seen.last_facts(&group, MOST_FACTS)? {
                if self.sought.request.valid.selects(fact.validity) {
                    reached.extend(self.fact(&group.subject, fact));
                }
            }
        }
        Ok(reached)
    }

    fn fact(&mut self, subject: &EntityRef, fact: Fact) -> Vec<EntityRef> {
        let object = match &fact.object {
            Object::Entity(entity) => Some(entity.clone()),
            _ => None,
        };
        let node = self.graph.add_node(Node::Fact(Box::new(fact)));
        let ends: Vec<EntityRef> = [Some(subject.clone()), object].into_iter().flatten().collect();
        for end in &ends {
            let end = self.entity(end);
            self.graph.add_edge(node, end, ());
        }
        ends
    }
}

/// Returns where a walker that starts at the seeds is found how often, by node.
fn walk<N>(graph: &UnGraph<N, ()>, seeds: &[NodeIndex]) -> Vec<f32> {
    let mut start = vec![0.0; graph.node_count()];
    for seed in seeds {
        #[expect(clippy::cast_precision_loss, reason = "a question names few entities")]
        let share = 1.0 / seeds.len() as f32;
        start[seed.index()] += share;
    }
    let mut ranks = start.clone();
    for _ in 0..N_STEPS {
        let mut next: Vec<f32> = start.iter().map(|share| (1.0 - GOES_ON) * share).collect();
        for node in graph.node_indices() {
            let n_ways = graph.neighbors(node).count();
            #[expect(
                clippy::cast_precision_loss,
                reason = "a node has at most as many edges as facts are looked at"
            )]
            let share = GOES_ON * ranks[node.index()] / n_ways.max(1) as f32;
            for neighbour in graph.neighbors(node) {
                next[neighbour.index()] += share;
            }
        }
        ranks = next;
    }
    ranks
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what nobody walks to is nothing")]
mod tests {
    use super::*;

    #[test]
    fn what_is_closer_to_the_seeds_ranks_higher() {
        // seed - a - b - c, and a hub behind a.
        let mut graph: UnGraph<(), ()> = UnGraph::default();
        let nodes: Vec<NodeIndex> = (0..4).map(|_| graph.add_node(())).collect();
        for pair in nodes.windows(2) {
            graph.add_edge(pair[0], pair[1], ());
        }
        let lone = graph.add_node(());
        let ranks = walk(&graph, &nodes[..1]);
        assert!(ranks[1] > ranks[2] && ranks[2] > ranks[3] && ranks[3] > 0.0, "{ranks:?}");
        assert_eq!(ranks[lone.index()], 0.0);
        assert!((ranks.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{ranks:?}");
    }
}
