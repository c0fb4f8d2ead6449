//! The laws of what the engine keeps to itself, keys and records, as functions of any bytes: each panics where a law does not
//! hold. Fuzzing and the tests that go through its corpora call them; nothing else may use them.

mod draw;
mod keys;
mod records;

pub use keys::check_keys;
pub use records::check_record;
