//! Whether something is what a noun calls it: "a dog", "the car", "cities", "books".
//!
//! A name says it ("Coldplay concert"), a declared type, or a statement of what it is an instance of. Where nothing says
//! what a thing is, that is not known, and no guess is made.

use bygone_engine::entity::fold_name;
use bygone_engine::store::Seen;
use bygone_engine::{Object, StoreError};
use bygone_ontology::Ontology;

use crate::say::object_text;

/// Words that describe nothing.
const ARTICLES: &[&str] =
    &["a", "an", "the", "any", "some", "my", "i", "'s", "his", "her", "their", "our", "new", "old"];

/// Words in front of which the head of a name stands.
const AFTER_HEAD: &[&str] = &["of", "to", "with", "in", "at", "for", "from", "on", "by"];

/// Says whether a name is given as a description: "a dog", "the car".
pub(super) fn is_description(name: &str) -> bool {
    let first = name.split(' ').next().map(fold_name);
    name.contains(' ') && first.is_some_and(|first| ARTICLES.contains(&first.as_str()))
}

/// Nouns for what a declared type is called in another word.
const NOUNS: &[(&str, &str)] = &[
    ("book", "work"),
    ("movie", "work"),
    ("film", "work"),
    ("song", "work"),
    ("company", "org"),
    ("employer", "org"),
    ("firm", "org"),
    ("organization", "org"),
    ("organisation", "org"),
    ("school", "org"),
    ("university", "org"),
    ("city", "place"),
    ("town", "place"),
    ("country", "place"),
    ("location", "place"),
    ("pet", "animal"),
    ("dog", "animal"),
    ("cat", "animal"),
    ("people", "person"),
    ("friend", "person"),
    ("boss", "person"),
    ("manager", "person"),
    ("job", "role"),
    ("concert", "event"),
];

/// What is known of whether something is of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// It is something else.
    No,
    /// Nothing says what exactly it is.
    Unknown,
    /// It is.
    Yes,
}

/// Brings a word to what its forms share, by its endings: "hikes", "hiked" and "hiking" are one.
pub(super) fn stem(word: &str) -> String {
    let folded = fold_name(word);
    let mut stem = folded.as_str();
    for (ending, least) in [("ies", 3), ("ing", 3), ("ed", 3), ("es", 4), ("s", 3), ("y", 3), ("e", 3)] {
        if let Some(rest) = stem.strip_suffix(ending)
            && rest.chars().count() >= least - 1
            && !stem.ends_with("ss")
            && !(ending == "y" && rest.ends_with(['a', 'e', 'o', 'u']))
        {
            stem = rest;
            break;
        }
    }
    let mut letters: Vec<char> = stem.chars().collect();
    // "running" and "run", "hikes" and "hiking".
    if let [.., before, last] = letters[..]
        && before == last
        && !"lsz".contains(last)
    {
        letters.pop();
    }
    if letters.len() > 3 && letters.last() == Some(&'e') {
        letters.pop();
    }
    letters.into_iter().collect()
}

/// Returns the words of a noun phrase that describe something.
pub(super) fn noun_words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(fold_name).collect();
    let described: Vec<String> =
        words.iter().filter(|word| !ARTICLES.contains(&word.as_str())).cloned().collect();
    if described.is_empty() { words } else { described }
}

/// Says whether an object is what the words describe: by its own words, its type, or what it is an instance of.
pub(super) fn is_described(
    seen: &Seen<'_>,
    ontology: &Ontology,
    object: &Object,
    words: &[String],
) -> Result<bool, StoreError> {
    let Some((head, others)) = words.split_last() else { return Ok(false) };
    let text = object_text(object);
    let name: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // A boat trailer is no boat: what a name is a name of stands at its end, or before "of" and the like.
    let end = name.iter().position(|word| AFTER_HEAD.contains(word)).unwrap_or(name.len());
    let is_head = name[..end].last().is_some_and(|last| stem(last) == stem(head));
    let said = words_of(seen, ontology, object)?;
    let is_kind = || {
        let in_name = name.iter().any(|word| stem(word) == stem(head));
        !in_name && said.contains(&stem(head))
    };
    Ok((is_head || is_kind()) && others.iter().all(|word| said.contains(&stem(word))))
}

/// Returns the stems of everything that an object is called.
pub(super) fn words_of(
    seen: &Seen<'_>,
    ontology: &Ontology,
    object: &Object,
) -> Result<Vec<String>, StoreError> {
    Ok(words_with(ontology, object, &instances(seen, object)?))
}

/// Returns the same for an entity that is an instance of some kinds.
pub(super) fn words_with(ontology: &Ontology, object: &Object, kinds: &[String]) -> Vec<String> {
    let mut text = object_text(object);
    if let Some(entity) = object.entity() {
        text.push(' ');
        text.push_str(entity.kind());
        for kind in kinds {
            text.push(' ');
            text.push_str(kind);
        }
        let parent = ontology.type_named(entity.kind()).and_then(|kind| kind.parent.clone());
        text.push(' ');
        text.push_str(parent.as_deref().unwrap_or_default());
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(stem).collect()
}

/// Returns the names of what an entity is said to be an instance of.
fn instances(seen: &Seen<'_>, object: &Object) -> Result<Vec<String>, StoreError> {
    let Some(entity) = object.entity() else { return Ok(Vec::new()) };
    let mut kinds = Vec::new();
    for group in seen.groups_of(entity)? {
        if group.predicate == "instance_of" {
            kinds.extend(seen.facts(&group)?.iter().map(|fact| fold_name(&object_text(&fact.object))));
        }
    }
    Ok(kinds)
}

/// Says whether an object is of the kind a noun names.
pub(super) fn likeness(
    seen: &Seen<'_>,
    ontology: &Ontology,
    object: &Object,
    noun: &str,
) -> Result<Likeness, StoreError> {
    let words = noun_words(noun);
    if ["time", "thing", "place", "person", "people", "one", "value"].contains(&singular(noun).as_str()) {
        return Ok(Likeness::Yes);
    }
    if is_described(seen, ontology, object, &words)? {
        return Ok(Likeness::Yes);
    }
    let Some(entity) = object.entity() else { return Ok(Likeness::Unknown) };
    if !instances(seen, object)?.is_empty() {
        return Ok(Likeness::No);
    }
    let singular = singular(noun);
    if ontology.type_named(&singular).is_some() {
        return Ok(if ontology.is_a(entity.kind(), &singular) { Likeness::Yes } else { Likeness::No });
    }
    let kinds: Vec<&str> =
        NOUNS.iter().filter(|(word, _)| *word == singular).map(|(_, kind)| *kind).collect();
    let fits = kinds.is_empty() || kinds.iter().any(|kind| ontology.is_a(entity.kind(), kind));
    Ok(if fits { Likeness::Unknown } else { Likeness::No })
}

/// Says whether a noun is another word for a declared type: what has the type may well be one.
pub(super) fn is_wide(noun: &str) -> bool {
    let noun = singular(noun);
    NOUNS.iter().any(|(word, _)| *word == noun)
}

/// Returns a noun in the singular.
pub(super) fn singular(noun: &str) -> String {
    let noun = fold_name(noun);
    match noun.as_str() {
        "people" => return "person".to_owned(),
        "children" => return "child".to_owned(),
        _ => {}
    }
    if let Some(stem) = noun.strip_suffix("ies") {
        return format!("{stem}y");
    }
    for ending in ["sses", "ches", "shes", "xes"] {
        if noun.ends_with(ending) {
            return noun[..noun.len() - 2].to_owned();
        }
    }
    noun.strip_suffix('s').filter(|_| !noun.ends_with("ss")).map_or(noun.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_a_word_are_one() {
        for forms in [["hike", "hikes", "hiking"], ["run", "runs", "running"], ["city", "cities", "city"]] {
            assert!(forms.iter().all(|form| stem(form) == stem(forms[0])), "{forms:?}");
        }
        assert_eq!(noun_words("the old car"), ["car"]);
        assert_eq!(singular("cities"), "city");
        assert_eq!(singular("bosses"), "boss");
    }
}
