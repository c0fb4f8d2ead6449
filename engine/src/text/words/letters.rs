//! The form in which letters are compared: one code for one letter, lower case, and no accents.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Returns the text in the compatibility form NFKC, with one apostrophe, one hyphen, and nothing that cannot be seen.
pub(super) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let is_odd = |c: char| is_unseen(c) || plain(c) != c;
    if unicode_normalization::is_nfkc(text) && !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfkc().filter(|&c| !is_unseen(c)).map(plain).collect())
}

/// Soft hyphens, joiners, and marks of order and direction.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn plain(c: char) -> char {
    match c {
        '\u{2019}' | '\u{2bc}' => '\'',
        '\u{2010}' | '\u{2011}' => '-',
        other => other,
    }
}

/// Puts the word into lower case; `is_turkish` says whether the capital of "ı" is "I".
pub(super) fn lower(word: &str, is_turkish: bool) -> String {
    if is_turkish && word.contains(['I', '\u{130}']) {
        return word.replace('I', "ı").replace('\u{130}', "i").to_lowercase();
    }
    if word.is_ascii() { word.to_ascii_lowercase() } else { word.to_lowercase() }
}

/// Returns a word without the accents of Latin and Greek letters, and with letters of their own where two are written as
/// one. Marks of other scripts are letters by themselves and stay.
pub(super) fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut folded = String::with_capacity(word.len());
    let mut has_accents = false;
    for c in word.chars() {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            'ё' => folded.push('е'),
            // Accents that no letter was composed with.
            '\u{300}'..='\u{36f}' if has_accents => {}
            '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{3ff}' | '\u{1e00}'..='\u{1fff}' => {
                decompose_canonical(c, |part| {
                    if !is_combining_mark(part) {
                        folded.push(part);
                    }
                });
            }
            other => folded.push(other),
        }
        has_accents = matches!(c, 'a'..='z' | '\u{c0}'..='\u{3ff}' | '\u{1e00}'..='\u{1fff}');
    }
    Cow::Owned(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_of_latin_and_greek_letters_do_not_count() {
        for (word, expected) in [
            ("café", "cafe"),
            ("søren", "soren"),
            ("straße", "strasse"),
            ("œuvre", "oeuvre"),
            ("łódź", "lodz"),
            ("việt", "viet"),
            ("λόγος", "λογοσ"),
            ("x\u{302}\u{301}y", "xy"),
        ] {
            assert_eq!(folded(word), expected, "{word}");
        }
    }

    #[test]
    fn marks_that_make_another_letter_stay() {
        for word in ["が", "й", "हिन्दी", "தமிழ்", "ไทย"] {
            assert_eq!(folded(word), word);
        }
    }

    #[test]
    fn letters_have_one_code_and_what_is_not_seen_is_not_there() {
        assert_eq!(composed("ﬁne co\u{ad}operate don\u{2019}t e\u{2010}mail"), "fine cooperate don't e-mail");
    }
}
