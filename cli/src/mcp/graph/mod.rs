//! The nine tools of the reference memory server, on the graph of facts.
//!
//! ```text
//! entity       (name, entityType)            type:Name instance_of type:entityType
//! observation  (entityName, content)         type:Name noted "content"
//! relation     (from, relationType, to)      type:From related_to [relationType] type:To
//! ```
//!
//! After the public source of the server: names tell entities apart, whatever their types; what is there already is left
//! out of what is created, and is not told back; deleting what is not there is no fault. What is deleted is taken back, not
//! erased: it stays in what was believed before; all of a call is taken back, or nothing. Facts that came in another way are seen where they have this form, and
//! relations whatever their predicate.

mod names;
mod state;
mod statements;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::arguments::{Given, text_of};
use super::call::Call;
use super::{Gave, Told, Tool, text};
use crate::verb::Scope;
use names::{kept_texts, name_of, names_of};
use state::{Edge, Graph, Node, RELATION, edge, entity, observed};
use statements::{Statements, reference};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "create_entities",
        about: "Create multiple new entities in the knowledge graph. Entities that are there already are left as they are.",
        takes: || {
            (
                json!({ "entities": list(object(
            json!({
                "name": text("The name of the entity."),
                "entityType": text("The type of the entity."),
                "observations": list(text("Something that is known of it.")),
            }),
            &["name", "entityType", "observations"],
        )) }),
                &["entities"],
            )
        },
        scope: Scope::Write,
        run: create_entities,
    },
    Tool {
        name: "create_relations",
        about: "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice.",
        takes: || (json!({ "relations": list(relation()) }), &["relations"]),
        scope: Scope::Write,
        run: create_relations,
    },
    Tool {
        name: "add_observations",
        about: "Add new observations to existing entities in the knowledge graph.",
        takes: || {
            (
                json!({ "observations": list(object(
            json!({
                "entityName": text("The entity to add the observations to."),
                "contents": list(text("Something that is known of it.")),
            }),
            &["entityName", "contents"],
        )) }),
                &["observations"],
            )
        },
        scope: Scope::Write,
        run: add_observations,
    },
    Tool {
        name: "delete_entities",
        about: "Delete multiple entities and their relations from the knowledge graph. What was known of them stays in its history.",
        takes: || (json!({ "entityNames": list(text("The name of an entity.")) }), &["entityNames"]),
        scope: Scope::Write,
        run: delete_entities,
    },
    Tool {
        name: "delete_observations",
        about: "Delete specific observations from entities in the knowledge graph. They stay in its history.",
        takes: || {
            (
                json!({ "deletions": list(object(
            json!({
                "entityName": text("The entity that has the observations."),
                "observations": list(text("An observation.")),
            }),
            &["entityName", "observations"],
        )) }),
                &["deletions"],
            )
        },
        scope: Scope::Write,
        run: delete_observations,
    },
    Tool {
        name: "delete_relations",
        about: "Delete multiple relations from the knowledge graph. They stay in its history.",
        takes: || (json!({ "relations": list(relation()) }), &["relations"]),
        scope: Scope::Write,
        run: delete_relations,
    },
    Tool {
        name: "read_graph",
        about: "Read the entire knowledge graph.",
        takes: || (json!({}), &[]),
        scope: Scope::Read,
        run: read_graph,
    },
    Tool {
        name: "search_nodes",
        about: "Search for nodes in the knowledge graph by a part of their names, types or observations.",
        takes: || {
            (json!({ "query": text("What is looked for in names, types and observations.") }), &["query"])
        },
        scope: Scope::Read,
        run: search_nodes,
    },
    Tool {
        name: "open_nodes",
        about: "Open specific nodes in the knowledge graph by their names.",
        takes: || (json!({ "names": list(text("The name of an entity.")) }), &["names"]),
        scope: Scope::Read,
        run: open_nodes,
    },
];

fn list(items: impl Into<Value>) -> Value {
    let items = items.into();
    json!({ "type": "array", "items": items })
}

fn object(properties: impl Into<Value>, required: &[&str]) -> Value {
    let properties = properties.into();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn relation() -> Value {
    object(
        json!({
            "from": text("The entity where the relation starts."),
            "to": text("The entity where the relation ends."),
            "relationType": text("The type of the relation."),
        }),
        &["from", "to", "relationType"],
    )
}

fn create_entities(given: &mut Given, call: &Call) -> Told {
    let items = given.list("entities")?;
    given.end()?;
    let graph = Graph::of_entities(call)?;
    let (mut statements, mut created, mut seen) = (Statements::default(), Vec::new(), BTreeSet::new());
    for item in &items {
        let (name, class) = (name_of(item, "name")?, text_of(item, "entityType")?);
        let observations = match item.get("observations") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => kept_texts(items, "observations")?,
            Some(_) => return Err("observations: expected a list".to_owned()),
        };
        if graph.nodes.contains_key(&name) || !seen.insert(name.clone()) {
            continue;
        }
        let of = reference(&name, &class)?;
        statements.class(&of, if class.trim().is_empty() { "thing" } else { &class }, false);
        for text in &observations {
            statements.observation(&of, text, false);
        }
        created.push(entity(&name, &class, &observations));
    }
    statements.record(call)?;
    told(json!({ "entities": created }), "entities")
}

/// Returns an answer whose text is one part of it, as the server has it.
fn told(structured: Value, part: &str) -> Told {
    let text = serde_json::to_string_pretty(&structured[part]).map_err(|error| error.to_string())?;
    Ok(Gave { structured, text: Some(text) })
}

fn done(what: &str) -> Gave {
    let message = format!("{what} deleted successfully");
    Gave { structured: json!({ "success": true, "message": message }), text: Some(message) }
}

/// Makes sure that what was deleted is gone.
fn are_gone(
    call: &Call,
    names: &BTreeSet<String>,
    left: impl Fn(&Graph) -> Vec<String>,
) -> Result<(), String> {
    let mut graph = Graph::of_entities(call)?;
    graph.read(call, names)?;
    let left = left(&graph);
    if left.is_empty() {
        return Ok(());
    }
    Err(format!("is there still, since it was recorded again meanwhile, or as of later: {}", left.join("; ")))
}

/// Reads an edge as a client names it.
fn edge_of(item: &Value) -> Result<(String, String, String), String> {
    let kind = text_of(item, "relationType")?;
    if kind.trim().is_empty() {
        return Err("relationType: expected a text that is not empty".to_owned());
    }
    Ok((name_of(item, "from")?, name_of(item, "to")?, kind))
}

fn create_relations(given: &mut Given, call: &Call) -> Told {
    let items = given.list("relations")?;
    given.end()?;
    let asked = items.iter().map(edge_of).collect::<Result<Vec<_>, _>>()?;
    let mut graph = Graph::of_entities(call)?;
    graph.read(call, &asked.iter().map(|(from, ..)| from.clone()).collect::<BTreeSet<_>>())?;
    let (mut statements, mut created, mut seen) = (Statements::default(), Vec::new(), BTreeSet::new());
    for one in asked {
        if graph.edges_of(&one).next().is_some() || !seen.insert(one.clone()) {
            continue;
        }
        let (from, to, kind) = one;
        let new = Edge { from, to, key: kind.clone(), kind, predicate: RELATION.to_owned() };
        statements.edge(&graph.node(&new.from)?.of, &graph.node(&new.to)?.of, &new, false);
        created.push(edge(&new));
    }
    statements.record(call)?;
    told(json!({ "relations": created }), "relations")
}

fn add_observations(given: &mut Given, call: &Call) -> Told {
    let items = given.list("observations")?;
    given.end()?;
    let names = items.iter().map(|item| name_of(item, "entityName")).collect::<Result<BTreeSet<_>, _>>()?;
    let mut graph = Graph::of_entities(call)?;
    graph.read(call, &names)?;
    let (mut statements, mut results) = (Statements::default(), Vec::new());
    for item in &items {
        let name = name_of(item, "entityName")?;
        let contents = item.get("contents").and_then(Value::as_array).ok_or("contents: expected a list")?;
        graph.node(&name)?;
        let node = graph.nodes.entry(name.clone()).or_default();
        let mut added = Vec::new();
        for text in kept_texts(contents, "contents")? {
            if !node.observations.contains(&text) {
                statements.observation(&node.of, &text, false);
                node.observations.push(text.clone());
                added.push(text);
            }
        }
        results.push(json!({ "entityName": name, "addedObservations": added }));
    }
    statements.record(call)?;
    told(json!({ "results": results }), "results")
}

fn delete_entities(given: &mut Given, call: &Call) -> Told {
    let names = names_of(&given.list("entityNames")?, "entityNames")?;
    given.end()?;
    let mut graph = Graph::of_entities(call)?;
    graph.read(call, &names)?;
    graph.read_edges_to(call, &names)?;
    let touching: Vec<&Edge> =
        graph.edges.iter().filter(|edge| names.contains(&edge.from) || names.contains(&edge.to)).collect();
    let (mut statements, mut gone) = (Statements::default(), Vec::new());
    for (name, node) in names.iter().filter_map(|name| Some((name, graph.nodes.get(name)?))) {
        gone.push(name.clone());
        gone.extend(node.observations.iter().map(|text| observed(name, text)));
        statements.class(&node.of, &node.class, true);
        for text in &node.observations {
            statements.observation(&node.of, text, true);
        }
    }
    gone.extend(touching.iter().map(|edge| edge.told()));
    graph.can_go(gone)?;
    for edge in touching {
        statements.edge(&graph.node(&edge.from)?.of, &graph.node(&edge.to)?.of, edge, true);
    }
    statements.record(call)?;
    are_gone(call, &names, |graph| {
        names.iter().filter(|name| graph.nodes.contains_key(*name)).cloned().collect()
    })?;
    Ok(done("Entities"))
}

fn delete_observations(given: &mut Given, call: &Call) -> Told {
    let items = given.list("deletions")?;
    given.end()?;
    let names = items.iter().map(|item| name_of(item, "entityName")).collect::<Result<BTreeSet<_>, _>>()?;
    let mut graph = Graph::of_entities(call)?;
    graph.read(call, &names)?;
    let (mut statements, mut deleted) = (Statements::default(), Vec::new());
    for item in &items {
        let name = name_of(item, "entityName")?;
        let gone =
            item.get("observations").and_then(Value::as_array).ok_or("observations: expected a list")?;
        let Some(node) = graph.nodes.get(&name) else { continue };
        for text in kept_texts(gone, "observations")? {
            if node.observations.contains(&text) {
                statements.observation(&node.of, &text, true);
                deleted.push((name.clone(), text));
            }
        }
    }
    graph.can_go(deleted.iter().map(|(name, text)| observed(name, text)))?;
    statements.record(call)?;
    are_gone(call, &names, |graph| {
        let stays = |(name, text): &&(String, String)| {
            graph.nodes.get(name).is_some_and(|node| node.observations.contains(text))
        };
        deleted.iter().filter(stays).map(|(name, text)| format!("{name}: {text}")).collect()
    })?;
    Ok(done("Observations"))
}

fn delete_relations(given: &mut Given, call: &Call) -> Told {
    let items = given.list("relations")?;
    given.end()?;
    let asked = items.iter().map(edge_of).collect::<Result<Vec<_>, _>>()?;
    let mut graph = Graph::of_entities(call)?;
    let names: BTreeSet<String> = asked.iter().map(|(from, ..)| from.clone()).collect();
    graph.read(call, &names)?;
    let mut statements = Statements::default();
    for one in &asked {
        for edge in graph.edges_of(one) {
            graph.can_go([edge.told()])?;
            statements.edge(&graph.node(&edge.from)?.of, &graph.node(&edge.to)?.of, edge, true);
        }
    }
    statements.record(call)?;
    are_gone(call, &names, |graph| {
        let stays = |one: &&(String, String, String)| graph.edges_of(one).next().is_some();
        asked.iter().filter(stays).map(|(from, to, kind)| format!("{from} {kind} {to}")).collect()
    })?;
    Ok(done("Relations"))
}

fn read_graph(given: &mut Given, call: &Call) -> Told {
    given.end()?;
    let mut graph = Graph::of_entities(call)?;
    let names: BTreeSet<String> = graph.nodes.keys().cloned().collect();
    // Edges are between entities of the graph, so that those from them are all.
    graph.read(call, &names)?;
    whole(graph.told(&names))
}

fn whole(graph: Value) -> Told {
    let text = serde_json::to_string_pretty(&graph).map_err(|error| error.to_string())?;
    Ok(Gave { structured: graph, text: Some(text) })
}

fn search_nodes(given: &mut Given, call: &Call) -> Told {
    let query = given.needed("query")?.to_lowercase();
    given.end()?;
    let graph = Graph::of_observed(call)?;
    let has = |text: &str| text.to_lowercase().contains(&query);
    let is_found = |(name, node): &(&String, &Node)| {
        has(name) || has(&node.class) || node.observations.iter().any(|text| has(text))
    };
    let names = graph.nodes.iter().filter(is_found).map(|(name, _)| name.clone()).collect();
    with_edges(call, graph, &names)
}

fn open_nodes(given: &mut Given, call: &Call) -> Told {
    let names = names_of(&given.list("names")?, "names")?;
    given.end()?;
    with_edges(call, Graph::of_entities(call)?, &names)
}

/// Returns some entities, with what was observed of them and all edges that touch them.
fn with_edges(call: &Call, mut graph: Graph, names: &BTreeSet<String>) -> Told {
    graph.read(call, names)?;
    graph.read_edges_to(call, names)?;
    whole(graph.told(names))
}
