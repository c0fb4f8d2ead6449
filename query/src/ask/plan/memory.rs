//! What a question has read already. Its forms are tried one after another, and several look at the same facts.
//!
//! It lives as long as one question is read; it knows the views that it was read in apart by their known instant, which
//! is all that a question can change of them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use bygone_engine::EntityRef;
use bygone_engine::time::Instant;

use super::super::find::Found;

/// A fact with the stems of all that it is told in, save the words of its predicate.
#[derive(Clone, Debug)]
pub(in crate::ask) struct Told {
    /// The fact.
    pub(in crate::ask) found: Found,
    /// The stems of its object, of what that is an instance of, of its key, and of its subject unless that is a person.
    pub(in crate::ask) words: BTreeSet<String>,
}

/// Facts by known instant and by whom they are about; `None` is anybody.
type Read = BTreeMap<(Instant, Option<EntityRef>), Rc<Vec<Told>>>;

/// What was read.
#[derive(Debug, Default)]
pub(in crate::ask) struct Memory(RefCell<Read>);

impl Memory {
    /// Returns what was read of somebody, or else reads and keeps it.
    pub(in crate::ask) fn get_or_read<E>(
        &self,
        known: Instant,
        who: Option<&EntityRef>,
        read: impl FnOnce() -> Result<Vec<Told>, E>,
    ) -> Result<Rc<Vec<Told>>, E> {
        let key = (known, who.cloned());
        let kept = self.0.borrow().get(&key).cloned();
        if let Some(told) = kept {
            return Ok(told);
        }
        let told = Rc::new(read()?);
        self.0.borrow_mut().insert(key, Rc::clone(&told));
        Ok(told)
    }
}
