//! The tests of ingestion, in one program: each more takes as long to link as the whole.

mod clauses;
mod codex;
mod common;
mod cut_off;
mod every_format;
mod hostile;
mod layouts;
mod merges;
mod names;
mod no_panic;
mod read;
mod spaces;
mod tools;
