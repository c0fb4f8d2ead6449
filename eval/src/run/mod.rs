//! What came of a run, question by question: a file that can be gone on with, read again, compared and reported.
//!
//! ```text
//! header          which data, which questions, what is measured and how, who made it
//! line            a question and a system: what was needed, what was found, and the scores
//! line …          in the order of the data set
//! ```
//!
//! Invariant: the header says all that the lines depend on, and what varies from machine to machine stands in it alone; so
//! two runs of one header are the same to the byte, and a file that somebody stopped writing is the first part of the whole.

pub mod compare;
pub mod file;
pub mod header;
pub mod line;
pub mod loaded;
pub mod report;

pub use file::Run;
pub use header::{Header, MadeBy, Measured, Task};
pub use line::{Line, Part};
pub use loaded::Loaded;
