//! How many pieces a model would read a text as, and which: BERT's uncased word pieces, with the vocabulary in
//! `engine/model/`.
//!
//! The rules are those of google-research/bert, `tokenization.py`: control characters out, lower case without accents,
//! white space, punctuation and CJK characters part words, and each word is the longest pieces known, from its start.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The piece for what no piece of the built-in vocabulary fits.
pub const UNKNOWN: u32 = 100;

/// Words of more characters are one unknown piece.
const LONGEST_WORD: usize = 100;

/// A piece a line.
const LINES: &str = include_str!("../../model/vocab.txt");

static BUILT_IN: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::of(LINES.lines().map(Cow::Borrowed), UNKNOWN));

/// Returns how many pieces the built-in vocabulary has: every number of a piece is less.
pub fn n_pieces() -> usize {
    BUILT_IN.n_pieces
}

/// Returns the numbers of the pieces of the built-in vocabulary that a text consists of, without the marks around a
/// whole text.
///
/// A word that the vocabulary cannot spell is [`UNKNOWN`].
pub fn pieces(text: &str) -> Vec<u32> {
    BUILT_IN.pieces(text)
}

/// The pieces by their text. Those that go on within a word stand apart, without their mark `##`, so that a part of a
/// word is looked up as it lies there.
pub(super) struct Vocabulary {
    starts: HashMap<Cow<'static, str>, u32>,
    continuations: HashMap<Cow<'static, str>, u32>,
    /// Bytes of the longest piece.
    longest: usize,
    n_pieces: usize,
    unknown: u32,
}

impl Vocabulary {
    /// Takes the lines of a vocabulary; a piece's number is that of its line, from 0.
    fn of(lines: impl Iterator<Item = Cow<'static, str>>, unknown: u32) -> Vocabulary {
        let (mut starts, mut continuations) = (HashMap::new(), HashMap::new());
        let (mut longest, mut n_pieces) = (0, 0);
        for (line, number) in lines.zip(0..) {
            longest = longest.max(line.len());
            n_pieces += 1;
            let rest = match &line {
                Cow::Borrowed(line) => line.strip_prefix("##").map(Cow::Borrowed),
                Cow::Owned(line) => line.strip_prefix("##").map(|rest| Cow::Owned(rest.to_owned())),
            };
            match rest {
                Some(rest) => continuations.insert(rest, number),
                None => starts.insert(line, number),
            };
        }
        Vocabulary { starts, continuations, longest, n_pieces, unknown }
    }

    /// Reads a vocabulary file: a piece a line.
    #[cfg(feature = "onnx")]
    pub(super) fn parse(file: &str) -> Result<Vocabulary, &'static str> {
        let mut vocabulary = Vocabulary::of(file.lines().map(|line| Cow::Owned(line.to_owned())), UNKNOWN);
        vocabulary.unknown = vocabulary.number("[UNK]").ok_or("it has no piece [UNK]")?;
        let is_cased =
            |piece: &str| !piece.starts_with('[') && piece.contains(|c: char| c.is_ascii_uppercase());
        if file.lines().any(is_cased) {
            return Err("it has pieces in upper case, and texts are read in lower case");
        }
        Ok(vocabulary)
    }

    /// Returns the number of a piece that can start a word.
    #[cfg(feature = "onnx")]
    pub(super) fn number(&self, piece: &str) -> Option<u32> {
        self.starts.get(piece).copied()
    }

    /// Returns the piece for what no piece fits.
    #[cfg(feature = "onnx")]
    pub(super) fn unknown(&self) -> u32 {
        self.unknown
    }

    /// Returns the numbers of the pieces that a text consists of.
    pub(super) fn pieces(&self, text: &str) -> Vec<u32> {
        let mut spelling =
            Spelling { vocabulary: self, word: String::new(), pieces: Vec::with_capacity(text.len() / 4) };
        for c in text.chars() {
            // Most text is ASCII, where a character is its own decomposition.
            if c.is_ascii() {
                spelling.push(c.to_ascii_lowercase());
                continue;
            }
            for lower in c.to_lowercase() {
                // One character after the other is enough: what an order among several could change is marks, and
                // those go.
                decompose_canonical(lower, |part| {
                    if !is_combining_mark(part) {
                        spelling.push(part);
                    }
                });
            }
        }
        spelling.end_word();
        spelling.pieces
    }

    /// Returns the longest piece that a part of a word starts with, and its length in bytes.
    fn longest_at_start_of(&self, part: &str, is_start: bool) -> Option<(u32, usize)> {
        let table = if is_start { &self.starts } else { &self.continuations };
        let mut ends = (1..=part.len().min(self.longest)).rev();
        ends.find_map(|end| Some((*table.get(part.get(..end)?)?, end)))
    }
}

/// A text on its way to pieces.
struct Spelling<'a> {
    vocabulary: &'a Vocabulary,
    /// What is read of the current word.
    word: String,
    /// The pieces of the words before it.
    pieces: Vec<u32>,
}

/// Returns the pieces in the order of their numbers; those that go on within a word start with `##`.
pub(super) fn vocabulary() -> impl Iterator<Item = &'static str> {
    LINES.lines()
}

impl Spelling<'_> {
    fn push(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.word.push(c);
        } else if c.is_whitespace() {
            self.end_word();
        } else if is_punctuation(c) || is_ideograph(c) {
            self.end_word();
            self.word.push(c);
            self.end_word();
        } else if c != char::REPLACEMENT_CHARACTER && !c.is_control() {
            self.word.push(c);
        }
    }

    fn end_word(&mut self) {
        let before = self.pieces.len();
        let word = self.word.as_str();
        let is_too_long = word.len() > LONGEST_WORD && word.chars().count() > LONGEST_WORD;
        let mut rest = word;
        while !rest.is_empty() {
            let found = self.vocabulary.longest_at_start_of(rest, rest.len() == word.len());
            let Some((piece, length)) = found.filter(|_| !is_too_long) else {
                self.pieces.truncate(before);
                self.pieces.push(self.vocabulary.unknown);
                break;
            };
            self.pieces.push(piece);
            rest = &rest[length..];
        }
        self.word.clear();
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
