//! What the store must be told about predicates. The meaning of statements lives above the engine, in the ontology.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::assertion::Assertion;
use crate::error::StoreError;
use crate::fact::Fact;
use crate::mark::Stretch;
use crate::object::ObjectKey;
use crate::time::{Instant, Period, Validity};

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

/// A form that a fact of a group took while more was said of the group, batch after batch: an object over a period, bounds and
/// their granularity included.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The fact in this form, as it was told at first or at last.
    pub fact: Fact,
    /// The batch with which it took the form.
    pub from: usize,
    /// The batch with which it no longer had it; `None` where it does to the end.
    pub to: Option<usize>,
}

/// As of when a fact is told that had one form for a while: what it rests on can grow meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// As of the batch with which it took the form.
    AtFirst,
    /// As of the last batch with which it had it.
    AtLast,
}

/// Says now and then whether to go on.
pub type Proceed<'a> = dyn FnMut() -> Result<(), StoreError> + 'a;

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

    /// Returns every form that the facts of one group took while statements were added, batch after batch, in no order that
    /// means anything.
    ///
    /// What is returned must be what deriving everything said by then gives after each batch.
    ///
    /// # Errors
    /// Whatever `proceed` fails with.
    fn forms(
        &self,
        predicate: &str,
        batches: &[Vec<&Assertion>],
        told: Told,
        proceed: &mut Proceed<'_>,
    ) -> Result<Vec<Form>, StoreError> {
        derived_after_each(self, predicate, batches, told, proceed)
    }

    /// Returns a stamp of the definitions, so that facts kept from other definitions are derived again.
    fn fingerprint(&self) -> u64;

    /// Returns these definitions with those that a store declares itself; what is defined here already stays as it is.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    fn extended(&self, declarations: &str) -> Result<Arc<dyn Semantics>, String>;
}

/// Returns the forms of facts by deriving a group afresh after each batch: what they are, whatever it costs.
///
/// # Errors
/// Whatever `proceed` fails with.
pub fn derived_after_each<S: Semantics + ?Sized>(
    semantics: &S,
    predicate: &str,
    batches: &[Vec<&Assertion>],
    told: Told,
    proceed: &mut Proceed<'_>,
) -> Result<Vec<Form>, StoreError> {
    let mut said: Vec<&Assertion> = Vec::new();
    let mut open: BTreeMap<(ObjectKey, Validity), Form> = BTreeMap::new();
    let mut forms: Vec<Form> = Vec::new();
    for (from, batch) in batches.iter().enumerate() {
        proceed()?;
        said.extend(batch);
        let mut before = std::mem::take(&mut open);
        let facts = if said.is_empty() { Vec::new() } else { semantics.derive(predicate, &said) };
        for fact in facts {
            let key = (fact.object.key(), fact.validity);
            let form = match (before.remove(&key), told) {
                (Some(form), Told::AtFirst) => form,
                (Some(form), Told::AtLast) => Form { fact, ..form },
                (None, _) => Form { fact, from, to: None },
            };
            open.insert(key, form);
        }
        forms.extend(before.into_values().map(|form| Form { to: Some(from), ..form }));
    }
    forms.extend(open.into_values());
    Ok(forms)
}
