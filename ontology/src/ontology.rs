//! What is declared: the types of entity and the predicates, looked up by name.
//!
//! Invariant: parents are declared and form no cycle; domains and ranges name declared types (ranges also kinds of
//! value); inverses exist and point back. [`crate::load`] is the only way in and checks all of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::definition::{Cardinality, Definition, TemporalKind};
use crate::fingerprint;
use crate::load::{self, LoadError};

/// The type that stands for all.
pub const ANY: &str = "any";

/// The kinds of value an object may have besides the types of entity, as they are named in a range.
pub const VALUE_KINDS: [&str; 6] = ["text", "number", "bool", "time", "period", "json"];

/// The declaration of a type of entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// The type's name, such as `person`.
    pub name: String,
    /// The type it is a kind of; `None` directly below `any`.
    pub parent: Option<String>,
    /// What else a reader should know.
    pub note: Option<String>,
}

/// A set of declared types and predicates that fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ontology {
    types: BTreeMap<String, Type>,
    predicates: BTreeMap<String, Definition>,
}

impl Ontology {
    /// Returns the core ontology, which every store knows. Parses it: keep the result.
    pub fn core() -> Ontology {
        Ontology::parse("core.toml", include_str!("../core.toml"))
            .expect("a test loads the built-in core.toml")
    }

    /// Reads an ontology that stands alone. `name` is what errors call the text, usually its file's name.
    ///
    /// # Errors
    /// Every problem of the text, in its order; but where it is not TOML, only what makes it so.
    pub fn parse(name: &str, text: &str) -> Result<Ontology, Vec<LoadError>> {
        let empty = Ontology { types: BTreeMap::new(), predicates: BTreeMap::new() };
        empty.extend(name, text)
    }

    /// Returns this ontology with the declarations of `text` added. What is declared here already can be referred to
    /// and cannot be declared again.
    ///
    /// # Errors
    /// As [`Ontology::parse`].
    pub fn extend(&self, name: &str, text: &str) -> Result<Ontology, Vec<LoadError>> {
        let added = load::load(self, name, text)?;
        Ok(self.joined(added.types, added.predicates))
    }

    /// Returns this ontology with declarations that were checked.
    pub(crate) fn joined(
        &self,
        types: impl IntoIterator<Item = Type>,
        predicates: impl IntoIterator<Item = Definition>,
    ) -> Ontology {
        let mut joined = self.clone();
        joined.types.extend(types.into_iter().map(|declared| (declared.name.clone(), declared)));
        joined
            .predicates
            .extend(predicates.into_iter().map(|definition| (definition.id.clone(), definition)));
        joined
    }

    /// Returns the declaration of a predicate, `None` where it is undeclared.
    pub fn definition(&self, id: &str) -> Option<&Definition> {
        self.predicates.get(id)
    }

    /// Returns the declaration of a predicate; an undeclared one is [`open`].
    pub fn get_or_open(&self, id: &str) -> Cow<'_, Definition> {
        match self.definition(id) {
            Some(definition) => Cow::Borrowed(definition),
            None => Cow::Owned(open(id)),
        }
    }

    /// Returns the declared predicates, sorted by id.
    pub fn predicates(&self) -> impl Iterator<Item = &Definition> {
        self.predicates.values()
    }

    /// Returns the declared types, sorted by name; `any` is not among them.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.types.values()
    }

    /// Returns the declaration of a type of entity, `None` where it is undeclared, and for `any`.
    pub fn type_named(&self, name: &str) -> Option<&Type> {
        self.types.get(name)
    }

    /// Says whether a type is the other, or a kind of it. All are kinds of `any`; an undeclared type is a kind of
    /// nothing else.
    pub fn is_a(&self, name: &str, ancestor: &str) -> bool {
        let mut current = Some(name);
        ancestor == ANY
            || std::iter::from_fn(|| {
                let this = current?;
                current = self.type_named(this).and_then(|t| t.parent.as_deref());
                Some(this)
            })
            .any(|this| this == ancestor)
    }

    /// Returns a stamp of all declarations: equal declarations, equal stamps, in every build and on every machine.
    pub fn fingerprint(&self) -> u64 {
        fingerprint::fingerprint(self.types(), self.predicates())
    }
}

/// Returns what an undeclared predicate counts as: any subject, any object, many states, no key.
pub fn open(id: &str) -> Definition {
    Definition {
        id: id.to_owned(),
        domain: vec![ANY.to_owned()],
        range: vec![ANY.to_owned()],
        kind: TemporalKind::State,
        cardinality: Cardinality::Many,
        key: None,
        inverse: None,
        symmetric: false,
        half_life_days: None,
        cues: Vec::new(),
        end_cues: Vec::new(),
        schema: None,
        wikidata: None,
        note: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZOO: &str = r#"
        [types]
        thing = {}
        animal = { parent = "thing" }
        dog = { parent = "animal" }
        [[predicate]]
        id = "chases"
        domain = ["dog"]
        range = ["animal"]
        kind = "event"
        cardinality = "many"
    "#;

    fn zoo() -> Ontology {
        Ontology::parse("zoo.toml", ZOO).expect("a sound ontology")
    }

    #[test]
    fn a_type_is_itself_its_ancestors_and_any() {
        for (name, ancestor, expected) in [
            ("dog", "dog", true),
            ("dog", "animal", true),
            ("dog", "thing", true),
            ("dog", "any", true),
            ("thing", "dog", false),
            ("wizard", "any", true),
            ("wizard", "wizard", true),
            ("wizard", "thing", false),
            ("dog", "wizard", false),
        ] {
            assert_eq!(zoo().is_a(name, ancestor), expected, "{name} is a {ancestor}");
        }
    }

    #[test]
    fn an_undeclared_predicate_is_open() {
        assert_eq!(zoo().definition("barks_at"), None);
        assert_eq!(*zoo().get_or_open("barks_at"), open("barks_at"));
        assert_eq!(zoo().get_or_open("chases").kind, TemporalKind::Event);
    }

    #[test]
    fn the_core_has_what_the_rest_of_the_system_writes() {
        let core = Ontology::core();
        for (id, kind, cardinality) in [
            ("works_at", TemporalKind::State, Cardinality::One),
            ("likes", TemporalKind::State, Cardinality::Many),
            ("born_on", TemporalKind::Rigid, Cardinality::One),
            ("same_as", TemporalKind::State, Cardinality::Many),
            ("wrote", TemporalKind::Event, Cardinality::Many),
            ("read_file", TemporalKind::Event, Cardinality::Many),
            ("ran", TemporalKind::Event, Cardinality::Many),
            ("failed_call", TemporalKind::Event, Cardinality::Many),
            ("committed", TemporalKind::Event, Cardinality::Many),
            ("file_state", TemporalKind::State, Cardinality::One),
            ("test_status", TemporalKind::State, Cardinality::One),
            ("alive", TemporalKind::State, Cardinality::One),
        ] {
            let definition = core.definition(id).expect(id);
            assert_eq!((definition.kind, definition.cardinality), (kind, cardinality), "{id}");
        }
        assert!(core.definition("same_as").is_some_and(|d| d.symmetric));
        assert!(core.is_a("animal", "thing") && core.is_a("team", "group") && core.is_a("org", "group"));
    }

    #[test]
    fn the_cores_cues_are_in_the_form_they_are_compared_in() {
        for definition in Ontology::core().predicates() {
            for cue in definition.cues.iter().chain(&definition.end_cues) {
                let folded = bygone_engine::entity::fold_name(cue);
                assert_eq!(*cue, folded, "a cue of {}", definition.id);
            }
        }
    }

    #[test]
    fn the_cores_wikidata_ids_look_like_properties() {
        for definition in Ontology::core().predicates() {
            if let Some(id) = &definition.wikidata {
                let digits = id.strip_prefix('P').unwrap_or_default();
                assert!(
                    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
                    "{id} of {}",
                    definition.id
                );
            }
        }
    }

    #[test]
    fn an_extension_adds_and_keeps_what_was() {
        let extended = zoo()
            .extend(
                "more.toml",
                r#"
                [types]
                puppy = { parent = "dog" }
                [[predicate]]
                id = "walked_by"
                domain = ["dog"]
                range = ["thing", "text"]
                kind = "state"
                cardinality = "one"
                "#,
            )
            .expect("a sound extension");
        assert!(extended.is_a("puppy", "thing"));
        let ids: Vec<&str> = extended.predicates().map(|p| p.id.as_str()).collect();
        assert_eq!(ids, ["chases", "walked_by"]);
        assert_eq!(extended.definition("chases"), zoo().definition("chases"));
        assert_ne!(extended.fingerprint(), zoo().fingerprint());
    }

    #[test]
    fn the_fingerprint_follows_content_and_not_layout() {
        /// Changes only when the rendering behind the stamp does, and then every store derives again.
        const PINNED: u64 = 0xde77_87ff_24d9_e064;
        assert_eq!(zoo().fingerprint(), PINNED);
        let relaid = ZOO.replace("[types]", "# The types.\n[types]").replace(" = ", "=");
        let relaid = Ontology::parse("other.toml", &relaid).expect("a sound ontology");
        assert_eq!(relaid.fingerprint(), PINNED);
        for (from, to) in [
            ("\"many\"", "\"one\""),
            ("\"event\"", "\"state\""),
            ("[\"dog\"]", "[\"animal\"]"),
            ("thing = {}", "thing = { note = \"x\" }"),
        ] {
            let changed = Ontology::parse("zoo.toml", &ZOO.replace(from, to)).expect("a sound ontology");
            assert_ne!(changed.fingerprint(), PINNED, "{from} to {to}");
        }
    }
}
