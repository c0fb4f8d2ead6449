//! The ontology as the store asks for it.

use std::sync::Arc;

use bygone_engine::{Appended, Assertion, Fact, Semantics};

use crate::derive::{DERIVATION, append, derive, renew};
use crate::extension::Extension;
use crate::ontology::Ontology;

impl Semantics for Ontology {
    fn derive(&self, predicate: &str, statements: &[&Assertion]) -> Vec<Fact> {
        derive(&self.get_or_open(predicate), statements)
    }

    fn append(&self, predicate: &str, last: Option<&Fact>, statement: &Assertion) -> Option<Appended> {
        append(&self.get_or_open(predicate), last, statement)
    }

    fn renew(&self, predicate: &str, last: &Fact, statement: &Assertion) -> Option<Appended> {
        renew(&self.get_or_open(predicate), last, statement)
    }

    /// Changes with the declarations and with the rules.
    fn fingerprint(&self) -> u64 {
        Ontology::fingerprint(self) ^ DERIVATION.rotate_left(32)
    }

    fn extended(&self, declarations: &str) -> Result<Arc<dyn Semantics>, String> {
        let extension = Extension::read(self, declarations)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        Ok(Arc::new(extension.over(self)))
    }
}
