//! The rules that make what a query asks for cheaper to look up, one a file, in the order in which they are applied. Each
//! leaves the answer as it is.

mod conjuncts;
mod early;
mod enough;
mod found;
mod lookup;
mod order;

pub(super) use early::placed;
pub(super) use order::ordered;

use super::logical::Logical;

/// A rule on what a query asks for: its name, and what it does; it says whether it changed anything.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) apply: fn(&mut Logical) -> bool,
}

/// The rules, in their order.
pub(super) const RULES: [Rule; 4] = [
    Rule { name: "conjuncts apart", apply: conjuncts::apart },
    Rule { name: "names looked up", apply: lookup::looked_up },
    Rule { name: "searches first", apply: found::first },
    Rule { name: "stop at the limit", apply: enough::enough },
];
