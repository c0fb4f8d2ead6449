//! What else is to be said of a query: which predicates and types in it nothing here has.

use std::collections::BTreeSet;

use bygone_engine::StoreError;
use bygone_engine::store::Seen;
use bygone_ontology::Ontology;

use super::ast::Query;
use super::failed::Failed;
use super::vocabulary::is_turn;
use crate::predicates::{UnknownPredicate, nearest, unknown_predicate};

/// Returns what is to be said of predicates and types that nothing here has.
pub(super) fn remarks(seen: &Seen<'_>, ontology: &Ontology, query: &Query) -> Result<Vec<String>, Failed> {
    let mut remarks = Vec::new();
    let mut told = BTreeSet::new();
    let links = query.patterns.iter().flat_map(|pattern| &pattern.links);
    for predicate in links.flat_map(|link| &link.relationship.predicates) {
        if told.insert(&predicate.text)
            && let Some(unknown) = unknown_predicate(seen.snapshot(), ontology, &predicate.text)?
        {
            // Other dialects write predicates in capitals.
            let small = predicate.text.to_lowercase();
            let is_small =
                small != predicate.text && unknown_predicate(seen.snapshot(), ontology, &small)?.is_none();
            let nearest = if is_small { Some(small) } else { unknown.nearest };
            remarks.push(UnknownPredicate { nearest, ..unknown }.to_string());
        }
    }
    let nodes = query.patterns.iter().flat_map(|p| p.links.iter().map(|link| &link.node).chain([&p.start]));
    let mut told = BTreeSet::new();
    for kind in nodes.filter(|node| !is_turn(&node.types)).flat_map(|node| &node.types) {
        let name = kind.text.to_lowercase();
        if told.insert(name.clone()) {
            remarks.extend(unknown_type(seen, ontology, &name)?);
        }
    }
    Ok(remarks)
}

/// The kinds of value, and what fits any.
const BUILT_IN: [&str; 7] = ["any", "text", "number", "bool", "time", "period", "json"];

/// Returns what is to be said of a type that is neither declared nor that of an entity which the view knows.
fn unknown_type(seen: &Seen<'_>, ontology: &Ontology, name: &str) -> Result<Option<String>, StoreError> {
    if ontology.type_named(name).is_some() || BUILT_IN.contains(&name) {
        return Ok(None);
    }
    let mut known: BTreeSet<String> = ontology.types().map(|declared| declared.name.clone()).collect();
    known.extend(BUILT_IN.map(str::to_owned));
    for entity in seen.snapshot().walk_entities("") {
        let entity = entity?;
        // One entity of a type that was met is enough.
        if known.contains(entity.kind()) || !seen.mentions(&entity)? {
            continue;
        }
        if entity.kind() == name {
            return Ok(None);
        }
        known.insert(entity.kind().to_owned());
    }
    let told = format!("the type {name:?} is neither declared nor used here");
    Ok(Some(match nearest(name, &known) {
        Some(nearest) => format!("{told}; did you mean {nearest}?"),
        None => told,
    }))
}
