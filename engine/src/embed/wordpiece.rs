//! How many pieces a model would read a text as, and which: BERT's uncased word pieces, with the vocabulary in
//! `engine/model/`.
//!
//! The rules are those of google-research/bert, `tokenization.py`: control characters out, lower case without accents,
//! white space, punctuation and CJK characters part words, and each word is the longest pieces known, from its start.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The piece for what no piece fits.
pub const UNKNOWN: u32 = 100;

/// Words of more characters are one unknown piece.
const LONGEST_WORD: usize = 100;

/// A piece a line.
const LINES: &str = include_str!("../../model/vocab.txt");

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::read(LINES));

/// The pieces by their text. Those that go on within a word stand apart, without their mark `##`, so that a part of a
/// word is looked up as it lies there.
struct Vocabulary {
    starts: HashMap<&'static str, u32>,
    continuations: HashMap<&'static str, u32>,
    /// Bytes of the longest piece.
    longest: usize,
    n_pieces: usize,
}

impl Vocabulary {
    fn read(lines: &'static str) -> Vocabulary {
        let mut read =
            Vocabulary { starts: HashMap::new(), continuations: HashMap::new(), longest: 0, n_pieces: 0 };
        for (line, number) in lines.lines().zip(0..) {
            let (table, piece) = match line.strip_prefix("##") {
                Some(rest) => (&mut read.continuations, rest),
                None => (&mut read.starts, line),
            };
            table.insert(piece, number);
            read.longest = read.longest.max(piece.len());
            read.n_pieces += 1;
        }
        read
    }

    /// Returns the longest piece that a part of a word starts with, and its length in bytes.
    fn longest_at_start_of(&self, part: &str, is_start: bool) -> Option<(u32, usize)> {
        let table = if is_start { &self.starts } else { &self.continuations };
        let mut ends = (1..=part.len().min(self.longest)).rev();
        ends.find_map(|end| Some((*table.get(part.get(..end)?)?, end)))
    }
}

/// Returns how many pieces there are: every number of a piece is less.
pub fn n_pieces() -> usize {
    VOCABULARY.n_pieces
}

/// Returns the pieces in the order of their numbers; those that go on within a word start with `##`.
pub(super) fn vocabulary() -> impl Iterator<Item = &'static str> {
    LINES.lines()
}

/// Returns the numbers of the pieces that a text consists of, without the marks around a whole text.
///
/// A word that the vocabulary cannot spell is [`UNKNOWN`].
pub fn pieces(text: &str) -> Vec<u32> {
    let mut pieces = Vec::with_capacity(text.len() / 4);
    let mut word = String::new();
    for c in text.chars() {
        // Most text is ASCII, where a character is its own decomposition.
        if c.is_ascii() {
            push_char(c.to_ascii_lowercase(), &mut word, &mut pieces);
            continue;
        }
        for lower in c.to_lowercase() {
            // One character after the other is enough: what an order among several could change is marks, and those go.
            decompose_canonical(lower, |part| {
                if !is_combining_mark(part) {
                    push_char(part, &mut word, &mut pieces);
                }
            });
        }
    }
    end_word(&mut word, &mut pieces);
    pieces
}

fn push_char(c: char, word: &mut String, pieces: &mut Vec<u32>) {
    if c.is_ascii_alphanumeric() {
        word.push(c);
    } else if c.is_whitespace() {
        end_word(word, pieces);
    } else if is_punctuation(c) || is_ideograph(c) {
        end_word(word, pieces);
        push_word(c.encode_utf8(&mut [0; 4]), pieces);
    } else if c != char::REPLACEMENT_CHARACTER && !c.is_control() {
        word.push(c);
    }
}

fn end_word(word: &mut String, pieces: &mut Vec<u32>) {
    if !word.is_empty() {
        push_word(word, pieces);
        word.clear();
    }
}

fn push_word(word: &str, pieces: &mut Vec<u32>) {
    let before = pieces.len();
    let is_too_long = word.len() > LONGEST_WORD && word.chars().count() > LONGEST_WORD;
    let mut rest = if is_too_long { "" } else { word };
    let mut is_spelt = !is_too_long;
    while !rest.is_empty() {
        let Some((piece, length)) = VOCABULARY.longest_at_start_of(rest, rest.len() == word.len()) else {
            is_spelt = false;
            break;
        };
        pieces.push(piece);
        rest = &rest[length..];
    }
    if !is_spelt {
        pieces.truncate(before);
        pieces.push(UNKNOWN);
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
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let lines: Vec<&str> = include_str!("../../model/vocab.txt").lines().collect();
        let found: Vec<&str> = pieces(text).iter().map(|piece| lines[*piece as usize]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_are_the_longest_pieces_that_are_known() {
        check("unaffable", &["una", "##ffa", "##ble"]);
        check("Hello, World!", &["hello", ",", "world", "!"]);
        check("don't", &["don", "'", "t"]);
        check("a ## b", &["a", "#", "#", "b"]);
    }

    #[test]
    fn accents_and_case_do_not_count() {
        check("ÉCOLE café", &["ecole", "cafe"]);
    }

    #[test]
    fn ideographs_stand_alone_and_the_unknown_is_one_piece() {
        check("中国", &["中", "国"]);
        check("\u{1f980}", &["[UNK]"]);
        check("hi\u{1f980}", &["[UNK]"]);
        check(&"x".repeat(LONGEST_WORD + 1), &["[UNK]"]);
        assert_ne!(pieces(&"é".repeat(LONGEST_WORD)), [UNKNOWN], "characters count, not bytes");
    }

    #[test]
    fn nothing_has_no_pieces() {
        check(" \u{0}\t\n", &[]);
    }

    #[test]
    fn every_number_is_that_of_a_line() {
        assert_eq!(n_pieces(), 30_522);
        let zones = pieces("zones of the ～");
        assert!(zones.iter().all(|piece| (*piece as usize) < n_pieces()), "{zones:?}");
    }

    /// The rules once more, as plainly as they can be written: the whole text is decomposed, and every end of every
    /// part is looked up with its mark.
    fn plainly(text: &str) -> Vec<u32> {
        let vocabulary: HashMap<&str, u32> = include_str!("../../model/vocab.txt").lines().zip(0..).collect();
        let mut words = vec![String::new()];
        for c in text.chars().flat_map(char::to_lowercase).nfd().filter(|c| !is_combining_mark(*c)) {
            if c == '\0' || c == char::REPLACEMENT_CHARACTER || (c.is_control() && !c.is_whitespace()) {
                continue;
            }
            if c.is_whitespace() {
                words.push(String::new());
            } else if is_punctuation(c) || is_ideograph(c) {
                words.extend([c.to_string(), String::new()]);
            } else {
                words.last_mut().unwrap().push(c);
            }
        }
        let spell = |word: &String| {
            let chars: Vec<char> = word.chars().collect();
            let mut spelt = Vec::new();
            let mut start = 0;
            while start < chars.len() && chars.len() <= 100 {
                let mark = if start > 0 { "##" } else { "" };
                let found = (start + 1..=chars.len()).rev().find_map(|end| {
                    let part: String = chars[start..end].iter().collect();
                    Some((*vocabulary.get(format!("{mark}{part}").as_str())?, end))
                });
                let Some((piece, end)) = found else { break };
                spelt.push(piece);
                start = end;
            }
            if start < chars.len() { vec![vocabulary["[UNK]"]] } else { spelt }
        };
        words.iter().flat_map(spell).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_short_way_gives_what_the_rules_say(
            text in "(\\PC|[a-z]{1,12}|[A-Z]{1,4}|[ \\t\u{0}\u{301}\u{323}\u{fffd}]|[äÖéñİßſΣς가중々、。！’…#-]|[[:any:]]){0,60}"
        ) {
            prop_assert_eq!(pieces(&text), plainly(&text));
        }
    }
}
