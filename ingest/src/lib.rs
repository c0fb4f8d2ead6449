//! From transcripts to assertions: read, extract, ground, validate, record.

pub mod candidate;
pub mod extract;
pub mod ground;
mod identity;
pub mod pipeline;
pub mod read;
pub mod receipt;
pub mod redact;

pub use candidate::{Candidate, When};
pub use pipeline::{Document, Outcome, Plan, Progress, Refusal, Refused, ingest, preview};
pub use receipt::{MOST_LISTED, Notice, Receipt};
