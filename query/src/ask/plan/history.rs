//! HISTORY: everything that held of something, in the order in which it was so.

use bygone_engine::StoreError;

use super::super::respond::{Response, Sight};
use super::anchor::nothing;
use super::selection::{Selection, deed_lines, unique, value_lines};

/// Answers with every value that a selection has, by its start.
pub(super) fn answer(sight: Sight<'_>, of: &Selection) -> Result<Response, StoreError> {
    let found = unique(of.found.clone());
    let Some(first) = found.first() else {
        return Ok(nothing(of.missing()));
    };
    let is_one = found.iter().all(|other| other.row.group.predicate == first.row.group.predicate);
    let lines = if is_one { value_lines(sight, &found)? } else { deed_lines(sight, &found, false)? };
    sight.respond(format!("{lines}."), true, found)
}
