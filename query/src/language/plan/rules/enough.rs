//! Where rows come out as they are found, nothing is looked up beyond those that are wanted.

use crate::language::plan::logical::Logical;

/// Stops at the limit where rows are neither sorted nor brought together.
pub(super) fn enough(logical: &mut Logical) -> bool {
    let output = &mut logical.output;
    if output.counts() || !output.order.is_empty() {
        return false;
    }
    output.enough = output.limit.map(|limit| limit.saturating_add(output.skip));
    output.enough.is_some()
}
