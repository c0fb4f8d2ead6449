//! The graph as it is now, as far as a tool needs it, and what an agent cannot take back of it.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::Authority;
use serde_json::{Value, json};

use crate::mcp::call::Call;

/// Predicates of the form above.
pub(super) const CLASS: &str = "instance_of";
pub(super) const OBSERVATION: &str = "noted";
pub(super) const RELATION: &str = "related_to";

/// An entity of the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    /// What it is in the store.
    pub(super) of: String,
    pub(super) class: String,
    pub(super) observations: Vec<String>,
}

/// An edge of the graph, and the fact that it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) kind: String,
    pub(super) predicate: String,
    pub(super) key: String,
}

impl Edge {
    pub(super) fn told(&self) -> String {
        format!("{} {} {}", self.from, self.kind, self.to)
    }
}

/// The graph as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) nodes: BTreeMap<String, Node>,
    pub(super) edges: BTreeSet<Edge>,
    /// What an agent cannot take back, as it is told of.
    pub(super) held: BTreeSet<String>,
}

impl Graph {
    /// Reads which entities there are, and nothing else of them.
    pub(super) fn of_entities(call: &Call) -> Result<Graph, String> {
        let mut graph = Graph::default();
        for row in facts(call, json!({ "predicate": CLASS }))? {
            if let (Some(of), Some(class)) = (row["subject"].as_str(), row["object"]["entity"].as_str()) {
                let node = graph.nodes.entry(name(of).to_owned()).or_default();
                of.clone_into(&mut node.of);
                name(class).clone_into(&mut node.class);
                graph.hold(&row, name(of).to_owned());
            }
        }
        Ok(graph)
    }

    /// Reads which entities there are, and what was observed of them.
    pub(super) fn of_observed(call: &Call) -> Result<Graph, String> {
        let mut graph = Graph::of_entities(call)?;
        for row in facts(call, json!({ "predicate": OBSERVATION }))? {
            graph.observe(&row);
        }
        Ok(graph)
    }

    /// Reads what there is of some entities: what was observed, and the edges from them.
    pub(super) fn read<'a>(
        &mut self,
        call: &Call,
        names: impl IntoIterator<Item = &'a String>,
    ) -> Result<(), String> {
        for name in names {
            let Some(node) = self.nodes.get_mut(name) else { continue };
            node.observations.clear();
            for row in facts(call, json!({ "subject": node.of }))? {
                self.observe(&row);
                self.connect(&row);
            }
        }
        Ok(())
    }

    /// Reads the edges to some entities.
    pub(super) fn read_edges_to<'a>(
        &mut self,
        call: &Call,
        names: impl IntoIterator<Item = &'a String>,
    ) -> Result<(), String> {
        for name in names {
            let Some(node) = self.nodes.get(name) else { continue };
            for row in facts(call, json!({ "object": node.of }))? {
                self.connect(&row);
            }
        }
        Ok(())
    }

    /// Remembers what is known by a word that weighs more than an agent's.
    fn hold(&mut self, row: &Value, told: String) {
        let authority = serde_json::from_value(row["authority"].clone()).unwrap_or(Authority::User);
        if authority.rank() > Authority::Agent.rank() {
            self.held.insert(told);
        }
    }

    /// Makes sure that an agent can take all of it back.
    pub(super) fn can_go(&self, told: impl IntoIterator<Item = String>) -> Result<(), String> {
        let held: Vec<String> = told.into_iter().filter(|told| self.held.contains(told)).collect();
        if held.is_empty() {
            return Ok(());
        }
        Err(format!(
            "an agent cannot take back what the user said, or what was recorded with more authority: {}; nothing was deleted",
            held.join("; ")
        ))
    }

    fn observe(&mut self, row: &Value) {
        if let (Some(of), OBSERVATION, Some(text)) =
            (row["subject"].as_str(), predicate(row), row["object"]["text"].as_str())
            && let Some(node) = self.nodes.get_mut(name(of))
        {
            node.observations.push(text.to_owned());
            self.hold(row, observed(name(of), text));
        }
    }

    fn connect(&mut self, row: &Value) {
        let (Some(from), Some(to)) = (row["subject"].as_str(), row["object"]["entity"].as_str()) else {
            return;
        };
        let (from, to) = (name(from), name(to));
        let predicate = predicate(row);
        if predicate == CLASS || !self.nodes.contains_key(from) || !self.nodes.contains_key(to) {
            return;
        }
        let key = row["key"].as_str().unwrap_or_default();
        let kind = if predicate == RELATION && !key.is_empty() { key } else { predicate };
        let edge = Edge {
            from: from.to_owned(),
            to: to.to_owned(),
            kind: kind.to_owned(),
            predicate: predicate.to_owned(),
            key: key.to_owned(),
        };
        self.hold(row, edge.told());
        self.edges.insert(edge);
    }

    /// Returns what the server's clients are told of some nodes, and of the edges that touch one of them.
    pub(super) fn told(&self, names: &BTreeSet<String>) -> Value {
        let told = || names.iter().filter_map(|name| Some((name, self.nodes.get(name)?)));
        let entities: Vec<Value> =
            told().map(|(name, node)| entity(name, &node.class, &node.observations)).collect();
        let touches = |edge: &&Edge| names.contains(&edge.from) || names.contains(&edge.to);
        let relations: Vec<Value> = self.edges.iter().filter(touches).map(edge).collect();
        json!({ "entities": entities, "relations": relations })
    }

    /// Returns the edges of a type between two entities.
    pub(super) fn edges_of<'a>(
        &'a self,
        (from, to, kind): &'a (String, String, String),
    ) -> impl Iterator<Item = &'a Edge> {
        self.edges.iter().filter(move |edge| edge.from == *from && edge.to == *to && edge.kind == *kind)
    }

    pub(super) fn node(&self, name: &str) -> Result<&Node, String> {
        self.nodes.get(name).ok_or_else(|| format!("Entity with name {name} not found"))
    }
}

/// Returns facts as they are now.
fn facts(call: &Call, arguments: Value) -> Result<Vec<Value>, String> {
    call.rows("facts", arguments, None).map(|rows| rows.values)
}

fn predicate(row: &Value) -> &str {
    row["predicate"].as_str().unwrap_or_default()
}

pub(super) fn entity(name: &str, class: &str, observations: &[String]) -> Value {
    json!({ "name": name, "entityType": class, "observations": observations })
}

pub(super) fn edge(edge: &Edge) -> Value {
    json!({ "from": edge.from, "to": edge.to, "relationType": edge.kind })
}

pub(super) fn observed(name: &str, text: &str) -> String {
    format!("{name}: {text}")
}

/// Returns the name of a reference `type:Name`.
fn name(reference: &str) -> &str {
    reference.split_once(':').map_or(reference, |(_, name)| name)
}
