//! What a log amounts to in a view, over all groups.

use std::collections::BTreeMap;

use bygone_engine::{Assertion, EntityRef, View};
use bygone_ontology::Definition;

use super::classes::{SAME_AS, classes, mapped};
use super::naive::{Stretch, segments};
use super::visible::{Recorded, visible};

/// What derivation never crosses: subject, predicate and key.
pub type Group = (EntityRef, String, String);

/// Returns the stretches of every group of a log in a view. Subjects and objects are representatives; groups in which
/// nothing holds, and predicates without a definition, are left out.
pub fn believed(definitions: &[Definition], log: &[Recorded], view: &View) -> BTreeMap<Group, Vec<Stretch>> {
    let seen = visible(log, view);
    let classes = classes(&seen);
    let mut groups: BTreeMap<Group, Vec<Assertion>> = BTreeMap::new();
    for statement in seen.iter().filter(|statement| statement.predicate != SAME_AS) {
        let statement = mapped(&classes, statement);
        let group = (statement.subject.clone(), statement.predicate.clone(), statement.key.clone());
        groups.entry(group).or_default().push(statement);
    }
    let mut believed = BTreeMap::new();
    for (group, statements) in groups {
        let Some(definition) = definitions.iter().find(|definition| definition.id == group.1) else {
            continue;
        };
        let stretches = segments(definition, &statements.iter().collect::<Vec<_>>());
        if !stretches.is_empty() {
            believed.insert(group, stretches);
        }
    }
    believed
}
