//! Which words a text is found by: word boundaries of Unicode, lower case, English stems, no stop words.
//!
//! Does not know languages other than English: words of others are kept as they stand. Invariant: a text to be found and
//! a text looked for pass through the same function.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// The version of the rules here. An index that was made by others is made again.
pub(super) const VERSION: u32 = 1;

/// The longest word that is kept, in bytes: what is longer is data, not speech.
const LONGEST: usize = 96;

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// Words that stand in most English sentences and tell none from another, sorted. The list is the closed classes of the
/// language: articles, pronouns, prepositions, conjunctions, auxiliaries, and the words that open questions.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "after",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "aren't",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "but",
    "by",
    "can",
    "can't",
    "could",
    "couldn't",
    "did",
    "didn't",
    "do",
    "does",
    "doesn't",
    "doing",
    "don't",
    "during",
    "for",
    "from",
    "had",
    "hadn't",
    "has",
    "hasn't",
    "have",
    "haven't",
    "having",
    "he",
    "he'd",
    "he'll",
    "he's",
    "her",
    "here",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "how",
    "i",
    "i'd",
    "i'll",
    "i'm",
    "i've",
    "if",
    "in",
    "into",
    "is",
    "isn't",
    "it",
    "it'd",
    "it'll",
    "it's",
    "its",
    "itself",
    "just",
    "let's",
    "me",
    "might",
    "mine",
    "must",
    "my",
    "myself",
    "no",
    "nor",
    "not",
    "of",
    "off",
    "on",
    "or",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "shall",
    "she",
    "she'd",
    "she'll",
    "she's",
    "should",
    "shouldn't",
    "so",
    "some",
    "such",
    "than",
    "that",
    "that's",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "there's",
    "these",
    "they",
    "they'd",
    "they'll",
    "they're",
    "they've",
    "this",
    "those",
    "through",
    "to",
    "too",
    "up",
    "us",
    "very",
    "was",
    "wasn't",
    "we",
    "we'd",
    "we'll",
    "we're",
    "we've",
    "were",
    "weren't",
    "what",
    "what's",
    "when",
    "when's",
    "where",
    "where's",
    "which",
    "while",
    "who",
    "who's",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "won't",
    "would",
    "wouldn't",
    "you",
    "you'd",
    "you'll",
    "you're",
    "you've",
    "your",
    "yours",
    "yourself",
    "yourselves",
];

/// Hands on the words that a text is found by, in order; a name with dots or underscores in it (`main.rs`,
/// `cursor_get`) whole, and then its parts.
pub(super) fn each_word(text: &str, mut take: impl FnMut(String)) {
    // Most text is in this form already, and the test is cheap.
    let composed: String;
    let text = if unicode_normalization::is_nfkc(text) {
        text
    } else {
        composed = text.nfkc().collect();
        &composed
    };
    for word in text.unicode_words() {
        if word.len() > LONGEST {
            continue;
        }
        let word = word.to_lowercase().replace('\u{2019}', "'");
        if STOP_WORDS.binary_search(&word.as_str()).is_ok() {
            continue;
        }
        let is_joined = word.contains(['_', '.', ':']);
        if is_joined {
            for part in word.split(['_', '.', ':']).filter(|part| !part.is_empty()) {
                if STOP_WORDS.binary_search(&part).is_err() {
                    take(stem(part));
                }
            }
            take(word);
        } else {
            take(stem(&word));
        }
    }
}

/// Returns the words that a text is found by, in order.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word));
    words
}

fn stem(word: &str) -> String {
    ENGLISH.stem(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(words(text).join(" "), expected, "{text}");
    }

    #[test]
    fn words_are_lowered_stemmed_and_without_stop_words() {
        check("She was painting the paintings!", "paint paint");
        check("What did Anna's dogs do on 8 May, 2023?", "anna dog 8 may 2023");
        check("I don\u{2019}t; we\u{2019}ve", "");
        check("", "");
    }

    #[test]
    fn names_of_things_in_code_are_kept_whole_and_in_parts() {
        check(
            "edit src/main.rs, then call cursor_get()",
            "edit src main rs main.rs call cursor get cursor_get",
        );
    }

    #[test]
    fn forms_of_one_letter_are_one() {
        check("ﬁve Ⅳ ÉCOLE école", "five iv école école");
    }

    #[test]
    fn blobs_are_no_words() {
        check(&format!("key {}", "x".repeat(LONGEST + 1)), "key");
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }
}
