//! Data sets, metrics and the checks that score a store.

pub mod belief;
