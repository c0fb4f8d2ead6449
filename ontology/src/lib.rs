//! What predicates, types and time words mean. Pure: no I/O, no clock.

pub mod definition;
pub mod timex;

pub use definition::{Cardinality, Definition, TemporalKind};
