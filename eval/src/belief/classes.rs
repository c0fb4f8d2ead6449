//! Which entities are one in a view, from the `same_as` statements visible there.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::{Assertion, EntityRef, Object, Polarity};

use super::order::order;

/// The predicate that says that two entities are one. Its own statements are never mapped.
pub const SAME_AS: &str = "same_as";

/// Returns the representative of every entity that a decision names: the one of its class whose `type:Name` comes
/// first. Statements of other predicates, without an entity as object, or of an entity and itself are passed over.
///
/// For each pair only the latest statement counts. From the latest decision to the earliest, a deny keeps its two
/// entities apart from then on, and an affirm joins two classes unless a deny before it keeps members of them apart.
pub fn classes(statements: &[&Assertion]) -> BTreeMap<EntityRef, EntityRef> {
    let mut class_of: BTreeMap<EntityRef, BTreeSet<EntityRef>> = BTreeMap::new();
    let mut apart: Vec<(EntityRef, EntityRef)> = Vec::new();
    for (one, other, polarity) in decisions(statements) {
        for entity in [&one, &other] {
            class_of.entry(entity.clone()).or_insert_with(|| BTreeSet::from([entity.clone()]));
        }
        match polarity {
            Polarity::Deny => apart.push((one, other)),
            Polarity::Affirm => {
                let (left, right) = (class_of[&one].clone(), class_of[&other].clone());
                let parts = |(a, b): &(EntityRef, EntityRef)| {
                    (left.contains(a) && right.contains(b)) || (left.contains(b) && right.contains(a))
                };
                if left == right || apart.iter().any(parts) {
                    continue;
                }
                let joined: BTreeSet<EntityRef> = left.union(&right).cloned().collect();
                for member in &joined {
                    class_of.insert(member.clone(), joined.clone());
                }
            }
        }
    }
    let first = |class: &BTreeSet<EntityRef>| class.iter().min_by_key(ToString::to_string).cloned();
    class_of.iter().filter_map(|(entity, class)| Some((entity.clone(), first(class)?))).collect()
}

/// Returns the representative of an entity; its own where no decision names it.
pub fn representative(classes: &BTreeMap<EntityRef, EntityRef>, entity: &EntityRef) -> EntityRef {
    classes.get(entity).unwrap_or(entity).clone()
}

/// Returns a statement with its subject and an entity object replaced by their representatives; its id stays.
/// A statement of `same_as` comes back as it was.
pub fn mapped(classes: &BTreeMap<EntityRef, EntityRef>, statement: &Assertion) -> Assertion {
    let mut mapped = statement.clone();
    if statement.predicate != SAME_AS {
        mapped.subject = representative(classes, &statement.subject);
        mapped.object = statement.object.clone().map(|object| match object {
            Object::Entity(entity) => Object::Entity(representative(classes, &entity)),
            other => other,
        });
    }
    mapped
}

/// The latest statement of each unordered pair, from the latest to the earliest.
fn decisions(statements: &[&Assertion]) -> Vec<(EntityRef, EntityRef, Polarity)> {
    let mut sorted: Vec<&Assertion> = statements.to_vec();
    sorted.sort_by(|one, other| order(other, one));
    let mut decided = BTreeSet::new();
    let mut decisions = Vec::new();
    for statement in sorted {
        let Some((one, other)) = pair(statement) else {
            continue;
        };
        if decided.insert((one.clone(), other.clone())) {
            decisions.push((one, other, statement.polarity));
        }
    }
    decisions
}

fn pair(statement: &Assertion) -> Option<(EntityRef, EntityRef)> {
    let subject = statement.subject.clone();
    let object = statement.object.as_ref()?.entity()?.clone();
    if statement.predicate != SAME_AS || subject == object {
        return None;
    }
    Some(if subject < object { (subject, object) } else { (object, subject) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bygone_engine::time::Instant;
    use bygone_engine::wire::{Defaults, read_statement};

    fn decision(polarity: &str, one: &str, other: &str, day: u32) -> Assertion {
        let line = format!(
            r#"{{"subject":"person:{one}","predicate":"same_as","object":{{"entity":"person:{other}"}},
                "polarity":"{polarity}","known_at":"2024-01-{day:02}T00:00:00Z"}}"#
        );
        let defaults = Defaults { now: Instant::FIRST, document: "test".to_owned(), position: 0 };
        read_statement(&line, &defaults).expect(&line).assertion
    }

    /// Each decision is `A=B` or `A/B`, said one a day; the classes come as sorted texts.
    #[track_caller]
    fn check(decisions: &str, expected: &str) {
        let statements: Vec<Assertion> = (1..)
            .zip(decisions.split_whitespace())
            .map(|(day, text)| {
                let (polarity, sign) = if text.contains('=') { ("affirm", '=') } else { ("deny", '/') };
                let (one, other) = text.split_once(sign).expect("A=B or A/B");
                decision(polarity, one, other, day)
            })
            .collect();
        let mut members: BTreeMap<EntityRef, String> = BTreeMap::new();
        for (entity, first) in classes(&statements.iter().collect::<Vec<_>>()) {
            members.entry(first).or_default().push_str(entity.name());
        }
        let found: Vec<String> = members.into_values().collect();
        assert_eq!(found.join(" "), expected, "{decisions}");
    }

    #[test]
    fn a_merge_joins_and_its_split_undoes_it() {
        check("B=A", "AB");
        check("A=B B/A", "A B");
        check("A=B B/A A=B", "AB");
    }

    #[test]
    fn merges_chain_and_a_split_inside_a_chain_undoes_the_earliest_link() {
        check("A=B B=C", "ABC");
        check("A=B B=C A/C", "A BC");
        check("B=C A=B A/C", "AB C");
    }

    #[test]
    fn a_split_that_later_merges_contradict_gives_way() {
        check("A/C A=B B=C", "ABC");
        check("C=D A/C A=B B=C", "ABCD");
    }
}
