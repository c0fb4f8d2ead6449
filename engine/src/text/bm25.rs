//! BM25: how much a word tells of a document.
//!
//! ```text
//! rarity(N, n)  = ln(1 + (N - n + 0.5) / (n + 0.5))          N documents, n of them with the word
//! worth(c, l)   = c·(k + 1) / (c + k·(1 - b + b·l))          said c times in a document l times as long as the mean
//! ```
//!
//! Formula: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3, with the
//! inverse document frequency kept above zero by adding one inside the logarithm.

/// How soon repeating a word adds no more: k.
pub(super) const SATURATION: f64 = 1.2;
/// How much long turns are held back, 0 to 1: b. Chosen by evidence recall on conversations: `docs/search.md`.
pub(super) const TURN_LENGTH: f64 = 0.4;
/// The same of sessions, which are of very different lengths. The usual value.
pub(super) const SESSION_LENGTH: f64 = 0.75;
/// The most that a word can be worth, however often it is said.
pub(super) const MOST: f64 = SATURATION + 1.0;

/// Returns how much a word tells, by how few documents have it.
pub(crate) fn rarity(n_documents: u64, n_with_word: u64) -> f64 {
    let (documents, with_word) = (float(n_documents), float(n_with_word));
    (1.0 + (documents - with_word + 0.5) / (with_word + 0.5)).ln()
}

/// Returns how much a word is worth that is said `count` times in a document `length` times as long as the mean.
pub(super) fn worth(count: f64, length: f64, length_weight: f64) -> f64 {
    count * MOST / (count + SATURATION * (1.0 - length_weight + length_weight * length))
}

/// Documents are numbered with 32 bits, and so are the words of each: their sums are exact.
#[expect(clippy::cast_precision_loss, reason = "no count comes near 2^53")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}
