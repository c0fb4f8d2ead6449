//! The ontology as the store asks for it.

use std::sync::Arc;

use bygone_engine::mark::Stretch;
use bygone_engine::semantics::{Proceed, ReadStatements};
use bygone_engine::time::Period;
use bygone_engine::{Added, Appended, Assertion, Fact, Form, Semantics, StoreError, Told};

use crate::definition::{Cardinality, TemporalKind};
use crate::derive::{DERIVATION, added, append, derive, facts_over, forms, renew};
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

    fn holds_one(&self, predicate: &str) -> bool {
        let definition = self.get_or_open(predicate);
        definition.kind == TemporalKind::State && definition.cardinality == Cardinality::One
    }

    fn facts_over(
        &self,
        predicate: &str,
        asked: Period,
        stretch: &Stretch<'_>,
        read: &mut ReadStatements<'_>,
    ) -> Result<Option<Vec<Fact>>, StoreError> {
        facts_over(&self.get_or_open(predicate), asked, stretch, read)
    }

    fn added(
        &self,
        predicate: &str,
        stretch: &Stretch<'_>,
        is_new: &[bool],
        read: &mut ReadStatements<'_>,
    ) -> Result<Option<Added>, StoreError> {
        added(&self.get_or_open(predicate), stretch, is_new, read)
    }

    fn forms(
        &self,
        predicate: &str,
        batches: &[Vec<&Assertion>],
        told: Told,
        proceed: &mut Proceed<'_>,
    ) -> Result<Vec<Form>, StoreError> {
        forms(&self.get_or_open(predicate), batches, told, proceed)
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
