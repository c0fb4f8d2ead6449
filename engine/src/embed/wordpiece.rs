//! How many pieces a model would read a text as: BERT's uncased word pieces, with the vocabulary in `engine/model/`.
//!
//! The rules are those of google-research/bert, `tokenization.py`: control characters out, lower case without accents,
//! white space, punctuation and CJK characters part words, and each word is the longest pieces known, from its start.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

static VOCABULARY: LazyLock<BTreeMap<&'static str, u32>> =
    LazyLock::new(|| include_str!("../../model/vocab.txt").lines().zip(0..).collect());

/// Words of more characters are one unknown piece.
const LONGEST: usize = 100;
/// The piece for what no piece fits.
const UNKNOWN: &str = "[UNK]";

/// Returns the numbers of the pieces that a text consists of, without the marks around a whole text.
///
/// # Panics
/// Never: the vocabulary has a piece for what is unknown.
pub fn pieces(text: &str) -> Vec<u32> {
    let mut pieces = Vec::new();
    let mut word = String::new();
    for c in text.chars().flat_map(char::to_lowercase).nfd().filter(|c| !is_combining_mark(*c)) {
        if c == '\0' || c == char::REPLACEMENT_CHARACTER || (c.is_control() && !c.is_whitespace()) {
            continue;
        }
        if c.is_whitespace() || is_punctuation(c) || is_ideograph(c) {
            push_word(&word, &mut pieces);
            word.clear();
            if !c.is_whitespace() {
                push_word(c.encode_utf8(&mut [0; 4]), &mut pieces);
            }
        } else {
            word.push(c);
        }
    }
    push_word(&word, &mut pieces);
    pieces
}

fn push_word(word: &str, pieces: &mut Vec<u32>) {
    if word.is_empty() {
        return;
    }
    let before = pieces.len();
    let mut start = 0;
    while start < word.len() && word.chars().count() <= LONGEST {
        let ends = word[start..].char_indices().map(|(at, c)| start + at + c.len_utf8());
        let longest = ends.rev().find_map(|end| {
            let mark = if start > 0 { "##" } else { "" };
            let piece = VOCABULARY.get(format!("{mark}{}", &word[start..end]).as_str())?;
            Some((*piece, end))
        });
        let Some((piece, end)) = longest else { break };
        pieces.push(piece);
        start = end;
    }
    if start < word.len() {
        pieces.truncate(before);
        pieces.push(VOCABULARY[UNKNOWN]);
    }
}

/// Every ASCII character that is no letter and no digit, and the punctuation of other blocks that is in common use.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c,
            '¡' | '§' | '«' | '¶' | '·' | '»' | '¿'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}'
            | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
            | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff3d}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let expected: Vec<u32> = expected.iter().map(|piece| VOCABULARY[piece]).collect();
        assert_eq!(pieces(text), expected, "{text}");
    }

    #[test]
    fn words_are_the_longest_pieces_that_are_known() {
        check("unaffable", &["una", "##ffa", "##ble"]);
        check("Hello, World!", &["hello", ",", "world", "!"]);
        check("don't", &["don", "'", "t"]);
    }

    #[test]
    fn accents_and_case_do_not_count() {
        check("ÉCOLE café", &["ecole", "cafe"]);
    }

    #[test]
    fn ideographs_stand_alone_and_the_unknown_is_one_piece() {
        check("中国", &["中", "国"]);
        check("\u{1f980}", &[UNKNOWN]);
        check(&"x".repeat(LONGEST + 1), &[UNKNOWN]);
    }

    #[test]
    fn nothing_has_no_pieces() {
        check(" \u{0}\t\n", &[]);
    }
}
