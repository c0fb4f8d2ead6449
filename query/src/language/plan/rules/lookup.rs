//! A node that must be one of the entities which a name means is looked up, and not looked for.

use crate::language::plan::logical::{Known, Logical};
use crate::language::plan::term::Term;

/// Turns conditions on the name or the id of a node into the place where it is found.
pub(super) fn looked_up(logical: &mut Logical) -> bool {
    let mut is_changed = false;
    let nodes = &mut logical.nodes;
    logical.conditions.retain(|condition| {
        let Term::OneOf(slot, entities) = &condition.term else { return true };
        let Some(node) = nodes.iter_mut().find(|node| node.slot == *slot) else { return true };
        is_changed = true;
        node.place = Some(match node.place.take() {
            Some(Known::Entities(known)) => Known::Entities(&known & entities),
            Some(Known::Found(_)) | None => Known::Entities(entities.clone()),
        });
        false
    });
    is_changed
}
