//! What the store must be told about predicates. The meaning of statements lives above the engine, in the ontology.

use std::sync::Arc;

use crate::assertion::Assertion;
use crate::fact::Fact;

/// What a statement that comes after all others changes in the facts of its group.
#[derive(Clone, Debug, PartialEq)]
pub struct Appended {
    /// The fact that started last, where it ends now.
    pub closed: Option<Fact>,
    /// The fact that the statement makes.
    pub added: Fact,
}

/// Derives what the statements of one group amount to.
///
/// Implementations must be pure: the same statements, in any order, give the same facts in the same order.
pub trait Semantics: Send + Sync {
    /// Returns the facts of one group, sorted by start and then object.
    ///
    /// The statements all have one subject, predicate and key, and are visible in the view that asks; objects that are
    /// the same entity in that view are already equal.
    fn derive(&self, predicate: &str, statements: &[&Assertion]) -> Vec<Fact>;

    /// Returns what changes where a statement comes after everything that was said of its group: an affirm known later, of no
    /// lower authority, and so from a time on that no bound of the others reaches. `last` is the fact that starts last, if
    /// there is one. `None` where only deriving the whole group tells.
    ///
    /// What is returned must be what deriving the whole group changes.
    fn append(&self, predicate: &str, last: Option<&Fact>, statement: &Assertion) -> Option<Appended> {
        let _ = (predicate, last, statement);
        None
    }

    /// Returns what changes where a statement renews what all of its group state: one object over periods that end. It is known
    /// later, starts within the last fact, and ends after everything. `None` where only deriving the whole group tells.
    ///
    /// What is returned must be what deriving the whole group changes.
    fn renew(&self, predicate: &str, last: &Fact, statement: &Assertion) -> Option<Appended> {
        let _ = (predicate, last, statement);
        None
    }

    /// Returns a stamp of the definitions, so that facts kept from other definitions are derived again.
    fn fingerprint(&self) -> u64;

    /// Returns these definitions with those that a store declares itself; what is defined here already stays as it is.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    fn extended(&self, declarations: &str) -> Result<Arc<dyn Semantics>, String>;
}
