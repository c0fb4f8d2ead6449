//! Conditions that all have to be true are looked at one by one, so that each can be where it belongs.

use crate::language::ast::Expression;
use crate::language::plan::logical::{Condition, Logical};
use crate::language::plan::term::Term;

/// Takes conjunctions apart.
pub(super) fn apart(logical: &mut Logical) -> bool {
    let mut is_changed = false;
    let mut apart = Vec::new();
    let mut whole = std::mem::take(&mut logical.conditions);
    whole.reverse();
    while let Some(Condition { term, said }) = whole.pop() {
        match (term, said) {
            (Term::And(terms), Expression::And(parts)) => {
                is_changed = true;
                let pairs = terms.into_iter().zip(parts);
                whole.extend(pairs.rev().map(|(term, said)| Condition { term, said }));
            }
            (term, said) => apart.push(Condition { term, said }),
        }
    }
    logical.conditions = apart;
    is_changed
}
