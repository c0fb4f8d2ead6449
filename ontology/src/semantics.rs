//! The ontology as the store asks for it.

use bygone_engine::{Assertion, Fact, Semantics};

use crate::derive::{DERIVATION, derive};
use crate::ontology::Ontology;

impl Semantics for Ontology {
    fn derive(&self, predicate: &str, statements: &[&Assertion]) -> Vec<Fact> {
        derive(&self.get_or_open(predicate), statements)
    }

    /// Changes with the declarations and with the rules.
    fn fingerprint(&self) -> u64 {
        Ontology::fingerprint(self) ^ DERIVATION.rotate_left(32)
    }
}
