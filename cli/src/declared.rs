//! Which ontology is in force in a store: the core, with what the store declares itself.

use std::sync::Arc;

use bygone_engine::StoreError;
use bygone_engine::store::Store;
use bygone_ontology::{Extension, LoadError, Ontology};

use crate::table::one_line;

/// The ontologies that were in force in a store, each with the commit that it holds from.
pub(crate) struct InForce {
    core: Arc<Ontology>,
    later: Vec<(u64, Ontology)>,
}

impl InForce {
    /// Reads what a store declares.
    pub(crate) fn read(core: &Arc<Ontology>, store: &Store) -> Result<InForce, StoreError> {
        let mut later = Vec::new();
        for declared in store.declared()? {
            let extension = Extension::read(core, &declared.text)
                .map_err(|errors| StoreError::Declarations(listed(&errors)))?;
            later.push((declared.seq, extension.over(core)));
        }
        Ok(InForce { core: Arc::clone(core), later })
    }

    /// Returns the one in force now.
    pub(crate) fn latest(&self) -> &Ontology {
        self.later.last().map_or(&self.core, |(_, ontology)| ontology)
    }

    /// Returns the one that a commit declared; the core where none did.
    pub(crate) fn since(&self, seq: Option<u64>) -> &Ontology {
        let declared = self.later.iter().find(|(from, _)| Some(*from) == seq);
        declared.map_or(&self.core, |(_, ontology)| ontology)
    }
}

/// Lists what is wrong with a text, a problem a line.
pub(crate) fn listed(errors: &[LoadError]) -> String {
    errors.iter().map(|error| one_line(&error.to_string())).collect::<Vec<_>>().join("\n")
}
