//! How an ontology is read from TOML: all of its problems are found, each with its line and column.
//!
//! ```text
//! text ── read ──▶ drafts, every part with its place ── check ──▶ types and definitions
//!           │                                             │
//!           └────── unknown keys, wrong types ────────────┴─ names, inverses, cycles ──▶ [LoadError]
//! ```

mod check;
mod problem;
mod read;

pub use problem::{LoadError, Problem};

use std::collections::BTreeSet;

use crate::definition::Definition;
use crate::ontology::{Ontology, Type};
use problem::Problems;
use read::{PredicateDraft, TypeDraft};

/// What a text adds to an ontology.
pub(crate) struct Added {
    pub(crate) types: Vec<Type>,
    pub(crate) predicates: Vec<Definition>,
}

/// The names that a text declares.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) types: BTreeSet<String>,
    pub(crate) predicates: BTreeSet<String>,
}

/// Returns what a text declares, whatever it refers to.
pub(crate) fn names(name: &str, text: &str) -> Result<Names, Vec<LoadError>> {
    let mut problems = Problems::new(text);
    let document = read::read(text, &mut problems);
    problems.finish(name)?;
    let ids = document.predicates.iter().filter_map(|draft| Some(draft.id.as_ref()?.get_ref().clone()));
    Ok(Names {
        types: document.types.iter().map(|draft| draft.name.get_ref().clone()).collect(),
        predicates: ids.collect(),
    })
}

/// Reads what a text adds to `base`, which it may refer to and must not declare again.
pub(crate) fn load(base: &Ontology, name: &str, text: &str) -> Result<Added, Vec<LoadError>> {
    let mut problems = Problems::new(text);
    let document = read::read(text, &mut problems);
    finish(document, base, name, problems)
}

/// Reads what a text adds to `base`, and passes over what is declared there already.
pub(crate) fn load_new(base: &Ontology, name: &str, text: &str) -> Result<Added, Vec<LoadError>> {
    let mut problems = Problems::new(text);
    let mut document = read::read(text, &mut problems);
    document.types.retain(|draft| base.type_named(draft.name.get_ref()).is_none());
    let is_new =
        |draft: &PredicateDraft| draft.id.as_ref().is_none_or(|id| base.definition(id.get_ref()).is_none());
    document.predicates.retain(is_new);
    finish(document, base, name, problems)
}

fn finish(
    document: read::Document,
    base: &Ontology,
    name: &str,
    mut problems: Problems<'_>,
) -> Result<Added, Vec<LoadError>> {
    check::check(&document, base, &mut problems);
    problems.finish(name)?;
    Ok(Added {
        types: document.types.into_iter().map(TypeDraft::into_type).collect(),
        predicates: document.predicates.into_iter().filter_map(PredicateDraft::into_definition).collect(),
    })
}

#[cfg(test)]
mod tests;
