//! What holds of everything that comes from outside, whatever the bytes: one function a target, which panics where something
//! does not hold.
//!
//! The programs in `fuzz/` call them with bytes that a fuzzer makes up, and `eval/tests/corpora.rs` with the bytes that are
//! kept in `fuzz/corpus/`, a folder for each target.
//!
//! Does not know how inputs are found. Invariant: a target reads no clock, writes no file that outlives it, and does the same
//! for the same bytes.

mod queries;
mod statements;
mod times;
mod transcripts;

use bygone_engine::fuzzed::{check_keys, check_record};
use bygone_engine::time::{Instant, parse_moment};

/// Checks what has to hold of bytes, and panics where it does not.
pub type Check = fn(&[u8]);

/// Every target: its name, which is that of its folder and of its program, and its function.
pub const TARGETS: [(&str, Check); 6] = [
    ("queries", queries::check),
    ("transcripts", transcripts::check),
    ("statements", statements::check),
    ("keys", check_keys),
    ("records", check_record),
    ("times", times::check),
];

/// The present of every target.
fn now() -> Instant {
    parse_moment("2026-01-01T00:00:00Z").expect("a time").at
}
