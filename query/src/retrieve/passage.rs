//! Which part of a long text to quote: the sentences around the one that has most of the words looked for.

use std::collections::BTreeSet;
use std::ops::Range;

use bygone_engine::text::{Analyzer, start_of};

/// The words looked for, by which parts of texts are chosen.
pub struct Passages {
    analyzer: Analyzer,
    asked: BTreeSet<String>,
}

impl Passages {
    /// Takes what is looked for.
    pub fn new(analyzer: Analyzer, sought: &str) -> Passages {
        Passages { analyzer, asked: analyzer.words(sought).into_iter().collect() }
    }

    /// Returns the part of a text, whole sentences where they are short enough, that has most of the words looked for, and
    /// is at most `most` bytes long. The range stands on character boundaries.
    pub fn find(&self, text: &str, most: usize) -> Range<usize> {
        let sentences = sentences(text);
        let mut best: Option<(usize, usize)> = None;
        for (idx, sentence) in sentences.iter().enumerate() {
            let n_asked = self.n_asked(&text[sentence.clone()]);
            if best.is_none_or(|(most_asked, _)| n_asked > most_asked) {
                best = Some((n_asked, idx));
            }
        }
        let Some((_, idx)) = best else { return 0..0 };
        let mut range = sentences[idx].clone();
        // What follows explains more often than what stands before.
        for next in &sentences[idx + 1..] {
            if next.end - range.start <= most {
                range.end = next.end;
            }
        }
        for before in sentences[..idx].iter().rev() {
            if range.end - before.start > most {
                break;
            }
            range.start = before.start;
        }
        if range.len() > most {
            range.end = range.start + start_of(&text[range.clone()], most).len();
        }
        range
    }

    fn n_asked(&self, sentence: &str) -> usize {
        let in_it: BTreeSet<String> = self.analyzer.words(sentence).into_iter().collect();
        in_it.iter().filter(|word| self.asked.contains(*word)).count()
    }
}

/// Splits a text after the marks that end sentences, and at line breaks; white space around them is left out.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut ends = false;
    for (at, c) in text.char_indices() {
        let breaks = c == '\n' || (ends && c.is_whitespace());
        if breaks {
            push_trimmed(text, start..at, &mut sentences);
            start = at;
        }
        ends = matches!(c, '.' | '!' | '?' | '…') || (ends && matches!(c, '"' | '\'' | ')' | '”' | '’'));
    }
    push_trimmed(text, start..text.len(), &mut sentences);
    sentences
}

fn push_trimmed(text: &str, range: Range<usize>, sentences: &mut Vec<Range<usize>>) {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    if start < end {
        sentences.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use bygone_engine::text::Language;

    use super::*;

    const ENGLISH: Analyzer = Analyzer::new(Language::English);
    const TEXT: &str =
        "Hi there! I moved to Lisbon in March. It rains less. What about you?\nStill painting?";

    #[track_caller]
    fn check(sought: &str, most: usize, expected: &str) {
        assert_eq!(
            &TEXT[Passages::new(ENGLISH, sought).find(TEXT, most)],
            expected,
            "{sought:?} within {most}"
        );
    }

    #[test]
    fn the_sentence_with_most_of_the_words_is_quoted_with_what_fits_around_it() {
        check("moving to Lisbon", 30, "I moved to Lisbon in March.");
        check("moving to Lisbon", 45, "I moved to Lisbon in March. It rains less.");
        check("paint", 20, "Still painting?");
        check("moving to Lisbon", 500, TEXT);
    }

    #[test]
    fn a_sentence_that_is_too_long_is_cut_between_characters() {
        let text = "é".repeat(50);
        let range = Passages::new(ENGLISH, "x").find(&text, 11);
        assert_eq!(range, 0..10);
    }

    #[test]
    fn nothing_is_quoted_of_nothing() {
        assert_eq!(Passages::new(ENGLISH, "x").find("", 10), 0..0);
        assert_eq!(Passages::new(ENGLISH, "x").find(" \n ", 10), 0..0);
    }
}
