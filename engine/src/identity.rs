//! Which entities are one in a view: a pure function of the `same_as` statements visible there.
//!
//! For each pair only its latest statement in precedence counts. The pairs are decided from the latest back: a denial
//! keeps its two entities apart from then on; an affirm joins their classes unless that would bring two together that
//! a later denial keeps apart. So a split undoes a merge and a merge a split, in whatever order they arrive.

use std::collections::BTreeMap;

use crate::assertion::{Assertion, Polarity, precedence};
use crate::entity::EntityRef;

/// The predicate that says two entities are one.
pub const SAME_AS: &str = "same_as";
/// The predicate that says two entities may be one: it merges nothing.
pub const MAYBE_SAME: &str = "maybe_same";
/// The predicate that gives an entity another name.
pub const ALIAS: &str = "alias";
/// The predicate that gives an entity its name.
pub const NAME: &str = "name";

/// The classes of entities that are one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Only entities that are the same as another one.
    representatives: BTreeMap<EntityRef, EntityRef>,
    members: BTreeMap<EntityRef, Vec<EntityRef>>,
}

impl Identity {
    /// Returns the classes that the visible `same_as` statements amount to; other statements are passed over.
    pub fn new(statements: &[&Assertion]) -> Identity {
        let mut decisions: BTreeMap<(&EntityRef, &EntityRef), &Assertion> = BTreeMap::new();
        for &statement in statements.iter().filter(|s| s.predicate == SAME_AS && s.counts()) {
            let Some(object) = statement.object.as_ref().and_then(|object| object.entity()) else {
                continue;
            };
            let pair = if statement.subject <= *object {
                (&statement.subject, object)
            } else {
                (object, &statement.subject)
            };
            let decision = decisions.entry(pair).or_insert(statement);
            if precedence(decision, statement).is_lt() {
                *decision = statement;
            }
        }
        let mut latest_first: Vec<_> = decisions.into_iter().collect();
        latest_first.sort_by(|(_, one), (_, other)| precedence(other, one));
        let mut classes = Classes::default();
        let mut apart: Vec<(&EntityRef, &EntityRef)> = Vec::new();
        for ((one, other), decision) in latest_first {
            match decision.polarity {
                Polarity::Deny => apart.push((one, other)),
                Polarity::Affirm => classes.join_unless_apart(one, other, &apart),
            }
        }
        classes.into_identity()
    }

    /// Returns the entity that stands for the class of this one: the first of the class by `type:Name`.
    pub fn representative<'a>(&'a self, entity: &'a EntityRef) -> &'a EntityRef {
        self.representatives.get(entity).unwrap_or(entity)
    }

    /// Returns every entity that is the same as this one, itself included, in order.
    pub fn members(&self, entity: &EntityRef) -> Vec<EntityRef> {
        let representative = self.representative(entity);
        self.members.get(representative).cloned().unwrap_or_else(|| vec![entity.clone()])
    }

    /// Returns the entities that are the same as another one.
    pub fn merged(&self) -> impl Iterator<Item = &EntityRef> {
        self.representatives.keys()
    }

    /// Says whether every entity stands for itself alone.
    pub fn is_trivial(&self) -> bool {
        self.representatives.is_empty()
    }
}

#[derive(Default)]
struct Classes<'a> {
    class_of: BTreeMap<&'a EntityRef, usize>,
    members: Vec<Vec<&'a EntityRef>>,
}

impl<'a> Classes<'a> {
    fn class(&mut self, entity: &'a EntityRef) -> usize {
        *self.class_of.entry(entity).or_insert_with(|| {
            self.members.push(vec![entity]);
            self.members.len() - 1
        })
    }

    fn join_unless_apart(
        &mut self,
        one: &'a EntityRef,
        other: &'a EntityRef,
        apart: &[(&'a EntityRef, &'a EntityRef)],
    ) {
        let (one, other) = (self.class(one), self.class(other));
        let class_of = |entity: &EntityRef| self.class_of.get(entity).copied();
        let kept_apart = apart.iter().any(|(a, b)| {
            let pair = (class_of(a), class_of(b));
            pair == (Some(one), Some(other)) || pair == (Some(other), Some(one))
        });
        if one == other || kept_apart {
            return;
        }
        let moved = std::mem::take(&mut self.members[other]);
        for entity in &moved {
            self.class_of.insert(entity, one);
        }
        self.members[one].extend(moved);
    }

    fn into_identity(self) -> Identity {
        let mut identity = Identity::default();
        for mut class in self.members.into_iter().filter(|class| class.len() > 1) {
            class.sort();
            let representative = class[0];
            for &entity in &class {
                identity.representatives.insert(entity.clone(), representative.clone());
            }
            identity.members.insert(representative.clone(), class.into_iter().cloned().collect());
        }
        identity
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Instant;
    use crate::wire::{Defaults, read_statement};

    /// Each decision is `A+B` (the same) or `A-B` (not the same); later in the list is later in precedence.
    #[track_caller]
    fn check(decisions: &str, classes: &str) {
        let statements: Vec<Assertion> = decisions
            .split_whitespace()
            .enumerate()
            .map(|(idx, decision)| {
                let affirm = decision.contains('+');
                let (one, other) = decision.split_once(['+', '-']).expect("a decision");
                let polarity = if affirm { "affirm" } else { "deny" };
                let line = format!(
                    r#"{{"subject":"person:{one}","predicate":"same_as","object":{{"entity":"person:{other}"}},
                    "polarity":"{polarity}","known_at":"2024-01-01T00:00:00Z","source":"d#{idx}"}}"#
                );
                let now = Instant::from_micros(0).expect("ordinary");
                let defaults = Defaults { now, document: String::new(), position: 0 };
                read_statement(&line, &defaults).expect("a statement").assertion
            })
            .collect();
        for reversed in [false, true] {
            let mut order: Vec<&Assertion> = statements.iter().collect();
            if reversed {
                order.reverse();
            }
            let found: Vec<String> = Identity::new(&order)
                .members
                .values()
                .map(|class| class.iter().map(EntityRef::name).collect::<String>())
                .collect();
            assert_eq!(found.join(" "), classes, "{decisions}");
        }
    }

    #[test]
    fn merges_and_splits_undo_each_other() {
        check("A+B", "AB");
        check("B+A", "AB");
        check("A+B A-B", "");
        check("A-B A+B", "AB");
        check("A+B B+C", "ABC");
        check("A+B C+D B+C", "ABCD");
        check("A+B B+C A-C", "BC");
        check("A+B B+C A-C A+C", "ABC");
        check("A+B B+C A+D A-C", "AD BC");
    }
}
