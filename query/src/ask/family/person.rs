//! Who is meant: by a name, and by a pronoun where just one person is named.

use bygone_engine::EntityRef;

use super::super::entity::{Named, Side, resolve as resolve_name};
use super::super::respond::Sight;
use super::super::words::{FIRST_PERSON, POSSESSIVE, Word};
use super::is;
use crate::error::QueryError;
use crate::names;

/// The most words a person's name is looked for in.
const LONGEST_NAME: usize = 3;

const SUBJECTS: &[&str] = &["she", "he", "they"];
const OBJECTS: &[&str] = &["him", "them"];
const POSSESSIVES: &[&str] = &["his", "their"];
/// What may follow "her" where it is no possessive.
const AFTER_OBJECT: &[&str] =
    &["in", "at", "on", "to", "before", "after", "when", "while", "since", "for", ","];

/// Returns the words with pronouns put for the one person named, and the people named.
pub(super) fn resolve(
    sight: Sight<'_>,
    text: &str,
    words: &[Word],
) -> Result<(Vec<Word>, Vec<EntityRef>), QueryError> {
    let mut people: Vec<(EntityRef, Vec<Word>)> = Vec::new();
    // Where each of them is named first.
    let mut places: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mut next = at + 1;
        for length in (1..=LONGEST_NAME.min(words.len() - at)).rev() {
            let name = &words[at..at + length];
            let is_plain = name.iter().all(|word| word.folded != POSSESSIVE && word.folded != FIRST_PERSON);
            let spans = name[0].span.start..name[length - 1].span.end;
            let Some(text) = text.get(spans).filter(|_| is_plain && !is_pronoun(&name[0])) else { continue };
            let mut candidates = names::candidates(sight.seen, text)?;
            candidates.retain(|entity| entity.kind() == "person");
            if let [one] = candidates.as_slice() {
                if people.iter().all(|(other, _)| other != one) {
                    people.push((one.clone(), name.to_vec()));
                    places.push(at);
                }
                next = at + length;
                break;
            }
        }
        at = next;
    }
    // A pronoun means the one person named before it; where none is, the one person named at all.
    let meant = |at: usize| -> Option<&Vec<Word>> {
        match places.iter().filter(|place| **place < at).count() {
            1 => people.first().map(|(_, name)| name),
            0 if people.len() == 1 => people.first().map(|(_, name)| name),
            _ => None,
        }
    };
    let mut put = Vec::new();
    for (nth, word) in words.iter().enumerate() {
        let folded = word.folded.as_str();
        let Some(name) = meant(nth) else {
            put.push(word.clone());
            continue;
        };
        let is_object = OBJECTS.contains(&folded)
            || folded == "her" && (nth + 1 == words.len() || is(words, nth + 1, AFTER_OBJECT));
        if SUBJECTS.contains(&folded) || is_object {
            put.extend(name.iter().cloned());
        } else if POSSESSIVES.contains(&folded) || folded == "her" {
            put.extend(name.iter().cloned());
            let end = name.last().map_or(0, |last| last.span.end);
            put.push(Word { folded: POSSESSIVE.to_owned(), span: end..end });
        } else {
            put.push(word.clone());
        }
    }
    Ok((put, people.into_iter().map(|(entity, _)| entity).collect()))
}

fn is_pronoun(word: &Word) -> bool {
    let folded = word.folded.as_str();
    SUBJECTS.contains(&folded)
        || OBJECTS.contains(&folded)
        || POSSESSIVES.contains(&folded)
        || folded == "her"
}

/// Returns the entity that words name, who may act or be spoken of; `None` where they name none.
pub(super) fn named(sight: Sight<'_>, text: &str, words: &[Word]) -> Result<Option<EntityRef>, QueryError> {
    if words.is_empty() {
        return Ok(None);
    }
    let definition = sight.ontology.get_or_open("did");
    Ok(match resolve_name(sight.seen, sight.ontology, &definition, Side::Subject, text, words)? {
        Named::Entity { entity, .. } => Some(entity),
        Named::Several { name, entities } => {
            let candidates = entities.iter().map(ToString::to_string).collect();
            return Err(QueryError::Ambiguous { name, candidates });
        }
        Named::Value(_) | Named::Described { .. } | Named::Nothing { .. } => None,
    })
}
