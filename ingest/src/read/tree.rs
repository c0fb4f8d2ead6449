//! The tree that a conversation's nodes spell: which of them are the conversation, and how deep each one stands.
//!
//! Nodes name their parents and their children; either may be missing, and damaged files may have loops.

use std::collections::{BTreeMap, BTreeSet};

/// A node as it stands in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Its name.
    pub(super) id: String,
    /// The node above, where it names one.
    pub(super) parent: Option<String>,
    /// The nodes below.
    pub(super) children: Vec<String>,
}

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Which of the nodes.
    pub(super) node: usize,
    /// Which one is above.
    pub(super) parent: Option<usize>,
    /// How deep it stands, from 1.
    pub(super) depth: u64,
    /// Whether it is on the path to the current node.
    pub(super) is_current: bool,
}

/// Orders the nodes: those of the conversation from the root on, and then the others by their depth. Returns them, and
/// what is wrong with the tree.
pub(super) fn order(nodes: &[Node], current: Option<&str>) -> (Vec<Place>, Vec<String>) {
    let mut problems = Vec::new();
    let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, node) in nodes.iter().enumerate() {
        // Of two under one name the first is the node.
        by_id.entry(&node.id).or_insert(index);
    }
    let parents = parents(nodes, &by_id);
    let current = current.and_then(|id| by_id.get(id).copied()).or_else(|| {
        problems.push(
            "the conversation does not say which node is current; it is read to its last one".to_owned(),
        );
        last_leaf(nodes, &parents)
    });
    let mut path: Vec<usize> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut next = current;
    while let Some(node) = next {
        if !seen.insert(node) {
            problems.push(format!("the nodes above {:?} are a loop; they are read once", nodes[node].id));
            break;
        }
        path.push(node);
        next = parents[node];
    }
    path.reverse();
    let depths = depths(&parents);
    let place =
        |node: usize, is_current| Place { node, parent: parents[node], depth: depths[node], is_current };
    let mut places: Vec<Place> = path.iter().map(|node| place(*node, true)).collect();
    let mut others: Vec<Place> =
        (0..nodes.len()).filter(|node| !seen.contains(node)).map(|node| place(node, false)).collect();
    others.sort_by_key(|place| (place.depth, place.node));
    places.append(&mut others);
    (places, problems)
}

/// Returns which node is above each: the one it names, else the one that names it.
fn parents(nodes: &[Node], by_id: &BTreeMap<&str, usize>) -> Vec<Option<usize>> {
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, node) in nodes.iter().enumerate() {
        for child in &node.children {
            named.entry(child).or_insert(index);
        }
    }
    let above = |node: &Node| {
        let own = node.parent.as_deref().and_then(|parent| by_id.get(parent));
        own.or_else(|| named.get(node.id.as_str())).copied()
    };
    nodes.iter().map(above).collect()
}

/// Returns the last node in the order of the file that has none below.
fn last_leaf(nodes: &[Node], parents: &[Option<usize>]) -> Option<usize> {
    let above: BTreeSet<usize> = parents.iter().flatten().copied().collect();
    (0..nodes.len()).rev().find(|node| !above.contains(node)).or_else(|| nodes.len().checked_sub(1))
}

/// Counts how deep each node stands; where a loop is met, it counts as the root.
fn depths(parents: &[Option<usize>]) -> Vec<u64> {
    let mut depths: Vec<Option<u64>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut chain = Vec::new();
        let mut on_chain = BTreeSet::new();
        let mut next = Some(start);
        let mut depth = 0;
        while let Some(node) = next {
            if let Some(known) = depths[node] {
                depth = known;
                break;
            }
            if !on_chain.insert(node) {
                break;
            }
            chain.push(node);
            next = parents[node];
        }
        for node in chain.into_iter().rev() {
            depth += 1;
            depths[node] = Some(depth);
        }
    }
    depths.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn node(id: &str, parent: Option<&str>, children: &[&str]) -> Node {
        Node {
            id: id.to_owned(),
            parent: parent.map(str::to_owned),
            children: children.iter().map(|child| (*child).to_owned()).collect(),
        }
    }

    /// Shows the nodes in order as `id depth`, those beside the path in brackets.
    #[track_caller]
    fn check(nodes: &[Node], current: Option<&str>, expected: &[&str], n_problems: usize) {
        let (places, problems) = order(nodes, current);
        let show = |place: &Place| {
            let shown = format!("{} {}", nodes[place.node].id, place.depth);
            if place.is_current { shown } else { format!("[{shown}]") }
        };
        assert_eq!(places.iter().map(show).collect::<Vec<_>>(), expected);
        assert_eq!(problems.len(), n_problems, "{problems:?}");
    }

    #[test]
    fn the_path_comes_first_and_the_branches_after_it() {
        let nodes = [
            node("late", Some("q"), &[]),
            node("q", Some("root"), &["old", "late"]),
            node("root", None, &["q"]),
            node("deep", Some("old"), &[]),
            node("old", Some("q"), &["deep"]),
        ];
        check(&nodes, Some("late"), &["root 1", "q 2", "late 3", "[old 3]", "[deep 4]"], 0);
        check(&nodes, Some("deep"), &["root 1", "q 2", "old 3", "deep 4", "[late 3]"], 0);
        check(&nodes, None, &["root 1", "q 2", "old 3", "deep 4", "[late 3]"], 1);
        check(&nodes, Some("gone"), &["root 1", "q 2", "old 3", "deep 4", "[late 3]"], 1);
    }

    #[test]
    fn missing_links_are_taken_from_the_other_side() {
        let nodes = [node("a", None, &["b"]), node("b", None, &[]), node("c", Some("b"), &[])];
        check(&nodes, Some("c"), &["a 1", "b 2", "c 3"], 0);
        let nodes = [node("a", Some("gone"), &[]), node("b", Some("a"), &[])];
        check(&nodes, Some("b"), &["a 1", "b 2"], 0);
    }

    #[test]
    fn loops_end() {
        let nodes =
            [node("a", Some("b"), &["b"]), node("b", Some("a"), &["a"]), node("c", Some("c"), &["c"])];
        let (places, problems) = order(&nodes, Some("b"));
        assert_eq!((places.len(), problems.len()), (3, 1));
        check(&[], None, &[], 1);
    }

    proptest! {
        #[test]
        fn every_node_is_there_once_below_its_parent(
            parents in prop::collection::vec(prop::option::of(0_usize..8), 0..8),
            current in prop::option::of(0_usize..9),
        ) {
            let nodes: Vec<Node> = parents.iter().enumerate().map(|(index, parent)| {
                node(&index.to_string(), parent.map(|parent| parent.to_string()).as_deref(), &[])
            }).collect();
            let current = current.map(|current| current.to_string());
            let (places, _) = order(&nodes, current.as_deref());
            let found: BTreeSet<usize> = places.iter().map(|place| place.node).collect();
            prop_assert_eq!((places.len(), found.len()), (nodes.len(), nodes.len()));
        }
    }
}
