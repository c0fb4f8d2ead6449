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

use crate::definition::Definition;
use crate::ontology::{Ontology, Type};
use problem::Problems;
use read::{PredicateDraft, TypeDraft};

/// What a text adds to an ontology.
pub(crate) struct Added {
    pub(crate) types: Vec<Type>,
    pub(crate) predicates: Vec<Definition>,
}

/// Reads what a text adds to `base`, which it may refer to.
pub(crate) fn load(base: &Ontology, name: &str, text: &str) -> Result<Added, Vec<LoadError>> {
    let mut problems = Problems::new(text);
    let document = read::read(text, &mut problems);
    check::check(&document, base, &mut problems);
    problems.finish(name)?;
    Ok(Added {
        types: document.types.into_iter().map(TypeDraft::into_type).collect(),
        predicates: document.predicates.into_iter().filter_map(PredicateDraft::into_definition).collect(),
    })
}

#[cfg(test)]
mod tests;
