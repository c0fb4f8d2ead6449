//! What an agent notes in a graph of entities, relations and observations, as the memory server of MCP keeps one.
//!
//! The note is the agent's word, not the tool's: the result proves that it was noted, and nothing about the world.

use std::collections::BTreeMap;
use std::ops::Range;

use bygone_engine::{Authority, EntityRef, Object, Polarity};
use serde_json::Value;

use super::call::{Answer, Calls};
use super::outcome::Outcome;
use super::propose::{Triple, state};
use crate::candidate::{Candidate, When};
use crate::read::Turn;

const RULE: &str = "tool.note/1";

/// Types of entity as notes call them, and ours; others are things.
const TYPES: [(&str, &str); 28] = [
    ("person", "person"),
    ("people", "person"),
    ("human", "person"),
    ("user", "person"),
    ("agent", "agent"),
    ("assistant", "agent"),
    ("org", "org"),
    ("organization", "org"),
    ("organisation", "org"),
    ("company", "org"),
    ("team", "team"),
    ("group", "group"),
    ("place", "place"),
    ("location", "place"),
    ("city", "place"),
    ("country", "place"),
    ("event", "event"),
    ("activity", "activity"),
    ("animal", "animal"),
    ("pet", "animal"),
    ("work", "work"),
    ("project", "project"),
    ("file", "file"),
    ("package", "package"),
    ("service", "service"),
    ("technology", "tech"),
    ("task", "task"),
    ("topic", "topic"),
];

/// Relations that are predicates of the ontology and need no key; others are kept as `related_to` under their name.
const RELATIONS: [&str; 29] = [
    "acquired",
    "assigned_to",
    "causes",
    "child_of",
    "created",
    "depends_on",
    "engaged_to",
    "founded",
    "knows",
    "likes",
    "dislikes",
    "lives_in",
    "located_at",
    "located_in",
    "managed_by",
    "manages",
    "member_of",
    "met",
    "owns",
    "parent_of",
    "part_of",
    "partner",
    "relative",
    "reports_to",
    "sibling",
    "spouse",
    "studies_at",
    "visited",
    "works_at",
];

/// What a note says of an entity, and whether it is taken back.
struct Note {
    subject: EntityRef,
    predicate: &'static str,
    key: String,
    object: Object,
}

/// Reads the result of a tool that notes something, or takes it back.
pub(super) fn read(
    answer: &Answer<'_>,
    outcome: Outcome,
    calls: &mut Calls,
    candidates: &mut Vec<Candidate>,
) {
    if outcome != Outcome::Succeeded {
        return;
    }
    let input = &answer.call.input;
    let list = |key: &str| input.get(key).and_then(Value::as_array).into_iter().flatten();
    let types = calls.types(&answer.turn.episode.session);
    for item in list("entities") {
        if let (Some(name), Some(kind)) = (text(item, &["name"]), text(item, &["entityType"])) {
            types.insert(name.to_owned(), kind.to_owned());
        }
    }
    let types = &*types;
    let polarity = if answer.call.name.contains("delete") { Polarity::Deny } else { Polarity::Affirm };
    let notes = list("entities")
        .flat_map(of_entity)
        .chain(list("observations").chain(list("deletions")).flat_map(|item| of_observations(item, types)))
        .chain(list("relations").filter_map(|item| of_relation(item, types)));
    for note in notes {
        candidates.push(candidate(answer.turn, answer.span, note, polarity));
    }
}

fn candidate(turn: &Turn, span: &Range<usize>, note: Note, polarity: Polarity) -> Candidate {
    let triple =
        Triple { subject: note.subject, predicate: note.predicate, key: note.key, object: note.object };
    let affirmed = state(turn, span, RULE, triple);
    let when = match affirmed.when {
        // Nothing is vouched for where something is taken back.
        When::Exactly { validity, .. } if polarity == Polarity::Deny => {
            When::Exactly { validity, sure_until: None }
        }
        when => when,
    };
    Candidate { authority: Authority::Agent, polarity, when, ..affirmed }
}

/// Returns our type of what a note says that an entity is; `thing` where none fits.
pub fn noted_type(kind: &str) -> &'static str {
    let kind = kind.to_lowercase();
    TYPES.iter().find(|(theirs, _)| *theirs == kind).map_or("thing", |(_, ours)| ours)
}

/// Returns the entity of that name, of the type that the note gives it.
fn entity(name: &str, kind: Option<&str>) -> Option<EntityRef> {
    EntityRef::new(noted_type(kind.unwrap_or_default()), name).ok()
}

fn text<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| value.get(*key)?.as_str().filter(|text| !text.trim().is_empty()))
}

/// Reads `{"name": …, "entityType": …, "observations": […]}`.
fn of_entity(item: &Value) -> Vec<Note> {
    let kind = text(item, &["entityType"]);
    let Some(subject) = text(item, &["name"]).and_then(|name| entity(name, kind)) else {
        return Vec::new();
    };
    let is_told = |kind: &&str| !["default", "thing", "unknown"].contains(&kind.to_lowercase().as_str());
    let class = kind.filter(is_told).and_then(|kind| EntityRef::new("type", kind).ok());
    let class = class.map(|class| Note {
        subject: subject.clone(),
        predicate: "instance_of",
        key: String::new(),
        object: Object::Entity(class),
    });
    class.into_iter().chain(observed(&subject, item.get("observations"))).collect()
}

/// Reads `{"entityName": …, "contents": […]}`, or `observations` for what is taken back.
fn of_observations(item: &Value, types: &BTreeMap<String, String>) -> Vec<Note> {
    let subject =
        text(item, &["entityName"]).and_then(|name| typed(name, text(item, &["entityType"]), types));
    let observations = item.get("contents").or_else(|| item.get("observations"));
    subject.map_or_else(Vec::new, |subject| observed(&subject, observations))
}

/// Returns the entity of that name, of the type given beside it, or else when it was noted.
fn typed(name: &str, kind: Option<&str>, types: &BTreeMap<String, String>) -> Option<EntityRef> {
    entity(name, kind.or_else(|| types.get(name).map(String::as_str)))
}

fn observed(subject: &EntityRef, observations: Option<&Value>) -> Vec<Note> {
    let items = observations.and_then(Value::as_array).into_iter().flatten();
    let words = items.filter_map(|item| item.as_str().or_else(|| text(item, &["text", "content"])));
    words
        .map(|words| Note {
            subject: subject.clone(),
            predicate: "noted",
            key: String::new(),
            object: Object::Text(words.trim().to_owned()),
        })
        .collect()
}

/// Reads `{"from": …, "to": …, "relationType": …}`; the types of both ends may stand beside.
fn of_relation(item: &Value, types: &BTreeMap<String, String>) -> Option<Note> {
    let subject = typed(text(item, &["from"])?, text(item, &["fromType"]), types)?;
    let object = Object::Entity(typed(text(item, &["to"])?, text(item, &["toType"]), types)?);
    let relation = text(item, &["relationType"])?;
    let name = snake_case(relation);
    let declared = RELATIONS.iter().find(|declared| **declared == name);
    let (predicate, key) = declared.map_or(("related_to", name), |declared| (*declared, String::new()));
    Some(Note { subject, predicate, key, object })
}

/// Writes `worksAt`, `works at` and `WORKS_AT` as `works_at`.
fn snake_case(name: &str) -> String {
    let mut words = String::new();
    let mut is_after_small = false;
    for letter in name.trim().chars() {
        if letter.is_uppercase() && is_after_small {
            words.push('_');
        }
        is_after_small = letter.is_lowercase() || letter.is_ascii_digit();
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        } else if !words.ends_with('_') {
            words.push('_');
        }
    }
    words.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn relations_are_named_alike() {
        for name in ["worksAt", "works at", "WORKS_AT", "works_at", "Works-At"] {
            assert_eq!(snake_case(name), "works_at", "{name}");
        }
    }
}
