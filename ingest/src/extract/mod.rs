//! What turns say and show: extractors, each of which proposes candidates.

pub mod clause;
pub mod shown;
pub mod tool;
