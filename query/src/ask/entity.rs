//! What the words in a slot name: an entity that fits the predicate, or a value.

use std::collections::BTreeSet;

use bygone_engine::entity::fold_name;
use bygone_engine::store::Seen;
use bygone_engine::{EntityRef, Object};
use bygone_ontology::ontology::ANY;
use bygone_ontology::{Definition, Ontology};

use super::words::{FIRST_PERSON, POSSESSIVE, Word, spoken};
use crate::error::QueryError;
use crate::names;

/// What the words in a slot name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Named {
    /// One entity, and whether the predicate allows for its type there.
    Entity {
        /// The entity, standing for its class.
        entity: EntityRef,
        /// Whether its type fits.
        fits: bool,
    },
    /// Several that fit equally well.
    Several {
        /// The name.
        name: String,
        /// What it may mean.
        entities: Vec<EntityRef>,
    },
    /// A value where the predicate takes one.
    Value(String),
    /// Something that the predicate says of the subject and that these words describe.
    Described {
        /// The words, without an article.
        words: Vec<String>,
    },
    /// Nothing here.
    Nothing {
        /// The name.
        name: String,
        /// Whether the words may be a name at all.
        is_name: bool,
    },
}

/// The side of a predicate that a slot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Its domain.
    Subject,
    /// Its range.
    Object,
}

/// The entity that speaks of itself as "I".
const SPEAKER: &str = "person:user";

/// The kinds of value that words are compared with; a time is never told by its words.
const COMPARED: &[&str] = &["text", "number", "bool", ANY];

/// Words that no unknown name is taken to hold: with them, more was asked than a name.
const NO_NAME: &[&str] = &[
    POSSESSIVE,
    FIRST_PERSON,
    ",",
    "about",
    "after",
    "always",
    "and",
    "as",
    "at",
    "because",
    "before",
    "between",
    "by",
    "did",
    "do",
    "does",
    "during",
    "ever",
    "first",
    "for",
    "from",
    "had",
    "has",
    "have",
    "he",
    "her",
    "him",
    "his",
    "how",
    "if",
    "in",
    "is",
    "it",
    "its",
    "last",
    "latest",
    "least",
    "many",
    "more",
    "most",
    "never",
    "no",
    "not",
    "of",
    "on",
    "or",
    "our",
    "she",
    "since",
    "still",
    "than",
    "that",
    "their",
    "them",
    "then",
    "there",
    "they",
    "this",
    "to",
    "today",
    "until",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "would",
    "you",
    "your",
];

/// Says whether the one who speaks of themselves as "I" is known.
pub(super) fn has_speaker(seen: &Seen<'_>) -> Result<bool, QueryError> {
    let speaker = EntityRef::parse(SPEAKER).expect("the name is a literal");
    Ok(seen.mentions(&speaker)?)
}

/// Finds what the words name.
pub(super) fn resolve(
    seen: &Seen<'_>,
    ontology: &Ontology,
    definition: &Definition,
    side: Side,
    text: &str,
    words: &[Word],
) -> Result<Named, QueryError> {
    let kinds = match side {
        Side::Subject => &definition.domain,
        Side::Object => &definition.range,
    };
    let Some(first) = words.first() else {
        return Ok(Named::Nothing { name: String::new(), is_name: false });
    };
    let name = spoken(text, words);
    let name = name.as_str();
    let found = if words.len() == 1 && first.folded == FIRST_PERSON {
        names::candidates(seen, SPEAKER)?
    } else {
        bearers(seen, ontology, name)?
    };
    // A type is what things are, and none of them: "a dog" describes one.
    let mut found = found;
    if !kinds.iter().any(|kind| kind == "type") && (name.contains(' ') || side == Side::Object) {
        found.retain(|entity| entity.kind() != "type");
    }
    let fits = |entity: &&EntityRef| kinds.iter().any(|kind| ontology.is_a(entity.kind(), kind));
    let fitting: Vec<EntityRef> = found.iter().filter(fits).cloned().collect();
    let fits = !fitting.is_empty();
    let takes_value = kinds.iter().any(|kind| COMPARED.contains(&kind.as_str()));
    let best = if fits { fitting } else { found };
    let is_name = !words.iter().any(|word| NO_NAME.contains(&word.folded.as_str()));
    Ok(match best.as_slice() {
        [entity] if fits || !takes_value => Named::Entity { entity: entity.clone(), fits },
        [_, _, ..] if fits || !takes_value => Named::Several { name: name.to_owned(), entities: best },
        _ if takes_value && is_name && side == Side::Object => Named::Value(name.to_owned()),
        [entity] => Named::Entity { entity: entity.clone(), fits },
        _ => Named::Nothing { name: name.to_owned(), is_name },
    })
}

/// Returns the entities a name may mean: by the whole of it, without its article, without the type beside it ("the Atlas
/// project"), or by a type of which there is one ("the project").
fn bearers(seen: &Seen<'_>, ontology: &Ontology, name: &str) -> Result<Vec<EntityRef>, QueryError> {
    let whole = names::candidates(seen, name)?;
    if !whole.is_empty() {
        return Ok(whole);
    }
    let Some((article, bare)) = name.split_once(' ') else {
        return Ok(Vec::new());
    };
    let article = fold_name(article);
    let is_definite = article == "the";
    let bare = if is_definite || article == "a" || article == "an" { bare } else { name };
    let without = names::candidates(seen, bare)?;
    if !without.is_empty() {
        return Ok(without);
    }
    let of_type = |kind: &str, entities: Vec<EntityRef>| -> Vec<EntityRef> {
        entities.into_iter().filter(|entity| ontology.is_a(entity.kind(), kind)).collect()
    };
    let is_type = |word: &str| ontology.type_named(word).is_some();
    for (kind, name) in
        [bare.split_once(' '), bare.rsplit_once(' ').map(|(name, kind)| (kind, name))].into_iter().flatten()
    {
        let kind = fold_name(kind);
        if is_type(&kind) {
            let typed = of_type(&kind, names::candidates(seen, name)?);
            if !typed.is_empty() {
                return Ok(typed);
            }
        }
    }
    let kind = fold_name(bare);
    if is_definite && is_type(&kind) {
        let mut known = BTreeSet::new();
        for entity in of_type(&kind, seen.snapshot().entities_starting("")?) {
            if seen.mentions(&entity)? {
                known.insert(seen.identity().representative(&entity).clone());
            }
        }
        return Ok(of_type(&kind, known.into_iter().collect()));
    }
    Ok(Vec::new())
}

/// Says whether an object is what the words name.
pub(super) fn is_value(object: &Object, text: &str) -> bool {
    let folded = fold_name(text);
    match object {
        Object::Text(value) => fold_name(value) == folded,
        Object::Entity(entity) => fold_name(entity.name()) == folded,
        other => fold_name(&crate::say::object_text(other)) == folded,
    }
}
