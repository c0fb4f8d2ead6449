//! Scripts that put no space between words: their texts are found by every two characters that stand side by side.
//!
//! Pairs need no dictionary, find every word of two characters or more, and order what they find by how much of the word
//! is there. Source: the same is done by the CJK analyzers of Lucene (`CJKBigramFilter`).

use unicode_normalization::char::is_combining_mark;

use super::read::Word;

/// Says whether the character is a letter or a vowel sign of such a script. Korean has spaces, but writes its particles
/// onto its nouns.
pub(super) fn is_unspaced(c: char) -> bool {
    let of_script = matches!(c,
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{f00}'..='\u{fff}' // Tibetan
        | '\u{1000}'..='\u{109f}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' // Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // Hiragana, Katakana
        | '\u{3100}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' // Bopomofo
        | '\u{ac00}'..='\u{d7af}' // Hangul
        | '\u{a000}'..='\u{a48f}' // Yi
    );
    is_ideograph(c) || (of_script && !c.is_numeric() && (c.is_alphabetic() || is_combining_mark(c)))
}

/// Says whether the character can be a word by itself.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// Hands on the pairs of a run of characters; one that stands alone as it is. Characters that can be words stand beside
/// them for those who look for one alone, and are not looked for themselves.
pub(super) fn each_pair(run: &str, take: &mut impl FnMut(Word<'_>)) {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    if let [start, end] = starts[..] {
        take(Word { text: &run[start..end], is_counted: true, weight: 1.0 });
        return;
    }
    for ends in starts.windows(2) {
        let single = &run[ends[0]..ends[1]];
        if single.starts_with(is_ideograph) {
            take(Word { text: single, is_counted: false, weight: 0.0 });
        }
    }
    for ends in starts.windows(3) {
        take(Word { text: &run[ends[0]..ends[2]], is_counted: true, weight: 1.0 });
    }
}
