//! What the statements of one group amount to: the contract's derivation, and nothing else.
//!
//! A pure function of the statements visible in a view. It does no I/O, reads no clock, and never looks at the order
//! in which statements arrive: everything is decided by valid time and by *precedence* (authority, known time,
//! position in the source, id), in which a greater rank is the "later" statement.
//!
//! ```text
//! statements ─ group ─┬─ state: ends → regions → sweep ─┐
//!                     ├─ event: occurrences             ├─ facts → contest
//!                     └─ rigid: latest undenied         ┘
//! ```

mod append;
mod contest;
mod cover;
mod denial;
mod ends;
mod event;
mod facts;
mod forms;
mod group;
mod regions;
mod rigid;
mod state;
mod stretch;

use bygone_engine::{Assertion, Fact};

pub use append::{append, renew};
pub use forms::forms;
pub use stretch::{added, facts_over};

use crate::definition::{Cardinality, Definition, TemporalKind};
use group::Group;

/// The version of the rules: to be raised when the same statements amount to other facts than before, so that stores
/// derive again what they keep.
pub(crate) const DERIVATION: u64 = 1;

/// Returns the facts that the statements of one group amount to, sorted by start and then object.
///
/// The statements share subject, predicate and key, in any order; objects that are one entity in the view are
/// already equal. Statements that take no part (planned, hypothetical) are passed over.
pub fn derive(definition: &Definition, statements: &[&Assertion]) -> Vec<Fact> {
    let group = Group::new(statements);
    let mut facts = match (definition.kind, definition.cardinality) {
        (TemporalKind::State, Cardinality::One) => state::facts(&group),
        (TemporalKind::State, Cardinality::Many) => group.by_object().iter().flat_map(state::facts).collect(),
        (TemporalKind::Event, _) => event::facts(&group),
        (TemporalKind::Rigid, cardinality) => rigid::facts(&group, cardinality),
    };
    if definition.kind != TemporalKind::Rigid {
        facts.extend(facts::undated(&group));
    }
    if definition.cardinality == Cardinality::One && definition.kind != TemporalKind::Event {
        contest::mark(definition.kind, &group, &mut facts);
    }
    facts::sort(facts)
}
