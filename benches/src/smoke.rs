//! Whether a bench measures, or only shows that it still runs: `cargo bench -- --test`, as criterion has it.

/// Says whether it only shows that it runs.
#[expect(
    clippy::disallowed_methods,
    reason = "benches are run by hand and by the smoke test of scripts/bench-smoke"
)]
pub fn is_on() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

/// Returns a number of things: the whole, or few of them where the bench only shows that it runs.
pub fn sized(whole: u64, few: u64) -> u64 {
    if is_on() { few } else { whole }
}
