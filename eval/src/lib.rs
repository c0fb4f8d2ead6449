//! Data sets, metrics and the checks that score a store.

pub mod answering;
pub mod baseline;
pub mod belief;
pub mod dataset;
mod error;
#[doc(hidden)]
pub mod fuzzed;
pub mod metric;
pub mod qa;
mod real;
pub mod retrieval;
pub mod run;
pub mod worlds;

pub use error::EvalError;
