//! A graph over the codes of a space, in which the nearest are reached by going from neighbour to nearer neighbour.
//!
//! Hierarchical navigable small world: Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using
//! hierarchical navigable small world graphs", arXiv:1603.09320, algorithms 1, 2, 4 and 5. Two things are not as there:
//! a node's layer follows from its position, so that the graph is the same however often it was put down and taken up
//! again; and a search may be told which nodes count, which it passes through all the same.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::code::Query;
use super::mix;
use super::nearest::Total;
use super::places::Places;

/// Neighbours that a new node is given, and the most it may have above the lowest layer (M of the paper).
const LINKS: usize = 16;
/// The most neighbours in the lowest layer (twice M, section 4.1 of the paper).
const LOWEST_LINKS: usize = 32;
/// Nodes that a new node chooses its neighbours among (efConstruction of the paper).
const CHOSEN_AMONG: usize = 100;
/// Numbers that the links of a node take in a layer: how many there are, and each.
const UPPER_STRIDE: usize = LINKS + 1;
const LOWEST_STRIDE: usize = LOWEST_LINKS + 1;

/// Which documents are near which, by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    /// A node of the highest layer.
    entry: u32,
    lowest: Vec<u32>,
    upper: Vec<u32>,
    /// Where in `upper` the links of each node start: its layers from the second on, one after the other.
    starts: Vec<usize>,
}

/// A node and how near it is, the nearer the greater; among equals the one that came first is.
type Step = (Total, Reverse<u32>);

impl Graph {
    /// Returns how many nodes there are: the documents at the first so many positions.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.starts.len()).expect("a graph has fewer than 2^32 nodes")
    }

    /// Returns where a search starts.
    pub(super) fn entry(&self) -> u32 {
        self.entry
    }

    /// Returns the links of all nodes, in the lowest layer and in those above.
    pub(super) fn slots(&self) -> (&[u32], &[u32]) {
        (&self.lowest, &self.upper)
    }

    /// Returns how many numbers the links of so many nodes take, in the lowest layer and in those above.
    pub(super) fn n_slots(n_nodes: u32) -> Option<[usize; 2]> {
        let n_upper = (0..n_nodes).map(|node| usize::from(layer(node)) * UPPER_STRIDE).sum();
        Some([usize::try_from(n_nodes).ok()?.checked_mul(LOWEST_STRIDE)?, n_upper])
    }

    /// Makes a graph of what [`Graph::slots`] told; nothing where no graph tells that.
    pub(super) fn from_slots(n_nodes: u32, entry: u32, lowest: Vec<u32>, upper: Vec<u32>) -> Option<Graph> {
        if Graph::n_slots(n_nodes)? != [lowest.len(), upper.len()] {
            return None;
        }
        let mut start = 0;
        let starts = (0..n_nodes).map(|node| {
            let at = start;
            start += usize::from(layer(node)) * UPPER_STRIDE;
            at
        });
        let graph = Graph { entry, starts: starts.collect(), lowest, upper };
        graph.is_sound().then_some(graph)
    }

    /// Says whether every link leads to a node of its layer, and the search starts at the top.
    fn is_sound(&self) -> bool {
        let is_node = |node: u32, at: u8| node < self.len() && layer(node) >= at;
        let links_are = |node: u32, at: u8| {
            let slots = self.slots_of(node, at);
            slots[1..]
                .get(..slots[0] as usize)
                .is_some_and(|links| links.iter().all(|link| is_node(*link, at)))
        };
        let top = (0..self.len()).map(layer).max().unwrap_or_default();
        let starts_at_top = self.starts.is_empty() || (is_node(self.entry, top));
        starts_at_top && (0..self.len()).all(|node| (0..=layer(node)).all(|at| links_are(node, at)))
    }

    /// Takes in the documents that came since.
    pub(super) fn extend(&mut self, places: &Places<'_>) {
        let mut seen = Seen::default();
        for node in self.len()..places.len() {
            self.insert(node, places, &mut seen);
        }
    }

    /// Returns about the `breadth` nearest nodes among those that count, nearest first; nothing where more than
    /// `most_compared` would have to be looked at.
    pub(super) fn search(
        &self,
        places: &Places<'_>,
        query: &Query,
        breadth: usize,
        most_compared: usize,
        counts: impl Fn(u32) -> bool,
    ) -> Option<Vec<u32>> {
        if self.starts.is_empty() {
            return Some(Vec::new());
        }
        let mut walk = Walk { graph: self, places, query, seen: &mut Seen::default(), most_compared };
        let mut from = walk.entry();
        for layer in (1..=layer(self.entry)).rev() {
            from = walk.layer(layer, from, 1, |_| true)?;
        }
        let found = walk.layer(0, from, breadth, counts)?;
        Some(found.into_iter().map(|(_, Reverse(node))| node).collect())
    }

    fn insert(&mut self, node: u32, places: &Places<'_>, seen: &mut Seen) {
        let top = layer(node);
        self.starts.push(self.upper.len());
        self.lowest.resize(self.lowest.len() + LOWEST_STRIDE, 0);
        self.upper.resize(self.upper.len() + usize::from(top) * UPPER_STRIDE, 0);
        if node == 0 {
            return;
        }
        let query = Query::of_code(places.code(node));
        let mut walk = Walk { graph: self, places, query: &query, seen, most_compared: usize::MAX };
        let mut from = walk.entry();
        let mut chosen = Vec::new();
        for at in (0..=layer(self.entry)).rev() {
            let breadth = if at > top { 1 } else { CHOSEN_AMONG };
            let Some(found) = walk.layer(at, from, breadth, |_| true) else { break };
            if at <= top {
                chosen.push((at, choose(places, &found, LINKS)));
            }
            from = found;
        }
        for (at, neighbours) in chosen {
            self.link(node, at, &neighbours);
            for neighbour in neighbours {
                self.link_back(neighbour, at, node, places);
            }
        }
        if top > layer(self.entry) {
            self.entry = node;
        }
    }

    /// Adds a link, and lets go of one where there would be too many.
    fn link_back(&mut self, from: u32, layer: u8, to: u32, places: &Places<'_>) {
        let most = if layer == 0 { LOWEST_LINKS } else { LINKS };
        let mut links = self.links(from, layer).to_vec();
        links.push(to);
        if links.len() > most {
            let query = Query::of_code(places.code(from));
            let mut steps: Vec<Step> = Vec::with_capacity(links.len());
            let documents = links.iter().map(|&link| (link, places.code(link)));
            query.compare(documents, |link, said| steps.push((Total(said.cosine), Reverse(link))));
            steps.sort_unstable_by(|a, b| b.cmp(a));
            links = choose(places, &steps, most);
        }
        self.link(from, layer, &links);
    }

    fn link(&mut self, node: u32, layer: u8, links: &[u32]) {
        let slots = self.slots_mut(node, layer);
        slots[0] = u32::try_from(links.len()).expect("a node has few links");
        slots[1..=links.len()].copy_from_slice(links);
    }

    fn links(&self, node: u32, layer: u8) -> &[u32] {
        let slots = self.slots_of(node, layer);
        &slots[1..=slots[0] as usize]
    }

    fn slots_of(&self, node: u32, layer: u8) -> &[u32] {
        if layer == 0 {
            return &self.lowest[node as usize * LOWEST_STRIDE..][..LOWEST_STRIDE];
        }
        let start = self.starts[node as usize] + usize::from(layer - 1) * UPPER_STRIDE;
        &self.upper[start..][..UPPER_STRIDE]
    }

    fn slots_mut(&mut self, node: u32, layer: u8) -> &mut [u32] {
        if layer == 0 {
            return &mut self.lowest[node as usize * LOWEST_STRIDE..][..LOWEST_STRIDE];
        }
        let start = self.starts[node as usize] + usize::from(layer - 1) * UPPER_STRIDE;
        &mut self.upper[start..][..UPPER_STRIDE]
    }
}

/// Returns the highest layer of a node: one in 16 is in the second, one in 256 in the third, and so on (the paper's 1 / ln M).
fn layer(node: u32) -> u8 {
    let layer = mix(u64::from(node)).leading_zeros() / LINKS.ilog2();
    u8::try_from(layer).expect("at most 64 bits are zero")
}

/// Chooses among nodes, nearest first, those that no chosen one is nearer to than the origin is; then, while there are too
/// few, the nearest of the rest (algorithm 4 of the paper, keeping pruned connections).
fn choose(places: &Places<'_>, steps: &[Step], most: usize) -> Vec<u32> {
    let mut chosen: Vec<u32> = Vec::with_capacity(most);
    let mut rest = Vec::new();
    for (nearness, Reverse(node)) in steps {
        if chosen.len() == most {
            return chosen;
        }
        let mut is_apart = true;
        let others = chosen.iter().map(|&other| (other, places.code(other)));
        Query::of_code(places.code(*node))
            .compare(others, |_, said| is_apart &= Total(said.cosine) < *nearness);
        if is_apart { &mut chosen } else { &mut rest }.push(*node);
    }
    chosen.extend(rest.into_iter().take(most - chosen.len()));
    chosen
}

/// A search as it goes on.
struct Walk<'a> {
    graph: &'a Graph,
    places: &'a Places<'a>,
    query: &'a Query,
    seen: &'a mut Seen,
    /// How many more codes may be compared.
    most_compared: usize,
}

impl Walk<'_> {
    fn entry(&self) -> Vec<Step> {
        let entry = self.graph.entry;
        let mut steps = Vec::new();
        self.query.compare(std::iter::once((entry, self.places.code(entry))), |node, said| {
            steps.push((Total(said.cosine), Reverse(node)));
        });
        steps
    }

    /// Goes through a layer (algorithm 2 of the paper), and returns the nearest nodes that count, nearest first.
    fn layer(
        &mut self,
        layer: u8,
        from: Vec<Step>,
        breadth: usize,
        counts: impl Fn(u32) -> bool,
    ) -> Option<Vec<Step>> {
        self.seen.forget(self.graph.starts.len());
        let mut found: BinaryHeap<Reverse<Step>> = BinaryHeap::new();
        for (_, Reverse(node)) in &from {
            self.seen.is_new(*node);
        }
        found.extend(from.iter().filter(|(_, Reverse(node))| counts(*node)).map(|step| Reverse(*step)));
        let mut ahead = BinaryHeap::from(from);
        let mut new = Vec::new();
        while let Some(step) = ahead.pop() {
            if found.len() >= breadth && found.peek().is_some_and(|Reverse(worst)| step < *worst) {
                break;
            }
            new.clear();
            let links = self.graph.links(step.1.0, layer);
            new.extend(links.iter().copied().filter(|&node| self.seen.is_new(node)));
            self.most_compared = self.most_compared.checked_sub(new.len())?;
            let documents = new.iter().map(|&node| (node, self.places.code(node)));
            self.query.compare(documents, |node, said| {
                let step = (Total(said.cosine), Reverse(node));
                if found.len() < breadth || found.peek().is_some_and(|Reverse(worst)| step > *worst) {
                    ahead.push(step);
                    if counts(node) {
                        found.push(Reverse(step));
                        if found.len() > breadth {
                            found.pop();
                        }
                    }
                }
            });
        }
        let mut found: Vec<Step> = found.into_iter().map(|Reverse(step)| step).collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        Some(found)
    }
}

/// Which nodes were looked at.
#[derive(Default)]
struct Seen {
    bits: Vec<u64>,
}

impl Seen {
    fn forget(&mut self, n_nodes: usize) {
        self.bits.clear();
        self.bits.resize(n_nodes.div_ceil(64), 0);
    }

    /// Says whether a node was not looked at so far; it is from now on.
    fn is_new(&mut self, node: u32) -> bool {
        let (word, bit) = (&mut self.bits[node as usize / 64], 1 << (node % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
