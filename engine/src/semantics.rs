//! What the store must be told about predicates. The meaning of statements lives above the engine, in the ontology.

use crate::assertion::Assertion;
use crate::fact::Fact;

/// Derives what the statements of one group amount to.
///
/// Implementations must be pure: the same statements, in any order, give the same facts in the same order.
pub trait Semantics: Send + Sync {
    /// Returns the facts of one group, sorted by start and then object.
    ///
    /// The statements all have one subject, predicate and key, and are visible in the view that asks; objects that are
    /// the same entity in that view are already equal.
    fn derive(&self, predicate: &str, statements: &[&Assertion]) -> Vec<Fact>;

    /// Returns a stamp of the definitions, so that facts kept from other definitions are derived again.
    fn fingerprint(&self) -> u64;
}
