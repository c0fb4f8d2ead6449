//! Fuzzes `statements`, an entry of `bygone_eval::fuzzed::TARGETS`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bygone_fuzz::check("statements", bytes));
