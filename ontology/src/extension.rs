//! What a store declares beside the core: an extension, kept as one text, grown by what is accepted.
//!
//! Invariant: an extension made by [`Extension::with`] fits the ontology it extends, and its text reads back as itself.

use std::collections::BTreeMap;

use crate::definition::Definition;
use crate::load::{self, LoadError};
use crate::ontology::{Ontology, Type};
use crate::write;

/// What an extension's text is called in errors.
pub(crate) const NAME: &str = "the store's extension";

/// Types and predicates that a store declares itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extension {
    types: BTreeMap<String, Type>,
    predicates: BTreeMap<String, Definition>,
}

impl Extension {
    /// Reads the text that a store keeps. What `base` declares already is passed over: a core that grew since knows
    /// better.
    ///
    /// # Errors
    /// Every problem of the text, in its order.
    pub fn read(base: &Ontology, text: &str) -> Result<Extension, Vec<LoadError>> {
        Ok(Extension::of(load::load_new(base, NAME, text)?))
    }

    /// Returns the extension with what a text declares, which replaces what it declares again.
    ///
    /// # Errors
    /// Every problem of the text, among them that `base` declares the same; or what no longer fits together with it.
    pub fn with(&self, base: &Ontology, name: &str, text: &str) -> Result<Extension, Vec<LoadError>> {
        let declared_again = load::names(name, text)?;
        let mut grown = self.clone();
        grown.types.retain(|name, _| !declared_again.types.contains(name));
        grown.predicates.retain(|id, _| !declared_again.predicates.contains(id));
        let added = Extension::of(load::load(&grown.over(base), name, text)?);
        grown.types.extend(added.types);
        grown.predicates.extend(added.predicates);
        base.extend(NAME, &grown.to_toml())?;
        Ok(grown)
    }

    /// Returns the extension without a predicate or type of this name; `None` where it declares none.
    ///
    /// # Errors
    /// What no longer fits together without it.
    pub fn without(&self, base: &Ontology, name: &str) -> Result<Option<Extension>, Vec<LoadError>> {
        let mut shrunk = self.clone();
        if shrunk.predicates.remove(name).is_none() && shrunk.types.remove(name).is_none() {
            return Ok(None);
        }
        base.extend(NAME, &shrunk.to_toml())?;
        Ok(Some(shrunk))
    }

    /// Returns the ontology with this extension.
    pub fn over(&self, base: &Ontology) -> Ontology {
        base.joined(self.types.values().cloned(), self.predicates.values().cloned())
    }

    /// Says whether it declares the type or predicate.
    pub fn declares(&self, name: &str) -> bool {
        self.types.contains_key(name) || self.predicates.contains_key(name)
    }

    /// Returns the names of what it declares: types, then predicates.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.types.keys().chain(self.predicates.keys()).map(String::as_str)
    }

    /// Says whether another one declares the same under a name.
    pub fn is_as_in(&self, name: &str, other: &Extension) -> bool {
        self.types.get(name) == other.types.get(name)
            && self.predicates.get(name) == other.predicates.get(name)
    }

    /// Returns its text; empty where it declares nothing.
    pub fn to_toml(&self) -> String {
        write::to_toml(self.types.values(), self.predicates.values())
    }

    fn of(added: load::Added) -> Extension {
        Extension {
            types: added.types.into_iter().map(|declared| (declared.name.clone(), declared)).collect(),
            predicates: added
                .predicates
                .into_iter()
                .map(|definition| (definition.id.clone(), definition))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MENTORS: &str = r#"
        [types]
        mentor = { parent = "person" }
        [[predicate]]
        id = "mentored_by"
        domain = ["person"]
        range = ["mentor"]
        kind = "state"
        cardinality = "one"
    "#;

    fn core() -> Ontology {
        Ontology::core()
    }

    #[test]
    fn an_extension_reads_back_as_written() {
        let extension = Extension::default().with(&core(), "a.toml", MENTORS).expect("sound");
        assert_eq!(Extension::read(&core(), &extension.to_toml()).expect("its own text"), extension);
        assert_eq!(extension.over(&core()), core().extend("a.toml", MENTORS).expect("sound"));
        assert_eq!(Extension::default().to_toml(), "");
    }

    #[test]
    fn what_is_declared_again_is_replaced() {
        let first = Extension::default().with(&core(), "a.toml", MENTORS).expect("sound");
        let many = MENTORS.replace("\"one\"", "\"many\"");
        let second = first.with(&core(), "b.toml", &many).expect("sound");
        assert_eq!(second, Extension::default().with(&core(), "b.toml", &many).expect("sound"));
        assert_ne!(first, second);
    }

    #[test]
    fn the_core_cannot_be_declared_again() {
        let text = MENTORS.replace("mentored_by", "works_at");
        let errors = Extension::default().with(&core(), "a.toml", &text).expect_err("it is core's");
        assert!(
            errors[0].to_string().starts_with("a.toml:5:14: \"works_at\" is already declared"),
            "{errors:?}"
        );
    }

    #[test]
    fn a_core_that_grew_passes_over_what_it_declares_now() {
        let grown = core().extend("core", MENTORS).expect("sound");
        let kept = Extension::default().with(&core(), "a.toml", MENTORS).expect("sound").to_toml();
        assert_eq!(Extension::read(&grown, &kept).expect("passed over"), Extension::default());
    }

    #[test]
    fn what_another_declaration_needs_cannot_be_withdrawn() {
        let extension = Extension::default().with(&core(), "a.toml", MENTORS).expect("sound");
        assert!(extension.without(&core(), "mentor").is_err());
        let left = extension.without(&core(), "mentored_by").expect("sound").expect("it was declared");
        assert!(left.declares("mentor") && !left.declares("mentored_by"));
        assert_eq!(extension.without(&core(), "works_at").expect("nothing to do"), None);
    }
}
