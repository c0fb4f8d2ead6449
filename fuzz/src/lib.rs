//! The fuzz targets: each program in `fuzz_targets/` is one entry of [`bygone_eval::fuzzed::TARGETS`], where what has to hold is
//! written down.

use bygone_eval::fuzzed::TARGETS;

/// Calls a target by its name.
///
/// # Panics
/// Where something does not hold, and where there is no such target.
pub fn check(name: &str, bytes: &[u8]) {
    let (_, check) = TARGETS.iter().find(|(target, _)| *target == name).expect("a target of this name");
    check(bytes);
}
