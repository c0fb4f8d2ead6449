//! A turn, an entity or a fact that a search must find is taken from what the search finds. The condition stays: what starts elsewhere
//! looks at it, too.

use crate::language::plan::logical::{Known, Logical};
use crate::language::plan::term::{How, Term};

/// Lets searches that have to find something be where it is looked for.
pub(super) fn first(logical: &mut Logical) -> bool {
    let mut is_changed = false;
    for condition in &logical.conditions {
        let Term::Found(search) = &condition.term else { continue };
        if search.how == How::Score {
            continue;
        }
        let node = logical.nodes.iter_mut().find(|node| node.slot == search.slot);
        if let Some(node) = node.filter(|node| node.place.is_none()) {
            node.place = Some(Known::Found(search.clone()));
            is_changed = true;
        }
        let link = logical.links.iter_mut().find(|link| link.slot == search.slot && link.hops.is_none());
        if let Some(link) = link.filter(|link| link.found.is_none()) {
            link.found = Some(search.clone());
            is_changed = true;
        }
    }
    is_changed
}
