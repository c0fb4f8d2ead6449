//! From transcripts to assertions: read, extract, resolve, ground, validate, record.

pub mod candidate;
pub mod extract;
pub mod read;

pub use candidate::{Candidate, When};
