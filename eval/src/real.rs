//! Counts as real numbers.

/// Returns a count as a real number.
#[expect(clippy::cast_precision_loss, reason = "nothing is counted here of which there are 2^52")]
pub(crate) fn real(count: usize) -> f64 {
    count as f64
}

/// Keeps six decimals: more are noise to a reader.
pub(crate) fn rounded(mean: f64) -> f64 {
    (mean * 1e6).round() / 1e6
}
