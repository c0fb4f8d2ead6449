//! What the store must be told about predicates. The meaning of statements lives above the engine, in the ontology.

use std::ops::Range;
use std::sync::Arc;

use crate::assertion::Assertion;
use crate::error::StoreError;
use crate::fact::Fact;
use crate::mark::Stretch;
use crate::time::{Instant, Period};

/// What a statement that comes after all others changes in the facts of its group.
#[derive(Clone, Debug, PartialEq)]
pub struct Appended {
    /// The fact that started last, where it ends now.
    pub closed: Option<Fact>,
    /// The fact that the statement makes.
    pub added: Fact,
}

/// What statements that are added to a group change in its dated facts: those that start within a stretch of time are others.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// Where the stretch starts; `None` before everything.
    pub from: Option<Instant>,
    /// Where it ends, exclusively; `None` after everything.
    pub to: Option<Instant>,
    /// The facts that start within it now, by start and then object.
    pub facts: Vec<Fact>,
}

/// Reads the statements of a range of a [`Stretch`].
pub type ReadStatements<'a> = dyn FnMut(Range<usize>) -> Result<Vec<Assertion>, StoreError> + 'a;

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

    /// Says whether no two dated facts of one group ever overlap.
    fn holds_one(&self, predicate: &str) -> bool {
        let _ = predicate;
        false
    }

    /// Returns the facts of one group that overlap a period, by start and then object, undated ones aside, from a stretch of
    /// its history. `None` where that stretch does not tell; a stretch that has everything always may be derived instead.
    ///
    /// What is returned must be what deriving the whole group gives.
    ///
    /// # Errors
    /// [`StoreError`] where statements cannot be read.
    fn facts_over(
        &self,
        predicate: &str,
        asked: Period,
        stretch: &Stretch<'_>,
        read: &mut ReadStatements<'_>,
    ) -> Result<Option<Vec<Fact>>, StoreError> {
        let _ = (predicate, asked, stretch, read);
        Ok(None)
    }

    /// Returns what changes in one group's facts where statements are added that stand in a stretch of its history, those for
    /// which `is_new` says so, in the order of its marks. `None` where that stretch does not tell.
    ///
    /// What is returned must be what deriving the whole group changes.
    ///
    /// # Errors
    /// [`StoreError`] where statements cannot be read.
    fn added(
        &self,
        predicate: &str,
        stretch: &Stretch<'_>,
        is_new: &[bool],
        read: &mut ReadStatements<'_>,
    ) -> Result<Option<Added>, StoreError> {
        let _ = (predicate, stretch, is_new, read);
        Ok(None)
    }

    /// Returns a stamp of the definitions, so that facts kept from other definitions are derived again.
    fn fingerprint(&self) -> u64;

    /// Returns these definitions with those that a store declares itself; what is defined here already stays as it is.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    fn extended(&self, declarations: &str) -> Result<Arc<dyn Semantics>, String>;
}
